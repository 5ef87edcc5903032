"""Transcripts of games played at SuperDuperGames: who played, who is said to have won, and the turns.

As the site sends them, with names and talk::

    Homeworlds Online (SDG# 12)
    Variants: "Unrated, Hard time"
    Started: 2008.1.2, Ended: 2008.4.11
    Participants: ann (S), bert (N)
    Winner: ann

    1) bert: Homeworld G3 B2 Y3

    2) ann: Homeworld Y1 B3 G3
    \tbert: good luck
    …
    31) bert: Sacrifice Y2 Emerald
    Move Y3 Emerald Droplet
    Catastrophe Droplet Y

and with seats in place of the names, below ``Players: North, South`` and ``Winner: South``.

The turns are handed on as texts that :func:`rules.homeworlds.turn_notation.read_turn` reads. That reader knows most
of this dialect: verbs of one letter, two pieces in a trade, ``Attack R1N Sol`` and ``Attack R1 Sol North``, colours
in words, systems named like pieces or colours, a missing star. What remains is seen to here and in
:mod:`rules.homeworlds.sdg_steps`:

- A home is called after the seat of its owner, whatever name stands in the transcript.
- Words after a complete step do not count: the second word of a name, a comment, anything after ``Pass``.
- Marks and digits behind a piece do not count: ``G3!!!``, ``Y1```, ``G314``.
- Passes that a turn has no action for do not count: after its action, beyond what a sacrifice gives, or the second.
- A turn may begin on the line after its number, may declare a catastrophe before its action or sacrifice, and may be
  empty, which is a pass.
- Letters that cannot be printed do not count, nor does a ``*``: no turn there is confirmed.
- Marks of our notation within a name, such as a ``/``, become a ``-``.

Talk, comments, variants that change no rule here and headings without a meaning are skipped, and listed as such.
Talk goes from an indented line to the next turn. Whose turn it was, only the transcript knows;
:mod:`rules.homeworlds.sdg_replay` sees to that.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import Final

from rules.errors import RulesError, quoted
from rules.homeworlds.sdg_players import SEATS, Players, read_players
from rules.homeworlds.sdg_steps import Steps
from rules.homeworlds.transcript import Skipped, TranscribedTurn, Transcript
from rules.seats import Seat

_SEAT_TURN: Final = re.compile(r"([0-9]{1,6})[).]\s*(\w+)\s*:(.*)")
_NAME_TURN: Final = re.compile(r"([0-9]{1,6})[).]\s*([^:\s][^:]{0,98}?)\s*:(.*)")
_SITE: Final = "Homeworlds Online (SDG"
_TITLE: Final = re.compile(r"\(SDG\s*#", re.IGNORECASE)
_DATES: Final = ("started:", "ended:")
_HEADING: Final = re.compile(r"([A-Za-z][A-Za-z ]{0,29}):(.*)")
_SPOKEN: Final = re.compile(r"\s+[^:]{1,99}:")
_COMMENT: Final = ("#", "//")
_WITHOUT_RULES: Final = {"rated", "unrated", "hard time", "no undo", "undo"}
"""Variants of the site that are about its rating, its clock and its page; others are told as skipped."""
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
    reading = _Reading()
    lines = textwrap.dedent(html.unescape(text) if "&" in text else text).split("\n")
    for number, line in enumerate(lines, 1):
        reading.take(line, number)
    if not reading.turns:
        raise RulesError(
            "transcript_empty", "This transcript has no turns: they look like 1) North: Homeworld G3 B2 Y3"
        )
    steps = Steps(reading.players, lines)
    turns = tuple(
        TranscribedTurn(number, seat, steps.turn(said, seat), line) for number, seat, said, line in reading.turns
    )
    return Transcript(reading.players.seats, reading.winner, turns, reading.players.names, tuple(reading.skipped()))


class _Reading:
    """What has been read of a transcript so far."""

    def __init__(self) -> None:
        self.players = Players()
        self.turns: list[tuple[int, Seat, list[str], int]] = []
        self._winner: tuple[str, int] | None = None
        self._talking = False
        self._talk = self._comments = 0
        self._others: list[Skipped] = []

    @property
    def winner(self) -> Seat | None:
        """Who is said to have won, if it is one of the players."""
        return self.players.find(self._winner[0]) if self._winner else None

    def skipped(self) -> Iterator[Skipped]:
        """Whatever is no part of the game."""
        if self._talk:
            yield Skipped.counted("talk", self._talk, "line of talk", "lines of talk")
        if self._comments:
            yield Skipped.counted("comments", self._comments, "comment", "comments")
        for skipped, times in Counter(self._others).items():
            yield skipped if times == 1 else Skipped(skipped.kind, f"{skipped.text} ({times} times)")
        if self._winner and self._winner[0] and self.winner is None:
            yield Skipped("headings", f"the winner {quoted(self._winner[0])}, who does not play")

    def take(self, raw: str, number: int) -> None:
        """Take up the next line."""
        line = raw.strip()
        if not line:
            return
        if self._begins_turn(raw, line, number):
            self._talking = False
        elif self._talking or self._is_talk(raw):
            if self.turns and raw.startswith(_SITE):  # not where somebody talks of another game
                self._check_same_game(line, number)
            self._talking = True
            self._talk += 1
        elif line.startswith(_COMMENT):
            self._comments += 1
        elif self.turns:
            self._check_same_game(line, number)
            self.turns[-1][2].append(line)
        else:
            self._take_heading(line, number)

    def _begins_turn(self, raw: str, line: str, number: int) -> bool:
        """Take up the *line* where a turn begins on it; in talk, only where one of the players has it."""
        named = bool(self.players.names)
        start = (_NAME_TURN if named else _SEAT_TURN).fullmatch(line)
        if not start or (named and raw.startswith("\t")):
            return False
        count, name, step = start.groups()
        if self._talking and self.players.find(name) is None:
            return False
        seat = self.players.seat(name, number)
        if seat not in self.players.seats:
            raise RulesError(
                "player_unknown",
                f"Line {number}: {seat.word} has a turn but does not play; the first line of a transcript looks "
                "like Players: North, South",
                line=number,
                seat=seat.value,
            )
        self.turns.append((int(count), seat, [step], number))
        return True

    def _is_talk(self, raw: str) -> bool:
        """Whether somebody begins to talk: on an indented line, of a name and what is said."""
        spoken = _SPOKEN.match(raw)
        if self.players.names:
            return raw.startswith("\t") or spoken is not None
        return spoken is not None and spoken[0].strip(" \t:").lower() in SEATS

    def _check_same_game(self, line: str, number: int) -> None:
        if _TITLE.search(line):
            raise RulesError(
                "several_games",
                f"Line {number}: another game begins here, {quoted(line)}: save each game as a file of its own.",
                line=number,
            )

    def _take_heading(self, line: str, number: int) -> None:
        lower = line.lower()
        if lower.startswith("players:"):
            self.players = read_players(line[8:], number)
        elif lower.startswith("participants:"):
            self.players = read_players(line[13:], number, named=True)
        elif lower.startswith("winner:"):
            self._take_winner(line[7:], number)
        elif lower.startswith("variants:"):
            self._take_variants(line[9:])
        elif title := _TITLE.search(line):
            _check_title(line[: title.start()].strip(), number)
        elif lower.startswith(_DATES) or lower.startswith("homeworld"):
            return
        elif _HEADING.fullmatch(line):
            self._others.append(Skipped("headings", f"the heading {quoted(line)}"))
        else:
            raise RulesError(
                "transcript_unreadable",
                f"Line {number}, {quoted(line)}, is no line of a transcript: before the first turn stand Players: "
                "and Winner:, and turns look like 1) North: Homeworld G3 B2 Y3",
                line=number,
                text=line,
            )

    def _take_winner(self, name: str, number: int) -> None:
        self._winner = name.strip(), number
        if not self.players.names and self.players.seats:
            self.players.seat(name, number)

    def _take_variants(self, text: str) -> None:
        for variant in (part.strip(' "“”') for part in text.split(",")):
            if variant and variant.lower() not in _WITHOUT_RULES:
                self._others.append(Skipped("variants", f"the variant {quoted(variant)}"))


def _check_title(game: str, number: int) -> None:
    if not game.lower().startswith("homeworld"):
        raise RulesError(
            "other_game",
            f"Line {number}: this is a transcript of {quoted(game)}: only those of Homeworlds can be read.",
            line=number,
            game=game,
        )
