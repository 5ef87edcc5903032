"""How wrong an answer is, part by part."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from training.batches import Batch
from vision.eyes.maps import COLOR, LYING, OFFSET_UNIT, OFFSETS, SIZE, VISIBLE, WORDS, Dense, Floor

WEIGHTS = {
    "centers": 1.0,
    "tips": 0.7,
    "corners": 0.7,
    "plastic": 1.0,
    "crossings": 0.3,
    "board": 0.3,
    "token": 0.3,
    "offsets": 0.6,
    "lying": 1.0,
    "color": 0.7,
    "size": 0.1,
    "visible": 0.2,
}
"""What each part counts in the sum that is minimised."""

SMOOTH_PX = 2.0  # errors of offsets below this count by their square
HEATS = {
    "centers": [Dense.TOP, Dense.UNDER],
    "tips": [Dense.TIP],
    "corners": [Dense.CORNER],
    "crossings": [Dense.CROSSING],
    "token": [Dense.TOKEN],
}
AREAS = {"plastic": Dense.PLASTIC, "board": Dense.BOARD}


def losses(dense: Tensor, words: Tensor, batch: Batch) -> dict[str, Tensor]:
    """The parts of the loss by name; offsets are in px."""
    parts = {name: _heat_loss(dense, batch, list(map(int, channels))) for name, channels in HEATS.items()}
    parts |= {name: _area_loss(dense, batch, int(channel)) for name, channel in AREAS.items()}
    said = words.view(len(words), len(Floor), WORDS, *words.shape[2:])
    return parts | _word_losses(said[batch.sample, batch.floor, :, batch.row, batch.column], batch)


def total(parts: dict[str, Tensor]) -> Tensor:
    """The weighted sum."""
    return torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()


def _heat_loss(dense: Tensor, batch: Batch, channels: list[int]) -> Tensor:
    """Focal loss against soft bells: cells that are right already hardly count; summed for each point."""
    logits, bells, counts = dense[:, channels], batch.dense[:, channels], batch.counts[:, channels]
    wrong = (torch.sigmoid(logits) - bells).abs().square()
    entropy = functional.binary_cross_entropy_with_logits(logits, bells, reduction="none")
    points = (bells > 0.6).sum().clamp(min=8.0)
    return (wrong * entropy * counts).sum() / points * 4


def _area_loss(dense: Tensor, batch: Batch, channel: int) -> Tensor:
    counts = batch.counts[:, channel]
    entropy = functional.binary_cross_entropy_with_logits(
        dense[:, channel], batch.dense[:, channel], reduction="none"
    )
    return (entropy * counts).sum() / counts.sum().clamp(min=1.0)


def _word_losses(said: Tensor, batch: Batch) -> dict[str, Tensor]:
    weight = batch.weight
    everything = weight.sum().clamp(min=1e-3)

    def mean(values: Tensor, importance: Tensor = weight) -> Tensor:
        return (values * importance).sum() / everything

    apart = (said[:, OFFSETS] - batch.offsets) * OFFSET_UNIT
    offsets = functional.smooth_l1_loss(apart, torch.zeros_like(apart), beta=SMOOTH_PX, reduction="none")
    posture_known = (batch.lying >= 0).to(weight.dtype)
    lying = functional.binary_cross_entropy_with_logits(said[:, LYING], batch.lying.clamp(min=0), reduction="none")
    visible = functional.binary_cross_entropy_with_logits(said[:, VISIBLE], batch.visible, reduction="none")
    return {
        "offsets": mean((offsets * batch.offset_weight).mean(1)),
        "lying": mean(lying, weight * posture_known),
        "color": mean(functional.cross_entropy(said[:, COLOR], batch.color, reduction="none")),
        "size": mean(functional.cross_entropy(said[:, SIZE], batch.size, reduction="none")),
        "visible": mean(visible),
    }
