"""A training run of either net: lessons in, a checkpoint and a log out, for as many hours as it is given."""

from __future__ import annotations

import copy
import csv
import json
import math
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from training.revive import revive

CHECKPOINT = "checkpoint.pt"
PLAN = "plan.json"
STEEPEST = 50.0  # longer gradients are cut to this
AVERAGED = 0.998  # of the weights that are kept and exported, each step keeps this share
LOGGED = 50  # steps of which the log tells the mean; of fewer after a resumption


@dataclass(frozen=True)
class Plan:
    """All that a run depends on besides its scenes.

    Attributes:
        net: which of the nets is trained. begin_as: the run of another net that it begins with.
        begin_with: the file of an exported net that is trained further; "": it is trained from the start.
        hours: of wall clock, over all resumptions; the learning rate follows a cosine over them.
        half: convolutions in bfloat16, twice as fast where the processor knows it and slower where it does not.
        device: what torch computes on: "cpu", or "cuda" where there is one.
        echoes: how often each sample is learnt from, for what learns faster than workers make them.
        check_minutes: between two measurements on ``checked`` validation scenes.
    """

    net: str
    begin_as: str
    begin_with: str
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
    echoes: int = 1
    half: bool = False
    device: str = "cpu"
    check_minutes: float = 10.0
    checked: int = 40


class Subject(Protocol):
    """What a net has to learn."""

    def net(self) -> nn.Module:
        """A net that knows nothing yet."""

    def lessons(self, folders: list[Path], size: int, seed: int, workers: int, echoes: int) -> Iterator[Any]:
        """Endless lessons of *size* samples, each learnt from as often as there are *echoes*."""

    def losses(self, net: nn.Module, lesson: Any, *, half: bool) -> dict[str, Tensor]:
        """How wrong the net is, part by part; "total" is what is minimised."""

    def shown(self, net: nn.Module) -> nn.Module:
        """The net as it is exported."""

    def question(self, seed: int) -> tuple[Tensor, ...]:
        """A question by chance, as the exported net is asked; of another size with every seed."""

    def check(self, net: nn.Module, validation: Path, most: int) -> dict[str, float]:
        """Figures on the first *most* scenes that it does not learn from."""


class Run:
    """A net being trained in a folder, resumed from its checkpoint if there is one."""

    def __init__(self, subject: Subject, plan: Plan, folder: Path) -> None:
        self.subject, self.plan, self.folder = subject, plan, folder
        self.steps, self.seconds = 0, 0.0
        self._sums: defaultdict[str, Tensor] = defaultdict(lambda: torch.zeros((), device=plan.device))
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        torch.set_num_threads(plan.threads)
        self.net = subject.net()
        if plan.begin_with and not (folder / CHECKPOINT).exists():
            revive(self.net, Path(plan.begin_with), partial(subject.losses, half=False), self._lessons())
        self.net = self.net.to(plan.device, memory_format=torch.channels_last)
        self.kept = subject.net().to(plan.device).eval().requires_grad_(requires_grad=False)
        self.kept.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=plan.rate, weight_decay=plan.decay)
        if (folder / CHECKPOINT).exists():
            self._resume()
        self._logged = self.steps

    def train(self) -> None:
        """Trains until the hours are over; what was learnt is also kept when that ends otherwise."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            self._train()
        except BaseException:
            self._save()
            raise

    def _train(self) -> None:
        (self.folder / PLAN).write_text(json.dumps(asdict(self.plan), indent=2) + "\n", encoding="utf-8")
        stream = self._lessons()
        self.net.train()
        last_check = last = time.monotonic()
        while self.seconds < self.plan.hours * 3600:
            self._learn(next(stream))
            now = time.monotonic()
            self.seconds, last = self.seconds + now - last, now
            if now - last_check > self.plan.check_minutes * 60:
                self._check()
                last_check = time.monotonic()
        self._check()

    def _learn(self, lesson: Any) -> None:
        """One step. What it was like is summed where it is computed: to ask after every step would make it wait."""
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate()
        parts = self.subject.losses(self.net, on_device(lesson, self.plan.device), half=self.plan.half)
        self.optimizer.zero_grad(set_to_none=True)
        parts["total"].backward()
        parts["steepness"] = torch.nn.utils.clip_grad_norm_(self.net.parameters(), STEEPEST)
        self.optimizer.step()
        self._keep()
        self.steps += 1
        for name, part in parts.items():
            self._sums[name] = self._sums[name] + part.detach()
        if self.steps % LOGGED == 0:
            several = self.steps - self._logged
            self._log("losses.csv", {name: float(value) / several for name, value in self._sums.items()})
            self._sums.clear()
            self._logged = self.steps

    def _lessons(self) -> Iterator[Any]:
        folders = [Path(folder) for folder in self.plan.scenes]
        plan = self.plan
        return self.subject.lessons(folders, plan.batch, plan.seed + self.steps, plan.workers, plan.echoes)

    def _rate(self) -> float:
        """Warms up, then falls to a hundredth along half a cosine of the time that is left."""
        warm = min(1.0, (self.steps + 1) / self.plan.warm_steps)
        share = min(1.0, self.seconds / (self.plan.hours * 3600))
        return self.plan.rate * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * share)) / 2)

    def _keep(self) -> None:
        """The weights that are exported are a running mean of those that are trained."""
        share = min(AVERAGED, (1 + self.steps) / (10 + self.steps))
        pairs = list(zip(self.kept.state_dict().values(), self.net.state_dict().values(), strict=True))
        exact = [pair for pair in pairs if pair[0].dtype.is_floating_point]
        with torch.no_grad():
            torch._foreach_lerp_([kept for kept, _ in exact], [now for _, now in exact], 1 - share)
            for kept, now in pairs:
                if not kept.dtype.is_floating_point:
                    kept.copy_(now)

    def _check(self) -> None:
        """Measures on validation scenes, to be looked at only, and writes the checkpoint."""
        folder = Path(self.plan.validation)
        if folder.is_dir():
            kept = copy.deepcopy(self.kept).cpu()
            self._log("validation.csv", self.subject.check(kept, folder, self.plan.checked))
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
        state = torch.load(self.folder / CHECKPOINT, weights_only=True, map_location=self.plan.device)
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


def on_device(lesson: Any, device: str) -> Any:
    """The same lesson, a dataclass of tensors, where it is learnt."""
    return replace(lesson, **{field.name: getattr(lesson, field.name).to(device) for field in fields(lesson)})
