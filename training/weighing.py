"""The weights of signs, learnt on scenes: whether a piece is there, and of which size it is. Needs no torch.

Each scene is looked at twice, as a reading does, before its signs are told.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.looking import seen_twice
from training.perceptrons import learnt
from training.score import matched
from training.targets import least_visible
from training.told import orders
from training.truth import TruePiece, read_scene
from vision.eyes.detections import Detections
from vision.eyes.maps import COLORS
from vision.fusing import presence, sizing
from vision.fusing.presence import ALL_SIGNS, SIGNS, Evidence, all_signs, gathered, placed, signs
from vision.fusing.sizing import SIZE_SIGNS, size_signs
from vision.solids import Array, Size

HIDDEN = 24  # units that make something of many signs
FEW_HIDDEN = 16  # the same where there are few
IN_THE_BANK = 0.3  # importance of a piece there, for what is in the game matters more
OF_A_PIECE = 0.7  # of a piece's diameter: what is told as near to it may be of it


@dataclass(frozen=True, eq=False)
class Report:
    """What the eyes report in one scene.

    Attributes:
        there: (N,) whether each is there; sizes: (N,) index of its size, or -1 where it is not.
        importance: (N,) 0 of what is not asked: pieces that are hidden or have no place.
    """

    evidence: Evidence
    there: NDArray[np.bool_]
    sizes: NDArray[np.intp]
    importance: Array


def weigh_signs(reports: Sequence[Report], folder: Path) -> dict[str, int]:
    """Learns from *reports* and writes the weights to files in a *folder*; how many pieces each of them rests on.

    First the signs of each piece by itself are weighed; then, as far as these tell what is there, all signs.
    """
    there, importance, sizes = (
        np.concatenate([getattr(each, name) for each in reports]) for name in ("there", "importance", "sizes")
    )
    asked = importance > 0
    right = there[asked].astype(np.intp)
    own = np.concatenate([_own_signs(each.evidence) for each in reports])[asked]
    alone = learnt(SIGNS, own, right, importance[asked], hidden=0)
    everything = np.concatenate([all_signs(each.evidence, alone) for each in reports])[asked]
    together = learnt(ALL_SIGNS, everything, right, importance[asked], hidden=HIDDEN)
    kept: dict[str, Any] = {"scenes": len(reports), "pieces": len(right)}
    _write(folder / presence.FILE, kept | {"alone": alone.told(), "together": together.told()})
    sized = asked & (sizes >= 0)
    shown = np.concatenate([size_signs(each.evidence.fit, each.evidence.seen) for each in reports])[sized]
    by_size = learnt(SIZE_SIGNS, shown, sizes[sized], importance[sized], hidden=FEW_HIDDEN, answers=len(Size))
    kept = {"scenes": len(reports), "pieces": int(sized.sum())}
    _write(folder / sizing.FILE, kept | by_size.told())
    return {presence.FILE: len(right), sizing.FILE: int(sized.sum())}


def _own_signs(told: Evidence) -> Array:
    return signs(told.seen, told.fit, told.shares, told.field_mm)


def _write(file: Path, told: dict[str, Any]) -> None:
    file.write_text(json.dumps(told) + "\n", encoding="utf-8")


def report(file: Path) -> Report | None:
    """What the eyes report in a scene, looked at twice; ``None`` where no table fits."""
    scene = read_scene(file)
    image = scene.image()
    told = seen_twice(scene, image)
    if told is None:
        return None
    seen, fit, field_mm = told
    pieces = {detection: scene.pieces[index] for index, detection in matched(scene, seen)}
    ours = {index: piece for index, piece in pieces.items() if COLORS[piece.color] is not None}
    hidden = [index for index, piece in pieces.items() if piece.visible < least_visible(piece)]
    importance = np.where(_about_the_bank(seen, scene.pieces), IN_THE_BANK, 1.0) * placed(fit)
    importance[hidden] = 0.0
    sizes = np.array([ours[index].size if index in ours else -1 for index in range(len(seen))], dtype=np.intp)
    return Report(gathered(seen, fit, image, field_mm), sizes >= 0, sizes, importance)


def _about_the_bank(seen: Detections, pieces: Sequence[TruePiece]) -> NDArray[np.bool_]:
    """(N,) whether the nearest of the *pieces* is in the bank, and so near that this may be told of it."""
    about = np.zeros(len(seen), dtype=bool)
    if not pieces:
        return about
    true = np.array([orders(piece) for piece in pieces])
    diameters = np.linalg.norm(np.ptp(true[:, 0], axis=1), axis=1)
    banked = np.array([piece.banked for piece in pieces], dtype=bool)
    for index, corners in enumerate(seen.corners):
        away = np.linalg.norm(true - corners, axis=-1).mean(-1).min(-1) / diameters
        about[index] = banked[away.argmin()] and away.min() < OF_A_PIECE
    return about
