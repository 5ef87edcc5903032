"""A restoration made ready to be shown: everything that the templates print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from companion_app.diagram import diagram_svg
from companion_app.reading_types import Point, Reading
from companion_app.restoring.banks import BankRow, bank_rows, bank_seen
from companion_app.restoring.comparing import Found, Mark, compare
from companion_app.restoring.drawing import on_paper, plan_svg, step_svg
from companion_app.restoring.restoration import Restoration
from companion_app.restoring.steps import BANK, Step
from rules import settlers
from vision.sight import Role

BANK_SIGNS = {"": "", "hidden": "?", "counted": "✓", "unlike": "≠", "differs": "≠"}
"""What stands beside a number of the bank, by how it compares with what the bank should hold."""
BANK_STATES = {
    "": "",
    "hidden": ", not all are seen",
    "counted": ", counted by hand",
    "unlike": ", another number so far",
    "differs": ", too many",
}
"""The same in words."""

SIGNS = {Mark.OPEN: "", Mark.DONE: "✓", Mark.LIKELY: "?", Mark.WRONG: "✕"}
"""What stands beside a step, so that colour is never the only mark."""
STATES = {Mark.OPEN: "to do", Mark.DONE: "done", Mark.LIKELY: "unsure", Mark.WRONG: "wrong"}


@dataclass(frozen=True)
class ShownStep:
    """A step with its mark; *number* counts from 0, *words* tell it below the heading of its group."""

    number: int
    step: Step
    words: str
    found: Found
    svg: str

    @property
    def sign(self) -> str:
        """The sign of its mark."""
        return SIGNS[self.found.mark]

    @property
    def state(self) -> str:
        """Its mark in words."""
        return STATES[self.found.mark]


@dataclass(frozen=True)
class ShownGroup:
    """A group of steps."""

    title: str
    hint: str
    steps: tuple[ShownStep, ...]

    @property
    def open(self) -> str:
        """The numbers of the steps that are not done, for a button that ticks them all."""
        return " ".join(str(shown.number) for shown in self.steps if shown.found.mark is not Mark.DONE)


@dataclass(frozen=True)
class Marked:
    """A piece on the photo of the last look that needs a second look: its outline, its sign and its words."""

    outline: tuple[Point, ...]
    at: Point
    sign: str
    mark: Mark
    words: str


class Showing:
    """What the page shows of *restoration*."""

    def __init__(self, restoration: Restoration) -> None:
        self.plan = restoration.plan
        self.about = restoration.about
        self.progress = restoration.progress
        self.look = restoration.look

    @property
    def facts(self) -> list[str]:
        """Who plays, when it was, whose turn it is: a line each."""
        about, position = self.about, self.plan.position
        players = f"{about.south or 'South'} (South) and {about.north or 'North'} (North)"
        quiet = position.quiet_turns if isinstance(position, settlers.Position) else 0
        return [
            *([players] if about.south or about.north else []),
            *([about.date] if about.date else []),
            f"{position.to_move.word} to move",
            *([f"{quiet} turns without a conquest"] if quiet else []),
        ]

    @cached_property
    def groups(self) -> tuple[ShownGroup, ...]:
        """All steps with their marks."""
        return tuple(
            ShownGroup(group.title, group.hint, tuple(self._step(number) for number in group.numbers))
            for group in self.plan.groups
        )

    @property
    def next(self) -> ShownStep | None:
        """What to do now."""
        return None if self.progress.next is None else self._step(self.progress.next)

    @property
    def last_done(self) -> int | None:
        """The step before that one, to go back to."""
        upto = len(self.plan.steps) if self.progress.next is None else self.progress.next
        return upto - 1 if upto else None

    @property
    def wrong(self) -> list[ShownStep]:
        """The steps that were done wrong, then those that a person should look at."""
        steps = [self._step(number) for number, found in enumerate(self.progress.found) if found.sentence]
        return sorted(steps, key=lambda shown: shown.found.mark is not Mark.WRONG)

    @property
    def verdict(self) -> str:
        """How it stands, in one line."""
        wrong, unsure = self._count(Mark.WRONG), self._count(Mark.LIKELY)
        away = sum(surplus.sure for surplus in self.progress.surplus)
        if self.progress.complete:
            return f"Everything stands again: it is {self.plan.position.to_move.word}’s turn."
        done = f"{self.progress.done} of {len(self.plan.steps)} steps done"
        more = [
            *([f"{wrong} to put right"] if wrong else []),
            *([f"{away} too much"] if away else []),
            *([f"{unsure} to look at"] if unsure else []),
        ]
        return ", ".join([done, *more]) + "."

    @property
    def tone(self) -> str:
        """Its colour: that of a reading which is certain, to be checked, or wrong."""
        if self.progress.complete:
            return "certain"
        wrong = self._count(Mark.WRONG) or any(surplus.sure for surplus in self.progress.surplus)
        return "unreadable" if wrong else "check" if self._count(Mark.LIKELY) else "plain"

    @property
    def diagram(self) -> str:
        """The position with the marks of its steps."""
        return plan_svg(self.plan, self.progress.found)

    @property
    def paper_diagram(self) -> str:
        """The position to be printed."""
        return on_paper(diagram_svg(self.plan.position))

    @cached_property
    def bank(self) -> tuple[BankRow, ...]:
        """The bank as it should be, as the photo shows it, and as it is."""
        table = bank_seen(self.look.reading) if self.look else None
        return bank_rows(self.plan.position, self.about.bank, table)

    @property
    def bank_counts(self) -> bool:
        """Whether all pieces lie, so that the bank on the table should be as wanted."""
        laid = zip(self.plan.steps, self.progress.found, strict=True)
        pieces_lie = all(found.mark is Mark.DONE for step, found in laid if step.piece)
        return pieces_lie and not self.progress.surplus

    @property
    def bank_is_counted(self) -> bool:
        """Whether the bank has been found right, by a look or by a person."""
        step = next((number for number, step in enumerate(self.plan.steps) if step.place == BANK), None)
        return self.bank_counts and step is not None and self.progress.found[step].mark is Mark.DONE

    def bank_mark(self, row: BankRow) -> str:
        """How the number on the table compares with what the bank should hold: a key of :data:`BANK_SIGNS`."""
        if not row.table_differs:
            return ""
        if self.bank_is_counted:
            return "counted"
        if row.table_hides:
            return "hidden"
        return "differs" if self.bank_counts else "unlike"

    @staticmethod
    def photo_mark(row: BankRow) -> str:
        """The same for the number in the photo of the position."""
        return "hidden" if row.photo_hides else "differs" if row.photo_differs else ""

    @property
    def bank_hides(self) -> bool:
        """Whether some number is only of what is seen."""
        return any("hidden" in (self.bank_mark(row), self.photo_mark(row)) for row in self.bank)

    @cached_property
    def labels(self) -> list[tuple[str, Point]]:
        """The plan's names of the systems, and where to write them on the photo of the last look."""
        if self.look is None:
            return []
        named = []
        for name, number in compare(self.plan, self.look.reading).places.items():
            pieces = [piece for piece in self.look.reading.pieces if piece.system == number and piece.outline]
            if pieces:
                x = sum(piece.center[0] for piece in pieces) / len(pieces)
                top = min(point[1] for piece in pieces for point in piece.outline)
                named.append((name, (round(x, 1), round(top, 1))))
        return named

    @cached_property
    def marked(self) -> tuple[Marked, ...]:
        """What needs a second look on the photo of the last look."""
        return tuple(self._marked(self.look.reading)) if self.look else ()

    def region_of_bank(self, reading: Reading) -> tuple[int, int, int, int] | None:
        """(x, y, width, height) of the bank in a reading's picture; ``None`` where it shows none."""
        points = [point for piece in reading.pieces if piece.role is Role.BANK for point in piece.outline]
        if not points:
            return None
        room = 0.03 * reading.image[0]
        left, top = (max(0.0, min(point[axis] for point in points) - room) for axis in (0, 1))
        right, foot = (
            min(float(reading.image[axis]), max(point[axis] for point in points) + room) for axis in (0, 1)
        )
        return int(left), int(top), max(1, int(right - left)), max(1, int(foot - top))

    def _count(self, mark: Mark) -> int:
        return sum(found.mark is mark for found in self.progress.found)

    def _step(self, number: int) -> ShownStep:
        step, group = self.plan.steps[number], next(one for one in self.plan.groups if number in one.numbers)
        return ShownStep(number, step, group.words_of(step), self.progress.found[number], step_svg(self.plan, number))

    def _marked(self, reading: Reading) -> Iterator[Marked]:
        comparison = compare(self.plan, reading)
        doubts = [
            (found.piece, SIGNS[found.mark], found.mark, found.sentence)
            for found in comparison.found
            if found and found.piece is not None and found.sentence
        ]
        doubts += [
            (
                surplus.piece,
                "+" if surplus.sure else "?",
                Mark.WRONG if surplus.sure else Mark.LIKELY,
                surplus.sentence,
            )
            for surplus in comparison.surplus
        ]
        for index, sign, mark, words in doubts:
            piece = reading.pieces[index]
            if len(piece.outline) > 2:
                yield Marked(piece.outline, piece.center, sign, mark, words)
