"""Who has won: the pips of the pieces that each side owns on the board (S20)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.seats import Seat
from rules.settlers.position import Position


class Reason(StrEnum):
    """Why a side wins, or why that is still open."""

    MORE_POINTS = "more points"
    MAJORITY = "majority"
    TIE_BREAK = "tie-break"
    TIE_UNDECIDED = "tie undecided"


@dataclass(frozen=True)
class Score:
    """Both totals, and who wins if the game ends here.

    Attributes:
        south: South's points.
        north: North's points.
        winner: ``None`` only on a tie when it is not known who began.
        reason: why.
        majority: half of all pips in the set; whoever owns more cannot be caught by what is in the bank.
        sentence: all of it in one sentence.
    """

    south: int
    north: int
    winner: Seat | None
    reason: Reason
    majority: int
    sentence: str


def score(position: Position, beginner: Seat | None = None) -> Score:
    """The score of *position*; *beginner* is who had the first turn, if known, and counts only in a tie.

    The side with more points wins. A tie goes to the player who did not begin. More than half of all pips is a
    majority: more than 36 of 72, or in a redless game, whose 27 pieces have 54 pips, more than 27.

    >>> score(Position.parse("6/6/2g13/3R32/6/6 S 0")).sentence
    'North wins, 3 points to 1.'
    >>> score(Position.parse("6/6/2g13/3Y12/6/6 S 0"), beginner=Seat.SOUTH).sentence
    '1 point each: North wins the tie, because South began.'
    """
    south, north = _points(position, Seat.SOUTH), _points(position, Seat.NORTH)
    whole = position.full_set.pips
    winner, reason = _verdict(south, north, whole // 2, beginner)
    return Score(south, north, winner, reason, whole // 2, _sentence(south, north, winner, reason, whole))


def _points(position: Position, seat: Seat) -> int:
    return sum(ship.piece.size for ship in position.board.values() if ship.owner is seat)


def _verdict(south: int, north: int, majority: int, beginner: Seat | None) -> tuple[Seat | None, Reason]:
    if south == north:
        return (beginner.opposite, Reason.TIE_BREAK) if beginner else (None, Reason.TIE_UNDECIDED)
    leader = Seat.SOUTH if south > north else Seat.NORTH
    return leader, Reason.MAJORITY if max(south, north) > majority else Reason.MORE_POINTS


def _sentence(south: int, north: int, winner: Seat | None, reason: Reason, whole: int) -> str:
    if winner is None:
        return f"{_counted(south)} each: a tie goes to the player who did not begin, so say who began."
    if reason is Reason.TIE_BREAK:
        return f"{_counted(south)} each: {winner.word} wins the tie, because {winner.opposite.word} began."
    result = f"{winner.word} wins, {_counted(max(south, north))} to {min(south, north)}"
    if reason is Reason.MAJORITY:
        return f"{result}: more than {whole // 2} of all {whole} points, a majority."
    return f"{result}."


def _counted(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"
