"""Readings of Homeworlds that are not what lies on the table: what the rest of it settles, and what is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inferring_tables import BEFORE, G3, SACRIFICED, altered, key, overlooked

from benchmarks.turn_inference import Reader
from companion_app.inferring import Appearance, Certainty, Kind, explain
from companion_app.inferring.judging import SURE
from companion_app.inferring.observation import NOTHING_IN_SIGHT, BankDoubt, Observation
from rules import KINDS, Color, Piece, Seat
from rules.homeworlds import Build, Discover, Move, Options, Position, Sacrifice, Trade, Turn, begin


def test_a_ship_that_is_not_in_the_bank_is_perhaps_in_the_hand() -> None:
    seen = Reader("hand").exact(Position.parse(SACRIFICED))
    bank = list(seen.bank)
    bank.remove(Piece.parse("y2"))
    judgement = explain(Position.parse(BEFORE), Options(), replace(seen, bank=tuple(bank)))
    assert judgement.verdict is Certainty.UNSURE
    assert {Kind.LEGAL, Kind.HALF_DONE} <= {one.kind for one in (judgement.best, *judgement.rivals)}


def test_nobody_sacrifices_for_what_can_be_had_without() -> None:
    """A ship was not seen, neither on the table nor in the bank: it is rather there than given up for nothing."""
    before = Position.parse("<0>; South(0,b3y2)b1g3-; North(1,r1g2)-g3; Sirius(g2)y2-")
    after = begin(before).apply(Trade(G3, "South", Color.RED)).end()
    judgement = explain(before, Options(), overlooked(Reader("unseen").exact(after), "b1", Seat.SOUTH))
    assert judgement.verdict is Certainty.UNSURE
    assert judgement.best.turns == ((Trade(G3, "South", Color.RED),),)


def test_a_home_that_was_not_seen_is_not_given_up() -> None:
    """A whole home overlooked looks like the sacrifice of its last ship, for nothing, and would end the game."""
    before = Position.parse(
        "<1>; South(0,y1g2)y3b1b1-; North(1,r2y1)-g3; Altair(r1)-g3; Sirius(r3)b1b2-; Vega(y3)-g1g2"
    )
    built = Build(Piece.parse("g1"), "Vega")
    seen = Reader("home").exact(begin(before).apply(built).end())
    groups = tuple(group for group in seen.groups if group.home is not Seat.NORTH)
    assert len(groups) == len(seen.groups) - 1
    for bank in ((), seen.bank, (*seen.bank, Piece.parse("r2"), Piece.parse("y1"))):
        judgement = explain(before, Options(), replace(seen, groups=groups, bank=bank))
        assert judgement.verdict is Certainty.UNSURE


def test_of_two_homes_the_usual_one_comes_first() -> None:
    seen = Reader("home", bank=False).exact(Position.parse("<1>; South(0,b3y1)g3-"))
    yellow = next(piece for piece in seen.pieces if piece.read.piece.code == "y1")
    blue = yellow.read._replace(piece=Piece.parse("b1"))
    doubtful = altered(seen, "y1", read=blue, confidence=0.6, alternatives={yellow.read: 0.4})
    judgement = explain(Position.parse("<0>"), Options(), doubtful)
    assert judgement.best.position == Position.parse("<1>; South(0,b3y1)g3-")


def test_a_home_of_which_all_pieces_have_left_the_bank_is_set_up_though_one_is_hidden() -> None:
    """With one of them still in the bank it is not."""
    before, home = Position.parse("<0>"), Position.parse("<1>; South(0,b3y1)g3-")
    seen = overlooked(Reader("hidden star").exact(home), "y1", None)
    without_star = before.bank - [Piece.parse("b3"), Piece.parse("g3")]
    gone, there = (
        explain(before, Options(), replace(seen, bank=bank.pieces, settled=frozenset(settled)))
        for bank, settled in ((home.bank, {*KINDS} - {Piece.parse("y1")}), (without_star, {*KINDS}))
    )
    assert gone.best.position == home
    assert there.best.kind is not Kind.LEGAL
    assert sum(one.probability for one in gone.rivals) < 0.01


def test_a_home_with_a_misread_star_is_the_home_all_the_same() -> None:
    """Nothing but the reading tells which stars a new home has, and it leaves a doubt about one of them."""
    seen = Reader("star", bank=False).exact(Position.parse("<1>; South(0,b3y1)g3-"))
    blue = next(piece.read for piece in seen.pieces if piece.read.piece.code == "b3")
    red = blue._replace(piece=Piece.parse("r3"))
    doubtful = altered(seen, "b3", read=red, confidence=0.995, alternatives={blue: 0.003})
    judgement = explain(Position.parse("<0>"), Options(), doubtful)
    assert judgement.verdict is Certainty.UNSURE
    assert judgement.rivals[0].position == Position.parse("<1>; South(0,b3y1)g3-")
    assert judgement.rivals[0].probability == pytest.approx(0.003, rel=0.05)


def test_a_ship_is_overlooked_at_home_as_easily_as_anywhere() -> None:
    """Nothing seems changed, and a piece of the bank is lacking that may have been built at home or in a colony."""
    position = Position.parse(BEFORE)
    seen = Reader("lacking").exact(position)
    bank = list(seen.bank)
    bank.remove(Piece.parse("y1"))
    judgement = explain(position, Options(), replace(seen, bank=tuple(bank)))
    chances = {one.turns: one.probability for one in (judgement.best, *judgement.rivals)}
    at_home, in_colony = (chances[((Build(Piece.parse("y1"), name),),)] for name in ("South", "Sirius"))
    assert at_home == pytest.approx(in_colony)


def test_a_sacrifice_that_rebuilds_itself_is_thought_of_behind_a_single_build() -> None:
    """Of a large green that came back, another one, and a small yellow only the other one was seen."""
    before = Position.parse("<0>; South(0,b3y2)y3g1g3-; North(1,r1b2)-g1g2; Sirius(g2)g1-y1; Vega(g2)b1-")
    small = Piece.parse("y1")
    turn: Turn = (Sacrifice(G3, "South"), Build(G3, "South"), Build(small, "South"), Build(G3, "Sirius"))
    after = begin(before).play(turn).end()
    judgement = explain(before, Options(), overlooked(Reader("rebuilt").exact(after), "y1", Seat.SOUTH))
    assert judgement.verdict is Certainty.UNSURE
    assert judgement.best.turns == ((Build(G3, "Sirius"),),)
    assert key(judgement.rivals[0].position) == key(after)


def test_what_one_look_alone_tells_is_asked_about_where_the_bank_may_mean_either() -> None:
    """A small yellow has been built and read as a green one, with few doubts."""
    position = Position.parse(BEFORE)
    small_green, small_yellow = Piece.parse("g1"), Piece.parse("y1")
    seen = Reader("look").exact(begin(position).apply(Build(small_yellow, "South")).end())
    green = Appearance(small_green, Seat.SOUTH)
    misread = altered(seen, "y1", read=green, confidence=0.97, alternatives={})
    bank = list(seen.bank)
    bank.remove(small_green)
    either_way = explain(position, Options(), replace(misread, bank=tuple(bank)))
    assert either_way.best.turns == ((Build(small_green, "South"),),)
    assert either_way.best.probability > SURE
    assert either_way.verdict is Certainty.UNSURE
    bank.append(small_yellow)
    bears_out = explain(position, Options(), replace(misread, bank=tuple(bank)))
    assert bears_out.best.turns == ((Build(small_green, "South"),),)
    assert bears_out.verdict is Certainty.CERTAIN


def test_a_large_green_is_sacrificed_to_be_built_again() -> None:
    """Of the last ship that was built nobody can tell whether it is yellow or green."""
    before = Position.parse("<0>; South(0,b3y2)y3g1g3-; North(1,r1b2)-g1g2; Sirius(g2)g1y1-; Vega(g2)b1-y1")
    small, medium = (Piece.parse(code) for code in ("y1", "y2"))
    turn: Turn = (Sacrifice(G3, "South"), Build(small, "South"), Build(medium, "South"), Build(G3, "Sirius"))
    seen = Reader("again", bank=False).exact(begin(before).play(turn).end())
    yellow = Appearance(medium, Seat.SOUTH)
    green = Appearance(G3, Seat.SOUTH)
    doubtful = altered(seen, "g3", read=yellow, confidence=0.6, alternatives={green: 0.4})
    assert explain(before, Options(), doubtful).best.turns == (turn,)


def test_legality_settles_what_the_reader_leaves_open() -> None:
    """A star that has always been blue is read as a red one, while a ship is built elsewhere."""
    after = Position.parse("<1>; South(0,b3y2)g3y2-; North(1,r1g2)-g3; Sirius(g2)y2y1-; Vega(b2)g1-")
    seen = Reader("open").exact(after)
    blue = next(piece for piece in seen.pieces if piece.read.piece.code == "b2")
    red = blue.read._replace(piece=Piece.parse("r2"))
    judgement = explain(
        Position.parse(BEFORE),
        Options(),
        altered(seen, "b2", read=red, confidence=0.7, alternatives={blue.read: 0.25}),
    )
    assert judgement.verdict is Certainty.CERTAIN
    assert judgement.best.turns == ((Build(Piece.parse("y1"), "Sirius"),),)
    assert judgement.best.marked == (blue.index,)


def test_two_legal_turns_that_both_fit_are_asked_about() -> None:
    """A trade read with doubts about its colour, and no bank in the picture to tell."""
    after = Position.parse("<1>; South(0,b3y2)r3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-")
    seen = Reader("both", bank=False).exact(after)
    look = next(piece.read for piece in seen.pieces if piece.read.piece.code == "r3")
    yellow = look._replace(piece=Piece.parse("y3"))
    judgement = explain(
        Position.parse(BEFORE), Options(), altered(seen, "r3", read=look, confidence=0.8, alternatives={yellow: 0.2})
    )
    assert judgement.verdict is Certainty.UNSURE
    offered = [one.turns for one in (judgement.best, *judgement.rivals)]
    assert offered[:2] == [((Trade(Piece.parse("g3"), "South", color),),) for color in (Color.RED, Color.YELLOW)]


def test_the_bank_tells_what_the_table_leaves_open() -> None:
    """Nothing seems changed: a pass with the bank whole; where a piece of it is lacking, perhaps a build."""
    position = Position.parse(BEFORE)
    whole = Reader("whole").exact(position)
    assert explain(position, Options(), whole).verdict is Certainty.CERTAIN
    bank = list(whole.bank)
    bank.remove(Piece.parse("g1"))
    lacking = replace(whole, bank=tuple(bank))
    assert explain(position, Options(), lacking).verdict is Certainty.UNSURE


@pytest.mark.parametrize("before", [BEFORE, BEFORE.replace("Sirius(g2)y2-", "Sirius(g1)y2-")])
def test_nobody_passes_where_a_piece_has_left_the_bank(before: str) -> None:
    """It hides behind others: where, is the question, and not whether; nor if it was the last of its kind there."""
    position, green = Position.parse(before), Piece.parse("g1")
    bank = (position.bank - [green]).pieces
    seen = replace(Reader("hidden").exact(position), bank=bank, settled=frozenset(bank) - {green})
    judgement = explain(position, Options(), seen)
    assert {one.turns[0] for one in (judgement.best, *judgement.rivals) if one.probability > 1e-3} == {
        (Build(green, where),) for where in ("South", "Vega")
    }


def test_a_ship_that_nobody_sees_has_not_gone_to_a_bank_where_none_like_it_is() -> None:
    """It lies behind others: a trade for it would have brought the first of its kind to the bank, in plain sight."""
    before = Position.parse("<0>; South(0,b3y2)g1r2-; North(1,r1g2)-g1g1; Sirius(y3)y1-")
    built = begin(before).apply(Build(Piece.parse("r1"), "South")).end()
    assert not built.bank[Piece.parse("g1")]
    seen = Reader("behind").exact(built)
    settled = frozenset(seen.bank) - {Piece.parse("r1")}
    ship = Appearance(Piece.parse("g1"), Seat.SOUTH)
    hidden = altered(seen, "g1", Seat.SOUTH, read=ship, confidence=0.95, alternatives={}, nothing=NOTHING_IN_SIGHT)
    judgement = explain(before, Options(), replace(hidden, settled=settled))
    assert (judgement.verdict, judgement.best.position) == (Certainty.CERTAIN, built)


def test_where_too_much_is_hidden_the_bank_tells_what_may_have_been_played() -> None:
    """A ship was built behind the stars, and neither it nor one of these is seen."""
    before = Position.parse("<1>; South(0,r2y3)g1g1g3-; North(1,g1b3)-y1y3; Vega(y2)-y1")
    yellow = Piece.parse("y1")
    seen = overlooked(Reader("behind stars").exact(before), "g1", None)
    bank = (before.bank - [yellow]).pieces
    asked = explain(before, Options(), replace(seen, bank=bank, settled=frozenset(bank) - {yellow}))
    assert asked.verdict is Certainty.UNSURE
    assert ((Build(yellow, "North"),),) in [one.turns for one in (asked.best, *asked.rivals)]
    whole = explain(before, Options(), replace(seen, bank=before.bank.pieces, settled=frozenset(before.bank)))
    assert Build(yellow, "North") not in [step for one in (whole.best, *whole.rivals) for step in sum(one.turns, ())]


def test_where_a_new_home_is_read_amiss_the_bank_tells_what_it_is_made_of() -> None:
    """From above, a small green on a medium red is read as a medium green."""
    before, home = Position.parse("<0>"), Position.parse("<1>; South(0,r2g1)b3-")
    seen = overlooked(Reader("from above").exact(home), "g1", None)
    green = Appearance(Piece.parse("g2"), None)
    misread = altered(seen, "r2", read=green, confidence=0.998, alternatives={})
    gone = {Piece.parse(code) for code in ("r2", "g1", "b3")}
    judgement = explain(
        before, Options(), replace(misread, bank=home.bank.pieces, settled=frozenset({*KINDS} - gone))
    )
    assert judgement.verdict is Certainty.UNSURE
    assert home in [one.position for one in (judgement.best, *judgement.rivals)]


@pytest.mark.parametrize("ship", ["g3", "r3"])
def test_a_home_of_which_a_star_was_not_seen_is_rather_whole_than_against_the_rules(ship: str) -> None:
    """Whatever its ship: who begins with a rare one does so by the rules and against them alike."""
    before, home = Position.parse("<0>"), Position.parse(f"<1>; South(0,y2b1){ship}-")
    seen = overlooked(Reader("home").exact(home), "y2", None)
    gone = {Piece.parse(code) for code in ("y2", "b1", ship)}
    told = replace(seen, bank=home.bank.pieces, settled=frozenset({*KINDS} - gone))
    judgement = explain(before, Options(), told)
    assert (judgement.verdict, judgement.best.position) == (Certainty.CERTAIN, home)


def test_a_piece_that_the_bank_shows_doubtfully_is_rather_not_there() -> None:
    """One too many is seen there: that hardly counts if nobody is sure of it."""
    position = Position.parse(BEFORE)
    built = begin(position).apply(Build(Piece.parse("g1"), "South")).end()
    seen = Reader("bank").exact(built)
    g1 = Piece.parse("g1")
    more = replace(seen, bank=(*seen.bank, g1))
    doubtful = replace(more, unsure={g1: (BankDoubt(0.4, 0.4, ()), BankDoubt(0.01, 0.01, ()))})
    sure, unsure = (explain(position, Options(), one).best.probability for one in (more, doubtful))
    assert unsure > sure


def test_a_piece_come_to_the_bank_is_another_one_only_if_such_a_one_is_not_seen_there() -> None:
    """It may be a small red or, less likely, another red: was the small red traded, or is it hidden on the table?"""
    before = Position.parse("<0>; South(0,b3y2)r1b1g3-; North(1,r1g2)-g3")
    r1, r2, r3 = (Piece.parse(code) for code in ("r1", "r2", "r3"))
    traded = Trade(r1, "South", Color.BLUE)
    seen = Reader("come").exact(after := begin(before).apply(traded).end())
    doubtful = replace(seen, unsure={r1: (BankDoubt(0.15, 0.003, (r2, r3)),)})

    def doubt(*hidden: Piece) -> float:
        settled = frozenset(after.bank) - {r1, Piece.parse("b1"), *hidden}
        bank = (after.bank - hidden).pieces
        best = explain(before, Options(), replace(doubtful, bank=bank, settled=settled)).best
        assert best.turns == ((traded,),)
        return 1 - best.probability

    assert doubt(r2) > 10 * max(doubt(), doubt(Piece.parse("y2")))


def test_a_ship_overlooked_beside_one_that_was_misread_may_be_in_any_system() -> None:
    before = Position.parse("<1>; South(0,y2g1)r1-; North(1,y2b1)-r3g1g2; Sirius(g3)r1r1r3-; Vega(g3)r2-g1")
    g2, g3 = (Appearance(Piece.parse(code), Seat.NORTH) for code in ("g2", "g3"))
    built = [begin(before).apply(Build(g2.piece, name)).end() for name in ("North", "Vega")]
    seen = Reader("two slips").exact(before)
    misread = altered(seen, "g2", Seat.NORTH, read=g3, confidence=0.8, alternatives={g2: 0.19})
    bank = built[0].bank.pieces
    judgement = explain(before, Options(), replace(misread, bank=bank, settled=frozenset({*KINDS} - {g2.piece})))
    assert judgement.verdict is Certainty.UNSURE
    assert {one.position for one in (judgement.best, *judgement.rivals)} >= set(built)


@pytest.mark.parametrize(("color", "verdict"), [(Color.GREEN, Certainty.CERTAIN), (Color.RED, Certainty.UNSURE)])
def test_an_unseen_ship_is_rather_where_something_of_its_colour_shows(color: Color, verdict: Certainty) -> None:
    before = Position.parse("<1>; South(0,b3y2)g3r1-; North(1,r1g2)-g3; Sirius(b2)-g2y1")
    built = [begin(before).apply(Build(Piece.parse("g1"), name)).end() for name in ("North", "Sirius")]
    seen = Reader("shows").exact(before)
    for after, stars in zip(built, ({"r1", "g2"}, {"b2"}), strict=True):
        place = next(
            group.place
            for group in seen.groups
            if {one.read.piece.code for one in group.pieces if not one.read.owner} == stars
        )
        told = replace(
            seen,
            bank=after.bank.pieces,
            settled=frozenset({*KINDS} - {Piece.parse("g1")}),
            noticed=frozenset({(place, color)}),
        )
        judgement = explain(before, Options(), told)
        assert judgement.verdict is verdict
        assert {one.position for one in (judgement.best, *judgement.rivals)} >= {after}
        assert verdict is Certainty.UNSURE or judgement.best.position == after


def place_of(star: str, seen: Observation) -> str:
    """Where the system with such a star is."""
    look = Appearance(Piece.parse(star), None)
    return next(group.place for group in seen.groups if any(piece.read == look for piece in group.pieces))


@pytest.mark.parametrize("shows", [True, False])
def test_a_ship_of_which_something_shows_was_rather_missed_than_sacrificed(shows: bool) -> None:
    """A system was shoved, and one of its ships is half hidden; the bank is not known to be as it was."""
    before = Position.parse("<1>; South(0,r2g3)y1y2y3-; North(1,r3b1)-y2y2y3; Altair(g1)y3-y1; Vega(r1)y1-")
    found = Discover(Piece.parse("y2"), "North", Piece.parse("g2"), "Sirius")
    after = begin(before).apply(found).end()
    seen = overlooked(Reader("shoved").exact(after), "y1", Seat.NORTH)
    settled = frozenset({*KINDS} - {Piece.parse("y1"), Piece.parse("g2")})
    come = frozenset({(place_of("g1", seen), Color.YELLOW)} if shows else ())
    judgement = explain(before, Options(), replace(seen, bank=after.bank.pieces, settled=settled, noticed=come))
    assert judgement.best.position == after
    assert judgement.verdict is (Certainty.CERTAIN if shows else Certainty.UNSURE)


@pytest.mark.parametrize("shows", [True, False])
def test_a_ship_that_has_gone_may_be_where_something_of_its_colour_shows(shows: bool) -> None:
    """It may not go there; where nothing shows, it is still in somebody's hand."""
    before = Position.parse("<1>; South(0,r2g3)g1g1b1b3-; North(1,r2b1)-g1g3b1")
    moved = Position.parse("<1>; South(0,r2g3)g1g1b1b3-b1; North(1,r2b1)-g1g3")
    seen = overlooked(Reader("not to be seen").exact(moved), "b1", Seat.NORTH)
    come = frozenset({(place_of("g3", seen), Color.BLUE)} if shows else ())
    settled = frozenset({*KINDS} - {Piece.parse("b1")})
    judgement = explain(before, Options(), replace(seen, bank=moved.bank.pieces, settled=settled, noticed=come))
    codes = [one.refusal and one.refusal.code for one in (judgement.best, *judgement.rivals)]
    assert ("no_power" in codes) is shows
    assert (judgement.best.kind is Kind.HALF_DONE) is not shows


