"""Lights on a board that comes and goes: shown at once, never waited for, found again, and every press once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from fakes import OtherVersion, OwnFake, PtyDevice, Stranger, eventually
from serial import Serial, SerialException

from firmware_bridge import ButtonEvent, DeviceState, Lights, LightState, Pattern, open_lights

Plugged = Callable[..., PtyDevice]
TURN_OF_SOUTH = LightState(Pattern.TURN, 0)
TURN_OF_NORTH = LightState(Pattern.TURN, 1)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[OwnFake]:
    """A board that keeps to the protocol."""
    board = OwnFake(tmp_path / "board")
    yield board
    board.end()


@pytest.fixture
def lights(board: OwnFake) -> Iterator[Lights]:
    """Lights on that board, ready."""
    lights = open_lights(board.name)
    assert becomes(lights, DeviceState.READY)
    yield lights
    lights.close()


def shows(board: OwnFake, wanted: str) -> bool:
    return eventually(lambda: board.shown == wanted)


def becomes(lights: Lights, device: DeviceState) -> bool:
    return eventually(lambda: lights.device is device)


def threads_of_lights() -> int:
    return sum(thread.name == "lights" for thread in threading.enumerate())


def pressed(lights: Lights, patience: float = 1.0) -> list[int]:
    return [event.seat for event in lights.events(patience)]


def test_a_state_is_shown_as_it_is(board: OwnFake, lights: Lights) -> None:
    for pattern in Pattern:
        for seat, word in ((0, "0"), (1, "1"), (None, "-")):
            lights.show(LightState(pattern, seat, 200))
            assert shows(board, f"{pattern} {word} 200")


def test_the_name_of_the_board_is_told(board: OwnFake, lights: Lights) -> None:
    assert lights.sentence == f"Ready: fake on {board.name}."


def test_a_state_is_sent_again_every_second(board: OwnFake, lights: Lights) -> None:
    lights.show(TURN_OF_SOUTH)
    assert eventually(lambda: board.sets.count("turn 0 255") >= 3)


def test_the_newest_of_many_states_is_shown(board: OwnFake, lights: Lights) -> None:
    for level in range(256):
        lights.show(LightState(Pattern.TURN, level % 2, level))
    assert shows(board, "turn 1 255")
    assert len(board.sets) < 256


def test_show_does_not_wait_for_a_board_that_is_stuck(board: OwnFake, lights: Lights) -> None:
    with board._guard:  # it does not even read
        for _ in range(100_000):
            lights.show(TURN_OF_SOUTH)
            lights.show(TURN_OF_NORTH)
    assert shows(board, "turn 1 255")


def test_a_press_comes_once(board: OwnFake, lights: Lights) -> None:
    board.press(0)
    board.press(1)
    board.press(1)
    assert pressed(lights) == [0, 1, 1]
    assert board.acknowledged == [(board.boot, 1), (board.boot, 2), (board.boot, 3)]


def test_every_copy_of_a_press_is_acknowledged(board: OwnFake, lights: Lights) -> None:
    for _ in range(3):
        board.say(f"button {board.boot} 1 0")
    assert pressed(lights) == [0]
    assert board.acknowledged == 3 * [(board.boot, 1)]


def test_after_a_new_start_the_events_count_anew(board: OwnFake, lights: Lights) -> None:
    board.say("button 1 1 0")
    board.say("button 2 1 0")
    assert pressed(lights) == [0, 0]


def test_a_press_from_before_an_unplugging_comes_once(board: OwnFake, lights: Lights) -> None:
    boot = board.boot
    board.say(f"button {boot} 1 0")
    assert pressed(lights) == [0]
    board.pull()
    board.plug()
    assert eventually(lambda: lights.device is DeviceState.READY and board.sets)
    board.say(f"button {boot} 1 0")
    board.say(f"button {boot} 2 1")
    assert pressed(lights) == [1]


def test_a_line_that_loses_bytes(board: OwnFake, lights: Lights) -> None:
    board.noise._loss = 0.01
    for number in range(40):
        board.press(number % 2)
        lights.show(LightState(Pattern.TURN, number % 2, number))
        assert shows(board, f"turn {number % 2} {number}")
    assert pressed(lights, 2.0) == [0, 1] * 20
    assert lights.device is DeviceState.READY


def test_half_lines_and_rubbish_do_no_harm(board: OwnFake, lights: Lights) -> None:
    board.send(b"button 7 1 0\nbutton 7 1 0*0000\n\xff\xfe\x00" + b"z" * 300 + b"\nok 1")
    board.press(1)
    assert pressed(lights) == [1]


def test_a_new_start_of_the_board_is_noticed(board: OwnFake, lights: Lights) -> None:
    lights.show(TURN_OF_NORTH)
    assert shows(board, "turn 1 255")
    time.sleep(0.05)
    board.started()
    assert shows(board, "turn 1 255")


def test_unplugged_and_plugged_in_again(board: OwnFake, lights: Lights) -> None:
    lights.show(TURN_OF_SOUTH)
    assert shows(board, "turn 0 255")
    board.pull()
    assert becomes(lights, DeviceState.LOST)
    assert "plug the board in" in lights.sentence
    lights.show(TURN_OF_NORTH)
    time.sleep(1.2)
    assert "plug the board in" in lights.sentence
    board.plug()
    assert shows(board, "turn 1 255")
    assert becomes(lights, DeviceState.READY)


def test_another_board_in_its_stead(board: OwnFake, lights: Lights) -> None:
    for _ in range(3):
        board.pull()
        board.plug()
        assert eventually(lambda: lights.device is DeviceState.READY and board.shown == "off - 255")


def test_a_board_that_falls_silent_is_asked_again(board: OwnFake, lights: Lights) -> None:
    board.mute = True
    assert becomes(lights, DeviceState.LOST)
    assert "does not answer any more" in lights.sentence
    board.mute = False
    assert becomes(lights, DeviceState.READY)


def test_a_board_that_comes_late(tmp_path: Path) -> None:
    lights = open_lights(str(tmp_path / "board"))
    lights.show(TURN_OF_NORTH)
    assert becomes(lights, DeviceState.SEARCHING)
    assert lights.sentence == f"There is no {tmp_path / 'board'}: plug the board in; it is found by itself."
    board = OwnFake(tmp_path / "board")
    assert shows(board, "turn 1 255")
    lights.close()
    board.end()


def test_two_programs_on_one_port(board: OwnFake, lights: Lights) -> None:
    second = open_lights(board.name)
    assert becomes(second, DeviceState.BUSY)
    assert second.sentence == f"Another program is using {board.name}: close it (a serial monitor, for example)."
    lights.show(TURN_OF_SOUTH)
    assert shows(board, "turn 0 255")
    lights.close()
    assert becomes(second, DeviceState.READY)
    second.close()


def test_a_program_that_reads_along(board: OwnFake, lights: Lights) -> None:
    lights.show(TURN_OF_SOUTH)
    rude = Serial(board.name, timeout=0)
    for _ in range(50):
        with suppress(SerialException):  # the lights were quicker
            rude.read(100)
        time.sleep(0.01)
    rude.close()
    lights.show(TURN_OF_NORTH)
    assert eventually(lambda: board.shown == "turn 1 255" and lights.device is DeviceState.READY)


def test_closing_darkens_and_ends_the_thread(board: OwnFake, lights: Lights) -> None:
    lights.show(TURN_OF_SOUTH)
    assert shows(board, "turn 0 255")
    time.sleep(0.05)
    reader = threading.Thread(target=lambda: list(lights.events()))
    reader.start()
    running = threads_of_lights()
    lights.close()
    reader.join(2)
    assert not reader.is_alive()
    assert shows(board, "off - 255")
    assert threads_of_lights() == running - 1
    assert lights.device is DeviceState.NONE
    lights.show(TURN_OF_NORTH)
    lights.close()
    assert list(lights.events()) == []


@pytest.mark.parametrize("kind", [OwnFake, Stranger, None])
def test_closing_while_connecting(tmp_path: Path, kind: type[PtyDevice] | None) -> None:
    device = kind(tmp_path / "board") if kind else None
    running = threads_of_lights()
    lights = open_lights(str(tmp_path / "board"))
    lights.close()
    assert threads_of_lights() == running
    if device:
        device.end()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Stranger, "says nothing that we understand: it is no light of a kind that we know, or not at 115200 baud."),
        (PtyDevice, "says nothing: it is no light of a kind that we know, or not at 115200 baud."),
        (OtherVersion, "speaks version 2 of the light protocol, and this program version 1"),
    ],
)
def test_what_is_not_ours(tmp_path: Path, kind: type[PtyDevice], words: str) -> None:
    device = kind(tmp_path / "board")
    lights = open_lights(device.name)
    assert lights.device is DeviceState.CONNECTING
    assert becomes(lights, DeviceState.NOT_OURS)
    assert words in lights.sentence
    lights.close()
    device.end()


@pytest.mark.parametrize("name", ["notes.txt", ".", "no\0name"])
def test_what_is_no_serial_port(tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("not a port")
    lights = open_lights(str(tmp_path / name))
    assert becomes(lights, DeviceState.NOT_OURS)
    assert "cannot be used as a serial port" in lights.sentence
    lights.close()


def test_a_port_that_is_not_permitted(board: OwnFake, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(serial: Serial) -> None:
        raise SerialException(13, f"could not open port {serial.port}: Permission denied")

    monkeypatch.setattr(Serial, "open", forbidden)
    lights = open_lights(board.name)
    assert becomes(lights, DeviceState.NOT_PERMITTED)
    assert lights.sentence == (
        f"You may not use {board.name}: add yourself to the group dialout: sudo usermod -aG dialout $USER, "
        "then log in again."
    )
    lights.close()


def test_presses_go_to_whoever_reads(board: OwnFake, lights: Lights) -> None:
    board.press(1)
    assert next(lights.events()) == ButtonEvent(1)
    assert list(lights.events(0.01)) == []
