"""The sketch on a simulated board: bytes at its port, levels and pulses at its pins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from board import Board, MakeBoard
from light_tables import Exchange, Look, exchanges, line, looks
from serial import Serial

pytest_plugins = ["board_fixtures"]

FAST = 5  # times as fast as a real board, where a rhythm takes its time


@pytest.fixture
def port(board: Board) -> Iterator[Serial]:
    """The serial port of the board."""
    with Serial(board.port, 115200, timeout=10, exclusive=True) as port:
        yield port


def read_payload(port: Serial) -> str:
    """The payload of the next line, whose checksum is right."""
    raw = port.read_until(b"\n")
    payload = raw.decode("ascii").rpartition("*")[0]
    assert raw == line(payload)
    return payload


def ask(port: Serial, payload: str) -> str:
    """Sends a payload and returns that of the next line."""
    port.write(line(payload))
    return read_payload(port)


def said_events(board: Board) -> list[tuple[int, list[str]]]:
    """When the board sent which button event: its boot, number and seat."""
    return [(at_us, said.partition("*")[0].split(" ")[1:]) for at_us, said in board.said if said.startswith("button")]


def test_hello(port: Serial, board: Board) -> None:
    word, version, boot, lights, buttons, name = ask(port, "?").split(" ")
    assert (word, version, lights, buttons, name) == ("hello", "1", "2", "2", "pyramids-light")
    assert 0 <= int(boot) <= 65535
    assert board.said[0][1] == board.said[-1][1], "it is also said at the start"


def test_lines(port: Serial) -> None:
    wrong = []
    for each in exchanges():
        replies = replies_to(port, each)
        if replies != each.replies:
            wrong.append((each, replies))
    assert wrong == []


def replies_to(port: Serial, each: Exchange) -> list[str]:
    """The replies, read as many as there should be, and all that come before the board is done."""
    port.write(each.sent + line("set 4242 off - 0"))
    replies = []
    while (payload := read_payload(port)) != "ok 4242":
        replies.append("hello" if payload.startswith("hello") else payload)
    return replies


@pytest.mark.parametrize(("fields", "expected"), looks().items())
def test_patterns(make_board: MakeBoard, fields: str, expected: list[Look]) -> None:
    board = make_board(FAST)
    with Serial(board.port, 115200, timeout=10) as port:
        assert ask(port, f"set 1 {fields}") == "ok 1"
        began_us = board_said(board, "ok 1")
        for n in range(2, 2 + expected[-1].ms // 1000):  # as a host does, which changes nothing
            board.run_ms(1000)
            port.write(line(f"set {n} {fields}"))
        board.run_ms(expected[-1].ms % 1000 + 150)
    for look in expected:
        at_us = began_us + look.ms * 1000
        assert near(board.leds(at_us), look.plain), look
        assert near(channels(board.colors(at_us)), channels(look.colors)), look


def board_said(board: Board, payload: str) -> int:
    """When the board sent this payload, first waiting for it."""
    wanted = line(payload).decode().strip()
    board.until(lambda: any(said == wanted for _, said in board.said), payload)
    return next(at_us for at_us, said in board.said if said == wanted)


def channels(colors: tuple[str, str]) -> tuple[int, ...]:
    """Both colours as six numbers."""
    return tuple(bytes.fromhex("".join(colors)))


def near(seen: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether these levels are those of the same moment, give or take 8 ms of a fade."""
    return all(abs(one - other) <= 4 for one, other in zip(seen, wanted, strict=True))


def test_the_same_state_again_changes_nothing(port: Serial, board: Board) -> None:
    ask(port, "set 1 turn 0 200")
    board.run_ms(20)
    noticed = len(board.noticed)
    lights = (" led ", " pixels ")
    for n in range(50):
        assert ask(port, f"set {n} turn 0 200") == f"ok {n}"
    board.run_ms(20)
    assert [line for _, line in board.noticed[noticed:] if any(word in line for word in lights)] == []


def test_another_level_does_not_disturb_the_rhythm(make_board: MakeBoard) -> None:
    board = make_board(FAST)
    with Serial(board.port, 115200, timeout=10) as port:
        ask(port, "set 1 disagree - 200")
        began_us = board_said(board, "ok 1")
        board.run_ms(300)
        ask(port, "set 2 disagree - 100")
        board.run_ms(1000)
    assert [board.leds(began_us + ms * 1000) for ms in (250, 450, 550, 950, 1050)] == [
        (200, 0),
        (100, 0),
        (0, 100),
        (0, 100),
        (100, 0),
    ]


def test_garbage_of_any_length_is_survived(port: Serial, board: Board) -> None:
    noise = bytes((7 * i * i + 13 * i) % 256 for i in range(3000)).replace(b"\n", b"!").replace(b"?", b"!")
    port.write(noise)
    assert ask(port, "set 1 turn 1 200") == "no long", "the noise is its beginning"
    assert ask(port, "set 1 turn 1 90") == "ok 1"
    board.run_ms(20)
    assert board.leds() == (0, 90)
    assert board.colors() == ("000000", "00465A")


def test_a_line_in_pieces(port: Serial, board: Board) -> None:
    for byte in line("set 77 turn 0 255"):
        port.write(bytes([byte]))
        board.run_ms(5)
    assert read_payload(port) == "ok 77"


def test_many_lines_at_once(port: Serial) -> None:
    """Two hundred changes as fast as the line carries them: none is lost while the pixels are written."""
    for start in range(0, 200, 4):
        numbers = range(start, start + 4)
        port.write(b"".join(line(f"set {n} turn {n % 2} {n % 200 + 1}") for n in numbers))
        assert [read_payload(port) for _ in numbers] == [f"ok {n}" for n in numbers]


