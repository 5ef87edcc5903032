"""How fast and how right the table's geometry is, from simulated corners: ``python -m benchmarks.fit_times``.

Times are process time of one thread, so that other work on the machine hardly counts; set ``OMP_NUM_THREADS=1``.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np

from benchmarks.strewn_tables import ALL_TROUBLE, Strewn, Trouble, strewn_table
from vision.fusing.table_fit import TableFit, fit_table
from vision.sight import ImageSide
from vision.solids import Array

COUNTS = (3, 8, 16, 36)
TROUBLES = {
    "1 px": Trouble(noise=1.0),
    "2 px": Trouble(noise=2.0),
    "3 px": Trouble(noise=3.0),
    "all troubles": ALL_TROUBLE,
}
BINS = (1 / 3, 0.6, 0.8, 0.9, 0.97, 0.99, 0.999, 1.0)
HARD = replace(ALL_TROUBLE, noise=3.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40, help="of each kind (default 40)")
    number: int = parser.parse_args().tables
    print("| pieces | camera | corners | ms, median | ms, slowest | wrong sizes |")
    print("|---|---|---|---|---|---|")
    for count in COUNTS:
        for known in (False, True):
            for name, trouble in TROUBLES.items():
                print(_row(count, known, name, [strewn_table(seed, count, trouble) for seed in range(number)]))
    print("\nHow far probabilities are to be trusted: 8 pieces at 640 px, 3 px of noise and all troubles\n")
    print("| probability of the best size | pieces | should be wrong | are wrong |")
    print("|---|---|---|---|")
    tables = [strewn_table(seed, 8, HARD, long_side=640) for seed in range(1000, 1000 + 3 * number)]
    print(_reliability([(table, fit) for table in tables if (fit := _timed(table, False)[1])]))


def _row(count: int, known: bool, name: str, tables: list[Strewn]) -> str:
    """One line: times and wrong sizes; a table that gave no fit has all sizes wrong."""
    fits = [_timed(table, known) for table in tables]
    wrong = [_wrong(table, fit) for table, (_, fit) in zip(tables, fits, strict=True)]
    ms = 1000 * np.array([seconds for seconds, _ in fits])
    share = np.concatenate(wrong).mean()
    camera = "known" if known else "free"
    return f"| {count} | {camera} | {name} | {np.median(ms):.0f} | {ms.max():.0f} | {share:.2%} |"


def _timed(table: Strewn, known: bool) -> tuple[float, TableFit | None]:
    camera = table.camera if known else None
    begun = time.process_time()
    fit = fit_table(table.detections, table.size_px, ImageSide.BOTTOM, camera=camera)
    return time.process_time() - begun, fit


def _wrong(table: Strewn, fit: TableFit | None) -> Array:
    """1 for each piece whose size is wrong, 0 where it is right."""
    found = fit.poses if fit else [None] * len(table.poses)
    pairs = [(got, want) for got, want in zip(found, table.poses, strict=True) if want]
    return np.array([float(got is None or got.size is not want.size) for got, want in pairs])


def _reliability(fits: list[tuple[Strewn, TableFit]]) -> str:
    """How often the best size is wrong, beside how often it should be."""
    chances: list[float] = []
    for table, fit in fits:
        shares = np.exp(-fit.size_costs)
        best = shares.max(axis=1) / shares.sum(axis=1)
        chances += [float(share) for share, want in zip(best, table.poses, strict=True) if want]
    told, wrong = np.array(chances), np.concatenate([_wrong(table, fit) for table, fit in fits])
    lines = []
    for low, high in pairwise(BINS):
        here = (told >= low) & ((told < high) | (high == BINS[-1]))
        if here.any():
            expected, seen = (1 - told[here]).mean(), wrong[here].mean()
            lines.append(f"| {low:.3g}-{high:.3g} | {here.sum()} | {expected:.2%} | {seen:.2%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
