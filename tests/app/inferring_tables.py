"""Tables for the tests of inference in Homeworlds: a position, and readings of what comes after it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

from benchmarks.turn_inference import Reader
from companion_app.inferring import Appearance, Judgement, Observation, ObservedPiece, explain
from companion_app.samples import random_homeworlds
from rules import Piece, Seat
from rules.homeworlds import Options, Position, begin, legal_turns
from rules.homeworlds.table import Table

G3 = Piece.parse("g3")
HOMES = "South(0,b3y2)g3y2-; North(1,r1g2)-g3"
BEFORE = f"<0>; {HOMES}; Sirius(g2)y2-; Vega(b2)g1-"
SACRIFICED = f"<1>; {HOMES.replace('g3y2', 'g3')}; Sirius(g2)y2-; Vega(b2)g1-"


def judged(
    after: str, before: str = BEFORE, earlier: tuple[str, ...] = (), *, ended: bool = True, bank: bool = True
) -> Judgement:
    """The judgement on an exact reading, its systems in any order."""
    seen = Reader("any order", bank).exact(Position.parse(after))
    positions = [Position.parse(line) for line in earlier]
    return explain(Position.parse(before), Options(), seen, earlier=positions, ended=ended)


def key(position: object) -> int:
    assert isinstance(position, Position)
    return Table.of(position).key


def altered(seen: Observation, code: str, owner: Seat | None = None, **beliefs: Any) -> Observation:
    """*seen* with the only piece of a kind, of all or of *owner*'s, believed otherwise."""

    def is_meant(look: Appearance) -> bool:
        return look.piece.code == code and owner in (None, look.owner)

    return _each_piece(
        seen, lambda piece: ObservedPiece.believed(piece.index, **beliefs) if is_meant(piece.read) else piece
    )


def overlooked(seen: Observation, code: str, owner: Seat | None) -> Observation:
    """*seen* without the pieces that look so."""
    look = Appearance(Piece.parse(code), owner)
    return _each_piece(seen, lambda piece: None if piece.read == look else piece)


def _each_piece(seen: Observation, made: Callable[[ObservedPiece], ObservedPiece | None]) -> Observation:
    groups = []
    for group in seen.groups:
        pieces = tuple(new for piece in group.pieces if (new := made(piece)))
        groups.append(replace(group, pieces=pieces))
    return replace(seen, groups=tuple(groups))


def some_turn(seed: int) -> tuple[Position, Position]:
    """A position of not too many turns and one after a legal turn, both drawn by lot."""
    dice = random.Random(seed)
    drawn = (random_homeworlds(dice.randrange(10_000)) for _ in range(100))
    before = next(one for one in drawn if next(islice(legal_turns(one).turns(), 800, None), None) is None)
    turn = dice.choice(list(legal_turns(before).turns()))
    return before, begin(before).play(turn).end()