def test_no_host(make_board: MakeBoard) -> None:
    board = make_board(FAST)
    with Serial(board.port, 115200, timeout=10) as port:
        board.run_ms(5200)
        assert flashes(board) == [(5000, ("400000", "400000"))], "dark until 5 s after the start, then low red"
        ask(port, "set 1 turn 0 100")
        spoken_us = board_said(board, "ok 1")
        board.run_ms(4000)
        port.write(b"set 2 off - 0*0000\n")  # not a good line
        board.run_ms(900)
        assert board.leds() == (100, 0)
        board.run_ms(300)
        port.write(line("?"))  # a host, but without a state to show
        board.run_ms(3000)
    reds = [at_ms - spoken_us // 1000 for at_ms, colors in flashes(board)[1:] if colors == ("640000", "640000")]
    assert [round(red, -2) for red in reds] == [5000, 8000]
    assert board.leds(spoken_us + 5_100_000) == (0, 0)


def flashes(board: Board) -> list[tuple[int, tuple[str, str]]]:
    """When both coloured lights came up alike, in full ms, and how."""
    shown = [line.split(" ") for _, line in board.noticed if " pixels " in line]
    return [(int(at) // 1000 // 10 * 10, (one, two)) for at, _, one, two in shown if one == two != "000000"]


def test_a_press_is_one_event_until_it_is_acknowledged(port: Serial, board: Board) -> None:
    boot = ask(port, "?").split(" ")[2]
    board.press(1)
    board.run_ms(600)
    copies = said_events(board)
    assert [fields for _, fields in copies] == [[boot, "1", "1"]] * 3
    gaps = [later - earlier for (earlier, _), (later, _) in pairwise(copies)]
    assert all(abs(gap - 250_000) < 5_000 for gap in gaps)
    for _ in copies:
        assert read_payload(port) == f"button {boot} 1 1"
    assert ask(port, f"ack {boot} 1") == "ok ack"
    board.run_ms(20)
    said = len(board.said)
    board.run_ms(600)
    assert len(board.said) == said


def test_an_acknowledgement_of_something_else_is_none(port: Serial, board: Board) -> None:
    boot = int(ask(port, "?").split(" ")[2])
    board.press(0)
    assert read_payload(port) == f"button {boot} 1 0"
    for wrong in (f"ack {boot} 2", f"ack {boot} 0", f"ack {(boot + 1) % 65536} 1"):
        port.write(line(wrong))
    board.run_ms(300)
    said = [read_payload(port) for _ in range(4)]
    assert sorted(said) == [f"button {boot} 1 0", "ok ack", "ok ack", "ok ack"]


def test_events_queue_up_eight_at_most(port: Serial, board: Board) -> None:
    boot = ask(port, "?").split(" ")[2]
    for seat in (0, 1, 1, 0, 1, 0, 0, 1, 1, 1):
        board.press(seat, hold_ms=30)
        board.run_ms(30)
    port.reset_input_buffer()
    taken: dict[int, str] = {}
    while len(taken) < 8:
        _, from_boot, event, pressed = read_payload(port).split(" ")
        assert from_boot == boot
        taken[int(event)] = pressed
        port.write(line(f"ack {boot} {event}"))
        while read_payload(port) != "ok ack":
            pass
    board.run_ms(600)
    assert taken == dict(enumerate("01101001", start=1))
    events = said_events(board)
    board.press(0)
    board.run_ms(50)
    assert [fields for _, fields in said_events(board)[len(events) :]] == [[boot, "9", "0"]], "the two were not felt"


@pytest.mark.parametrize("seat", [0, 1])
def test_bouncing_is_not_pressing(board: Board, seat: int) -> None:
    board.bounce(seat)
    board.run_ms(60)
    assert said_events(board) == []
    board.bounce(seat)
    board.press(seat, hold_ms=200)
    board.bounce(seat)
    board.run_ms(100)
    assert {fields[1] for _, fields in said_events(board)} == {"1"}


def test_a_press_blinks_its_own_light(port: Serial, board: Board) -> None:
    ask(port, "set 1 turn 0 120")
    board.press(0)
    board.run_ms(200)
    felt_us = said_events(board)[0][0]
    looks = [(board.leds(felt_us + ms * 1000), board.colors(felt_us + ms * 1000)) for ms in (30, 110, 190)]
    assert looks == [
        ((0, 0), ("000000", "000000")),
        ((120, 0), ("787878", "000000")),
        ((120, 0), ("784600", "000000")),
    ]


def test_a_restart_is_another_boot(make_board: MakeBoard) -> None:
    board = make_board()
    board.press(0)
    board.hold(1)
    board.restart()
    board.until(lambda: board.said[-1][1].startswith("hello"), "it starts again")
    board.run_ms(100)
    assert said_events(board)[-1][1][1:] == ["1", "0"], (
        "the queue is empty, and a button held at the start is nothing"
    )
    board.release(1)
    board.close()
    again = make_board()
    hellos = [said for _, said in board.said + again.said if said.startswith("hello")]
    assert len(hellos) == len(set(hellos)) == 3


def test_nothing_is_kept_for_who_is_not_there(board: Board) -> None:
    with Serial(board.port, 115200, timeout=10) as port:
        ask(port, "set 1 turn 1 50")
    board.press(0)
    board.run_ms(300)
    board.unplug()
    board.run_ms(50)
    board.plug()
    with Serial(board.port, 115200, timeout=10) as port:
        port.write(line("?"))
        assert {read_payload(port).split(" ")[0] for _ in range(2)} == {"hello", "button"}
        assert board.leds() == (0, 50)


def test_another_baud_rate_is_garbage(board: Board) -> None:
    with Serial(board.port, 9600, timeout=0.3) as port:
        port.write(line("?"))
        assert b"hello" not in port.read(100)
