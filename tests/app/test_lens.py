"""What a photo tells of the lens that took it, and who is told it."""

from __future__ import annotations

import math
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from camera_fakes import eventually
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from session_scripts import FROM_HOMES
from typed import pyramids

import companion_app.reading
from companion_app.cameras import Camera
from companion_app.cameras.folder import PhotoFolder
from companion_app.lens import FILM_DIAGONAL, lens_of
from companion_app.live import LiveTable, looks
from companion_app.reading_types import Game, Reading
from companion_app.session import GameLog, GameSession
from companion_app.session.ruling import by_inference

EXIF, ON_FILM, WIDTH, HEIGHT = 0x8769, 0xA405, 0xA002, 0xA003
PHONE = 26 / FILM_DIAGONAL


def photo(told: dict[int, Any] | None = None, size: tuple[int, int] = (160, 120), kind: str = "JPEG") -> bytes:
    """A grey photo in which a camera has written so much."""
    exif, stream = Image.Exif(), BytesIO()
    exif.get_ifd(EXIF).update(told or {})
    Image.new("RGB", size, "grey").save(stream, kind, exif=exif)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("told", "size", "lens"),
    [
        ({ON_FILM: 26}, (160, 120), PHONE),
        ({ON_FILM: 26}, (120, 160), PHONE),  # upright
        ({ON_FILM: 26, WIDTH: 4032, HEIGHT: 3024}, (160, 120), PHONE),  # made smaller
        ({ON_FILM: 26, WIDTH: 4032, HEIGHT: 3024}, (120, 160), PHONE),  # and turned
        ({ON_FILM: 26, WIDTH: 4032, HEIGHT: 3024}, (160, 90), None),  # cut to another shape
        ({ON_FILM: 26, WIDTH: 1600, HEIGHT: 900}, (160, 90), PHONE),
        ({ON_FILM: 26}, (120, 120), None),  # cut to a square
        ({ON_FILM: 26, WIDTH: 320, HEIGHT: 100}, (320, 100), None),  # cut to a strip, and told so
        ({ON_FILM: 26, WIDTH: 0, HEIGHT: 0}, (160, 120), None),
        ({ON_FILM: 0}, (160, 120), None),  # not known, as the standard has it
        ({ON_FILM: 4000}, (160, 120), None),
        ({}, (160, 120), None),
        (None, (160, 120), None),
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_the_lens_is_told_where_the_camera_wrote_it_down(
    told: dict[int, Any] | None, size: tuple[int, int], lens: float | None, kind: str
) -> None:
    assert lens_of(photo(told, size, kind)) == (None if lens is None else pytest.approx(lens))


def test_it_is_a_share_of_the_diagonal() -> None:
    """A lens as long as the diagonal sees 53 degrees from corner to corner."""
    lens = lens_of(photo({ON_FILM: 43}))
    assert lens is not None
    assert math.degrees(2 * math.atan(0.5 / lens)) == pytest.approx(53.4, abs=0.3)


@given(st.binary(max_size=200), st.integers(0, 400))
def test_whatever_is_written_there_does_no_harm(noise: bytes, where: int) -> None:
    data = photo({ON_FILM: 26})
    lens = lens_of(data[:where] + noise + data[where + len(noise) :])
    assert lens is None or 0 < lens < 10


def test_photos_are_read_with_the_lens_that_they_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By ``pyramids read``: each with its own."""
    told: list[float | None] = []
    see = companion_app.reading.see_photo

    def listening(image: np.ndarray[Any, Any], *args: Any, **more: Any) -> Any:
        told.append(more["lens"])
        return see(image, *args, **more)

    monkeypatch.setattr(companion_app.reading, "see_photo", listening)
    for name, what in (("a.jpg", {ON_FILM: 26}), ("b.jpg", None)):
        (tmp_path / name).write_bytes(photo(what))
    assert pyramids("read", str(tmp_path), "--game", "homeworlds").exit_code == 0
    assert told == [pytest.approx(PHONE), None]


def test_a_game_over_a_folder_of_photos_is_read_with_the_lens_of_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float | None] = []

    def read(picture: np.ndarray[Any, Any], game: Game, *_: object, **more: Any) -> Reading:
        told.append(more["lens"])
        return Reading(game, picture.shape[1::-1])

    monkeypatch.setattr(looks, "read_photo", read)
    session = GameSession.begin(GameLog(tmp_path / "log"), FROM_HOMES, by_inference)
    photos = tmp_path / "photos"
    photos.mkdir()
    with LiveTable(session, Camera(PhotoFolder(photos)), looks.Eyes(Game.HOMEWORLDS)):
        (photos / "a.jpg").write_bytes(photo({ON_FILM: 26}))
        eventually(lambda: len(told), lambda reads: reads == 1)
        (photos / "b.jpg").write_bytes(photo())
        eventually(lambda: len(told), lambda reads: reads == 2)
    assert told == [pytest.approx(PHONE), None]
