"""How much memory the page needs: python -m benchmarks.memory

Starts ``pyramids serve`` as a program of its own in an empty data folder, uploads different photos of both games to
it from several browsers at once, and looks at what Linux says the program holds (``VmRSS``) and has held at most
(``VmHWM``). As a browser does, each opens the page of its reading and the photo, and now and then the photo with the
reading drawn on. Writes ``results/memory.md``. Linux only.
"""

from __future__ import annotations

import http.client
import os
import platform
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click
import cv2
import numpy as np

from benchmarks import RESULTS
from companion_app.photos import Photo
from companion_app.reading_types import Game
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from vision.sight import ImageSide
from vision.virtual import View, photograph

MARKS: Final = (0, 1, 2, 5, 10, 20, 50, 100, 200, 300)
SIZES: Final = ((1280, 960), (4000, 3000))
BROWSERS: Final = 4  # at once; as many photos as may wait for their turn
DRAWN_EACH: Final = 5  # so many uploads one is looked at as drawn on, too
TABLES: Final = 24  # that are drawn; each photo shows one of them a little differently
MB: Final = 1000 * 1000
_GAMES: Final = (Game.HOMEWORLDS, Game.SETTLERS)


@dataclass(frozen=True)
class Held:
    """What the program held after so many uploads, bytes."""

    uploads: int
    now: int
    most: int


@dataclass
class Course:
    """One run: photos of (width, height) px, and what was held."""

    size: tuple[int, int]
    held: list[Held] = field(default_factory=list)


class Photos:
    """Different photos of virtual tables, repeatable by their numbers."""

    def __init__(self, size: tuple[int, int], seed: int, tables: int = TABLES) -> None:
        self._size, self._seed = size, seed
        self._tables = [self._drawn(number) for number in range(tables)]

    def photo(self, number: int) -> tuple[Game, bytes]:
        """A JPEG file as a phone would make it: a part of a table that is a little lighter or darker, and noisy."""
        random = np.random.default_rng([self._seed, number])
        whole = self._tables[number % len(self._tables)]
        height, width = whole.shape[:2]
        left, right = (round(share * width) for share in random.uniform(0, 0.02, 2))
        top, bottom = (round(share * height) for share in random.uniform(0, 0.02, 2))
        part = cv2.resize(
            whole[top : height - bottom, left : width - right], self._size, interpolation=cv2.INTER_LINEAR
        )
        lit = cv2.convertScaleAbs(part, alpha=random.uniform(0.8, 1.1))
        noisy = cv2.add(lit, random.integers(0, 6, lit.shape, np.uint8))
        _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 92])
        return _GAMES[number % len(_GAMES)], data.tobytes()

    def _drawn(self, number: int) -> Photo:
        """Table *number*, seen from South's side."""
        view = View.random(self._seed + number, elevation_deg=(48.0, 80.0))
        view = replace(view, south=ImageSide.BOTTOM, roll_deg=0.0, width=self._size[0], height=self._size[1])
        homeworlds = _GAMES[number % len(_GAMES)] is Game.HOMEWORLDS
        position = (random_homeworlds if homeworlds else random_settlers)(self._seed + number)
        return photograph(layout_of(position), seed=self._seed + number, view=view).image


