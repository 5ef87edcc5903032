"""Every end of a Homeworlds turn, found the slow way: a second reading of the rules to hold the engine against.

Nothing here is shared with the engine but the words of a position. A *table* is a sorted tuple of systems without
names; a system is ``(home, stars, fleets)`` with pieces as codes such as ``"g3"`` and one fleet for each seat in
turn order. All orders of all steps are tried; a situation met before is not played out a second time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from rules import Seat, homeworlds

COLORS = "rygb"
SIZES = "123"
KINDS = [color + size for color in COLORS for size in SIZES]

Pieces = tuple[str, ...]
Place = tuple[Seat | None, Pieces, tuple[Pieces, ...]]
Table = tuple[Place, ...]


@dataclass(frozen=True)
class End:
    """How the table stands when a turn is over but the eliminated are still on it, and who they are."""

    table: Table
    eliminated: frozenset[Seat]


@dataclass(frozen=True)
class Counts:
    """How many ends of one turn are different, spare the one who moved, win, and draw."""

    distinct: int
    not_self_eliminating: int
    wins: int
    draws: int


@dataclass(frozen=True)
class Moment:
    """A moment inside a turn: *left* more actions in *power*, or one in any colour when nothing was done yet."""

    table: Table
    power: str
    left: int


class TooMany(Exception):
    """A turn has more moments than one wants to wait for."""


# ---------------------------------------------------------------- the table


def table_of(position: homeworlds.Position) -> Table:
    """The systems of *position* without their names."""
    return ordered(
        (
            system.home,
            tuple(star.code for star in system.stars),
            tuple(tuple(ship.code for ship in system.ships[seat]) for seat in position.seats),
        )
        for system in position.systems
    )


def table(places: Iterable[Place]) -> Table:
    """*places* without those back in the bank: they have no star, or no ship and are nobody's home (5, 6)."""
    return ordered(place for place in places if place[1] and (place[0] or any(place[2])))


def ordered(places: Iterable[Place]) -> Table:
    """*places* in an order that depends on nothing but what stands there."""
    tidy = [(home, tuple(sorted(stars)), tuple(map(tuple, map(sorted, fleets)))) for home, stars, fleets in places]
    return tuple(sorted(tidy, key=repr))


def all_pieces(place: Place) -> list[str]:
    """Stars and everybody's ships."""
    _, stars, fleets = place
    return [*stars, *(ship for fleet in fleets for ship in fleet)]


def bank(now: Table) -> Counter[str]:
    """What the table leaves of the full set."""
    for _, _, fleets in now:
        full = Counter({kind: len(fleets) + 1 for kind in KINDS})
        return full - Counter(piece for place in now for piece in all_pieces(place))
    raise ValueError("an empty table does not tell how many play")


def without(pieces: Pieces, piece: str) -> Pieces:
    """*pieces* less one of a kind."""
    rest = list(pieces)
    rest.remove(piece)
    return tuple(rest)


def with_fleet(place: Place, player: int, fleet: Pieces) -> Place:
    """*place* with other ships of *player*."""
    home, stars, fleets = place
    return home, stars, (*fleets[:player], fleet, *fleets[player + 1 :])


def exchanged(now: Table, *changes: tuple[int, Place]) -> Table:
    """The table with other places at some indices; an index past the end adds one."""
    places = dict(enumerate(now))
    places.update(changes)
    return table(places.values())


# ---------------------------------------------------------------- the four powers


def builds(now: Table, player: int, at: int) -> Iterator[Table]:
    """One ship of a colour that *player* has there, the smallest that the bank has (15)."""
    _, _, fleets = now[at]
    for color in dict.fromkeys(ship[0] for ship in fleets[player]):
        sizes = [size for size in SIZES if bank(now)[color + size]]
        if sizes:
            grown = (*fleets[player], color + min(sizes))
            yield exchanged(now, (at, with_fleet(now[at], player, grown)))


def trades(now: Table, player: int, at: int) -> Iterator[Table]:
    """One ship for another of its size in another colour (12)."""
    _, _, fleets = now[at]
    for ship in dict.fromkeys(fleets[player]):
        for color in COLORS:
            wanted = color + ship[1]
            if wanted != ship and bank(now)[wanted]:
                fleet = (*without(fleets[player], ship), wanted)
                yield exchanged(now, (at, with_fleet(now[at], player, fleet)))


def captures(now: Table, player: int, at: int) -> Iterator[Table]:
    """One ship of somebody else, not larger than one's largest there (13)."""
    _, _, fleets = now[at]
    largest = max((ship[1] for ship in fleets[player]), default="0")
    for owner, fleet in enumerate(fleets):
        for ship in dict.fromkeys(fleet):
            if owner != player and ship[1] <= largest:
                robbed = with_fleet(now[at], owner, without(fleet, ship))
                yield exchanged(now, (at, with_fleet(robbed, player, (*fleets[player], ship))))


def moves(now: Table, player: int, at: int) -> Iterator[Table]:
    """One ship to a system of other sizes, an old one or one around a star from the bank (16)."""
    _, stars, fleets = now[at]
    sizes = {star[1] for star in stars}
    for ship in dict.fromkeys(fleets[player]):
        left = with_fleet(now[at], player, without(fleets[player], ship))
        for to, target in enumerate(now):
            if not sizes & {star[1] for star in target[1]}:
                reached = with_fleet(target, player, (*target[2][player], ship))
                yield exchanged(now, (at, left), (to, reached))
        for star in KINDS:
            if bank(now)[star] and star[1] not in sizes:
                nobody: Place = (None, (star,), ((),) * len(fleets))
                yield exchanged(now, (at, left), (len(now), with_fleet(nobody, player, (ship,))))


