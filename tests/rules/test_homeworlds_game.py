"""Games of Homeworlds: every end, who is still in, what people say besides turns, and taking back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from tables import rows

from rules import IllegalTurn, Outcome, RulesError, Seat, Termination, full_set, seats_for
from rules.homeworlds import (
    HANDICAP,
    Build,
    Game,
    Homeworld,
    Options,
    PartialTurn,
    Pass,
    Position,
    Special,
    Step,
    Turn,
    Victory,
    write_turn,
)
from rules.homeworlds.packed import count_of
from rules.option_values import read_options
from rules.pieces import Color, Piece

NORTH, EAST, SOUTH, WEST = Seat
P = Piece.parse
TWO = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
THREE = "<0>; North(0,r2b1)y3g3--; East(1,y1b3)-g1-; South(2,g1b2)--r3"
FOUR = "<1>; North(0,r2b1)y3g3---; East(1,y1b3)-g1--; South(2,g1b2)--r3-; West(3,r1y2)---g3"
BUILD: Turn = (Build(P("g1"), "South"),)


def game_of(line: str, options: Options | None = None) -> Game:
    return Game(options, Position.parse(line))


def options_of(text: str) -> Options:
    """The options of a row, written as in a game file."""
    pairs = [tuple(option.split(" = ")) for option in text.split("; ") if option]
    return read_options(Options, [(name, value) for name, value in pairs])


def listed(seats: tuple[Seat, ...]) -> str:
    return ",".join(seats) or "-"


def set_up(game: Game) -> None:
    """The player to move sets up a home of the first two stars that fit."""
    game.push(next(game.legal_turns.turns()))


def everything(game: Game) -> tuple[object, ...]:
    """All that can be asked of a game."""
    asked = (game.position, game.to_move, game.outcome(), game.standing, game.out, game.turns, game.history)
    return *asked, game.positions, game.repetitions, game.advice_left, game.junior, game.seats_swapped


def refused(code: str, doing: Callable[[], object]) -> None:
    with pytest.raises(RulesError) as caught:
        doing()
    assert caught.value.code == code, caught.value.sentence


# Random games


def random_turn(random: Random, turn: PartialTurn) -> Iterator[PartialTurn]:
    """A random turn after each of its steps, the last of which keeps the home; seldom one that gives it up."""
    while True:
        steps: list[PartialTurn] = []
        now = turn
        while legal := tuple(now.legal_steps()):
            now = now.apply(any_step(random, legal))
            steps.append(now)
            if random.random() < 0.2:
                break
        if not now.gives_up_home or random.random() < 0.02:
            yield from steps
            return


def any_step(random: Random, steps: tuple[Step, ...]) -> Step:
    """One of the steps, each of their kinds being as likely."""
    kind = random.choice(sorted({type(step).__name__ for step in steps}))
    return random.choice([step for step in steps if type(step).__name__ == kind])


def check_conserved(turn: PartialTurn) -> None:
    """No piece comes from nowhere and none is lost; what the engine counts as its bank is what the table leaves."""
    position = turn.table.position()
    assert not position.surplus.total
    assert len(position.pieces) + position.bank.total == full_set(position.players).total
    assert turn.table.bank == count_of(position.bank.pieces)
    for color in Color:
        assert turn.smallest(color) == min((p for p in position.bank.pieces if p.color is color), default=None)


def push(game: Game, turn: PartialTurn, way: int) -> None:
    """Play a turn in one of the ways in which that can be done; all lead to the same."""
    if way == 0:
        game.push(turn)
    elif way == 1:
        game.push(turn.steps)
    elif way == 2:
        game.push_text(write_turn(turn.steps, game.position, game.options))
    else:
        game.take(turn)
    assert game.turns[-1] == turn.steps or way == 2


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_taking_back_restores_every_position(players: int, seed: int) -> None:
    random = Random(100 * players + seed)
    game = Game(HANDICAP, players=players, first=random.choice(seats_for(players)))
    before = []
    while game.outcome() is None and len(game.turns) < 40:
        before.append(everything(game))
        check_conserved(game.begin())
        turn = game.begin()
        for turn in random_turn(random, game.begin()):
            check_conserved(turn)
            assert everything(game) == before[-1], "a turn in the making is no part of the game"
        expected = turn.end()
        push(game, turn, len(game.turns) % 4)
        assert game.position.bank == expected.bank
        assert game.positions[-1] == game.position
    turns = game.turns
    assert len(turns) >= players
    while before:
        assert game.pop() == turns[len(before) - 1]
        assert everything(game) == before.pop()
    refused("nothing_to_undo", game.pop)


# Beginnings


@pytest.mark.parametrize(
    ("players", "first", "order"),
    [
        (2, None, "SNSNS"),
        (2, NORTH, "NSNSN"),
        (3, None, "NESNES"),
        (3, SOUTH, "SNESNE"),
        (4, None, "NESWNE"),
        (4, WEST, "WNESWN"),
    ],
)
def test_who_begins(players: int, first: Seat | None, order: str) -> None:
    game = Game(players=players, first=first)
    assert game.standing == game.seats == seats_for(players)
    moved = ""
    for _ in order:
        moved += game.to_move.letter
        if len(moved) <= players:
            assert game.threats() == ()
            set_up(game)
        else:
            game.push(())
    assert moved == order


def test_a_game_from_a_position() -> None:
    position = Position.parse(FOUR)
    game = Game(position=position, players=2, first=SOUTH)
    assert (game.position, game.to_move, game.positions) == (position, EAST, (position,))
    assert game.seats == seats_for(4)
    assert (game.turns, game.history, game.out) == ((), (), ())


def test_players_without_a_home_at_the_start_are_out() -> None:
    game = game_of("<3>; North(0,r2b1)y3g3---; West(3,r1y2)---g3; East(y1b3)-g1--")
    assert (game.standing, game.out) == ((NORTH, WEST), (EAST, SOUTH))
    refused("seat_out", lambda: game.resign(EAST))
    outcome = game.resign(WEST)
    assert outcome is not None
    assert outcome.winners == (NORTH,)


def test_one_home_alone_is_no_game_that_is_over() -> None:
    game = game_of("<0>; South(0,r2b1)g3-")
    assert (game.standing, game.out) == ((SOUTH, NORTH), ())


def test_players_without_a_home_have_yet_to_set_up_while_the_one_to_move_has() -> None:
    game = game_of("<1>; North(0,r2b1)y3---")
    assert (game.standing, game.out) == (seats_for(4), ())


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("seat_empty", lambda: Game(first=EAST)),
        ("seat_empty", lambda: Game(Options(junior=EAST, timewarp=1))),
        ("seat_empty", lambda: Game(Options(junior=WEST, brain_transference=True), players=3)),
        ("players_wrong", lambda: Game(players=5)),
        ("star_without_ship", lambda: game_of(TWO + "; Sol(g1)-")),
        ("two_homes", lambda: game_of(TWO + "; Second(0,y2y3)r1-")),
    ],
)
def test_games_that_cannot_be(code: str, made: Callable[[], Game]) -> None:
    refused(code, made)


def test_positions_and_history() -> None:
    game = game_of(TWO)
    game.push(BUILD)
    game.push((Pass(),))
    game.agree_draw()
    lines = [position.line for position in game.positions]
    built = "; South(0,r2b1)g1g3-; North(1,y1b3)-g3"
    assert lines == [TWO, "<1>" + built, "<0>" + built, "<0>" + built]
    assert game.turns == (BUILD, (Pass(),))
    assert [(played.seat, played.special) for played in game.history] == [
        (SOUTH, None),
        (NORTH, None),
        (SOUTH, Special.AGREE_DRAW),
    ]
    assert game.pop() == ()
    assert game.pop() == (Pass(),)
    assert game.pop() == BUILD


def test_a_turn_refused_leaves_the_game_alone() -> None:
    game = game_of(TWO)
    before = everything(game)
    refused("not_smallest", lambda: game.push((Build(P("g2"), "South"),)))
    refused("not_smallest", lambda: game.push_text("build g2 South"))
    refused("turn_empty", lambda: game.push_text(" "))
    refused("already_set_up", lambda: game.push((Homeworld((P("r1"), P("r2")), P("g3"), "Second"),)))
    assert everything(game) == before


def test_a_turn_made_in_another_game_is_played_anew() -> None:
    game = game_of(TWO)
    assert game.push(game_of(TWO).begin().play(BUILD)).line == "<1>; South(0,r2b1)g1g3-; North(1,y1b3)-g3"
    elsewhere = game_of("<1>; South(0,r2b1)g3-; North(1,g1b3)-r3").begin().play((Build(P("r1"), "North"),))
    refused("no_ship_of_color", lambda: game.push(elsewhere))


# Ends


@pytest.mark.parametrize(
    ("line", "options", "turn", "termination", "players", "sentence"),
    [row[1:] for row in rows("homeworlds_outcomes.tsv")],
    ids=[row[0] for row in rows("homeworlds_outcomes.tsv")],
)
def test_outcomes(line: str, options: str, turn: str, termination: str, players: str, sentence: str) -> None:
    """A turn that ends the game, or one after which some are out and the others go on."""
    game = game_of(line, options_of(options))
    before = everything(game)
    game.push_text(turn)
    outcome = game.outcome()
    if termination == "-":
        assert outcome is None
        assert listed(game.standing) == players
        assert game.to_move in game.standing
    else:
        assert outcome is not None
        assert (outcome.termination, listed(outcome.winners), outcome.sentence) == (termination, players, sentence)
        assert outcome.is_draw == (players == "-")
        assert outcome.winner == (Seat(players) if outcome.winners[:1] and not outcome.winners[1:] else None)
    assert set(game.standing) == set(game.seats) - set(game.out)
    assert set(game.history[-1].out) <= set(game.out)
    game.pop()
    assert everything(game) == before


@pytest.mark.parametrize(
    "do",
    [
        Game.begin,
        lambda game: game.push(()),
        lambda game: game.push_text("pass"),
        Game.resign,
        lambda game: game.resign(NORTH),
        Game.agree_draw,
        Game.claim_repetition,
        Game.swap_seats,
        Game.ask_advice,
    ],
)
@pytest.mark.parametrize("end", [Game.resign, Game.agree_draw, lambda game: game.push_text("sacrifice g3 South *")])
def test_nothing_happens_after_the_end(end: Callable[[Game], object], do: Callable[[Game], object]) -> None:
    options = Options(junior=SOUTH, brain_transference=True, tactical_computer=1, repetition_claim=True)
    game = game_of(TWO, options)
    end(game)
    after = everything(game)
    refused("game_over", lambda: do(game))
    assert everything(game) == after
    assert game.threats() == ()
    assert not game.can_claim_repetition
    game.pop()
    game.push(BUILD)
    assert game.outcome() is None


EVIL_EAST = Options(victory=Victory.GOOD_AND_EVIL, evil=(EAST,))
NEIGHBOUR = Options(victory=Victory.LEFT_NEIGHBOUR)


@pytest.mark.parametrize(
    ("line", "options", "resigning", "to_move", "winners"),
    [
        (TWO, None, "S", None, "north"),
        (TWO, None, "N", None, "south"),
        (THREE, None, "E", "N", None),
        (THREE, None, "N", "E", None),
        (THREE, None, "S", "N", None),
        (THREE, None, "NE", None, "south"),
        (THREE, None, "EN", None, "south"),
        (THREE, None, "ES", None, "north"),
        (THREE, NEIGHBOUR, "E", "N", None),
        (THREE, NEIGHBOUR, "ES", None, "north"),
        (THREE, EVIL_EAST, "E", None, "north,south"),
        (THREE, EVIL_EAST, "N", "E", None),
        (THREE, EVIL_EAST, "NS", None, "east"),
        (FOUR, None, "E", "S", None),
        (FOUR, None, "ES", "W", None),
        (FOUR, None, "SWE", None, "north"),
        (FOUR, None, "SN", "E", None),
        (FOUR, None, "SE", "W", None),
        (FOUR, EVIL_EAST, "NE", None, "south,west"),
        (FOUR, NEIGHBOUR, "SN", "E", None),
    ],
)
def test_resigning(line: str, options: Options | None, resigning: str, to_move: str | None, winners: str) -> None:
    """One after another, on turn or not; the game is over when *winners* are told."""
    game = game_of(line, options)
    pieces = len(game.position.pieces)
    outcome = None
    for letter in resigning:
        assert outcome is None
        seat = seat_of(letter)
        outcome = game.resign(None if seat is game.to_move else seat)
        assert game.history[-1].seat is seat
    assert game.outcome() == outcome
    assert "".join(seat.letter for seat in game.out) == resigning
    if to_move is None:
        assert outcome is not None
        assert (outcome.termination, listed(outcome.winners)) == (Termination.RESIGNATION, winners)
        assert outcome.sentence.endswith(f": {seat_of(resigning[-1]).word} resigns.")
    else:
        assert outcome is None
        assert game.to_move.letter == to_move
        assert len(game.position.pieces) == pieces, "ships of those who are out stay as targets"
        assert {system.home for system in game.position.systems} - {None} == set(game.standing)
    for _ in resigning:
        game.pop()
    assert (game.position.line, game.out) == (line, ())


def seat_of(letter: str) -> Seat:
    return next(seat for seat in Seat if seat.letter == letter)


@pytest.mark.parametrize("seat", [EAST, WEST])
def test_who_is_not_in_the_game_cannot_resign(seat: Seat) -> None:
    game = game_of(THREE)
    game.resign(EAST)
    refused("seat_out", lambda: game.resign(seat))


@pytest.mark.parametrize(
    ("events", "order"),
    [
        ("e...", "NSNS"),
        (".n...", "NESES"),
        ("..n...", "NESESE"),
        ("n...", "ESES"),
        (".s...", "NENEN"),
    ],
)
def test_resigning_during_the_set_up(events: str, order: str) -> None:
    """Three set up; where a letter stands in *events*, that player resigns instead of somebody playing a turn."""
    game = Game(players=3)
    moved = ""
    for event in events + "." * len(order):
        if event != ".":
            game.resign(seat_of(event.upper()))
        elif len(moved) < len(order):
            moved += game.to_move.letter
            if game.position.homes(game.to_move):
                game.push(())
            else:
                set_up(game)
    assert moved == order
    assert game.outcome() is None
    assert len(game.standing) == 2


def test_agreement() -> None:
    game = game_of(THREE)
    outcome = Outcome(Termination.AGREEMENT, (), "A draw: the players agree on it.")
    assert game.agree_draw() == game.outcome() == outcome
    assert outcome.is_draw
    assert outcome.winner is None
    assert game.standing == game.seats


# Repetition


def test_repetitions_are_counted_whatever_systems_are_called() -> None:
    game = game_of("<0>; South(0,r2b1)y1g3-; North(1,y1b3)-g3", Options(repetition_claim=True))
    counts = []
    for name in ("Sol", "Vega", "Deneb"):
        for turn in (f"discover y1 South g3 {name}", "pass", f"move y1 {name} South", "pass"):
            game.push_text(turn)
            counts.append(game.repetitions)
    assert counts == [1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4]
    assert game.can_claim_repetition


def test_claiming_and_taking_back() -> None:
    game = game_of(TWO, Options(repetition_claim=True))
    for times in (1, 2):
        assert game.repetitions == times
        assert not game.can_claim_repetition
        refused("not_repeated", game.claim_repetition)
        game.push(())
        game.push(())
    assert game.can_claim_repetition
    outcome = game.claim_repetition()
    assert (outcome.termination, outcome.winners) == (Termination.REPETITION, ())
    assert game.pop() == ()
    assert game.claim_repetition() == outcome
    game.pop()
    game.pop()
    assert game.repetitions == 2
    refused("not_repeated", game.claim_repetition)
    game.push((Build(P("g1"), "North"),))
    assert game.repetitions == 1


def test_what_is_said_between_turns_repeats_nothing() -> None:
    game = game_of(TWO, Options(repetition_claim=True, junior=SOUTH, tactical_computer=3))
    for _ in range(3):
        game.ask_advice()
    assert game.repetitions == 1


def test_claims_are_off_by_default() -> None:
    game = game_of(TWO)
    for _ in range(4):
        game.push(())
    assert game.repetitions == 3
    assert not game.can_claim_repetition
    refused("claims_off", game.claim_repetition)


# Head starts


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("timewarp", range(4))
@pytest.mark.parametrize("junior", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_timewarp(players: int, timewarp: int, junior: int, first: int) -> None:
    """The junior's extra turns come between the set-up and the first player's turn, which they do not take."""
    seats = seats_for(players)
    order = seats[first:] + seats[:first]
    game = Game(Options(junior=seats[junior], timewarp=timewarp), players=players, first=order[0])
    expected = [*order, *[seats[junior]] * timewarp, *order, *order]
    for _ in ("played", "taken back and played again"):
        before = []
        for seat in expected:
            before.append(everything(game))
            assert game.to_move is seat
            if game.position.homes(seat):
                game.push(())
            else:
                set_up(game)
        while before:
            game.pop()
            assert everything(game) == before.pop()


def test_timewarp_of_one_who_resigns() -> None:
    """The extra turns of the junior who resigns are nobody's; those of the junior remain when another resigns."""
    for resigning, order in ((EAST, "NSNS"), (NORTH, "EEEESE")):
        game = Game(Options(junior=EAST, timewarp=3), players=3)
        for _ in range(3):
            set_up(game)
        game.resign(resigning)
        moved = ""
        for _ in order:
            moved += game.to_move.letter
            game.push(())
        assert moved == order


