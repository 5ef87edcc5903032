"""Kill -9 while the page is busy: python -m benchmarks.kill_busy

The program serves the page, and four clients of it work at once: one takes in games with photos, one uploads pictures
to be read, one plays turns, one makes backups. At a random moment the program, and a backup that is being made, are
killed. Then it is started again: everything that was acknowledged must be there, and nothing half done may be listed.
"""

from __future__ import annotations

import http.client
import json
import os
import platform
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from companion_app.backup_restoring import restore_backup
from companion_app.event_log import photo_name, photos_of
from companion_app.pictures import jpeg
from companion_app.session import GameLog, Terms
from companion_app.store import Store
from rules import homeworlds

RESULTS: Final = Path(__file__).parents[1] / "results" / "kill_busy.md"
KILLS: Final = 60
SEED: Final = 5
LONGEST_S: Final = 4.0
RUN_LIMIT_S: Final = 3000.0
PATIENCE_S: Final = 120.0
HOMES: Final = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
PHOTOS: Final = 3
"""Photos in each game that is taken in."""

_PROGRAM: Final = (sys.executable, "-c", "from companion_app.cli import main; main()")
_FORM: Final = "multipart/form-data; boundary=x"


@dataclass
class Tally:
    """What came of it; *wrong* has a line for whatever was lost or half done, each once."""

    kills: int = 0
    acknowledged: Counter[str] = field(default_factory=Counter)
    further: int = 0
    backups_read: int = 0
    wrong: dict[str, None] = field(default_factory=dict)

    def note(self, *lines: str) -> None:
        """Something is wrong."""
        self.wrong.update(dict.fromkeys(lines))


@dataclass
class Said:
    """What was acknowledged since the beginning: games taken in, readings, the newest event of each played game."""

    imported: dict[str, int] = field(default_factory=dict)
    readings: set[str] = field(default_factory=set)
    played: dict[str, int] = field(default_factory=dict)
    backups: list[Path] = field(default_factory=list)


