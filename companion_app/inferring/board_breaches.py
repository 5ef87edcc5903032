"""The smallest thing that somebody may have done against the rules of Settlers, and the rule that it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from math import log
from typing import Final

from companion_app.inferring.board_beliefs import BoardBeliefs
from companion_app.inferring.board_turns import changed_pieces
from companion_app.inferring.explanations import Explanation, Kind, Refusal
from companion_app.inferring.judging import ABSURD, BREAKS_A_RULE, Hypothesis
from rules import Color, IllegalTurn
from rules.settlers import (
    BORDERING,
    FIELDS,
    Build,
    Choose,
    Conquer,
    Land,
    Move,
    Options,
    Position,
    Ship,
    Step,
    Trade,
    Turn,
    Upgrade,
    begin,
)
from rules.settlers.compact import packed, unpacked
from rules.settlers.prose import told

_MOST_STEPS: Final = 4
_EACH_STEP: Final = log(0.1)
"""How much less likely a breach becomes with each further step."""
_COLOR: Final = {
    Build: Color.GREEN,
    Move: Color.YELLOW,
    Conquer: Color.RED,
    Trade: Color.BLUE,
    Upgrade: Color.BLUE,
}
_MISSES: Final = ("not_bordering", "choose_first", "wrong_action", "no_space")
"""Refusals that another action piece may well escape."""


def breaches(before: Position, options: Options, beliefs: BoardBeliefs) -> Iterator[Hypothesis]:
    """What breaks the rules, for the board as it was read."""
    now = unpacked(beliefs.board)
    changed = [FIELDS[field] for field in beliefs.unlike(packed(before))]
    if not 0 < len(changed) <= 2 * _MOST_STEPS:
        return
    steps, odd = _steps(before, now, changed)
    if len(steps) > _MOST_STEPS:
        return
    turn: Turn = ()
    words = ""
    if odd:
        code, sentence = odd[0]
        refusal = Refusal(code, "", sentence)
        weight = ABSURD * len(odd)
    else:
        turn, error = _refused(before, options, steps)
        if error is None:
            return
        refusal = Refusal.of(error)
        weight, words = BREAKS_A_RULE + (len(steps) - 1) * _EACH_STEP, f"{told(turn, before)[:-1]}: "
    said = Explanation(
        Kind.ILLEGAL,
        (turn,) if turn else (),
        before,
        0.0,
        words + refusal.sentence,
        refusal,
        tuple(changed_pieces(before, beliefs)),
    )
    yield Hypothesis(weight, (Kind.ILLEGAL, refusal.code), partial(_said, said), as_read=True)


def _said(explanation: Explanation) -> Explanation:
    return explanation


def _steps(before: Position, now: dict[str, Ship], changed: list[str]) -> tuple[list[Step], list[tuple[str, str]]]:
    """The steps of the player to move that make the changes; and what no step makes, as codes and sentences."""
    seat = before.to_move
    steps: list[Step] = []
    odd: list[tuple[str, str]] = []
    come = [field for field in changed if field in now and field not in before.board]
    for field in changed:
        old, new = before.board.get(field), now.get(field)
        if old and not new:
            target = next((other for other in come if now[other] == old), None)
            if target:
                come.remove(target)
                steps.append(Move(_path(before, field, target)))
            else:
                odd.append(("piece_gone", f"{old.owner.word}'s {old.piece.words} on {field} is gone."))
        elif old and new:
            step = _exchange(field, old, new) if new.owner is seat else None
            if step:
                steps.append(step)
            else:
                what = f"{old.owner.word}'s {old.piece.words}"
                became = f"{new.owner.word}'s {new.piece.words}"
                odd.append(("piece_changed", f"On {field} lies {became} where {what} lay, which no step does."))
    for field in come:
        if now[field].owner is seat:
            steps.append(Build(now[field].piece, field))
        else:
            what = f"{now[field].owner.word}'s {now[field].piece.words}"
            odd.append(("piece_came", f"{what} has come to {field}, and it is {seat.word}'s turn."))
    return steps, odd


def _exchange(field: str, old: Ship, new: Ship) -> Step | None:
    """The step that turns one ship of a field into another of the player to move."""
    if old.owner is not new.owner:
        return Conquer(field) if old.piece == new.piece else None
    if old.piece.size is new.piece.size:
        return Trade(field, new.piece.color)
    grown = old.piece.color is new.piece.color and new.piece.size == old.piece.size + 1
    return Upgrade(field) if grown else None


def _path(before: Position, start: str, end: str) -> tuple[str, ...]:
    """A shortest way over empty fields; over any fields where there is none."""
    for over_others in (False, True):
        ways: list[tuple[str, ...]] = [(start,)]
        reached = {start}
        while ways:
            farther = []
            for way in ways:
                for field in BORDERING[way[-1]]:
                    if field == end:
                        return (*way, field)
                    if field not in reached and (over_others or field not in before.board):
                        reached.add(field)
                        farther.append((*way, field))
            ways = farther
    return start, end


def _refused(before: Position, options: Options, steps: list[Step]) -> tuple[Turn, IllegalTurn | None]:
    """The order and action piece with which *steps* get farthest before they are refused, and the refusal."""
    mine = [field for field, ship in before.board.items() if ship.owner is before.to_move]
    best: tuple[tuple[int, bool], Turn, IllegalTurn | None] = ((-1, False), (), None)
    first = steps[0]
    if not mine and isinstance(first, Build):
        steps = [Land(first.piece, first.field), *steps[1:]]
    for order in permutations(steps):
        color = _COLOR.get(type(order[0]))
        able = [field for field in mine if before.board[field].piece.color is color]
        begins: list[Turn] = [(Choose(field),) for field in able] or [()]
        for chosen in begins:
            done, error = _played(before, options, (*chosen, *order))
            if error is None:
                return (*chosen, *order), None
            rank = done, error.code not in _MISSES
            if rank > best[0]:
                best = rank, (*chosen, *order), error
    return best[1], best[2]


def _played(before: Position, options: Options, turn: Turn) -> tuple[int, IllegalTurn | None]:
    """How many steps are legal, and the refusal of the next."""
    state = begin(before, options)
    for number, step in enumerate(turn):
        try:
            state = state.apply(step)
        except IllegalTurn as error:
            return number, error
    return len(turn), None
