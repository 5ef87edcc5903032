"""Which turn of Homeworlds was played: told from the position before and what lies on the table."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.turn_inference import MISREADINGS, Reader
from companion_app.inferring import (
    Certainty,
    Group,
    Judgement,
    Kind,
    Observation,
    ObservedPiece,
    explain,
    system_case,
)
from companion_app.inferring.contents import content_of, table_print
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.walk import ends_near
from companion_app.reading_types import Game
from companion_app.samples import random_homeworlds
from rules import Color, Piece, Seat
from rules.homeworlds import Build, Catastrophe, Move, Options, Position, Sacrifice, Trade, Turn, begin, legal_turns
from rules.homeworlds.table import Table

G3 = Piece.parse("g3")
BEFORE = "<0>; South(0,b3y2)g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-"


def judged(
    after: str, before: str = BEFORE, earlier: tuple[str, ...] = (), *, ended: bool = True, bank: bool = True
) -> Judgement:
    """The judgement on an exact reading, its systems in any order."""
    seen = Reader("any order", bank).exact(Position.parse(after))
    positions = [Position.parse(line) for line in earlier]
    return explain(Position.parse(before), Options(), seen, earlier=positions, ended=ended)


def key(position: object) -> int:
    assert isinstance(position, Position)
    return Table.of(position).key


@pytest.mark.parametrize(
    ("after", "step"),
    [
        ("South(0,b3y2)g1g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-", Build(Piece.parse("g1"), "South")),
        ("South(0,b3y2)r3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-", Trade(G3, "South", Color.RED)),
        ("South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-; New(r1)y2-", None),
    ],
)
def test_legal_turns_are_recorded_without_a_question(after: str, step: object) -> None:
    judgement = judged(f"<1>; {after}")
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert key(judgement.best.position) == key(Position.parse(f"<1>; {after}"))
    assert step in (None, *judgement.best.turns[0])


def test_a_pass_and_nothing_yet() -> None:
    judgement = judged(BEFORE)
    assert (judgement.verdict, judgement.best.kind, judgement.best.turns) == (
        Certainty.CERTAIN,
        Kind.UNCHANGED,
        ((),),
    )
    assert judgement.best.position == Position.parse(BEFORE.replace("<0>", "<1>"))
    empty = judged("<0>", "<0>")
    assert (empty.best.kind, empty.best.turns) == (Kind.UNCHANGED, ())
    assert empty.best.refusal
    assert empty.best.refusal.code == "pass_at_set_up"


def test_a_home_is_set_up() -> None:
    judgement = judged("<1>; South(0,b3y1)g3-", "<0>")
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert judgement.best.position == Position.parse("<1>; South(0,b3y1)g3-")


HOMES = "South(0,b3y2)g3y2-; North(1,r1g2)-g3"
SECOND = f"<0>; {HOMES}; Sirius(g3)r1-y2"
THIRD = f"<0>; {HOMES}; Sirius(g3)g1-y1"


@pytest.mark.parametrize(
    ("after", "before", "code", "rule", "said"),
    [
        (
            f"{HOMES}; Vega(b2)g1y2-",
            BEFORE,
            "not_connected",
            "16",
            "South moves the medium yellow from Sirius",
        ),
        (f"{HOMES}; Sirius(g2)-; Vega(b2)g1y2-", BEFORE, "not_connected", "16", "South moves the medium yellow from"),
        (
            f"{HOMES}; Sirius(g2)r2-; Vega(b2)g1-",
            BEFORE,
            "no_power",
            "14",
            "South trades the medium yellow",
        ),
        (
            f"{HOMES}g1; Sirius(g2)y2-; Vega(b2)g1-",
            BEFORE,
            "not_to_move",
            "24",
            "North builds a small green at North",
        ),
        (
            f"{HOMES}; Sirius(g2)y2-; Vega(b2)g1g2-",
            BEFORE,
            "not_smallest",
            "15",
            "South builds a medium green",
        ),
        (
            f"{HOMES}; Sirius(g2)y2-; Vega(b2)g1r1-",
            BEFORE,
            "no_ship_of_color",
            "15",
            "South builds a small red",
        ),
        (f"{HOMES}; Sirius(g3)r1y2-", SECOND, "too_big", "13", "South captures North's medium yellow at Sirius:"),
        (f"{HOMES}; Sirius(g3)g1y1-", THIRD, "no_power", "14", "South captures North's small yellow at Sirius:"),
        ("South(0,b3y1)g3y1-", "<0>", "first_ship_wrong", "18", "South sets up"),
        (
            f"{HOMES}; New(r2)y2-; Vega(b2)g1-",  # the last ship of Sirius, to a star as large as Sirius itself
            BEFORE,
            "star_size_shared",
            "16",
            "South discovers Altair, a medium red star, with the medium yellow from Sirius:",
        ),
        (
            "South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-; New(r3)y2-",
            BEFORE,
            "star_size_shared",
            "16",
            "South discovers Altair, a large red star, with the medium yellow from South:",
        ),
    ],
)
def test_the_rule_that_is_broken_is_told(after: str, before: str, code: str, rule: str, said: str) -> None:
    judgement = judged(f"<0>; {after}", before)
    best = judgement.best
    assert (judgement.verdict, best.kind) == (Certainty.CERTAIN, Kind.ILLEGAL)
    assert best.refusal
    assert (best.refusal.code, best.refusal.rule) == (code, rule)
    assert best.sentence.startswith(said)
    assert best.sentence.endswith(best.refusal.sentence)
    assert best.position == Position.parse(before)


def test_what_broke_the_rule_is_marked() -> None:
    position = Position.parse("<0>; South(0,b3y2)g3y2-; North(1,r1g2)-g3; Vega(b2)g1y2-")
    seen = Reader("marks").exact(position)
    (marked,) = explain(Position.parse(BEFORE), Options(), seen).best.marked
    piece = next(piece for piece in seen.pieces if piece.index == marked)
    group = next(group for group in seen.groups if piece in group.pieces)
    assert piece.read == (Piece.parse("y2"), Seat.SOUTH)
    assert {one.read.piece.code for one in group.pieces} == {"b2", "g1", "y2"}


def test_two_actions_are_one_too_many() -> None:
    best = judged("<0>; South(0,b3y2)g1g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1g1-").best
    assert best.kind is Kind.ILLEGAL
    assert best.refusal
    assert best.refusal.code == "action_used"


@pytest.mark.parametrize(
    ("after", "before"),
    [
        (f"{HOMES}; Sirius(g2)y2-; Vega(b2)g1-; New(b1)-", BEFORE),  # the star is there, the ship not yet
        ("South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-; New(b1)-", BEFORE),  # in the hand
        (f"{HOMES}; Sirius(g2)-; Vega(b2)g1-", BEFORE),
        ("South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-", BEFORE),  # or a sacrifice
        ("South(0,b3y1)-", "<0>"),
    ],
)
def test_half_done_turns_are_half_done_and_not_illegal(after: str, before: str) -> None:
    amid = judged(f"<0>; {after}", before, ended=False, bank=False)
    assert amid.best.kind is Kind.HALF_DONE
    ended = judged(f"<0>; {after}", before, bank=False)
    assert ended.best.kind is Kind.HALF_DONE or ended.verdict is Certainty.UNSURE


SACRIFICED = "<1>; South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-"


def test_a_sacrifice_whose_actions_are_not_used_is_whole_once_the_turn_is_over() -> None:
    judgement = judged(SACRIFICED)
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert judgement.best.turns == ((Sacrifice(Piece.parse("y2"), "South"),),)
    assert judgement.best.position.to_move is Seat.NORTH


def test_a_sacrifice_is_half_done_while_nobody_says_that_the_turn_is_over() -> None:
    before = "<0>; South(0,b3y2)g2g3y1-; North(1,r1g2)-g3; Vega(b2)g1-"
    after = "<0>; South(0,b3y2)g1g3y1-; North(1,r1g2)-g3; Vega(b2)g1-"
    amid = judged(after, before, ended=False)
    assert (amid.verdict, amid.best.kind, amid.best.turns) == (Certainty.CERTAIN, Kind.HALF_DONE, ())
    assert amid.best.position == Position.parse(before)
    over = judged(after, before)
    assert (over.verdict, over.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert over.best.turns == ((Sacrifice(Piece.parse("g2"), "South"), Build(Piece.parse("g1"), "South")),)


def test_a_ship_that_is_not_in_the_bank_is_perhaps_in_the_hand() -> None:
    seen = Reader("hand").exact(Position.parse(SACRIFICED))
    bank = list(seen.bank)
    bank.remove(Piece.parse("y2"))
    judgement = explain(Position.parse(BEFORE), Options(), Observation(seen.game, seen.groups, (), tuple(bank)))
    assert judgement.verdict is Certainty.UNSURE
    assert {Kind.LEGAL, Kind.HALF_DONE} <= {one.kind for one in (judgement.best, *judgement.rivals)}


def test_an_unchanged_table_is_no_pass_while_nobody_says_that_the_turn_is_over() -> None:
    judgement = judged(BEFORE, ended=False)
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.UNCHANGED)
    assert (judgement.best.turns, judgement.best.position) == ((), Position.parse(BEFORE))


def test_an_action_that_only_a_catastrophe_makes_possible_is_found() -> None:
    """Nobody can move anywhere before the small star of South's home is gone."""
    before = "<0>; South(0,b1g2)b2b3b3y1g3-; North(1,r1y2)-g3; Sirius(r1)y2-"
    turn: Turn = (Catastrophe("South", Color.BLUE), Move(Piece.parse("y1"), "South", "Sirius"))
    judgement = judged(begin(Position.parse(before)).play(turn).end().line, before)
    assert (judgement.verdict, judgement.best.turns) == (Certainty.CERTAIN, (turn,))


