"""The turns of Settlers that explain what was read, found by looking only where boards come nearer to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from companion_app.inferring.board_beliefs import BoardBeliefs
from companion_app.inferring.explanations import Explanation, Kind, Refusal
from companion_app.inferring.judging import (
    AMID_A_TURN,
    BREAKS_A_RULE,
    PASSED,
    SEVERAL_TURNS,
    STIRRED,
    UNFINISHED,
    Hypothesis,
)
from rules import Color
from rules.settlers import FIELDS, Options, Position, Step, Turn, begin, is_pass
from rules.settlers.actions import following
from rules.settlers.compact import State, Terms, packed, put
from rules.settlers.prose import told
from rules.settlers.successors import Trail

MOST_MISREAD: Final = 2
_FIELDS: Final = {Color.RED: 1, Color.YELLOW: 2, Color.BLUE: 1}
"""How many fields one pip of a colour changes."""
_FIRST_TURNS: Final = 60


def boards_near(
    position: Position, options: Options, beliefs: BoardBeliefs, most: int = MOST_MISREAD
) -> Iterator[tuple[bytes, Trail]]:
    """Every board at the end of a legal turn that is as it was read but for at most *most* fields."""
    terms = Terms.of(position, options)
    start = packed(position)
    ends, seen = {start}, {State(start)}
    if len(beliefs.unlike(start)) <= most:
        yield start, None
    level: list[tuple[State, Trail]] = [(State(start), None)]
    while level:
        farther: list[tuple[State, Trail]] = []
        for state, trail in level:
            for step, after in following(state, terms):
                unlike = beliefs.unlike(after.board)
                if after.board not in ends and len(unlike) <= most:
                    ends.add(after.board)
                    yield after.board, (trail, step)
                if after.pips and after not in seen and _is_near(after, unlike, most):
                    seen.add(after)
                    farther.append((after, (trail, step)))
        level = farther


def _turn_of(trail: Trail) -> Turn:
    steps: list[Step] = []
    while trail:
        trail, step = trail
        steps.append(step)
    return tuple(reversed(steps))


def _is_near(state: State, unlike: list[int], most: int) -> bool:
    """Whether the pips left can lead to what was read; a green has no end of them, but only fills empty fields."""
    if state.doing is Color.GREEN or state.doing is None:
        return sum(state.board[field] > 0 for field in unlike) <= most
    return len(unlike) <= most + _FIELDS[state.doing] * state.pips


def legal_turns(
    before: Position, options: Options, beliefs: BoardBeliefs, ended: bool = True
) -> Iterator[Hypothesis]:
    """The legal turns of the player to move; where nothing has changed, a pass if the turn is *ended*."""
    for board, trail in boards_near(before, options, beliefs):
        weight = beliefs.weight(board)
        if weight is not None:
            turn = _turn_of(trail)
            weight += PASSED if is_pass(turn) and ended else 0.0
            weight += STIRRED if is_pass(turn) and beliefs.observation.is_stirred else 0.0
            explained = partial(_legal, before, options, beliefs, board, turn, ended)
            as_read, slips = not beliefs.unlike(board), beliefs.slips(board)
            yield Hypothesis(weight, (Kind.LEGAL, board), explained, as_read, slips=slips)


def _legal(
    before: Position, options: Options, beliefs: BoardBeliefs, board: bytes, turn: Turn, ended: bool
) -> Explanation:
    if is_pass(turn) and not ended:
        return Explanation(Kind.UNCHANGED, (), before, 0.0, "Nothing has changed yet.", None, beliefs.misread(board))
    kind = Kind.UNCHANGED if is_pass(turn) else Kind.LEGAL
    sentence = told(turn, before)
    if kind is Kind.UNCHANGED:
        sentence = f"Nothing has changed: {sentence}"
    after = begin(before, options).play(turn).end()
    return Explanation(kind, (turn,), after, 0.0, sentence, None, beliefs.misread(board))


def turns_of_other(before: Position, options: Options, beliefs: BoardBeliefs) -> Iterator[Hypothesis]:
    """The turns that would be legal if it were the other player's turn."""
    other = Position(before.board, before.to_move.opposite, before.quiet_turns, before.redless)
    reason = f"it is {before.to_move.word}'s turn, not {other.to_move.word}'s."
    refusal = Refusal("not_to_move", "", reason[0].upper() + reason[1:])
    for board, trail in boards_near(other, replace(options, landing_size=None), beliefs, 1):
        weight, turn = beliefs.weight(board), _turn_of(trail)
        if weight is not None and not is_pass(turn):
            sentence = f"{told(turn, other)[:-1]}: {reason}"
            marked = (*beliefs.misread(board), *changed_pieces(before, beliefs))
            said = Explanation(Kind.ILLEGAL, (turn,), before, 0.0, sentence, refusal, tuple(dict.fromkeys(marked)))
            yield Hypothesis(
                BREAKS_A_RULE + weight,
                (Kind.ILLEGAL, "not_to_move"),
                partial(_said, said),
                not beliefs.unlike(board),
            )


def half_done(before: Position, beliefs: BoardBeliefs, ended: bool = True) -> Iterator[Hypothesis]:
    """A piece of the player to move is in the hand: taken up to be moved, traded, upgraded or turned around."""
    start = packed(before)
    changed = [field for field in beliefs.unlike(start) if start[field]]
    if len(changed) != 1 or beliefs.board[changed[0]]:
        return
    lifted = put(start, changed[0], 0)
    weight = beliefs.weight(lifted)
    if weight is not None:
        ship = before.board[FIELDS[changed[0]]]
        sentence = f"A turn is half done: the {ship.piece.words} of {FIELDS[changed[0]]} is on no field."
        said = Explanation(Kind.HALF_DONE, (), before, 0.0, sentence, None, beliefs.misread(lifted))
        unfinished = UNFINISHED if ended else AMID_A_TURN
        yield Hypothesis(unfinished + weight, (Kind.HALF_DONE,), partial(_said, said), not beliefs.unlike(lifted))


def series(before: Position, options: Options, beliefs: BoardBeliefs) -> Iterator[Hypothesis]:
    """Two turns in a row that explain exactly what was read."""
    start = packed(before)
    first = boards_near(before, options, beliefs, len(beliefs.unlike(start)) - 1)
    ranked = sorted(((len(beliefs.unlike(board)), trail) for board, trail in first if trail), key=lambda one: one[0])
    for _, trail in ranked[:_FIRST_TURNS]:
        turn = _turn_of(trail)
        between = begin(before, options).play(turn).end()
        for board, last in boards_near(between, options, beliefs, 0):
            weight = beliefs.weight(board)
            if weight is not None and last:
                second = _turn_of(last)
                after = begin(between, options).play(second).end()
                sentence = f"Two turns at once: {told(turn, before)} {told(second, between)}"
                said = Explanation(Kind.SEVERAL, (turn, second), after, 0.0, sentence)
                yield Hypothesis(SEVERAL_TURNS + weight, (Kind.SEVERAL, after), partial(_said, said), as_read=True)


def changed_pieces(before: Position, beliefs: BoardBeliefs) -> list[int]:
    """The indices of the pieces that lie where something else, or nothing, lay before."""
    return [index for field in beliefs.unlike(packed(before)) for index in beliefs.pieces.get(field, ())]


def _said(explanation: Explanation) -> Explanation:
    return explanation
