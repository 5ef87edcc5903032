"""Gives every reader of the rules texts that have gone wrong, and counts what it makes of them.

The texts begin as valid ones, from random games written by the strict writers, and are then spoilt a little. A reader
may take such a text or refuse it with a :class:`rules.RulesError`; what it takes, it has to take again in the same
way once it is written. The same seed gives the same texts.

From the root of the project, ``python -m tests.rules.fuzzing 200000`` spoils so many texts.
"""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random
from typing import Final, Generic, NamedTuple, TypeVar

from rules import KINDS, Outcome, Piece, RulesError, Seat, Size, homeworlds, settlers
from rules.homeworlds.sdg import read_sdg
from rules.homeworlds.sdg_replay import replay
from rules.option_values import read_options, written_options
from rules.records import SPECIAL_TURNS, GameKind, Record, RecordedTurn, Result, read_record, write_record

SECONDS_ALLOWED: Final = 5
"""For one text: far more than any takes, and far less than what hangs."""
_GAMES: Final = 12
_MOST_TURNS: Final = 40

AnyOptions = TypeVar("AnyOptions", homeworlds.Options, settlers.Options)
AnyTurn = TypeVar("AnyTurn", homeworlds.PartialTurn, settlers.PartialTurn)


Read = Callable[[str], object]
"""Reads a text: a RulesError where it refuses it, nothing else where all is well."""


class Sample(NamedTuple):
    """A valid text, and what reads it where it stands."""

    text: str
    read: Read


# ---- random games ----

_HOMEWORLDS: Final = (
    homeworlds.Options(),
    homeworlds.Options(self_elimination=homeworlds.SelfElimination.ALLOWED, repetition_claim=True),
    homeworlds.Options(victory=homeworlds.Victory.GOOD_AND_EVIL, evil=(Seat.NORTH,), red_alert=(Seat.SOUTH,)),
    homeworlds.Options(junior=Seat.SOUTH, extra_ships=(Size.SMALL, Size.MEDIUM), timewarp=2, tactical_computer=3),
    homeworlds.HANDICAP,
)
_SETTLERS: Final = (
    settlers.Options(),
    settlers.Options(redless=True, quiet_limit=50),
    settlers.Options(yellow_moves_any=True),
    settlers.Options(handicap=Seat.NORTH, handicap_size=Size.LARGE),
)


@dataclass
class Play(Generic[AnyOptions]):
    """What a game was: the position at its start and after each turn; and the turns, each with its seat and text."""

    kind: GameKind
    options: AnyOptions
    seats: tuple[Seat, ...]
    lines: list[str]
    turns: list[tuple[Seat, str]] = field(default_factory=list)
    result: Result | None = None

    def add(self, seat: Seat, text: str, line: str, outcome: Outcome | None) -> None:
        """One turn more, and how it ended the game, if it did."""
        self.turns.append((seat, text))
        self.lines.append(line)
        self.result = Result(outcome.termination, outcome.winners) if outcome else None


def homeworlds_play(dice: Random) -> Play[homeworlds.Options]:
    """A game of Homeworlds in which nobody gives up the own home."""
    game = homeworlds.Game(dice.choice(_HOMEWORLDS), players=dice.choice((2, 2, 3, 4)))
    play = Play(GameKind.HOMEWORLDS, game.options, game.seats, [game.position.line])
    while play.result is None and len(play.turns) < _MOST_TURNS:
        turn = some_steps(game.begin(), dice)
        steps = () if turn.gives_up_home else turn.steps
        seat, text = game.to_move, homeworlds.write_turn(steps, game.begin())
        play.add(seat, text, game.push(steps).line, game.outcome())
    return play


def settlers_play(dice: Random) -> Play[settlers.Options]:
    """A game of Settlers."""
    game = settlers.Game(dice.choice(_SETTLERS))
    play = Play(GameKind.SETTLERS, game.options, settlers.SEATS, [game.position.line])
    while play.result is None and len(play.turns) < _MOST_TURNS:
        steps = some_steps(game.begin(), dice).steps
        seat, text = game.to_move, settlers.write_turn(steps, game.position)
        play.add(seat, text, game.push(steps).line, game.outcome())
    return play


def some_steps(turn: AnyTurn, dice: Random) -> AnyTurn:
    """The longest of a few ways to go on from *turn* in which something is done, if anything can be."""
    return max((_walk(turn, dice) for _ in range(3)), key=lambda walked: len(walked.steps))


