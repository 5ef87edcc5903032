"""Plays seeded games of both kinds on the virtual table, through the camera path, and holds the record against them.

    python -m benchmarks.virtual_games [--games 100] [--first 0] [--turns 40] [--reader truth|camera] [--jobs 1]
                                       [--out FILE]

Hands, star-towing, bumps, lost and repeated frames, wandering exposure; 5 % of the turns break a rule and are put
back, 3 % are taken back. Where the record goes astray the players put it right at the page, and play on. With
``--reader truth`` a reader that makes no mistakes reads the pictures, so that watcher, inference and session are
measured apart from the eyes; ``--reader camera`` is the real reader. Time is simulated: the seconds of a verdict are
those of the frames until then, and the processor's for reading and judging. What is measured is written after each
game, so that a run can be ended at any time.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

import click

from benchmarks import RESULTS
from companion_app.errors import AppError
from companion_app.live.answering import put_right
from companion_app.live.looks import Eyes
from companion_app.live.virtual_games import MOST_TURNS, Deed, Fate, Played, VirtualGame
from companion_app.live.virtual_stage import Simulated, Stage
from companion_app.reading_types import Game
from companion_app.session import GameLog, GameSession, Terms
from companion_app.session.ruling import by_inference
from vision.virtual import View

SMALL, LARGE = (480, 360), (1280, 960)
"""Sizes of the pictures where nobody reads them, and where somebody does."""

TABLES = {"truth": "virtual_games.md", "camera": "virtual_games_camera.md"}
"""The files in results/, by who reads the pictures."""


@dataclass
class Tally:
    """What became of the deeds of some games of one kind."""

    games: int = 0
    fates: Counter[tuple[Deed, Fate]] = field(default_factory=Counter)
    hows: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def add(self, played: Iterable[Played], name: str) -> None:
        """One more game."""
        for one in played:
            self.fates[one.deed, one.fate] += 1
            self.hows[one.how.value] += 1
            if one.seconds is not None:
                self.seconds.append(one.seconds)
            expected = (Fate.RIGHT, Fate.ASKED) if one.deed is Deed.TAKEN_BACK else (Fate.RIGHT,)
            if one.fate not in expected:
                self.told.append(f"{name}, {one.deed.value}, {one.fate.value}: {one.told}")
        self.games += 1

    def of(self, deed: Deed) -> int:
        """How many there were."""
        return sum(count for (what, _), count in self.fates.items() if what is deed)


def play(game: Game, seed: int, turns: int, camera: bool) -> list[Played]:
    """One game, played and recorded."""
    width, height = LARGE if camera else SMALL
    played = VirtualGame(game, seed, View(width=width, height=height), token=not camera)
    reader = Eyes(game) if camera else played
    with tempfile.TemporaryDirectory() as folder:
        log = GameLog(Path(folder))

        stages: list[Stage] = []

        def begin(terms: Terms) -> Stage:
            """The first stage; later on the same, put right, or another where that cannot be done."""
            if stages:
                with suppress(AppError):
                    put_right(stages[-1].session, played.reading, played.contents, played.to_move)
                    return stages[-1]
            stages.append(Simulated(GameSession.begin(log, terms, by_inference), played.table, reader))
            return stages[-1]

        return list(played.play(begin, turns))


@click.command()
@click.option("--games", default=100, help="How many of each kind.")
@click.option("--first", default=0, help="The first seed.")
@click.option("--turns", default=MOST_TURNS, help="How many turns of a game at most.")
@click.option("--reader", type=click.Choice(list(TABLES)), default="truth", help="Who reads the pictures.")
@click.option("--jobs", default=1, help="How many games are played at once.")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write; default: a table for each reader.")
def main(games: int, first: int, turns: int, reader: str, jobs: int, out: Path | None) -> None:
    """Plays, and writes the table."""
    out = out or RESULTS / TABLES[reader]
    tallies = {game: Tally() for game in Game}
    to_play = [(game, seed) for seed in range(first, first + games) for game in Game]
    with ProcessPoolExecutor(jobs) as pool:
        all_played = pool.map(play, *zip(*to_play, strict=True), repeat(turns), repeat(reader == "camera"))
        with click.progressbar(all_played, length=len(to_play), label="games", file=sys.stderr) as bar:
            for (game, seed), played in zip(to_play, bar, strict=True):
                tallies[game].add(played, f"{game.value} {seed}")
                out.write_text(table(tallies, first, turns, reader), encoding="utf-8")
    print(table(tallies, first, turns, reader))


def table(tallies: dict[Game, Tally], first: int, turns: int, reader: str) -> str:
    """The figures as Markdown."""
    eyes = "a reader that makes no mistakes" if reader == "truth" else "the reader of real pictures"
    games = max(tally.games for tally in tallies.values())
    lines = [
        "# Virtual games",
        "",
        f"Seeded games of at most {turns} turns on the virtual table, through the camera path, with {eyes}. "
        f"`python -m benchmarks.virtual_games --games {games} --first {first} --turns {turns} --reader {reader}`",
        "",
        "| | " + " | ".join(game.value for game in tallies) + " |",
        "|---|" + "---|" * len(tallies),
        _row("games", [str(tally.games) for tally in tallies.values()]),
    ]
    for deed in Deed:
        lines.append(_row(f"**{deed.value}**", [str(tally.of(deed)) for tally in tallies.values()]))
        for fate in Fate:
            cells = [_part(tally.fates[deed, fate], tally.of(deed)) for tally in tallies.values()]
            if any(cell != "0" for cell in cells):
                lines.append(_row(fate.value, cells))
    for words, share in (("seconds to the verdict, median", 0.5), ("95th percentile", 0.95), ("slowest", 1.0)):
        lines.append(_row(words, [_quantile(tally.seconds, share) for tally in tallies.values()]))
    for how in sorted({how for tally in tallies.values() for how in tally.hows}):
        lines.append(_row(f"ended by {how}", [str(tally.hows[how]) for tally in tallies.values()]))
    told = [line for tally in tallies.values() for line in tally.told]
    if told:
        lines += ["", "What did not go as it should (table before; what was done; what was said):", ""]
        lines += [f"- {line}" for line in told]
    return "\n".join(lines) + "\n"


def _row(words: str, cells: list[str]) -> str:
    return f"| {words} | " + " | ".join(cells) + " |"


def _part(count: int, total: int) -> str:
    return f"{count} ({100 * count / total:.2f} %)" if count else "0"


def _quantile(seconds: list[float], share: float) -> str:
    ranked = sorted(seconds)
    return f"{ranked[min(len(ranked) - 1, int(share * len(ranked)))]:.2f}" if ranked else ""


if __name__ == "__main__":
    main()
