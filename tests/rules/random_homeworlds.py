"""Positions of Homeworlds from random play with the naive steps; the same seed gives the same position."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from naive_homeworlds import (
    ACTIONS,
    KINDS,
    End,
    Moment,
    Place,
    Table,
    at_home,
    catastrophes,
    next_moments,
    sacrifices,
    settled,
    table,
    table_of,
)

from rules import Piece, Seat, homeworlds, seats_for

COLORS_TRIED = "ggggyyyrrbbb"
"""How often a power is wanted: fleets that grow and meet make richer positions than ships that wander."""


def random_position(random: Random) -> homeworlds.Position:
    """Somebody's turn in a game of two to four who set up as they like and then played at random.

    Homes may have one star only, systems may be overpopulated, and of three or four some may be out of the game.
    """
    players = random.choice([2, 2, 3, 4])
    position = set_up(random, players)
    for _ in range(random.randint(1, 16 * players)):
        after, to_move = random_turn(random, position)
        if len(at_home(after, position.seats)) > 1:  # otherwise the game would be over
            position = position_of(after, to_move, players)
    return position


def set_up(random: Random, players: int) -> homeworlds.Position:
    """Homes of two stars, seldom one, each with a ship that is most often the large green."""
    seats = seats_for(players)
    first = random.choice(seats)
    kinds = KINDS * (players + 1)
    random.shuffle(kinds)
    places = []
    for player, seat in enumerate(seats):
        ship = "g3" if random.random() < 0.6 and "g3" in kinds else kinds[-1]
        kinds.remove(ship)
        stars = [kinds.pop() for _ in range(random.choice([1, 2, 2, 2, 2]))]
        fleets = tuple((ship,) if player == other else () for other in range(players))
        place: Place = (seat, tuple(stars), fleets)
        places.append(place)
    return position_of(table(places), first, players)


def random_turn(random: Random, position: homeworlds.Position) -> tuple[Table, Seat]:
    """One turn after which the player who took it is still in the game."""
    seats = position.seats
    player = seats.index(position.to_move)
    before = table_of(position)
    while True:
        after = random_walk(random, before, player)
        alive = at_home(after, seats)
        if position.to_move in alive:
            return settled(End(after, at_home(before, seats) - alive), position)


def random_walk(random: Random, before: Table, player: int) -> Table:
    """The table after some steps of one turn."""
    if random.random() < 0.15:
        before = random.choice([before, *catastrophes(before)])
    if random.random() < 0.1:
        moment = random.choice([Moment(before, "none", 0), *sacrifices(before, player)])
        while moment.left and random.random() < 0.9:
            moment = random.choice([moment, *next_moments(moment, player)])
        return moment.table
    for color in random.sample(COLORS_TRIED, len(COLORS_TRIED)):
        actions = list(some_actions(before, player, color))
        if actions:
            return random.choice(actions)
    return before


def some_actions(now: Table, player: int, color: str) -> Iterator[Table]:
    """Every basic action with the power of one colour."""
    for at, (_, stars, fleets) in enumerate(now):
        if fleets[player] and any(piece[0] == color for piece in (*stars, *fleets[player])):
            yield from ACTIONS[color](now, player, at)


def position_of(now: Table, to_move: Seat, players: int) -> homeworlds.Position:
    """The position of a table: homes are called after their owners, other systems by numbers."""
    seats = seats_for(players)
    return homeworlds.Position(
        (
            homeworlds.System(
                home.word if home else f"System{number}",
                home,
                map(Piece.parse, stars),
                {seat: map(Piece.parse, fleet) for seat, fleet in zip(seats, fleets, strict=True)},
            )
            for number, (home, stars, fleets) in enumerate(now)
        ),
        to_move,
        players,
    )
