"""Positions made up at random that could come from a game, repeatable by their seed, and how to lay them out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import groupby, product

from companion_app.star_names import STARS
from rules import Piece, Seat, full_set, homeworlds, settlers
from vision import sight, solids
from vision.virtual import BoardLayout, Kind, Layout, ShipSpec, SystemsLayout, SystemSpec

MOST_OF_A_COLOR = 3  # in one system: a fourth would be a catastrophe waiting


class _Supply:
    """The pieces not yet on the table, drawn at random."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.left: list[Piece] = list(full_set().pieces)

    def draw(self, weights: Sequence[float], beside: Sequence[Piece] = (), other_size: bool = False) -> Piece:
        """A piece, its size in the proportion of *weights*, that overcrowds nothing *beside* it."""
        colors = Counter(piece.color for piece in beside)
        allowed = [
            piece
            for piece in self.left
            if colors[piece.color] < MOST_OF_A_COLOR
            and not (other_size and any(piece.size == other.size for other in beside))
        ]
        piece = self.dice.choices(allowed, [weights[piece.size - 1] for piece in allowed])[0]
        self.left.remove(piece)
        return piece


def random_homeworlds(seed: int) -> homeworlds.Position:
    """A position of Homeworlds: two homes and two to seven other systems, some of them contested."""
    dice = random.Random(f"homeworlds {seed}")
    supply = _Supply(dice)
    systems = [_home(supply, number) for number in (0, 1)]
    names = dice.sample(STARS, 7)
    systems += [_colony(supply, name) for name in names[: dice.randint(2, 7)] if len(supply.left) > 6]
    return homeworlds.Position.parse(f"<{dice.randint(0, 1)}>; " + "; ".join(systems))


def random_settlers(seed: int) -> settlers.Position:
    """A position of Settlers: 1 to 30 pieces, mostly side by side, early in a game or at its end."""
    dice = random.Random(f"settlers {seed}")
    supply = _Supply(dice)
    count = dice.randint(1, 30)
    weights = (4, 2, 1) if count < 15 else (2, 2, 2)
    fields: dict[str, str] = {}
    for _ in range(count):
        code = supply.draw(weights).code
        fields[_place(dice, fields)] = code if dice.random() < 0.5 else code.upper()
    ranks = "/".join(_rank([fields.get(file + rank) for file in settlers.FILES]) for rank in reversed(settlers.RANKS))
    return settlers.Position.parse(f"{ranks} {dice.choice('SN')} {dice.randint(0, 35)}")


def _home(supply: _Supply, player: int) -> str:
    """Two stars, mostly of two sizes; one to four ships of its own, mostly a large; now and then an invader."""
    dice = supply.dice
    pieces = [supply.draw((1, 1, 1))]
    pieces.append(supply.draw((1, 1, 1), pieces, other_size=dice.random() < 0.9))
    stars = "".join(piece.code for piece in pieces)
    own, invaders = [], []
    for number in range(dice.choice((1, 2, 2, 3, 3, 4))):
        pieces.append(supply.draw((1, 1, 12) if number == 0 else (4, 2, 1), pieces))
        own.append(pieces[-1].code)
    if dice.random() < 0.15:
        invaders.append(supply.draw((2, 2, 1), pieces).code)
    ships = ("".join(own), "".join(invaders))
    south, north = ships if player == 0 else ships[::-1]
    return f"{('South', 'North')[player]}({player},{stars}){south}-{north}"


def _colony(supply: _Supply, name: str) -> str:
    """One star and one to four ships, of one player or of both."""
    dice = supply.dice
    pieces = [supply.draw((1, 1, 1))]
    star = pieces[0].code
    ships = ["", ""]
    owner, contested = dice.randrange(2), dice.random() < 0.35
    for number in range(dice.choice((1, 1, 2, 2, 3, 4))):
        pieces.append(supply.draw((4, 2, 2), pieces))
        ships[1 - owner if contested and number % 2 else owner] += pieces[-1].code
    return f"{name}({star}){ships[0]}-{ships[1]}"


def _place(dice: random.Random, taken: Container[str]) -> str:
    """An empty field, three times out of four one that borders a piece."""
    empty = [field for field in settlers.FIELDS if field not in taken]
    bordering = [field for field in empty if any(other in taken for other in _around(field))]
    return dice.choice(bordering if bordering and dice.random() < 0.75 else empty)


def _around(field: str) -> Iterator[str]:
    file, rank = ord(field[0]), int(field[1])
    for dx, dy in product((-1, 0, 1), repeat=2):
        yield f"{chr(file + dx)}{rank + dy}"


def _rank(codes: Sequence[str | None]) -> str:
    """One rank of the position line: pieces, and digits for runs of empty fields."""
    return "".join(
        "".join(code for code in run if code) if filled else str(len(run))
        for filled, run in ((filled, list(group)) for filled, group in groupby(codes, key=bool))
    )


def layout_of(position: homeworlds.Position | settlers.Position) -> Layout:
    """The position as the virtual table lays it out, the bank beside it."""
    bank = {_kind(piece): count for piece, count in position.bank.items()}
    if isinstance(position, settlers.Position):
        return BoardLayout(
            {_cell(name): _ship(ship.piece, ship.owner) for name, ship in position.board.items()}, bank
        )
    return SystemsLayout(tuple(map(_system, position.systems)), bank)


def _system(system: homeworlds.System) -> SystemSpec:
    return SystemSpec(
        stars=tuple(_kind(star) for star in system.stars),
        ships=tuple(_ship(piece, seat) for seat, pieces in system.ships.items() for piece in pieces),
        home=sight.Seat(system.home.value) if system.home else None,
    )


def _ship(piece: Piece, owner: Seat) -> ShipSpec:
    color, size = _kind(piece)
    return ShipSpec(color, size, sight.Seat(owner.value))


def _kind(piece: Piece) -> Kind:
    return solids.Color(piece.color.value), solids.Size(piece.size)


def _cell(name: str) -> tuple[int, int]:
    return settlers.FILES.index(name[0]), settlers.RANKS.index(name[1])
