"""Games of Settlers: whose turn it is, taking back, and every way to end."""

from __future__ import annotations

import pytest
from random_settlers import play, take_back

from rules import IllegalTurn, Piece, RulesError, Seat, Size, Termination
from rules.settlers import (
    Build,
    Choose,
    Conquer,
    Game,
    Land,
    Move,
    Options,
    Pass,
    Position,
    Turn,
    anybody_can_act,
)

P = Piece.parse
# The last empty field is f1, beside South's green on e1, and b3 is all that the bank holds.
# North's b3 on a1 is out of reach: no red is beside it.
NEARLY_FULL = "y1y1y1r1r1r1/y2y2y2r2r2r2/y3y3y3r3r3r3/g2g2g2b1b1b1/g3g3g3b2b2b2/B3g1g1b3g11 S 0"


def land(field: str, size: int = 1) -> Turn:
    return (Land(P(f"g{size}"), field),)


def test_a_game_from_the_beginning() -> None:
    game = Game()
    assert (game.position, game.to_move, game.turns, game.outcome()) == (Position(), Seat.SOUTH, (), None)
    assert game.push(land("a2")).line == "6/6/6/6/g15/6 N 1"
    assert game.push(land("f5")).line == "6/5G1/6/6/g15/6 S 2"
    game.push((Choose("a2"), Build(P("r1"), "b2")))
    assert game.position.line == "6/5G1/6/6/g1r14/6 N 3"
    assert [played.seat for played in game.history] == [Seat.SOUTH, Seat.NORTH, Seat.SOUTH]
    assert game.history[-1].position == game.position
    assert (game.score.south, game.score.north) == (2, 1)


def test_north_may_begin() -> None:
    game = Game(beginner=Seat.NORTH)
    assert game.position.line == "6/6/6/6/6/6 N 0"
    assert game.push(()).line == "6/6/6/6/6/6 S 1"


def test_a_turn_refused_leaves_the_game_alone() -> None:
    game = Game()
    with pytest.raises(IllegalTurn):
        game.push((Land(P("g2"), "a2"),))
    assert (game.position, game.turns) == (Position(), ())


def test_legal_turns_and_begin_are_those_of_the_player_to_move() -> None:
    game = Game()
    game.push(land("a2"))
    assert game.begin().position == game.position
    assert game.legal_turns().count() == 1 + 35
    assert land("f5") in game.legal_turns()


def test_turns_are_taken_back() -> None:
    game = Game()
    game.push(land("a2"))
    game.push(land("f5"))
    assert game.pop() == land("f5")
    assert game.position.line == "6/6/6/6/g15/6 N 1"
    assert game.pop() == land("a2")
    assert game.position == Position()
    with pytest.raises(RulesError) as caught:
        game.pop()
    assert caught.value.code == "nothing_to_undo"


# The ends (S19)


def test_two_passes_end_the_game() -> None:
    game = Game(position=Position.parse("6/5G1/6/6/g25/6 S 7"))
    game.push((Pass(),))
    assert game.outcome() is None
    game.push((Choose("f5"),))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner) == (Termination.TWO_PASSES, Seat.SOUTH)
    assert outcome.sentence == "Both players passed: South wins, 2 points to 1."
    with pytest.raises(IllegalTurn) as caught:
        game.push(())
    assert (caught.value.code, caught.value.rule) == ("game_over", "S19")
    game.pop()
    assert game.outcome() is None


def test_passes_with_a_turn_between_them_do_not() -> None:
    game = Game()
    for turn in [(), land("f5"), (), (Choose("f5"), Build(P("y1"), "f4")), ()]:
        game.push(turn)
        assert game.outcome() is None


def test_a_move_there_and_back_is_no_pass() -> None:
    game = Game(position=Position.parse("6/5G1/6/6/y25/6 N 0"))
    game.push(())
    game.push((Choose("a2"), Move(("a2", "a3", "a2"))))
    assert game.outcome() is None


