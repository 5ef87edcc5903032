"""The steps that put a position on an empty table: homes first, then place by place and piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from companion_app.notation import Position
from rules import Piece, Seat, homeworlds

BANK, TOKEN = "bank", "turn token"
"""The places of the two steps that lay no piece."""


@dataclass(frozen=True)
class Step:
    """One thing to do.

    Attributes:
        place: name of a system or field, or ``TOKEN`` or ``BANK``.
        where: the same as people say it, such as ``"South’s home"``; ``""`` for the last two steps.
        words: what to do there.
        piece: the piece to lay or stand up; ``None`` for the last two steps.
        owner: whose ship it is; ``None`` for a star.
    """

    place: str
    where: str
    words: str
    piece: Piece | None = None
    owner: Seat | None = None

    @property
    def sentence(self) -> str:
        """Where, and what to do there."""
        return f"{self.where}: {self.words[0].lower()}{self.words[1:]}" if self.where else self.words


@dataclass(frozen=True)
class Group:
    """Steps that belong together — a system, a rank of the board, the end — by their numbers in the plan.

    Attributes:
        place: the name of the system, or ``""``.
        title: its heading.
        hint: where on the table it goes, or ``""``.
    """

    place: str
    title: str
    hint: str
    numbers: range

    def words_of(self, step: Step) -> str:
        """One of its steps below its heading: without the place where the heading says it."""
        return step.words if step.where == self.title else step.sentence


@dataclass(frozen=True)
class Plan:
    """All that has to be done for *position*: the steps in their order, and the groups that they form."""

    position: Position
    steps: tuple[Step, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class _Stage:
    """A group before its steps have numbers."""

    place: str
    title: str
    hint: str
    steps: tuple[Step, ...]


def plan_of(position: Position) -> Plan:
    """How to put *position* on an empty table; at the end the turn token is laid and the bank compared.

    >>> plan = plan_of(homeworlds.Position.parse("<1>; South(0,b3y2)g3-; North(1,g1r2)-g3"))
    >>> plan.steps[2].sentence
    'South’s home: lay a large green ship, 3 pips, pointing away from South.'
    >>> [group.title for group in plan.groups]
    ['South’s home', 'North’s home', 'At the end']
    """
    stages = [*_stages(position), _Stage("", "At the end", "", tuple(_last_steps(position)))]
    groups: list[Group] = []
    steps: list[Step] = []
    for stage in stages:
        groups.append(Group(stage.place, stage.title, stage.hint, range(len(steps), len(steps) + len(stage.steps))))
        steps += stage.steps
    return Plan(position, tuple(steps), tuple(groups))


def title_of(system: homeworlds.System) -> str:
    """What a system is called in a heading: ``"South’s home"``, ``"Sol, South’s home"`` or ``"Vega"``."""
    if system.home is None:
        return system.name
    home = f"{system.home.word}’s home"
    return home if system.name.casefold() == system.home.value else f"{system.name}, {home}"


def counted(pieces: Iterable[Piece]) -> str:
    """Some pieces in words, each kind once: ``"2 small red, 1 large blue"``, or ``"nothing"``."""
    kinds = ((piece, sum(1 for _ in same)) for piece, same in groupby(sorted(pieces)))
    return ", ".join(f"{count} {piece.words}" for piece, count in kinds) or "nothing"


def _stages(position: Position) -> Iterator[_Stage]:
    if isinstance(position, homeworlds.Position):
        yield from (_system(system, position.seats) for system in position.systems)
        return
    ranks = groupby(sorted(position.board.items(), key=lambda item: item[0][::-1]), key=lambda item: item[0][1])
    for rank, ships in ranks:
        steps = tuple(
            Step(field, field, _laid(ship.piece, ship.owner), ship.piece, ship.owner) for field, ship in ships
        )
        yield _Stage("", f"Rank {rank}", f"from a{rank} to f{rank}", steps)


def _system(system: homeworlds.System, seats: Iterable[Seat]) -> _Stage:
    title = title_of(system)
    stars = [Step(system.name, title, f"Stand up a {star.words} star, {_pips(star)}.", star) for star in system.stars]
    ships = [Step(system.name, title, _laid(ship, seat), ship, seat) for seat in seats for ship in system.ships[seat]]
    hint = f"on {system.home.word}’s side of the table" if system.home else ""
    return _Stage(system.name, title, hint, (*stars, *ships))


def _laid(ship: Piece, owner: Seat) -> str:
    return f"Lay a {ship.words} ship, {_pips(ship)}, pointing away from {owner.word}."


def _pips(piece: Piece) -> str:
    return f"{int(piece.size)} pip{'' if piece.size == 1 else 's'}"


def _last_steps(position: Position) -> Iterator[Step]:
    yield Step(TOKEN, "", f"Lay the turn token before {position.to_move.word}: it is {position.to_move.word}’s turn.")
    pieces = position.bank.pieces
    yield Step(
        BANK, "", f"Compare the bank: {len(pieces)} piece{'' if len(pieces) == 1 else 's'} — {counted(pieces)}."
    )
