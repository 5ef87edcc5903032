"""Reads seeded virtual photographs of both games and holds every reading against the truth.

    python -m benchmarks.virtual_readings [--count 200] [--first 1000] [--game homeworlds] [--out results/…]

Prints one table a game and writes it, with a row for every picture, under results/. The positions are those of
``companion_app.samples``, the views those of ``vision.virtual.View.random``: elevation 35 to 90 degrees, every side
of the picture as South's, nine table tops, four boards, clear and opaque plastic, headings up to 25 degrees off.
"""

from __future__ import annotations

import csv
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click
import cv2

from benchmarks import RESULTS
from benchmarks.matching import match, reading_distance
from companion_app.reading import read_photo, reading_of
from companion_app.reading_types import Reading
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from vision.sight import Seat
from vision.solids import Array, Color, Size
from vision.virtual import Picture, View, photograph

SEEN = 0.25  # share of a piece that must be visible before it counts
Row = dict[str, float]


def take_picture(game: str, seed: int) -> tuple[Picture, View]:
    """The virtual photograph number *seed* of a game."""
    view = View.random(seed)
    position = random_homeworlds(seed) if game == "homeworlds" else random_settlers(seed)
    return photograph(layout_of(position), seed=seed, view=view), view


def measure(game: str, seed: int) -> Row:
    """Reads one picture and counts what is right."""
    cv2.setNumThreads(1)
    picture, view = take_picture(game, seed)
    truth = reading_of(picture.truth, game)
    start = time.perf_counter()
    reading = read_photo(picture.image, game, view.south.value)
    row: Row = {"seed": seed, "elevation": round(view.elevation_deg, 1), "seconds": time.perf_counter() - start}
    row |= _count_pieces(truth, reading, picture.visible)
    row |= _count_fields(truth, reading) if game == "settlers" else _count_systems(truth, reading)
    row["certain"] = reading.verdict == "certain"
    row["sure_wrong"] = reading.verdict == "certain" and not row["exact"]
    return row


def _count_pieces(truth: Reading, reading: Reading, visible: Array) -> Row:
    pairs = match(truth.pieces, reading.pieces, reading_distance)
    table = [index for index, piece in enumerate(truth.pieces) if piece.role != "bank"]
    clear = [index for index in table if visible[index] >= SEEN]
    found = [(truth.pieces[index], reading.pieces[pairs[index]]) for index in clear if index in pairs]
    ships = [(want, got) for want, got in found if want.role == "ship"]
    return {
        "pieces": len(clear),
        "found": len(found),
        "extra": len(reading.pieces) - len(pairs),
        "color": sum(want.color == got.color for want, got in found),
        "size": sum(want.size == got.size for want, got in found),
        "posture": sum(want.posture == got.posture for want, got in found),
        "ships": len(ships),
        "owner": sum(want.owner == got.owner for want, got in ships),
    }


def _count_fields(truth: Reading, reading: Reading) -> Row:
    names = [file + rank for file in "abcdef" for rank in "123456"]
    want, got = _fields(truth), _fields(reading)
    right = sum(want.get(name) == got.get(name) for name in names)
    return {"fields_of": 36, "fields": right, "exact": right == 36, "score": truth.score == reading.score}


def _fields(reading: Reading) -> dict[str, tuple[Color, Size, Seat | None]]:
    return {piece.field: (piece.color, piece.size, piece.owner) for piece in reading.pieces if piece.field}


def _count_systems(truth: Reading, reading: Reading) -> Row:
    want, got = _systems(truth), _systems(reading)
    most = max(sum(want.values()), sum(got.values()))
    return {"systems_of": most, "systems": sum((want & got).values()), "exact": want == got}


def _systems(reading: Reading) -> Counter[tuple[object, ...]]:
    return Counter(
        (
            system.home,
            tuple(sorted(system.stars)),
            *(tuple(sorted(system.ships.get(seat, ()))) for seat in Seat),
        )
        for system in reading.systems
    )


def _rows(game: str, seeds: range) -> Iterator[Row]:
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for done, row in enumerate(workers.map(measure, [game] * len(seeds), seeds), start=1):
            if sys.stderr.isatty() or done % 25 == 0:
                print(f"\r{game}: {done} of {len(seeds)}", end="", file=sys.stderr, flush=True)
            yield row
    print(file=sys.stderr)


def table(game: str, rows: Sequence[Row]) -> str:
    """What was right, in per cent, as a Markdown table."""

    def share(key: str, of: str) -> str:
        whole = sum(row[of] for row in rows)
        return f"{100 * sum(row[key] for row in rows) / whole:.2f} %" if whole else "–"

    def portion(key: str) -> str:
        return f"{100 * sum(row[key] for row in rows) / len(rows):.1f} %"

    lines = [
        ("pictures", f"{len(rows)}"),
        ("pieces on the table, a quarter or more visible", f"{sum(row['pieces'] for row in rows):.0f}"),
        ("pieces found", share("found", "pieces")),
        ("readings of pieces that are not there, a picture", f"{sum(row['extra'] for row in rows) / len(rows):.2f}"),
        *((f"{key} right, of the found", share(key, "found")) for key in ("color", "size", "posture")),
        ("owner right, of the ships found", share("owner", "ships")),
    ]
    if game == "settlers":
        lines += [("fields right", share("fields", "fields_of")), ("scores right", portion("score"))]
    else:
        lines += [("systems right", share("systems", "systems_of"))]
    seconds = sorted(row["seconds"] for row in rows)
    lines += [
        ("whole positions right", portion("exact")),
        ("called certain", portion("certain")),
        ("called certain and wrong", f"{sum(row['sure_wrong'] for row in rows):.0f}"),
        ("seconds a reading, median", f"{statistics.median(seconds):.2f}"),
        ("seconds a reading, 95th percentile", f"{seconds[int(0.95 * (len(seconds) - 1))]:.2f}"),
    ]
    return "\n".join([f"| {game} | |", "|---|---|", *(f"| {name} | {value} |" for name, value in lines)])


@click.command()
@click.option("--count", default=200, show_default=True, help="Pictures of each game.")
@click.option(
    "--first",
    default=1000,
    show_default=True,
    help="Seed of the first picture; the eyes were trained on views below 240.",
)
@click.option("--game", type=click.Choice(["homeworlds", "settlers"]), help="Only this game.")
@click.option("--out", type=click.Path(path_type=Path), default=RESULTS, show_default="results/")
def main(count: int, first: int, game: str | None, out: Path) -> None:
    """Reads virtual photographs and reports how often the readings are right."""
    out.mkdir(parents=True, exist_ok=True)
    for name in [game] if game else ["settlers", "homeworlds"]:
        rows = list(_rows(name, range(first, first + count)))
        summary = table(name, rows)
        print(summary, end="\n\n")
        intro = f"Virtual photographs with seeds {first} to {first + count - 1}, read by `make bench-vision`.\n\n"
        (out / f"virtual_{name}.md").write_text(intro + summary + "\n")
        with (out / f"virtual_{name}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows({key: round(float(value), 3) for key, value in row.items()} for row in rows)


if __name__ == "__main__":
    main()
