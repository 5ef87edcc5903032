"""Games of Homeworlds played and taken back: who begins, what is kept of the turns, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from homeworlds_games import BUILD, EAST, FOUR, NORTH, SOUTH, TWO, WEST, P, everything, game_of, refused, set_up

from rules import IllegalTurn, Seat, full_set, seats_for
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
    Victory,
    write_turn,
)
from rules.homeworlds.packed import count_of
from rules.pieces import Color

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
        ("seat_empty", lambda: Game(Options(victory=Victory.GOOD_AND_EVIL, evil=(NORTH, WEST)), players=3)),
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


def test_refusals_of_a_game_are_illegal_turns() -> None:
    with pytest.raises(IllegalTurn):
        game_of(TWO).claim_repetition()
