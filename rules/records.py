"""Game files of our own: one form for both games, and one text for each game.

::

    Game: homeworlds
    Players: South, North
    Option: self_elimination = allowed
    Result: South wins by direct assault

    1. South: homeworld b3 y2 g3 South
    2. North: homeworld r1 g2 b3 North
    3. South: build g1 South

``Players`` stand in turn order, the beginner first. ``Start`` holds the line of the first position where it is not
the empty table. Each turn is one line; its steps are separated by ``"; "``. What happens besides turns stands among
them: ``resign``, ``draw agreed``, ``claim repetition``, ``swap seats`` and ``ask advice``.

This module knows the outer form only: whether a turn is one, and legal, its game tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.errors import RulesError, quoted
from rules.outcomes import Termination
from rules.seats import Seat, seats_for


class GameKind(StrEnum):
    """The two games."""

    HOMEWORLDS = "homeworlds"
    SETTLERS = "settlers"


SPECIAL_TURNS: Final = ("resign", "draw agreed", "claim repetition", "swap seats", "ask advice")
"""What can stand in place of the steps of a turn."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a recorded game ended: who won, several where a side won together, nobody in a draw."""

    termination: Termination
    winners: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One line of a record: whose it is, and its text."""

    seat: Seat
    text: str

    @property
    def is_special(self) -> bool:
        """Whether it is no turn but one of :data:`SPECIAL_TURNS`."""
        return self.text in SPECIAL_TURNS


@dataclass(frozen=True)
class Record:
    """A game as its file tells it.

    Attributes:
        game: which game it is.
        players: the seats taken, in turn order from the beginner on.
        turns: the turns in order.
        options: names and values of the options that differ from the rulings, in order.
        start: the line of the position that the game began with; empty for the empty table.
        result: how it ended; ``None`` while it goes on.
    """

    game: GameKind
    players: tuple[Seat, ...]
    turns: tuple[RecordedTurn, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    start: str = ""
    result: Result | None = None


_UNFINISHED: Final = "unfinished"
_HEADERS: Final = ("Game", "Players", "Option", "Start", "Result")
_HEADER: Final = re.compile(r"(\w+): (\S.*)")
_OPTION: Final = re.compile(r"([a-z][a-z0-9_]*) = (\S.*)")
_TURN: Final = re.compile(r"([1-9][0-9]{0,6})\. (\w+): (\S.*)")
_RESULT: Final = re.compile(r"(?:draw|(?P<winners>\w+(?: and \w+)*) wins?) by (?P<termination>.+)")
_SEATS: Final = {seat.word: seat for seat in Seat}
_EXAMPLES: Final = {
    "Game": "Game: homeworlds",
    "Players": "Players: South, North",
    "Option": "Option: self_elimination = allowed",
    "Start": "Start: <0>; South(0,b1r2)g3-; North(1,y1b3)-g3",
    "Result": "Result: South wins by resignation",
}


def write_record(record: Record) -> str:
    """The text of a record, with a line break at its end; :func:`read_record` gives the same record again.

    A :class:`rules.RulesError` for a record that the file cannot hold, such as a turn of several lines.

    >>> south = RecordedTurn(Seat.SOUTH, "homeworld b3 y2 g3 South")
    >>> print(write_record(Record(GameKind.HOMEWORLDS, (Seat.SOUTH, Seat.NORTH), (south,))), end="")
    Game: homeworlds
    Players: South, North
    Result: unfinished
    <BLANKLINE>
    1. South: homeworld b3 y2 g3 South
    """
    text = "\n".join([*_header(record), "", *_turn_lines(record)]) + "\n"
    if read_record(text) != record:
        raise RulesError(
            "record_unwritable",
            "This record cannot be written: each option and turn has to be one line that does not begin or end with "
            "a space.",
        )
    return text


def _header(record: Record) -> Iterator[str]:
    yield f"Game: {record.game.value}"
    yield f"Players: {', '.join(seat.word for seat in record.players)}"
    yield from (f"Option: {name} = {value}" for name, value in record.options)
    if record.start:
        yield f"Start: {record.start}"
    yield f"Result: {_written_result(record.result)}"


def _turn_lines(record: Record) -> Iterator[str]:
    for number, turn in enumerate(record.turns, 1):
        yield f"{number}. {turn.seat.word}: {turn.text}"


def _written_result(result: Result | None) -> str:
    if result is None:
        return _UNFINISHED
    winners = " and ".join(seat.word for seat in result.winners)
    who = f"{winners} {'win' if len(result.winners) > 1 else 'wins'}" if winners else "draw"
    return f"{who} by {result.termination.value}"


def read_record(text: str) -> Record:
    """The record that *text* holds; a :class:`rules.RulesError` with the number of the line that is wrong."""
    lines = text.split("\n")
    end = lines.index("") if "" in lines else len(lines)
    headers = _headers(lines[:end])
    players = _players(*headers["Players"][0])
    turns = _turns(lines, end + 1, players)
    return Record(
        game=_game(*headers["Game"][0]),
        players=players,
        turns=tuple(turns),
        options=_options(headers["Option"]),
        start=headers["Start"][0][1] if headers["Start"] else "",
        result=_result(*headers["Result"][0], players),
    )


_Lines = list[tuple[int, str]]
"""Values of a header, each with the number of its line."""


def _headers(lines: list[str]) -> dict[str, _Lines]:
    """The values of each header; all but ``Option`` stand at most once, and all in their order."""
    found: dict[str, _Lines] = {name: [] for name in _HEADERS}
    latest = 0
    for number, line in enumerate(lines, 1):
        parts = _HEADER.fullmatch(line)
        if not parts or parts[1] not in found or not _is_plain(line):
            raise _wrong(
                number,
                "header_unreadable",
                f"{quoted(line)} is not a header: write one of {', '.join(_HEADERS)}, such as {_EXAMPLES['Game']}, "
                "without spaces at the end; an empty line ends them",
            )
        name, value = parts.groups()
        place = _HEADERS.index(name)
        if found[name] and name != "Option":
            raise _wrong(number, "header_twice", f"{name} stands there twice: leave one of the two out")
        if place < latest:
            order = ", ".join(_HEADERS)
            raise _wrong(number, "header_out_of_order", f"{name} comes too late: the order is {order}")
        latest = place
        found[name].append((number, value))
    for name in ("Game", "Players", "Result"):
        if not found[name]:
            example = _EXAMPLES[name]
            raise _wrong(
                len(lines) + 1, "header_missing", f"the header {name} is missing: write for instance {example}"
            )
    return found


def _game(number: int, value: str) -> GameKind:
    if value not in tuple(GameKind):
        raise _wrong(number, "game_unknown", f"{quoted(value)} is not a game: write homeworlds or settlers")
    return GameKind(value)


def _players(number: int, value: str) -> tuple[Seat, ...]:
    names = value.split(", ")
    taken = {", ".join(sorted(seat.word for seat in seats_for(players))) for players in (2, 3, 4)}
    if ", ".join(sorted(names)) not in taken:
        raise _wrong(
            number,
            "players_unreadable",
            f"{quoted(value)} are not the players: write the beginner first, such as South, North for two, or East, "
            "South, North for three",
        )
    return tuple(_SEATS[name] for name in names)


def _options(lines: _Lines) -> tuple[tuple[str, str], ...]:
    options: dict[str, str] = {}
    for number, value in lines:
        parts = _OPTION.fullmatch(value)
        if not parts:
            example = _EXAMPLES["Option"]
            raise _wrong(
                number, "option_unreadable", f"{quoted(value)} is not an option: write name = value, as in {example}"
            )
        if parts[1] in options:
            raise _wrong(
                number, "option_twice", f"the option {parts[1]} stands there twice: leave one of the two out"
            )
        options[parts[1]] = parts[2]
    return tuple(options.items())


def _result(number: int, value: str, players: tuple[Seat, ...]) -> Result | None:
    if value == _UNFINISHED:
        return None
    parts = _RESULT.fullmatch(value)
    winners = parts["winners"].split(" and ") if parts and parts["winners"] else []
    if not parts or parts["termination"] not in tuple(Termination) or not all(name in _SEATS for name in winners):
        raise _wrong(
            number,
            "result_unreadable",
            f"{quoted(value, 60)} is not a result: write unfinished, or who wins by what, such as South wins by "
            "resignation, or draw by agreement",
        )
    playing = {seat.word for seat in players}
    result = Result(Termination(parts["termination"]), tuple(_SEATS[name] for name in winners))
    if _written_result(result) != value or not set(winners) <= playing or len(set(winners)) < len(winners):
        raise _wrong(
            number, "result_wrong", f"{quoted(value, 60)} names a winner who does not play, or one of several wrongly"
        )
    return result


def _turns(lines: list[str], start: int, players: tuple[Seat, ...]) -> Iterator[RecordedTurn]:
    """The turns from line *start* (counted from 0) on; what follows the last line break is empty."""
    if len(lines) <= start or lines[-1]:
        raise _wrong(
            len(lines),
            "end_missing",
            "the file is cut off: an empty line stands before the turns, and every line ends with a line break",
        )
    for count, line in enumerate(lines[start:-1], 1):
        number = start + count
        parts = _TURN.fullmatch(line)
        if not parts or not _is_plain(line):
            raise _wrong(
                number,
                "turn_line_unreadable",
                f"{quoted(line)} is not a turn: write its number, the player and the turn, such as "
                f"{count}. {players[0].word}: pass",
            )
        if int(parts[1]) != count:
            raise _wrong(number, "turn_number_wrong", f"this is turn {count}, but it is numbered {parts[1]}")
        if parts[2] not in _SEATS or _SEATS[parts[2]] not in players:
            raise _wrong(
                number,
                "player_unknown",
                f"{quoted(parts[2])} does not play: the players are {', '.join(seat.word for seat in players)}",
            )
        yield RecordedTurn(_SEATS[parts[2]], parts[3])


def _is_plain(line: str) -> bool:
    return line.isprintable() and line == line.rstrip()


def _wrong(line: int, code: str, what: str) -> RulesError:
    return RulesError(code, f"Line {line}: {what}.", line=line)
