"""The engine against counts and wins that other programs found in positions of real games."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import naive_homeworlds
import pytest

from rules import homeworlds

GAMES = Path(__file__).parents[2].parent / "shared" / "games"


def vectors(name: str) -> list[list[str]]:
    """The cells of each line of a table beside the project, without its heading."""
    if not (GAMES / name).exists():
        pytest.skip(f"the positions of {name} are not beside this project")
    lines = (GAMES / name).read_text(encoding="utf-8").splitlines()
    found = [line.split("\t") for line in lines if not line.startswith("#")]
    assert found
    return found


def test_counts() -> None:
    """Where some of the ends are wins, and only there, the search for wins finds one."""
    for game, ply, _, *counts, line in vectors("perft1.tsv"):
        position = homeworlds.Position.parse(line)
        summary = homeworlds.legal_turns(position).summary()
        found = [summary.distinct, summary.not_self_eliminating, summary.wins, summary.draws]
        assert found == [int(count) for count in counts], f"game {game}, ply {ply}: {line}"
        assert any(homeworlds.winning_turns(position)) == bool(summary.wins), line


def test_counts_of_the_naive_reading() -> None:
    """What the engine is held against elsewhere stands the same test, where it is fast enough."""
    for game, ply, _, *counts, line in vectors("perft1.tsv"):
        if int(counts[0]) <= 300:
            found = naive_homeworlds.counts(homeworlds.Position.parse(line))
            assert [*astuple(found)] == [int(count) for count in counts], f"game {game}, ply {ply}: {line}"


def test_wins() -> None:
    """The official column is empty where a position had too many ends of turns for the other program."""
    told = [(line, won) for _, _, _, won, line in vectors("win_in_one.tsv") if won]
    assert told
    for line, won in told:
        position = homeworlds.Position.parse(line)
        win = next(homeworlds.winning_turns(position), None)
        assert (win is not None) == (won == "1"), line
        if win is not None:
            assert wins_when_played(position, win), line


def wins_when_played(position: homeworlds.Position, turn: homeworlds.Turn) -> bool:
    """Whether *turn* ends the game in favour of who plays it."""
    game = homeworlds.Game(position=position)
    game.push(turn)
    outcome = game.outcome()
    return outcome is not None and outcome.winner is position.to_move
