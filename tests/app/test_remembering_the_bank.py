"""What is remembered of the bank: which of its stacks are as they were, and what that says of a turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from inferring_tables import BEFORE, altered
from remembered_tables import BOTH, Bump, doubted, laid_game, memory_of, read_as, seen_from, shot

from benchmarks.turn_inference import Reader
from companion_app.inferring import Appearance, Certainty, Observation, explain
from companion_app.live.laying import Laid
from companion_app.reading_types import Game, ReadPiece
from companion_app.remembering.bank_compared import BankCompared
from companion_app.remembering.memory import SLACK_PX
from companion_app.remembering.unchanged import smoothed
from rules import KINDS, Piece, Seat
from rules.homeworlds import Build, Options, Position, begin
from vision.sight import Role

GAMES = [(seed, first) for seed in (1, 2) for first in (0, 11)]


def banked(pieces: tuple[ReadPiece, ...]) -> list[ReadPiece]:
    return [piece for piece in pieces if piece.role is Role.BANK]


def counted(laid: Laid) -> Counter[str]:
    return Counter(piece.code for piece in banked(laid.reading.pieces))


def turned(before: Laid, after: Laid) -> set[str]:
    """The kinds of which another number is in the bank."""
    then, now = counted(before), counted(after)
    return {code for code in then if then[code] != now[code]}


@pytest.mark.parametrize(
    ("off", "slack", "most"), [((0.0, 0.0, 0.0), 0, 0.05), ((0.0015, -0.001, 0.1), SLACK_PX, 0.05)]
)
def test_of_the_bank_it_is_told_what_was_taken_or_put_there_and_little_else(
    off: Bump, slack: int, most: float
) -> None:
    as_before, told = 0, 0
    for seed, first in GAMES:
        for before, after in pairwise(laid_game(Game.HOMEWORLDS, seed, first)):
            then, now = smoothed(shot(before.picture, 1)), smoothed(shot(seen_from(off, after).picture, 2))
            changed = {piece.code for piece in BankCompared(then, now, banked(before.reading.pieces), slack).changed}
            assert turned(before, after) <= changed
            as_before += len(counted(before).keys() - turned(before, after))
            told += len(changed - turned(before, after))
    assert as_before > 150
    assert told <= most * as_before


def test_light_of_another_colour_on_all_of_the_bank_changes_nothing_of_it() -> None:
    laid = laid_game(Game.HOMEWORLDS, 1, 0)[0]
    lit = np.asarray(np.clip(laid.picture * (1.06, 1.0, 0.95), 0, 255), np.uint8)
    bank = banked(laid.reading.pieces)
    assert not BankCompared(smoothed(shot(laid.picture, 1)), smoothed(shot(lit, 2)), bank).changed
    dark = np.zeros_like(laid.picture)
    assert BankCompared(smoothed(laid.picture), smoothed(dark), bank).changed == bank
    assert BankCompared(smoothed(laid.picture), smoothed(laid.picture), []).changed == []
    beyond = [replace(piece, outline=tuple((x + 5000, y) for x, y in piece.outline)) for piece in bank]
    assert BankCompared(smoothed(laid.picture), smoothed(laid.picture), beyond).changed == beyond


def test_a_stack_that_looks_as_it_did_has_as_many_pieces_however_it_is_read() -> None:
    settled = 0
    for before, after in pairwise(laid_game(Game.HOMEWORLDS, 1, 0)):
        memory, true = memory_of(before), counted(after)
        read = [piece for piece in after.reading.pieces if piece.role is not Role.BANK]
        read += [doubted(piece) for piece in banked(after.reading.pieces)[::2]]
        observed = Observation.of(memory.recalled(shot(after.picture, 2), read_as(after.reading, read)))
        seen = Counter(piece.code for piece in observed.bank)
        assert not {piece.code for piece in observed.settled} & turned(before, after)
        for piece in observed.settled:
            assert seen[piece.code] == true[piece.code]
        settled += len(observed.settled)
    assert settled > 30


def test_a_stack_has_as_many_pieces_as_it_had_whatever_falls_on_it_below_its_top() -> None:
    """Until its top is somewhere else."""
    laid = laid_game(Game.HOMEWORLDS, 1, 0)[0]
    stack = [piece for piece in banked(laid.reading.pieces) if piece.code == "g3"]
    *lower, top = sorted(stack, key=lambda piece: -piece.tip[1])
    assert lower
    stained = laid.picture.copy()
    for piece in lower:
        cv2.fillConvexPoly(stained, np.array(piece.outline, dtype=np.int32), (40, 40, 40))
    where = np.zeros(stained.shape[:2], np.uint8)
    cv2.fillConvexPoly(where, np.array(top.outline, dtype=np.int32), 1)
    stained[where > 0] = laid.picture[where > 0]
    for read, is_settled in (
        (laid.reading.pieces, True),
        ([one for one in laid.reading.pieces if one != top], False),
    ):
        recalled = memory_of(laid).recalled(shot(stained, 2), read_as(laid.reading, read))
        assert (Piece.parse("g3") in Observation.of(recalled).settled) is is_settled


@pytest.mark.parametrize(
    ("gone", "built", "verdict"),
    [("g1", "g1", Certainty.CERTAIN), ("g1 y1", "g1", Certainty.UNSURE), ("y1", "y1", Certainty.UNSURE)],
)
def test_what_left_the_bank_bears_out_what_has_come_on_the_table(gone: str, built: str, verdict: Certainty) -> None:
    """A small green is read, and might be yellow: one is gone from the greens, or either, or from the yellows."""
    position = Position.parse(BEFORE)
    seen = Reader("bank").exact(begin(position).apply(Build(Piece.parse("g1"), "South")).end())
    green, yellow = (Appearance(Piece.parse(code), Seat.SOUTH) for code in ("g1", "y1"))
    doubtful = altered(seen, "g1", read=green, confidence=0.998, alternatives={yellow: 0.002})
    stirred = [Piece.parse(code) for code in gone.split()]
    left, settled = position.bank - stirred, frozenset(KINDS) - set(stirred)
    judgement = explain(position, Options(), replace(doubtful, bank=left.pieces, settled=settled))
    assert judgement.best.turns == ((Build(Piece.parse(built), "South"),),)
    assert judgement.verdict is verdict


def test_where_most_stacks_look_otherwise_the_camera_has_moved_and_no_turn_is_less_likely() -> None:
    position = Position.parse(BEFORE)
    built = begin(position).apply(Build(Piece.parse("g1"), "South")).end()
    seen = replace(Reader("bank").exact(built), settled=frozenset({Piece.parse("b3")}))
    judgement = explain(position, Options(), seen)
    assert judgement.verdict is Certainty.CERTAIN
    assert judgement.best.turns == ((Build(Piece.parse("g1"), "South"),),)


@BOTH
def test_of_a_bank_that_is_read_rightly_no_piece_is_lost(game: Game) -> None:
    """Nor if it was put back on others of its kind: there two share most of one outline."""
    pairs = [pair for seed in (1, 2, 3) for pair in pairwise(laid_game(game, seed))]
    for number, (before, after) in enumerate([*pairs, *(pair[::-1] for pair in pairs)]):
        told = memory_of(before).recalled(shot(after.picture, number), after.reading)
        assert not counted(after) - Counter(piece.code for piece in banked(told.pieces))


@pytest.mark.parametrize("code", ["y3", "g2"])
def test_what_is_misread_on_a_stack_is_of_its_kind(code: str) -> None:
    """Read as another size where its stack has always been, and twice: it is there, once."""
    pairs = [pair for seed in (1, 2) for pair in pairwise(laid_game(Game.HOMEWORLDS, seed, 0))]
    changed = 0
    for number, (before, after) in enumerate(pairs):
        if code not in turned(before, after) or not counted(after)[code]:
            continue
        top = next(piece for piece in banked(after.reading.pieces) if piece.code == code)
        other = doubted(top)
        pieces = [one for one in after.reading.pieces if one.code != code or one.role is not Role.BANK]
        told = memory_of(before).recalled(
            shot(after.picture, number), read_as(after.reading, [*pieces, other, replace(top, confidence=0.4)])
        )
        assert counted(before)[other.code] >= counted(after)[other.code]
        assert Counter(piece.code for piece in banked(told.pieces))[other.code] <= counted(after)[other.code]
        assert Counter(piece.code for piece in banked(told.pieces))[code] == 1
        assert all(sum(chance for _, chance in piece.looks) <= 1 + 1e-9 for piece in told.pieces)
        changed += 1
    assert changed


def test_a_star_far_from_the_bank_is_none_of_it() -> None:
    """A new system read as pieces of the bank, for want of a ship: the bank is known to be elsewhere."""
    founded = 0
    for seed, first in GAMES:
        for number, (before, after) in enumerate(pairwise(laid_game(Game.HOMEWORLDS, seed, first))):
            known = {piece.center for piece in before.reading.pieces}
            new = [piece for piece in after.reading.pieces if piece.role is Role.STAR and piece.center not in known]
            banked_too = [
                replace(piece, role=Role.BANK, system=None, confidence=0.8) if piece in new else piece
                for piece in after.reading.pieces
            ]
            told = memory_of(before).recalled(shot(after.picture, number), read_as(after.reading, banked_too))
            stars = Counter(piece.code for piece in told.pieces if piece.role is Role.STAR)
            assert not Counter(piece.code for piece in new) - stars
            founded += len(new)
    assert founded > 3


def test_of_a_stack_that_hides_most_of_itself_it_counts_what_changes_beside_it() -> None:
    """Only its lowest piece was ever seen: the uppermost is taken."""
    noticed = 0
    for seed, first in GAMES:
        for before, after in pairwise(laid_game(Game.HOMEWORLDS, seed, first)):
            taken = counted(before) - counted(after)
            lowest: dict[str, ReadPiece] = {}
            for piece in sorted(banked(before.reading.pieces), key=lambda piece: piece.center[1]):
                lowest[piece.code] = piece
            then, now = smoothed(shot(before.picture, 1)), smoothed(shot(after.picture, 2))
            few = list(lowest.values())
            blind = {piece.code for piece in BankCompared(then, now, few).changed}
            told = {piece.code for piece in BankCompared(then, now, few, hiding=frozenset(lowest)).changed}
            assert blind <= told
            noticed += len(taken.keys() & (told - blind))
            assert len(told - turned(before, after)) <= 3
    assert noticed
