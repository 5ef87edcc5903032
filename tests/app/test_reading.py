"""From what was seen to a reading: positions, banks, inventories, questions and verdicts; and corrections."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_app.errors import AppError
from companion_app.reading import (
    Ask,
    BadReading,
    Game,
    Reading,
    ReadPiece,
    Verdict,
    corrected,
    read_photo,
    reading_of,
    see_photo,
)
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from rules import homeworlds, settlers
from vision.eyes import Detector, Eyes, Inspector
from vision.look_board import look_board
from vision.sight import Alternative, ImageSide, Role, Seat, SeenPiece, SeenSystem, Sight
from vision.solids import Color, Posture, Size
from vision.virtual import View, photograph

SMALL_VIEW = View(width=160, height=120, noise=0)
COLORS = {color.value[0]: color for color in Color}


def seen(
    code: str,
    role: Role = Role.SHIP,
    owner: Seat | None = None,
    cell: tuple[int, int] | None = None,
    system: int | None = None,
) -> SeenPiece:
    """A piece somewhere in the picture, as sure as can be."""
    return SeenPiece(
        color=COLORS[code[0]],
        size=Size(int(code[1])),
        posture=Posture.LYING if role is Role.SHIP else Posture.UPRIGHT,
        role=role,
        owner=owner,
        center=(100.04, 50.0),
        tip=(100.0, 40.0),
        outline=((90.0, 60.0), (110.0, 60.0), (100.0, 40.0)),
        heading_deg=90.0 if role is Role.SHIP else None,
        cell=cell,
        system=system,
    )


def settlers_sight(*table: SeenPiece, with_bank: bool = True) -> Sight:
    """Those pieces on the board; all others of the set in the bank."""
    left = {f"{letter}{size}": 3 for letter in "rygb" for size in (1, 2, 3)}
    for piece in table:
        left[f"{piece.color.value[0]}{int(piece.size)}"] -= 1
    bank = tuple(seen(code, Role.BANK) for code, count in left.items() for _ in range(count))
    return Sight((640, 480), table + (bank if with_bank else ()))


def two_on_board() -> Sight:
    return settlers_sight(seen("g1", owner=Seat.SOUTH, cell=(2, 3)), seen("r3", owner=Seat.NORTH, cell=(5, 5)))


def asked(reading: Reading, ask: Ask) -> list[tuple[int | None, tuple[str, ...]]]:
    return [(question.piece, question.choices) for question in reading.questions if question.ask is ask]


def test_a_board_becomes_a_position_with_bank_inventory_and_score() -> None:
    reading = reading_of(two_on_board(), Game.SETTLERS)
    assert reading.position == "5R3/6/2g13/6/6/6 S 0"
    assert reading.bank["g1"] == 2
    assert reading.bank["r3"] == 2
    assert sum(reading.bank.values()) == 34
    assert reading.inventory.seen == reading.inventory.set == 36
    assert reading.score == {Seat.SOUTH: 1, Seat.NORTH: 3}
    assert reading.verdict is Verdict.CERTAIN
    assert reading.questions == ()


def test_homes_come_first_and_are_named_after_their_players() -> None:
    table = (
        seen("g1", Role.STAR, system=0),
        seen("y1", owner=Seat.NORTH, system=0),
        seen("b3", Role.STAR, system=1),
        seen("y2", Role.STAR, system=1),
        seen("g3", owner=Seat.SOUTH, system=1),
        seen("r1", Role.STAR, system=2),
        seen("b2", Role.STAR, system=2),
        seen("y3", owner=Seat.NORTH, system=2),
    )
    systems = (
        SeenSystem((0,), (1,), None),
        SeenSystem((2, 3), (4,), Seat.SOUTH),
        SeenSystem((5, 6), (7,), Seat.NORTH),
    )
    sight = replace(settlers_sight(*table), systems=systems)
    reading = reading_of(sight, "homeworlds")
    assert [(system.id, system.home) for system in reading.systems] == [
        (1, Seat.SOUTH),
        (2, Seat.NORTH),
        (3, None),
    ]
    assert reading.systems[0].stars == ("y2", "b3")
    assert reading.systems[2].ships == {Seat.SOUTH: (), Seat.NORTH: ("y1",)}
    assert reading.position is not None
    position = homeworlds.Position.parse(reading.position)
    assert [system.name for system in position.systems][:2] == ["South", "North"]
    assert reading.score is None
    assert reading.verdict is Verdict.CERTAIN


@pytest.mark.parametrize("seed", range(100))
def test_the_truth_of_a_virtual_homeworlds_table_reads_as_its_position(seed: int) -> None:
    position = random_homeworlds(seed)
    reading = reading_of(photograph(layout_of(position), seed=seed, view=SMALL_VIEW).truth, "homeworlds")
    assert reading.position is not None
    assert contents(homeworlds.Position.parse(reading.position)) == contents(position)
    assert reading.bank == {piece.code: count for piece, count in position.bank.items()}
    assert reading.inventory.seen == 36
    assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading


def contents(position: homeworlds.Position) -> list[tuple[object, ...]]:
    """The systems of a position without their names."""
    return sorted(
        ((str(system.home), system.stars, tuple(system.ships.items())) for system in position.systems), key=str
    )


@pytest.mark.parametrize("seed", range(100))
def test_the_truth_of_a_virtual_board_reads_as_its_position(seed: int) -> None:
    position = random_settlers(seed)
    reading = reading_of(photograph(layout_of(position), seed=seed, view=SMALL_VIEW).truth, "settlers")
    assert reading.position is not None
    assert reading.position.split()[0] == position.line.split()[0]
    assert reading.bank == {piece.code: count for piece, count in position.bank.items()}
    points = settlers.score(position)
    assert reading.score == {Seat.SOUTH: points.south, Seat.NORTH: points.north}
    assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading


def test_a_close_call_is_asked_about_the_likelier_first() -> None:
    sight = two_on_board()
    other = Alternative(Color.GREEN, Size.MEDIUM, Posture.LYING, Seat.SOUTH, 0.35)
    turned = Alternative(Color.GREEN, Size.SMALL, Posture.LYING, Seat.NORTH, 0.02)
    doubtful = replace(sight.pieces[0], confidence=0.6, alternatives=(other, turned))
    reading = reading_of(replace(sight, pieces=(doubtful, *sight.pieces[1:])), "settlers")
    assert asked(reading, Ask.SIZE) == [(0, ("small", "medium"))]
    assert asked(reading, Ask.OWNER) == []
    assert reading.verdict is Verdict.CHECK
    assert "green ship on c4" in reading.questions[0].sentence


def unsure(sight: Sight) -> Sight:
    return replace(sight, pieces=(replace(sight.pieces[0], confidence=0.5), *sight.pieces[1:]))


def ownerless(sight: Sight) -> Sight:
    return replace(sight, pieces=(replace(sight.pieces[0], owner=None), *sight.pieces[1:]))


def one_too_many(sight: Sight) -> Sight:
    return replace(sight, pieces=(*sight.pieces, seen("b2", Role.BANK)))


def one_gone(sight: Sight) -> Sight:
    return replace(sight, pieces=sight.pieces[:-1])


def bank_elsewhere(sight: Sight) -> Sight:
    return replace(sight, pieces=sight.pieces[:2])


def something_loose(sight: Sight) -> Sight:
    return replace(sight, pieces=(*sight.pieces[:-1], replace(sight.pieces[-1], role=Role.LOOSE)))


def off_the_board(sight: Sight) -> Sight:
    return replace(sight, pieces=(replace(sight.pieces[0], cell=None), *sight.pieces[1:]))


def two_on_a_field(sight: Sight) -> Sight:
    return replace(sight, pieces=(sight.pieces[0], replace(sight.pieces[1], cell=(2, 3)), *sight.pieces[2:]))


SPOILED: dict[str, tuple[Callable[[Sight], Sight], Ask, int | None, str]] = {
    "low confidence": (unsure, Ask.PIECE, 0, "green ship on c4"),
    "no owner": (ownerless, Ask.OWNER, 0, "South or North"),
    "a piece too many": (one_too_many, Ask.INVENTORY, None, "medium blue"),
    "a piece not seen": (one_gone, Ask.INVENTORY, None, "35 of 36"),
    "no bank in the picture": (bank_elsewhere, Ask.INVENTORY, None, "No bank was seen"),
    "a loose piece": (something_loose, Ask.ROLE, 35, "in play"),
    "a ship beside the board": (off_the_board, Ask.PLACE, 0, "Which field"),
    "two on one field": (two_on_a_field, Ask.POSITION, None, "c4"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_wrong_is_asked_about_and_never_called_certain(name: str) -> None:
    spoil, ask, piece, words = SPOILED[name]
    reading = reading_of(spoil(two_on_board()), "settlers")
    assert reading.verdict is Verdict.CHECK
    [question] = [question for question in reading.questions if question.ask is ask]
    assert question.piece == piece
    assert words in question.sentence


@pytest.mark.parametrize("seed", range(4))
def test_where_a_home_has_one_star_and_a_piece_is_missing_it_may_be_beneath(seed: int) -> None:
    truth = photograph(layout_of(random_homeworlds(seed)), seed=seed, view=SMALL_VIEW).truth
    home = next(system for system in truth.systems if system.home is Seat.SOUTH and len(system.stars) == 2)
    gone = home.stars[-1]
    less = replace(
        truth,
        pieces=truth.pieces[:gone] + truth.pieces[gone + 1 :],
        systems=tuple(
            replace(
                system,
                stars=tuple(index - (index > gone) for index in system.stars if index != gone),
                ships=tuple(index - (index > gone) for index in system.ships),
            )
            for system in truth.systems
        ),
    )
    told = {True: reading_of(less, "homeworlds"), False: reading_of(truth, "homeworlds")}
    for hidden, reading in told.items():
        hints = [
            question for question in reading.questions if "beneath the star of South's home" in question.sentence
        ]
        assert len(hints) == hidden


def test_a_position_that_cannot_be_written_is_none() -> None:
    for spoil in (ownerless, two_on_a_field):
        assert reading_of(spoil(two_on_board()), "settlers").position is None


def test_no_pieces_at_all_is_unreadable_with_a_reason() -> None:
    for game in Game:
        reading = reading_of(Sight((640, 480)), game)
        assert reading.verdict is Verdict.UNREADABLE
        assert [question.ask for question in reading.questions] == [Ask.PHOTO]


def test_the_trouble_of_a_sight_is_the_reason() -> None:
    reading = reading_of(replace(two_on_board(), trouble="There is no board."), "settlers")
    assert reading.verdict is Verdict.UNREADABLE
    assert [question.sentence for question in reading.questions] == ["There is no board."]


def test_a_redless_set_has_27_pieces_and_no_reds() -> None:
    table = seen("g1", owner=Seat.SOUTH, cell=(0, 0))
    bank = [seen(f"{letter}{size}", Role.BANK) for letter in "ygb" for size in (1, 2, 3) for _ in range(3)]
    bank.remove(seen("g1", Role.BANK))
    reading = reading_of(Sight((640, 480), (table, *bank)), "settlers", redless=True)
    assert reading.redless
    assert (reading.inventory.set, reading.inventory.seen) == (27, 27)
    assert reading.bank["r1"] == 0
    assert reading.verdict is Verdict.CERTAIN
    assert corrected(reading, reading.pieces) == reading


def test_a_correction_moves_everything_that_follows_from_it() -> None:
    reading = reading_of(two_on_board(), "settlers")
    doubted = replace(reading.pieces[0], confidence=0.4)
    reading = corrected(replace(reading, pieces=(doubted, *reading.pieces[1:])), (doubted, *reading.pieces[1:]))
    assert reading.pieces[0].confidence == 0.4, "what nobody touched stays in doubt"
    pieces = list(reading.pieces)
    pieces[0] = replace(pieces[0], size=Size.LARGE, owner=Seat.NORTH)
    after = corrected(reading, pieces)
    assert after.pieces[0].confidence == 1.0
    assert after.pieces[0].alternatives == ()
    assert after.score == {Seat.SOUTH: 0, Seat.NORTH: 6}
    assert after.position == "5R3/6/2G33/6/6/6 S 0"
    assert (after.bank["g1"], after.bank["g3"]) == (3, 2)
    assert after.inventory.surplus == ("g3",), "the bank still shows three large greens"
    assert after.inventory.unseen == ("g1",)
    assert after.verdict is Verdict.CHECK


def test_a_new_system_can_be_founded_and_called_a_home() -> None:
    reading = reading_of(Sight((640, 480), (seen("g1", Role.BANK),)), "homeworlds")
    pieces = [
        ReadPiece(Color.BLUE, Size.LARGE, Posture.UPRIGHT, Role.STAR, system=7),
        ReadPiece(Color.GREEN, Size.LARGE, Posture.LYING, Role.SHIP, owner=Seat.SOUTH, system=7),
    ]
    after = corrected(reading, pieces, homes={7: Seat.SOUTH})
    assert [(system.id, system.home) for system in after.systems] == [(7, Seat.SOUTH)]
    assert corrected(after, after.pieces).systems[0].home is Seat.SOUTH


@given(seed=st.integers(0, 10_000), game=st.sampled_from(Game))
@settings(max_examples=20)
def test_correcting_nothing_changes_nothing(seed: int, game: Game) -> None:
    position = random_homeworlds(seed) if game is Game.HOMEWORLDS else random_settlers(seed)
    reading = reading_of(photograph(layout_of(position), seed=seed, view=SMALL_VIEW).truth, game)
    assert corrected(reading, reading.pieces) == reading
    assert corrected(reading, Reading.from_json(reading.to_json()).pieces) == reading


GOOD = reading_of(two_on_board(), "settlers").to_json()
BAD_JSON: dict[str, tuple[object, str]] = {
    "a list": ([], "reading"),
    "nothing": ({}, "image"),
    "another game": (GOOD | {"game": "chess"}, "game"),
    "pieces that are none": (GOOD | {"pieces": 5}, "pieces"),
    "a piece that is none": (GOOD | {"pieces": ["r1"]}, "pieces 0"),
    "a purple piece": (GOOD | {"pieces": [GOOD["pieces"][0] | {"color": "purple"}]}, "color"),
    "no such field": (GOOD | {"pieces": [GOOD["pieces"][0] | {"field": "g7"}]}, "field"),
    "a size in pips": (GOOD | {"pieces": [GOOD["pieces"][0] | {"size": 3}]}, "size"),
    "a point of three": (GOOD | {"pieces": [GOOD["pieces"][0] | {"center": [1, 2, 3]}]}, "center"),
    "an endless point": (GOOD | {"pieces": [GOOD["pieces"][0] | {"tip": [1, float("inf")]}]}, "tip"),
    "three corners": (GOOD | {"board": [[0, 0], [1, 0], [1, 1]]}, "board"),
    "too many pieces": (GOOD | {"pieces": [GOOD["pieces"][0]] * 1001}, "pieces"),
    "a score for one": (GOOD | {"score": {"south": 3}}, "north"),
}


@pytest.mark.parametrize("name", BAD_JSON)
def test_json_that_is_no_reading_is_refused_by_its_field(name: str) -> None:
    data, field = BAD_JSON[name]
    with pytest.raises(BadReading) as caught:
        Reading.from_json(data)
    assert field in caught.value.sentence
    assert caught.value.code == "bad_reading"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*GOOD, "color", "size", "south"]), inner, max_size=5)
        ),
        max_leaves=12,
    )
)
def test_no_json_breaks_the_reader(data: object) -> None:
    spoiled = GOOD | data if isinstance(data, dict) else data
    with suppress(BadReading):
        assert Reading.from_json(spoiled).game in Game


def test_a_bare_picture_is_unreadable_in_both_games() -> None:
    blank = np.full((480, 640, 3), 200, np.uint8)
    for game in Game:
        reading = read_photo(blank, game, ImageSide.BOTTOM)
        assert reading.verdict is Verdict.UNREADABLE
        assert reading.questions[0].ask is Ask.PHOTO
        assert reading.image == (640, 480)


@pytest.mark.parametrize(
    "corners",
    [
        ((0, 0), (0, 0), (0, 0), (0, 0)),
        ((100, 100), (200, 100), (200, 200), (100, 200)),  # the wrong way round
        ((0, 0), (1e9, 0), (1e9, -1e9), (0, -1e9)),
    ],
)
def test_four_points_that_are_no_board_are_refused(corners: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(AppError, match="no board"):
        read_photo(np.zeros((480, 640, 3), np.uint8), "settlers", corners=corners)


@pytest.mark.parametrize("eyes", ["_eyes", "_eyes_for_boards"])
def test_an_installation_without_the_net_says_so(monkeypatch: pytest.MonkeyPatch, eyes: str) -> None:
    monkeypatch.setattr(f"companion_app.reading.{eyes}", lambda: Eyes(Detector(name="gone.onnx")))
    with pytest.raises(AppError, match="install pyramid-companion again") as told:
        read_photo(np.zeros((90, 120, 3), np.uint8), "homeworlds" if eyes == "_eyes" else "settlers")
    assert told.value.code == "eyes_missing"


def test_ships_on_boards_are_looked_at_from_both_sides() -> None:
    view = View.random(2)
    image = photograph(layout_of(random_settlers(2)), seed=2, view=view).image
    kit = {(color, size): 3 for color in Color for size in Size}
    of_both = look_board(image, Eyes(inspector=Inspector.of_both_sides()), south=view.south, kit=kit)
    of_one = look_board(image, Eyes(), south=view.south, kit=kit)
    assert see_photo(image, "settlers", view.south).pieces == of_both.pieces != of_one.pieces
