"""What is remembered of a table: where its picture has not changed all is as agreed on, and the rest is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from remembered_tables import (
    BOTH,
    BUMPS,
    ERRORS,
    LIKE,
    LINES,
    OTHER,
    VIEWS,
    Bump,
    content,
    doubted,
    gone,
    laid_game,
    laid_table,
    left_alone,
    lying,
    memory_of,
    misread,
    next_size,
    on_table,
    read_as,
    seen_from,
    shot,
    stood,
)

from companion_app.derivation import with_pieces
from companion_app.live.laying import Laid, Layer
from companion_app.notation import parse_position
from companion_app.reading_types import Game, Point, ReadAlternative, ReadPiece, Verdict
from companion_app.remembering import Memory, agreed
from companion_app.remembering.unchanged import is_unchanged, smoothed
from companion_app.remembering.unseen import HARDLY_CHANGED, PERHAPS_GONE, READ_AT_LAST, STILL_THERE
from rules import Piece, full_set
from rules.homeworlds import Position
from vision.poses import hull
from vision.sight import Role, Seat
from vision.solids import Color, Posture, Size
from vision.virtual.arrange import PlacedPiece

# What has not changed in a picture


@BOTH
def test_what_nobody_touched_is_unchanged_and_what_went_away_never_is(game: Game) -> None:
    told: Counter[tuple[str, bool]] = Counter()
    for number, (before, after) in enumerate(pair for seed in (1, 2) for pair in pairwise(laid_game(game, seed))):
        then, now = smoothed(shot(before.picture, number)), smoothed(shot(after.picture, 50 + number))
        for which in (left_alone, stood, gone):
            told.update((which.__name__, is_unchanged(then, now, piece.outline)) for piece in which(before, after))
    for name, least in (("left_alone", 0.95), ("stood", 0.8)):
        assert told[name, True] >= max(25, least * (told[name, True] + told[name, False])), told
    assert told["gone", False] > 0
    assert told["gone", True] == 0


SPOT = ((100, 100), (130, 100), (115, 130))


@pytest.mark.parametrize(
    ("contrast", "outline", "told"),
    [(60, SPOT, True), (0, SPOT, False), (60, SPOT[:2], False), (60, (), False)]
    + [(60, tuple((x + across, y + down) for x, y in SPOT), told) for across, down, told in (
        (-115, 0, True), (-180, -180, False), (600, 0, False), (0, 400, False),
    )],
)  # fmt: skip
def test_nothing_is_said_where_nothing_is_to_be_seen(contrast: int, outline: tuple[Point, ...], told: bool) -> None:
    pattern = np.random.default_rng(1).choice([-1, 1], (48, 64)).repeat(10, 0).repeat(10, 1)[..., None]
    picture = np.broadcast_to(128 + contrast * pattern, (480, 640, 3)).astype(np.uint8)
    then, now = (smoothed(shot(picture, seed)) for seed in (1, 2))
    assert is_unchanged(then, now, outline) is is_unchanged(then, then, outline) is told
    cv2.circle(picture, (115, 110), 3, (255, 255, 255) if picture[110, 115, 0] < 128 else (0, 0, 0), -1)
    assert not is_unchanged(then, smoothed(shot(picture, 2)), SPOT), "something small has come"


# A reading put right by the position

NUMBERS = st.sets(st.integers(0, 35), max_size=4)
NONSENSE = ReadPiece(Color.RED, Size.LARGE, Posture.UPRIGHT, Role.LOOSE, outline=((0, 0), (40, 0), (0, 40)))


@settings(max_examples=30)
@given(st.sampled_from(list(Game)), NUMBERS, NUMBERS)
def test_each_piece_is_the_one_that_people_agreed_on(game: Game, in_doubt: set[int], missed: set[int]) -> None:
    laid = laid_table(game)
    true = laid.reading.pieces
    missed = {number for number in missed if true[number].role is not Role.STAR}  # one may stand in the bank
    in_play, lost = {true[number].code for number in in_doubt | missed}, [true[number] for number in missed]
    assume(not in_play & {NONSENSE.code, *(doubted(true[number]).code for number in in_doubt)})  # it could be either
    seen = [doubted(one) if number in in_doubt else one for number, one in enumerate(true) if number not in missed]
    known = agreed(read_as(laid.reading, [*seen, NONSENSE]), laid.position)
    assert set(known.pieces) == {piece for number, piece in enumerate(true) if number not in missed}
    assert known.dismissed == (NONSENSE,)
    for places, role in ((known.unplaced, Role.SHIP), (known.hidden, Role.BANK)):
        wanted = [(one.color, one.size, role, one.owner, one.system, one.field) for one in lost if one.role is role]
        assert Counter((*place.kind, place.system, place.field) for place in places) == Counter(wanted)
    assert known.homes == ({1: Seat.SOUTH, 2: Seat.NORTH, 3: None, 4: None} if game is Game.HOMEWORLDS else {})


@settings(max_examples=30)
@given(st.sampled_from(list(Game)), st.integers(1, 2), st.integers(0, 6), NUMBERS, NUMBERS, NUMBERS)
def test_whatever_is_read_the_set_stays_whole(
    game: Game, seed: int, turn: int, in_doubt: set[int], missed: set[int], typed: set[int]
) -> None:
    laid = laid_game(game, seed)[turn]
    read = [doubted(piece) if number in in_doubt else piece for number, piece in enumerate(laid.reading.pieces)]
    read = [replace(piece, outline=()) if number in typed else piece for number, piece in enumerate(read)]
    reading = read_as(laid.reading, [piece for number, piece in enumerate(read) if number not in missed])
    known = agreed(reading, laid.position)
    kinds = [(piece.color, piece.size) for piece in known.pieces]
    kinds += [place.kind[:2] for place in (*known.unplaced, *known.hidden)]
    assert Counter(Piece.parse(f"{color.value[0]}{int(size)}") for color, size in kinds) == Counter(full_set().pieces)
    outlines = Counter(piece.outline for piece in (*known.pieces, *known.dismissed))
    assert outlines == Counter(piece.outline for piece in reading.pieces if piece.outline)


# The next reading


@BOTH
@pytest.mark.parametrize("error", ERRORS)
def test_what_has_not_moved_is_not_misread(game: Game, error: str) -> None:
    undone = 0
    for before, after in pairwise(laid_game(game, 1)):
        memory, photo, alone = memory_of(before), shot(after.picture, 2), left_alone(before, after, error)
        for which in (alone, alone[-1:]):
            recalled = memory.recalled(photo, misread(after, which, error))
            assert content(recalled) == content(after.reading)
            undone += len(which)
    assert undone > 15


@BOTH
def test_a_piece_that_has_come_is_taken_as_it_was_read_in_its_system(game: Game) -> None:
    come = 0
    for before, after in pairwise(laid_game(game, 2)):
        memory, photo, went = memory_of(before), shot(after.picture, 2), {piece.code for piece in gone(before, after)}
        fresh = [piece for piece in gone(after, before) if piece.code not in went]
        assert content(memory.recalled(photo, read_as(after.reading, after.reading.pieces))) == content(after.reading)
        read = [doubted(piece) if piece in fresh else piece for piece in after.reading.pieces]
        recalled = {piece.outline: piece for piece in memory.recalled(photo, read_as(after.reading, read)).pieces}
        for piece in fresh:
            found = recalled[piece.outline]
            assert on_table([lying(found)]) == on_table([lying(doubted(piece))])
            assert found.confidence / found.alternatives[0].probability == pytest.approx(0.4 / 0.3)
            assert sum(chance for _, chance in found.looks) > 0.95, "something has come there"
            come += 1
    assert come > 3


DEEDS: Mapping[str, Callable[[PlacedPiece], PlacedPiece]] = {
    "captured": lambda ship: replace(
        ship, owner=OTHER[ship.owner], pose=replace(ship.pose, heading_deg=ship.pose.heading_deg + 180)
    ),
    "traded": lambda ship: replace(ship, color=LIKE[ship.color]),
    "upgraded": lambda ship: replace(ship, pose=replace(ship.pose, size=next_size(ship.pose.size))),
}
"""What players do to a ship in its place; of a large one upgrading makes a small one."""


@BOTH
@pytest.mark.parametrize("deed", DEEDS)
def test_what_was_done_to_ships_in_their_places_is_read(game: Game, deed: str) -> None:
    laid = laid_table(game)
    then, ships = smoothed(shot(laid.picture, 1)), [piece for piece in laid.top.pieces if piece.role is Role.SHIP]
    for which in (ships[::2], ships[1::2]):
        pieces, read = [*laid.top.pieces], [*laid.reading.pieces]
        for ship in which:
            number = laid.top.pieces.index(ship)
            done = pieces[number] = DEEDS[deed](ship)
            outline = tuple((float(x), float(y)) for x, y in hull(done.pose.keypoints(laid.top.camera)))
            look = replace(read[number], color=done.color, size=done.pose.size, owner=done.owner)
            read[number] = replace(look, outline=outline)
        photo = shot(replace(laid.top, pieces=tuple(pieces)).picture(), 2)
        changed = [old for old, new in zip(laid.reading.pieces, read, strict=True) if old != new]
        assert len(changed) == len(which) > 2
        assert not any(is_unchanged(then, smoothed(photo), piece.outline) for piece in changed)
        recalled = memory_of(laid).recalled(photo, read_as(laid.reading, read))
        assert on_table(recalled.pieces) == on_table(read)


def test_a_ship_far_from_its_star_is_in_the_system_in_which_it_was_read() -> None:
    laid = laid_table(Game.HOMEWORLDS)
    far = replace(NONSENSE, posture=Posture.LYING, role=Role.SHIP, owner=Seat.SOUTH, system=3)
    drawn = cv2.fillConvexPoly(laid.picture.copy(), np.array(far.outline), (0, 0, 255))
    picture = np.asarray(drawn, dtype=np.uint8)
    recalled = memory_of(laid).recalled(shot(picture, 2), read_as(laid.reading, [*laid.reading.pieces, far]))
    assert on_table(recalled.pieces) == on_table([*laid.reading.pieces, far])


def test_a_star_that_nobody_saw_is_not_sought_in_the_bank() -> None:
    laid = laid_table(Game.HOMEWORLDS)
    like_it = [piece for piece in laid.reading.pieces if piece.code == "r3"]
    star, one_of_bank, *_ = sorted(like_it, key=lambda piece: piece.role is Role.BANK)
    assert (star.role, one_of_bank.role) == (Role.STAR, Role.BANK)
    unseen = [piece for piece in like_it if piece is not one_of_bank]
    known = agreed(misread(laid, unseen, "missed"), laid.position)
    assert [place.code for place in known.unplaced] == ["r3"]


def test_a_ship_that_was_overlooked_is_there_still_and_only_once() -> None:
    laid = laid_table(Game.HOMEWORLDS)
    lost = next(piece for piece in laid.reading.pieces if piece.role is Role.SHIP)
    without = misread(laid, [lost], "missed")
    memory = Memory(laid.picture, agreed(without, laid.position))
    for reading in (without, laid.reading):
        assert content(memory.recalled(shot(laid.picture, 2), reading)) == content(laid.reading)


def test_a_ship_that_was_overlooked_and_is_read_at_last_is_hardly_in_doubt() -> None:
    laid = laid_table(Game.HOMEWORLDS)
    lost = next(piece for piece in laid.reading.pieces if piece.role is Role.SHIP)
    other = ReadAlternative(LIKE[lost.color], lost.size, lost.posture, lost.owner, 0.3)
    doubtful = replace(lost, confidence=0.4, alternatives=(other,))
    memory = Memory(laid.picture, agreed(misread(laid, [lost], "missed"), laid.position))
    read = read_as(laid.reading, [doubtful if piece is lost else piece for piece in laid.reading.pieces])
    recalled = memory.recalled(shot(laid.picture, 2), read)
    assert content(recalled) == content(laid.reading)
    found = next(piece for piece in recalled.pieces if piece.outline == lost.outline)
    assert found.confidence == READ_AT_LAST
    assert found.alternatives[0].probability == pytest.approx((1 - READ_AT_LAST) / 2)


def test_a_ship_that_was_overlooked_may_have_gone_with_others_of_its_system() -> None:
    layer = Layer(Game.HOMEWORLDS, 1, VIEWS[Game.HOMEWORLDS])
    line = LINES[Game.HOMEWORLDS]
    laid, later = (layer.lay(parse_position(one)) for one in (line, line.replace("b2-y3g1", "b2-g1")))
    lost = next(piece for piece in laid.reading.pieces if piece.code == "g1" and piece.role is Role.SHIP)
    memory = Memory(laid.picture, agreed(misread(laid, [lost], "missed"), laid.position))

    def sureness(now: Laid) -> float:
        unseen = [piece for piece in now.reading.pieces if piece.code == "g1" and piece.role is Role.SHIP]
        recalled = memory.recalled(now.picture, misread(now, unseen, "missed"))
        return next(piece.confidence for piece in recalled.pieces if piece.code == "g1" and piece.role is Role.SHIP)

    assert sureness(laid) == STILL_THERE > sureness(later) == PERHAPS_GONE


def test_a_star_that_is_put_back_is_one_of_its_home_again() -> None:
    """A catastrophe that took one of two stars was taken back."""
    layer = Layer(Game.HOMEWORLDS, 1, VIEWS[Game.HOMEWORLDS])
    whole = parse_position(LINES[Game.HOMEWORLDS])
    half = parse_position(LINES[Game.HOMEWORLDS].replace("South(0,r2b1)", "South(0,b1)"))
    layer.lay(whole)
    without, again = layer.lay(half), layer.lay(whole)
    recalled = memory_of(without).recalled(shot(again.picture, 2), again.reading)
    assert content(recalled) == content(again.reading)


def shoved(laid: Laid, number: int, across: int) -> Laid:
    """All pieces of a system moved to the right, in the picture and in its reading."""
    moved = [piece for piece in laid.reading.pieces if piece.system == number]
    left, top, width, height = cv2.boundingRect(np.concatenate([one.outline for one in moved]).astype(np.float32))
    rows, columns = slice(top - 12, top + height + 12), np.arange(left - 12, left + width + 12)
    picture = laid.picture.copy()
    picture[rows, columns] = np.median(laid.picture, axis=(0, 1))
    picture[rows, columns + across] = laid.picture[rows, columns]

    def there(point: Point) -> Point:
        return point[0] + across, point[1]

    pieces = [
        replace(one, center=there(one.center), tip=there(one.tip), outline=tuple(map(there, one.outline)))
        if one in moved
        else one
        for one in laid.reading.pieces
    ]
    homes = {system.id: system.home for system in laid.reading.systems}
    return replace(laid, picture=picture, reading=with_pieces(laid.reading, pieces, homes, redless=False))


@pytest.mark.parametrize("across", [0, 60])
@pytest.mark.parametrize("star", ["r2", "b1"])
def test_a_star_that_is_put_back_is_one_of_its_home_though_that_was_shoved(star: str, across: int) -> None:
    layer = Layer(Game.HOMEWORLDS, 1, VIEWS[Game.HOMEWORLDS])
    line = LINES[Game.HOMEWORLDS]
    whole, without = (layer.lay(parse_position(one)) for one in (line, line.replace("r2b1", star)))
    home = next(system.id for system in whole.reading.systems if system.home is Seat.SOUTH)
    again = shoved(whole, home, across)
    recalled = memory_of(without).recalled(shot(again.picture, 2), again.reading)
    assert content(recalled) == content(whole.reading)


def test_a_star_that_was_hidden_is_one_of_its_home_when_it_comes_to_light() -> None:
    """What hid it has gone, so that the picture has changed there; its other star is known."""
    laid = laid_table(Game.HOMEWORLDS)
    star = next(piece for piece in laid.reading.pieces if piece.code == "b1" and piece.role is Role.STAR)
    hidden = cv2.fillConvexPoly(laid.picture.copy(), np.round(np.array(star.outline)).astype(np.int32), (40, 200, 60))
    memory = Memory(np.asarray(hidden, np.uint8), agreed(misread(laid, [star], "missed"), laid.position))
    recalled = memory.recalled(shot(laid.picture, 2), laid.reading)
    assert content(recalled) == content(laid.reading)


@pytest.mark.parametrize(("covered", "is_told"), [(0.8, True), (0.1, False)])
def test_a_star_is_perhaps_there_still_behind_a_ship_that_hides_it(covered: float, is_told: bool) -> None:
    """A share of it, from below, is behind the ship; where the rest would be in sight, it has gone."""
    laid = laid_table(Game.HOMEWORLDS)
    star = next(piece for piece in laid.reading.pieces if piece.code == "g2" and piece.role is Role.STAR)
    left, top, width, height = cv2.boundingRect(np.array(star.outline, np.float32))
    around = slice(top - 6, top + height + 6), slice(left - 6, left + width + 6)
    picture = laid.picture.copy()
    picture[around] = cv2.GaussianBlur(laid.picture, (0, 0), 40)[around]  # the star is not to be seen any more
    upper, lower = top + (1 - covered) * height, top + height + 30.0
    box = ((left - 6.0, upper), (left + width + 6.0, upper), (left + width + 6.0, lower), (left - 6.0, lower))
    cv2.fillConvexPoly(picture, np.round(np.array(box)).astype(np.int32), (0, 0, 255))
    ship = replace(NONSENSE, posture=Posture.LYING, role=Role.SHIP, owner=Seat.SOUTH, system=star.system, outline=box)
    read = [*(piece for piece in laid.reading.pieces if piece is not star), ship]
    recalled = memory_of(laid).recalled(shot(picture, 2), read_as(laid.reading, read))
    told = [piece.confidence for piece in recalled.pieces if (piece.code, piece.role) == ("g2", Role.STAR)]
    assert told == ([PERHAPS_GONE] if is_told else [])


@pytest.mark.parametrize("code", ["g3", "b2", "y3"])
@pytest.mark.parametrize(("share", "is_told"), [(0.05, True), (0.5, False)])
def test_a_ship_that_nobody_reads_is_there_still_if_hardly_anything_of_it_has_changed(
    code: str, share: float, is_told: bool
) -> None:
    """Something has come on its rim, or over all of one side."""
    laid = laid_table(Game.HOMEWORLDS)
    ship = next(piece for piece in laid.reading.pieces if piece.code == code and piece.role is Role.SHIP)
    left, top, width, height = cv2.boundingRect(np.array(ship.outline, np.float32))
    picture = laid.picture.copy()
    picture[top : top + height, left : left + round(share * width)] = (60, 0, 120)
    recalled = memory_of(laid).recalled(shot(picture, 2), misread(laid, [ship], "missed"))
    told = [piece for piece in recalled.pieces if piece.outline == ship.outline]
    assert [piece.confidence for piece in told] == ([HARDLY_CHANGED] if is_told else [])
    assert [lying(piece) for piece in recalled.gone] == ([] if is_told else [lying(ship)])


def test_what_is_told_to_have_gone_has_left_its_system() -> None:
    def standing(laid: Laid) -> Counter[tuple[str, str, str | None]]:
        assert isinstance(laid.position, Position)
        return Counter(
            (system.name, piece.code, whose)
            for system in laid.position.systems
            for whose, pieces in (
                (None, system.stars),
                *((seat.value, fleet) for seat, fleet in system.ships.items()),
            )
            for piece in pieces
        )

    told = left = 0
    for seed in (1, 2, 3):
        for before, after in pairwise(laid_game(Game.HOMEWORLDS, seed)):
            away = standing(before) - standing(after)
            gone = memory_of(before).recalled(shot(after.picture, 2), after.reading).gone
            left += away.total()
            told += len(gone)
            kinds = Counter((code, whose) for _, code, whose in away.elements())
            assert Counter((piece.code, piece.owner and piece.owner.value) for piece in gone) <= kinds
    assert told > left / 2


def test_an_unreadable_reading_or_one_of_another_picture_stays_as_it_is() -> None:
    laid = laid_table(Game.HOMEWORLDS)
    wrong = misread(laid, laid.reading.pieces, "of another colour")
    memory, unreadable = memory_of(laid), replace(wrong, verdict=Verdict.UNREADABLE)
    assert memory.recalled(laid.picture, unreadable) is unreadable
    assert memory.recalled(laid.picture[:240], wrong) is wrong
    assert memory.recalled(laid.picture, wrong) is not wrong


# The camera bumped


@BOTH
@pytest.mark.parametrize("bump", BUMPS)
def test_after_a_bump_the_table_is_known_where_it_is_then(game: Game, bump: Bump) -> None:
    before, after = laid_game(game, 1)[-2:]
    then, now = seen_from(bump, before), seen_from(bump, after)
    memory = memory_of(before).moved_to(shot(now.picture, 2))
    assert memory
    for piece, there in zip(memory.known.pieces, then.reading.pieces, strict=True):
        assert np.linalg.norm(np.subtract(piece.outline, there.outline), axis=1).max() < 2
    for error in ERRORS:
        wrong = misread(now, left_alone(then, now, error), error)
        assert content(memory.recalled(shot(now.picture, 3), wrong)) == content(after.reading), error


@BOTH
def test_after_a_bump_that_nobody_noticed_the_table_is_known_still(game: Game) -> None:
    """By some pixels only, so that no part of the picture is where it was."""
    bump = (0.004, -0.003, 0.3)
    before, after = laid_game(game, 1)[-2:]
    now = seen_from(bump, after)
    wrong = misread(now, left_alone(seen_from(bump, before), now), "missed")
    assert content(wrong) != content(after.reading)
    assert content(memory_of(before).recalled(shot(now.picture, 3), wrong)) == content(after.reading)


@BOTH
def test_in_a_picture_of_something_else_nothing_is_known(game: Game) -> None:
    memory = memory_of(laid_table(game))
    other = Game.SETTLERS if game is Game.HOMEWORLDS else Game.HOMEWORLDS
    grey = np.full((480, 640, 3), 128, np.uint8)
    for picture in (laid_table(other).picture, laid_game(Game.HOMEWORLDS, 2)[-1].picture, grey):
        assert memory.moved_to(shot(picture, 2)) is None
