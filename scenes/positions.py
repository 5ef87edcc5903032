"""What stands on the table: positions of legal random games that grow as people's games do, set-ups and banks.

The only place of the generator that knows rules.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from rules import homeworlds, settlers
from rules.bank import Bank, full_set
from rules.pieces import Piece
from rules.seats import Seat as RulesSeat
from vision.sight import Seat
from vision.solids import Color, Size
from vision.virtual.layout import BoardLayout, Kind, ShipSpec, SystemsLayout, SystemSpec

TRIES = 8  # of a turn that does not end the game

HOMEWORLDS_LIKING = {
    homeworlds.Homeworld: 1.0,
    homeworlds.Build: 5.0,
    homeworlds.Discover: 4.0,
    homeworlds.Move: 1.0,
    homeworlds.Trade: 2.0,
    homeworlds.Capture: 2.0,
    homeworlds.Sacrifice: 0.4,
    homeworlds.Catastrophe: 0.2,
    homeworlds.Pass: 0.02,
}
"""How people choose, roughly: they build and explore."""

SETTLERS_LIKING = {
    settlers.Land: 2.0,
    settlers.Choose: 3.0,
    settlers.Build: 8.0,
    settlers.Upgrade: 5.0,
    settlers.Trade: 3.0,
    settlers.Conquer: 2.0,
    settlers.Transfer: 1.0,
    settlers.Move: 0.7,
}


def random_homeworlds(rng: random.Random, turns: int) -> homeworlds.Position:
    """A position after up to *turns* legal turns from the empty table."""
    game = homeworlds.Game()
    _play(game, lambda: game.push(_homeworlds_turn(game, rng)), turns)
    return game.position


def _homeworlds_turn(game: homeworlds.Game, rng: random.Random) -> homeworlds.Turn:
    turn = game.begin()
    while True:
        groups: dict[type, list[homeworlds.Step]] = {}
        for step in turn.legal_steps():
            groups.setdefault(type(step), []).append(step)
        if not groups or (turn.steps and turn.can_end):
            return turn.steps
        kinds = list(groups)
        kind = rng.choices(kinds, [HOMEWORLDS_LIKING[kind] for kind in kinds])[0]
        turn = turn.apply(rng.choice(groups[kind]))


def random_settlers(rng: random.Random, turns: int) -> settlers.Position:
    """A position after up to *turns* legal turns from the empty board."""
    game = settlers.Game()
    _play(game, lambda: game.push(_settlers_turn(game, rng)), turns)
    return game.position


def _play(game: homeworlds.Game | settlers.Game, take_turn: Callable[[], object], turns: int) -> None:
    """Up to so many *turns*; one that ends the game is taken back and another tried: nobody does so on purpose."""
    for _ in range(turns):
        for _ in range(TRIES):
            take_turn()
            if not game.outcome():
                break
            game.pop()
        else:
            return


def _settlers_turn(game: settlers.Game, rng: random.Random) -> settlers.Turn:
    turn = game.begin()
    while rng.random() < 0.97:
        groups: dict[type, list[settlers.Step]] = {}
        for step in turn.legal_steps():
            groups.setdefault(type(step), []).append(step)
        groups.pop(settlers.Pass, None)
        if not groups:
            break
        kinds = list(groups)
        kind = rng.choices(kinds, [SETTLERS_LIKING[kind] for kind in kinds])[0]
        turn = turn.apply(rng.choice(groups[kind]))
    return turn.steps


def systems_layout(position: homeworlds.Position) -> SystemsLayout:
    """The same in vision's words, without names."""
    systems = tuple(
        SystemSpec(
            tuple(_kind(star) for star in system.stars),
            tuple(ShipSpec(*_kind(ship), _seat(seat)) for seat, fleet in system.ships.items() for ship in fleet),
            None if system.home is None else _seat(system.home),
        )
        for system in position.systems
    )
    return SystemsLayout(systems, _counted(position.bank))


def binaries(rng: random.Random) -> SystemsLayout:
    """A table full of systems with two stars each, as no game has them: to learn to tell one star under another."""
    kinds = some_pieces(rng, len(full_set().pieces))
    systems = []
    for _ in range(rng.randint(3, 9)):
        stars = (kinds.pop(), kinds.pop())
        ships = tuple(ShipSpec(*kinds.pop(), rng.choice(list(Seat))) for _ in range(rng.choice((0, 1, 1, 2))))
        systems.append(SystemSpec(stars, ships))
    return SystemsLayout(tuple(systems), Counter(kinds))


def board_layout(position: settlers.Position) -> BoardLayout:
    """The same in vision's words."""
    cells = {
        ("abcdef".index(field[0]), int(field[1]) - 1): ShipSpec(*_kind(ship.piece), _seat(ship.owner))
        for field, ship in position.board.items()
    }
    return BoardLayout(cells, _counted(position.bank))


def whole_bank(redless: bool = False) -> dict[Kind, int]:
    """All pieces of the game, none in play."""
    return _counted(full_set(redless=redless))


def some_pieces(rng: random.Random, count: int) -> list[Kind]:
    """*count* pieces drawn from one set."""
    return [_kind(piece) for piece in rng.sample(full_set().pieces, count)]


def _counted(bank: Bank) -> dict[Kind, int]:
    return {_kind(piece): count for piece, count in bank.items() if count}


def _kind(piece: Piece) -> Kind:
    return Color(piece.color.value), Size(int(piece.size))


def _seat(seat: RulesSeat) -> Seat:
    return Seat(seat.value)