def test_a_search_that_was_given_up_is_never_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    after = BEFORE.replace("g3y2-; North", "g1g3y2-; North")
    assert judged(after).verdict is Certainty.CERTAIN
    monkeypatch.setattr(system_case, "WIDEST", 1)
    given_up = judged(after)
    assert (given_up.verdict, given_up.best.kind) == (Certainty.UNSURE, Kind.LEGAL)


def test_nobody_sacrifices_for_what_can_be_had_without() -> None:
    """A ship was not seen, neither on the table nor in the bank: it is rather there than given up for nothing."""
    before = Position.parse("<0>; South(0,b3y2)b1g3-; North(1,r1g2)-g3; Sirius(g2)y2-")
    after = begin(before).apply(Trade(G3, "South", Color.RED)).end()
    seen = Reader("unseen").exact(after)
    left_out = [
        Group(one.place, tuple(piece for piece in one.pieces if piece.read.piece.code != "b1"), one.home)
        for one in seen.groups
    ]
    judgement = explain(before, Options(), Observation(seen.game, tuple(left_out), (), seen.bank))
    assert judgement.verdict is Certainty.UNSURE
    assert judgement.best.turns == ((Trade(G3, "South", Color.RED),),)


def test_a_home_that_was_not_seen_is_not_given_up() -> None:
    """A whole home overlooked looks like the sacrifice of its last ship, for nothing, and would end the game."""
    before = Position.parse(
        "<1>; South(0,y1g2)y3b1b1-; North(1,r2y1)-g3; Altair(r1)-g3; Sirius(r3)b1b2-; Vega(y3)-g1g2"
    )
    built = Build(Piece.parse("g1"), "Vega")
    seen = Reader("home").exact(begin(before).apply(built).end())
    overlooked = tuple(group for group in seen.groups if group.home is not Seat.NORTH)
    assert len(overlooked) == len(seen.groups) - 1
    for bank in ((), seen.bank, (*seen.bank, Piece.parse("r2"), Piece.parse("y1"))):
        judgement = explain(before, Options(), Observation(seen.game, overlooked, (), bank))
        assert judgement.verdict is Certainty.UNSURE