class Program:
    """``pyramids serve`` as a program of its own."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self._process = process
        self._host = urlsplit(address).netloc

    def held(self, uploads: int) -> Held:
        """What Linux says of its memory."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        kilobytes = {
            name: int(value.split()[0]) for name, _, value in (line.partition(":") for line in lines if "kB" in line)
        }
        return Held(uploads, 1024 * kilobytes["VmRSS"], 1024 * kilobytes["VmHWM"])

    def upload(self, game: Game, photo: bytes, *, drawn: bool) -> None:
        """Has a photo read and looks at its page, and at the photo as it is *drawn* on."""
        edge = secrets.token_hex(16)
        lines = [
            f'--{edge}\r\nContent-Disposition: form-data; name="game"\r\n\r\n{game.value}',
            f'--{edge}\r\nContent-Disposition: form-data; name="photo"; filename="1.jpg"\r\n'
            "Content-Type: image/jpeg\r\n\r\n",
        ]
        body = "\r\n".join(lines).encode() + photo + f"\r\n--{edge}--\r\n".encode()
        place = self._got("POST", "/readings", body, {"Content-Type": f"multipart/form-data; boundary={edge}"})
        for page in ("", "/photo.jpg", "/annotated.jpg")[: 3 if drawn else 2]:
            self._got("GET", urlsplit(place).path + page)

    def _got(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> str:
        """Where the answer leads; asks again while others come first, and raises RuntimeError for other refusals."""
        while True:
            with closing(http.client.HTTPConnection(self._host, timeout=120)) as connection:
                connection.request(method, path, body, headers or {})
                answer = connection.getresponse()
                answer.read()
            if answer.status < HTTPStatus.BAD_REQUEST:
                return answer.headers.get("Location", path)
            if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
                raise RuntimeError(f"{method} {path}: {answer.status}")
            time.sleep(1)


@contextmanager
def served() -> Iterator[Program]:
    """The program, in an empty data folder of its own."""
    command = [sys.executable, "-c", "from companion_app.cli import main; main()", "serve"]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYRAMIDS_DATA": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            threading.Thread(target=process.stdout.read, daemon=True).start()
            try:
                yield Program(process, next(word for word in line.split() if word.startswith("http")))
            finally:
                process.kill()


def measured(size: tuple[int, int], uploads: int, seed: int, tables: int = TABLES) -> Course:
    """Uploads photos of (width, height) px, and looks at the memory at each mark while nobody works."""
    print(f"{size[0]}×{size[1]}: drawing {tables} tables", file=sys.stderr, flush=True)
    photos = Photos(size, seed, tables)
    course = Course(size)
    marks = [mark for mark in MARKS if mark < uploads] + [uploads]
    with served() as program, ThreadPoolExecutor(BROWSERS) as browsers:

        def upload(number: int) -> None:
            program.upload(*photos.photo(number), drawn=number % DRAWN_EACH == 0)

        done = 0
        for mark in marks:
            list(browsers.map(upload, range(done, mark)))
            done = mark
            held = program.held(mark)
            course.held.append(held)
            print(
                f"{size[0]}×{size[1]}: {mark} uploads, {held.now / MB:.0f} MB, most {held.most / MB:.0f} MB",
                file=sys.stderr,
                flush=True,
            )
    return course


def table(courses: Sequence[Course]) -> str:
    """All runs side by side, in Markdown."""
    head = "".join(f" {width}×{height}: MB | most so far |" for width, height in (course.size for course in courses))
    rows = "".join(
        f"| {row[0].uploads} |" + "".join(f" {held.now / MB:.0f} | {held.most / MB:.0f} |" for held in row) + "\n"
        for row in zip(*(course.held for course in courses), strict=True)
    )
    return f"| uploads |{head}\n|--:|{'--:|--:|' * len(courses)}\n{rows}"


@click.command()
@click.option("--uploads", default=MARKS[-1], show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option("--size", "sizes", multiple=True, type=(int, int), default=SIZES, show_default=True, help="px")
@click.option("--out", default=RESULTS / "memory.md", type=click.Path(path_type=Path), help="Where the table goes.")
def main(uploads: int, seed: int, sizes: Sequence[tuple[int, int]], out: Path) -> None:
    """Measures, prints and writes down."""
    with ThreadPoolExecutor() as runs:  # each is about a program of its own
        courses = list(runs.map(lambda size: measured(size, uploads, seed), sizes))
    text = (
        "# The memory of the page\n\n"
        f"`python -m benchmarks.memory`, seed {seed}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"{' '.join(platform.libc_ver())}: `pyramids serve` in an empty folder, photos from {BROWSERS} browsers at "
        "once, each of another look at one of "
        f"{TABLES} tables of both games. Memory is what Linux counts as resident.\n\n"
        f"{table(courses)}"
    )
    print(text, end="")
    out.write_text(text)


if __name__ == "__main__":
    main()