@pytest.mark.parametrize("is_known", [True, False])
def test_a_ship_that_is_known_to_have_gone_was_hardly_overlooked(is_known: bool) -> None:
    """A green was traded for a yellow, or a yellow built and the green not seen: of the bank nothing is known."""
    before = Position.parse("<1>; South(0,b3y2)g3r1-; North(1,r1b2)-y1g1g3")
    steps = Trade(Piece.parse("g1"), "North", Color.YELLOW), Build(Piece.parse("y1"), "North")
    traded, built = (begin(before).apply(step).end() for step in steps)
    seen = replace(Reader("gone", bank=False).exact(traded), bank=())
    home = next(group.place for group in seen.groups if group.home is Seat.NORTH)
    left = Appearance(Piece.parse("g1"), Seat.NORTH)
    judgement = explain(before, Options(), replace(seen, gone=frozenset({(home, left)} if is_known else ())))
    assert [one.position for one in (judgement.best, *judgement.rivals)][:2] == [traded, built]
    assert judgement.verdict is (Certainty.CERTAIN if is_known else Certainty.UNSURE)


def test_a_ship_between_two_stars_is_asked_about() -> None:
    before = Position.parse("<0>; South(0,b1y2)g3y3-; North(1,r1g2)-g3; Sirius(g3)y1-; Vega(b3)g1-")
    after = begin(before).apply(Move(Piece.parse("y3"), "South", "Sirius")).end()
    seen = Reader("between").exact(after)
    vega = next(group.place for group in seen.groups if {one.read.piece.code for one in group.pieces} == {"b3", "g1"})
    look = next(piece.read for piece in seen.pieces if piece.read.piece.code == "y3")
    assert explain(before, Options(), seen).verdict is Certainty.CERTAIN
    between = altered(seen, "y3", read=look, confidence=0.999, alternatives={}, elsewhere={vega: 0.2})
    judgement = explain(before, Options(), between)
    assert judgement.verdict is Certainty.UNSURE
    assert [one.turns[0][0] for one in (judgement.best, *judgement.rivals)[:2]] == [
        Move(Piece.parse("y3"), "South", name) for name in ("Sirius", "Vega")
    ]
