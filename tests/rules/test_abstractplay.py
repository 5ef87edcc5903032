"""Games of AbstractPlay: turns as written there, game records and saved games, and writing what reads as the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from homeworlds_games import FOUR, game_of
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import rows

from rules import RulesError, Seat
from rules.homeworlds import Discover, Game, Options, Position, Victory
from rules.homeworlds.abstractplay import is_abstractplay, looks_like_moves, read_abstractplay, read_moves
from rules.homeworlds.abstractplay_writer import write_abstractplay
from rules.homeworlds.sdg_replay import replay
from rules.homeworlds.transcript import Transcript
from rules.pieces import Size

SET_UPS = ["homeworld g1 b2 y3", "homeworld r2 b3 g3 *"]
TURNS = [*SET_UPS, "build y north", "build g3 south", "sacrifice y3 north, pass 2"]
RESULT = "<0>; South(0,r2b3)g1g3-; North(1,g1b2)-y1"


def record(moves: list[Any], results: tuple[int, ...] = (1, 0), **game: Any) -> dict[str, Any]:
    """A game record with these rounds."""
    players = [{"name": name, "result": result} for name, result in zip("abcd", results, strict=False)]
    header = {"game": {"name": "Homeworlds"} | game, "site": {"name": "Abstract Play"}, "players": players}
    return {"header": header, "moves": moves}


def state(turns: list[str], **more: Any) -> dict[str, Any]:
    """A saved game of two."""
    stack = [{"currplayer": 1}]
    stack += [{"currplayer": (count + 1) % 2 + 1, "lastmove": turn} for count, turn in enumerate(turns)]  # type: ignore[dict-item]
    return {"game": "homeworlds", "numplayers": 2, "variants": [], "stack": stack, "winner": []} | more


def end_of(transcript: Transcript) -> tuple[int, str]:
    played = replay(transcript)
    assert played.refusal is None
    return played.turns, played.position.line


@pytest.mark.parametrize(("what", "written", "text"), rows("abstractplay_turns.tsv"))
def test_a_turn_is_put_into_our_notation(what: str, written: str, text: str) -> None:
    written = written.replace("\\n", "\n")
    turns = read_abstractplay(record([[*SET_UPS], [written]])).turns
    assert turns[2].text == text, what


GAMES: dict[str, Transcript] = {
    "turns alone": read_moves("\n".join(TURNS)),
    "turns with numbers": read_moves("".join(f"{number}. {turn}\n" for number, turn in enumerate(TURNS, 1))),
    "a game record": read_abstractplay(record([TURNS[:2], TURNS[2:4], TURNS[4:]])),
    "with results": read_abstractplay(record([[{"move": turn, "result": [{"type": "pass"}]} for turn in TURNS]])),
    "with numbers of players": read_abstractplay(
        record([[{"move": turn, "sequence": count % 2 + 1} for count, turn in enumerate(TURNS)]])
    ),
    "with missing players": read_abstractplay(record([TURNS[:2], TURNS[2:4], [TURNS[4], None]])),
    "a saved game": read_abstractplay(state(TURNS)),
}


@pytest.mark.parametrize("what", GAMES)
def test_a_game_is_read_however_it_is_kept(what: str) -> None:
    turns, line = end_of(GAMES[what])
    assert (turns, line) == (5, RESULT)
    assert GAMES[what].players == (Seat.NORTH, Seat.SOUTH)


def test_what_a_record_says_besides() -> None:
    transcript = read_abstractplay(record([SET_UPS], variants=["passFree", "Blitz"]))
    assert transcript.names == {Seat.NORTH: "a", Seat.SOUTH: "b"}
    assert transcript.winner is Seat.NORTH
    assert [one.text for one in transcript.skipped] == ["the variant “Blitz”"]
    assert read_abstractplay(record([SET_UPS], results=(1, 1))).winner is None


CLOSINGS: dict[str, tuple[list[Any], tuple[int, int], str, Seat]] = {
    "the player to move resigns": ([*SET_UPS, "resign"], (0, 1), "resign", Seat.NORTH),
    "the other one resigns": ([*SET_UPS, "resign"], (1, 0), "resign", Seat.SOUTH),
    "who resigns is told": (
        [*SET_UPS, {"move": "resign", "result": [{"type": "resigned", "player": 2}]}],
        (0, 0),
        "resign",
        Seat.SOUTH,
    ),
    "time runs out": ([*SET_UPS, "timeout"], (0, 1), "resign", Seat.NORTH),
    "a draw": ([*SET_UPS, "draw"], (1, 1), "draw agreed", Seat.NORTH),
}


@pytest.mark.parametrize("how", CLOSINGS)
def test_a_game_may_end_without_a_turn(how: str) -> None:
    moves, results, text, seat = CLOSINGS[how]
    transcript = read_abstractplay(record([moves], results=results))
    assert len(transcript.turns) == 2
    assert transcript.closing is not None
    assert (transcript.closing.number, transcript.closing.text, transcript.closing.seat) == (3, text, seat)


def test_three_play_for_their_left_neighbour_and_who_is_out_has_no_turn() -> None:
    homes = ["homeworld g1 b2 y3", "homeworld r2 b3 g3", "homeworld y1 b2 g3"]
    text = "\n".join([*homes, "build y north", "sacrifice g3 east, pass *", "build g south", "build y north"])
    transcript = read_moves(text)
    assert transcript.options.victory is Victory.LEFT_NEIGHBOUR
    assert [turn.seat.letter for turn in transcript.turns] == list("NESNESN")
    assert replay(transcript).turns == 7


UNREADABLE: dict[str, tuple[Any, str]] = {
    "another game": (record([SET_UPS]) | {"header": {"game": {"name": "Volcano"}, "players": []}}, "other_game"),
    "one player": (record([SET_UPS], results=(1,)), "players_wrong"),
    "no players": (record([SET_UPS]) | {"header": {"game": {"name": "Homeworlds"}}}, "players_wrong"),
    "no rounds": (record([]), "moves_unreadable"),
    "rounds that are none": (record(["build g north"]), "moves_unreadable"),
    "a turn that is none": (record([[*SET_UPS, 7]]), "moves_unreadable"),
    "a resignation only": (record([["resign"]]), "moves_unreadable"),
    "moves that are none": (record([]) | {"moves": 3}, "moves_unreadable"),
    "a state of another game": (state(TURNS, game="volcano"), "other_game"),
    "a state of nobody": (state(TURNS, numplayers="two"), "state_unreadable"),
    "a damaged stack": (state(TURNS, stack=[1, 2]), "state_unreadable"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_is_refused(what: str) -> None:
    content, code = UNREADABLE[what]
    assert is_abstractplay(content)
    with pytest.raises(RulesError) as caught:
        read_abstractplay(content)
    assert caught.value.code == code


KEYS = st.sampled_from(
    ["header", "moves", "game", "name", "players", "result", "sequence", "move", "stack", "numplayers", "lastmove"]
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda one: st.lists(one, max_size=4) | st.dictionaries(KEYS, one, max_size=4),
    max_leaves=20,
)


@given(ANY_JSON)
def test_any_json_is_read_or_refused_in_a_sentence(content: Any) -> None:
    for whole in (content, record([]) | {"moves": content}, state([]) | {"stack": content}, record([[content]])):
        sentence = ""
        try:
            if is_abstractplay(json.loads(json.dumps(whole))):
                read_abstractplay(whole)
        except RulesError as error:
            sentence = error.sentence
        assert sentence.isprintable()


def test_turns_alone_are_told_from_other_text() -> None:
    assert looks_like_moves("  1) homeworld g1 b2 y3\n")
    assert looks_like_moves("Homeworld G1 - Y3 *")
    assert not looks_like_moves("homeworlds are fun")
    assert not looks_like_moves("1) North: Homeworld G1 B2 Y3")
    with pytest.raises(RulesError, match="not with 5"):
        read_moves("homeworld g1 b2 y3\n" * 5)


def test_a_game_may_stop_within_the_set_up() -> None:
    transcript = read_moves("homeworld g1 b2 y3 *\nresign")
    assert (len(transcript.players), len(transcript.turns)) == (2, 1)
    refused = replay(read_moves("homeworld g1 b2 y3\nbuild g north")).refusal
    assert refused is not None
    assert refused.code == "set_up_first"


# Writing

ANY = Options(first_ship_sizes=tuple(Size), home_stars=(1, 2), victory=Victory.LEFT_NEIGHBOUR)
NAMES = ["Vega", "Zoë", "g1", "North", "a_very_long_name_of_thirty_and_more", "K-9", "-", "Ünïcödé", "星"]


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of two to four, some legal turns long, with systems called as people call them."""
    players = draw(st.sampled_from([2, 2, 3, 4]))
    first = draw(st.sampled_from(Position(players=players).seats)) if players == 2 else Seat.NORTH
    game = Game(ANY, None, players, first)
    for _ in range(draw(st.integers(players, players * 12))):
        turn = game.begin()
        for _ in range(draw(st.integers(1, 4))):
            steps = list(turn.legal_steps())
            if not steps:
                break
            step = draw(st.sampled_from(steps))
            if isinstance(step, Discover):
                step = replace(step, name=draw(st.sampled_from(NAMES)))
                if turn.system(step.name):
                    break
            turn = turn.apply(step)
        if not turn.can_end or turn.gives_up_home:
            break
        game.take(turn)
        if game.outcome():
            break
    return game


