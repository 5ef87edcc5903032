"""What is remembered of a table: where its picture has not changed all is as agreed on, and the rest is read."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from session_scripts import fast_folder

from companion_app.cameras import Frame, Hand, Still
from companion_app.derivation import with_pieces
from companion_app.inferring import Kind
from companion_app.live import Conductor
from companion_app.live.laying import Laid, Layer
from companion_app.live.virtual_games import terms_of
from companion_app.live.virtual_mistakes import content_of
from companion_app.live.virtual_players import take_turn
from companion_app.notation import Position, parse_position
from companion_app.photos import Photo
from companion_app.reading_types import Game, Point, ReadAlternative, Reading, ReadPiece, Verdict
from companion_app.remembering import Memory, agreed
from companion_app.remembering.unchanged import is_unchanged, smoothed
from companion_app.session import GameLog, GameSession, How, State, Terms
from companion_app.session.opening import position_of
from companion_app.session.ruling import by_inference
from rules import Piece, full_set, homeworlds
from vision import virtual
from vision.poses import hull
from vision.sight import Role, Seat
from vision.solids import Color, Posture, Size
from vision.virtual.arrange import PlacedPiece

VIEWS = {
    Game.HOMEWORLDS: virtual.View(width=1280, height=960),
    Game.SETTLERS: virtual.View(width=640, height=480),
}
"""In which even the smallest piece of the table is large enough to be compared."""
LIKE = {Color.RED: Color.YELLOW, Color.YELLOW: Color.RED, Color.GREEN: Color.BLUE, Color.BLUE: Color.GREEN}
OTHER = {None: None, Seat.SOUTH: Seat.NORTH, Seat.NORTH: Seat.SOUTH}
BOTH = pytest.mark.parametrize("game", list(Game))
LINES = {
    Game.HOMEWORLDS: "<0>; South(0,r2b1)g3y1-; North(1,y1b3)-g3r1; Sirius(r3)b2-y3g1; Vega(g2)y1b1-r1",
    Game.SETTLERS: "6/1r3y13/2g1B12/2Y2b1R11/1g24/6 S 0",
}
"""Tables on which no two systems are alike."""


@cache
def laid_game(game: Game, seed: int) -> tuple[Laid, ...]:
    """A random game on one table, position by position, from its twelfth turn on."""
    layer, dice, played = Layer(game, seed, VIEWS[game]), random.Random(seed), terms_of(game).new_game()
    positions = [played.position]
    while len(positions) < 18:
        take_turn(played, dice)
        positions.append(played.position)
    return tuple(layer.lay(position) for position in positions[11:])


@cache
def laid_table(game: Game) -> Laid:
    return Layer(game, 1, VIEWS[game]).lay(parse_position(LINES[game]))


def shot(picture: Photo, seed: int) -> Photo:
    """The picture as a camera takes it: in its own light, and with noise."""
    rng = np.random.default_rng(seed)
    lit = picture * rng.uniform(0.93, 1.07) + rng.normal(0, 3, picture.shape)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def memory_of(laid: Laid) -> Memory:
    return Memory(shot(laid.picture, 1), agreed(laid.reading, laid.position))


def read_as(reading: Reading, pieces: Sequence[ReadPiece]) -> Reading:
    """The reading with other pieces; its systems are numbered from the other end."""
    above = len(reading.systems) + 1
    homes = {above - system.id: system.home for system in reading.systems}
    numbered = [replace(one, system=above - one.system) if one.system else one for one in pieces]
    return with_pieces(reading, numbered, homes, redless=False)


def lying(piece: ReadPiece) -> ReadPiece:
    """The piece without the number of its system."""
    return replace(piece, system=None)


def gone(before: Laid, after: Laid) -> list[ReadPiece]:
    """The pieces of the table that do not stand any more as they did."""
    there = set(map(lying, after.reading.pieces))
    return [piece for piece in before.reading.pieces if piece.on_table and lying(piece) not in there]


def stood(before: Laid, after: Laid) -> list[ReadPiece]:
    """Those that have not moved, as they are read afterwards."""
    come = gone(after, before)
    return [piece for piece in after.reading.pieces if piece.on_table and piece not in come]


def left_alone(before: Laid, after: Laid, error: str = "missed") -> list[ReadPiece]:
    """Those of them beside which nothing came or went either, nor where something is read by *error*."""
    changed = np.asarray(cv2.absdiff(before.picture, after.picture)).max(axis=2) > 6

    def is_clear(piece: ReadPiece) -> bool:
        mask = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(np.array(piece.outline)).astype(np.int32), 1)
        return not changed[np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8))) > 0].any()

    return [piece for piece in stood(before, after) if all(map(is_clear, [piece, *ERRORS[error](piece)]))]


def content(reading: Reading) -> object:
    """What stands on the table, whatever the systems are called."""
    position = position_of(reading.position)
    assert position, reading.position
    return content_of(position)


def on_table(pieces: Sequence[ReadPiece]) -> Counter[tuple[object, ...]]:
    """What stands where, by the numbers of the systems."""
    return Counter((one.code, one.role, one.owner, one.system, one.field) for one in pieces if one.on_table)


# How a reader errs


def next_size(size: Size) -> Size:
    return Size(int(size) % 3 + 1)


def doubted(piece: ReadPiece) -> ReadPiece:
    """The piece read with another size, which is not sure."""
    right = ReadAlternative(piece.color, piece.size, piece.posture, piece.owner, 0.3)
    return replace(piece, size=next_size(piece.size), confidence=0.4, alternatives=(right,))


def ghost(piece: ReadPiece) -> ReadPiece:
    """Another like it, half over it."""
    across, down = np.ptp(piece.outline, axis=0) / 2
    center, *outline = ((x + across, y + down) for x, y in (piece.center, *piece.outline))
    return replace(piece, center=center, tip=center, outline=tuple(outline), field=None)


ERRORS: Mapping[str, Callable[[ReadPiece], list[ReadPiece]]] = {
    "of another colour": lambda piece: [replace(piece, color=LIKE[piece.color])],
    "of another size": lambda piece: [replace(piece, size=next_size(piece.size))],
    "loose": lambda piece: [replace(piece, role=Role.LOOSE, owner=None, system=None, field=None)],
    "missed": lambda _: [],
    "a ghost": lambda piece: [piece, ghost(piece)],
    "twice": lambda piece: [piece, piece],
}


def misread(laid: Laid, which: Sequence[ReadPiece], error: str) -> Reading:
    pieces = [read for piece in laid.reading.pieces for read in (ERRORS[error](piece) if piece in which else [piece])]
    return read_as(laid.reading, pieces)


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


@settings(max_examples=30, deadline=None)
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


@settings(max_examples=30, deadline=None)
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
            assert sum(chance for _, chance in found.looks) > 0.99, "something has come there"
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


def test_a_ship_that_was_overlooked_is_there_still_and_only_once() -> None:
    laid = laid_table(Game.HOMEWORLDS)
    lost = next(piece for piece in laid.reading.pieces if piece.role is Role.SHIP)
    without = misread(laid, [lost], "missed")
    memory = Memory(laid.picture, agreed(without, laid.position))
    for reading in (without, laid.reading):
        assert content(memory.recalled(shot(laid.picture, 2), reading)) == content(laid.reading)


def test_an_unreadable_reading_or_one_of_another_picture_stays_as_it_is() -> None:
    laid = laid_table(Game.HOMEWORLDS)
    wrong = misread(laid, laid.reading.pieces, "of another colour")
    memory, unreadable = memory_of(laid), replace(wrong, verdict=Verdict.UNREADABLE)
    assert memory.recalled(laid.picture, unreadable) is unreadable
    assert memory.recalled(laid.picture[:240], wrong) is wrong
    assert memory.recalled(laid.picture, wrong) is not wrong


# The camera bumped

Bump = tuple[float, float, float]
"""To the right and down, as shares of the picture's width, and degrees."""
BUMPS: list[Bump] = [(0.02, -0.015, 1.0), (-0.03, 0.02, -1.0), (0.01, 0.025, 0.4)]


