"""Which turn of Settlers was played: boards are compared field by field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import log
from typing import Final

from companion_app.inferring.board_beliefs import BoardBeliefs
from companion_app.inferring.board_breaches import breaches
from companion_app.inferring.board_turns import half_done, legal_turns, series, turns_of_other
from companion_app.inferring.explanations import Explanation, Judgement, Kind
from companion_app.inferring.judging import TAKEN_BACK, Hypothesis, judged
from companion_app.inferring.observation import Observation
from rules.settlers import Options, Position
from rules.settlers.compact import packed

_POOR: Final = log(5e-5)
"""Where nothing explains the board, as it was read, better than this, two turns at once are looked for."""


def explain_board(
    before: Position,
    options: Options,
    observation: Observation,
    earlier: Sequence[Position] = (),
    *,
    ended: bool = True,
) -> Judgement:
    """What happened on the board since the position *before*; *earlier* are the positions of the game before it.

    *ended* is whether somebody said that the turn is over.
    """
    beliefs = BoardBeliefs(before, observation)
    found = [*legal_turns(before, options, beliefs, ended), *_taken_back(before, beliefs, earlier)]
    if not any(one.as_read for one in found):
        found += breaches(before, options, beliefs)
        found += turns_of_other(before, options, beliefs)
        found += half_done(before, beliefs, ended)
    if not any(one.as_read and one.weight >= _POOR for one in found):
        found += series(before, options, beliefs)
    return judged(found, _unexplained(before))


def _taken_back(before: Position, beliefs: BoardBeliefs, earlier: Sequence[Position]) -> Iterator[Hypothesis]:
    """The earlier boards of the game that were read, the latest first."""
    known = {packed(before)}
    for back, position in enumerate(reversed(earlier), 1):
        board = packed(position)
        weight = beliefs.weight(board)
        if board not in known and weight is not None:
            weight += TAKEN_BACK * (1 + back / 4)
            explained = partial(_back_at, position, beliefs.misread(board))
            yield Hypothesis(weight, (Kind.TAKEN_BACK, board), explained, not beliefs.unlike(board))
        known.add(board)


def _back_at(position: Position, misread: tuple[int, ...]) -> Explanation:
    sentence = f"{position.to_move.word}'s turn has been taken back."
    return Explanation(Kind.TAKEN_BACK, (), position, 0.0, sentence, None, misread)


def _unexplained(before: Position) -> Explanation:
    return Explanation(
        Kind.UNEXPLAINED,
        (),
        before,
        0.0,
        "No turn leads to what is on the board: show what was played, or put the pieces back.",
    )