def test_a_home_that_is_given_up_is_asked_about() -> None:
    before = "<1>; South(0,y1g2)g3b1-; North(1,r2y1)-g3; Vega(y3)-g2"
    judgement = judged("<0>; South(0,y1g2)g3b1-; Vega(y3)-g2g3", before)
    assert (judgement.verdict, judgement.best.kind) == (Certainty.UNSURE, Kind.LEGAL)
    assert judgement.best.turns == ((Move(G3, "North", "Vega"),),)


def test_of_two_homes_the_usual_one_comes_first() -> None:
    seen = Reader("home", bank=False).exact(Position.parse("<1>; South(0,b3y1)g3-"))
    yellow = next(piece for piece in seen.pieces if piece.read.piece.code == "y1")
    blue = yellow.read._replace(piece=Piece.parse("b1"))
    doubtful = altered(seen, "y1", read=blue, confidence=0.6, alternatives={yellow.read: 0.4})
    judgement = explain(Position.parse("<0>"), Options(), doubtful)
    assert judgement.best.position == Position.parse("<1>; South(0,b3y1)g3-")


def test_several_turns_at_once() -> None:
    two = judged("<0>; South(0,b3y2)g1g3y2-; North(1,r1g2)-g1g3; Sirius(g2)y2-; Vega(b2)g1-").best
    assert (two.kind, len(two.turns), two.position.to_move) == (Kind.SEVERAL, 2, Seat.SOUTH)
    three = judged("<1>; South(0,b3y2)g1y1g3y2-; North(1,r1g2)-g1g3; Sirius(g2)y2-; Vega(b2)g1-").best
    assert (three.kind, len(three.turns), three.position.to_move) == (Kind.SEVERAL, 3, Seat.NORTH)


