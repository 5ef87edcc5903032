"""Colours are told together: what is surely red shows how red looks in the light of this picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.fusing.one_light import SURE, USUAL, deep_shade_of, hues, shade_of, suited
from vision.solids import Array

LIGHTS = st.tuples(st.floats(-1.2, 1.2), st.floats(-1.2, 1.2))


def sure_of(colors: list[int], chance: float = 0.97) -> Array:
    rows = np.full((len(colors), 4), (1 - chance) / 3)
    rows[np.arange(len(colors)), colors] = chance
    return rows


@given(LIGHTS, st.integers(0, 3), st.integers(0, 99))
def test_what_nobody_is_sure_of_is_told_by_the_others(light: tuple[float, float], color: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    others = [0, 1, 2, 3] * 3
    shades = USUAL[[*others, color]] + light + rng.normal(0, 0.15, (len(others) + 1, 2))
    chances = np.concatenate([sure_of(others), [[0.25] * 4]])
    together = suited(shades, chances)
    assert together[-1].argmax() == color
    assert (together[:-1].argmax(1) == others).all()
    np.testing.assert_allclose(together.sum(1), 1)


def test_a_mistake_is_outvoted_and_what_agrees_becomes_surer() -> None:
    """A yellow lamp shifts all alike: the green that the eyes take for yellow is green."""
    lamp = np.array([0.7, -0.9])
    colors = [0, 0, 1, 1, 2, 2, 3, 3, 2]
    chances = sure_of(colors, 0.9)
    chances[-1] = [0.02, 0.5, 0.46, 0.02]
    together = suited(USUAL[colors] + lamp, chances)
    assert together[-1].argmax() == 2
    assert (together[np.arange(8), colors[:8]] > 0.9).all()


def test_who_shows_no_colour_stays_as_the_eyes_told_it() -> None:
    chances = sure_of([0, 1, 2], 0.7)
    shades = np.vstack([USUAL[:2], [np.nan, np.nan]])
    np.testing.assert_allclose(suited(shades, chances)[2], chances[2])


def test_nobody_is_asked_about_nothing() -> None:
    assert suited(np.zeros((0, 2)), np.zeros((0, 4))).shape == (0, 4)
    assert hues(np.zeros((9, 9, 3), np.uint8), []).shape == (0, 2)


def test_who_speaks_is_sure() -> None:
    """Guesses do not bear each other out: with nobody sure the usual light is taken."""
    chances = sure_of([0, 0, 0], SURE - 0.05)
    alone = suited(USUAL[[0]], chances[:1])
    np.testing.assert_allclose(suited(USUAL[[0, 2, 2]], chances)[0], alone[0])


def square(x: float, y: float, side: float) -> Array:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])


def test_colours_are_taken_where_nothing_else_covers_a_piece() -> None:
    image = np.full((200, 300, 3), 90, np.uint8)
    image[20:80, 20:80] = (30, 40, 200)
    image[20:80, 60:120] = (200, 60, 40)  # over a part of the first one
    shades = hues(image, [square(20, 20, 60), square(60, 20, 60), square(250, 150, 5)])
    red_over_green, blue_over_green = shades[0]
    assert red_over_green > 2
    assert abs(blue_over_green) < 1
    assert shades[1, 1] > 2
    assert np.isnan(shades[2]).all() or np.abs(shades[2]).max() < 0.1


@given(st.integers(0, 70), st.integers(0, 99))
def test_a_lamp_mirrored_in_a_face_does_not_bleach_it(mirrored: int, seed: int) -> None:
    """Of a hundred pixels of red plastic up to seventy are half white; those that are not tell its colour."""
    rng = np.random.default_rng(seed)
    plastic = np.clip(np.array([40.0, 45.0, 190.0]) + rng.normal(0, 2, (100, 3)), 0, 255)
    shining = plastic.copy()
    shining[:mirrored] = (plastic[:mirrored] + 240) / 2
    deep = deep_shade_of(shining.astype(np.uint8))
    np.testing.assert_allclose(deep, deep_shade_of(plastic.astype(np.uint8)), atol=0.2)
    if mirrored >= 50:
        assert deep[0] > shade_of(shining.astype(np.uint8))[0] + 0.5


@pytest.mark.parametrize("count", [1, 3, 12, 400])
def test_few_pixels_tell_a_shade_and_black_ones_none(count: int) -> None:
    assert np.abs(deep_shade_of(np.zeros((count, 3), np.uint8))).max() < 1e-9
    assert np.isfinite(deep_shade_of(np.full((count, 3), (3, 90, 255), np.uint8))).all()


@pytest.mark.parametrize("where", [(-500.0, 10.0), (10.0, 900.0), (299.0, 199.0)])
def test_pieces_beyond_the_picture_show_nothing(where: tuple[float, float]) -> None:
    shades = hues(np.full((200, 300, 3), 90, np.uint8), [square(*where, 40.0)])
    assert shades.shape == (1, 2)
    assert np.isnan(shades).all()


@given(st.floats(0.2, 1.0))
def test_a_darker_room_changes_no_shade(dimmed: float) -> None:
    picture = np.zeros((80, 80, 3), np.uint8)
    cv2.rectangle(picture, (10, 10), (70, 70), (60, 90, 220), -1)
    outline = [square(10, 10, 60)]
    bright, dark = hues(picture, outline), hues((picture * dimmed ** (1 / 2.2)).astype(np.uint8), outline)
    np.testing.assert_allclose(dark, bright, atol=0.35)