def test_no_timewarp_from_a_position() -> None:
    game = game_of(TWO, Options(junior=SOUTH, timewarp=2))
    game.push(())
    assert game.to_move is NORTH


def test_brain_transference_once() -> None:
    game = game_of(TWO, Options(junior=SOUTH, brain_transference=True))
    assert (game.junior, game.seats_swapped) == (SOUTH, False)
    game.swap_seats()
    assert (game.junior, game.seats_swapped) == (NORTH, True)
    assert game.position.line == TWO
    refused("already_swapped", game.swap_seats)
    assert game.pop() == ()
    assert (game.junior, game.seats_swapped) == (SOUTH, False)
    game.push(())
    game.swap_seats()
    assert game.history[-1].special is Special.SWAP_SEATS


def test_brain_transference_is_for_two() -> None:
    game = game_of(THREE, Options(junior=EAST, brain_transference=True))
    refused("two_players_only", game.swap_seats)


def test_tactical_computer() -> None:
    game = game_of(TWO, Options(junior=SOUTH, tactical_computer=2))
    suggestion = game.ask_advice()
    assert (game.advice_left, game.position.line, game.turns) == (1, TWO, ())
    assert game.ask_advice() == suggestion
    assert game.advice_left == 0
    refused("no_tokens_left", game.ask_advice)
    assert game.pop() == ()
    assert game.advice_left == 1
    game.push(suggestion.turn)
    refused("not_your_turn", game.ask_advice)
    assert game.advice_left == 1


@pytest.mark.parametrize("do", [Game.swap_seats, Game.ask_advice])
@pytest.mark.parametrize(
    "options", [Options(), Options(junior=SOUTH), Options(brain_transference=True, tactical_computer=1)]
)
def test_head_starts_that_nobody_has(options: Options, do: Callable[[Game], object]) -> None:
    refused("head_start_off", lambda: do(game_of(TWO, options)))


def test_refusals_of_a_game_are_illegal_turns() -> None:
    with pytest.raises(IllegalTurn):
        game_of(TWO).claim_repetition()
