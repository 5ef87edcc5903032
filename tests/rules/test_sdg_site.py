"""Transcripts as SuperDuperGames sends them, with names, talk and variants; archived ones are as their twins."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

from rules import RulesError, Seat
from rules.homeworlds.sdg import read_sdg
from rules.homeworlds.sdg_replay import replay
from rules.homeworlds.transcript import Transcript

SHARED = Path(__file__).parents[2].parent / "shared" / "games"
HEADER = """Homeworlds Online (SDG# 12)
Variants: "Unrated, Hard time"
Started: 2008.1.2, Ended: 2008.4.11
Participants: ann (S), bert (N)
Winner: bert

"""
GAME = f"""{HEADER}1) ann: Homeworld R1 B2 G3 *
\tbert: hello, r1 at Vega?
and so on.

2) bert: Homeworld Y1 B3 G3

3) ann: Build G1 ann

4) bert: Build G1 bert
\tann: 5) well
"""


def lined(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t")


def skipped(transcript: Transcript) -> list[str]:
    return [one.text for one in transcript.skipped]


@pytest.mark.parametrize(("what", "written", "text"), rows("sdg_site_turns.tsv"))
def test_a_turn_is_read_whatever_the_players_are_called(what: str, written: str, text: str) -> None:
    transcript = read_sdg(f"{HEADER}1) ann: {lined(written)}\n\n2) bert: Pass\n")
    assert [turn.text for turn in transcript.turns] == [text, "Pass"], what


@pytest.mark.parametrize(("text", "code", "words"), rows("sdg_site_errors.tsv"))
def test_what_cannot_be_read_is_refused_with_its_line(text: str, code: str, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_sdg(lined(text))
    assert caught.value.code == code
    assert words in caught.value.sentence


def test_a_transcript_with_names_as_a_whole() -> None:
    transcript = read_sdg(GAME)
    assert transcript.players == (Seat.SOUTH, Seat.NORTH)
    assert transcript.names == {Seat.SOUTH: "ann", Seat.NORTH: "bert"}
    assert transcript.winner is Seat.NORTH
    assert [turn.line for turn in transcript.turns] == [7, 11, 13, 15]
    assert skipped(transcript) == ["3 lines of talk"]
    played = replay(transcript)
    assert (played.turns, played.refusal) == (4, None)
    assert played.position.line == "<0>; South(0,r1b2)g1g3-; North(1,y1b3)-g1g3"


HEADINGS: dict[str, tuple[str, list[str]]] = {
    "variants that are no rules": ('Variants: "No undo, Rated"', []),
    "variants that are": (
        'Variants: "Unrated, Sinister, Binary"',
        ["the variant “Sinister”", "the variant “Binary”"],
    ),
    "an unknown heading": ("Tournament: spring", ["the heading “Tournament: spring”"]),
    "a comment": ("# from my mail", ["1 comment"]),
    "talk": ("\tann: hello", ["1 line of talk"]),
    "a winner who does not play": ("Winner: carl", ["the winner “carl”, who does not play"]),
    "no winner": ("Winner:", []),
}


@pytest.mark.parametrize("what", HEADINGS)
def test_what_is_skipped_is_listed(what: str) -> None:
    heading, expected = HEADINGS[what]
    assert skipped(read_sdg(f"Participants: ann (S), bert (N)\n{heading}\n1) ann: Pass")) == expected


SPELLINGS = {
    "in other case": GAME.upper().replace("\tBERT", "\tbert"),
    "everything indented": "".join(f"    {line}\n" for line in GAME.splitlines()),
    "blanks at the ends": GAME.replace("\n", "  \n"),
    "blanks that do not break": GAME.replace("Build G1", "Build\xa0G1"),
    "points behind the numbers": GAME.replace(") ann:", ". ann:").replace(") bert:", ".  bert :"),
    "seats in words": GAME.replace("(S)", "(south)"),
    "another heading": GAME.replace("Homeworlds Online", "Homeworld"),
    "no seats": GAME.replace(" (S)", "").replace(" (N)", ""),
    "players in place of participants": GAME.replace("Participants", "players"),
    "entities": GAME.replace("bert", "b&#101;rt"),
}


@pytest.mark.parametrize("how", SPELLINGS)
def test_however_it_is_spelt_the_game_is_the_same(how: str) -> None:
    assert replay(read_sdg(SPELLINGS[how])).position.line == replay(read_sdg(GAME)).position.line


NAMES = ["Jon-42", "sam_b", "North", "g3", "Green", "Mr X", "Zoë", "a/b", "1)", "pass", "x (y)"]


@pytest.mark.parametrize("name", NAMES)
def test_players_may_be_called_as_they_like(name: str) -> None:
    played = replay(read_sdg(GAME.replace("ann", name)))
    assert (played.turns, played.refusal) == (4, None)
    played = replay(read_sdg(GAME.replace("bert", name)))
    assert (played.turns, played.refusal) == (4, None)


def test_names_that_differ_in_case_only_are_two() -> None:
    transcript = read_sdg(GAME.replace("ann", "Kit").replace("bert", "kit"))
    assert [turn.seat for turn in transcript.turns] == [Seat.SOUTH, Seat.NORTH] * 2
    assert replay(transcript).position.line == replay(read_sdg(GAME)).position.line


def test_turns_after_the_end_are_kept_for_telling() -> None:
    game = "Participants: ann (S), bert (N)\n1) ann: H B3 Y1 G3\n2) bert: H B3 Y2 G3\n3) ann: S G3 ann\n4) bert: P\n"
    played = replay(read_sdg(game))
    assert played.turns == 3
    assert [turn.number for turn in played.unplayed] == [4]


@given(st.text() | st.lists(st.sampled_from(GAME.splitlines(keepends=True)), max_size=30).map("".join))
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    refusal = ""
    try:
        played = replay(read_sdg(text))
    except RulesError as error:
        refusal = error.sentence
    assert refusal.isprintable()
    assert refusal or played.turns >= 0


def test_archived_games_as_sent_are_those_of_their_twins() -> None:
    if not (SHARED / "sdg_raw").exists():
        pytest.skip("no transcripts as sent here: ../shared/games/sdg_raw is absent")
    files = sorted((SHARED / "sdg_raw").glob("*.raw"))
    assert len(files) == 95
    for file in files:
        sent = read_sdg(file.read_text(encoding="utf-8"))
        twin = read_sdg((SHARED / "sdg" / f"{file.stem}.txt").read_text(encoding="utf-8"))
        assert sent.turns == twin.turns, file.name
        assert sent.winner is twin.winner, file.name
        assert replay(sent) == replay(twin), file.name
