"""Pieces as they may be told to the second look, rightly and wrongly, and which true piece each of them means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.beneath import ALIKE, UNLIKE, beneath
from training.targets import least_visible
from training.truth import TruePiece
from vision.solids import Array

NOBODY, UNASKED = -1, -2  # instead of a piece's index
SAME, OTHER = 0.35, 0.5  # of a piece's diameter: corners as near as that mean it, those as far as that do not
WRONG_FLOOR = 0.25  # of it, added where one is told on the other floor: of a stack the upper one is meant first

SHIFT, STRETCH, TURN_DEG, EACH = 0.06, 0.12, 8.0, 0.03  # spreads of common errors, lengths in diagonals
ROUGH, ROUGHLY = 0.2, 2.0  # share of pieces told with larger errors, and how much larger
FOLDED = 0.15  # share of upright pieces whose base is told shrunk and turned, as the first net does
BESIDE = 0.25  # share told where there is none, beside a piece


@dataclass(frozen=True, eq=False)
class Told:
    """N pieces as they are told: ``corners`` (N, 5, 2) px, and (N,) bool whether ``under`` another."""

    corners: Array
    under: NDArray[np.bool_]

    @classmethod
    def together(cls, several: Sequence[Told]) -> Told:
        """All of them in one."""
        return cls(np.concatenate([one.corners for one in several]), np.concatenate([one.under for one in several]))

    def only(self, indices: NDArray[np.intp]) -> Told:
        """These alone."""
        return Told(self.corners[indices], self.under[indices])


def told_badly(pieces: Sequence[TruePiece], rng: np.random.Generator) -> Told:
    """Each of the pieces once, with errors; some of them where they are not."""
    if not pieces:
        return Told(np.zeros((0, 5, 2)), np.zeros(0, dtype=bool))
    corners = np.array([_folded(piece, rng) for piece in pieces])
    return Told(_shaken(corners, rng), np.array([piece.under for piece in pieces], dtype=bool))


def told_beneath(pieces: Sequence[TruePiece], rng: np.random.Generator) -> Told:
    """Something beneath each upright piece, whether there is or not."""
    upright = [piece.corners for piece in pieces if piece.posture == "upright"]
    if not upright:
        return told_badly([], rng)
    count = len(upright)
    share = rng.uniform(0, 1, count)
    scale = (ALIKE[0] + share * (UNLIKE[0] - ALIKE[0])) * np.exp(rng.normal(0, 0.1, count))
    drop = (ALIKE[1] + share * (UNLIKE[1] - ALIKE[1])) * np.exp(rng.normal(0, 0.2, count))
    corners = beneath(_shaken(np.array(upright), rng, 0.5), scale, drop)
    return Told(corners, np.ones(count, dtype=bool))


def told_crosswise(pieces: Sequence[TruePiece], rng: np.random.Generator) -> Told:
    """Of each two stacked pieces in sight the upper one where the lower is, and the lower where the upper is."""
    pairs = [
        (upper, lower)
        for upper in pieces
        if upper.above
        for lower in pieces
        if lower.under and lower is not upper and lower.visible >= least_visible(lower) and _overlapping(upper, lower)
    ]
    if not pairs:
        return told_badly([], rng)
    corners = np.array([[lower.corners, upper.corners] for upper, lower in pairs]).reshape(-1, 5, 2)
    return Told(_shaken(corners, rng, 0.5), np.tile([False, True], len(pairs)))


def _overlapping(one: TruePiece, other: TruePiece) -> bool:
    """Whether two upright pieces may be of one stack: their middles lie close together."""
    diagonal = np.linalg.norm(np.ptp(one.corners, axis=0))
    return bool(np.linalg.norm(one.corners.mean(0) - other.corners.mean(0)) < 0.5 * diagonal)


def _folded(piece: TruePiece, rng: np.random.Generator) -> Array:
    if piece.posture != "upright" or rng.random() > FOLDED:
        return piece.corners
    base = piece.corners[1:]
    middle = base.mean(0)
    share, turn = rng.uniform(0.4, 1.0), np.radians(rng.uniform(-45, 45))
    spokes, after = base - middle, np.roll(base, -1, axis=0) - middle
    turned = middle + share * (np.cos(turn) * spokes - np.sin(turn) * after)
    return np.concatenate([piece.corners[:1], turned])


def _shaken(corners: Array, rng: np.random.Generator, share: float = 1.0) -> Array:
    count = len(corners)
    much = share * np.where(rng.random(count) < ROUGH, ROUGHLY, 1.0)
    diagonal = np.linalg.norm(np.ptp(corners, axis=1), axis=1)
    middle = corners.mean(1, keepdims=True)
    turn = np.radians(rng.normal(0, TURN_DEG * much))
    stretch = np.exp(rng.normal(0, STRETCH * much))
    c, s = stretch * np.cos(turn), stretch * np.sin(turn)
    spokes = corners - middle
    x, y = spokes[..., 0], spokes[..., 1]
    turned = np.stack([x * c[:, None] - y * s[:, None], x * s[:, None] + y * c[:, None]], axis=-1)
    shift = rng.normal(size=(count, 1, 2)) * (SHIFT * much * diagonal)[:, None, None]
    away = rng.normal(size=(count, 1, 2)) * (0.5 * diagonal * (rng.random(count) < BESIDE))[:, None, None]
    each = rng.normal(size=corners.shape) * (EACH * much * diagonal)[:, None, None]
    return np.asarray(middle + turned + shift + share * away + each)


def meant(told: Told, pieces: Sequence[TruePiece]) -> NDArray[np.intp]:
    """(N,) the index of the piece that each means, ``NOBODY`` or, where it is not to be judged, ``UNASKED``."""
    if not pieces:
        return np.full(len(told.under), NOBODY)
    true = np.array([orders(piece) for piece in pieces])
    diagonals = np.linalg.norm(np.ptp(true[:, 0], axis=1), axis=1)
    away = np.linalg.norm(told.corners[:, None, None] - true, axis=-1).mean(-1).min(-1) / diagonals
    under = np.array([piece.under for piece in pieces], dtype=bool)
    floors = np.where(told.under[:, None] & ~under, np.inf, np.where(told.under[:, None] == under, 0, WRONG_FLOOR))
    nearest = (away + floors).argmin(1)
    best = (away + floors).min(1) - np.where(told.under == under[nearest], 0, WRONG_FLOOR)
    hidden = np.array([piece.visible < least_visible(piece) for piece in pieces], dtype=bool)
    found = np.where(best < SAME, nearest, NOBODY)
    return np.where(((best >= SAME) & (best < OTHER)) | ((best < OTHER) & hidden[nearest]), UNASKED, found)


def orders(piece: TruePiece) -> Array:
    """(4, 5, 2) px of the corners in the orders that mean the same piece; of a lying one four times the only one."""
    shifts = range(4) if piece.square else [0] * 4
    return np.array([np.concatenate([piece.corners[:1], np.roll(piece.corners[1:], by, axis=0)]) for by in shifts])


def in_the_order_of(told: Array, piece: TruePiece) -> Array:
    """(5, 2) px of the true corners, in the order that is nearest to the *told* ones."""
    turned = orders(piece)
    return np.asarray(turned[np.linalg.norm(turned - told, axis=-1).sum(-1).argmin()])
