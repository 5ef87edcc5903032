"""What the counter of pips has to learn: the size of a piece from the pips along one of its base edges."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.net import as_floats
from training.pips_batches import Lesson, lesson_of, lessons
from training.pips_net import PipCounter, ShownPipCounter
from training.true_strips import strips_of
from training.truth import read_scene, scene_files
from vision.eyes.brightness import brightened
from vision.eyes.strips import HIGH, WIDE

AS_OFTEN = (1.13, 1.0, 1.0)  # weights that make the sizes count alike: small pieces show fewer strips
SURE = 0.9  # probability
WIDTHS = (12, 20, 28, 40, 60)  # px from which on strips are counted together


class PipsSubject:
    """Strips along base edges, and the sizes of their pieces."""

    def net(self) -> PipCounter:
        """A net that knows nothing yet."""
        return PipCounter()

    def lessons(self, folders: list[Path], size: int, seed: int, workers: int, echoes: int) -> Iterator[Lesson]:
        """Endless lessons of *size* strips, each learnt from as often as there are *echoes*."""
        return lessons(folders, size, seed, workers, echoes)

    def losses(self, net: nn.Module, lesson: Lesson, *, half: bool) -> dict[str, Tensor]:
        """How little it expected the sizes to be what they are."""
        image = as_floats(lesson.image)
        with torch.autocast(image.device.type, dtype=torch.bfloat16, enabled=half):
            said = net(image, lesson.width)
        weight = torch.tensor(AS_OFTEN, device=image.device)
        return {"total": functional.cross_entropy(said.float(), lesson.size, weight=weight)}

    def shown(self, net: nn.Module) -> ShownPipCounter:
        """The net as it is exported."""
        return ShownPipCounter(net)

    def question(self, seed: int) -> tuple[Tensor, ...]:
        """Some strips by chance."""
        chance, count = torch.Generator().manual_seed(seed), 3 + seed
        image = torch.randint(0, 256, (count, HIGH, WIDE, 3), generator=chance, dtype=torch.uint8)
        return image, 12 + 60 * torch.rand(count, generator=chance)

    def check(self, net: nn.Module, validation: Path, most: int) -> dict[str, float]:
        """How often it is sure, and right then."""
        lesson = _exam(validation, most)
        with torch.no_grad():
            said = ShownPipCounter(net).eval()(lesson.image, lesson.width)
        return figures(said, lesson)


def figures(said: Tensor, lesson: Lesson) -> dict[str, float]:
    """The loss, and by the width of strips how many it is sure of and how many of these are right."""
    chance, told = said.exp().max(dim=1)
    sure, right = chance > SURE, told == lesson.size
    figures = {"strips": float(len(told)), "loss": float(functional.nll_loss(said, lesson.size))}
    for low, high in zip(WIDTHS, (*WIDTHS[1:], float("inf")), strict=True):
        among = (lesson.width >= low) & (lesson.width < high)
        figures[f"sure_from_{low}"] = float(sure[among].float().mean())
        figures[f"right_from_{low}"] = float(right[among & sure].float().mean())
    return figures


@cache
def _exam(validation: Path, most: int) -> Lesson:
    """Strips of pictures, always the same."""
    rng = np.random.default_rng(0)
    drawn = []
    for file in scene_files(validation)[:most]:
        scene = read_scene(file)
        drawn += strips_of(brightened(scene.image()), scene.pieces, rng)
    return lesson_of(drawn, rng)
