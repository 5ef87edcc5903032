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
    """The parts of the loss by name; offsets are in px. The answer may be in half precision, losses never are."""
    logits = dense.to(torch.float32, memory_format=torch.contiguous_format)
    entropy = batch.counts * functional.binary_cross_entropy_with_logits(logits, batch.dense, reduction="none")
    said = words.view(len(words), len(Floor), WORDS, *words.shape[2:])
    return (
        _heat_losses(entropy * (torch.sigmoid(logits) - batch.dense).square(), batch)
        | _area_losses(entropy, batch)
        | _word_losses(said[batch.sample, batch.floor, :, batch.row, batch.column].float(), batch)
    )


def total(parts: dict[str, Tensor]) -> Tensor:
    """The weighted sum."""
    return torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()


def _heat_losses(focal: Tensor, batch: Batch) -> dict[str, Tensor]:
    """Focal loss against soft bells: cells that are right already hardly count; summed for each point."""
    sums, points = (_of_channels(each) for each in (focal, batch.dense > 0.6))
    return {name: sums[which].sum() / points[which].sum().clamp(min=8.0) * 4 for name, which in HEATS.items()}


def _area_losses(entropy: Tensor, batch: Batch) -> dict[str, Tensor]:
    sums, counts = (_of_channels(each) for each in (entropy, batch.counts))
    return {name: sums[which] / counts[which].clamp(min=1.0) for name, which in AREAS.items()}


def _of_channels(values: Tensor) -> Tensor:
    """(B, 8, rows, columns) -> (8,) sums."""
    return values.sum((0, 2, 3))


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
