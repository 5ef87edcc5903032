"""The counter of pips: looks at the strip along one base edge and says of which size a piece with such pips is."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from training.net import as_floats, step
from vision.solids import Size

USUAL_WIDTH = 30.0  # px
FLAT = 6.0  # grey levels of contrast below which a strip is not made clearer
COLUMNS = 4  # parts of a strip that are told apart at the end


class PipCounter(nn.Module):
    """(B, 3, 20, 48) BGR from 0 to 255 and (B,) px that each was wide -> (B, 3) logits of the sizes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            step(3, 16),
            step(16, 32, 2),
            step(32, 32),
            step(32, 48, 2),
            step(48, 48),
            nn.AvgPool2d((5, 12 // COLUMNS)),
        )
        self.answer = nn.Sequential(nn.Linear(48 * COLUMNS + 1, 64), nn.ReLU(inplace=True), nn.Linear(64, len(Size)))

    def forward(self, image: Tensor, width: Tensor) -> Tensor:
        """What pips tell, whatever their colour and light."""
        seen = torch.flatten(self.seen(of_one_light(image)), 1)
        said: Tensor = self.answer(torch.cat([seen, torch.log(width / USUAL_WIDTH)[:, None].to(seen.dtype)], dim=1))
        return said


def of_one_light(image: Tensor) -> Tensor:
    """(B, 3, H, W) each strip about its mean colour, in units of its contrast."""
    apart = image - image.mean(dim=(2, 3), keepdim=True)
    contrast = apart.square().mean(dim=(1, 2, 3), keepdim=True).sqrt()
    return apart / (contrast + FLAT)


class ShownPipCounter(nn.Module):
    """The net as it is exported: (N, 20, 48, 3) uint8 BGR and (N,) px -> (N, 3) log-probabilities."""

    def __init__(self, counter: nn.Module) -> None:
        super().__init__()
        self.counter = counter

    def forward(self, image: Tensor, width: Tensor) -> Tensor:
        """The strips as they are in memory, to the answer as it is read."""
        return torch.log_softmax(self.counter(as_floats(image), width).float(), dim=1)
