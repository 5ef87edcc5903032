"""Photos that are put into a folder or handed over one by one."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from camera_fakes import PATIENCE_S, eventually, picture, until

from companion_app.cameras import Camera, CameraError, Condition, source_at
from companion_app.cameras.folder import PhotoFolder
from companion_app.cameras.looking import table_states
from companion_app.cameras.uploads import Uploads
from companion_app.cameras.watching import Still
from companion_app.photos import BadPhoto


def put(folder: Path, name: str, gray: int, age_s: float = 0.0) -> Path:
    """A photo, its time of change *age_s* before a fixed time."""
    path = folder / name
    cv2.imwrite(str(path), np.full((64, 80, 3), gray, np.uint8))
    stamp = 1_700_000_000 - age_s
    os.utime(path, (stamp, stamp))
    return path


def test_the_newest_photo_is_given_once_whatever_its_name(tmp_path: Path) -> None:
    put(tmp_path, "z.png", 10, age_s=100)
    put(tmp_path, "a.png", 200, age_s=50)
    (tmp_path / "notes.txt").write_text("no photo")
    source = PhotoFolder(tmp_path)
    source.open()
    given = [source.read() for _ in range(4)]
    assert [photo if photo is None else int(photo[0, 0, 0]) for photo in given] == [None, 200, None, None]


def test_a_photo_that_still_grows_is_not_opened(tmp_path: Path) -> None:
    path = put(tmp_path, "table.png", 90)
    whole = path.read_bytes()
    source = PhotoFolder(tmp_path)
    for length in (20, 40, 60):
        path.write_bytes(whole[:length])
        assert source.read() is None
    path.write_bytes(whole)
    assert source.read() is None
    photo = source.read()
    assert photo is not None
    assert int(photo[0, 0, 0]) == 90


def test_a_damaged_photo_is_refused_once_and_the_next_one_taken(tmp_path: Path) -> None:
    path = put(tmp_path, "cut.png", 90, age_s=50)
    path.write_bytes(path.read_bytes()[:100])
    os.utime(path, (1_600_000_000, 1_600_000_000))
    source = PhotoFolder(tmp_path)
    source.read()
    with pytest.raises(BadPhoto, match=r"cut\.png is damaged or cut off"):
        source.read()
    assert source.read() is None
    put(tmp_path, "whole.png", 30)
    source.read()
    assert source.read() is not None


def test_a_folder_that_goes_is_told(tmp_path: Path) -> None:
    source = PhotoFolder(tmp_path / "gone")
    with pytest.raises(CameraError) as caught:
        source.read()
    assert caught.value.code == "folder_unreadable"


def test_an_upload_is_given_to_whoever_waits() -> None:
    uploads = Uploads()
    with Camera(uploads) as camera:
        until(camera, Condition.WAITING)
        uploads.put(picture(3))
        frame = camera.wait(0, PATIENCE_S)
        assert frame is not None
        assert (frame.image == 3).all()
        uploads.put(picture(3))
        again = camera.wait(frame.number, PATIENCE_S)
        assert again is not None, "the same photo once more is a new photo: somebody sent it on purpose"


def test_the_last_of_several_uploads_counts() -> None:
    uploads = Uploads()
    for number in (1, 2, 3):
        uploads.put(picture(number))
    photo = uploads.read()
    assert photo is not None
    assert (photo == 3).all()
    assert uploads.read() is None


def test_each_photo_shows_the_table_at_rest_from_a_place_of_its_own() -> None:
    uploads = Uploads()
    with Camera(uploads) as camera:
        states = table_states(camera)
        uploads.put(picture(1))
        first = next(states)
        uploads.put(picture(2))
        second = next(states)
    assert isinstance(first, Still)
    assert isinstance(second, Still)
    assert (first.picture == 1).all()
    assert (second.picture == 2).all()
    assert first.view != second.view
    eventually(lambda: list(states), lambda rest: rest == [])


def test_a_file_among_addresses_is_no_folder(tmp_path: Path) -> None:
    path = put(tmp_path, "one.png", 1)
    with Camera(source_at(f"folder:{path}")) as camera:
        assert until(camera, Condition.MISSING).code == "folder_unreadable"
