"""The table of the referee: in which state which command is taken, what it writes, and where that leads.

Everything that a session does stands in :data:`COMMANDS` and :data:`LEADS_TO`; nothing else decides what is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion_app.errors import AppError


class State(StrEnum):
    """Where a game stands. ``LEGAL`` is a turn like ``TURN``, right after one that was found legal."""

    SETUP = "setup"
    TURN = "turn"
    JUDGING = "judging"
    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"
    DISAGREE = "disagree"
    PAUSED = "paused"
    RESTORING = "restoring"
    OVER = "over"


class Fact(StrEnum):
    """What the log of a game can say; the words are those of the file."""

    BEGUN = "begun"
    READY = "ready"
    PLAYED = "played"
    REFUSED = "refused"
    ASKED = "asked"
    DISAGREED = "disagreed"
    SETTLED = "settled"
    AGREED = "agreed"
    DECLARED = "declared"
    STOPPED = "stopped"
    TAKEN_BACK = "taken back"
    PAUSED = "paused"
    RESUMED = "resumed"
    RESTORING = "restoring"
    TICKED = "ticked"
    RESTORED = "restored"


class Do(StrEnum):
    """The commands."""

    END_TURN = "end turn"
    CORRECT = "correct"
    CHOOSE = "choose"
    AGREE = "agree"
    SETTLE = "settle"
    UNDO = "undo"
    TAKE_BACK = "take back"
    RESIGN = "resign"
    AGREE_DRAW = "agree on a draw"
    CLAIM_REPETITION = "claim repetition"
    SWAP_SEATS = "swap seats"
    ASK_ADVICE = "ask advice"
    STOP = "stop"
    PAUSE = "pause"
    RESUME = "resume"
    DISAGREE = "disagree"
    RESTORE = "restore"
    TICK = "tick"
    RESTORED = "restored"


@dataclass(frozen=True)
class Command:
    """One row of the table.

    Attributes:
        states: where it is taken.
        writes: the facts that it may put into the log; at most one of them each time.
        otherwise: why not, in a state that has no reason of its own.
    """

    states: frozenset[State]
    writes: frozenset[Fact]
    otherwise: str


_PLAY: Final = frozenset({State.SETUP, State.TURN, State.LEGAL})
_OPEN: Final = frozenset({State.ILLEGAL, State.UNSURE, State.DISAGREE})
_LOOKED: Final = frozenset({Fact.PLAYED, Fact.REFUSED, Fact.ASKED, Fact.DISAGREED, Fact.SETTLED, Fact.READY})
_DECLARED: Final = frozenset({Fact.DECLARED})
_ALL_IS_WELL: Final = "Nothing is open about the table: end the turn when it is played."


def _row(states: frozenset[State] | set[State], writes: frozenset[Fact] | set[Fact], otherwise: str = "") -> Command:
    return Command(frozenset(states), frozenset(writes), otherwise)


COMMANDS: Final[Mapping[Do, Command]] = {
    Do.END_TURN: _row(_PLAY | _OPEN | {State.JUDGING, State.RESTORING}, _LOOKED | {Fact.RESTORED}),
    Do.CORRECT: _row(_OPEN, _LOOKED, _ALL_IS_WELL),
    Do.CHOOSE: _row(
        {State.UNSURE},
        (_LOOKED | {Fact.TAKEN_BACK}) - {Fact.ASKED},
        "There is nothing to choose now: end the turn when it is played.",
    ),
    Do.AGREE: _row(
        {State.ILLEGAL, State.DISAGREE}, {Fact.AGREED}, "Nothing was refused that you could agree on: just play on."
    ),
    Do.SETTLE: _row(_OPEN | {State.RESTORING}, {Fact.SETTLED}, _ALL_IS_WELL),
    Do.UNDO: _row(
        _PLAY | {State.OVER}, {Fact.TAKEN_BACK}, "Settle first what is open about the table: then take turns back."
    ),
    Do.TAKE_BACK: _row(_PLAY | _OPEN | {State.OVER}, {Fact.TAKEN_BACK}),
    Do.RESIGN: _row(_PLAY | _OPEN, _DECLARED),
    Do.AGREE_DRAW: _row(_PLAY | _OPEN, _DECLARED),
    Do.CLAIM_REPETITION: _row(_PLAY, _DECLARED, "Settle first what is open about the table: then claim the draw."),
    Do.SWAP_SEATS: _row(_PLAY, _DECLARED, "Settle first what is open about the table: then change places."),
    Do.ASK_ADVICE: _row(_PLAY, _DECLARED, "Settle first what is open about the table: then ask for advice."),
    Do.STOP: _row(_PLAY | _OPEN | {State.PAUSED, State.RESTORING}, {Fact.STOPPED}),
    Do.PAUSE: _row(_PLAY | _OPEN | {State.RESTORING}, {Fact.PAUSED}),
    Do.RESUME: _row({State.PAUSED}, {Fact.RESUMED}, "The game is not paused: just play on."),
    Do.DISAGREE: _row(
        _PLAY | {State.ILLEGAL, State.UNSURE}, {Fact.DISAGREED}, "Table and record disagree already: settle that."
    ),
    Do.RESTORE: _row(_PLAY | _OPEN | {State.PAUSED, State.OVER}, {Fact.RESTORING}),
    Do.TICK: _row({State.RESTORING}, {Fact.TICKED}, "No position is being put back now: restore one first."),
    Do.RESTORED: _row({State.RESTORING}, {Fact.RESTORED}, "No position is being put back now: restore one first."),
}
"""Which command is taken where, and what it writes."""

LEADS_TO: Final[Mapping[Fact, frozenset[State]]] = {
    Fact.BEGUN: frozenset({State.SETUP, State.TURN, State.RESTORING, State.OVER}),
    Fact.READY: frozenset({State.TURN}),
    Fact.PLAYED: frozenset({State.SETUP, State.LEGAL, State.OVER}),
    Fact.REFUSED: frozenset({State.ILLEGAL}),
    Fact.ASKED: frozenset({State.UNSURE}),
    Fact.DISAGREED: frozenset({State.DISAGREE}),
    Fact.SETTLED: frozenset({State.SETUP, State.TURN, State.OVER}),
    Fact.AGREED: frozenset({State.SETUP, State.TURN, State.OVER}),
    Fact.DECLARED: frozenset({State.SETUP, State.TURN, State.OVER}),
    Fact.STOPPED: frozenset({State.OVER}),
    Fact.TAKEN_BACK: frozenset({State.SETUP, State.TURN}),
    Fact.PAUSED: frozenset({State.PAUSED}),
    Fact.RESUMED: frozenset({State.SETUP, State.TURN, State.RESTORING}) | _OPEN,
    Fact.RESTORING: frozenset({State.RESTORING}),
    Fact.TICKED: frozenset({State.RESTORING}),
    Fact.RESTORED: frozenset({State.SETUP, State.TURN, State.OVER}),
}
"""The states that a game may be in after each fact."""

_NOT_NOW: Final[Mapping[State, str]] = {
    State.JUDGING: "The table is being looked at: wait a second or two.",
    State.PAUSED: "The game is paused: go on with it first.",
    State.RESTORING: "A position is being put back: finish that, or leave it, first.",
    State.OVER: "The game is over: take the last turn back, or begin another game.",
}
"""States whose reason comes before that of the command."""


class NotNow(AppError):
    """A command that this state does not take; code ``not_now``."""

    def __init__(self, do: Do, state: State) -> None:
        super().__init__("not_now", _NOT_NOW.get(state) or COMMANDS[do].otherwise)
        self.do = do
        self.state = state


def takes(state: State, do: Do) -> bool:
    """Whether a game in this state takes this command."""
    return state in COMMANDS[do].states


def check(state: State, do: Do) -> None:
    """Raises :class:`NotNow` where a game in this state does not take this command."""
    if not takes(state, do):
        raise NotNow(do, state)
