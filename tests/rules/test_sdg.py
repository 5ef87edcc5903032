"""Transcripts of SuperDuperGames: how they are read, and that archived ones are legal and end as they did."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

from rules import RulesError, Seat, Termination
from rules.homeworlds import Position, begin, read_turn, write_turn
from rules.homeworlds.sdg import read_sdg
from rules.homeworlds.sdg_replay import TRANSCRIBED, replay
from rules.homeworlds.transcript import Transcript

ARCHIVE = Path(__file__).parents[2].parent / "shared" / "games" / "sdg"
HEADER = "Players: North, South\nWinner: North\n\n"
SHORT_GAME = """Players: North, South
Winner: North

1) North: Homeworld B3 R1 G3

2) South: Homeworld Y1 B3 G3

3) North: Build G1 North

4) South: Build G1 South

5) North: Discover G1 North Y2 Far Away *

6) South: S G1 South
Pass
Pass

7) North: Trade G3 Y3 North
"""
"""The fifth turn is illegal: North has no yellow to move with."""


def lined(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\x81", "\x81")


@pytest.mark.parametrize(("what", "written", "text"), rows("sdg_turns.tsv"))
def test_what_does_not_count_is_left_out(what: str, written: str, text: str) -> None:
    transcript = read_sdg(f"{HEADER}1) South: {lined(written)}\n\n2) North: Pass\n")
    assert [turn.text for turn in transcript.turns] == [text, "Pass"], what


@pytest.mark.parametrize(("text", "code", "words"), rows("sdg_errors.tsv"))
def test_what_is_no_transcript_is_refused(text: str, code: str, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_sdg(lined(text))
    assert caught.value.code == code
    assert words in caught.value.sentence


def test_a_transcript_as_a_whole() -> None:
    transcript = read_sdg(SHORT_GAME.replace("\n", "\r\n"))
    assert transcript.players == (Seat.NORTH, Seat.SOUTH)
    assert transcript.winner is Seat.NORTH
    assert [(turn.number, turn.seat) for turn in transcript.turns[:3]] == [
        (1, Seat.NORTH),
        (2, Seat.SOUTH),
        (3, Seat.NORTH),
    ]


def test_no_winner_need_be_named() -> None:
    assert read_sdg("Players: North, South\n1) South: Pass").winner is None


@given(st.text() | st.lists(st.sampled_from(SHORT_GAME.splitlines(keepends=True))).map("".join))
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    refusal = ""
    try:
        played = replay(read_sdg(text))
    except RulesError as error:
        refusal = error.sentence
    assert refusal.isprintable()
    assert refusal or played.turns >= 0


def test_the_first_illegal_turn_is_told() -> None:
    played = replay(read_sdg(SHORT_GAME))
    assert played.turns == 4
    assert played.refused is not None
    assert played.refused.number == 5
    assert played.refusal is not None
    assert played.refusal.code == "no_power"
    assert played.position.line == "<1>; South(0,y1b3)g1g3-; North(1,r1b3)-g1g3"


def test_a_game_that_stops_early_has_no_outcome() -> None:
    played = replay(read_sdg(SHORT_GAME.split("5)")[0]))
    assert (played.turns, played.outcome, played.refusal) == (4, None, None)


def test_giving_up_needs_no_confirmation() -> None:
    played = replay(
        read_sdg(f"{HEADER}1) North: H B3 Y1 G3\n2) South: H B3 Y2 G3\n3) North: S G3 North\n4) South: P")
    )
    assert played.turns == 3
    assert played.outcome is not None
    assert played.outcome.termination is Termination.SELF_ELIMINATION
    assert played.outcome.winner is Seat.SOUTH


def test_passing_before_the_set_up_is_a_missed_turn() -> None:
    played = replay(read_sdg(f"{HEADER}1) North: Pass\n2) South: H B3 Y2 G3\n3) North: H B3 Y1 G3\n4) South: Pass"))
    assert (played.turns, played.refusal) == (4, None)


def test_players_who_left_are_passed_over() -> None:
    homes = "1) North: H B3 Y1 G3\n2) East: H B3 Y2 G3\n3) South: H R3 Y2 G3\n"
    played = replay(read_sdg(f"Players: North, East, South\n{homes}4) East: B G1 East\n5) South: B G South"))
    assert (played.turns, played.refusal) == (5, None)


def archived() -> list[dict[str, str]]:
    """The verdicts on all archived games."""
    if not (ARCHIVE / "verdicts.tsv").exists():
        pytest.skip("no archived games here: ../shared/games/sdg is absent")
    with (ARCHIVE / "verdicts.tsv").open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t"))


def transcript_of(game: str) -> Transcript:
    return read_sdg((ARCHIVE / f"{game}.txt").read_text(encoding="utf-8"))


def test_archived_games_are_legal_and_end_as_they_did() -> None:
    for row in archived():
        transcript = transcript_of(row["game"])
        played = replay(transcript)
        assert played.refusal is None, row["game"]
        ending, winner = "unfinished", ""
        if played.outcome:
            ending, winner = "elim", played.outcome.winner.word if played.outcome.winner else ""
        found = [len(transcript.players), played.turns, len(transcript.turns), ending, winner]
        columns = ["players", "turns_replayed", "turns_in_file", "ending", "winner"]
        assert list(map(str, found)) == [row[name] for name in columns], row["game"]
        assert not winner or played.outcome is None or played.outcome.winner is transcript.winner, row["game"]


def test_archived_turns_are_written_and_read_as_the_same() -> None:
    for row in archived()[::20]:
        transcript = transcript_of(row["game"])
        position = Position(to_move=transcript.turns[0].seat, players=len(transcript.players))
        for said in transcript.turns:
            position = Position(position.systems, said.seat, position.players)
            if said.text == "Pass" and not position.homes(said.seat):
                continue
            turn = read_turn(said.text, position, TRANSCRIBED)
            strict = write_turn(turn, position, TRANSCRIBED)
            assert read_turn(strict, position, TRANSCRIBED) == turn, f"{row['game']}: {said.number}"
            position = begin(position, TRANSCRIBED).play(turn).end()
