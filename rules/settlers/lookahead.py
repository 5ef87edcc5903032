"""What could happen next turn: what each piece can do, and which pieces can be conquered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.pieces import Color
from rules.settlers.actions import following
from rules.settlers.board import FIELDS, SEATS, Placement
from rules.settlers.compact import NUMBER, SHIPS, State, Terms, packed
from rules.settlers.options import Options
from rules.settlers.position import Position
from rules.settlers.steps import Choose, Conquer, Land, Step, Transfer, Turn


@dataclass(frozen=True, slots=True)
class Possibility:
    """What one piece could do as the action piece: its *actions*, each as the first of the turn."""

    piece: Placement
    actions: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Threat:
    """A piece that can be conquered in one turn.

    Attributes:
        target: the piece.
        by: the Red action piece.
        turn: a shortest turn that conquers it; conquests before the last one clear the way.
    """

    target: Placement
    by: Placement
    turn: Turn


def possibilities(position: Position, options: Options | None = None) -> tuple[Possibility, ...]:
    """What each piece of the side to move could do, in the order of the fields; no action where it can do nothing.

    For moves, a shortest path to each field. See :func:`landings` for what needs no piece.

    >>> for one in possibilities(Position.parse("6/6/6/6/y15/g1r14 S 0")):
    ...     print(one.piece.field, len(one.actions))
    a1 4
    a2 7
    b1 0
    """
    terms, board = Terms.of(position, options or Options()), packed(position)
    return tuple(
        Possibility(_placed(board, chosen.field), tuple(step for step, _ in following(chosen, terms)))
        for _, chosen in _choices(board, terms)
    )


def landings(position: Position, options: Options | None = None) -> tuple[Land, ...]:
    """Every landing that could be the whole turn of the side to move (S1-S3)."""
    terms = Terms.of(position, options or Options())
    steps = (step for step, _ in following(State(packed(position)), terms))
    return tuple(step for step in steps if isinstance(step, Land))


def conquerable(position: Position, options: Options | None = None) -> tuple[Threat, ...]:
    """Every piece that could be conquered if its opponent moved now, once for each Red that could do it.

    The threats of the side to move come first, then those of the other side; within a side in the order of the
    Reds, and the fewest conquests first.

    >>> for threat in conquerable(Position.parse("6/6/6/2Y33/1r3G13/6 S 0")):
    ...     print(threat.by.field, [step.field for step in threat.turn])
    b2 ['b2', 'c2']
    b2 ['b2', 'c3']
    """
    board, terms = packed(position), Terms.of(position, options or Options())
    sides = (terms, terms._replace(seat=terms.seat.opposite))
    return tuple(threat for side in sides for threat in _threats(board, side))


def anybody_can_act(position: Position, options: Options | None = None) -> bool:
    """Whether either side would have a valid move, an action or a landing, if it were its turn (S19)."""
    board, terms = packed(position), Terms.of(position, options or Options())
    return any(_can_act(board, terms._replace(seat=seat)) for seat in SEATS)


def _can_act(board: bytes, terms: Terms) -> bool:
    for step, state in following(State(board), terms):
        if isinstance(step, Land) or (isinstance(step, Choose) and _has_action(state, terms)):
            return True
    return False


def _has_action(chosen: State, terms: Terms) -> bool:
    """Going on with another Green does not count: what that one can do is its own."""
    return any(not isinstance(step, Transfer) for step, _ in following(chosen, terms))


def _choices(board: bytes, terms: Terms) -> Iterator[tuple[Step, State]]:
    return ((step, state) for step, state in following(State(board), terms) if isinstance(step, Choose))


def _threats(board: bytes, terms: Terms) -> Iterator[Threat]:
    for choice, chosen in _choices(board, terms):
        if chosen.doing is Color.RED:
            for target, turn in _conquests(chosen, choice, terms).items():
                yield Threat(_placed(board, target), _placed(board, chosen.field), turn)


def _conquests(chosen: State, choice: Step, terms: Terms) -> dict[int, Turn]:
    """Each field that a Red can conquer, with a shortest turn that does."""
    found: dict[int, Turn] = {}
    level: list[tuple[State, Turn]] = [(chosen, (choice,))]
    while level:
        level = [(after, (*turn, step)) for state, turn in level for step, after in following(state, terms)]
        for _, turn in level:
            if isinstance(turn[-1], Conquer):
                found.setdefault(NUMBER[turn[-1].field], turn)
    return found


def _placed(board: bytes, field: int) -> Placement:
    ship = SHIPS[board[field]]
    assert ship
    return Placement(FIELDS[field], *ship)
