"""The training run: batches in, a checkpoint and a log out, for as many hours as it is given."""

from __future__ import annotations

import csv
import json
import math
import signal
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from training.batches import batches
from training.losses import losses, total
from training.net import Eyes, Shown, as_input
from training.score import Look, score
from vision.eyes.decode import Thresholds, decode
from vision.eyes.detections import Detections
from vision.eyes.detector import LONG_SIDE, Image, filled_up, maps_of, shrunk

CHECKPOINT = "checkpoint.pt"
PLAN = "plan.json"
STEEPEST = 50.0  # longer gradients are cut to this
JUDGED = Thresholds(piece=0.4)  # nets are compared by what they are sure of
AVERAGED = 0.998  # of the weights that are kept and exported, each step keeps this share


@dataclass(frozen=True)
class Plan:
    """All that a run depends on besides its scenes.

    Attributes:
        hours: of wall clock, over all resumptions; the learning rate follows a cosine over them.
        half: convolutions in bfloat16, twice as fast where the processor knows it and slower where it does not.
        check_minutes: between two measurements on ``checked`` validation scenes.
    """

    scenes: tuple[str, ...]
    validation: str
    seed: int
    hours: float
    batch: int = 8
    rate: float = 2e-3
    decay: float = 1e-4
    warm_steps: int = 100
    threads: int = 2
    workers: int = 1
    half: bool = False
    check_minutes: float = 10.0
    checked: int = 40


class Run:
    """A net being trained in a folder, resumed from its checkpoint if there is one."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        torch.set_num_threads(plan.threads)
        self.net = Eyes().to(memory_format=torch.channels_last)
        self.kept = Eyes().eval().requires_grad_(requires_grad=False)
        self.kept.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=plan.rate, weight_decay=plan.decay)
        self.steps, self.seconds = 0, 0.0
        if (folder / CHECKPOINT).exists():
            self._resume()

    def train(self) -> None:
        """Trains until the hours are over; what was learnt is also kept when it is interrupted."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            self._train()
        except KeyboardInterrupt:
            self._save()
            raise

    def _train(self) -> None:
        (self.folder / PLAN).write_text(json.dumps(asdict(self.plan), indent=2) + "\n", encoding="utf-8")
        folders = [Path(folder) for folder in self.plan.scenes]
        stream = batches(folders, self.plan.batch, self.plan.seed + self.steps, self.plan.workers)
        self.net.train()
        sums: dict[str, float] = defaultdict(float)
        begun = self.steps
        last_check = last = time.monotonic()
        while self.seconds < self.plan.hours * 3600:
            batch = next(stream)
            for group in self.optimizer.param_groups:
                group["lr"] = self._rate()
            image = as_input(batch.image).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.plan.half):
                dense, words = self.net(image)
            parts = losses(dense, words, batch)
            loss = total(parts)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            steepness = torch.nn.utils.clip_grad_norm_(self.net.parameters(), STEEPEST)
            self.optimizer.step()
            self._keep()
            self.steps += 1
            now = time.monotonic()
            self.seconds, last = self.seconds + now - last, now
            for name, part in {**parts, "total": loss, "steepness": steepness}.items():
                sums[name] += float(part.detach())
            if self.steps % 50 == 0:
                self._log("losses.csv", {name: value / (self.steps - begun) for name, value in sums.items()})
                sums.clear()
                begun = self.steps
            if now - last_check > self.plan.check_minutes * 60:
                self._check()
                last_check = time.monotonic()
        self._check()

    def _rate(self) -> float:
        """Warms up, then falls to a hundredth along half a cosine of the time that is left."""
        warm = min(1.0, (self.steps + 1) / self.plan.warm_steps)
        share = min(1.0, self.seconds / (self.plan.hours * 3600))
        return self.plan.rate * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * share)) / 2)

    def _keep(self) -> None:
        """The weights that are exported are a running mean of those that are trained."""
        share = min(AVERAGED, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for kept, now in zip(self.kept.state_dict().values(), self.net.state_dict().values(), strict=True):
                if kept.dtype.is_floating_point:
                    kept.lerp_(now, 1 - share)
                else:
                    kept.copy_(now)

    def _check(self) -> None:
        """Measures on validation scenes, to be looked at only, and writes the checkpoint."""
        folder = Path(self.plan.validation)
        if folder.is_dir():
            self._log("validation.csv", score(folder, looking(self.kept), most=self.plan.checked).row())
        self._save()

    def _save(self) -> None:
        part = self.folder / (CHECKPOINT + ".part")
        torch.save(self._state(), part)
        part.replace(self.folder / CHECKPOINT)

    def _state(self) -> dict[str, Any]:
        return {
            "net": self.net.state_dict(),
            "kept": self.kept.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
            "seconds": self.seconds,
        }

    def _resume(self) -> None:
        state = torch.load(self.folder / CHECKPOINT, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.kept.load_state_dict(state["kept"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.seconds = state["steps"], state["seconds"]

    def _log(self, name: str, row: dict[str, float]) -> None:
        file = self.folder / name
        row = {"steps": self.steps, "minutes": self.seconds / 60, "rate": self._rate(), **row}
        fresh = not file.exists()
        with file.open("a", encoding="utf-8", newline="") as lines:
            writer = csv.DictWriter(lines, list(row))
            if fresh:
                writer.writeheader()
            writer.writerow({key: round(value, 6) for key, value in row.items()})
        print(name, *(f"{key} {value:.4g}" for key, value in row.items()), flush=True)


def looking(eyes: Eyes) -> Look:
    """A net that is still being trained, used as a detector is."""
    shown = Shown(eyes).eval()

    def look(image: Image) -> Detections:
        small, scale = shrunk(image, LONG_SIDE)
        with torch.no_grad():
            dense, words = shown(torch.from_numpy(filled_up(small)[None]))
        return decode(maps_of(dense[0].numpy(), words[0].numpy()), scale, JUDGED)

    return look
