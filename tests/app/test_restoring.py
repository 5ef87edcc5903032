"""A position restored: the steps, what a look at the table makes of them, and the ticks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from restoring_tables import (
    carried_out,
    contents,
    homeworlds_tables,
    in_bank,
    near,
    read_piece,
    reading_of_table,
    settlers_tables,
)

from companion_app.derivation import with_pieces
from companion_app.errors import AppError
from companion_app.notation import Position, parse_position
from companion_app.reading_types import Game, ReadAlternative, Reading, ReadPiece
from companion_app.restoring import (
    Comparison,
    Mark,
    Progress,
    bank_rows,
    checklist,
    compare,
    plan_of,
    position_of_reading,
)
from companion_app.restoring.banks import bank_seen
from companion_app.restoring.progress import NOT_SEEN
from rules import Piece, Seat, homeworlds
from vision import sight
from vision.sight import Role

STARS = homeworlds.Position.parse("<1>; South(0,b3y2)g3g1-; North(1,g1r2)-g3; Vega(g2)r1-y1")
BOARD = parse_position("6/6/2g13/6/1B24/6 N 7")
FEW = settings(max_examples=60)


def compared(wanted: Position, table: Reading) -> Comparison:
    return compare(plan_of(wanted), table)


def told(comparison: Comparison) -> list[str]:
    """All that is to be put right, in words."""
    wrong = [found.sentence for found in comparison.found if found and found.mark is Mark.WRONG]
    return wrong + [surplus.sentence for surplus in comparison.surplus]


def with_piece(reading: Reading, index: int, piece: ReadPiece) -> Reading:
    """The reading with another piece at *index*, with all doubts that it has."""
    pieces = [*reading.pieces]
    pieces[index] = piece
    homes = {system.id: system.home for system in reading.systems}
    return with_pieces(reading, pieces, homes, redless=reading.redless)


def index_of(reading: Reading, code: str, role: Role) -> int:
    return next(i for i, piece in enumerate(reading.pieces) if piece.code == code and piece.role is role)


def test_the_steps_of_homeworlds() -> None:
    plan = plan_of(STARS)
    assert [(group.title, group.hint, len(group.numbers)) for group in plan.groups] == [
        ("South’s home", "on South’s side of the table", 4),
        ("North’s home", "on North’s side of the table", 3),
        ("Vega", "", 3),
        ("At the end", "", 2),
    ]
    assert [step.sentence for step in plan.steps[7:]] == [
        "Vega: stand up a medium green star, 2 pips.",
        "Vega: lay a small red ship, 1 pip, pointing away from South.",
        "Vega: lay a small yellow ship, 1 pip, pointing away from North.",
        "Lay the turn token before North: it is North’s turn.",
        "Compare the bank: 26 pieces — 2 small red, 2 medium red, 3 large red, 2 small yellow, 2 medium yellow, "
        "3 large yellow, 1 small green, 2 medium green, 1 large green, 3 small blue, 3 medium blue, 2 large blue.",
    ]


def test_the_steps_of_settlers() -> None:
    plan = plan_of(BOARD)
    assert [group.title for group in plan.groups] == ["Rank 2", "Rank 4", "At the end"]
    assert [step.sentence for step in plan.steps[:2]] == [
        "b2: lay a medium blue ship, 2 pips, pointing away from North.",
        "c4: lay a small green ship, 1 pip, pointing away from South.",
    ]


@FEW
@given(homeworlds_tables(), st.data())
def test_doing_the_steps_turns_any_table_into_the_position(wanted: homeworlds.Position, data: st.DataObject) -> None:
    table = data.draw(homeworlds_tables() | near(wanted))
    order = data.draw(st.permutations(range(len(table.systems))))
    _check_restoring(wanted, table, reading_of_table(table, order=order))


@FEW
@given(settlers_tables(), settlers_tables())
def test_the_same_on_a_board(wanted: Position, table: Position) -> None:
    _check_restoring(wanted, table, reading_of_table(table))


def _check_restoring(wanted: Position, table: Position, reading: Reading) -> None:
    """Complete exactly when both are alike; and when not, they are once all was done that is asked for."""
    plan = plan_of(wanted)
    before = compare(plan, reading)
    assert before.complete == (contents(wanted) == contents(table))
    assert Progress.of(plan).looked(before).complete == before.complete
    after = compare(plan, carried_out(plan, reading, before))
    assert after.complete, told(after)


@FEW
@given(homeworlds_tables(), st.data())
def test_every_piece_is_counted_once(wanted: homeworlds.Position, data: st.DataObject) -> None:
    """Each piece of the table stands for one step or is too much; none is lost, none serves twice."""
    reading = reading_of_table(data.draw(homeworlds_tables()))
    comparison = compared(wanted, reading)
    used = [found.piece for found in comparison.found if found and found.piece is not None]
    used += [surplus.piece for surplus in comparison.surplus]
    assert sorted(used) == [index for index, piece in enumerate(reading.pieces) if piece.on_table]


WRONG = [
    # what stands on the table instead, and what there is to say
    ("<1>; South(0,b3y2)g3g1-; North(1,g1r2)-g3; Deneb(g2)r1-y1", []),
    (
        "<1>; South(0,b3y2)g3-g1; North(1,g1r2)-g3; Vega(g2)r1-y1",
        ["The small green points the wrong way: turn it, so that it points away from South."],
    ),
    (
        "<1>; South(0,b3y2)g2g1-; North(1,g1r2)-g3; Vega(g2)r1-y1",
        ["There is a medium green ship of South: exchange it for a large green."],
    ),
    (
        "<1>; South(0,b3y2)g3g1-; North(1,g1r2)-g3; Vega(g2)r1-y1b1",
        ["Take away the small blue ship of North at Vega: it belongs in the bank."],
    ),
    (
        "<1>; South(0,b3y2)g3g1-; North(1,g1r2)-g3; Vega(g2)r1-y1; Rigel(r3)b2-",
        [
            "Take away the large red star of a system that is too much: it belongs in the bank.",
            "Take away the medium blue ship of South of a system that is too much: it belongs in the bank.",
        ],
    ),
    (
        "<1>; South(0,g1r2)g3-; North(1,b3y2)-g3g1; Vega(g2)r1-y1",
        [
            "The small green points the wrong way: turn it, so that it points away from South.",
            "The large green points the wrong way: turn it, so that it points away from South.",
            "The large green points the wrong way: turn it, so that it points away from North.",
        ],
    ),
    (
        "<0>; South(0,b3y2)g3g1-; North(1,g1r2)-g3; Vega(g2)r1-y1",
        ["The turn token lies before South: it is North’s turn."],
    ),
]


@pytest.mark.parametrize(("table", "sentences"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_said(table: str, sentences: list[str]) -> None:
    comparison = compared(STARS, reading_of_table(parse_position(table)))
    homes = [sentence for sentence in told(comparison) if "home" in sentence]
    assert [sentence for sentence in told(comparison) if sentence not in homes] == sentences
    assert bool(homes) == (table == WRONG[5][0])
    assert comparison.complete == (not sentences)


def test_homes_on_the_wrong_sides() -> None:
    table = homeworlds.Position.parse("<1>; South(0,g1r2)-g3; North(1,b3y2)g3g1-; Vega(g2)r1-y1")
    assert set(told(compared(STARS, reading_of_table(table)))) == {
        "This is South’s home: it belongs on South’s side of the table.",
        "This is North’s home: it belongs on North’s side of the table.",
    }


def test_a_home_with_one_star_is_known_by_what_is_there() -> None:
    """No picture tells whose home a single star is."""
    wanted = homeworlds.Position.parse("<0>; South(0,b3)g3-; North(1,g1r2)-g3")
    reading = reading_of_table(wanted)
    homes = {1: None, 2: sight.Seat.NORTH}
    assert compared(wanted, with_pieces(reading, reading.pieces, homes, redless=False)).complete


def test_what_is_missing_stays_open() -> None:
    table = homeworlds.Position.parse("<1>; South(0,b3y2)g3-; Vega(g2)r1-y1")
    found = compared(STARS, reading_of_table(table)).found
    marks = [one.mark.value if one else "-" for one in found]
    assert marks == ["done", "done", "open", "done", "open", "open", "open", "done", "done", "done", "done", "-"]


def test_a_doubtful_piece_is_never_wrong() -> None:
    reading = reading_of_table(STARS)
    index = index_of(reading, "r1", Role.SHIP)
    unsure = replace(reading.pieces[index], confidence=0.6)
    other = ReadAlternative(unsure.color, unsure.size, unsure.posture, unsure.owner, 0.3)
    misread = replace(read_piece(Piece.parse("y2"), Seat.NORTH, system=3), confidence=0.5, alternatives=(other,))
    for piece in (unsure, misread):
        comparison = compared(STARS, with_piece(reading, index, piece))
        likely = [
            found for found in comparison.found if found and found.mark is Mark.LIKELY and found.piece is not None
        ]
        assert [found.piece for found in likely] == [index]
        assert likely[0].sentence.startswith("Looks right?")
        assert told(comparison) == []
        assert not comparison.complete


def test_a_piece_beside_the_game_is_asked_about() -> None:
    reading = reading_of_table(STARS)
    loose = replace(reading.pieces[-1], role=Role.LOOSE)
    (surplus,) = compared(STARS, with_piece(reading, len(reading.pieces) - 1, loose)).surplus
    assert not surplus.sure
    assert surplus.sentence.startswith("A large blue lies beside the game")


def test_the_bank_is_compared_last() -> None:
    whole = reading_of_table(STARS)
    homes = {system.id: system.home for system in whole.systems}

    def bank_of(*more: str, less: int = 0, none: bool = False) -> object:
        there = [piece for piece in whole.pieces if not (none and piece.role is Role.BANK)]
        pieces = [*there[: len(there) - less], *(in_bank(Piece.parse(code)) for code in more)]
        found = compared(STARS, with_pieces(whole, pieces, homes, redless=False)).found[-1]
        return found and (found.mark.value, found.sentence)

    assert bank_of() == ("done", "")
    assert bank_of(less=2) == ("likely", "Not seen in the bank: 2 large blue. Count them.")
    assert bank_of("g3") == ("wrong", "The bank shows more than it should hold: 1 large green.")
    assert bank_of(none=True) is None


def test_banks_side_by_side() -> None:
    photo, table = (
        bank_seen(reading_of_table(STARS)),
        bank_seen(reading_of_table(parse_position("<0>; A(g1)b3b3b3-"))),
    )
    rows = {row.piece.code: row for row in bank_rows(STARS, photo, table)}
    assert len(rows) == 12
    assert (rows["b3"].wanted, rows["b3"].photo, rows["b3"].table) == (2, 2, 0)
    assert rows["b3"].table_differs
    assert not rows["b3"].photo_differs
    assert bank_seen(reading_of_table(STARS, bank=False)) is None
    assert len(bank_rows(parse_position("6/6/2g13/6/6/6 S 0", redless=True))) == 9


REFUSED = [
    (STARS, reading_of_table(BOARD), "look_other_game"),
    (BOARD, reading_of_table(STARS), "look_other_game"),
    (homeworlds.Position.parse("<0>; A(b1)g3--"), reading_of_table(STARS), "look_two_players"),
    (STARS, Reading(Game.HOMEWORLDS, (8, 6)), "look_unreadable"),
]


@pytest.mark.parametrize(("wanted", "reading", "code"), REFUSED, ids=[row[2] for row in REFUSED])
def test_what_cannot_be_compared(wanted: Position, reading: Reading, code: str) -> None:
    with pytest.raises(AppError) as refusal:
        compared(wanted, reading)
    assert refusal.value.code == code


def test_ticks_and_looks_take_turns() -> None:
    plan, whole = plan_of(STARS), reading_of_table(STARS)
    progress = Progress.of(plan).ticked([0, 1, 2])
    assert (progress.done, progress.next) == (3, 3)
    empty_vega = compare(
        plan, reading_of_table(homeworlds.Position.parse("<1>; South(0,b3y2)g3g1-; North(1,g1r2)-g3"))
    )
    seen = progress.ticked([7]).looked(empty_vega)
    assert (seen.found[7].mark, seen.found[7].sentence) == (Mark.LIKELY, NOT_SEEN)
    assert seen.next == 7
    assert seen.ticked([7]).found[7].mark is Mark.DONE
    done = seen.looked(compare(plan, whole))
    assert done.complete
    assert done.ticked([4], done=False).next == 4


def test_what_was_too_much_is_taken_away() -> None:
    table = homeworlds.Position.parse("<1>; South(0,b3y2)g3g1-; North(1,g1r2)-g3; Vega(g2)r1-y1b1")
    plan = plan_of(STARS)
    progress = Progress.of(plan).looked(compare(plan, reading_of_table(table))).ticked(range(len(plan.steps)))
    assert not progress.complete
    assert progress.taken_away(progress.surplus[0].piece).complete


def test_a_good_photo_documents_everything() -> None:
    assert all(check.good for check in checklist(reading_of_table(STARS)))


def test_what_to_photograph_again() -> None:
    reading = replace(reading_of_table(STARS, bank=False), turn_token=None)
    checks = {check.title: check for check in checklist(reading)}
    assert [title for title, check in checks.items() if not check.good] == [
        "10 of 36 pieces",
        "The bank",
        "The turn token",
    ]
    assert checks["The bank"].sentence == "Not in the picture: photograph again with the bank beside the game."
    doubtful = replace(reading.pieces[0], confidence=0.5)
    assert checklist(with_piece(reading, 0, doubtful))[0].sentence.startswith("1 question about pieces")
    adrift = replace(reading.pieces[2], owner=None)
    assert not checklist(with_piece(reading, 2, adrift))[0].good


def test_the_position_of_a_reading() -> None:
    reading = reading_of_table(STARS)
    assert contents(position_of_reading(reading)) == contents(STARS)
    assert position_of_reading(reading, Seat.SOUTH).to_move is Seat.SOUTH
    for spoilt, code in [
        (replace(reading, turn_token=None), "turn_unknown"),
        (replace(reading, position=None), "position_open"),
    ]:
        with pytest.raises(AppError) as refusal:
            position_of_reading(spoilt)
        assert refusal.value.code == code
