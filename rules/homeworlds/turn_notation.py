"""Turns in words: the reader is lenient, the writer strict.

::

    turn        = step *( sep step )                 sep = ";" "," "/" newline; written "; "
    homeworld   = "homeworld" piece piece piece name two stars, then the ship
    build       = "build" piece system               read also: a colour instead of the piece; build g1N Sol
    trade       = "trade" piece system colour        read also: trade g1 y1 Sol, convert g1 to y1 at Sol
    move        = "move" piece system system
    discover    = "discover" piece system piece name read also: move g1 from Sol to Vega (b3)
    capture     = "capture" piece[owner] system      read also: attack; capture g1 Sol North, capture g1 North Sol
    sacrifice   = "sacrifice" piece system
    catastrophe = "catastrophe" system colour
    pass        = "pass"                             read also: pass 2

A piece is a colour letter and a size, an owner one of N, E, S, W or the player's number. Verbs and names of systems
that stand already may be shortened as long as they are clear, and case does not matter. A "/" in a name is read as a
"-". A ``*`` at the end confirms a turn that gives up one's own home.
Where a text can be read in several ways, the legal ones count; the strict text of a turn always means that turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rules.errors import AmbiguousTurn, IllegalTurn, InvalidTurn, RulesError, quoted
from rules.homeworlds.options import Options, SelfElimination
from rules.homeworlds.position import Position
from rules.homeworlds.steps import Turn
from rules.homeworlds.turn_shapes import SMALL_WORDS, Reading, further_readings, readings, unreadable
from rules.homeworlds.turn_writer import BETWEEN, CONFIRMED, write_step, write_turn
from rules.homeworlds.turns import PartialTurn, begin

__all__ = ["read_partial", "read_turn", "write_step", "write_turn"]

_LONGEST_TEXT: Final = 2000
_MOST_STEPS: Final = 40
_MOST_WAYS: Final = 32  # to read one text at once
_SEPARATORS: Final = re.compile(r"[;,\r\n]")
_PASSES: Final = re.compile(r"(p|pa|pas|pass)\s+([1-9])", re.IGNORECASE)


def read_turn(text: str, start: Position | PartialTurn, options: Options | None = None) -> Turn:
    """The steps of the one legal turn that *text* says at *start*.

    From a turn in the making, with its steps; *options* then are those of that turn.

    Raises:
        InvalidTurn: the text is no turn.
        IllegalTurn: every way to read it is illegal; the reason is that of the likeliest.
        AmbiguousTurn: it says several legal turns, listed in ``parameters["choices"]``.

    >>> position = Position.parse("<0>; South(0,r2b1)g3-; North(1,y1b3)-g3")
    >>> read_turn("B green south", position)
    (Build(piece=Piece(color=<Color.GREEN: 'green'>, size=<Size.SMALL: 1>), system='South'),)
    """
    return read_partial(text, start if isinstance(start, PartialTurn) else begin(start, options)).steps


def read_partial(text: str, turn: PartialTurn) -> PartialTurn:
    """*turn* carried on by what *text* says, so that it can end there; raises as :func:`read_turn` does."""
    ways = [turn]
    for step in _steps(text):
        ways = _carried_on(ways, step)
    return _finished(ways, turn, text)


def _steps(text: str) -> list[str]:
    """The texts of the single steps, without the ``*`` that confirms."""
    if len(text) > _LONGEST_TEXT:
        raise InvalidTurn(
            "turn_too_long",
            f"A turn of {len(text)} letters cannot be read: write at most {_LONGEST_TEXT}, such as build g1 Sol.",
            length=len(text),
        )
    steps = [step for part in _parts(text) if (step := part.strip().rstrip("* "))]
    if not steps:
        raise InvalidTurn("turn_empty", "Nothing to read: a turn looks like build g1 Sol, or pass.")
    if len(steps) > _MOST_STEPS:
        raise InvalidTurn(
            "turn_too_long",
            f"A turn of {len(steps)} steps cannot be read: write at most {_MOST_STEPS}, such as "
            "sacrifice y2 Sol; move g1 Sol Vega; move g1 Vega Sirius.",
            steps=len(steps),
        )
    return steps


def _parts(text: str) -> Iterator[str]:
    """The texts between the separators; of ``pass 2``, two of them."""
    for part in _SEPARATORS.split(text):
        for step in _between_strokes(part) if "/" in part else (part,):
            passes = _PASSES.fullmatch(step.strip())
            yield from [passes[1]] * int(passes[2]) if passes else (step,)


def _between_strokes(part: str) -> list[str]:
    """A "/" separates steps; where no step follows, it belongs to a name, which is written with a "-" instead."""
    first, *others = part.split("/")
    steps = [first]
    for other in others:
        if _is_step(other):
            steps.append(other)
        else:
            steps[-1] += f"-{other}"
    return steps


def _is_step(text: str) -> bool:
    text = text.strip().rstrip("* ")
    try:
        return not text or bool(readings(text))
    except InvalidTurn:
        return bool(_PASSES.fullmatch(text))


def _carried_on(ways: list[PartialTurn], step: str) -> list[PartialTurn]:
    """All of *ways* in which *step* is legal next, in each of its likeliest meanings; else the likeliest refusal."""
    refusal: RulesError | None = None
    for readings_of, completing in _TIERS:
        found, refused = _legal(ways, readings_of(step), completing)
        if found:
            return found[:_MOST_WAYS]
        refusal = _likelier(refusal, refused) if refused else refusal
    raise unreadable(step) if refusal is None or _is_about_a_small_word(refusal) else refusal


_TIERS: Final = ((readings, False), (further_readings, False), (readings, True), (further_readings, True))
"""Ways to read a step, and whether names are completed; a tier counts only where none before it is legal."""


def _legal(
    ways: list[PartialTurn], found: tuple[Reading, ...], completing: bool
) -> tuple[list[PartialTurn], RulesError | None]:
    """All of *ways* carried on by each legal meaning of the readings *found*, and the likeliest of the refusals."""
    legal: dict[Turn, PartialTurn] = {}
    refusal: RulesError | None = None
    for turn in ways:
        for reading in found:
            try:
                meant = (reading.completed(turn) if completing else reading).steps(turn)
            except IllegalTurn as error:
                refusal = _likelier(refusal, error)
                continue
            for one in meant:
                try:
                    after = turn.apply(one)
                except RulesError as error:
                    refusal = _likelier(refusal, error)
                else:
                    legal[after.steps] = after
    return list(legal.values()), refusal


def _likelier(refusal: RulesError | None, other: RulesError) -> RulesError:
    """The refusal to tell: the first, unless it only misses a system that the other does not."""
    return other if refusal is None or (refusal.code, other.code) == ("system_unknown", other.code) else refusal


def _is_about_a_small_word(refusal: RulesError) -> bool:
    """Whether a word such as "to" was taken for a system, so that a word is missing."""
    return str(refusal.parameters.get("system")).lower() in SMALL_WORDS


def _finished(ways: list[PartialTurn], start: PartialTurn, text: str) -> PartialTurn:
    """The one of *ways* that can end here; all are the same if they end in the same position."""
    if len(ways) == 1:
        _check_end(ways[0], text)
        return ways[0]
    ends: dict[Position, PartialTurn] = {}
    refusal: RulesError | None = None
    for turn in ways:
        try:
            _check_end(turn, text)
        except IllegalTurn as error:
            refusal = refusal or error
        else:
            ends.setdefault(turn.end(), turn)
    if not ends and refusal:
        raise refusal
    return _chosen(list(ends.values()), start, text)


def _check_end(turn: PartialTurn, text: str) -> None:
    """An :class:`IllegalTurn` when the turn cannot end here, or not without the ``*`` that confirms it."""
    turn.check_end()
    asked = turn.options.self_elimination is SelfElimination.CONFIRMED
    if asked and turn.gives_up_home and not text.rstrip().endswith("*"):
        raise IllegalTurn(
            "self_elimination_unconfirmed",
            f"{turn.to_move.word} would have no ship at home and be out of the game: write a * behind the turn if "
            "that is meant.",
            rule="7",
            seat=turn.to_move.value,
        )


def _chosen(turns: list[PartialTurn], start: PartialTurn, text: str) -> PartialTurn:
    if len(turns) == 1:
        return turns[0]
    written = {write_turn(turn.steps[len(start.steps) :], start): turn for turn in turns}
    strict = BETWEEN.join(" ".join(step.split()) for step in _steps(text))
    for choice, turn in written.items():
        if strict == choice.removesuffix(CONFIRMED):
            return turn
    raise AmbiguousTurn(
        "turn_ambiguous",
        f"{quoted(text)} can mean {' or '.join(written)}: write the one that is meant.",
        choices=list(written),
    )
