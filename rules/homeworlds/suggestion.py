"""One turn that a careful player might choose, with the reason: the Tactical Computer (ruling 25).

No search deep enough to play well: it wins where it can, does not lose in the next turn where that can be helped,
and else prefers more and bigger ships, more colours, and a safe home.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from rules.errors import IllegalTurn
from rules.homeworlds.options import Options
from rules.homeworlds.packed import COLOR_OF, SIZE_OF
from rules.homeworlds.steps import Turn
from rules.homeworlds.successors import LegalTurns
from rules.homeworlds.table import Table
from rules.homeworlds.turns import PartialTurn, begin_at
from rules.homeworlds.warnings import Urgency, Warning, warnings
from rules.homeworlds.winning import winning_from

_LOOKED_AT: Final = 600
_LOOKED_INTO: Final = 12


@dataclass(frozen=True)
class Suggestion:
    """A turn, and why."""

    turn: Turn
    sentence: str


def suggest(table: Table, options: Options) -> Suggestion:
    """The turn for the player to move; an :class:`rules.IllegalTurn` where there is none."""
    win = next(winning_from(table, options), None)
    if win is not None:
        return Suggestion(win, "This wins at once.")
    begun = begin_at(table, options)
    tried = (begun.play(turn) for turn in islice(LegalTurns(table, options).turns(), _LOOKED_AT))
    ranked = sorted(tried, key=_value, reverse=True)
    if not ranked:
        raise IllegalTurn("no_legal_turn", "There is no legal turn left to advise: resign, or agree on a draw.")
    turn, against = _safest(ranked)
    return Suggestion(turn.steps, _reason(begun, turn, against))


def _safest(ranked: Iterable[PartialTurn]) -> tuple[PartialTurn, tuple[Warning, ...]]:
    """Of the best turns that of which the least is to be said; should all of them lose, the next that does not."""
    judged = ((turn, warnings(turn)) for turn in ranked)
    best = max(islice(judged, _LOOKED_INTO), key=lambda entry: _patience(entry[1]))
    if _patience(best[1]) > Urgency.LOSS_NEXT:
        return best
    return next((entry for entry in judged if _patience(entry[1]) > Urgency.LOSS_NEXT), best)


def _patience(against: tuple[Warning, ...]) -> int:
    """How long what speaks against a turn can wait: its urgency, or more where there is nothing."""
    return against[0].urgency if against else len(Urgency)


def _reason(begun: PartialTurn, turn: PartialTurn, against: tuple[Warning, ...]) -> str:
    mover = begun.start.to_move
    gains = []
    if _pips(turn.table, mover) > _pips(begun.table, mover):
        gains.append(f"more ships ({_pips(turn.table, mover)} pips instead of {_pips(begun.table, mover)})")
    if len(_colors(turn.table, mover)) > len(_colors(begun.table, mover)):
        gains.append("a colour that was missing")
    if _enemy_pips(turn.table, mover) < _enemy_pips(begun.table, mover):
        gains.append("fewer ships for the others")
    why = f"It brings {' and '.join(gains)}." if gains else _without_gain(begun, turn)
    if _patience(against) <= Urgency.LOSS_NEXT:
        return f"{why} But no turn looked at is safe: {against[0].sentence}"
    return f"{why} Nobody can win in the next turn."


def _without_gain(begun: PartialTurn, turn: PartialTurn) -> str:
    before, after = (_pips(table, begun.start.to_move) for table in (begun.table, turn.table))
    return "It keeps what there is." if before == after else f"It pays with ships ({after} pips instead of {before})."


def _value(turn: PartialTurn) -> float:
    """What the position at the end of a turn is worth to its player, in pips, roughly."""
    table, mover = turn.table, turn.start.to_move
    home = next((system for system in table.systems.values() if system.home == mover), None)
    if home is None or not home.ships[mover]:
        return -1000.0
    colors_at_home = {COLOR_OF[kind] for kind in home.ships[mover]}
    return (
        _pips(table, mover)
        - _enemy_pips(table, mover)
        + 2.0 * len(_colors(table, mover))
        + 1.0 * home.biggest[mover]
        + 0.5 * len(colors_at_home)
        - 3.0 * len(home.overpopulated)
        - 0.1 * len(turn.steps)
    )


def _pips(table: Table, seat: int) -> int:
    return sum(SIZE_OF[kind] for system in table.systems.values() for kind in system.ships[seat])


def _enemy_pips(table: Table, seat: int) -> int:
    return sum(_pips(table, other) for other in range(table.players) if other != seat)


def _colors(table: Table, seat: int) -> set[int]:
    return {COLOR_OF[kind] for system in table.systems.values() for kind in system.ships[seat]}
