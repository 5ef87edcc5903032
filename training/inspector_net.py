"""The second net: looks at one piece that was told, in a small picture around it, and says what it really is."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from training.net import WIDTHS, Joint, as_floats, further, step, taking_bytes
from vision.eyes.answers import CORNERS, NUMBERS, OFFSET_UNIT
from vision.eyes.patches import SIDE

POINTED, JOINED, DEEP = 40, 64, 96
"""Channels at strides 4, 8 and 16 once the net knows which piece is meant."""

FLAT = 48  # channels that are told apart by place at the end
THOUGHTS = 256
BELL = 3.0  # px, spread of the mark around each corner that was told
AROUND = 8.0  # px, spread of the places around it where the corner is looked for, before the net says more
TOLD = CORNERS + 1
EMPTY = 2
"""Channels of nothing beside the marks: onnxruntime is twice as fast and more where channels come by fours."""
CELL = 4  # px of a patch to one cell of the marks


class Inspector(nn.Module):
    """(B, 3, 80, 80) BGR from 0 to 1, (B, 5, 2) px told corners and (B,) told to be under another -> (B, 27).

    It begins to see as the first net does, and may take over what that has learnt.
    """

    def __init__(self) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth, _ = WIDTHS
        self.fine = nn.Sequential(step(3, half, 2), step(half, quarter, 2))
        self.eighth = nn.Sequential(step(quarter, eighth, 2), step(eighth, eighth))
        self.sixteenth = nn.Sequential(step(eighth, sixteenth, 2), step(sixteenth, sixteenth), *further(sixteenth, 1))
        self.pointed = step(quarter + TOLD + EMPTY, POINTED)
        self.coarser = step(POINTED, eighth, 2)
        self.joined = nn.Sequential(step(2 * eighth, JOINED), step(JOINED, JOINED), *further(JOINED, 1))
        self.deeper = step(JOINED, sixteenth, 2)
        self.deep = nn.Sequential(step(2 * sixteenth, DEEP), step(DEEP, DEEP), *further(DEEP, 4))
        self.to_joined = Joint(DEEP, JOINED, more=1)
        self.to_pointed = Joint(JOINED, POINTED)
        self.heat = nn.Conv2d(POINTED, CORNERS, 1)
        self.flat = nn.Sequential(nn.Conv2d(DEEP, FLAT, 1, bias=False), nn.BatchNorm2d(FLAT), nn.ReLU(inplace=True))
        thinking = nn.Sequential(nn.Linear(FLAT * (SIDE // 16) ** 2, THOUGHTS), nn.ReLU(inplace=True))
        self.answer = nn.Sequential(*thinking, nn.Linear(THOUGHTS, NUMBERS - 2 * CORNERS))
        self.register_buffer("cells", torch.arange(SIDE // CELL) * float(CELL) + (CELL - 1) / 2, persistent=False)

    def begin_as(self, eyes: Mapping[str, Tensor]) -> None:
        """Takes over how the first net sees, from its weights."""
        own = self.state_dict()
        seeing = ("fine.", "eighth.", "sixteenth.")
        self.load_state_dict({**own, **{name: eyes[name] for name in own if name.startswith(seeing)}})

    def forward(self, image: Tensor, told: Tensor, under: Tensor) -> Tensor:
        """What it says, in the order of :mod:`vision.eyes.answers`."""
        quarter = self.fine(image)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        marks = torch.cat([self._marks(told), self._everywhere(under)], dim=1).to(quarter.dtype)
        pointed = self.pointed(nn.functional.pad(torch.cat([quarter, marks], dim=1), (0, 0, 0, 0, 0, EMPTY)))
        joined = self.joined(torch.cat([self.coarser(pointed), eighth], dim=1))
        deep = self.deep(torch.cat([self.deeper(joined), sixteenth], dim=1))
        heat = self.heat(self.to_pointed(self.to_joined(deep, joined), pointed))
        said = self.answer(torch.flatten(self.flat(deep), 1))
        return torch.cat([self._offsets(heat.float(), told), said.float()], dim=1)

    def _offsets(self, heat: Tensor, told: Tensor) -> Tensor:
        """(B, 10) from the corners that were told to the middle of the hot places, (B, 5, rows, columns)."""
        across, down = (self.cells - told[..., axis].unsqueeze(-1) for axis in (0, 1))
        near = (across.square().unsqueeze(-2) + down.square().unsqueeze(-1)) / (2 * AROUND**2)
        chances = torch.softmax((heat - near).flatten(2), dim=2).unflatten(2, near.shape[2:])
        middle = torch.stack([(chances.sum(2) * across).sum(2), (chances.sum(3) * down).sum(2)], dim=2)
        return middle.flatten(1) / OFFSET_UNIT

    def _marks(self, told: Tensor) -> Tensor:
        """(B, 5, rows, columns) a bell around each corner that was told."""
        return self._bells(told[..., 1]).unsqueeze(-1) * self._bells(told[..., 0]).unsqueeze(-2)

    def _bells(self, places: Tensor) -> Tensor:
        return torch.exp(-((self.cells - places.unsqueeze(-1)) ** 2) / (2 * BELL**2))

    def _everywhere(self, flag: Tensor) -> Tensor:
        rows, columns = torch.ones_like(self.cells).reshape(1, 1, -1, 1), torch.ones_like(self.cells)
        return flag.reshape(-1, 1, 1, 1) * rows * columns


class ShownInspector(nn.Module):
    """The net as it is exported: (N, 80, 80, 3) uint8 BGR, (N, 5, 2), (N,) -> (N, 27)."""

    def __init__(self, inspector: nn.Module) -> None:
        super().__init__()
        self.inspector = taking_bytes(inspector)

    def forward(self, image: Tensor, told: Tensor, under: Tensor) -> Tensor:
        """The patches as they are in memory, to the answer as it is read."""
        said: Tensor = self.inspector(as_floats(image), told, under)
        return said