def _walk(turn: AnyTurn, dice: Random) -> AnyTurn:
    avoided: tuple[type, ...] = (homeworlds.Pass, settlers.Pass)
    if dice.random() < 0.9:
        avoided += (homeworlds.Sacrifice, homeworlds.Catastrophe)
    for _ in range(dice.randint(2, 6)):
        kinds: dict[type, list[object]] = {}
        for step in turn.legal_steps():
            if not isinstance(step, avoided):
                kinds.setdefault(type(step), []).append(step)
        if not kinds:
            break
        turn = turn.apply(dice.choice(dice.choice(list(kinds.values()))))  # type: ignore[arg-type]
    return turn


@cache
def homeworlds_plays() -> list[Play[homeworlds.Options]]:
    """Some games of Homeworlds."""
    return [homeworlds_play(Random(seed)) for seed in range(_GAMES)]


@cache
def settlers_plays() -> list[Play[settlers.Options]]:
    """Some games of Settlers."""
    return [settlers_play(Random(seed)) for seed in range(_GAMES)]


# ---- readers, and valid texts for them ----


def pieces() -> list[Sample]:
    """Every code of a piece."""
    return [Sample(piece.code, _read_piece) for piece in KINDS]


def _read_piece(text: str) -> None:
    piece = Piece.parse(text)
    assert Piece.parse(piece.code) is piece


def fields() -> list[Sample]:
    """Every field of the board."""
    return [Sample(field, _read_field) for field in settlers.FIELDS]


def _read_field(text: str) -> None:
    assert settlers.field_of(text) in settlers.FIELDS


def options() -> list[Sample]:
    """The options of both games, one on each line."""
    return [
        Sample("\n".join(f"{name} = {value}" for name, value in pairs), partial(_read_options, type(one)))
        for one in (*_HOMEWORLDS, *_SETTLERS)
        if (pairs := written_options(one))
    ]


def _read_options(kind: type[homeworlds.Options] | type[settlers.Options], text: str) -> None:
    lines = (line.partition("=") for line in text.split("\n") if line)
    found = read_options(kind, [(name.strip(), value) for name, _, value in lines])
    assert read_options(kind, written_options(found)) == found
    game = settlers.Game(found) if isinstance(found, settlers.Options) else homeworlds.Game(found)
    assert any(True for _ in game.begin().legal_steps())


def homeworlds_lines() -> list[Sample]:
    """Positions of Homeworlds."""
    return [Sample(line, _read_homeworlds_line) for play in homeworlds_plays() for line in play.lines]


def _read_homeworlds_line(text: str) -> None:
    position = homeworlds.Position.parse(text)
    assert homeworlds.Position.parse(position.line, position.players) == position
    position.status()
    with suppress(RulesError):  # such a position may be impossible, but can be played from or is refused
        homeworlds.read_turn("build green South", position)


def settlers_lines() -> list[Sample]:
    """Positions of Settlers."""
    return [Sample(line, _read_settlers_line) for play in settlers_plays() for line in play.lines]


def _read_settlers_line(text: str) -> None:
    position = settlers.Position.parse(text)
    assert settlers.Position.parse(position.line) == position
    position.status()
    with suppress(RulesError):
        settlers.read_turn("build green c3", position)


def homeworlds_turns() -> list[Sample]:
    """Turns of Homeworlds, each read where it was played."""
    return [
        Sample(text, partial(_read_homeworlds_turn, homeworlds.Position.parse(line, len(play.seats)), play.options))
        for play in homeworlds_plays()
        for line, (_, text) in zip(play.lines, play.turns, strict=False)
    ]


def _read_homeworlds_turn(position: homeworlds.Position, options: homeworlds.Options, text: str) -> None:
    turn = homeworlds.read_turn(text, position, options)
    strict = homeworlds.write_turn(turn, position, options)
    assert homeworlds.read_turn(strict, position, options) == turn, strict


def settlers_turns() -> list[Sample]:
    """Turns of Settlers, each read where it was played."""
    return [
        Sample(text, partial(_read_settlers_turn, settlers.Position.parse(line, play.options.redless), play.options))
        for play in settlers_plays()
        for line, (_, text) in zip(play.lines, play.turns, strict=False)
    ]


def _read_settlers_turn(position: settlers.Position, options: settlers.Options, text: str) -> None:
    turn = settlers.read_turn(text, position, options)
    strict = settlers.write_turn(turn, position)
    assert settlers.read_turn(strict, position, options) == turn, strict


def transcripts() -> list[Sample]:
    """The beginnings of games of Homeworlds, as SuperDuperGames would tell them."""
    return [
        Sample(_transcript(play, turns), lambda text: replay(read_sdg(text)))
        for play in homeworlds_plays()
        for turns in (2, 6, 12, 25)
    ]


