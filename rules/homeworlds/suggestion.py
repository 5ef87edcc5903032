"""One turn that a careful player might choose, with the reason: the Tactical Computer (ruling 25).

No search deep enough to play well: it wins where it can, does not lose in the next turn where that can be helped,
and else prefers more and bigger ships, more colours, and a safe home. Nothing but a loss rules a turn out: whatever
else speaks against it counts as much as some pips do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from rules.homeworlds.options import Options, Victory
from rules.homeworlds.packed import BLUE, COLOR_OF, GREEN, RED, SIZE_OF, Packed
from rules.homeworlds.steps import Turn
from rules.homeworlds.successors import LegalTurns
from rules.homeworlds.table import Table
from rules.homeworlds.turns import PartialTurn, begin_at
from rules.homeworlds.warnings import warnings, weak_spot, winning_replies
from rules.homeworlds.winning import dangers_at, winning_from

_COMPARED: Final = 600
"""Turns of which the best is taken, the shortest first."""
_TRIED: Final = 6000
"""Turns that are looked at where those all lose, until one does not."""
_IDLE: Final = 0.6
"""What doing nothing counts as having lost."""
_ARRIVALS: Final = {1: 0.8, 2: 0.3}
"""What a home counts as having lost that so many arrivals could destroy."""


@dataclass(frozen=True)
class Suggestion:
    """A turn, and why."""

    turn: Turn
    sentence: str


def suggest(table: Table, options: Options) -> Suggestion:
    """The turn for the player to move, who has at least one; secret sides are not told by it."""
    if options.victory is Victory.GOOD_AND_EVIL:
        options = replace(options, victory=Victory.LAST_STANDING, evil=())
    win = next(winning_from(table, options), None)
    if win is not None:
        return Suggestion(win, "This wins at once.")
    begun = begin_at(table, options)
    turns = (begun.play(turn) for turn in LegalTurns(table, options).turns())
    ranked = sorted(islice(turns, _TRIED if begun.is_set_up else _COMPARED), key=_value, reverse=True)
    judged = ((turn, _loss(turn)) for turn in chain(ranked, islice(turns, _TRIED)))
    turn, loss = next((entry for entry in judged if not entry[1]), (ranked[0], _loss(ranked[0])))
    return Suggestion(turn.steps, _reason(begun, turn, loss))


def _loss(turn: PartialTurn) -> str:
    """How *turn* loses the game, at once or in the next turn, in a sentence; empty where it does not."""
    if turn.is_set_up:
        return ""
    mover = turn.to_move
    table, out = turn.end_table()
    if turn.start.to_move in out:
        return f"{mover.word} has no ship left at home."
    reply = next(winning_replies(turn), None)
    if reply or table.players == 2:
        return reply.sentence if reply else ""
    danger = next(iter(dangers_at(table, (mover,), turn.options)), None)
    return f"Red alert: {danger.seat.word} can put {mover.word} out." if danger else ""


def _reason(begun: PartialTurn, turn: PartialTurn, loss: str) -> str:
    mover = begun.start.to_move
    gains = []
    if _pips(turn.table, mover) > _pips(begun.table, mover):
        gains.append(f"more ships ({_pips(turn.table, mover)} pips instead of {_pips(begun.table, mover)})")
    if len(_colors(turn.table, mover)) > len(_colors(begun.table, mover)):
        gains.append("a colour that was missing")
    if _enemy_pips(turn.table, mover) < _enemy_pips(begun.table, mover):
        gains.append("fewer ships for the others")
    why = f"It brings {' and '.join(gains)}." if gains else _without_gain(begun, turn)
    if loss:
        return f"{why} But no turn looked at is safe: {loss}"
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
    if turn.is_set_up:
        return _value_of_home(home, mover) - len(warnings(turn))
    spot = weak_spot(home, mover)
    return (
        _pips(table, mover)
        - _enemy_pips(table, mover)
        + 2.0 * len(_colors(table, mover))
        + 1.0 * _can_build(table, mover)
        + 1.0 * home.biggest[mover]
        + 0.5 * len({COLOR_OF[kind] for kind in home.ships[mover]})
        - 3.0 * len(home.overpopulated)
        - (_ARRIVALS[spot.arrivals] if spot else 0.0)
        - _in_reach(table, mover)
        - (0.1 * len(turn.steps) if turn.table.key != turn.start.key else _IDLE)
    )


def _value_of_home(home: Packed, mover: int) -> float:
    """What the rule book says of good homes: green and blue, a third colour, and a large green ship."""
    colors = {COLOR_OF[kind] for kind in (*home.stars, *home.ships[mover])}
    green_ship = any(COLOR_OF[kind] == GREEN for kind in home.ships[mover])
    return len(colors) + 2.0 * len(colors & {GREEN, BLUE}) + 1.0 * green_ship + home.biggest[mover]


def _can_build(table: Table, seat: int) -> bool:
    return any(system.powers[seat] >> GREEN & 1 for system in table.systems.values() if system.ships[seat])


def _in_reach(table: Table, seat: int) -> float:
    """Pips of the most that an opponent could take at once where both have ships, by a capture or a catastrophe."""
    most = 0
    for system in table.systems.values():
        for other in range(table.players):
            if other != seat and system.ships[other] and system.powers[other] >> RED & 1:
                sizes = [SIZE_OF[kind] for kind in system.ships[seat]]
                most = max([most, *(size for size in sizes if size <= system.biggest[other])])
        for color in system.overpopulated:
            star = any(COLOR_OF[kind] == color for kind in system.stars) and len(system.stars) == 1
            lost = sum(SIZE_OF[kind] for kind in system.ships[seat] if star or COLOR_OF[kind] == color)
            most = max(most, lost)
    return float(most)


def _pips(table: Table, seat: int) -> int:
    return sum(SIZE_OF[kind] for system in table.systems.values() for kind in system.ships[seat])


def _enemy_pips(table: Table, seat: int) -> int:
    return sum(_pips(table, other) for other in range(table.players) if other != seat)


def _colors(table: Table, seat: int) -> set[int]:
    return {COLOR_OF[kind] for system in table.systems.values() for kind in system.ships[seat]}
