"""Valid texts of every kind that the rules read, each with its reader.

A reader may refuse a text with a :class:`rules.RulesError`; what it takes, it has to take again in the same way once
it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from short_plays import HOMEWORLDS_OPTIONS, SETTLERS_OPTIONS, Play, homeworlds_plays, settlers_plays

from rules import KINDS, Piece, RulesError, Seat, homeworlds, settlers
from rules.homeworlds.sdg import read_sdg
from rules.homeworlds.sdg_replay import replay
from rules.option_values import read_options, written_options
from rules.records import SPECIAL_TURNS, Record, RecordedTurn, read_record, write_record

Read = Callable[[str], object]
"""Reads a text: a RulesError where it refuses it, nothing else where all is well."""


class Sample(NamedTuple):
    """A valid text, and what reads it where it stands."""

    text: str
    read: Read


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
        for one in (*HOMEWORLDS_OPTIONS, *SETTLERS_OPTIONS)
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
    """The beginnings of games of Homeworlds, as SuperDuperGames would tell them, with seats and with names."""
    told = [_transcript(play, turns) for play in homeworlds_plays() for turns in (2, 6, 12, 25)]
    told += [_with_names(text) for text in told]
    return [Sample(text, lambda text: replay(read_sdg(text))) for text in told]


def _with_names(transcript: str) -> str:
    """The same *transcript* as the site sends it: the players by names, and somebody talks."""
    heading, blank, turns = transcript.partition("\n\n")
    seats = {seat.word: name for seat, name in zip(Seat, ("Jon-42", "ann", "b_7", "Zoë"), strict=True)}
    playing = [word for word in seats if word in heading]
    for word in playing:
        turns = turns.replace(word, seats[word])
    names = ", ".join(f"{seats[word]} ({word[0]})" for word in playing)
    talk = f"\n\t{seats[playing[0]]}: well played, r1 at Vega?\nand so on.\n\n"
    return f'Homeworlds Online (SDG# 12)\nVariants: "Unrated"\nParticipants: {names}{blank}' + turns.replace(
        "\n\n", talk, 1
    )


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
