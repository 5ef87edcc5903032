"""Corrections by a person: each is a small JSON object, and turns one reading into the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion_app.errors import AppError
from companion_app.json_fields import BadReading, Fields, words_of
from companion_app.reading import corrected
from companion_app.reading_types import Ask, Game, ReadAlternative, Reading, ReadPiece
from companion_app.star_names import names_of
from companion_app.web.photo_shapes import middle_of
from companion_app.web.words import kind_in_words, piece_in_words
from vision.sight import Role, Seat
from vision.solids import Color, Posture, Size

Edit = Mapping[str, Any]
SIZES = {size.word: size for size in Size}
FIELDS = {file + rank: file + rank for file in "abcdef" for rank in "123456"}


class BadEdit(AppError):
    """A correction that cannot be carried out; code ``bad_edit``."""

    def __init__(self, sentence: str) -> None:
        super().__init__("bad_edit", sentence)


def applied(reading: Reading, edit: Edit) -> Reading:
    """*reading* after one correction; raises BadEdit.

    Corrections, by their ``do``:
        * ``change``: set what ``set`` names of piece number ``piece``: color, size, owner, role, system, field;
        * ``answer``: settle one property, ``ask``, of a piece as ``value``; its other doubts stay;
        * ``confirm``: piece number ``piece`` is right as it is;
        * ``add``: a piece as ``set`` says; ``remove``: piece number ``piece``;
        * ``rest-in-bank``: every piece of the set that was not seen is in the bank;
        * ``home``: ``system`` is the home of ``home``, or of nobody when that is null;
        * ``began``: ``seat`` had the first turn; it changes no piece.
    """
    try:
        fields = Fields(edit, "correction")
        return fields.word("do", _ACTIONS)(reading, fields)
    except BadReading as error:
        raise BadEdit(error.sentence) from None


def in_words(before: Reading, after: Reading, edit: Edit) -> str:
    """What a correction did, in one sentence."""
    names = names_of(after.systems)
    match edit["do"]:
        case "remove":
            gone = piece_in_words(before.pieces[edit["piece"]], names_of(before.systems))
            return f"Removed the {gone}."
        case "add":
            return f"Added a {piece_in_words(after.pieces[-1], names)}."
        case "rest-in-bank":
            return "The pieces that were not seen are in the bank."
        case "home":
            seat = edit.get("home")
            return f"Now {seat.title()}’s home." if seat else "Now a home of nobody."
        case "began":
            return f"{str(edit['seat']).title()} began."
    return f"Now a {piece_in_words(after.pieces[edit['piece']], names)}."


def _change(reading: Reading, edit: Fields) -> Reading:
    index = _index(reading, edit)
    told = _with(reading, reading.pieces[index], edit.inner("set"), index)
    return _replaced(reading, index, replace(told, confidence=1.0, alternatives=()))


def _confirm(reading: Reading, edit: Fields) -> Reading:
    index = _index(reading, edit)
    return _replaced(reading, index, replace(reading.pieces[index], confidence=1.0, alternatives=()))


def _answer(reading: Reading, edit: Fields) -> Reading:
    """Of the other readings of the piece those stay that agree with what was said."""
    index, ask = _index(reading, edit), edit.word("ask", words_of(Ask))
    if ask not in _PROPERTIES:
        raise BadEdit(f"“{ask.value}” is no property of a piece: say color, size, posture, owner, role or place.")
    piece, told = reading.pieces[index], _PROPERTIES[ask](reading, reading.pieces[index], edit, index)
    agreeing = [other for other in piece.alternatives if _value(other, ask) == _value(told, ask)]
    same = [other.probability for other in agreeing if _like(other, told)]
    rest = tuple(other for other in agreeing if not _like(other, told))
    weight = piece.confidence if _like(piece, told) else sum(same)
    whole = weight + sum(other.probability for other in rest)
    if not weight:
        return _replaced(reading, index, replace(told, confidence=1.0, alternatives=()))
    scaled = tuple(replace(other, probability=round(other.probability / whole, 4)) for other in rest)
    return _replaced(reading, index, replace(told, confidence=round(weight / whole, 4), alternatives=scaled))


def _add(reading: Reading, edit: Fields) -> Reading:
    wish = edit.inner("set")
    draft = ReadPiece(
        wish.word("color", words_of(Color)), wish.word("size", SIZES), Posture.LYING, Role.SHIP, Seat.SOUTH
    )
    piece = _with(reading, draft, wish, None)
    if piece.on_table and piece.field is None and piece.system is None:
        raise BadEdit("Say where the new piece is: choose a field or a system.")
    place = middle_of(reading, piece)
    return corrected(reading, [*reading.pieces, replace(piece, center=place, tip=place)])


def _remove(reading: Reading, edit: Fields) -> Reading:
    index = _index(reading, edit)
    return corrected(reading, [*reading.pieces[:index], *reading.pieces[index + 1 :]])


def _rest_in_bank(reading: Reading, edit: Fields) -> Reading:
    del edit
    colors = {color.value[0]: color for color in Color}
    banked = [
        ReadPiece(colors[code[0]], Size(int(code[1])), Posture.UPRIGHT, Role.BANK)
        for code in reading.inventory.unseen
    ]
    return corrected(reading, [*reading.pieces, *banked])


def _home(reading: Reading, edit: Fields) -> Reading:
    number, home = _system(reading, edit), edit.optional("home", lambda key: edit.word(key, words_of(Seat)))
    others = {system.id: None for system in reading.systems if home and system.home is home}
    return corrected(reading, reading.pieces, {**others, number: home})


def _began(reading: Reading, edit: Fields) -> Reading:
    edit.word("seat", words_of(Seat))
    return reading


_ACTIONS: Mapping[str, Callable[[Reading, Fields], Reading]] = {
    "change": _change,
    "answer": _answer,
    "confirm": _confirm,
    "add": _add,
    "remove": _remove,
    "rest-in-bank": _rest_in_bank,
    "home": _home,
    "began": _began,
}


def _with(reading: Reading, piece: ReadPiece, wish: Fields, index: int | None) -> ReadPiece:
    """*piece* with the properties that are wished for, and what follows from its role."""
    told = replace(
        piece,
        color=wish.word("color", words_of(Color)) if wish.has("color") else piece.color,
        size=wish.word("size", SIZES) if wish.has("size") else piece.size,
        owner=wish.word("owner", words_of(Seat)) if wish.has("owner") else piece.owner,
        role=wish.word("role", words_of(Role)) if wish.has("role") else piece.role,
        system=_system(reading, wish) if wish.has("system") else piece.system,
        field=_field(reading, wish, index) if wish.has("field") else piece.field,
    )
    if wish.has("field"):
        told = replace(told, role=Role.SHIP)
    return _as_its_role(reading, told)


def _as_its_role(reading: Reading, piece: ReadPiece) -> ReadPiece:
    """Ships lie and have an owner, stars stand and have none, and what is in the bank is nowhere else."""
    if piece.role is Role.SHIP:
        return replace(piece, posture=Posture.LYING, owner=piece.owner or Seat.SOUTH)
    if piece.role is Role.STAR:
        if reading.game is Game.SETTLERS:
            raise BadEdit("There are no stars in Settlers: every piece on the board is a ship.")
        return replace(piece, posture=Posture.UPRIGHT, owner=None, heading_deg=None)
    return replace(piece, owner=None, system=None, field=None)


def _answered(key: str) -> Callable[[Reading, ReadPiece, Fields, int], ReadPiece]:
    def tell(reading: Reading, piece: ReadPiece, edit: Fields, index: int) -> ReadPiece:
        return _with(reading, piece, Fields({key: edit.text("value")}, "answer"), index)

    return tell


def _posture_answered(reading: Reading, piece: ReadPiece, edit: Fields, index: int) -> ReadPiece:
    del index
    upright = edit.word("value", words_of(Posture)) is Posture.UPRIGHT
    return _as_its_role(reading, replace(piece, role=Role.STAR if upright else Role.SHIP))


def _place_answered(reading: Reading, piece: ReadPiece, edit: Fields, index: int) -> ReadPiece:
    value = edit.text("value")
    wish = {"system": int(value)} if value.isdecimal() else {"field": value}
    return _with(reading, piece, Fields(wish, "answer"), index)


_PROPERTIES = {
    Ask.COLOR: _answered("color"),
    Ask.SIZE: _answered("size"),
    Ask.OWNER: _answered("owner"),
    Ask.ROLE: _answered("role"),
    Ask.POSTURE: _posture_answered,
    Ask.PLACE: _place_answered,
}


def _value(piece: ReadPiece | ReadAlternative, ask: Ask) -> object:
    return getattr(piece, ask.value, None) if ask not in (Ask.ROLE, Ask.PLACE) else None


def _like(one: ReadPiece | ReadAlternative, other: ReadPiece) -> bool:
    return (one.color, one.size, one.posture, one.owner) == (other.color, other.size, other.posture, other.owner)


def _replaced(reading: Reading, index: int, piece: ReadPiece) -> Reading:
    """The reading with another piece at *index*, taken as it is with whatever doubts it still has."""
    pieces = [*reading.pieces[:index], piece, *reading.pieces[index + 1 :]]
    return corrected(replace(reading, pieces=tuple(pieces)), pieces)


def _index(reading: Reading, edit: Fields) -> int:
    index = edit.integer("piece")
    if not 0 <= index < len(reading.pieces):
        raise BadEdit("There is no such piece any more: look at the reading as it is now.")
    return index


def _system(reading: Reading, fields: Fields) -> int:
    """A system by its id; id 0 founds a new one."""
    number = fields.integer("system")
    if number == 0:
        return max((system.id for system in reading.systems), default=0) + 1
    if number not in {system.id for system in reading.systems}:
        raise BadEdit("There is no such system any more: choose one that is there, or a new one.")
    return number


def _field(reading: Reading, wish: Fields, index: int | None) -> str:
    name = wish.word("field", FIELDS)
    for other, piece in enumerate(reading.pieces):
        if piece.field == name and piece.on_table and other != index:
            raise BadEdit(f"On {name} there is a {kind_in_words(piece)} already: remove it first, or change it.")
    return name