@given(games())
def test_what_is_written_is_read_as_the_same_positions(game: Game) -> None:
    assume(len(game.turns) >= len(game.seats))
    transcript = read_moves(write_abstractplay(game))
    again = Game(transcript.options, None, len(game.seats), Seat.NORTH)
    for turn in transcript.turns:
        assert again.to_move is turn.seat
        again.push_text(turn.text)
    assert shapes(again) == shapes(game)
    assert (again.outcome() is None) == (game.outcome() is None)


def shapes(game: Game) -> list[list[tuple[object, ...]]]:
    """All of the positions but what systems and seats are called: players are told by their turn order."""
    seats = game.positions[0].seats
    first = seats.index(game.positions[0].to_move)
    order = seats[first:] + seats[:first]
    return [
        sorted(
            (
                [star.code for star in system.stars],
                order.index(system.home) if system.home else -1,
                [[ship.code for ship in system.ships[seat]] for seat in order],
            )
            for system in position.systems
        )
        for position in game.positions
    ]


def test_names_that_cannot_be_used_there_are_exchanged_for_similar_ones() -> None:
    game = Game(ANY)
    turns = ["h g1 b2 y3 Zoë", "h r2 b3 g3 Home", "build y Zoë", "pass", "discover y3 Zoë g3 North", "pass"]
    for text in (*turns, "move y3 North Zoë", "pass", "discover y3 Zoë r3 Ägir's_Moon"):
        game.push_text(text)
    lines = write_abstractplay(game).splitlines()
    assert lines[4::2] == ["discover y3 North g3 North2", "move y3 North2 North", "discover y3 North r3 Agir-s_Moon"]