def test_turns_are_taken_back_and_played_otherwise() -> None:
    before = "<1>; South(0,b3y2)g1g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-"
    back = judged(BEFORE, before, (BEFORE,)).best
    assert (back.kind, back.turns, back.position) == (Kind.TAKEN_BACK, (), Position.parse(BEFORE))
    after = "<1>; South(0,b3y2)g3y2-; North(1,r1g2)-g3; Sirius(g2)y1y2-; Vega(b2)g1-"
    otherwise = judged(after, before, (BEFORE,)).best
    assert (otherwise.kind, otherwise.turns) == (Kind.TAKEN_BACK, ((Build(Piece.parse("y1"), "Sirius"),),))
    assert otherwise.position == Position.parse(after)


def test_nonsense_is_not_explained() -> None:
    nonsense = judged("<0>; South(0,r3r2)g1y2-; North(1,b1b2)-y3; Sirius(y1)y2-; Vega(b2)r1-")
    assert (nonsense.verdict, nonsense.best.kind) == (Certainty.UNSURE, Kind.UNEXPLAINED)


def test_a_recapture_is_no_take_back() -> None:
    start = f"<0>; {HOMES}; Sirius(r3)r1-b1r1"
    captured = f"<1>; {HOMES}; Sirius(r3)b1r1-r1"
    assert judged(captured, start).best.kind is Kind.LEGAL
    recaptured = judged(start, captured, (start,))
    assert (recaptured.verdict, recaptured.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)


def altered(seen: Observation, code: str, **beliefs: Any) -> Observation:
    """*seen* with the only piece of a kind believed otherwise."""
    groups = []
    for group in seen.groups:
        pieces = [
            ObservedPiece.believed(piece.index, **beliefs) if piece.read.piece.code == code else piece
            for piece in group.pieces
        ]
        groups.append(Group(group.place, tuple(pieces), group.home))
    return Observation(Game.HOMEWORLDS, tuple(groups), seen.adrift, seen.bank)


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
    lacking = Observation(whole.game, whole.groups, (), tuple(bank))
    assert explain(position, Options(), lacking).verdict is Certainty.UNSURE


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


def some_turn(seed: int) -> tuple[Position, Position]:
    """A position of not too many turns and one after a legal turn, both drawn by lot."""
    dice = random.Random(seed)
    drawn = (random_homeworlds(dice.randrange(10_000)) for _ in range(100))
    before = next(one for one in drawn if next(islice(legal_turns(one).turns(), 800, None), None) is None)
    turn = dice.choice(list(legal_turns(before).turns()))
    return before, begin(before).play(turn).end()


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_every_legal_turn_is_found_and_none_is_taken_for_another(seed: int) -> None:
    before, after = some_turn(seed)
    judgement = explain(before, Options(), Reader(str(seed)).exact(after))
    found = [key(one.position) for one in (judgement.best, *judgement.rivals) if one.turns]
    assert key(after) in found
    if judgement.verdict is Certainty.CERTAIN:
        assert found[0] == key(after)


def assert_walks_agree(before: Position, seen: Observation) -> set[int]:
    """The ends that explain *seen*, which both walks find."""
    case = SystemsCase(before, Options(), seen)
    aimed = {
        end.key
        for end in ends_near(case.table, case.nearness(case.table.to_move), case.effort)
        if case.corrections.get(end.print)
    }
    assert not case.effort.is_spent
    assert aimed == {end.key for end in ends_near(case.table) if case.corrections.get(end.print)}
    return aimed


@pytest.mark.parametrize("how", MISREADINGS)
def test_a_catastrophe_that_the_last_action_of_a_sacrifice_makes_is_found(how: str) -> None:
    before = Position.parse("<1>; South(0,b1g3)b3y1-; North(1,r1y3)-g3; Sirius(y2)-b1b2r1; Vega(g2)-y2")
    moves = [Move(Piece.parse(code), "Sirius", "South") for code in ("b1", "b2")]
    turn: Turn = (Sacrifice(Piece.parse("y2"), "Vega"), *moves, Catastrophe("South", Color.BLUE))
    after = begin(before).play(turn).end()
    for seed in range(5):
        seen = Reader(str(seed)).misread(after, how)
        assert seen
        assert key(after) in assert_walks_agree(before, seen)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), how=st.sampled_from(MISREADINGS))
def test_the_aimed_walk_finds_what_the_whole_walk_finds(seed: int, how: str) -> None:
    before, after = some_turn(seed)
    seen = Reader(str(seed)).misread(after, how)
    assert seen
    assert_walks_agree(before, seen)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_prints_tell_tables_apart(seed: int) -> None:
    table = Table.of(some_turn(seed)[0])
    prints = {end.print: end.key for end in ends_near(table)}
    keys = {end.key for end in ends_near(table)}
    homes = [content_of(system) for system in table.systems.values()]
    assert table_print(homes) in prints
    assert len(prints) >= 0.95 * len(keys)  # home and colony may be alike but for the owner
