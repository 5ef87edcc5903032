"""Infers every turn of real Homeworlds games from the positions before and after it.

    python -m benchmarks.turn_inference [--games FOLDER] [--count 949] [--share 0.1] [--exact-share 1] [--minutes 30]
                                        [--out results/turn_inference.md]

Once with exact readings, and once with one random piece of every reading misread: its colour, size or owner, missing,
extra, or moved to another system. The doubts are those of a calibrated reader who misreads a piece a table: each
piece has some, spread evenly over their orders of magnitude, so that the doubts of the pieces misread are spread
evenly. Of the bank every piece is seen with the probability ``IN_VIEW``, on its own.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import exp, inf, log
from pathlib import Path
from typing import Final

import click

from benchmarks import RESULTS
from companion_app.inferring import (
    Appearance,
    Certainty,
    Explanation,
    Group,
    Judgement,
    Kind,
    Observation,
    ObservedPiece,
    explain,
)
from companion_app.reading_types import Game
from rules import KINDS, Color, Piece, Seat, Size, homeworlds
from rules.homeworlds.sdg import read_sdg
from rules.homeworlds.sdg_replay import TRANSCRIBED, PlayedTurn, played
from rules.homeworlds.table import Table

GAMES: Final = Path(__file__).parents[2] / "shared" / "games" / "sdg"
IN_VIEW: Final = 0.95
LEAST, MOST = 1e-3, 0.15
"""The doubts of a piece lie between these: one piece in two or three tables is misread in kind or owner."""
LEAST_ASTRAY, MOST_ASTRAY = 1e-4, 0.1
"""The doubts about the system of a ship."""
FIRST, SECOND = 0.7, 0.2
"""What share of its doubts a reader gives to the likeliest and to the next alternative."""
MISREADINGS: Final = ("colour", "size", "owner", "missing", "extra", "moved")


@dataclass
class Seen:
    """A piece of a simulated reading; ``truth`` is nothing for one that is not there."""

    truth: Appearance | None
    read: Appearance
    place: int
    doubt: float
    wrong: bool = False
    astray: tuple[int, float] | None = None


class Reader:
    """A simulated reader of tables, calibrated, with dice of its own."""

    def __init__(self, seed: str, bank: bool = True) -> None:
        self.dice = random.Random(seed)
        self.bank = bank

    def exact(self, position: homeworlds.Position) -> Observation:
        """Everything as it is, and without doubts."""
        return self._observation(position, _pieces(position), list(position.bank.pieces))

    def misread(self, position: homeworlds.Position, how: str) -> Observation | None:
        """The table with one piece misread; ``None`` where no piece can be misread so."""
        pieces = _pieces(position)
        for piece in pieces:
            piece.doubt = self._log_uniform(LEAST, MOST)
            if piece.read.owner and len(position.systems) > 1 and self.dice.random() < 0.5:
                piece.astray = self._other(position, piece.place), self._log_uniform(LEAST_ASTRAY, MOST_ASTRAY)
        if not self._spoil(position, pieces, how):
            return None
        bank = [piece for piece in position.bank.pieces if self.dice.random() < IN_VIEW]
        return self._observation(position, pieces, bank)

    def _spoil(self, position: homeworlds.Position, pieces: list[Seen], how: str) -> bool:
        if how == "extra":
            place = self.dice.randrange(len(position.systems))
            owner = self.dice.choice((None, *position.seats))
            look = Appearance(self.dice.choice(KINDS), owner)
            pieces.append(Seen(None, look, place, self.dice.uniform(LEAST, MOST), wrong=True))
            return True
        able = [piece for piece in pieces if piece.read.owner or how not in ("owner", "moved")]
        if not able or (how == "moved" and len(position.systems) < 2):
            return False
        piece = self.dice.choice(able)
        if how == "missing":
            pieces.remove(piece)
        elif how == "moved":
            there = piece.place
            piece.place = self._other(position, there)
            piece.astray = there, self.dice.uniform(LEAST_ASTRAY, MOST_ASTRAY)
        else:
            piece.read = self._mistaken(piece.read, how, position.seats)
            piece.doubt, piece.wrong = self.dice.uniform(LEAST, MOST), True
        return True

    def _mistaken(self, look: Appearance, how: str, seats: tuple[Seat, ...]) -> Appearance:
        """*look* with another colour, size or owner."""
        piece, owner = look
        if how == "colour":
            return Appearance(Piece(self.dice.choice([c for c in Color if c is not piece.color]), piece.size), owner)
        if how == "size":
            return Appearance(Piece(piece.color, self.dice.choice([s for s in Size if s is not piece.size])), owner)
        return Appearance(piece, self.dice.choice([seat for seat in seats if seat is not owner]))

    def _believed(self, number: int, seen: Seen, seats: tuple[Seat, ...]) -> ObservedPiece:
        """The piece with the alternatives that a calibrated reader gives."""
        others: dict[Appearance, float] = {}
        if seen.doubt > 0 and seen.truth is not None:
            wrong = [seen.truth] if seen.wrong else []
            while len(wrong) < 3:
                hows = ("colour", "size", "owner") if seen.read.owner else ("colour", "size")
                look = self._mistaken(seen.read, self.dice.choice(hows), seats)
                if look not in wrong:
                    wrong.append(look)
            place = self.dice.choices((0, 1, 2), (FIRST, SECOND, 1 - FIRST - SECOND))[0] if seen.wrong else 0
            wrong.insert(place, wrong.pop(0))
            others = {wrong[0]: FIRST * seen.doubt, wrong[1]: SECOND * seen.doubt}
        elsewhere = {str(seen.astray[0]): seen.astray[1]} if seen.astray else {}
        return ObservedPiece.believed(number, seen.read, 1 - seen.doubt, others, elsewhere)

    def _observation(self, position: homeworlds.Position, pieces: list[Seen], bank: list[Piece]) -> Observation:
        places: dict[int, list[ObservedPiece]] = {}
        for number, piece in enumerate(pieces):
            places.setdefault(piece.place, []).append(self._believed(number, piece, position.seats))
        order = list(places)
        self.dice.shuffle(order)
        groups = [Group(str(place), tuple(places[place]), position.systems[place].home) for place in order]
        return Observation(Game.HOMEWORLDS, tuple(groups), (), tuple(bank) if self.bank else ())

    def _other(self, position: homeworlds.Position, place: int) -> int:
        return self.dice.choice([other for other in range(len(position.systems)) if other != place])

    def _log_uniform(self, least: float, most: float) -> float:
        return exp(self.dice.uniform(log(least), log(most)))


def _pieces(position: homeworlds.Position) -> list[Seen]:
    """All pieces of a position, read as they are and without doubts."""
    seen = []
    for place, system in enumerate(position.systems):
        looks = [Appearance(star, None) for star in system.stars]
        looks += [Appearance(ship, seat) for seat, fleet in system.ships.items() for ship in fleet]
        seen += [Seen(look, look, place, 0.0) for look in looks]
    return seen


@dataclass
class Tally:
    """What became of the readings of one kind."""

    results: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


RESULTS_IN_WORDS: Final = {
    "sure": "recorded without a question, and right",
    "first": "asked, the right turn first",
    "listed": "asked, the right turn among the choices",
    "lost": "asked, the right turn not among the choices",
    "silent": "silently wrong",
    "refused": "refused although legal",
}


def turns_of(path: Path) -> Iterator[PlayedTurn]:
    """The turns of a transcript, but for those missed before the set-up."""
    for turn in played(read_sdg(path.read_text(encoding="utf-8"))):
        if turn.made.steps or not turn.made.is_set_up:
            yield turn


def judge(turn: PlayedTurn, observation: Observation, tally: Tally) -> str:
    """Infers *turn* from an observation of the table after it; counts and gives what became of it."""
    before = turn.made.start.position()
    start = time.process_time()
    judgement = explain(before, TRANSCRIBED, observation)
    tally.seconds.append(time.process_time() - start)
    result = _result(judgement, turn.after.key)
    tally.results[result] += 1
    if result in ("silent", "refused"):
        tally.wrong.append(f"{before.line}; {turn.transcribed.text}; {judgement.best.sentence}")
    return result


def _result(judgement: Judgement, key: int) -> str:
    places = [number for number, one in enumerate((judgement.best, *judgement.rivals)) if _is_right(one, key)]
    if judgement.verdict is Certainty.CERTAIN:
        if places[:1] == [0]:
            return "sure"
        return "refused" if judgement.best.kind in (Kind.ILLEGAL, Kind.UNEXPLAINED) else "silent"
    return "lost" if not places else "listed" if places[0] else "first"


def _is_right(explanation: Explanation, key: int) -> bool:
    """Whether choosing the explanation would record the turn: the same position afterwards, whatever names it has."""
    legal = explanation.kind in (Kind.LEGAL, Kind.UNCHANGED) and len(explanation.turns) == 1
    position = explanation.position
    return legal and isinstance(position, homeworlds.Position) and Table.of(position).key == key


@click.command()
@click.option("--games", default=GAMES, type=click.Path(path_type=Path), help="Folder with transcripts.")
@click.option("--count", default=949, help="How many games, the first by name.")
@click.option("--share", default=0.1, help="Share of the turns that are read amiss as well, drawn by lot.")
@click.option("--exact-share", default=1.0, help="Share of the turns that are read exactly.")
@click.option("--minutes", type=float, help="End after so many minutes: the games are in an order drawn by lot.")
@click.option("--bank/--no-bank", default=True, help="Whether the bank is in the picture.")
@click.option("--out", default=RESULTS / "turn_inference.md", type=click.Path(path_type=Path), help="Where to write.")
def main(
    games: Path, count: int, share: float, exact_share: float, minutes: float | None, bank: bool, out: Path
) -> None:
    """Measures both variants and writes the table."""
    paths = sorted(games.glob("*.txt"))[:count]
    if not paths:
        sys.exit(f"There are no transcripts in {games}: name the folder that holds them.")
    tallies = {how: Tally() for how in ("exact", *MISREADINGS)}
    random.Random(0).shuffle(paths)
    done, end = 0, inf if minutes is None else time.monotonic() + 60 * minutes
    with click.progressbar(paths, label="games", file=sys.stderr) as bar:
        for path in bar:
            for turn in turns_of(path):
                reader = Reader(f"{path.name} {turn.transcribed.number} {turn.transcribed.seat}", bank)
                position = turn.after.position()
                if reader.dice.random() < exact_share:
                    judge(turn, reader.exact(position), tallies["exact"])
                if reader.dice.random() < share:
                    how = reader.dice.choice(MISREADINGS)
                    observation = reader.misread(position, how)
                    if observation:
                        judge(turn, observation, tallies[how])
            done += 1
            if time.monotonic() > end:
                break
    games_told = f"{len(paths)}" if done == len(paths) else f"{done}, drawn by lot, of {len(paths)}"
    text = _table(tallies, games_told, exact_share, share, bank)
    out.write_text(text, encoding="utf-8")
    print(text)


def _table(tallies: dict[str, Tally], games: str, exact: float, share: float, bank: bool) -> str:
    misread = Tally()
    for how in MISREADINGS:
        misread.results += tallies[how].results
        misread.seconds += tallies[how].seconds
        misread.wrong += tallies[how].wrong
    columns = {"exact": tallies["exact"], "misread": misread} | {how: tallies[how] for how in MISREADINGS}
    seen = f"each piece of the bank is seen with probability {IN_VIEW}" if bank else "no bank is in the picture"
    rows = {words: [_part(tally, result) for tally in columns.values()] for result, words in RESULTS_IN_WORDS.items()}
    rows["**best explanation right**"] = [_part(tally, "sure", "first") for tally in columns.values()]
    rows["right, or among the choices"] = [_part(tally, "sure", "first", "listed") for tally in columns.values()]
    for words, part in (("CPU ms a turn, median", 0.5), ("95th percentile", 0.95), ("slowest", 1.0)):
        rows[words] = [_time(tally, part) for tally in columns.values()]
    lines = [
        "# Turns inferred from positions",
        "",
        f"{games} real games of Homeworlds: each turn from the position before it and a simulated reading of the "
        f"table after it. Exact readings (of a share of {exact:g} of the turns, drawn by lot), and readings with one "
        f"random piece misread (of a share of {share:g}; {seen}). "
        f"`python -m benchmarks.turn_inference --exact-share {exact:g} --share {share:g}`",
        "",
        "| | " + " | ".join(columns) + " |",
        "|---|" + "---|" * len(columns),
        "| turns | " + " | ".join(str(tally.results.total()) for tally in columns.values()) + " |",
        *(f"| {words} | " + " | ".join(cells) + " |" for words, cells in rows.items()),
    ]
    wrong = list(dict.fromkeys(line for tally in columns.values() for line in tally.wrong))
    if wrong:
        lines += ["", "Recorded or refused wrongly without a question (before; turn; taken for):", ""]
        lines += [f"- {line}" for line in wrong]
    return "\n".join(lines) + "\n"


def _part(tally: Tally, *results: str) -> str:
    total = tally.results.total()
    number = sum(tally.results[result] for result in results)
    return f"{number} ({100 * number / total:.2f} %)" if total and number else "0"


def _time(tally: Tally, share: float) -> str:
    if not tally.seconds:
        return ""
    ranked = sorted(tally.seconds)
    return f"{1000 * ranked[min(len(ranked) - 1, int(share * len(ranked)))]:.0f}"


if __name__ == "__main__":
    main()
