"""Random and laid out tables in pictures, readings of them that err, and cameras that are bumped."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion_app.derivation import with_pieces
from companion_app.live.laying import Laid, Layer
from companion_app.live.virtual_games import terms_of
from companion_app.live.virtual_mistakes import content_of
from companion_app.live.virtual_players import take_turn
from companion_app.notation import parse_position
from companion_app.photos import Photo
from companion_app.reading_types import Game, ReadAlternative, Reading, ReadPiece
from companion_app.remembering import Memory, agreed
from companion_app.session.opening import position_of
from vision import virtual
from vision.sight import Role, Seat
from vision.solids import Color, Size

VIEWS = {
    Game.HOMEWORLDS: virtual.View(width=1280, height=960),
    Game.SETTLERS: virtual.View(width=640, height=480),
}
"""In which even the smallest piece of the table is large enough to be compared."""
LIKE = {Color.RED: Color.YELLOW, Color.YELLOW: Color.RED, Color.GREEN: Color.BLUE, Color.BLUE: Color.GREEN}
OTHER = {None: None, Seat.SOUTH: Seat.NORTH, Seat.NORTH: Seat.SOUTH}
BOTH = pytest.mark.parametrize("game", list(Game))
LINES = {
    Game.HOMEWORLDS: "<0>; South(0,r2b1)g3y1-; North(1,y1b3)-g3r1; Sirius(r3)b2-y3g1; Vega(g2)y1b1-r1",
    Game.SETTLERS: "6/1r3y13/2g1B12/2Y2b1R11/1g24/6 S 0",
}
"""Tables on which no two systems are alike."""


@cache
def laid_game(game: Game, seed: int, first: int = 11) -> tuple[Laid, ...]:
    """Seven positions of a random game on one table, from its twelfth on or another one."""
    layer, dice, played = Layer(game, seed, VIEWS[game]), random.Random(seed), terms_of(game).new_game()
    positions = [played.position]
    while len(positions) < first + 7:
        take_turn(played, dice)
        positions.append(played.position)
    return tuple(layer.lay(position) for position in positions[first:])


@cache
def laid_table(game: Game) -> Laid:
    return Layer(game, 1, VIEWS[game]).lay(parse_position(LINES[game]))


def shot(picture: Photo, seed: int) -> Photo:
    """The picture as a camera takes it: in its own light, and with noise."""
    rng = np.random.default_rng(seed)
    lit = picture * rng.uniform(0.93, 1.07) + rng.normal(0, 3, picture.shape)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def memory_of(laid: Laid) -> Memory:
    return Memory(shot(laid.picture, 1), agreed(laid.reading, laid.position))


def read_as(reading: Reading, pieces: Sequence[ReadPiece]) -> Reading:
    """The reading with other pieces; its systems are numbered from the other end."""
    above = len(reading.systems) + 1
    homes = {above - system.id: system.home for system in reading.systems}
    numbered = [replace(one, system=above - one.system) if one.system else one for one in pieces]
    return with_pieces(reading, numbered, homes, redless=False)


def lying(piece: ReadPiece) -> ReadPiece:
    """The piece without the number of its system."""
    return replace(piece, system=None)


def gone(before: Laid, after: Laid) -> list[ReadPiece]:
    """The pieces of the table that do not stand any more as they did."""
    there = set(map(lying, after.reading.pieces))
    return [piece for piece in before.reading.pieces if piece.on_table and lying(piece) not in there]


def stood(before: Laid, after: Laid) -> list[ReadPiece]:
    """Those that have not moved, as they are read afterwards."""
    come = gone(after, before)
    return [piece for piece in after.reading.pieces if piece.on_table and piece not in come]


def left_alone(before: Laid, after: Laid, error: str = "missed") -> list[ReadPiece]:
    """Those of them beside which nothing came or went either, nor where something is read by *error*."""
    changed = np.asarray(cv2.absdiff(before.picture, after.picture)).max(axis=2) > 6

    def is_clear(piece: ReadPiece) -> bool:
        mask = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(np.array(piece.outline)).astype(np.int32), 1)
        return not changed[np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8))) > 0].any()

    return [piece for piece in stood(before, after) if all(map(is_clear, [piece, *ERRORS[error](piece)]))]


def content(reading: Reading) -> object:
    """What stands on the table, whatever the systems are called."""
    position = position_of(reading.position)
    assert position, reading.position
    return content_of(position)


def on_table(pieces: Sequence[ReadPiece]) -> Counter[tuple[object, ...]]:
    """What stands where, by the numbers of the systems."""
    return Counter((one.code, one.role, one.owner, one.system, one.field) for one in pieces if one.on_table)


# How a reader errs


def next_size(size: Size) -> Size:
    return Size(int(size) % 3 + 1)


def doubted(piece: ReadPiece) -> ReadPiece:
    """The piece read with another size, which is not sure."""
    right = ReadAlternative(piece.color, piece.size, piece.posture, piece.owner, 0.3)
    return replace(piece, size=next_size(piece.size), confidence=0.4, alternatives=(right,))


def ghost(piece: ReadPiece) -> ReadPiece:
    """Another like it, half over it."""
    across, down = np.ptp(piece.outline, axis=0) / 2
    center, *outline = ((x + across, y + down) for x, y in (piece.center, *piece.outline))
    return replace(piece, center=center, tip=center, outline=tuple(outline), field=None)


ERRORS: Mapping[str, Callable[[ReadPiece], list[ReadPiece]]] = {
    "of another colour": lambda piece: [replace(piece, color=LIKE[piece.color])],
    "of another size": lambda piece: [replace(piece, size=next_size(piece.size))],
    "loose": lambda piece: [replace(piece, role=Role.LOOSE, owner=None, system=None, field=None)],
    "missed": lambda _: [],
    "a ghost": lambda piece: [piece, ghost(piece)],
    "twice": lambda piece: [piece, piece],
}


def misread(laid: Laid, which: Sequence[ReadPiece], error: str) -> Reading:
    pieces = [read for piece in laid.reading.pieces for read in (ERRORS[error](piece) if piece in which else [piece])]
    return read_as(laid.reading, pieces)


Bump = tuple[float, float, float]
"""To the right and down, as shares of the picture's width, and degrees."""
BUMPS: list[Bump] = [(0.02, -0.015, 1.0), (-0.03, 0.02, -1.0), (0.01, 0.025, 0.4)]


def seen_from(bump: Bump, laid: Laid) -> Laid:
    """The table after a bump of the camera."""
    height, width = laid.picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), bump[2], 1.0)
    matrix += np.array([(0, 0, width * share) for share in bump[:2]])
    picture = cv2.warpAffine(laid.picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)

    def moved(piece: ReadPiece) -> ReadPiece:
        points = np.array([piece.center, piece.tip, *piece.outline]) @ matrix[:, :2].T + matrix[:, 2]
        center, tip, *outline = ((float(x), float(y)) for x, y in points)
        return replace(piece, center=center, tip=tip, outline=tuple(outline))

    reading = replace(laid.reading, pieces=tuple(map(moved, laid.reading.pieces)))
    return replace(laid, reading=reading, picture=np.asarray(picture, np.uint8))