def seen_from(bump: Bump, laid: Laid) -> Laid:
    """The table after a bump of the camera."""
    height, width = laid.picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), bump[2], 1.0)
    matrix += np.array([(0, 0, width * share) for share in bump[:2]])
    picture = cv2.warpAffine(laid.picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)

    def moved(piece: ReadPiece) -> ReadPiece:
        points = np.array([piece.center, piece.tip, *piece.outline]) @ matrix[:, :2].T + matrix[:, 2]
        center, tip, *outline = ((float(x), float(y)) for x, y in points)
        return replace(piece, center=center, tip=tip, outline=tuple(outline))

    reading = replace(laid.reading, pieces=tuple(map(moved, laid.reading.pieces)))
    return replace(laid, reading=reading, picture=np.asarray(picture, np.uint8))


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
def test_in_a_picture_of_something_else_nothing_is_known(game: Game) -> None:
    memory = memory_of(laid_table(game))
    other = Game.SETTLERS if game is Game.HOMEWORLDS else Game.HOMEWORLDS
    grey = np.full((480, 640, 3), 128, np.uint8)
    for picture in (laid_table(other).picture, laid_game(Game.HOMEWORLDS, 2)[-1].picture, grey):
        assert memory.moved_to(shot(picture, 2)) is None


# At the table