class Program:
    """The page as a program of its own, in a process group that is killed as a whole."""

    def __init__(self, folder: Path) -> None:
        self.environment = os.environ | {"PYRAMIDS_DATA": str(folder)}
        self._process = subprocess.Popen(
            [*_PROGRAM, "serve"], stdout=subprocess.PIPE, env=self.environment, start_new_session=True
        )
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE_S)
        line = self._process.stdout.readline().decode() if ready else ""
        found = re.search(r"http://([\d.]+):(\d+)/", line)
        if not found:
            self.kill()
            raise RuntimeError(f"the program did not start: {line!r}")
        self._address = found[1], int(found[2])

    def kill(self) -> None:
        """Kill it and whatever it has started."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def ask(self, path: str, body: bytes | None = None, kind: str = "application/json") -> tuple[int, str, bytes]:
        """Status, address to go on at, and content of an answer; ``OSError`` where none came as a whole."""
        connection = http.client.HTTPConnection(*self._address, timeout=PATIENCE_S)
        try:
            headers = {"Content-Type": kind, "Accept": "application/json"}
            connection.request("GET" if body is None else "POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers.get("Location", ""), answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def now(self, game: str) -> int:
        """The number of the newest event of a game."""
        return int(json.loads(self.ask(f"/games/{game}/parts")[2])["seq"])


def picture(random: Random) -> bytes:
    """A small picture that there was never before."""
    noise = np.random.default_rng(random.getrandbits(32)).integers(0, 255, (30, 40, 3), np.uint8)
    return jpeg(np.kron(noise, np.ones((8, 8, 1), np.uint8)))


def form(said: dict[str, str], name: str, file: str, content: bytes) -> bytes:
    """A form with a file, as a browser sends it."""
    parts = [f'--x\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in said.items()]
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n'
    return ("".join(parts) + head).encode() + content + b"\r\n--x--\r\n"


def game_zip(random: Random) -> bytes:
    """A game with photos, as it is exported."""
    photos = [picture(random) for _ in range(PHOTOS)]
    terms = Terms.of_position(homeworlds.Position.parse(HOMES), homeworlds.Options())
    events: list[dict[str, Any]] = [{"kind": "begun", "payload": terms.to_json()}]
    for photo in photos:
        events += [
            {"kind": "disagreed", "payload": {"sentence": "Look.", "table": "", "photo": photo_name(photo)}},
            {"kind": "settled", "payload": {}},
        ]
    at = "2026-01-01T12:00:00+00:00"
    told = {"format": "pyramid-companion game 1", "events": [{"at": at} | event for event in events]}
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("game.json", json.dumps(told))
        for photo in photos:
            archive.writestr(f"photos/{photo_name(photo)}", photo)
    return target.getvalue()


EVENTS: Final = 1 + 2 * PHOTOS
"""Events in such a game."""


def take_in(program: Program, said: Said, random: Random) -> str:
    """One import."""
    status, where, _ = program.ask("/games/import", form({}, "file", "game.zip", game_zip(random)), _FORM)
    if status != 303:
        return f"import refused: {status}"
    said.imported[where.rpartition("/")[2]] = EVENTS
    return "games taken in"


def upload(program: Program, said: Said, random: Random) -> str:
    """One picture to be read."""
    status, where, _ = program.ask("/readings", form({"game": "settlers"}, "photo", "x.jpg", picture(random)), _FORM)
    if status == 429:
        return "uploads asked to wait"
    if status != 303:
        return f"upload refused: {status}"
    name = where.rpartition("/")[2]
    said.readings.add(name)
    program.ask(f"/readings/{name}/save", b"name=Kept", "application/x-www-form-urlencoded")
    return "pictures read"


def play(program: Program, said: Said, random: Random) -> str:
    """One thing in a game that goes on, or a new game."""
    if not said.played or random.random() < 0.1:
        status, where, _ = program.ask("/games", f"game=homeworlds&position={HOMES}".encode().replace(b" ", b"+"),
                                       "application/x-www-form-urlencoded")  # fmt: skip
        if status != 303:
            return f"game refused: {status}"
        said.played[where.rpartition("/")[2]] = 1
        return "games begun"
    game = random.choice(list(said.played))
    seq = program.now(game)
    body = f"turn=pass&base={seq}".encode()
    status, _, content = program.ask(f"/games/{game}/turn", body, "application/x-www-form-urlencoded")
    if status != 200:
        return f"turn refused: {status}"
    said.played[game] = json.loads(content)["seq"]
    return "turns played"


def back_up(program: Program, said: Said, random: Random, scratch: Path, running: list[int]) -> str:
    """One backup, by the command."""
    target = scratch / f"{random.getrandbits(64):x}.zip"
    with subprocess.Popen(
        [*_PROGRAM, "backup", str(target)], env=program.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        running.append(process.pid)
        _, error = process.communicate()
        running.clear()
    if process.returncode < 0:
        raise OSError("killed")
    if process.returncode:
        return f"backup refused: {error.decode().strip()}"
    said.backups.append(target)
    return "backups"


def kill_often(scratch: Path, kills: int, seed: int = SEED, longest_s: float = LONGEST_S) -> Tally:
    """Serve from a folder in *scratch* and kill the program *kills* times, each *longest_s* busy at most."""
    random, tally, said = Random(seed), Tally(), Said()
    folder, began = scratch / "data", time.monotonic()
    while tally.kills < kills and time.monotonic() - began < RUN_LIMIT_S:
        program = Program(folder)
        _check(program, folder, said, tally)
        _busy_until_killed(program, said, tally, random, scratch, longest_s)
        tally.kills += 1
    program = Program(folder)
    _check(program, folder, said, tally)
    program.kill()
    return tally


def _busy_until_killed(
    program: Program, said: Said, tally: Tally, random: Random, scratch: Path, longest_s: float
) -> None:
    ended, backing_up = threading.Event(), list[int]()
    works: list[Callable[[Random], str]] = [
        lambda dice: take_in(program, said, dice),
        lambda dice: upload(program, said, dice),
        lambda dice: play(program, said, dice),
        lambda dice: back_up(program, said, dice, scratch, backing_up),
    ]

    def work(doing: Callable[[Random], str], dice: Random) -> None:
        with suppress(OSError):  # it was killed
            while not ended.is_set():
                tally.acknowledged[doing(dice)] += 1

    tally.acknowledged[upload(program, said, random)] += 1  # the first takes longest: the nets are loaded
    threads = [threading.Thread(target=work, args=(doing, Random(random.getrandbits(32)))) for doing in works]
    for thread in threads:
        thread.start()
    time.sleep(random.uniform(0, longest_s))
    ended.set()
    program.kill()
    for process in tuple(backing_up):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    for thread in threads:
        thread.join()


def _check(program: Program, folder: Path, said: Said, tally: Tally) -> None:
    """Hold what is there after a kill against what was acknowledged before."""
    games, readings = GameLog(folder), Store(folder)
    for log in (games, readings):
        if log.damage:
            tally.note(f"damaged: {log.damage}")
        for shelf in log.shelves():
            events = log.events(shelf.name)
            missing = [name for name in photos_of(events) if not (log.photos / name).is_file()]
            if missing:
                tally.note(f"{shelf.name} is listed without {len(missing)} of its photos")
    there = {shelf.name: len(games.events(shelf.name)) for shelf in games.shelves()}
    for name, count in there.items():
        if name not in said.played and name not in said.imported:
            tally.further += 1
            if count not in (1, EVENTS):
                tally.note(f"game {name} is listed with {count} events")
    for name, count in said.imported.items():
        if there.get(name) != count:
            tally.note(f"game {name} was taken in and has {there.get(name)} events")
    for name, seq in said.played.items():
        if there.get(name, 0) not in (seq, seq + 1):
            tally.note(f"game {name} was at {seq} and is at {there.get(name)}")
    kept = {shelf.name for shelf in readings.shelves()}
    tally.note(*[f"reading {name} is gone" for name in said.readings - kept])
    for shelf in readings.shelves():
        if shelf.is_draft:  # else it would be forgotten in time, as drafts are
            program.ask(f"/readings/{shelf.name}/save", b"name=Kept", "application/x-www-form-urlencoded")
    for path in ("/", "/games"):
        status, _, content = program.ask(path)
        if status != 200 or b"cannot be opened" in content:
            tally.note(f"{path} answers {status}")
    _check_backups(said, tally, folder.parent)
    said.played.update({name: there[name] for name in said.played if name in there})
    said.imported.update({name: count for name, count in there.items() if name not in said.played and count > 1})
    said.played.update({name: 1 for name, count in there.items() if count == 1})


def _check_backups(said: Said, tally: Tally, scratch: Path) -> None:
    """Every backup that was acknowledged is there, and every one that is there is whole."""
    there = sorted(scratch.glob("*.zip"))
    tally.note(*[f"backup {backup.name} is gone" for backup in said.backups if backup not in there])
    for backup in there:
        back = scratch / "back"
        restore_backup(backup, back)
        tally.backups_read += 1
        shutil.rmtree(back)
        backup.unlink()
    said.backups.clear()


def main() -> None:
    """Measures, prints and writes down."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        tally = kill_often(Path(name), KILLS)
    rows = "".join(f"| {what} | {count:,} |\n" for what, count in sorted(tally.acknowledged.items()))
    text = (
        "# Kill -9 while the page is busy\n\n"
        f"`python -m benchmarks.kill_busy`, seed {SEED}, Python {platform.python_version()}, on a disk, "
        f"{time.monotonic() - began:.0f} s.\n\n"
        f"- Programs killed, each within {LONGEST_S:g} s of work: {tally.kills} of {KILLS}.\n"
        f"- Lost or half done: {len(tally.wrong)}.\n"
        f"- Kills between the disk and the answer (a game more than was told): {tally.further}.\n"
        f"- Backups that were put back to see whether they are whole: {tally.backups_read}.\n\n"
        f"| acknowledged | times |\n|---|--:|\n{rows}"
    )
    print(text, *tally.wrong, sep="\n")
    RESULTS.write_text(text)
    sys.exit(1 if tally.wrong or tally.kills < KILLS else 0)


if __name__ == "__main__":
    main()
