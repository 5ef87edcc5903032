"""Tables in Markdown of what was right in many readings, beside what is wanted."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.reading_run import Result

OFTEN = 20  # kinds of mistakes that are listed


@dataclass(frozen=True)
class Measure:
    """One figure of many readings.

    Attributes:
        part, whole: names of counts; the figure is their quotient, or *part* alone.
        at_least, aim: what is wanted, in the figure's own unit.
        percent: whether it is shown as a share. more: whether more is better.
        digits: shown behind the point.
    """

    title: str
    part: str
    whole: str | None = None
    at_least: float | None = None
    aim: float | None = None
    percent: bool = True
    more: bool = True
    digits: int = 2

    def of(self, results: Sequence[Result]) -> float | None:
        """The figure, or ``None`` where there is nothing to count."""
        part = total(results, self.part)
        if self.whole is None:
            return part
        whole = total(results, self.whole)
        return (100 if self.percent else 1) * part / whole if whole else None

    def number(self, value: float | None) -> str:
        """*value* without its unit."""
        return "–" if value is None else f"{value:.{self.digits}f}"

    def text(self, value: float | None) -> str:
        """*value* with its unit."""
        return self.number(value) + (" %" if self.percent and value is not None else "")

    def verdict(self, value: float | None) -> str:
        """Whether the wanted is reached, and if not, how much is missing."""
        if value is None or self.at_least is None or self.aim is None:
            return ""
        sign = 1 if self.more else -1
        if sign * (value - self.aim) >= 0:
            return "yes, the aim too"
        if sign * (value - self.at_least) >= 0:
            return "yes"
        return f"no, by {self.number(abs(value - self.at_least))}"


def _count(title: str, part: str, at_least: float | None = None, aim: float | None = None) -> Measure:
    return Measure(title, part, None, at_least, aim, percent=False, more=False, digits=0)


MEASURES = (
    Measure("table pieces found", "found", "pieces", 98, 99.9),
    Measure("readings of pieces that are not there, a picture", "extra", "pictures", 0.3, 0.02, False, False),
    Measure("colour right, of the found", "color", "color_of", 99.5, 99.9),
    Measure("size right", "size", "size_of", 98, 99.9),
    Measure("posture right", "posture", "posture_of", 99, 99.9),
    Measure("owner right, of the ships found", "owner", "owner_of", 99, 99.9),
    Measure("Settlers: fields right", "fields", "fields_of", 99, 99.9),
    Measure("Settlers: whole boards exact", "board_exact", "board_exact_of", 85, 98),
    Measure("Settlers: scores right", "score", "boards", 90, 99),
    Measure("Homeworlds: systems exact", "systems", "systems_of", 90, 99),
    Measure("Homeworlds: whole positions exact", "position_exact", "position_exact_of", 55, 95),
    Measure("bank kinds right (derived)", "bank", "bank_of", 97, 99.9),
    Measure("turn token right", "token", "games"),
    Measure("`certain`, of the games", "certain", "games"),
    _count("`certain` and wrong", "certain_wrong", 1, 0),
    Measure("wrong among the `certain`", "certain_wrong", "certain", 0.5, 0, more=False),
    _count("`certain` of a game where there is none", "invented"),
    _count("`unreadable`", "unreadable"),
    Measure("pieces of other colours read as ours", "foreign", "foreign_of", more=False),
)
MILLISECONDS = _count("milliseconds a reading, median", "", 300, 120)

SPLIT = (
    Measure("found", "found", "pieces"),
    Measure("extra a picture", "extra", "pictures", percent=False),
    Measure("colour", "color", "color_of"),
    Measure("size", "size", "size_of"),
    Measure("posture", "posture", "posture_of"),
    Measure("owner", "owner", "owner_of"),
    Measure("fields", "fields", "fields_of"),
    Measure("boards", "board_exact", "board_exact_of"),
    Measure("systems", "systems", "systems_of"),
    Measure("positions", "position_exact", "position_exact_of"),
    Measure("bank", "bank", "bank_of"),
    _count("certain", "certain"),
    _count("and wrong", "certain_wrong"),
)


def total(results: Sequence[Result], count: str) -> int:
    """The sum of one count over all readings."""
    return sum(result.marks.counts.get(count, 0) for result in results)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that the given share of *values* does not exceed."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(share * len(ordered))) - 1]


def bars(results: Sequence[Result]) -> str:
    """Everything at a glance, each figure beside what is wanted."""
    lines = ["| | figure | at least | aim | reached |", "|---|--:|--:|--:|---|"]
    lines += [_bar(measure, measure.of(results)) for measure in MEASURES if _asked(measure, results)]
    seconds = [result.seconds for result in results]
    lines.append(_bar(MILLISECONDS, 1000 * statistics.median(seconds)))
    lines.append(f"| milliseconds a reading, 95 % within | {1000 * percentile(seconds, 0.95):.0f} | | | |")
    lines.append(f"| errors | {sum(bool(result.error) for result in results)} | 0 | 0 | |")
    about = f"Pictures: {len(results)}; games: {total(results, 'games')}; pieces on the table: "
    return "\n".join([f"{about}{total(results, 'pieces')}.", "", *lines])


def _asked(measure: Measure, results: Sequence[Result]) -> bool:
    """Whether these readings say anything about it."""
    if measure.whole is not None:
        return total(results, measure.whole) > 0
    return any(measure.part in result.marks.counts for result in results)


def _bar(measure: Measure, value: float | None) -> str:
    wanted = [f"{bar:g}" if bar is not None else "" for bar in (measure.at_least, measure.aim)]
    return f"| {measure.title} | {measure.text(value)} | {' | '.join(wanted)} | {measure.verdict(value)} |"


def split(results: Sequence[Result], label: str) -> str:
    """The shares in per cent for each value of a label, so that one sees where readings fail."""
    values = sorted({result.labels[label] for result in results if label in result.labels})
    shown = [measure for measure in SPLIT if _asked(measure, results)]
    head = [label, "pictures", *(measure.title for measure in shown)]
    lines = [f"| {' | '.join(head)} |", "|---|" + "--:|" * (len(head) - 1)]
    for value in values:
        group = [result for result in results if result.labels.get(label) == value]
        figures = [measure.number(measure.of(group)) for measure in shown]
        lines.append(f"| {' | '.join([value, str(len(group)), *figures])} |")
    return "\n".join(lines)


def stage_table(results: Sequence[Result]) -> str:
    """Milliseconds of each stage, in the order in which they were first met."""
    stages = dict.fromkeys(stage for result in results for stage in result.stages)
    lines = ["| stage | readings | median ms | 95 % within |", "|---|--:|--:|--:|"]
    for stage in stages:
        spent = [1000 * result.stages[stage] for result in results if stage in result.stages]
        lines.append(f"| {stage} | {len(spent)} | {statistics.median(spent):.1f} | {percentile(spent, 0.95):.1f} |")
    return "\n".join(lines)


def mistake_table(results: Sequence[Result]) -> str:
    """The kinds of mistakes, the most frequent first."""
    counts = Counter(mistake for result in results for mistake in result.marks.mistakes)
    lines = [f"| {mistake} | {count} |" for mistake, count in counts.most_common(OFTEN)]
    return "\n".join(["| mistake | times |", "|---|--:|", *lines]) if lines else "No mistakes."


def troubles(results: Sequence[Result]) -> str:
    """The pictures that one should look at first: errors, and readings that are certain and wrong."""

    def named(title: str, chosen: Callable[[Result], object]) -> Iterator[str]:
        names = [f"{one.name}{f' ({one.error})' if one.error else ''}" for one in results if chosen(one)]
        if names:
            yield f"{title}: {', '.join(names)}."

    return "\n\n".join(
        [
            *named("Errors", lambda one: one.error),
            *named("Certain and wrong", lambda one: one.marks.counts.get("certain_wrong")),
            *named("Certain of a game where there is none", lambda one: one.marks.counts.get("invented")),
        ]
    )


def report(results: Sequence[Result]) -> str:
    """All tables, under headings."""
    labels = dict.fromkeys(label for result in results for label in result.labels)
    by_label = "\n\n".join(split(results, label) for label in labels)
    parts = [
        bars(results),
        troubles(results),
        f"## Where it fails\n\nShares in per cent.\n\n{by_label}" if by_label else "",
        f"## What the mistakes are\n\n{mistake_table(results)}",
        f"## Where the time goes\n\n{stage_table(results)}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
