"""One turn, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.settlers.actions import after, following
from rules.settlers.compact import State, Terms, packed, unpacked
from rules.settlers.options import Options
from rules.settlers.position import Position
from rules.settlers.refusals import refuse_if_illegal
from rules.settlers.steps import Choose, Conquer, Pass, Step, Transfer, Turn


@dataclass(frozen=True, slots=True)
class PartialTurn:
    """A turn as far as it has been taken; it never changes, every step makes a new one.

    Attributes:
        position: where the turn began.
        steps: what has been done.
        moves_again: whether the same player moves again after it (S22).

    >>> turn = begin(Position.parse("6/6/2g23/6/6/6 S 0")).apply(Choose("c4"))
    >>> turn.actions_left, turn.can_end
    (2, True)
    >>> from rules import Piece
    >>> from rules.settlers.steps import Build
    >>> turn.apply(Build(Piece.parse("y1"), "d5")).end().line
    '6/3y12/2g23/6/6/6 N 1'
    """

    position: Position
    steps: Turn
    moves_again: bool
    _state: State = field(repr=False)
    _terms: Terms = field(repr=False)

    def legal_steps(self) -> Iterator[Step]:
        """Every step that may come next; none when nothing is left to do.

        Of the many ways to move a piece from one field to another only a shortest is among them;
        :meth:`apply` takes the others as well.
        """
        return (step for step, _ in following(self._state, self._terms))

    def apply(self, step: Step) -> PartialTurn:
        """The turn after one more *step*; a :class:`rules.IllegalTurn` says why it may not come next."""
        refuse_if_illegal(self._state, self._terms, step)
        return PartialTurn(
            self.position,
            (*self.steps, step),
            self.moves_again,
            after(self._state, step, self._terms),
            self._terms,
        )

    def play(self, steps: Turn) -> PartialTurn:
        """The turn after several more *steps*; a :class:`rules.IllegalTurn` for the first that may not come."""
        turn = self
        for step in steps:
            turn = turn.apply(step)
        return turn

    @property
    def can_end(self) -> bool:
        """Whether the turn may be ended now: always, since nobody has to act (S18)."""
        return True

    def end(self) -> Position:
        """The position with the turn ended here, and the next player to move."""
        seat = self.position.to_move
        return Position(
            unpacked(self._state.board),
            seat if self.moves_again else seat.opposite,
            0 if self.conquests else self.position.quiet_turns + 1,
            self.position.redless,
        )

    @property
    def so_far(self) -> Position:
        """The position as it lies now, with the turn still going on."""
        board = unpacked(self._state.board)
        return Position(board, self.position.to_move, self.position.quiet_turns, self.position.redless)

    @property
    def actions_left(self) -> int:
        """The pips that the action piece has left; 0 before one is chosen."""
        return self._state.pips

    @property
    def conquests(self) -> int:
        """How many pieces have been conquered."""
        return sum(isinstance(step, Conquer) for step in self.steps)

    @property
    def is_pass(self) -> bool:
        """Whether nothing has been done yet (S18)."""
        return is_pass(self.steps)


def begin(position: Position, options: Options | None = None, *, moves_again: bool = False) -> PartialTurn:
    """The turn of the side to move, with nothing done.

    *moves_again* says that the same player moves again after it, as the stronger one does after the first turn of a
    handicap game (S22). A position does not tell that; :meth:`rules.settlers.Game.begin` does.
    """
    terms = Terms.of(position, options or Options())
    return PartialTurn(position, (), moves_again, State(packed(position)), terms)


def is_pass(turn: Turn) -> bool:
    """Whether nothing is done in *turn*: choosing a piece, or going on to another, is not yet an action (S18)."""
    return all(isinstance(step, (Pass, Choose, Transfer)) for step in turn)