ACTIONS = {"r": captures, "y": moves, "g": builds, "b": trades}


# ---------------------------------------------------------------- the steps of a turn


def basic_actions(now: Table, player: int) -> Iterator[Table]:
    """Any one action with the power of a star there or of an own ship there (14)."""
    for at, (_, stars, fleets) in enumerate(now):
        if fleets[player]:
            for color in {piece[0] for piece in (*stars, *fleets[player])}:
                yield from ACTIONS[color](now, player, at)


def sacrifice_actions(now: Table, player: int, color: str) -> Iterator[Table]:
    """An action of one colour wherever one still has a ship (17)."""
    for at, (_, _, fleets) in enumerate(now):
        if fleets[player]:
            yield from ACTIONS[color](now, player, at)


def sacrifices(now: Table, player: int) -> Iterator[Moment]:
    """Any own ship anywhere, for as many actions as it has pips."""
    for at, (_, _, fleets) in enumerate(now):
        for ship in dict.fromkeys(fleets[player]):
            rest = without(fleets[player], ship)
            yield Moment(exchanged(now, (at, with_fleet(now[at], player, rest))), ship[0], int(ship[1]))


def catastrophes(now: Table) -> Iterator[Table]:
    """Any colour of which a system holds four; with its last star all ships there are gone (1, 2, 5)."""
    for at, place in enumerate(now):
        home, stars, fleets = place
        for color in COLORS:
            if sum(piece[0] == color for piece in all_pieces(place)) >= 4:
                stars_left = tuple(star for star in stars if star[0] != color)
                ships_left = tuple(tuple(ship for ship in fleet if ship[0] != color) for fleet in fleets)
                yield exchanged(now, (at, (home, stars_left, ships_left)))


def set_ups(now: Table, seat: Seat, player: int, players: int) -> Iterator[Table]:
    """Two stars of any kinds and a large ship (18, 19)."""
    left = bank(now) if now else Counter(dict.fromkeys(KINDS, players + 1))
    for stars in combinations_with_replacement(KINDS, 2):
        for color in COLORS:
            if not Counter([*stars, color + "3"]) - left:
                nobody: Place = (seat, stars, ((),) * players)
                yield table((*now, with_fleet(nobody, player, (color + "3",))))


def next_moments(moment: Moment, player: int) -> Iterator[Moment]:
    """Everything that may be done next."""
    now, power, left = moment.table, moment.power, moment.left
    for after in catastrophes(now):
        yield Moment(after, power, left)
    if left and power == "any":
        yield from (Moment(after, "none", 0) for after in basic_actions(now, player))
        yield from sacrifices(now, player)
    elif left:
        yield from (Moment(after, power, left - 1) for after in sacrifice_actions(now, player, power))


def tables_after(now: Table, player: int, most: int) -> set[Table]:
    """Every table at which *player* may stop; dropping actions and passing are always allowed (10, 11)."""
    waiting = [Moment(now, "any", 1)]
    seen = set(waiting)
    while waiting:
        for moment in next_moments(waiting.pop(), player):
            if moment not in seen:
                seen.add(moment)
                waiting.append(moment)
        if len(seen) > most:
            raise TooMany
    return {moment.table for moment in seen}


# ---------------------------------------------------------------- the ends of a turn


def at_home(now: Table, seats: tuple[Seat, ...]) -> frozenset[Seat]:
    """Who has a home and a ship of one's own there."""
    return frozenset(home for home, _, fleets in now if home and fleets[seats.index(home)])


def end_positions(position: homeworlds.Position, most: int = 1_000_000) -> set[End]:
    """Every way in which the player to move can end the turn, eliminated players still on the table.

    Raises :class:`TooMany` when the turn has more than *most* different moments.
    """
    now = table_of(position)
    seat, seats = position.to_move, position.seats
    player = seats.index(seat)
    had_home = frozenset(home for home, _, _ in now if home)
    tables = tables_after(now, player, most) if seat in had_home else set(set_ups(now, seat, player, len(seats)))
    return {End(after, had_home - at_home(after, seats)) for after in tables}


def settled(end: End, position: homeworlds.Position) -> tuple[Table, Seat]:
    """The table and the seat to move once the turn from *position* that came to *end* is over (22, 23).

    The home of an eliminated player is nobody's any more. Next is the first player round the table who is still in
    the game or, while homes are set up, simply the next; a game that nobody is left in goes on with the next too.
    """
    mover, seats = position.to_move, position.seats
    after = table((None if home in end.eliminated else home, stars, fleets) for home, stars, fleets in end.table)
    turn = seats.index(mover) + 1
    following = [*seats[turn:], *seats[:turn]]
    alive = {home for home, _, _ in after if home}
    if position.homes(mover):
        following = [seat for seat in following if seat in alive] or following
    return after, following[0]


def counts(position: homeworlds.Position) -> Counts:
    """The numbers of :func:`end_positions`, for two players."""
    mover = position.to_move
    ends = end_positions(position)
    return Counts(
        distinct=len(ends),
        not_self_eliminating=sum(mover not in end.eliminated for end in ends),
        wins=sum(bool(end.eliminated) and mover not in end.eliminated for end in ends),
        draws=sum(len(end.eliminated) == 2 for end in ends),
    )