def _transcript(play: Play[homeworlds.Options], turns: int) -> str:
    lines = [f"Players: {', '.join(seat.word for seat in play.seats)}", f"Winner: {play.seats[0].word}"]
    for number, (seat, text) in enumerate(play.turns[:turns], 1):
        steps = [
            re.sub(r"\b[rygb][1-3]", lambda code: code[0].upper(), step).capitalize() for step in text.split("; ")
        ]
        lines += ["", f"{number}) {seat.word}: {steps[0]}", *steps[1:]]
    return "\n".join(lines)


def records() -> list[Sample]:
    """Whole games of both kinds and what can stand among their turns, in files of our own."""
    plays: list[Play[homeworlds.Options] | Play[settlers.Options]] = [*homeworlds_plays(), *settlers_plays()]
    return [Sample(write_record(_record(play, turns)), _read_record) for play in plays for turns in (0, 3, 10, 40)]


def _record(play: Play[homeworlds.Options] | Play[settlers.Options], turns: int) -> Record:
    told = [RecordedTurn(seat, text) for seat, text in play.turns[:turns]]
    special = [RecordedTurn(play.seats[0], text) for text in SPECIAL_TURNS]
    return Record(play.kind, play.seats, (*told, *special), written_options(play.options), play.lines[0], play.result)


def _read_record(text: str) -> None:
    record = read_record(text)
    assert read_record(write_record(record)) == record


# ---- texts gone wrong ----

Mutator = Callable[[Random, str, str], str]
"""Spoils a text, for which it may use another one."""

_ODD: Final[tuple[str, ...]] = (
    *"٣１③³𝟛",  # digits that are not 0 to 9
    *"ıſKﬁßİ",  # letters that change when their case does, one of them into two
    *"\u0301\u20dd\u200b\u200d\ufeff",  # marks that combine, and letters that cannot be seen
    *"\u202e\u200f\u2066",  # right to left
    *"\0\x01\x0b\x0c\x1c\x85\u2028\u00a0\r\n\t",  # ends of lines and other spaces
    *"\ud800\udfff\U0010ffff\ue000",  # nothing that could be sent or shown
    *"–—−→⇒“”*()[]{}<>;,/:=+^-#'\"\\%",
    "👩‍🚀",
)
_NUMBERS: Final = ("-1", "0", "1e9", "0x1f", "1_000", "+3", "007", "4", "9" * 19, "9" * 5000, "٣٣", "NaN", "1.5")
_LENGTHS: Final = (10, 50, 300, 2100, 20_000)


def _place(dice: Random, text: str) -> int:
    return dice.randint(0, len(text))


def _span(dice: Random, text: str) -> tuple[int, int]:
    start = _place(dice, text)
    return start, min(len(text), start + dice.choice((1, 1, 2, 5, 40)))


def put_in(dice: Random, text: str, other: str) -> str:
    """With a letter more."""
    place = _place(dice, text)
    return text[:place] + dice.choice(other or " ") + text[place:]


def put_in_odd(dice: Random, text: str, _: str) -> str:
    """With a letter more that nobody would expect."""
    place = _place(dice, text)
    return text[:place] + dice.choice(_ODD) + text[place:]


def taken_out(dice: Random, text: str, _: str) -> str:
    """Without some letters."""
    start, end = _span(dice, text)
    return text[:start] + text[end:]


def replaced(dice: Random, text: str, other: str) -> str:
    """With one letter for another, odd or not."""
    start = _place(dice, text)
    letters: list[str] = [*other[:40], *_ODD]
    return text[:start] + dice.choice(letters) + text[start + 1 :]


def run_on(dice: Random, text: str, _: str) -> str:
    """With some letters many times over."""
    start, end = _span(dice, text)
    times = dice.choice(_LENGTHS) // max(1, end - start)
    return text[:start] + text[start:end] * times + text[end:]


def cased(dice: Random, text: str, _: str) -> str:
    """With letters in the other case."""
    start, end = sorted((_place(dice, text), _place(dice, text)))
    change: Callable[[str], str] = dice.choice((str.upper, str.lower, str.swapcase, str.title))
    return text[:start] + change(text[start:end]) + text[end:]


def cut(dice: Random, text: str, _: str) -> str:
    """The beginning or the end alone."""
    place = _place(dice, text)
    return dice.choice((text[:place], text[place:]))


def joined(dice: Random, text: str, other: str) -> str:
    """The beginning of one and the end of another."""
    return text[: _place(dice, text)] + dice.choice(("", " ", "\n", ";")) + other[_place(dice, other) :]


def doubled(dice: Random, text: str, _: str) -> str:
    """Some times over."""
    return dice.choice(("", " ", "\n", "\n\n", ";", "-")).join([text] * dice.choice((2, 2, 3, 50)))


_PARTS: Final = re.compile(r"\w+|\s+|.", re.DOTALL)


def _words(text: str) -> list[str]:
    return _PARTS.findall(text) or [""]


