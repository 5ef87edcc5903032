"""A Settlers reading as the end of a game: the board in letters, both totals, the winner and why."""

from __future__ import annotations

from companion_app.reading import Question, Reading, ReadPiece, Verdict
from rules import Seat, settlers
from vision import sight

ARROWS = {sight.Seat.SOUTH: "↗", sight.Seat.NORTH: "↙"}


def scoreboard(reading: Reading, began: str | None) -> str:
    """All that a table wants to know, for a terminal; *began* is the seat that made the first move, if known."""
    if reading.verdict is Verdict.UNREADABLE:
        return "\n".join(["This photo cannot be scored.", *_asked(reading.questions)])
    return "\n".join([*_board(reading), "", *_result(reading, began), *_asked(reading.questions)])


def _board(reading: Reading) -> list[str]:
    """The fields as seen from above, South's corner at the bottom left, North's at the top right."""
    pieces = {piece.field: piece for piece in reading.pieces if piece.on_table and piece.field}
    lines = ["     " + "".join(f"{file:5}" for file in "abcdef") + "North"]
    for rank in "654321":
        lines.append(f"  {rank}  " + "".join(f"{_cell(pieces.get(file + rank)):5}" for file in "abcdef").rstrip())
    return [*lines, "South     g2↗ South's medium green, G2↙ North's"]


def _cell(piece: ReadPiece | None) -> str:
    if piece is None:
        return " ·"
    if piece.owner is None:
        return piece.code + "?"
    code = piece.code if piece.owner is sight.Seat.SOUTH else piece.code.upper()
    return code + ARROWS[piece.owner]


def _result(reading: Reading, began: str | None) -> list[str]:
    if reading.position is None:
        return ["The score cannot be told before the questions below are answered."]
    position = settlers.Position.parse(reading.position, redless=reading.redless)
    result = settlers.score(position, Seat(began) if began else None)
    lines = [f"South {result.south}   North {result.north}", result.sentence]
    return lines if result.winner else [*lines, "Tell with --began south or --began north."]


def _asked(questions: tuple[Question, ...]) -> list[str]:
    return ["", "To check:", *(f"  {question.sentence}" for question in questions)] if questions else []
