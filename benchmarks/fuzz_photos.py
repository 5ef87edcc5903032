"""Photos damaged in 20,000 ways, through the doors that photos come in by: each ends as a picture or as BadPhoto.

All are decoded, and their lens is looked for; every 25th also comes by the page, and every 100th that opens is
read whole. ``python -m benchmarks.fuzz_photos [--cases N] [--out FILE]``
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
from flask.testing import FlaskClient

from benchmarks.fuzz_seeds import photos
from benchmarks.fuzzing import RESULTS, Run
from benchmarks.photo_mutations import damaged
from companion_app.lens import lens_of
from companion_app.photos import BadPhoto, Photo, decode_photo
from companion_app.reading import Reading, read_photo
from companion_app.reading_types import Game
from companion_app.web import create_app
from vision.sight import ImageSide

CASES, SEED = 20_000, 51
UPLOADED, READ = 25, 100  # one in so many: of all cases, and of those that open
CASE_LIMIT_S, RUN_LIMIT_S = 20, 3 * 3600
LARGEST_READ = 2_000_000  # px: a damaged header may make a picture large, and its reading slow for no reason


def main() -> None:
    """Run all cases, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--out", type=Path, default=RESULTS / "fuzz_photos.md")
    wanted = parser.parse_args()
    run = Run("Photos", seed=SEED, cases=wanted.cases, case_limit_s=CASE_LIMIT_S, run_limit_s=RUN_LIMIT_S)
    seeds = photos()
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATA": folder, "TESTING": False, "READER": _nothing_seen})
        _try_all(run, seeds, app.test_client())
    run.finish(wanted.out, "python -m benchmarks.fuzz_photos", _notes(seeds))


def _try_all(run: Run, seeds: dict[str, bytes], client: FlaskClient) -> None:
    whole, opened = list(seeds.values()), 0
    for number in run.numbers():
        kind = run.random.choice(list(seeds))
        how, data = damaged(seeds[kind], whole, run.random)
        label = f"{number}: {kind}, {how}"
        with run.case(label):
            picture = _decoded(run, data)
            _lens(data)
            opened += picture is not None
            if number % UPLOADED == 0:
                _uploaded(run, label, client, data, picture is not None)
            if picture is not None and opened % READ == 0 and picture.size <= 3 * LARGEST_READ:
                game = run.random.choice(("homeworlds", "settlers"))
                run.count(f"read whole: {read_photo(picture, game, 'bottom').verdict.value}")


def _decoded(run: Run, data: bytes) -> Photo | None:
    try:
        picture = decode_photo(data)
    except BadPhoto as refusal:
        run.count(f"refused: {refusal.code}")
        return None
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    run.count("opened")
    return picture


def _lens(data: bytes) -> None:
    lens = lens_of(data)
    assert lens is None or 0 < lens < 10, lens


def _uploaded(run: Run, label: str, client: FlaskClient, data: bytes, opens: bool) -> None:
    """By the form of the page, which answers as the decoder does."""
    form = {"game": "settlers", "south": "bottom", "photo": (BytesIO(data), "photo.jpg")}
    status = client.post("/readings", data=form).status_code
    run.count(f"uploaded: {status}")
    if status >= 500 or (status == 303) is not opens:
        run.fault(f"{label}: the page answered {status}")


def _nothing_seen(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
    del south, redless, lens
    return Reading(game, (image.shape[1], image.shape[0]))


def _notes(seeds: dict[str, bytes]) -> str:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return (
        f"Each case is one of {len(seeds)} photos of {min(map(len, seeds.values())):,} to "
        f"{max(map(len, seeds.values())):,} bytes ({', '.join(seeds)}), damaged in one to three ways: bytes, length, "
        "splices with others, entries of its EXIF, and the segments, chunks or header of its format. All are decoded "
        f"and asked for their lens; one in {UPLOADED} is sent to the page, one in {READ} of those that open is read "
        f"whole. The process had {peak:,} MB at most, nets and all."
    )


if __name__ == "__main__":
    main()
