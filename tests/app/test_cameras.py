"""A camera and its thread: what it tells while sources come, stop, freeze, refuse and hang."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from camera_fakes import PATIENCE_S, Hanging, Scripted, eventually, picture, until

from companion_app.cameras import Camera, CameraError, Condition, source_at
from companion_app.photos import BadPhoto

ADDRESSES = {
    "usb:0": "The camera usb:0",
    "usb:/dev/video7": "The camera /dev/video7",
    "/dev/video7": "The camera /dev/video7",
    "http://127.0.0.1:8080/video": "The camera at 127.0.0.1:8080",
    "https://phone.local/video": "The camera at phone.local",
    "rtsp://anna:secret@[fe80::1]:554/live": "The camera at [fe80::1]:554",
    "folder:photos of today": "The folder photos of today",
    "upload": "The slot for uploads",
    "virtual": "The virtual table",
}

NO_ADDRESSES = (
    "", "usb", "usb:", "usb:front", "usb:-1", "usb:²", "folder:", "http://", "http://:80/", "http://[::1/", "rtsp:",
    "ftp://host/video", "file:///etc/passwd", "concat:a|b", "video.mp4", "/etc/passwd",
)  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_names_its_source(address: str) -> None:
    assert source_at(address, table=lambda: picture(1)).name == ADDRESSES[address]


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_what_is_no_address_is_refused_in_one_sentence(address: str) -> None:
    with pytest.raises(CameraError) as caught:
        source_at(address)
    assert caught.value.code == "camera_address"
    assert caught.value.sentence.endswith(".")


def test_there_is_no_virtual_camera_without_a_table() -> None:
    with pytest.raises(CameraError, match="“virtual” is no camera"):
        source_at("virtual")


def test_a_camera_that_is_not_plugged_in_is_missing() -> None:
    with Camera(source_at("/dev/video-of-nobody")) as camera:
        state = until(camera, Condition.MISSING)
    assert state.code == "camera_missing"
    assert state.sentence == "The camera /dev/video-of-nobody is not there: plug it in, or name another one."


def test_a_device_that_is_no_camera_is_refused() -> None:
    with Camera(source_at("/dev/null")) as camera:
        assert until(camera, Condition.REFUSED).code == "camera_busy"


def test_pictures_are_counted_and_the_newest_is_kept() -> None:
    with Camera(Scripted(*map(picture, range(1, 6)))) as camera:
        frame = eventually(lambda: camera.frame, lambda frame: frame is not None and frame.number == 5)
        assert frame is not None
        assert (frame.image == 5).all()
        assert camera.state.condition is Condition.LIVE
        with pytest.raises(ValueError, match="read-only"):
            frame.image[0, 0] = 0


def test_whoever_waits_gets_the_next_frame_or_nothing() -> None:
    with Camera(Scripted(picture(1))) as camera:
        frame = camera.wait(0, PATIENCE_S)
        assert frame is not None
        assert frame.number == 1
        assert camera.wait(1, 0.05) is None


def test_the_same_picture_again_and_again_goes_stale_and_the_camera_is_opened_anew() -> None:
    source = Scripted(picture(1), picture(2))
    with Camera(source, stale_after=0.1, first_rest=0.02) as camera:
        state = until(camera, Condition.STALE, "camera_frozen")
        assert state.sentence.startswith("The scripted camera sends the same picture again and again")
        eventually(lambda: source.opened, lambda opened: opened >= 3)
        assert camera.frame is not None
        assert camera.frame.number == 2, "a repeated picture is no news, even after opening anew"


def test_a_driver_that_hangs_makes_the_picture_stale_and_does_not_keep_anybody_from_closing() -> None:
    source = Hanging(picture(1), picture(2))
    camera = Camera(source, stale_after=0.1)
    assert until(camera, Condition.STALE).code == "camera_stale"
    camera.close()
    assert camera.state.condition is Condition.CLOSED
    source.let_go.set()
    eventually(lambda: source.closed, lambda closed: closed == 1)


def test_a_camera_that_stops_is_lost_and_comes_back_with_higher_numbers() -> None:
    silent = CameraError("camera_silent", "It stopped.", Condition.LOST)
    gone = CameraError("camera_missing", "It is not there.")
    source = Scripted(picture(1), silent, picture(2), gone, picture(3), silent)
    with Camera(source, first_rest=0.02) as camera:
        seen = set()
        while camera.frame is None or camera.frame.number < 3:
            seen.add(camera.state.condition)
            time.sleep(0.002)
        assert Condition.LOST in seen
        assert Condition.MISSING not in seen, "what was there once is lost, not missing"
    assert source.opened == source.closed


def test_a_source_that_fails_as_nobody_expects_is_logged_once_and_opened_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken = RuntimeError("a bug")
    with Camera(Scripted(picture(1), broken, broken, broken, picture(2)), first_rest=0.02) as camera:
        assert "is opened again" in until(camera, Condition.LOST, "camera_failed").sentence
        eventually(lambda: camera.frame, lambda frame: frame is not None and frame.number == 2)
    assert caplog.text.count("RuntimeError: a bug") == 1


def test_a_camera_is_asked_again_until_it_lets_us() -> None:
    busy = CameraError("camera_busy", "Another program holds it.", Condition.REFUSED)
    with Camera(Scripted(picture(1), refusals=(busy, busy)), first_rest=0.02) as camera:
        until(camera, Condition.REFUSED, "camera_busy")
        until(camera, Condition.LIVE)


def test_photos_are_taken_one_by_one_and_never_go_stale() -> None:
    same = picture(7)
    source = Scripted(None, same, None, BadPhoto("photo_truncated", "It is cut off."), None, same, None, live=False)
    with Camera(source, stale_after=0.05) as camera:
        eventually(lambda: camera.frame, lambda frame: frame is not None and frame.number == 2)
        time.sleep(0.1)
        assert camera.state.condition is Condition.LIVE
        assert camera.state.sentence == "The scripted camera has a photo."


def test_a_photo_that_cannot_be_opened_is_told_until_another_comes() -> None:
    source = Scripted(None, BadPhoto("photo_truncated", "It is cut off."), None, live=False)
    with Camera(source) as camera:
        state = until(camera, Condition.REFUSED)
        assert (state.code, state.sentence) == ("photo_truncated", "It is cut off.")
        assert source.opened == 1


def test_a_source_without_a_photo_waits() -> None:
    with Camera(source_at("upload")) as camera:
        assert until(camera, Condition.WAITING).sentence == "The slot for uploads has no photo yet."


def test_a_closed_camera_stays_closed_and_answers_at_once() -> None:
    camera = Camera(Scripted(picture(1)))
    camera.close()
    camera.close()
    assert camera.wait(99, PATIENCE_S) is None
    assert camera.state.sentence == "The scripted camera is closed."


def test_a_missing_folder_is_told_and_found_when_it_comes(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    with Camera(source_at(f"folder:{folder}"), first_rest=0.02) as camera:
        assert until(camera, Condition.MISSING).code == "folder_unreadable"
        folder.mkdir()
        until(camera, Condition.WAITING)
