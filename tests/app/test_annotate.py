"""What a reading looks like on its photo: where ink falls, and that it stays inside and readable."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion_app.annotate import annotate
from companion_app.photos import Photo
from companion_app.reading import Ask, Game, Question, Reading, ReadPiece, reading_of
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from vision.sight import Role, Seat
from vision.solids import Color, Posture, Size
from vision.virtual import View, photograph


def inked(before: Photo, after: Photo) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return np.asarray((before != after).any(axis=2))


def read_scene(game: str, width: int = 1280) -> tuple[Photo, Reading]:
    position = random_homeworlds(4) if game == "homeworlds" else random_settlers(4)
    view = View(width=width, height=width * 3 // 4)
    picture = photograph(layout_of(position), seed=4, view=view)
    return picture.image, reading_of(picture.truth, game)


@pytest.mark.parametrize("game", ["homeworlds", "settlers"])
@pytest.mark.parametrize("width", [320, 1280, 3000])
def test_every_piece_is_marked_and_the_photo_itself_left_alone(game: str, width: int) -> None:
    image, reading = read_scene(game, width)
    before = image.copy()
    after = annotate(image, reading)
    assert np.array_equal(image, before)
    assert after.shape == image.shape
    ink = inked(before, after)
    for piece in reading.pieces:
        x, y = (round(value) for value in piece.outline[0])
        around = ink[max(0, y - 3) : y + 4, max(0, x - 3) : x + 4]
        assert around.any(), piece
    assert 0.02 < ink.mean() < 0.6


def test_an_unsure_piece_is_drawn_otherwise() -> None:
    image, reading = read_scene("settlers")
    question = Question(0, Ask.SIZE, ("small", "large"), "Which size?")
    doubted = replace(reading, questions=(question,))
    changed = inked(annotate(image, reading), annotate(image, doubted))
    assert changed.any()
    left, top, width, height = cv2.boundingRect(np.array(reading.pieces[0].outline, np.float32))
    y, x = np.nonzero(changed)
    assert left - width < x.min() < x.max() < left + 2 * width
    assert top - height < y.min() < y.max() < top + 2 * height


def one_red_ship(owner: Seat | None) -> Reading:
    piece = ReadPiece(
        color=Color.RED,
        size=Size.LARGE,
        posture=Posture.LYING,
        role=Role.SHIP,
        owner=owner,
        center=(320, 240),
        tip=(320, 180),
        outline=((290, 290), (350, 290), (320, 180)),
    )
    return Reading(game=Game.SETTLERS, image=(640, 480), pieces=(piece,))


def test_the_owner_shows_without_any_colour() -> None:
    grey = np.full((480, 640, 3), 128, np.uint8)
    brightness = {}
    for owner in Seat:
        plate = annotate(grey, one_red_ship(owner))[242:256, 306:334]
        brightness[owner] = float(np.percentile(plate, 90) if owner is Seat.SOUTH else np.percentile(plate, 10))
    assert brightness == {Seat.SOUTH: 255, Seat.NORTH: 0}


def test_pieces_without_outline_or_at_the_edge_are_still_named() -> None:
    grey = np.full((480, 640, 3), 128, np.uint8)
    reading = one_red_ship(Seat.SOUTH)
    for center in ((0.0, 0.0), (640.0, 10.0), (-500.0, 9000.0)):
        by_hand = replace(reading.pieces[0], outline=(), center=center, tip=center)
        empty = replace(reading, pieces=())
        assert inked(annotate(grey, empty), annotate(grey, replace(reading, pieces=(by_hand,)))).any()
