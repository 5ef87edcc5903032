"""Photos that are put into a folder or handed over one by one."""

from __future__ import annotations

import os
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from camera_fakes import PATIENCE_S, eventually, picture, until

from companion_app.cameras import Camera, CameraError, Condition, folder, source_at
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
    path.write_bytes(whole[:20])
    assert source.read() is None
    for length in (40, 60, len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(BadPhoto, match=r"table\.png is still arriving\.") as caught:
            source.read()
        assert caught.value.code == "photo_arriving"
    photo = source.read()
    assert photo is not None
    assert int(photo[0, 0, 0]) == 90


def test_a_damaged_photo_is_refused_once_and_the_next_one_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "ARRIVING_S", 0.0)
    path = put(tmp_path, "cut.png", 90, age_s=50)
    path.write_bytes(path.read_bytes()[:100])
    os.utime(path, (1_600_000_000, 1_600_000_000))
    source = PhotoFolder(tmp_path)
    source.read()
    with pytest.raises(BadPhoto, match="still arriving"):
        source.read()
    with pytest.raises(BadPhoto, match=r"cut\.png is damaged or cut off"):
        source.read()
    assert source.read() is None
    put(tmp_path, "whole.png", 30)
    source.read()
    assert source.read() is not None


def test_a_photo_whose_copy_pauses_is_still_arriving_and_given_when_it_is_whole(tmp_path: Path) -> None:
    path = put(tmp_path, "table.png", 90)
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    source = PhotoFolder(tmp_path)
    assert source.read() is None
    for _ in range(3):
        with pytest.raises(BadPhoto, match=r"table\.png is still arriving\."):
            source.read()
    path.write_bytes(whole)
    with pytest.raises(BadPhoto, match="still arriving"):
        source.read()
    assert source.read() is not None


def test_a_copy_that_is_given_up_is_no_longer_said_to_arrive(tmp_path: Path) -> None:
    put(tmp_path, "first.png", 30)
    with Camera(PhotoFolder(tmp_path)) as camera:
        until(camera, Condition.LIVE)
        path = put(tmp_path, "next.png", 90)
        path.write_bytes(path.read_bytes()[:100])
        state = until(camera, Condition.WAITING)
        assert (state.code, state.sentence) == ("photo_arriving", "next.png is still arriving.")
        path.unlink()
        until(camera, Condition.LIVE)


A_DAY = 24 * 3600


@pytest.mark.parametrize("arriving_age_s", [100 * A_DAY, 0.0, -A_DAY])
@pytest.mark.parametrize("present_age_s", [0.0, -A_DAY])
def test_what_was_not_there_before_is_new_whatever_its_date(
    tmp_path: Path, present_age_s: float, arriving_age_s: float
) -> None:
    """A photo copied with its old date; photos after one from a camera whose clock is a day fast."""
    now = time.time()
    put(tmp_path, "first.png", 10, 1_700_000_000 - now + present_age_s)
    source = PhotoFolder(tmp_path)
    assert next_tone(source) == 10
    put(tmp_path, "second.png", 200, 1_700_000_000 - now + arriving_age_s)
    assert next_tone(source) == 200
    put(tmp_path, "second.png", 150, 1_700_000_000 - now + 2 * arriving_age_s - 1)
    assert next_tone(source) == 150, "replaced: another size or date is another photo"
    assert source.read() is None


def test_of_photos_that_arrive_together_the_last_by_date_counts(tmp_path: Path) -> None:
    source = PhotoFolder(tmp_path)
    assert source.read() is None
    for gray, age_s in ((50, 30), (60, 10), (70, 20)):
        put(tmp_path, f"{gray}.png", gray, age_s)
    assert next_tone(source) == 60
    assert [source.read() for _ in range(2)] == [None, None]


def test_a_photo_that_was_seen_is_not_new_when_its_folder_comes_back(tmp_path: Path) -> None:
    share, away = tmp_path / "share", tmp_path / "away"
    share.mkdir()
    put(share, "table.png", 40)
    source = PhotoFolder(share)
    assert next_tone(source) == 40
    share.rename(away)
    with pytest.raises(CameraError):
        source.read()
    away.rename(share)
    source.open()
    assert [source.read() for _ in range(3)] == [None, None, None]


def next_tone(source: PhotoFolder) -> int:
    """The grey of the next photo that a folder gives."""
    photo = eventually(source.read, lambda photo: photo is not None)
    assert photo is not None
    return int(photo[0, 0, 0])


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
