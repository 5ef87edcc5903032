"""All legal turns of a position: each distinct end of turn once, shortest turns first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from rules.errors import IllegalTurn
from rules.pieces import Color
from rules.settlers.actions import following
from rules.settlers.compact import State, Terms, packed
from rules.settlers.options import Options
from rules.settlers.position import Position
from rules.settlers.steps import Step, Turn
from rules.settlers.turns import PartialTurn, begin

Trail = tuple["Trail", Step] | None
"""The steps of a turn, the last one first; turns that begin alike share their beginning."""

_COLOR_NUMBER: Final = {color: number for number, color in enumerate(Color)}


class LegalTurns:
    """The legal turns of a position, found while one asks for them.

    Iterating gives each distinct position at the end of the turn once, as ``(turn, position)`` with a shortest turn
    that leads there; the first is ``()``, which passes. ``turn in legal_turns`` tells whether a turn is legal,
    whether or not a shorter one leads to the same end.

    Greens that fill the board can have millions of ends: take as many as are wanted, and no more are looked for.

    >>> turns = legal_turns(Position.parse("6/6/6/6/6/g15 S 0"))
    >>> turns.count()
    13
    >>> [position.line for _, position in turns][1]
    '6/6/6/6/r15/g15 N 1'
    """

    def __init__(self, start: PartialTurn, terms: Terms) -> None:
        self._start = start
        self._terms = terms

    def __iter__(self) -> Iterator[tuple[Turn, Position]]:
        for turn in self.turns():
            yield turn, self._start.play(turn).end()

    def turns(self) -> Iterator[Turn]:
        """The turns alone, without the positions that they lead to."""
        return (_turn_of(trail) for trail in self._ends())

    def __contains__(self, turn: object) -> bool:
        if not isinstance(turn, tuple):
            return False
        try:
            self._start.play(turn)
        except IllegalTurn:
            return False
        return True

    def count(self, at_most: int | None = None) -> int:
        """How many distinct ends of turn there are; counting stops at *at_most*."""
        return sum(1 for _ in islice(self._ends(), at_most))

    def _ends(self) -> Iterator[Trail]:
        """Breadth first: a board that was reached before with the same actions left is not gone through again.

        The board alone tells ends apart: a turn that conquers leaves no board that another turn could leave.
        """
        board = packed(self._start.position)
        ends, seen = {board}, set[bytes]()
        yield None
        level: list[tuple[State, Trail]] = [(State(board), None)]
        while level:
            farther: list[tuple[State, Trail]] = []
            for state, trail in level:
                for step, after in following(state, self._terms):
                    if after.pips:
                        key = _key(after)
                        if key not in seen:
                            seen.add(key)
                            farther.append((after, (trail, step)))
                    if after.board not in ends:
                        ends.add(after.board)
                        yield trail, step
            level = farther


def legal_turns(position: Position, options: Options | None = None, *, moves_again: bool = False) -> LegalTurns:
    """All legal turns of *position*, lazily; the arguments are those of :func:`rules.settlers.begin`."""
    return LegalTurns(begin(position, options, moves_again=moves_again), Terms.of(position, options or Options()))


def _key(state: State) -> bytes:
    """A state with a chosen action piece in 39 bytes, for remembering many."""
    color = _COLOR_NUMBER[state.doing] if state.doing else len(Color)
    return state.board + bytes((color, state.field, state.pips))


def _turn_of(trail: Trail) -> Turn:
    steps: list[Step] = []
    while trail:
        trail, step = trail
        steps.append(step)
    return tuple(reversed(steps))
