"""The net: a small U of plain 3×3 convolutions that answers on a quarter of the picture's resolution."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.eyes.maps import WORDS, Dense, Floor

WIDTHS = (16, 32, 64, 96, 128)
"""Channels at strides 2, 4, 8, 16 and 32; processors work on sixteen at a time."""

SPEECH = 64  # channels from which words are told
WHITE = 255.0
RARE = -4.0  # logit with which the points begin: almost every cell is none
POINTS = (Dense.TOP, Dense.UNDER, Dense.TIP, Dense.CORNER, Dense.CROSSING, Dense.TOKEN)


class Eyes(nn.Module):
    """(B, 3, H, W) BGR from 0 to 1 -> logits (B, 8, H/4, W/4) and words (B, 2 * 28, H/8, W/8); 32 divides H and W."""

    def __init__(self) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth, deep = WIDTHS
        self.fine = nn.Sequential(step(3, half, 2), step(half, quarter, 2))
        self.eighth = nn.Sequential(step(quarter, eighth, 2), step(eighth, eighth))
        self.sixteenth = nn.Sequential(step(eighth, sixteenth, 2), step(sixteenth, sixteenth), *further(sixteenth, 1))
        self.deep = nn.Sequential(step(sixteenth, deep, 2), step(deep, deep), step(deep, deep), *further(deep, 3))
        self.to_sixteenth = Joint(deep, sixteenth, more=2)
        self.to_eighth = Joint(sixteenth, eighth, more=1)
        self.to_quarter = Joint(eighth, quarter)
        self.words = nn.Sequential(step(eighth, SPEECH), nn.Conv2d(SPEECH, len(Floor) * WORDS, 1))
        points = nn.Conv2d(quarter, len(Dense), 1)
        self.dense = nn.Sequential(step(quarter, quarter), points)
        with torch.no_grad():
            points.bias[[int(point) for point in POINTS]] = RARE

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        """Everything at once: nothing here depends on what is found."""
        quarter = self.fine(image)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        sixteenth = self.to_sixteenth(self.deep(sixteenth), sixteenth)
        eighth = self.to_eighth(sixteenth, eighth)
        return self.dense(self.to_quarter(eighth, quarter)), self.words(eighth)


class Joint(nn.Module):
    """What is known from afar, brought to the finer map beside it, and thought over in some *more* steps."""

    def __init__(self, above: int, beside: int, more: int = 0) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(above, beside, 1, bias=False)
        self.mix = step(beside, beside)
        self.after = nn.Sequential(*further(beside, more))

    def forward(self, above: Tensor, beside: Tensor) -> Tensor:
        finer = functional.interpolate(self.narrow(above), scale_factor=2.0, mode="nearest")
        mixed: Tensor = self.after(self.mix(finer + beside))
        return mixed


def step(before: int, after: int, stride: int = 1) -> nn.Sequential:
    """A convolution, its answers put on one scale, and none below 0."""
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class Further(nn.Sequential):
    """A step that begins by changing nothing, so that a net that has learnt without it goes on from there."""

    def __init__(self, channels: int) -> None:
        super().__init__(*step(channels, channels))
        nn.init.dirac_(self.get_parameter("0.weight"))


def further(channels: int, count: int) -> list[Further]:
    """So many steps that begin by changing nothing."""
    return [Further(channels) for _ in range(count)]


class Shown(nn.Module):
    """The net as it is exported: (1, H, W, 3) uint8 BGR -> probabilities and words."""

    def __init__(self, eyes: nn.Module) -> None:
        super().__init__()
        self.eyes = taking_bytes(eyes)

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        """The picture as it is in memory, to the answer as it is read."""
        dense, words = self.eyes(as_floats(image))
        return torch.sigmoid(dense), words


def taking_bytes(net: nn.Module) -> nn.Module:
    """A copy of a net that begins with ``fine``, for pictures from 0 to 255: so that no pixel has to be divided."""
    copied = copy.deepcopy(net)
    first = copied.get_parameter("fine.0.0.weight")
    first.data /= WHITE
    return copied


def as_floats(image: Tensor) -> Tensor:
    """(B, H, W, 3) uint8 BGR -> (B, 3, H, W) from 0 to 255."""
    return image.permute(0, 3, 1, 2).to(torch.float32)


def as_input(image: Tensor) -> Tensor:
    """(B, H, W, 3) uint8 BGR -> (B, 3, H, W) from 0 to 1."""
    return as_floats(image) / WHITE
