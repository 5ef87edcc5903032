"""How fast the Homeworlds engine is, and what each idea in it has gained: python -m benchmarks.rules_speed [GAMES]

GAMES is a folder with transcripts (``sdg/*.txt``) and position vectors (``perft1.tsv``, ``win_in_one.tsv``).
"""

from __future__ import annotations

import csv
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from benchmarks import RESULTS
from benchmarks.rules_variants import VARIANTS, without_shared_systems
from rules import homeworlds
from rules.homeworlds.sdg import read_sdg
from rules.homeworlds.sdg_replay import replay
from rules.homeworlds.successors import LegalTurns
from rules.homeworlds.table import Table
from rules.homeworlds.winning import winning_from

GAMES = Path(__file__).parents[2] / "shared" / "games"
REPEATS = 3
SMALL = 2000
"""The slower variants are measured on positions with at most this many successors."""

Position = homeworlds.Position


def main() -> None:
    """Measures everything and writes results/rules_speed.md."""
    games = Path(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    if not games.is_dir():
        sys.exit(f"There is no folder {games}: name the folder with the transcripts and position vectors.")
    perft = _positions(games / "perft1.tsv")
    both = perft + _positions(games / "win_in_one.tsv")
    sections = [
        "# Speed of the Homeworlds engine",
        f"Python {sys.version.split()[0]}, two cores, best of {REPEATS} runs where nothing else is said.",
        _replaying(sorted((games / "sdg").glob("*.txt"))),
        _successors(perft),
        _winning(both),
        _gains(perft, both),
    ]
    text = "\n\n".join(sections) + "\n"
    (RESULTS / "rules_speed.md").write_text(text, encoding="utf-8")
    print(text)


def _positions(table: Path) -> list[Position]:
    with table.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.reader(lines, delimiter="\t") if not row[0].startswith("#")]
    return [Position.parse(row[-1]) for row in rows]


# Replaying


def _replaying(files: list[Path]) -> str:
    first = time.perf_counter()
    turns = sum(map(turns_of, files))
    cold = time.perf_counter() - first
    one = _best(lambda: sum(map(turns_of, files)))
    with Pool(2) as pool:
        pool.map(turns_of, files[:20])
        two = _best(lambda: sum(pool.map(turns_of, files, chunksize=16)))
    return "\n".join(
        [
            "## Replaying transcripts",
            "",
            f"{len(files)} games, {turns} turns, from the text on disk to the last position, every step checked.",
            "",
            "| | seconds | turns/s |",
            "|---|---|---|",
            f"| one process, nothing cached yet | {cold:.2f} | {turns / cold:,.0f} |",
            f"| one process | {one:.2f} | {turns / one:,.0f} |",
            f"| two processes | {two:.2f} | {turns / two:,.0f} |",
        ]
    )


def turns_of(file: Path) -> int:
    """How many turns of a transcript are legal."""
    return replay(read_sdg(file.read_text(encoding="utf-8"))).turns


# Successors


def _successors(positions: list[Position]) -> str:
    tables = [Table.of(position) for position in positions]
    best = [float("inf")] * len(tables)
    numbers = [0] * len(tables)
    for _ in range(REPEATS):
        for place, table in enumerate(tables):
            start = time.perf_counter()
            numbers[place] = LegalTurns(table, homeworlds.Options()).count()
            best[place] = min(best[place], time.perf_counter() - start)
    total = sum(numbers)
    return "\n".join(
        [
            "## Distinct ends of a turn",
            "",
            f"{len(tables)} positions, {total} distinct ends; at most {max(numbers)} from one position.",
            "",
            "| | |",
            "|---|---|",
            f"| successors/s over all | {total / sum(best):,.0f} |",
            f"| a position, median | {1000 * statistics.median(best):.2f} ms |",
            f"| a position, 99th percentile | {1000 * _quantile(best, 0.99):.1f} ms |",
            f"| slowest position | {1000 * max(best):.1f} ms |",
        ]
    )


# Wins in one


def _winning(positions: list[Position]) -> str:
    seconds = []
    wins = 0
    for position in positions:
        start = time.perf_counter()
        wins += next(homeworlds.winning_turns(position), None) is not None
        seconds.append(time.perf_counter() - start)
    return "\n".join(
        [
            "## Wins in one",
            "",
            f"`next(winning_turns(position))` on {len(positions)} positions, {wins} of them won; one run, from the "
            "public position on.",
            "",
            "| median | 90 % | 99 % | slowest |",
            "|---|---|---|---|",
            f"| {' | '.join(f'{1000 * value:.2f} ms' for value in _spread(seconds))} |",
        ]
    )


def _spread(seconds: list[float]) -> tuple[float, float, float, float]:
    return statistics.median(seconds), _quantile(seconds, 0.9), _quantile(seconds, 0.99), max(seconds)


# What each idea has gained


def _gains(perft: list[Position], both: list[Position]) -> str:
    tables = [Table.of(position) for position in perft]
    counts = [LegalTurns(table, homeworlds.Options()).count() for table in tables]
    small = [table for table, count in zip(tables, counts, strict=True) if count <= SMALL]
    total = sum(count for count in counts if count <= SMALL)
    rows = []
    previous = 0.0
    for name, count_ends in VARIANTS:
        found, seconds = _timed(partial(_counted, count_ends, small))
        if found != total:
            sys.exit(f"The variant “{name}” finds {found} ends instead of {total}.")
        rate = total / seconds
        gain = f"× {rate / previous:.1f}" if previous else ""
        rows.append(f"| {name} | {rate:,.0f} | {gain} |")
        previous = rate
    _, seconds = _timed(lambda: sum(map(without_shared_systems, small)))
    unshared = total / seconds
    wins = [Table.of(position) for position in both]
    listed = _best(lambda: sum(LegalTurns(table, homeworlds.Options()).summary().wins > 0 for table in wins), 1)
    aimed = _best(lambda: sum(any(winning_from(table, homeworlds.Options())) for table in wins), 1)
    return "\n".join(
        [
            "## What each idea has gained",
            "",
            f"Distinct ends of the {len(small)} positions with at most {SMALL} ({total} in all), one run; each "
            "row has the ideas of the rows above it.",
            "",
            "| | successors/s | gain |",
            "|---|---|---|",
            *rows,
            "",
            f"Without sharing packed systems, each unpacked anew where it is met: {unshared:,.0f} successors/s "
            f"(sharing gains × {previous / unshared:.0f}).",
            "",
            f"A win in one, {len(wins)} positions: {listed:.2f} s by listing every turn, {aimed:.2f} s by "
            f"the aimed search (× {listed / aimed:.0f}).",
        ]
    )


def _counted(count_ends: Callable[[Table], int], tables: list[Table]) -> int:
    return sum(map(count_ends, tables))


def _timed(work: Callable[[], int]) -> tuple[int, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def _best(work: Callable[[], int], repeats: int = REPEATS) -> float:
    return min(_timed(work)[1] for _ in range(repeats))


def _quantile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


if __name__ == "__main__":
    main()
