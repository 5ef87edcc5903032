"""Heaps of pieces that are not in play: banks as people keep them, and pieces of other games' colours.

Every heap is built around the origin, then turned by any angle and laid beside what is there already.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from scenes.arrangement import Standing, apart, leaning, moved, stood
from scenes.looks import AnyColor
from vision.poses import Pose
from vision.sight import Role
from vision.solids import Array, Posture, Size, nesting_step

Rng = np.random.Generator
AnyKind = tuple[AnyColor, Size]
Counts = Mapping[AnyKind, int]


def stacks(bank: Counts, role: Role, rng: Rng) -> list[Standing]:
    """Stacks of a kind, sorted: a column for each colour, a row for each size; they touch or have gaps."""
    care, gap = float(rng.uniform(0.2, 1.1)), float(rng.choice((1.0, 3.0, 8.0, 15.0)))
    across, along = _places(bank, gap)
    pieces: list[Standing] = []
    for (color, size), count in bank.items():
        slip = rng.uniform(-0.15, 0.15, 2) * gap * care
        spot = (across[color] + float(slip[0]), along[size] + float(slip[1]))
        pieces += nested([(color, size)] * count, spot, _aslant(gap, care, rng), role, rng, _freedom(gap))
    return pieces


def _places(bank: Counts, gap: float) -> tuple[dict[AnyColor, float], dict[Size, float]]:
    """Where each colour's column and each size's row lies, with *gap* mm between the bases."""
    colors = dict.fromkeys(color for color, _ in bank)
    width = max(size.base for _, size in bank) + gap
    return (
        {color: (k - (len(colors) - 1) / 2) * width for k, color in enumerate(colors)},
        {size: sum((s.base + gap for s in Size if s < size), size.base / 2) for size in Size},
    )


def _freedom(gap: float) -> float:
    """How many degrees a piece in a row can be turned: few where the next one is only *gap* mm away."""
    return 0.1 + 0.5 * gap


def _aslant(gap: float, care: float, rng: Rng) -> float:
    return float(rng.uniform(-1, 1)) * _freedom(gap) * care


def trees(bank: Counts, role: Role, rng: Rng) -> list[Standing]:
    """Nests of one colour, small over medium over large, in rows; what finds no place in a nest comes last."""
    care, gap = float(rng.uniform(0.2, 1.1)), float(rng.choice((1.0, 4.0, 12.0)))
    pitch = Size.LARGE.base + gap
    pieces: list[Standing] = []
    colors = list(dict.fromkeys(color for color, _ in bank))
    for row, color in enumerate(colors):
        left = {size: bank.get((color, size), 0) for size in Size}
        column = 0
        while any(left.values()):
            nest = [(color, size) for size in reversed(Size) if left[size]]
            for _, size in nest:
                left[size] -= 1
            slip = rng.uniform(-0.15, 0.15, 2) * gap * care
            spot = (column * pitch + float(slip[0]), row * pitch + float(slip[1]))
            pieces += nested(nest, spot, _aslant(gap, care, rng), role, rng, _freedom(gap))
            column += 1
    return pieces


def rows(bank: Counts, role: Role, rng: Rng) -> list[Standing]:
    """Pieces lying side by side, a row for each colour, all tips more or less the same way."""
    care, gap = float(rng.uniform(0.1, 1.0)), float(rng.choice((1.0, 3.0, 7.0)))
    wave = 180.0 if rng.random() < 0.25 else 0.0  # every other one the other way round saves room
    pieces: list[Standing] = []
    y = 0.0
    for color in dict.fromkeys(color for color, _ in bank):
        sizes = [size for (other, size), count in bank.items() if other is color for _ in range(count)]
        order = sorted(sizes, reverse=True) if rng.random() < 0.7 else [sizes[k] for k in rng.permutation(len(sizes))]
        x = 0.0
        for k, size in enumerate(order):
            heading = 90 + wave * (k % 2) + _aslant(gap, care, rng)
            x += size.base / 2
            pose = Pose(size, Posture.LYING, x, y + float(rng.uniform(-2, 2)) * care, heading)
            pieces.append(stood(pose, color, role))
            x += size.base / 2 + gap
        y += max(order).slant + 5 + gap
    return _unmixed(pieces)


def line(bank: Counts, role: Role, rng: Rng) -> list[Standing]:
    """All stacks one after the other in one or two long lines, as they come."""
    gap, lines = float(rng.choice((1.0, 4.0, 10.0))), int(rng.integers(1, 3))
    kinds = list(bank)
    order = [kinds[k] for k in rng.permutation(len(kinds))] if rng.random() < 0.4 else kinds
    ends = [0.0] * lines
    pieces: list[Standing] = []
    for k, (color, size) in enumerate(order):
        row = k * lines // len(order)
        spot = (ends[row] + size.base / 2, row * (Size.LARGE.base + gap))
        pieces += nested(
            [(color, size)] * bank[color, size], spot, _aslant(gap, 0.6, rng), role, rng, 0.1 + 0.5 * gap
        )
        ends[row] += size.base + gap
    return pieces


def huddle(bank: Counts, role: Role, rng: Rng) -> list[Standing]:
    """A heap pushed together anyhow: standing, lying and leaning, some nested, each as near as the others let it."""
    kinds = [kind for kind, count in bank.items() for _ in range(count)]
    waiting = [kinds[k] for k in rng.permutation(len(kinds))]
    lying, gap = float(rng.choice((0.1, 0.5, 0.9))), float(rng.choice((0.3, 2.0, 6.0)))
    pieces: list[Standing] = []
    while waiting:
        nest = [waiting.pop()]
        if rng.random() > lying and waiting and waiting[-1][1] <= nest[0][1] and rng.random() < 0.35:
            nest.append(waiting.pop())
        group = nested(nest, (0.0, 0.0), float(rng.uniform(0, 360)), role, rng)
        if len(group) == 1 and rng.random() < lying:
            color, size = nest[0]
            flat = stood(Pose(size, Posture.LYING, 0.0, 0.0, float(rng.uniform(0, 360))), color, role)
            group = [leaning(flat, rng) if rng.random() < 0.15 else flat]
        pieces += _pushed_in(group, pieces, gap, rng)
    return pieces


def _pushed_in(group: list[Standing], heap: Sequence[Standing], gap: float, rng: Rng) -> list[Standing]:
    """The group slid from some side towards the middle of the heap until it would come nearer than *gap* mm."""
    turn = float(rng.uniform(0, 2 * math.pi))
    way = np.array([math.cos(turn), math.sin(turn)])
    reach = max((float(np.linalg.norm(piece.vertices[:, :2], axis=1).max()) for piece in heap), default=0.0)
    for out in np.arange(0.0, reach + 70.0, 2.5):
        there = [moved(piece, 0.0, (float(out * way[0]), float(out * way[1]))) for piece in group]
        if all(apart(one.vertices[:, :2], other.vertices[:, :2], gap) for one in there for other in heap):
            break
    return there


HEAPS: Final[tuple[tuple[Callable[[Counts, Role, Rng], list[Standing]], float], ...]] = (
    (stacks, 0.42),
    (trees, 0.2),
    (rows, 0.14),
    (line, 0.1),
    (huddle, 0.14),
)
"""The ways of keeping pieces, and how common they are."""


def nested(
    kinds: Sequence[AnyKind], spot: tuple[float, float], turn: float, role: Role, rng: Rng, twist: float = 4.0
) -> list[Standing]:
    """Pieces over each other at (x, y) mm, the first at the bottom, the others up to *twist* degrees askew."""
    pieces: list[Standing] = []
    z = 0.0
    for level, (color, size) in enumerate(kinds):
        z += nesting_step(kinds[level - 1][1], size) if level else 0.0
        askew = float(rng.uniform(-1, 1)) * min(4.0, twist) if level else 0.0
        pieces.append(stood(Pose(size, Posture.UPRIGHT, *spot, turn + askew, z), color, role))
    return pieces


def heap(bank: Counts, role: Role, rng: Rng) -> list[Standing]:
    """The pieces of *bank* in one of the ways of :data:`HEAPS`."""
    if not bank:
        return []
    build = HEAPS[int(rng.choice(len(HEAPS), p=[share for _, share in HEAPS]))][0]
    return build(bank, role, rng)


def kept(kinds: Iterable[AnyKind], beside: Array, rng: Rng, *, role: Role = Role.BANK) -> list[Standing]:
    """The pieces at any side of the (N, 2 or 3) points *beside*, now and then in two heaps by colour."""
    counts = Counter(kinds)
    found = sorted({color for color, _ in counts})
    colors = [found[k] for k in rng.permutation(len(found))]
    split = int(rng.integers(1, len(colors))) if len(colors) > 1 and rng.random() < 0.2 else len(colors)
    pieces: list[Standing] = []
    for part in (colors[:split], colors[split:]):
        those = {(color, size): counts[color, size] for color in part for size in Size if counts[color, size]}
        there = np.concatenate([beside[:, :2], *(piece.vertices[:, :2] for piece in pieces)])
        pieces += laid_beside(heap(those, role, rng), there, rng)
    return pieces


def laid_beside(pieces: Sequence[Standing], there: Array, rng: Rng) -> list[Standing]:
    """The pieces, turned by some angle, at a side of the (N, 2) points *there*: a straight line keeps them apart."""
    if not pieces:
        return []
    straight = float(rng.choice((0, 90, 180, 270))) + float(rng.normal(0, 12))
    turn = straight if rng.random() < 0.6 else float(rng.uniform(0, 360))
    turned = [moved(piece, turn) for piece in pieces]
    corners = np.concatenate([piece.vertices[:, :2] for piece in turned])
    side = float(rng.choice((0.0, math.pi / 2, math.pi, -math.pi / 2), p=(0.36, 0.14, 0.36, 0.14)))
    side += float(rng.uniform(-0.5, 0.5))
    out, along = np.array([math.cos(side), math.sin(side)]), np.array([-math.sin(side), math.cos(side)])
    there = there if len(there) else np.zeros((1, 2))
    away = (there @ out).max() - (corners @ out).min() + float(rng.choice((6.0, 18.0, 45.0))) * rng.uniform(0.7, 1.5)
    low, high = (there @ along).min(), (there @ along).max()
    slip = rng.uniform(low, high) * 0.8 + 0.2 * (low + high) / 2 - (corners @ along).mean()
    x, y = (away * out + slip * along).tolist()
    return [moved(piece, 0.0, (x, y)) for piece in turned]


def strewn(kinds: Sequence[AnyKind], among: Sequence[Standing], rng: Rng) -> list[Standing]:
    """Loose pieces dropped here and there between the others, wherever there is room."""
    everything = np.concatenate([piece.vertices[:, :2] for piece in among] or [np.zeros((1, 2))])
    low, high = everything.min(0) - 60, everything.max(0) + 60
    pieces: list[Standing] = []
    for color, size in kinds:
        for _ in range(30):
            x, y = rng.uniform(low, high).tolist()
            posture = Posture.UPRIGHT if rng.random() < 0.5 else Posture.LYING
            piece = stood(Pose(size, posture, x, y, float(rng.uniform(0, 360))), color, Role.LOOSE)
            if all(apart(piece.vertices[:, :2], other.vertices[:, :2], 1.0) for other in (*among, *pieces)):
                pieces.append(piece)
                break
    return pieces


def _unmixed(pieces: Sequence[Standing]) -> list[Standing]:
    """The same pieces, each of which runs into one before it moved along x until it does not."""
    free: list[Standing] = []
    for piece in pieces:
        there = piece
        while not all(apart(there.vertices[:, :2], other.vertices[:, :2], 0.2) for other in free):
            there = moved(there, 0.0, (1.5, 0.0))
        free.append(there)
    return free