def words_swapped(dice: Random, text: str, _: str) -> str:
    """With two words or marks in each other's place."""
    words = _words(text)
    one, two = dice.randrange(len(words)), dice.randrange(len(words))
    words[one], words[two] = words[two], words[one]
    return "".join(words)


def word_doubled(dice: Random, text: str, _: str) -> str:
    """With a word or mark twice."""
    words = _words(text)
    place = dice.randrange(len(words))
    words.insert(place, words[place])
    return "".join(words)


def word_dropped(dice: Random, text: str, _: str) -> str:
    """Without a word or mark."""
    words = _words(text)
    del words[dice.randrange(len(words))]
    return "".join(words)


def word_replaced(dice: Random, text: str, other: str) -> str:
    """With a word or mark of another text."""
    words = _words(text)
    words[dice.randrange(len(words))] = dice.choice(_words(other))
    return "".join(words)


def renumbered(dice: Random, text: str, _: str) -> str:
    """With a number that is another, or none."""
    numbers = list(re.finditer("[0-9]+", text))
    start, end = dice.choice(numbers).span() if numbers else (0, 0)
    return text[:start] + dice.choice(_NUMBERS) + text[end:]


MUTATORS: Final[tuple[Mutator, ...]] = (
    put_in,
    put_in_odd,
    taken_out,
    replaced,
    run_on,
    cased,
    cut,
    joined,
    doubled,
    words_swapped,
    word_doubled,
    word_dropped,
    word_replaced,
    renumbered,
)
_LONGEST: Final = 100_000


def spoilt(dice: Random, text: str, other: str) -> str:
    """*text* gone wrong in one way or in several."""
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 6))):
        text = dice.choice(MUTATORS)(dice, text, other)[:_LONGEST]
    return text


# ---- the readers at work ----

READERS: Final[dict[str, tuple[int, Callable[[], list[Sample]]]]] = {
    "pieces": (5, pieces),
    "fields": (5, fields),
    "options": (10, options),
    "homeworlds_lines": (15, homeworlds_lines),
    "settlers_lines": (15, settlers_lines),
    "homeworlds_turns": (20, homeworlds_turns),
    "settlers_turns": (20, settlers_turns),
    "transcripts": (5, transcripts),
    "records": (5, records),
}
"""Each reader's share of a hundred texts, and what its texts are made of."""


@dataclass
class Account:
    """What a reader made of the texts it got.

    Attributes:
        broken: texts that raised anything but a RulesError, with what they raised.
        slowest: seconds for the text that took longest.
    """

    reader: str
    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0
    broken: list[tuple[str, BaseException]] = field(default_factory=list)

    def __str__(self) -> str:
        inputs = self.accepted + self.refused + len(self.broken)
        return (
            f"{self.reader:17} {inputs:7} inputs {self.accepted:7} accepted {self.refused:7} refused "
            f"{len(self.broken):3} broken, slowest {1000 * self.slowest:.0f} ms"
        )


def fuzz(reader: str, inputs: int, seed: int = 0) -> Account:
    """What *reader* makes of so many texts."""
    dice = Random(f"{reader} {seed}")
    account = Account(reader)
    samples = READERS[reader][1]()
    for _ in range(inputs):
        sample = dice.choice(samples)
        text = spoilt(dice, sample.text, dice.choice(samples).text)
        started = time.perf_counter()
        try:
            with_fence(sample.read, text)
        except RulesError as refusal:
            if refusal.sentence and refusal.sentence.isprintable():
                account.refused += 1
            else:
                account.broken.append((text, refusal))
        except Exception as error:
            account.broken.append((text, error))
        else:
            account.accepted += 1
        account.slowest = max(account.slowest, time.perf_counter() - started)
    return account


def with_fence(read: Read, text: str) -> None:
    """Read *text*; a TimeoutError where that takes too long."""
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(SECONDS_ALLOWED)
    try:
        read(text)
    finally:
        signal.alarm(0)


def _stop(*_: object) -> None:
    raise TimeoutError(f"not read after {SECONDS_ALLOWED} s")


def shares(inputs: int) -> list[tuple[str, int]]:
    """Each reader, and how many of so many texts it gets."""
    return [(reader, inputs * share // 100) for reader, (share, _) in READERS.items()]


def main(inputs: int, seed: int = 0) -> int:
    """Spoil so many texts for all readers and print what became of them; the number of those that broke a reader."""
    broken = 0
    for reader, share in shares(inputs):
        print(f"{reader}: {share} texts …", end="\r", flush=True)
        account = fuzz(reader, share, seed)
        broken += len(account.broken)
        print(account)
        for text, error in account.broken[:5]:
            print(f"    {text[:300]!a}: {error!r}")
    return broken


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
