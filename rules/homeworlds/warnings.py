"""What a legal turn leaves behind that its player may regret, most urgent first.

Only what is true at the end of the turn is told, and nothing that something more urgent includes: who is out has
no use for advice on the home, and a turn that wins needs none at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from rules.frozen import FrozenMap
from rules.homeworlds.endings import goals, settled
from rules.homeworlds.packed import COLOR_OF, COLORS, SIZE_OF, UNIT, Packed
from rules.homeworlds.status import OVERPOPULATION
from rules.homeworlds.table import Table
from rules.homeworlds.turn_writer import write_turn
from rules.homeworlds.turns import PartialTurn, begin_at
from rules.homeworlds.winning import winning_from
from rules.pieces import Size


class Urgency(IntEnum):
    """How soon a warning is to be heeded; lower is sooner."""

    OUT = 0
    LOSS_NEXT = 1
    CATASTROPHE_AT_HOME = 2
    ONE_STEP_FROM_LOSS = 3
    WEAK_HOME = 4
    CATASTROPHE_ELSEWHERE = 5
    ECONOMY = 6


@dataclass(frozen=True)
class Warning:
    """One thing to think of before the turn is ended.

    Codes: ``home_given_up``, ``loses_next_turn``, ``overpopulated``, ``sitting_duck``, ``bluebird``,
    ``no_large_at_home``, ``frozen_out``, ``gemini``, ``small_universe``.
    """

    code: str
    urgency: Urgency
    sentence: str
    parameters: FrozenMap[str, str] = field(default_factory=lambda: FrozenMap({}))


def warnings(turn: PartialTurn, *, replies: bool = True) -> tuple[Warning, ...]:
    """What speaks against ending *turn* as it stands; without *replies* nobody looks for who could win then.

    >>> from rules.homeworlds import Position, begin, read_turn
    >>> position = Position.parse("<0>; South(0,b1y2)g1g3-; North(1,b3r1)-g3")
    >>> begun = begin(position)
    >>> [warning.code for warning in warnings(begun.play(read_turn("discover g3 South g3 Vega", position)))]
    ['no_large_at_home']
    """
    if turn.is_set_up:
        return tuple(_about_set_up(turn))
    if _wins(turn):
        return ()
    return tuple(sorted(_all(turn, replies), key=lambda warning: warning.urgency))


def _wins(turn: PartialTurn) -> bool:
    _, out = settled(turn.start, turn.table)
    mover = turn.start.to_move
    ways = goals(mover, tuple(turn.start.homes()), turn.seats, turn.options)
    return mover not in out and any(goal <= set(out) for goal in ways)


def _all(turn: PartialTurn, replies: bool) -> Iterator[Warning]:
    mover = turn.start.to_move
    name, home = _home(turn)
    if home is None or not home.ships[mover]:
        yield Warning(
            "home_given_up",
            Urgency.OUT,
            f"{turn.to_move.word} has no ship at home at the end of this turn, and so is out of the game.",
            _of(seat=turn.to_move.value),
        )
        return
    if replies:
        yield from winning_replies(turn)
    yield from _about_crowds(turn)
    yield from _about_home(turn, name, home)
    yield from _about_colors(turn)


def winning_replies(turn: PartialTurn) -> Iterator[Warning]:
    """Opponents who can win in their next turn, were it theirs at once."""
    table, _ = turn.end_table()
    for seat in table.homes():
        if seat != turn.start.to_move:
            theirs = Table(table.systems, table.bank, seat, table.players)
            reply = next(winning_from(theirs, turn.options), None)
            if reply is not None:
                word = turn.seats[seat].word
                how = write_turn(reply, begin_at(theirs, turn.options))
                yield Warning(
                    "loses_next_turn",
                    Urgency.LOSS_NEXT,
                    f"Red alert: {word} can win with “{how}”.",
                    _of(seat=turn.seats[seat].value, turn=how),
                )


def _about_crowds(turn: PartialTurn) -> Iterator[Warning]:
    mover = turn.start.to_move
    for name, system in turn.table.systems.items():
        at_home = system.home == mover
        for color in system.overpopulated:
            word = COLORS[color].value
            yield Warning(
                "overpopulated",
                Urgency.CATASTROPHE_AT_HOME if at_home else Urgency.CATASTROPHE_ELSEWHERE,
                f"{name} is left with {system.count_of_color(color)} {word} pieces: the next player may declare a "
                f"catastrophe{f' at the home of {turn.to_move.word}' if at_home else ''}.",
                _of(system=name, color=word),
            )


def _about_home(turn: PartialTurn, name: str, home: Packed) -> Iterator[Warning]:
    mover = turn.start.to_move
    spot = weak_spot(home, mover)
    if spot is not None:
        word = COLORS[spot.color].value
        how = f"all {'ships' if spot.of_ships else 'stars'} at {name} are {word}"
        if spot.arrivals == 1:
            yield Warning(
                "sitting_duck",
                Urgency.ONE_STEP_FROM_LOSS,
                f"Sitting duck: {how}, and one more {word} piece there lets a catastrophe take them all.",
                _of(system=name, color=word),
            )
        else:
            yield Warning(
                "bluebird",
                Urgency.WEAK_HOME,
                f"Bluebird: {how}, and two more {word} pieces there let a catastrophe take them all.",
                _of(system=name, color=word),
            )
    before = next((system for system in turn.start.systems.values() if system.home == mover), None)
    if before is not None and before.biggest[mover] == Size.LARGE > home.biggest[mover]:
        yield Warning(
            "no_large_at_home",
            Urgency.WEAK_HOME,
            f"The last large ship has left {name}: any bigger ship that comes there can capture those that stay.",
            _of(system=name),
        )


@dataclass(frozen=True)
class WeakSpot:
    """A colour of which one or two more pieces at a home let one catastrophe put its owner out.

    Attributes:
        arrivals: how many more, 1 or 2.
        color: index of the colour.
        of_ships: whether it takes all ships, and not just all stars.
    """

    arrivals: int
    color: int
    of_ships: bool


def weak_spot(home: Packed, owner: int) -> WeakSpot | None:
    """The weakest spot of a home; ``None`` where it has none, or is overpopulated to its undoing already."""
    spots = []
    for of_ships, kinds in ((True, home.ships[owner]), (False, home.stars)):
        colors = {COLOR_OF[kind] for kind in kinds}
        if len(colors) == 1:
            (color,) = colors
            spots.append(WeakSpot(OVERPOPULATION - home.count_of_color(color), color, of_ships))
    weakest = min(spots, key=lambda spot: spot.arrivals, default=None)
    return weakest if weakest and weakest.arrivals in (1, 2) else None


def _about_colors(turn: PartialTurn) -> Iterator[Warning]:
    """The colours that the player has just been frozen out of."""
    for color in range(4):
        if _is_frozen_out(turn.table, turn.start.to_move, color) and not _is_frozen_out(
            turn.start, turn.start.to_move, color
        ):
            yield Warning(
                "frozen_out",
                Urgency.ECONOMY,
                f"{turn.to_move.word} has no {COLORS[color].value} ship and none to trade for one: the bank has no "
                f"{COLORS[color].value} piece of a fitting size.",
                _of(color=COLORS[color].value),
            )


def _is_frozen_out(table: Table, seat: int, color: int) -> bool:
    own = Counter(kind for system in table.systems.values() for kind in system.ships[seat])
    if any(COLOR_OF[kind] == color for kind in own):
        return False
    return not any(table.bank & 7 * UNIT[3 * color + SIZE_OF[kind] - 1] for kind in own)


def _about_set_up(turn: PartialTurn) -> Iterator[Warning]:
    name, home = _home(turn)
    if home is None:
        return
    if len(home.stars) == 2 and SIZE_OF[home.stars[0]] == SIZE_OF[home.stars[1]]:
        yield Warning(
            "gemini",
            Urgency.ECONOMY,
            f"Both stars of {name} have the same size (a gemini): the way to it is short from everywhere else.",
            _of(system=name),
        )
    for other_name, other in turn.start.systems.items():
        if other.home >= 0 and other.sizes == home.sizes:
            yield Warning(
                "small_universe",
                Urgency.ECONOMY,
                f"{name} and {other_name} have stars of the same sizes (a small universe): one system lies between "
                "them, and attacks come fast.",
                _of(system=name, other=other_name),
            )


def _home(turn: PartialTurn) -> tuple[str, Packed | None]:
    """The player's home as the turn leaves it, with its name."""
    mover = turn.start.to_move
    found = ((name, system) for name, system in turn.table.systems.items() if system.home == mover)
    return next(found, ("", None))


def _of(**parameters: str) -> FrozenMap[str, str]:
    return FrozenMap(parameters)
