"""A reading in words, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from companion_app.reading import Reading, ReadPiece, Verdict
from companion_app.star_names import names_of
from vision.sight import Role

VERDICTS = {
    Verdict.CERTAIN: "certain: every piece of the set is accounted for",
    Verdict.CHECK: "check: look at the questions below",
    Verdict.UNREADABLE: "unreadable",
}


def summary(reading: Reading, title: str | None = None) -> str:
    """Position, pieces, bank, inventory, score and questions, a few lines each."""
    lines = [title, "=" * len(title)] if title else []
    lines.append(f"Verdict    {VERDICTS[reading.verdict]}")
    if reading.verdict is not Verdict.UNREADABLE:
        lines.append(f"Position   {reading.position or 'cannot be written yet: see the questions'}")
        if reading.score:
            lines.append("Score      " + ", ".join(f"{s.value.title()} {n}" for s, n in reading.score.items()))
        lines += _pieces(reading)
        lines.append(f"Bank       {_bank(reading.bank)}")
        inventory = reading.inventory
        lines.append(f"Inventory  {inventory.seen} pieces seen, the set has {inventory.set}")
        if inventory.unseen:
            lines.append(f"           not seen: {' '.join(inventory.unseen)}")
        if inventory.surplus:
            lines.append(f"           too many: {' '.join(inventory.surplus)}")
    if reading.questions:
        lines.append("Questions")
        lines += [f"  {f'piece {q.piece}' if q.piece is not None else '':9}{q.sentence}" for q in reading.questions]
    return "\n".join(lines) + "\n"


def timing(name: str, seconds: Mapping[str, float]) -> str:
    """The time of each stage, one a line."""
    lines = [f"{stage:>24}  {1000 * spent:8.1f} ms" for stage, spent in seconds.items()]
    return "\n".join([f"{name}: {sum(seconds.values()):.2f} s", *lines])


def _pieces(reading: Reading) -> list[str]:
    names = names_of(reading.systems)
    lines = ["Pieces"]
    for index, piece in enumerate(reading.pieces):
        if piece.role is Role.BANK:
            continue
        place = names.get(piece.system, "") if piece.system is not None else piece.field or ""
        owner = piece.owner.value.title() if piece.owner else ""
        lines.append(f"  {index:>3}  {piece.code}  {_looks(piece):28} {owner:6} {place:12} {piece.confidence:5.0%}")
    banked = sum(piece.role is Role.BANK for piece in reading.pieces)
    return [*lines, f"       and {banked} in the bank" if banked else "       and none in the bank"]


def _looks(piece: ReadPiece) -> str:
    return f"{piece.size.word} {piece.color.value} {piece.role.value}, {piece.posture.value}"


def _bank(bank: Mapping[str, int]) -> str:
    return " ".join(f"{count}×{code}" for code, count in bank.items() if count) or "empty"
