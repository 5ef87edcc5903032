"""The one door to inference, for both games."""

from __future__ import annotations

from collections.abc import Sequence

from companion_app.inferring.boards import explain_board
from companion_app.inferring.explanations import Judgement, Position
from companion_app.inferring.observation import Observation
from companion_app.inferring.systems import explain_systems
from rules import homeworlds, settlers

Options = homeworlds.Options | settlers.Options


def explain(
    before: Position,
    options: Options,
    observation: Observation,
    *,
    earlier: Sequence[Position] = (),
    ended: bool = True,
) -> Judgement:
    """What has happened on the table since the last agreed position.

    Args:
        before: the last agreed position; its player to move is known.
        options: those of its game.
        observation: what was read.
        earlier: the positions of the game up to *before*, in their order; one of them may have been restored.
        ended: whether somebody said that the turn is over, by button, key, page or turn token. Only then is an
            unchanged table a pass, and a sacrifice whose actions are not all used a whole turn.
    """
    if isinstance(before, settlers.Position):
        assert isinstance(options, settlers.Options)
        boards = [one for one in earlier if isinstance(one, settlers.Position)]
        return explain_board(before, options, observation, boards, ended=ended)
    assert isinstance(options, homeworlds.Options)
    tables = [one for one in earlier if isinstance(one, homeworlds.Position)]
    return explain_systems(before, options, observation, tables, ended=ended)
