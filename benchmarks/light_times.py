"""The lights on a simulated board: PYTHONPATH=tests/firmware python -m benchmarks.light_times

The sketch runs in simavr as fast as a real ATmega328P does, behind a pty; the bridge talks to it as it does to a real
board, and what is compared is what comes out of the pins.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from board import Board, compile_programs

from firmware_bridge import DeviceState, Lights, LightState, Pattern, open_lights
from firmware_bridge.patterns import Frame, lights_at

RESULTS = Path(__file__).parents[1] / "results"
CHANGES = 10_000
PRESSES = 300
PULLED_S = (0.3, 1, 3, 6, 12) * 3
LOST_OF_A_THOUSAND = 10
ROUNDING = 2  # a board counts brightness in whole numbers
LONGEST_S = 30.0
BRIGHT_AT_ONCE = [pattern for pattern in Pattern if pattern not in (Pattern.OFF, Pattern.JUDGING, Pattern.RESTORING)]


def main() -> None:
    """Measures, prints and writes down."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        board = Board(compile_programs(folder), folder)
        lights = open_lights(board.port)
        _wait(lambda: lights.device is DeviceState.READY)
        lines = [*_changes(board, lights), *_presses(board, lights), *_pulls(board, lights)]
        lights.close()
        board.close()
        lines.append(f"Pulses that a strip would not understand: {len(board.faults)}.")
    text = "".join(f"- {line}\n" for line in lines)
    print(text, end="")
    (RESULTS / "light_times.md").write_text(text)


def _changes(board: Board, lights: Lights) -> Iterator[str]:
    """Shows one state after the other, each as soon as the one before is seen on the pins."""
    delays_ms, wrong, before = [], 0, LightState(Pattern.OFF)
    for state in itertools.islice(_states(), CHANGES):
        first = len(board.noticed)
        lights.show(state)
        shown = time.monotonic()
        seen = _seen(board, state, first)
        if seen is None:
            break
        delays_ms.append(1000 * (seen - shown))
        wrong += sum(not _may_show(colors, before, state) for _, colors in _pixels(board, first))
        before = state
    percentiles = statistics.quantiles(delays_ms, n=100)
    yield f"{CHANGES:,} changes of state: {len(delays_ms):,} shown, {wrong} wrong colours on the pins."
    yield (
        f"From the return of `show` to the pins: median {statistics.median(delays_ms):.1f} ms, "
        f"99th percentile {percentiles[98]:.1f} ms, longest {max(delays_ms):.1f} ms."
    )


def _presses(board: Board, lights: Lights) -> Iterator[str]:
    """Presses a button, waits for its event, and at the end for events that are too many."""
    board.lose(LOST_OF_A_THOUSAND)
    right = 0
    for number in range(PRESSES):
        board.press(number % 2)
        board.run_ms(60)
        event = next(lights.events(LONGEST_S), None)
        right += event is not None and event.seat == number % 2
    extra = len(list(lights.events(2.0)))
    board.lose(0)
    yield f"{PRESSES} presses while 1 % of all bytes get lost: {right} reported, {extra} too many."


def _pulls(board: Board, lights: Lights) -> Iterator[str]:
    """Pulls the line away, wants something else to be shown, gives the line back."""
    seconds = []
    for number, pulled_s in enumerate(PULLED_S):
        board.unplug()
        state = LightState(Pattern.TURN, number % 2, 100 + number)
        lights.show(state)
        time.sleep(pulled_s)
        first = len(board.noticed)
        board.plug()
        given_back = time.monotonic()
        seen = _seen(board, state, first)
        seconds.append(float("inf") if seen is None else seen - given_back)
    yield (
        f"{len(seconds)} times the line was pulled, for {min(PULLED_S)} to {max(PULLED_S)} s: "
        f"the right state was shown {statistics.median(seconds):.2f} s (median) to {max(seconds):.2f} s "
        "after it was given back."
    )


def _states() -> Iterator[LightState]:
    """States that each look unlike the one before from their first moment."""
    for number in itertools.count():
        pattern = BRIGHT_AT_ONCE[number % len(BRIGHT_AT_ONCE)]
        yield LightState(pattern, (0, 1, None)[number % 3], 60 + number % 196)


def _seen(board: Board, state: LightState, first: int) -> float | None:
    """When the strip began to show *state*, in real time; None where it never did."""
    wanted = lights_at(state, 0)

    def times() -> list[float]:
        return [at for at, colors in _pixels(board, first) if _alike(colors, wanted)]

    try:
        board.until(lambda: bool(times()), f"{state} is shown")
    except AssertionError:
        return None
    return times()[0]


def _pixels(board: Board, first: int) -> list[tuple[float, Frame]]:
    """What was written to the strip since so many news, each with its real time."""
    news = ((at, line.split()[1:]) for at, line in board.noticed[first:])
    return [(at, (_rgb(words[1]), _rgb(words[2]))) for at, words in news if words[0] == "pixels"]


def _rgb(text: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(text)
    return red, green, blue


def _may_show(colors: Frame, *states: LightState) -> bool:
    return any(_alike(colors, frame) for state in states for frame in _looks(state))


@cache
def _looks(state: LightState) -> frozenset[Frame]:
    return frozenset(lights_at(state, step / 100) for step in range(200))


def _alike(one: Frame, other: Frame) -> bool:
    pairs = zip(itertools.chain(*one), itertools.chain(*other), strict=True)
    return all(abs(first - second) <= ROUNDING for first, second in pairs)


def _wait(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST_S
    while not happened() and time.monotonic() < end:
        time.sleep(0.01)


if __name__ == "__main__":
    main()
