"""What the first net has to learn: everything that is to be seen in a picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn

from training.batches import Batch, batches
from training.losses import losses, total
from training.net import Eyes, Shown, as_input
from training.score import Look, score
from vision.eyes.brightness import brightened
from vision.eyes.decode import Thresholds, decode
from vision.eyes.detections import Detections
from vision.eyes.detector import LONG_SIDE, Image, filled_up, maps_of, shrunk

JUDGED = Thresholds(piece=0.4)  # nets are compared by what they are sure of


class EyesSubject:
    """Crops of scenes and the dense maps and words that belong to them."""

    def net(self) -> Eyes:
        """A net that knows nothing yet."""
        return Eyes()

    def lessons(self, folders: list[Path], size: int, seed: int, workers: int, echoes: int) -> Iterator[Batch]:
        """Endless batches of *size* crops, each learnt from as often as there are *echoes*."""
        return batches(folders, size, seed, workers, echoes)

    def losses(self, net: nn.Module, lesson: Batch, *, half: bool) -> dict[str, Tensor]:
        """The parts of the loss and their weighted sum."""
        image = as_input(lesson.image).contiguous(memory_format=torch.channels_last)
        with torch.autocast(image.device.type, dtype=torch.bfloat16, enabled=half):
            dense, words = net(image)
        parts = losses(dense, words, lesson)
        return {**parts, "total": total(parts)}

    def shown(self, net: nn.Module) -> Shown:
        """The net as it is exported."""
        return Shown(net)

    def question(self, seed: int) -> tuple[Tensor, ...]:
        """A picture by chance."""
        chance = torch.Generator().manual_seed(seed)
        return (torch.randint(0, 256, (1, 96 + 64 * seed, 128 + 96 * seed, 3), generator=chance, dtype=torch.uint8),)

    def check(self, net: nn.Module, validation: Path, most: int) -> dict[str, float]:
        """How well it sees whole pictures."""
        return score(validation, looking(net), most=most).row()


def looking(eyes: nn.Module) -> Look:
    """A net that is still being trained, used as a detector is."""
    shown = Shown(eyes).eval()

    def look(image: Image) -> Detections:
        small, scale = shrunk(brightened(image), LONG_SIDE)
        with torch.no_grad():
            dense, words = shown(torch.from_numpy(filled_up(small)[None]))
        return decode(maps_of(dense[0].numpy(), words[0].numpy()), scale, JUDGED)

    return look
