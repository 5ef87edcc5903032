"""The line that describes a position: ``6/6/2g13/6/6/6 S 0``.

Six ranks from the sixth down to the first, each from file a to file f: a number counts empty fields, and a
colour letter with one digit is a piece, small letters for South's and capitals for North's. So ``2g13`` is two
empty fields, South's small green, three empty fields. Then the side to move, and the number of turns since the
last conquest.

The reader takes spaces between the parts, empty fields counted piecemeal, either case of the side or its whole
name, and a missing last number as 0. The writer knows one line for each position.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby

from rules.errors import RulesError, quoted
from rules.pieces import Piece
from rules.seats import Seat
from rules.settlers.board import FILES, RANKS, SEATS, Ship

EXAMPLE = "6/6/2g13/6/6/6 S 0"
_SIDES = {name: seat for seat in SEATS for name in (seat.value, seat.letter.lower())}
_ITEM = re.compile(r"(?P<piece>[rygbRYGB][1-3])|(?P<empty>[1-6])")
_LONGEST_COUNT = 9  # digits


def written(board: Mapping[str, Ship], to_move: Seat, quiet_turns: int) -> str:
    """The line of a *board*, the side to move and the turns since the last conquest."""
    ranks = "/".join(_written_rank(board, rank) for rank in reversed(RANKS))
    return f"{ranks} {to_move.letter} {quiet_turns}"


def _written_rank(board: Mapping[str, Ship], rank: str) -> str:
    codes = [_code(board.get(file + rank)) for file in FILES]
    runs = ((code, len(list(run))) for code, run in groupby(codes))
    return "".join(code * length if code else str(length) for code, length in runs)


def _code(ship: Ship | None) -> str:
    if ship is None:
        return ""
    return ship.piece.code if ship.owner is Seat.SOUTH else ship.piece.code.upper()


def read(line: str) -> tuple[dict[str, Ship], Seat, int]:
    """The board, the side to move and the quiet turns of a *line*; a :class:`RulesError` if it has none."""
    ranks, rest = _divided(line)
    board = {
        field: ship for rank, text in zip(reversed(RANKS), ranks, strict=True) for field, ship in _rank(text, rank)
    }
    side, *count = rest
    return board, _side(side), _quiet_turns(count)


def _divided(line: str) -> tuple[list[str], list[str]]:
    """The six ranks, and the words after them."""
    if not line.strip():
        raise RulesError("line_empty", f"Nothing to read: a position looks like {EXAMPLE}")
    if "/" not in line:
        raise RulesError(
            "line_unreadable",
            f"{quoted(line)} is not a position on the board: write six ranks, the side to move and the turns since "
            f"the last conquest, such as {EXAMPLE}",
            text=line,
        )
    *upper, last = line.split("/")
    words = last.split()
    first_word = next((n for n, word in enumerate(words) if word[0].isalpha() and not _ITEM.match(word)), len(words))
    ranks = ["".join(rank.split()) for rank in [*upper, " ".join(words[:first_word])]]
    if len(ranks) != len(RANKS):
        raise RulesError(
            "ranks_wrong",
            f"The board has six ranks, but the line has {len(ranks)}: write them from rank 6 down to rank 1 with / "
            f"between them, such as {EXAMPLE}",
            ranks=len(ranks),
        )
    return ranks, words[first_word:] or [""]


def _rank(text: str, rank: str) -> list[tuple[str, Ship]]:
    """The ships on one rank with their fields."""
    if not text:
        raise RulesError("rank_empty", f"Rank {rank} is missing: write 6 for a rank of six empty fields.", rank=rank)
    ships: list[tuple[str, Ship]] = []
    file = position = 0
    while position < len(text):
        item = _ITEM.match(text, position)
        if not item:
            raise RulesError(
                "rank_unreadable",
                f"Rank {rank}, {quoted(text)}, cannot be read from {quoted(text[position:])} on: write pieces such "
                "as g1 (South's) or G1 (North's) and numbers of empty fields.",
                rank=rank,
                text=text,
            )
        if item["piece"] and file < len(FILES):
            owner = Seat.SOUTH if item["piece"].islower() else Seat.NORTH
            ships.append((FILES[file] + rank, Ship(Piece.parse(item["piece"]), owner)))
        file += int(item["empty"] or 1)
        position = item.end()
    if file != len(FILES):
        raise RulesError(
            "rank_length_wrong",
            f"Rank {rank}, {quoted(text)}, describes {file} fields instead of 6: after a colour letter one digit is "
            "the size, any other number counts empty fields.",
            rank=rank,
            text=text,
            fields=file,
        )
    return ships


def _side(word: str) -> Seat:
    if not word:
        raise RulesError(
            "turn_missing", f"Whose turn is it? Write S for South or N for North after the ranks: {EXAMPLE}"
        )
    if word.lower() not in _SIDES:
        raise RulesError(
            "turn_unknown",
            f"{quoted(word)} is not a side to move: write S for South or N for North.",
            text=word,
        )
    return _SIDES[word.lower()]


def _quiet_turns(words: list[str]) -> int:
    if not words:
        return 0
    count = " ".join(words)
    if not re.fullmatch(rf"[0-9]{{1,{_LONGEST_COUNT}}}", count):
        raise RulesError(
            "quiet_turns_unreadable",
            f"{quoted(count)} is not a number of turns: end the line with the turns since the last conquest, "
            "0 if there are none.",
            text=count,
        )
    return int(count)