@pytest.mark.parametrize(("beginner", "winner"), [(Seat.SOUTH, Seat.NORTH), (Seat.NORTH, Seat.SOUTH)])
def test_a_tie_goes_to_the_player_who_did_not_begin(beginner: Seat, winner: Seat) -> None:
    game = Game(position=Position.parse("6/5G1/6/6/g15/6 S 0"), beginner=beginner)
    game.push(())
    game.push(())
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winners == (winner,)


def test_thirty_six_turns_without_a_conquest_end_the_game() -> None:
    position = Position.parse("6/5G1/6/6/y25/6 S 34")
    game = Game(position=position)
    game.push((Choose("a2"), Move(("a2", "a3"))))
    assert game.outcome() is None
    game.push((Choose("f5"), Build(P("b1"), "f4")))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.QUIET_TURNS
    assert outcome.sentence == (
        "36 turns in a row without a conquest: 2 points each: North wins the tie, because South began."
    )


def test_a_conquest_begins_the_count_again() -> None:
    game = Game(position=Position.parse("6/6/6/6/Y15/r15 S 35"))
    assert game.push((Choose("a1"), Conquer("a2"))).quiet_turns == 0
    assert game.outcome() is None


def test_a_shorter_limit_may_be_agreed() -> None:
    game = Game(Options(quiet_limit=2))
    game.push(land("a1"))
    game.push(land("f6"))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.QUIET_TURNS


def test_a_full_board_with_nothing_to_conquer_ends_the_game() -> None:
    game = Game(position=Position.parse(NEARLY_FULL))
    assert game.outcome() is None
    game.push((Choose("e1"), Build(P("b3"), "f1")))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winners) == (Termination.NO_MOVE_LEFT, (Seat.SOUTH,))
    assert outcome.sentence == (
        "Neither player can do anything more: South wins, 69 points to 3: more than 36 of all 72 points, a majority."
    )


def test_a_full_board_with_something_to_conquer_goes_on() -> None:
    line = NEARLY_FULL.replace("B3g1g1b3g11", "b3g1g1b3g1b3").replace("y3y3y3r3", "y3y3Y3r3").replace("S", "N")
    game = Game(position=Position.parse(line))
    assert game.position.bank.total == 0
    assert game.legal_turns().count() == 1  # North can only pass
    game.push(())
    assert game.outcome() is None
    game.push((Choose("d4"), Conquer("c4")))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.NO_MOVE_LEFT


def test_a_player_without_pieces_and_without_greens_to_land_passes() -> None:
    position = Position.parse("6/6/g3g3g33/g2g2g23/g1g1g13/5b1 N 0")
    game = Game(position=position)
    assert game.legal_turns().count() == 1
    assert game.outcome() is None


def test_space_without_pieces_in_the_bank_is_no_move() -> None:
    whole_set = "y1y1y1y2y2y2/y3y3y3b1b1b1/b2b2b2b3b3b3/g1g1g1g2g2g2/g3g3g33/6 S 0"
    assert not anybody_can_act(Position.parse(whole_set, redless=True))
    yellow_has_space = "y1y1y1y2y2y2/y3y3g3b1b1b1/b2b2b2b3b3b3/g1g1g1g2g2g2/g3g3y33/6 S 0"
    assert anybody_can_act(Position.parse(yellow_has_space, redless=True))


def test_resigning() -> None:
    game = Game()
    game.push(land("a1"))
    assert game.resign().winner is Seat.SOUTH  # North is to move
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.sentence) == (Termination.RESIGNATION, "North resigned: South wins.")
    with pytest.raises(IllegalTurn):
        game.agree_draw()
    with pytest.raises(IllegalTurn):
        game.push(())
    game.pop()
    assert game.outcome() is None
    assert game.resign(Seat.SOUTH).winner is Seat.NORTH


def test_agreeing_on_a_draw() -> None:
    game = Game()
    outcome = game.agree_draw()
    assert outcome == game.outcome()
    assert (outcome.is_draw, outcome.termination) == (True, Termination.AGREEMENT)


