"""The bridge and the sketch together: what is shown comes out of the pins, what is pressed arrives."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from board import Board, MakeBoard
from fakes import eventually

from firmware_bridge import DeviceState, Lights, LightsError, LightState, Pattern, open_lights
from firmware_bridge.drivers import own
from firmware_bridge.patterns import Frame, lights_at
from firmware_bridge.serial_port import SerialPort

pytest_plugins = ["board_fixtures"]

pytest_plugins = ["board_fixtures"]

AMBER, CYAN, DARK = "FF9600", "00C8FF", "000000"
SOUTH, NORTH = LightState(Pattern.TURN, 0), LightState(Pattern.TURN, 1)
EDGE_S = 0.04  # how far the clocks of the two may be apart
GLIDE = 12  # what brightness may change by meanwhile, of 255


@pytest.fixture
def lights(board: Board) -> Iterator[Lights]:
    """Lights on the board, ready."""
    lights = open_lights(board.port)
    assert becomes(lights, DeviceState.READY)
    yield lights
    lights.close()


def becomes(lights: Lights, device: DeviceState) -> bool:
    return eventually(lambda: lights.device is device, 20)


def shows(board: Board, south: str, north: str) -> bool:
    return eventually(lambda: board.colors() == (south, north), 20)


def pressed(lights: Lights, patience: float) -> list[int]:
    return [event.seat for event in lights.events(patience)]


@pytest.mark.parametrize("pattern", Pattern)
def test_the_board_and_the_bridge_know_the_same_patterns(make_board: MakeBoard, pattern: Pattern) -> None:
    board = make_board(speed=4)
    lights = open_lights(board.port)
    assert becomes(lights, DeviceState.READY)
    for seat in (0, 1, None):
        state = LightState(pattern, seat, 240)
        told = len(board.said)
        lights.show(state)
        start = first_ok(board, told)
        board.run_ms(2200)
        for ms in range(50, 2100, 37):
            frames = [lights_at(state, max(0.0, ms / 1000 + shift)) for shift in (-EDGE_S, 0.0, EDGE_S)]
            colors = board.colors(start + ms * 1000)
            assert is_among(colors, frames), (ms, colors, frames)
    lights.close()


def first_ok(board: Board, told: int) -> int:
    """When the board says `ok` for the first time after so many lines, in its microseconds."""

    def oks() -> list[int]:
        return [at for at, line in board.said[told:] if line.startswith("ok")]

    board.until(lambda: bool(oks()), "a state is taken")
    return oks()[0]


def is_among(colors: tuple[str, str], frames: list[Frame]) -> bool:
    """Whether each channel of each light is one that it has about that time, or between them."""
    for light, color in enumerate(colors):
        for channel, value in enumerate(bytes.fromhex(color)):
            near = [frame[light][channel] for frame in frames]
            if not min(near) - GLIDE <= value <= max(near) + GLIDE:
                return False
    return True


def test_plain_lights_show_it_too(board: Board, lights: Lights) -> None:
    for state, levels in ((SOUTH, (255, 0)), (NORTH, (0, 255)), (LightState(Pattern.OVER, 1, 77), (0, 77))):
        lights.show(state)
        assert eventually(lambda levels=levels: board.leds() == levels)  # type: ignore[misc]


def test_many_states_and_then_the_last(board: Board, lights: Lights) -> None:
    for number in range(2000):
        lights.show(LightState(Pattern.TURN, number % 2, number % 256))
    lights.show(SOUTH)
    assert shows(board, AMBER, DARK)


def test_buttons(board: Board, lights: Lights) -> None:
    for seat in (0, 1, 1, 0):
        board.press(seat)
        board.run_ms(60)
    assert pressed(lights, 1) == [0, 1, 1, 0]


def test_a_line_that_loses_one_byte_of_a_hundred(board: Board, lights: Lights) -> None:
    board.lose(10)
    for number in range(30):
        seat = number % 2
        lights.show(LightState(Pattern.TURN, seat))
        assert shows(board, *((DARK, CYAN) if seat else (AMBER, DARK)))
        board.press(seat)
        board.run_ms(60)
    assert pressed(lights, 2) == [0, 1] * 15
    assert lights.device is DeviceState.READY


def test_unplugged_in_the_middle_of_a_line(board: Board, lights: Lights) -> None:
    ended = threading.Event()

    def play() -> None:
        while not ended.wait(0.001):
            lights.show(NORTH)
            lights.show(SOUTH)

    player = threading.Thread(target=play)
    player.start()
    for _ in range(3):
        board.unplug()
        assert becomes(lights, DeviceState.LOST)
        board.plug()
        assert becomes(lights, DeviceState.READY)
    ended.set()
    player.join()
    lights.show(NORTH)
    assert shows(board, DARK, CYAN)


def test_a_turn_that_ends_while_unplugged(board: Board, lights: Lights) -> None:
    lights.show(SOUTH)
    assert shows(board, AMBER, DARK)
    board.unplug()
    assert becomes(lights, DeviceState.LOST)
    board.press(0)
    lights.show(NORTH)
    board.plug()
    assert shows(board, DARK, CYAN)
    assert pressed(lights, 1) == [0]


def test_a_board_that_starts_anew(board: Board, lights: Lights) -> None:
    lights.show(SOUTH)
    assert shows(board, AMBER, DARK)
    board.press(1)
    assert pressed(lights, 1) == [1]  # event 1 of this start, as the next will be event 1 of its own
    told = len(board.said)
    board.restart()
    first_ok(board, told)
    assert shows(board, AMBER, DARK)
    board.run_ms(30)  # now it knows that its buttons are up
    board.press(1)
    assert pressed(lights, 1) == [1]


def test_another_board_under_the_same_name(board: Board, lights: Lights, make_board: MakeBoard) -> None:
    lights.show(NORTH)
    assert shows(board, DARK, CYAN)
    board.close()
    assert becomes(lights, DeviceState.LOST)
    assert shows(make_board(), DARK, CYAN)


def test_two_programs(board: Board, lights: Lights) -> None:
    second = open_lights(board.port)
    assert becomes(second, DeviceState.BUSY)
    lights.show(SOUTH)
    assert shows(board, AMBER, DARK)
    second.close()


def test_another_baud_rate(board: Board) -> None:
    port = SerialPort(board.port, threading.Event(), baud=9600)
    with pytest.raises(LightsError) as error:
        own.greeted(port, own.Receipts())
    port.close()
    assert error.value.code == "not_ours"
    assert "not at 115200 baud" in error.value.sentence


def test_closing_darkens_the_board(board: Board, lights: Lights) -> None:
    lights.show(SOUTH)
    assert shows(board, AMBER, DARK)
    lights.close()
    assert shows(board, DARK, DARK)
