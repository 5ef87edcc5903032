"""From a photo to a reading: joins what vision sees with what the rules say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from companion_app.derivation import Homes, with_pieces
from companion_app.errors import AppError
from companion_app.json_fields import BadReading
from companion_app.photos import Photo
from companion_app.reading_types import (
    Ask,
    Game,
    Inventory,
    Point,
    Question,
    ReadAlternative,
    Reading,
    ReadPiece,
    ReadSystem,
    Verdict,
)
from rules import full_set
from vision.sight import ImageSide, SeenPiece, SeenSystem, Sight
from vision.solids import Color, Size

if TYPE_CHECKING:
    from vision.eyes import Eyes

__all__ = [
    "Ask",
    "BadReading",
    "Game",
    "Inventory",
    "Question",
    "ReadAlternative",
    "ReadPiece",
    "ReadSystem",
    "Reading",
    "Verdict",
    "corrected",
    "read_photo",
    "reading_of",
    "see_photo",
    "use_threads",
]

Corners = Sequence[tuple[float, float]]
"""Pixels of the outer corners of the fields a1, f1, f6, a6."""


def read_photo(
    image: Photo,
    game: Game | str,
    south: ImageSide | str = ImageSide.BOTTOM,
    *,
    redless: bool = False,
    corners: Corners | None = None,
    lens: float | None = None,
) -> Reading:
    """What is on the table in *image*, (H, W, 3) BGR, upright, with South at the image's side *south*.

    *lens* is the focal length as a share of the picture's diagonal, where it is known; a board tells it without.
    A table that cannot be read gives a reading with the verdict "unreadable" and the reason as its question.
    """
    sight = see_photo(image, game, south, redless=redless, corners=corners, lens=lens)
    return reading_of(sight, game, redless=redless)


def see_photo(
    image: Photo,
    game: Game | str,
    south: ImageSide | str = ImageSide.BOTTOM,
    *,
    redless: bool = False,
    corners: Corners | None = None,
    lens: float | None = None,
) -> Sight:
    """What vision sees in *image*, with the seconds of each stage; arguments as for ``read_photo``.

    Raises ``AppError`` ``eyes_missing`` in an installation without the trained net.
    """
    from vision.eyes import NoEyes

    by_hand = None if corners is None else _checked_corners(corners, image)
    side = ImageSide(south)
    kit = {(Color(kind.color.value), Size(kind.size)): count for kind, count in full_set(redless=redless).items()}
    try:
        if Game(game) is Game.HOMEWORLDS:
            from vision.look_systems import look_systems

            return look_systems(image, _eyes(), south=side, kit=kit, lens=lens)
        from vision.look_board import look_board

        return look_board(image, _eyes_for_boards(), south=side, kit=kit, corners=by_hand)
    except NoEyes as error:
        raise AppError(error.code, error.sentence) from error


def use_threads(threads: int) -> None:
    """Lets the eyes work on so many processor cores from now on, instead of on one."""
    for eyes in (_eyes(), _eyes_for_boards()):
        eyes.use_threads(threads)


@cache
def _eyes() -> Eyes:
    """The trained eyes, loaded once."""
    from vision.eyes import Eyes

    return Eyes()


@cache
def _eyes_for_boards() -> Eyes:
    """The same, but that one net looks at both sides of what may be a ship: on boards another is no help."""
    from vision.eyes import Eyes, Inspector

    eyes = _eyes()
    return Eyes(eyes.detector, Inspector.of_both_sides(eyes.inspector.first), eyes.pip_counter)


def reading_of(sight: Sight, game: Game | str, *, redless: bool = False) -> Reading:
    """The reading of what was seen."""
    game = Game(game)
    order = {index: number for number, index in enumerate(_homes_first(sight.systems), 1)}
    draft = Reading(
        game=game,
        image=sight.size,
        board=tuple(_point(corner) for corner in sight.board.corners) if sight.board else (),
        turn_token=sight.token,
    )
    pieces = [_piece(seen, game, order) for seen in sight.pieces]
    homes = {number: sight.systems[index].home for index, number in order.items()}
    reading = with_pieces(draft, pieces, homes, redless=redless)
    if sight.trouble is None:
        return reading
    why = Question(None, Ask.PHOTO, (), sight.trouble)
    return replace(reading, verdict=Verdict.UNREADABLE, questions=(why,))


def corrected(reading: Reading, pieces: Sequence[ReadPiece], homes: Homes | None = None) -> Reading:
    """*reading* with *pieces* in place of its own and everything that follows from them worked out again.

    A piece that is not just as it was read counts as said by a person: sure, and without alternatives. Systems stay
    whose home they were unless *homes* says otherwise, by id; a piece may name a new id to found a new system.
    """
    untouched = set(reading.pieces)
    told = [piece if piece in untouched else replace(piece, confidence=1.0, alternatives=()) for piece in pieces]
    return with_pieces(
        reading,
        told,
        {system.id: system.home for system in reading.systems} | dict(homes or {}),
        redless=reading.redless,
    )


def _homes_first(systems: Sequence[SeenSystem]) -> list[int]:
    """Indices of the systems, South's home and North's before all others."""
    rank: Mapping[str | None, int] = {"south": 0, "north": 1, None: 2}
    return sorted(range(len(systems)), key=lambda index: rank[systems[index].home])


def _piece(seen: SeenPiece, game: Game, order: Mapping[int, int]) -> ReadPiece:
    return ReadPiece(
        color=seen.color,
        size=seen.size,
        posture=seen.posture,
        role=seen.role,
        owner=seen.owner,
        system=order.get(seen.system) if game is Game.HOMEWORLDS and seen.system is not None else None,
        field="abcdef"[seen.cell[0]] + str(seen.cell[1] + 1) if seen.cell else None,
        center=_point(seen.center),
        tip=_point(seen.tip),
        outline=tuple(_point(point) for point in seen.outline),
        heading_deg=None if seen.heading_deg is None else round(float(seen.heading_deg), 1),
        confidence=round(float(seen.confidence), 4),
        alternatives=tuple(
            ReadAlternative(a.color, a.size, a.posture, a.owner, round(float(a.probability), 4))
            for a in seen.alternatives
        ),
    )


def _point(point: Sequence[float] | np.ndarray[tuple[int], np.dtype[np.float64]]) -> Point:
    return round(float(point[0]), 1), round(float(point[1]), 1)


def _checked_corners(corners: Corners, image: Photo) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """(4, 2) corners that can be those of a board; raises AppError."""
    points = np.array(corners, np.float64)
    around = np.roll(points, -1, axis=0) - points
    after = np.roll(around, -1, axis=0)
    turns = around[:, 0] * after[:, 1] - around[:, 1] * after[:, 0]
    height, width = image.shape[:2]
    outside = (points < (-width, -height)) | (points > (2 * width, 2 * height))
    if points.shape != (4, 2) or outside.any() or not (turns < -1).all():
        raise AppError(
            "corners_wrong",
            "These four points are no board: give the outer corners of a1, f1, f6 and a6 in that order, in pixels.",
        )
    return points