Ship = tuple[str, Seat]


class Table:
    """A table with its bank out of the picture, and a reader that errs about a ship, at each look in another way."""

    def __init__(self, log: GameLog) -> None:
        begun = homeworlds.Position.parse("<0>; South(0,r2b1)g3y1-; North(1,y1b3)-g3r1")
        self.session = GameSession.begin(log, Terms.of_position(begun, homeworlds.Options()), by_inference)
        self.conductor = Conductor(self.session, self, clock=lambda: self.time)
        self.time, self.bumps, self._layer = (
            0.0,
            [(0.0, 0.0, 0.0)],
            Layer(Game.HOMEWORLDS, 17, VIEWS[Game.HOMEWORLDS]),
        )
        self._laid = self._layer.lay(begun)
        self.lay(begun)

    def read(self, picture: Photo, view: int) -> Reading:
        del picture, view
        return self.reading

    def lay(self, position: Position, ship: Ship | None = None) -> None:
        """A hand makes the table this one; a *ship* which it does not touch is misread, and then not seen."""
        before, self._laid = self._laid, self._layer.lay(position)
        alone, seen = left_alone(before, self._laid), seen_from(self.bumps[-1], self._laid)
        pieces = zip(self._laid.reading.pieces, seen.reading.pieces, strict=True)
        which = [piece for true, piece in pieces if true in alone and (true.code, true.owner) == ship][:1]
        assert len(which) == bool(ship)
        table = tuple(piece for piece in seen.reading.pieces if piece.on_table)
        seen = replace(seen, reading=replace(seen.reading, pieces=table))
        for error in ("of another colour", "missed"):
            self.conductor.see(Hand())
            self.reading = misread(seen, which, error)
            self.time += 1
            frame = Frame(shot(seen.picture, int(self.time)), int(self.time), self.time)
            self._still = Still((frame,), self.time, len(self.bumps))
            self.conductor.see(self._still)

    def end_turn(self) -> list[str]:
        """The turn is over; the record after that."""
        self.conductor.end_turn(None, How.BUTTON)
        self.time += 0.1
        frame = replace(self._still.frames[0], at=self.time)
        self.conductor.see(replace(self._still, frames=(frame,)))
        return [entry.text for entry in self.session.view.entries]

    def play(self, text: str, ship: Ship | None = None) -> list[str]:
        """A turn is played and ended; by the reading alone it is none if that misses a ship."""
        position = self.session.view.position
        assert isinstance(position, homeworlds.Position)
        self.lay(homeworlds.Game(position=position).push_text(text), ship)
        assert (self.judged_alone(position) is Kind.LEGAL) == (ship is None)
        return self.end_turn()

    def judged_alone(self, position: Position) -> Kind:
        """What the last look shows to somebody who remembers nothing."""
        return by_inference(position, homeworlds.Options(), self.reading, ()).best.kind


@pytest.fixture
def table() -> Iterator[Table]:
    with fast_folder() as folder:
        yield Table(GameLog(folder))


@pytest.mark.parametrize("bumps", [[], *([bump] for bump in BUMPS)])
def test_what_is_misread_at_each_look_hides_no_turn_once_one_is_agreed_on(table: Table, bumps: list[Bump]) -> None:
    table.play("build g1 South")
    table.play("build g1 North")
    table.bumps += bumps
    played = table.play("build g1 South", ("g1", Seat.SOUTH))
    assert played == ["build g1 South", "build g1 North", "build g1 South"]
    assert table.session.view.state is State.LEGAL


def test_after_undoing_the_table_is_known_as_it_was_then(table: Table) -> None:
    table.play("build g1 South")
    table.play("trade g3 North r")
    table.session.undo()
    assert table.play("trade g3 North r") == ["build g1 South", "trade g3 North r"]
    table.session.undo()
    assert table.play("build r1 North", ("r1", Seat.NORTH)) == ["build g1 South", "build r1 North"]
    table.session.take_back(0)
    assert table.play("build y1 South", ("y1", Seat.SOUTH)) == ["build y1 South"]


def test_a_turn_against_the_rules_is_refused_still(table: Table) -> None:
    table.play("build g1 South")
    recorded = table.play("build g1 North")
    before = table.session.view.position
    built = parse_position("<0>; South(0,r2b1)g3y1g1r1-; North(1,y1b3)-g3r1g1")  # of a colour that South has not
    table.lay(built, ("g1", Seat.SOUTH))
    assert table.judged_alone(before) is Kind.LEGAL  # a trade
    assert table.end_turn() == recorded
    assert table.session.view.state is State.ILLEGAL
    table.lay(before)
    table.end_turn()
    assert table.play("build g1 South", ("g1", Seat.SOUTH)) == [*recorded, "build g1 South"]