# Redless and handicap (S21, S22)


def test_a_redless_game() -> None:
    game = Game(Options(redless=True))
    game.push(land("a1"))
    game.push(land("f6"))
    assert game.position.redless
    assert (Choose("a1"), Build(P("r1"), "a2")) not in game.legal_turns()


def test_options_and_position_must_agree() -> None:
    with pytest.raises(RulesError) as caught:
        Game(Options(redless=True), Position())
    assert caught.value.code == "redless_differs"
    with pytest.raises(RulesError, match="Nobody sits East"):
        Game(beginner=Seat.EAST)


def test_the_weaker_player_begins_a_handicap_game() -> None:
    game = Game(Options(handicap=Seat.SOUTH))
    game.push(land("a1", 2))
    assert game.push(land("f6")).to_move is Seat.NORTH  # the stronger player's first turn is two turns
    assert game.push((Choose("f6"), Build(P("y1"), "f5"))).to_move is Seat.SOUTH
    assert game.push(()).to_move is Seat.NORTH
    assert game.push((Choose("f6"), Build(P("g1"), "e5"))).to_move is Seat.SOUTH


def test_the_stronger_player_begins_a_handicap_game() -> None:
    game = Game(Options(handicap=Seat.NORTH, handicap_size=Size.LARGE))
    assert game.push(land("a1")).to_move is Seat.SOUTH
    assert {end.to_move for _, end in game.legal_turns()} == {Seat.NORTH}
    assert game.push((Choose("a1"), Build(P("g1"), "a2"))).to_move is Seat.NORTH
    with pytest.raises(IllegalTurn) as caught:
        game.push(land("f6"))
    assert (caught.value.code, caught.value.rule) == ("landing_size", "S22")
    game.push(land("f6", 3))
    take_back(game)
    assert game.push(land("a1")).to_move is Seat.SOUTH


def test_turns_may_be_pushed_as_text() -> None:
    game = Game(Options(handicap=Seat.SOUTH))
    assert game.push_text("^ g2 c3").line == "6/6/6/2g23/6/6 N 1"
    assert game.push_text("^ g1 f6").line == "5G1/6/6/2g23/6/6 N 2"
    assert game.push_text("G f6: r1 e5").line == "5G1/4R11/6/2g23/6/6 S 3"
    with pytest.raises(IllegalTurn):
        game.push_text("G c3: r1 f6")
    assert len(game.turns) == 3


def test_two_passes_of_one_player_do_not_end_a_handicap_game() -> None:
    game = Game(Options(handicap=Seat.NORTH))
    game.push(())
    assert game.push(()).to_move is Seat.NORTH
    assert game.outcome() is None
    game.push(land("f6", 2))
    assert game.outcome() is None


def test_a_first_landing_may_come_late_and_a_second_one_is_small() -> None:
    game = Game(Options(handicap=Seat.SOUTH))
    game.push(())
    game.push(land("b2"))
    game.push((Choose("b2"), Build(P("r1"), "a2")))
    game.push(land("a1", 2))
    game.push((Choose("b2"), Build(P("g1"), "b1")))
    assert land("f6", 2) not in game.legal_turns()


def test_a_handicap_counts_only_for_who_starts_without_pieces() -> None:
    game = Game(Options(handicap=Seat.NORTH), Position.parse("6/6/6/6/g15/6 S 3"))
    assert game.push(()).to_move is Seat.NORTH
    assert land("f6", 2) in game.legal_turns()


# Many games


def test_random_games_end_and_can_be_taken_back() -> None:
    endings = set()
    for seed in range(300):
        game = play(seed)
        outcome = game.outcome()
        assert outcome is not None
        endings.add(outcome.termination)
        take_back(game)
    assert endings == {Termination.NO_MOVE_LEFT, Termination.QUIET_TURNS, Termination.TWO_PASSES}
