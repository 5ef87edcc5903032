"""Transcripts of games played at SuperDuperGames: who played, who is said to have won, and the turns.

::

    Players: North, South
    Winner: South

    1) North: Homeworld G3 B2 Y3

    2) South: Homeworld Y1 B3 G3
    …
    31) North: Sacrifice Y2 Emerald
    Move Y3 Emerald Droplet
    Catastrophe Droplet Y

The turns are handed on as texts that :func:`rules.homeworlds.turn_notation.read_turn` reads. That reader knows most
of this dialect: verbs of one letter, two pieces in a trade, ``Attack R1N Sol`` and ``Attack R1 Sol North``, colours
in words, systems named like pieces or colours, a missing star. What remains is seen to here:

- A home is called after the seat of its owner, whatever name stands in the transcript.
- Words after a complete step do not count: the second word of a name, a comment, anything after ``Pass``.
- Marks and digits behind a piece do not count: ``G3!!!``, ``Y1```, ``G314``.
- Passes that a turn has no action for do not count: after its action, beyond what a sacrifice gives, or the second.
- A turn may begin on the line after its number, may declare a catastrophe before its action or sacrifice, and may be
  empty, which is a pass.
- Letters that cannot be printed do not count, nor does a ``*``: no turn there is confirmed.

Whose turn it was, only the transcript knows; :mod:`rules.homeworlds.sdg_replay` sees to that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules.errors import RulesError, quoted
from rules.seats import Seat, seats_for


@dataclass(frozen=True, slots=True)
class TranscribedTurn:
    """One turn: its number in the transcript, whose it is, and its text in our notation."""

    number: int
    seat: Seat
    text: str


@dataclass(frozen=True)
class Transcript:
    """What a transcript says; whether its turns are legal only a game can tell.

    Attributes:
        players: the seats in the order of its first line; whoever has the first turn begins.
        winner: who is said to have won, by play or otherwise; ``None`` where nothing is said.
        turns: the turns in order.
    """

    players: tuple[Seat, ...]
    winner: Seat | None
    turns: tuple[TranscribedTurn, ...]


_SEATS: Final = {seat.value: seat for seat in Seat}
_NUMBERS: Final = (2, 3, 4)
_TURN: Final = re.compile(r"([0-9]{1,6})\)\s*(\w+)\s*:(.*)")
_PIECE: Final = re.compile(r"([rygb][1-3])[\W\d]*", re.IGNORECASE)
_WORDS_AFTER: Final = {"h": 3, "b": 2, "t": 3, "m": 3, "d": 4, "a": 2, "s": 2, "c": 2, "p": 0}
"""How many words follow each verb, by its first letter."""
_LONGEST: Final = 1_000_000  # letters; the longest known transcript has some 15,000


def read_sdg(text: str) -> Transcript:
    """The players, the winner and the turns of a transcript; a :class:`rules.RulesError` where it is none.

    >>> transcript = read_sdg("Players: North, South\\n\\n1) North: H G3 B2 Y3\\n\\n2) South: Pass")
    >>> [(turn.seat.word, turn.text) for turn in transcript.turns]
    [('North', 'H G3 B2 Y3 North'), ('South', 'Pass')]
    """
    if len(text) > _LONGEST:
        raise RulesError(
            "transcript_too_long", f"This transcript is too long: {len(text)} letters.", length=len(text)
        )
    players: tuple[Seat, ...] = ()
    winner: Seat | None = None
    turns: list[tuple[int, Seat, list[str]]] = []
    for line_number, raw_line in enumerate(text.split("\n"), 1):
        line = raw_line.strip()
        if turns:
            _read_turn_line(line, line_number, players, turns)
        elif line.lower().startswith("players:"):
            players = _players(line[8:], line_number)
        elif line.lower().startswith("winner:"):
            winner = _seat(line[7:], line_number)
        elif line:
            _read_turn_line(line, line_number, players, turns)
    if not turns:
        raise RulesError(
            "transcript_empty", "This transcript has no turns: they look like 1) North: Homeworld G3 B2 Y3"
        )
    return Transcript(
        players, winner, tuple(TranscribedTurn(number, seat, _turn(steps, seat)) for number, seat, steps in turns)
    )


def _read_turn_line(
    line: str, line_number: int, players: tuple[Seat, ...], turns: list[tuple[int, Seat, list[str]]]
) -> None:
    """Take up a line among the *turns*: the start of one, or a further step of the last."""
    start = _TURN.fullmatch(line)
    if start:
        number, name, step = start.groups()
        seat = _seat(name, line_number)
        if seat not in players:
            raise RulesError(
                "player_unknown",
                f"Line {line_number}: {seat.word} has a turn but does not play; the first line of a transcript looks "
                "like Players: North, South",
                line=line_number,
                seat=seat.value,
            )
        turns.append((int(number), seat, [step]))
    elif turns:
        turns[-1][2].append(line)
    else:
        raise RulesError(
            "transcript_unreadable",
            f"Line {line_number}, {quoted(line)}, is no line of a transcript: before the first turn stand Players: "
            "and Winner:, and turns look like 1) North: Homeworld G3 B2 Y3",
            line=line_number,
            text=line,
        )


def _players(names: str, line_number: int) -> tuple[Seat, ...]:
    """The seats of the first line, which have to be those that two, three or four players take."""
    players = tuple(_seat(name, line_number) for name in names.split(","))
    if len(players) not in _NUMBERS or set(players) != set(seats_for(len(players))):
        raise RulesError(
            "players_wrong",
            f"Line {line_number}: the players are two to four: North and South, North, East and South, or all seats.",
            line=line_number,
        )
    return players


def _seat(name: str, line_number: int) -> Seat:
    seat = _SEATS.get(name.strip().lower())
    if seat is None:
        raise RulesError(
            "seat_unknown",
            f"Line {line_number}: {quoted(name)} is not a seat: write North, East, South or West.",
            line=line_number,
            text=name,
        )
    return seat


def _turn(lines: list[str], seat: Seat) -> str:
    """The text of a turn from its lines."""
    steps = (_step(line, seat) for line in lines)
    return "; ".join(_without_needless_passes([step for step in steps if step])) or "Pass"


def _step(line: str, seat: Seat) -> str:
    """One step, without what does not count."""
    if not line.isprintable():
        line = "".join(letter for letter in line if letter.isprintable() or letter.isspace())
    words = line.replace("*", "").split()
    if not words:
        return ""
    verb = words[0][0].lower()
    count = _WORDS_AFTER.get(verb, len(words))
    if verb == "h":
        return " ".join([*words[: count + 1], seat.word])
    if len(words) > 1 and len(words[1]) > 2 and not _is_catastrophe(words[0]):
        words[1] = _unadorned(words[1])
    if len(words) <= count + 1:
        return " ".join(words)
    if verb == "a" and words[3].lower() in _SEATS:
        count += 1
    return " ".join(words[: count + 1])


def _is_catastrophe(verb: str) -> bool:
    return "catastrophe".startswith(verb.lower())


def _unadorned(word: str) -> str:
    """A piece without the marks behind it; other words, and a piece with its owner, as they are."""
    piece = _PIECE.fullmatch(word)
    return piece[1] if piece else word


def _without_needless_passes(steps: list[str]) -> list[str]:
    return list(_needed(steps)) if len(steps) > 1 else steps


def _needed(steps: list[str]) -> Iterator[str]:
    """The *steps* but for the passes that no action is left for."""
    actions = 1
    for step in steps:
        verb = step[0].lower()
        if verb == "p":
            if actions <= 0:
                continue
            actions -= 1
        elif verb == "s":
            sacrificed = step.split()[1:2]
            actions = int(sacrificed[0][1]) if sacrificed and sacrificed[0][1:2].isdecimal() else 1
        elif not _is_catastrophe(step.split()[0]):
            actions -= 1
        yield step
