"""The text of a turn: ``G c3: r1 d4, y1 b2 > d4: g1 e5``.

==============  ========================  =================================================
``G c3:``       ``r1 d4, y1 b2``          Green builds a small red on d4, a small yellow on b2
``G c3: r1 d4`` ``> d4: g1 e5``           … and transfers to the Green on d4, which builds on
``G c3: r1 d4`` ``> ^ g1 f6``             … and lands, because no Green has space any more
``R d4:``       ``x c5, x e5``            Red conquers what lies on c5, then on e5
``Y c3:``       ``c3-d4-d5, b3-b4``       Yellow moves c3 by d4 to d5, then b3 to b4
``B c3:``       ``c3=g, d4+``             Blue trades c3 into green, then upgrades d4
\\               ``^ g1 f6``               a small green lands on f6
\\               ``pass``                  nothing is done
==============  ========================  =================================================

The writer knows one text for each turn. The reader takes either case, any spaces, words (``build``, ``move``,
``conquer``, ``trade``, ``upgrade``, ``land``, ``transfer``, colours and sizes), arrows, and ``;``, ``/`` or new
lines for commas. What the position tells may be left out: the letter of the action piece, the colon after it, the
whole action piece, the size of a piece that is built, or that piece. Such a text is read in every way it can be,
and the legal way counts; of several ways to the same position, the first.
"""

from __future__ import annotations

from rules.errors import AmbiguousTurn, IllegalTurn, InvalidTurn
from rules.settlers.options import Options
from rules.settlers.position import Position
from rules.settlers.steps import Build, Choose, Conquer, Land, Move, Pass, Step, Trade, Transfer, Turn, Upgrade
from rules.settlers.turn_words import EXAMPLE, Actor, Saying, meanings, readings
from rules.settlers.turns import PartialTurn, begin

_MOST_ATTEMPTS = 1000  # steps tried before a text counts as too vague


def write_turn(turn: Turn, position: Position) -> str:
    """The one strict text of a legal *turn* in *position*; an empty turn is a ``pass``.

    A :class:`rules.RulesError` for a turn that does not begin with one's action piece, a landing or a pass.

    >>> from rules import Piece
    >>> position = Position.parse("6/6/6/2g13/6/6 S 0")
    >>> write_turn((Choose("c3"), Build(Piece.parse("r1"), "d4")), position)
    'G c3: r1 d4'
    """
    parts: list[tuple[str, list[str]]] = []
    for step in turn or (Pass(),):
        if isinstance(step, Choose | Transfer | Land | Pass):
            parts.append((_head(step, position), []))
        elif parts:
            parts[-1][1].append(_action(step))
        else:
            raise InvalidTurn("action_piece_missing", "A turn begins with its action piece, such as G c3.")
    return " > ".join(f"{head}: {', '.join(actions)}" if actions else head for head, actions in parts)


def _head(step: Choose | Transfer | Land | Pass, position: Position) -> str:
    match step:
        case Choose(field):
            if field not in position.board:
                raise IllegalTurn("field_empty", f"No piece lies on {field}: choose one of your own.", field=field)
            return f"{position.board[field].piece.color.letter.upper()} {field}"
        case Transfer(field):
            return field
        case Land(piece, field):
            return f"^ {piece.code} {field}"
        case Pass():
            return "pass"


def _action(step: Build | Conquer | Move | Trade | Upgrade) -> str:
    match step:
        case Build(piece, field):
            return f"{piece.code} {field}"
        case Conquer(field):
            return f"x {field}"
        case Move(path):
            return "-".join(path)
        case Trade(field, color):
            return f"{field}={color.letter}"
        case Upgrade(field):
            return f"{field}+"


def read_turn(text: str, position: Position, options: Options | None = None) -> Turn:
    """The one legal turn that *text* can mean in *position*.

    :class:`rules.InvalidTurn` where the text is no turn, or so vague that it could be too many;
    :class:`rules.IllegalTurn` where the position does not allow it; :class:`rules.AmbiguousTurn` where it allows
    several, which lead to different positions.

    >>> position = Position.parse("6/6/6/2g13/6/6 S 0")
    >>> write_turn(read_turn("build red d4", position), position)
    'G c3: r1 d4'
    """
    search = _Search()
    for reading in readings(text):
        search.read(reading, begin(position, options or Options()))
    turns = list(search.found.values())
    if len(turns) == 1:
        return turns[0]
    if turns:
        choices = [write_turn(turn, position) for turn in turns]
        raise AmbiguousTurn(
            "turn_ambiguous",
            f"This can mean {len(turns)} turns, such as {choices[0]} or {choices[1]}: write the one that is meant.",
            choices=choices,
        )
    raise search.refusal


class _Search:
    """The legal turns among the readings of a text, and why the reading that went furthest is not one."""

    def __init__(self) -> None:
        self.found: dict[Position, Turn] = {}
        self.refusal = _nobody_can()
        self._furthest: PartialTurn | None = None
        self._is_named = False  # whether the reading names the action piece
        self._furthest_is_named = False
        self._attempts = 0

    def read(self, reading: tuple[Saying, ...], start: PartialTurn) -> None:
        """Look for the legal turns of one *reading* more."""
        self._is_named = not isinstance(reading[0], Actor) or bool(reading[0].field)
        self.follow(start, reading)

    def follow(self, partial: PartialTurn, rest: tuple[Saying, ...]) -> None:
        """Take the *rest* of a reading in all its meanings, after those steps that are done already."""
        if not rest:
            self.found.setdefault(partial.end(), partial.steps)
            return
        try:
            for step in meanings(rest[0], partial):
                self._attempt(partial, step, rest[1:])
        except IllegalTurn as refusal:
            self._note(partial, refusal)

    def _attempt(self, partial: PartialTurn, step: Step, rest: tuple[Saying, ...]) -> None:
        if self._attempts >= _MOST_ATTEMPTS:
            raise InvalidTurn(
                "turn_too_vague", f"This can mean too many turns: name the pieces too, as in {EXAMPLE}."
            )
        self._attempts += 1
        try:
            after = partial.apply(step)
        except IllegalTurn as refusal:
            self._note(partial, refusal)
        else:
            self.follow(after, rest)

    def _note(self, partial: PartialTurn, refusal: IllegalTurn) -> None:
        """Keep the refusal of the longest way; where several pieces could be meant, no single one's counts."""
        furthest = self._furthest.steps if self._furthest else ()
        if self._furthest is None or len(partial.steps) > len(furthest):
            self._furthest, self._furthest_is_named, self.refusal = partial, self._is_named, refusal
        elif (
            not self._furthest_is_named and len(partial.steps) == len(furthest) and partial.steps[:1] != furthest[:1]
        ):
            self.refusal = _nobody_can()


def _nobody_can() -> IllegalTurn:
    return IllegalTurn(
        "nobody_can",
        f"No piece of yours can do this now: begin with the piece that is to act, as in {EXAMPLE}, to learn why.",
    )