def test_unused_actions_are_passed_and_the_owner_is_named() -> None:
    game = Game(ANY)
    for text in ("h r1 b2 y3", "h r2 b3 g3", "sacrifice y3 South *"):
        game.push_text(text)
    assert write_abstractplay(game).splitlines()[-1] == "sacrifice y3 North, pass 3"


def test_the_end_of_a_game_is_written() -> None:
    game = Game(ANY)
    for text in SET_UPS:
        game.push_text(text.rstrip(" *"))
    game.resign()
    assert write_abstractplay(game).splitlines()[-1] == "resign"
    closing = read_moves(write_abstractplay(game)).closing
    assert closing is not None
    assert (closing.seat, closing.text) == (Seat.NORTH, "resign")


CANNOT: dict[str, tuple[Options, str]] = {
    "a start in the middle": (ANY, "in the middle"),
    "extra ships": (Options(junior=Seat.NORTH, extra_ships=(Size.SMALL,)), "extra ships"),
    "extra turns": (Options(junior=Seat.NORTH, timewarp=1), "extra ships or turns"),
}


@pytest.mark.parametrize("what", CANNOT)
def test_what_is_not_played_there_is_not_written(what: str) -> None:
    options, words = CANNOT[what]
    game = game_of(FOUR, options) if what == "a start in the middle" else Game(options)
    with pytest.raises(RulesError, match=words):
        write_abstractplay(game)


def test_a_resignation_out_of_turn_is_not_written() -> None:
    game = Game(ANY)
    for text in SET_UPS:
        game.push_text(text.rstrip(" *"))
    game.resign(Seat.NORTH)
    with pytest.raises(RulesError, match="North resigns when it is South's turn"):
        write_abstractplay(game)
