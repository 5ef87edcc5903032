"""The places of a plan, each with the pieces that a reading shows there.

A field is where it is. A system is wherever the pieces are that make it: systems are matched by what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion_app.reading_types import Reading, ReadPiece, ReadSystem
from companion_app.restoring.fitting import misfit
from companion_app.restoring.matching import matched
from companion_app.restoring.steps import Group, Plan, Step
from rules import Seat, homeworlds

OTHER_HOME = 0.1
"""What it costs to match systems that are not the same player's home: it only settles which of two that are alike."""


@dataclass(frozen=True)
class Spot:
    """One place.

    Attributes:
        steps: the numbers of the steps of the plan that are to be done here; none where nothing should be.
        pieces: the numbers of the pieces that the reading shows here.
        words: where it is: ``"on c4"``, ``"at Vega"``.
        place, system: the plan's name of the system and the reading's id of it; ``""`` and ``None`` without one.
        home_wrong: what to say where the system lies on the wrong side of the table; else ``""``.
    """

    steps: tuple[int, ...]
    pieces: tuple[int, ...]
    words: str
    place: str = ""
    system: int | None = None
    home_wrong: str = ""


def spots_of(plan: Plan, reading: Reading) -> list[Spot]:
    """All places where something should be, or is."""
    if isinstance(plan.position, homeworlds.Position):
        return list(_systems(plan, plan.position, reading))
    return list(_fields(plan, reading))


def _fields(plan: Plan, reading: Reading) -> Iterator[Spot]:
    steps = {step.place: number for number, step in enumerate(plan.steps) if step.piece}
    pieces: dict[str, list[int]] = {}
    for index, piece in enumerate(reading.pieces):
        if piece.on_table and piece.field:
            pieces.setdefault(piece.field, []).append(index)
    for field in sorted({*steps, *pieces}):
        yield Spot((steps[field],) if field in steps else (), tuple(pieces.get(field, ())), f"on {field}")


def _systems(plan: Plan, position: homeworlds.Position, reading: Reading) -> Iterator[Spot]:
    groups = plan.groups[: len(position.systems)]
    homes = {system.home.value for system in reading.systems if system.home}
    members = {system.id: _members(reading, system) for system in reading.systems}

    def difference(wanted: tuple[Group, homeworlds.System], seen: ReadSystem) -> float:
        steps = [plan.steps[number] for number in wanted[0].numbers]
        strange = _home_of(seen) is not wanted[1].home
        return _misfits(steps, [reading.pieces[index] for index in members[seen.id]]) + OTHER_HOME * strange

    def size(one: tuple[Group, homeworlds.System] | ReadSystem) -> float:
        return float(len(members[one.id]) if isinstance(one, ReadSystem) else len(one[0].numbers))

    wanted = list(zip(groups, position.systems, strict=True))
    found = matched(wanted, reading.systems, difference, size)
    for (group, system), partner in zip(wanted, found.partners, strict=True):
        numbers, words = tuple(group.numbers), f"at {group.title}"
        if partner is None:
            yield Spot(numbers, (), words, group.place)
            continue
        seen = reading.systems[partner]
        wrong = _home_wrong(system.home, _home_of(seen), homes)
        yield Spot(numbers, members[seen.id], words, group.place, seen.id, wrong)
    for number in found.left:
        seen = reading.systems[number]
        yield Spot((), members[seen.id], "of a system that is too much", system=seen.id)


def _misfits(steps: Sequence[Step], pieces: Sequence[ReadPiece]) -> float:
    return matched(steps, pieces, misfit).cost


def _members(reading: Reading, system: ReadSystem) -> tuple[int, ...]:
    return tuple(index for index, piece in enumerate(reading.pieces) if piece.on_table and piece.system == system.id)


def _home_of(system: ReadSystem) -> Seat | None:
    return Seat(system.home.value) if system.home else None


def _home_wrong(wanted: Seat | None, seen: Seat | None, homes: set[str]) -> str:
    """A home that lost a star is not known from a picture; it is wrong only where the picture shows another."""
    if wanted is seen or (seen is None and wanted is not None and wanted.value not in homes):
        return ""
    if wanted:
        return f"This is {wanted.word}’s home: it belongs on {wanted.word}’s side of the table."
    return f"This looks like {seen.word}’s home, but is nobody’s." if seen else ""
