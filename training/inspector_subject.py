"""What the second net has to learn: of a piece that is told, whether it is there and what it really is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.crops import whole
from training.inspector_batches import Lesson, lesson_of, lessons, patches_of
from training.inspector_net import Inspector, ShownInspector
from training.net import as_input
from training.run import CHECKPOINT
from training.truth import read_scene, scene_files
from vision.eyes.answers import ABOVE, BLUR, COLOR, CORNERS, LYING, OFFSET_UNIT, OFFSETS, SIZE, THERE, VISIBLE
from vision.eyes.brightness import brightened
from vision.eyes.detector import Detector
from vision.eyes.patches import SIDE

WEIGHTS = {"corners": 0.25, "there": 1.0, "lying": 0.5, "color": 0.5, "size": 0.1, "visible": 0.2, "above": 0.3}
"""What each part counts in the sum that is minimised."""

HIDDEN = 0.3  # weight of a corner that is not seen itself
SOFT = 0.05  # px², so that no error is quite 0


class InspectorSubject:
    """Patches of pieces, told rightly and wrongly.

    Attributes:
        eyes: the run of the first net, of which this one takes over how to see; ``None``: it knows nothing yet.
    """

    def __init__(self, eyes: Path | None = None) -> None:
        self.eyes = eyes

    def net(self) -> Inspector:
        """A net that can see but not judge."""
        net = Inspector()
        if self.eyes is not None:
            net.begin_as(torch.load(self.eyes / CHECKPOINT, weights_only=True, map_location="cpu")["kept"])
        return net

    def lessons(self, folders: list[Path], size: int, seed: int, workers: int, echoes: int) -> Iterator[Lesson]:
        """Endless lessons of *size* patches, each learnt from as often as there are *echoes*."""
        return lessons(folders, size, seed, workers, echoes)

    def losses(self, net: nn.Module, lesson: Lesson, *, half: bool) -> dict[str, Tensor]:
        """The parts of the loss and their weighted sum."""
        image = as_input(lesson.image).contiguous(memory_format=torch.channels_last)
        with torch.autocast(image.device.type, dtype=torch.bfloat16, enabled=half):
            said = net(image, lesson.told, lesson.told_under)
        parts = losses(said.float(), lesson)
        total = torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()
        return {**parts, "total": total}

    def shown(self, net: nn.Module) -> ShownInspector:
        """The net as it is exported."""
        return ShownInspector(net)

    def question(self, seed: int) -> tuple[Tensor, ...]:
        """Some patches by chance, with corners told in them."""
        chance, count = torch.Generator().manual_seed(seed), 3 + seed
        image = torch.randint(0, 256, (count, SIDE, SIDE, 3), generator=chance, dtype=torch.uint8)
        told = torch.rand(count, CORNERS, 2, generator=chance) * SIDE
        return image, told, torch.randint(0, 2, (count,), generator=chance).float()

    def check(self, net: nn.Module, validation: Path, most: int) -> dict[str, float]:
        """How much better it knows than what was told."""
        lesson = _exam(validation, most)
        with torch.no_grad():
            said = ShownInspector(net).eval()(lesson.image, lesson.told, lesson.told_under)
        return figures(said, lesson)


def losses(said: Tensor, lesson: Lesson) -> dict[str, Tensor]:
    """The parts by name; corners as the negative logarithm of a density that falls off with exp(-distance / blur)."""
    there = lesson.there
    weight = torch.where(lesson.seen > 0, 1.0, HIDDEN) * there[:, None]
    blur = said[:, BLUR].clamp(-2.0, 4.0)
    apart = (_offsets(said) - (lesson.corners - lesson.told)).square().sum(-1).add(SOFT).sqrt()
    posture_known = there * (lesson.lying >= 0)
    entropy = functional.binary_cross_entropy_with_logits

    def mean(values: Tensor, importance: Tensor) -> Tensor:
        return (values * importance).sum() / importance.sum().clamp(min=1.0)

    return {
        "corners": mean(apart * torch.exp(-blur) + 2 * blur, weight),
        "there": entropy(said[:, THERE], there),
        "lying": mean(entropy(said[:, LYING], lesson.lying.clamp(min=0), reduction="none"), posture_known),
        "color": mean(functional.cross_entropy(said[:, COLOR], lesson.color, reduction="none"), there),
        "size": mean(functional.cross_entropy(said[:, SIZE], lesson.size, reduction="none"), there),
        "visible": mean(entropy(said[:, VISIBLE], lesson.visible, reduction="none"), there),
        "above": mean(entropy(said[:, ABOVE], lesson.above, reduction="none"), there),
    }


def _offsets(said: Tensor) -> Tensor:
    return said[:, OFFSETS].reshape(-1, CORNERS, 2) * OFFSET_UNIT


def figures(said: Tensor, lesson: Lesson) -> dict[str, float]:
    """What is right in the answers: errors of corners in sight in px of a patch, shares of pieces that are there."""
    there = lesson.there > 0
    seen = (lesson.seen > 0) & there[:, None]
    before = (lesson.corners - lesson.told).norm(dim=-1)[seen].numpy()
    after = (_offsets(said) - (lesson.corners - lesson.told)).norm(dim=-1)[seen].numpy()
    blur = torch.exp(said[:, BLUR])[seen].numpy()
    posture = there & (lesson.lying >= 0)
    above, alone = there & (lesson.above > 0), posture & (lesson.lying == 0) & (lesson.above == 0)

    def share(right: Tensor, among: Tensor) -> float:
        return float(right[among].float().mean())

    return {
        "patches": float(len(there)),
        "there": share(said[:, THERE] > 0, there),
        "not_there": share(said[:, THERE] < 0, ~there),
        "color": share(said[:, COLOR].argmax(1) == lesson.color, there),
        "posture": share((said[:, LYING] > 0) == (lesson.lying > 0), posture),
        "size": share(said[:, SIZE].argmax(1) == lesson.size, there),
        "above": share(said[:, ABOVE] > 0, above),
        "alone": share(said[:, ABOVE] < 0, alone),
        "told_px": float(np.median(before)),
        "told_px_90": float(np.quantile(before, 0.9)),
        "corner_px": float(np.median(after)),
        "corner_px_90": float(np.quantile(after, 0.9)),
        "within_3_blurs": float((after < 3 * blur).mean()),
    }


@cache
def _exam(validation: Path, most: int) -> Lesson:
    """What the first net tells of pictures, and what might stand beneath, always the same."""
    first, rng, patches = Detector(), np.random.default_rng(0), []
    for file in scene_files(validation)[:most]:
        scene = read_scene(file)
        patches += patches_of(whole(brightened(scene.image()), scene), first, rng, badly=False)
    return lesson_of(patches)
