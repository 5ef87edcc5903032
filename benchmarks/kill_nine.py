"""Kill -9 at random moments of running games: python -m benchmarks.kill_nine

A process of its own plays, and says of every command that was acknowledged which event it was and what then stood on
the table. It is killed at a random moment; the game is taken up again from its log, and everything that was said must
be there. The next process goes on where the killed one was.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import signal
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import BinaryIO

from companion_app.event_log import Event
from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind
from companion_app.notation import Position
from companion_app.reading_types import Game, Reading
from companion_app.session import GameLog, GameSession, How, State, Terms, fold
from companion_app.session.referee import Referee
from companion_app.session.terms import Options
from rules import Seat, homeworlds, settlers
from rules.records import GameKind

RESULTS = Path(__file__).parents[1] / "results" / "kill_nine.md"
KILLS = 200
LONGEST_S = 1.0
HOMES = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
TERMS = (
    Terms(GameKind.SETTLERS, (Seat.SOUTH, Seat.NORTH), settlers.Options()),
    Terms.of_position(homeworlds.Position.parse(HOMES), homeworlds.Options()),
)


@dataclass
class Tally:
    """What came of it.

    Attributes:
        acknowledged: commands that were acknowledged, and their events.
        lost: of these, how many are not in the log, or are another.
        further: kills after which the log had one event that nobody had been told of yet.
        reopened_s: how long it took to take each game up again.
    """

    kills: int = 0
    games: int = 0
    acknowledged: int = 0
    lost: int = 0
    further: int = 0
    reopened_s: list[float] = field(default_factory=list)


class AnyTurn:
    """A judge that sees some legal turn in every table."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def __call__(
        self, before: Position, options: Options, reading: Reading, earlier: Sequence[Position]
    ) -> Judgement:
        del reading, earlier
        turn: homeworlds.Turn | settlers.Turn
        if isinstance(before, homeworlds.Position):
            assert isinstance(options, homeworlds.Options)
            turn = self._random.choice(list(islice(homeworlds.legal_turns(before, options).turns(), 40)))
        else:
            assert isinstance(options, settlers.Options)
            turn = self._random.choice(list(islice(settlers.legal_turns(before, options).turns(), 100)))
        return Judgement(Certainty.CERTAIN, Explanation(Kind.LEGAL, (turn,), before, 1.0, "Seen."))


def play_on(folder: Path, game: str, seed: int, told: int) -> None:
    """Play until killed, and write a line to *told* after every command that was acknowledged."""
    random = Random(seed)
    session = GameSession(GameLog(folder), game, AnyTurn(random))
    while session.view.state is not State.OVER:
        view = session.view
        if view.entries and random.random() < 0.1:
            view = session.undo(base=view.seq)
        else:
            reading = Reading(Game(view.terms.game.value), (640, 480))
            view = session.end_turn(view.to_move, How.BUTTON, reading, photo=random.randbytes(2000), base=view.seq)
        os.write(told, json.dumps([view.seq, view.position.line]).encode() + b"\n")


def kill_often(folder: Path, kills: int, seed: int = 1, longest_s: float = LONGEST_S) -> Tally:
    """Let games be played in *folder* and kill their players *kills* times, each *longest_s* old at most."""
    random, tally, log = Random(seed), Tally(), GameLog(folder)
    session: GameSession | None = None
    while tally.kills < kills:
        if session is None or session.view.state is State.OVER:
            session = GameSession.begin(log, TERMS[tally.games % len(TERMS)], AnyTurn(random))
            tally.games += 1
        known = session.view.seq
        said = _killed(folder, session.game, random, longest_s)
        began = time.perf_counter()
        session = GameSession(log, session.game, AnyTurn(random))
        tally.reopened_s.append(time.perf_counter() - began)
        tally.kills += 1
        _compare(log.events(session.game), said, known, tally)
    return tally


def _killed(folder: Path, game: str, random: Random, longest_s: float) -> list[tuple[int, str]]:
    """What a player had said when it was killed; a line that is cut off was not said."""
    hears, tells = os.pipe()
    player = multiprocessing.get_context("fork").Process(
        target=play_on, args=(folder, game, random.getrandbits(32), tells)
    )
    player.start()
    os.close(tells)
    with closing(os.fdopen(hears, "rb")) as heard:
        time.sleep(random.uniform(0, longest_s))
        if player.pid is not None:
            os.kill(player.pid, signal.SIGKILL)
        player.join()
        return _lines(heard)


def _lines(heard: BinaryIO) -> list[tuple[int, str]]:
    whole = heard.read().split(b"\n")[:-1]
    return [(seq, line) for seq, line in map(json.loads, whole)]


def _compare(events: Sequence[Event], said: list[tuple[int, str]], known: int, tally: Tally) -> None:
    for seq, line in said:
        tally.acknowledged += 1
        tally.lost += seq > len(events) or _stood(events[:seq]) != line
    tally.further += len(events) > (said[-1][0] if said else known)


def _stood(events: Sequence[Event]) -> str:
    """What stood on the table after some events of a game."""
    return Referee.of(fold(events)).position.line


def main() -> None:
    """Measures, prints and writes down."""
    with tempfile.TemporaryDirectory() as name:
        tally = kill_often(Path(name), KILLS)
    reopened_ms = sorted(1000 * seconds for seconds in tally.reopened_s)
    text = (
        "# Kill -9 at random moments\n\n"
        f"`python -m benchmarks.kill_nine`, Python {platform.python_version()}, on a disk, a photo a turn.\n\n"
        f"- Processes killed: {tally.kills}, in {tally.games} games.\n"
        f"- Commands acknowledged before: {tally.acknowledged:,}; lost: {tally.lost}.\n"
        f"- Kills between the disk and the answer (the log has one event more than was told): {tally.further}.\n"
        f"- Taking the game up again: median {reopened_ms[len(reopened_ms) // 2]:.0f} ms, "
        f"longest {reopened_ms[-1]:.0f} ms.\n"
    )
    print(text, end="")
    RESULTS.write_text(text)


if __name__ == "__main__":
    main()
