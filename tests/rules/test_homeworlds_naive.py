"""The engine against a naive second reading of the rules, in positions from random play."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from subprocess import run

import pytest
from naive_homeworlds import End, Moment, Table, TooMany, at_home, end_positions, next_moments, settled, table_of
from random_homeworlds import random_position, set_up

from rules import KINDS, Color, IllegalTurn, homeworlds
from rules.homeworlds import (
    Build,
    Capture,
    Catastrophe,
    Discover,
    Move,
    PartialTurn,
    Pass,
    Position,
    Sacrifice,
    SelfElimination,
    Step,
    Trade,
)

NEW = "Newfound"
MOST_MOMENTS = 2_000
"""A turn with more of them would take the naive reading too long."""


def check_ends(position: Position) -> None:
    """The same ends of turns, each of them once, the same player to move; fewer where one must not give up home."""
    ends = end_positions(position, MOST_MOMENTS)
    turns = homeworlds.legal_turns(position)
    reached = [(table_of(end), end.to_move) for _, end in turns]
    assert set(reached) == {settled(end, position) for end in ends}, position
    assert len(reached) == turns.count() == len(ends), position
    keeping = homeworlds.legal_turns(position, homeworlds.Options(self_elimination=SelfElimination.FORBIDDEN))
    assert keeping.count() == sum(position.to_move not in end.eliminated for end in ends), position
    wins = any(is_win(end, position) for end in ends)
    assert (next(homeworlds.winning_turns(position), None) is not None) == wins, position


def is_win(end: End, position: Position) -> bool:
    """Whether the player who moved is the only one left of those who were in the game."""
    in_game = {system.home for system in position.systems if system.home}
    return bool(end.eliminated) and in_game - end.eliminated == {position.to_move}


def test_the_same_seed_gives_the_same_position_in_every_process() -> None:
    """Python's own seed, by which it orders sets, is another each time: what is compared must not depend on it."""
    told = "from random_homeworlds import *; print(*map(random_position, map(Random, range(9))))"
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[2])])
    said = {
        run(
            [sys.executable, "-c", told],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(said) == 1
    assert said != {"\n"}


@pytest.mark.parametrize("first", range(0, 320, 40))
def test_ends_of_turns(first: int) -> None:
    compared = 0
    for seed in range(first, first + 40):
        with suppress(TooMany):
            check_ends(random_position(Random(seed)))
            compared += 1
    assert compared >= 34


@pytest.mark.parametrize(
    "line",
    [
        "<0>; North(0,y2b1)y1g3--; South(2,g1b2)--r3; East(y1b3)r3g1--",
        "<0>; North(0,y2b1)y1g3--; South(2,g1b2)--r3; East(y1b3)y2y3-y1g1-",
        "<2>; North(0,y2b1)y1g3--; South(2,g1b2)--r3g2; East(g1g2)g3-g1r1-",
        "<0>; North(0,y2b1)y1g3---; West(3,g1b2)---r3; East(r1b3)r2-b1--; South(y3)--y1-",
        "<0>; South(0,y2y3)y1y2g1-y3; North(1,r1r2)r2r3-r1g2",
        "<0>; South(0,y2)y1y1y2-b1; North(1,r1r2)b1b2b3-b2",
        "<0>; South(0,r2b1)y2-; North(1,y1b3)g1g2-g1; Sol(g3)r1-; Vega(b2)g2-",
    ],
)
def test_ends_of_turns_at_odd_systems(line: str) -> None:
    """Homes of players who are out still have two stars; whole homes go in one catastrophe; one's own is at risk."""
    check_ends(Position.parse(line))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ends_of_set_up_turns(players: int) -> None:
    homes = set_up(Random(players), players)
    waiting = [system for system in homes.systems if system.home is not homes.to_move]
    check_ends(Position([], homes.to_move, players))
    check_ends(Position(waiting, homes.to_move, players))


@pytest.mark.parametrize("seed", range(30))
def test_steps(seed: int) -> None:
    """Legal steps lead where naive ones lead; every other step that can be written down is refused."""
    random = Random(seed)
    position = random_position(random)
    player = position.seats.index(position.to_move)
    turn, moment = homeworlds.begin(position), Moment(table_of(position), "any", 1)
    for _ in range(3):
        after = {step: turn.apply(step).end() for step in turn.legal_steps()}
        naive = {
            moment.table,
            *(after.table for after in next_moments(moment, player)),
        }
        check_steps(turn, after, naive)
        check_refusals(turn, {renamed(step) for step in after})
        homes = at_home(moment.table, position.seats)
        safe = [step for step, end in after.items() if homes == at_home(table_of(end), position.seats)]
        if not safe:
            return
        step = random.choice(safe)
        turn, moment = turn.apply(step), moment_after(step, table_of(after[step]), moment)


def check_steps(turn: PartialTurn, after: dict[Step, Position], naive: set[Table]) -> None:
    """Where *after* each legal step the turn could end is where it could with the naive steps, or where it is now."""
    position = turn.position
    had_home = at_home(table_of(position), position.seats)
    ends = {settled(End(table, had_home - at_home(table, position.seats)), position) for table in naive}
    now = turn.end()
    reached = {(table_of(end), end.to_move) for end in (now, *after.values())}
    assert reached == ends, (position, turn.steps)


def check_refusals(turn: PartialTurn, legal: set[Step]) -> None:
    """Of all steps that can be written down just the *legal* ones are accepted."""
    accepted = set()
    for step in every_step(turn.position):
        with suppress(IllegalTurn):
            turn.apply(step)
            accepted.add(step)
    assert accepted == {step for step in legal if is_on(turn.position, step)}, (turn.position, turn.steps)


def moment_after(step: Step, table: Table, moment: Moment) -> Moment:
    """The moment that *step* has led to, which left *table*."""
    if isinstance(step, Sacrifice):
        return Moment(table, step.piece.color.letter, step.piece.size)
    if isinstance(step, Catastrophe):
        return Moment(table, moment.power, moment.left)
    return Moment(table, moment.power, moment.left - 1)


def every_step(position: Position) -> Iterator[Step]:
    """Everything that can be written down with the names of *position*, sensible or not."""
    names = [system.name for system in position.systems]
    yield Pass()
    for system in names:
        yield from (Catastrophe(system, color) for color in Color)
        for piece in KINDS:
            yield Build(piece, system)
            yield Sacrifice(piece, system)
            yield from (Trade(piece, system, color) for color in Color)
            yield from (Move(piece, system, target) for target in names)
            yield from (Discover(piece, system, star, NEW) for star in KINDS)
            yield from (Capture(piece, owner, system) for owner in position.seats)


def renamed(step: Step) -> Step:
    """*step* with the name that :func:`every_step` gives to a new system."""
    return replace(step, name=NEW) if isinstance(step, Discover) else step


def is_on(position: Position, step: Step) -> bool:
    """Whether *step* is about systems of *position* only, and of none that the turn has found."""
    names = {system.name for system in position.systems}
    return all(getattr(step, field, None) in {None, *names} for field in ("system", "origin", "target"))
