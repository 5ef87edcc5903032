"""What the text of a turn says, taken apart: its readings, their sayings, and the steps each saying can mean.

A text has one *reading* or a few: tuples of sayings. A saying is the choice of an :class:`Actor`, or the text of one
action in plain tokens such as ``r1 d4`` or ``c3 - d4``. What a saying means depends on the turn so far.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.bank import Bank
from rules.errors import IllegalTurn, InvalidTurn, quoted
from rules.pieces import KINDS, Color, Piece, Size
from rules.settlers.position import Position
from rules.settlers.steps import Build, Choose, Conquer, Land, Move, Pass, Step, Trade, Transfer, Upgrade
from rules.settlers.table import either
from rules.settlers.turns import PartialTurn

LONGEST: Final = 2000
"""The most letters that a turn may have."""

EXAMPLE: Final = "G c3: r1 d4, y1 b2"
"""A turn in strict notation, for sentences."""

_ACTION_EXAMPLES = "r1 d4 to build, x c5 to conquer, c3-d4 to move, c3=g to trade, c3+ to upgrade, or ^ g1 f6 to land"


@dataclass(frozen=True)
class Actor:
    """The action piece as far as it is said: its *field* and its *code*, such as ``g`` or ``g2``.

    Where the field is not said, it is any of one's pieces of one of the *colors*.
    """

    field: str = ""
    code: str = ""
    colors: frozenset[Color] = frozenset()


Saying = Actor | str

# ---- tokens ----

_TOKEN = re.compile(
    r"(?P<joint>[-–—−‐‑=]+>|[-–—−‐‑→⇒➔]+)"
    r"|(?P<mark>[:>^=+,;/\n])"
    r"|(?P<glued>x(?=[a-f][1-6])|[rygb](?=[a-f][1-6]))"
    r"|(?P<code>[a-gry][1-6])"
    r"|(?P<word>[a-z]+)"
    r"|(?P<strange>[^\s.]+)"
)
_SAME: dict[str, str] = {
    **dict.fromkeys(("conquer", "conquers", "capture", "captures", "attack", "attacks", "take", "takes"), "x"),
    **dict.fromkeys(("build", "builds", "place", "lay"), "build"),
    **dict.fromkeys(("move", "moves", "go"), "move"),
    **dict.fromkeys(("trade", "trades", "swap", "exchange", "convert"), "trade"),
    **dict.fromkeys(("upgrade", "upgrades", "grow"), "upgrade"),
    **dict.fromkeys(("land", "lands", "landing"), "^"),
    **dict.fromkeys(("transfer", "transfers"), ">"),
    **dict.fromkeys(("to", "into", "via", "by", "for"), "-"),
    **dict.fromkeys(("and", "then", ";", "/", "\n"), ","),
    **dict.fromkeys(("a", "an", "at", "from", "in", "on", "the"), ""),
    **{word: word for word in ("x", "pass", "small", "medium", "large", *":>^=+,")},
    **{letter: letter for letter in "rygb"},
    **{color.value: color.letter for color in Color},
}
_COLOR_OF = {color.letter: color for color in Color}
_SIZED = re.compile(rf"\b({'|'.join(size.word for size in Size)}) ([rygb])\b")


def _tokens(text: str) -> str:
    """The words of *text* in their plain form, one space between them."""
    if len(text) > LONGEST:
        raise InvalidTurn(
            "turn_too_long", f"This text is too long for a turn: write at most {LONGEST} letters.", longest=LONGEST
        )
    plain = [_plain(found) for found in _TOKEN.finditer(text.strip().lower())]
    line = " ".join(token for token in plain if token)
    if not line:
        raise InvalidTurn("turn_empty", f"Nothing to read: write a turn such as {EXAMPLE}, or pass.")
    return _SIZED.sub(lambda found: found[2] + str(Size[found[1].upper()].value), line)


def _plain(found: re.Match[str]) -> str:
    token: str = found[0]
    if found["joint"]:
        return "-"
    if found["code"] or found["glued"]:
        return token
    if token not in _SAME:
        raise InvalidTurn(
            "word_unknown", f"{quoted(token)} is no word of a turn: write it like {EXAMPLE}, or pass.", text=token
        )
    return _SAME[token]


# ---- actions ----

_FIELD = "[a-f][1-6]"
_PIECE = "(?:(?P<color>[rygb])(?P<size>[1-3])? (?:- )?)?"
_ACTIONS = {
    Color.GREEN: re.compile(rf"(?:build )?{_PIECE}(?P<field>{_FIELD})"),
    Color.RED: re.compile(rf"(?:x )?(?P<field>{_FIELD})"),
    Color.YELLOW: re.compile(rf"(?:move )?(?P<path>{_FIELD}(?: (?:- )?{_FIELD})+)"),
    Color.BLUE: re.compile(
        rf"(?:trade )?(?P<field>{_FIELD}) (?:[-=] )?(?P<color>[rygb])"
        rf"|(?:upgrade )?(?P<grown>{_FIELD}) \+|upgrade (?P<larger>{_FIELD})"
    ),
}
_LANDING = re.compile(rf"\^ (?:: )?{_PIECE}(?P<field>{_FIELD})")
_TRANSFER = re.compile(rf"> (?P<field>{_FIELD})")


def meanings(saying: Saying, partial: PartialTurn) -> Iterable[Step]:
    """The steps that *saying* can mean after *partial*, legal or not; the likelier come first.

    A :class:`rules.IllegalTurn` where it names an action piece other than the one that lies there, or leaves it open
    where no piece of one's own can do this.
    """
    if isinstance(saying, Actor):
        return _choices(saying, partial.position)
    if saying == "pass":
        return [Pass()]
    if found := _TRANSFER.fullmatch(saying):
        return [Transfer(found["field"])]
    if found := _LANDING.fullmatch(saying):
        color = found["color"] or Color.GREEN.letter
        return [Land(piece, found["field"]) for piece in _pieces(color, found["size"], partial.so_far.bank)]
    said, acting = _colors(saying), _acting(partial)
    return [step for color in ([acting] if acting in said else said) for step in _actions(saying, color, partial)]


def _choices(actor: Actor, position: Position) -> Iterator[Step]:
    if not actor.field:
        mine = {field: ship.piece for field, ship in position.board.items() if ship.owner is position.to_move}
        able = [field for field, piece in mine.items() if piece.color in actor.colors]
        if not able:
            raise _none_owned(actor.colors, list(mine))
        yield from map(Choose, able)
        return
    there = position.board.get(actor.field)
    if there and not there.piece.code.startswith(actor.code):
        raise IllegalTurn(
            "other_piece_there",
            f"The piece on {actor.field} is a {there.piece.words}: write {there.piece.color.letter.upper()} "
            f"{actor.field}, or name another field.",
            field=actor.field,
            piece=there.piece.code,
        )
    yield Choose(actor.field)


def _none_owned(colors: frozenset[Color], mine: list[str]) -> IllegalTurn:
    """Why nobody can act where only a piece of these *colors* could, and none of one's own, on *mine*, is."""
    lands = not mine or Color.GREEN in colors
    instead = "land a green one, as in ^ g1 f6" if lands else f"play with what you have on {either(mine)}"
    wanted = either(color.value for color in Color if color in colors)
    return IllegalTurn("none_owned", f"You own no {wanted} piece, and this takes one: {instead}.")


def _acting(partial: PartialTurn) -> Color | None:
    """The colour of the action piece, and so of the actions."""
    match partial.steps[:1]:
        case (Choose(field),):
            return partial.position.board[field].piece.color
    return None


def _colors(saying: str) -> list[Color]:
    """The colours of the actions that *saying* can be."""
    return [color for color, pattern in _ACTIONS.items() if pattern.fullmatch(saying)]


def _actions(saying: str, color: Color, partial: PartialTurn) -> list[Step]:
    """The actions of *color* that *saying* can mean."""
    found = _ACTIONS[color].fullmatch(saying)
    assert found
    match color:
        case Color.RED:
            return [Conquer(found["field"])]
        case Color.YELLOW:
            return [Move(tuple(re.findall(_FIELD, found["path"])))]
        case Color.GREEN:
            return [
                Build(piece, found["field"]) for piece in _pieces(found["color"], found["size"], partial.so_far.bank)
            ]
        case Color.BLUE:
            if found["field"]:
                return [Trade(found["field"], _COLOR_OF[found["color"]])]
            return [Upgrade(found["grown"] or found["larger"])]


def _pieces(color: str | None, size: str | None, bank: Bank) -> list[Piece]:
    """The pieces that a colour and a size, said or not, can mean; the smallest that the *bank* holds comes first."""
    pieces = [piece for piece in KINDS if piece.color.letter == (color or piece.color.letter)]
    if size:
        return [piece for piece in pieces if piece.size == int(size)]
    return sorted(pieces, key=lambda piece: (not bank[piece], piece.size))


# ---- readings ----

_VERBS = {"build": "g", "x": "r", "move": "y", "trade": "b", "upgrade": "b"}
_HEAD = re.compile(rf"(?:(?P<verb>{'|'.join(_VERBS)}) )?(?:(?P<code>[rygb][1-3]?) )?(?P<field>{_FIELD})")
_HEADED = re.compile(rf"(?:(?P<code>[rygb][1-3]?) )?(?P<field>{_FIELD})(?P<rest>(?: .*)?)")
_TRANSFERRED = re.compile(rf"(?:g )?(?P<field>{_FIELD})(?: :)?(?P<rest>(?: .*)?)")


def readings(text: str) -> list[tuple[Saying, ...]]:
    """Every way to take *text* apart, at least one; :class:`rules.InvalidTurn` where there is none."""
    first, *later = [part.strip(" ,") for part in _tokens(text).split(">")]
    continued = [saying for part in later for saying in _continued(part)]
    return [(*start, *continued) for start in _starts(first)]


def _starts(part: str) -> list[Sequence[Saying]]:
    """The readings of what comes before the first transfer: an action piece, said or not, and its actions."""
    if part.startswith(("^", "pass")):
        return [_sayings(part)]
    head, colon, rest = part.partition(":")
    if colon:
        found = _HEAD.fullmatch(head.strip())
        if not found:
            raise InvalidTurn(
                "action_piece_unreadable",
                f"{quoted(head)} is no action piece: before the colon write its colour and field, as in {EXAMPLE}.",
                text=head.strip(),
            )
        code = found["code"] or _VERBS.get(found["verb"], "")
        return [[Actor(found["field"], code), *_sayings(rest)]]
    return _starts_without_colon(part)


def _starts_without_colon(part: str) -> list[Sequence[Saying]]:
    starts: list[Sequence[Saying]] = []
    found = _HEADED.fullmatch(part)
    if found and (found["code"] or found["rest"]) and _readable(found["rest"]):
        starts.append([Actor(found["field"], found["code"] or ""), *_sayings(found["rest"])])
    if _readable(part) or not starts:
        if not part:
            raise InvalidTurn(
                "action_piece_missing",
                f"Nothing says which piece acts: begin with its colour and field, as in {EXAMPLE}.",
            )
        actions = _sayings(part)
        starts.append([Actor(colors=frozenset(_colors(_split(part)[0]))), *actions])
    return starts


def _continued(part: str) -> Sequence[Saying]:
    """What stands between one transfer and the next: the Green that goes on, and what it builds; or a landing."""
    if part.startswith("^"):
        return _sayings(part)
    found = _TRANSFERRED.fullmatch(part)
    if not found:
        raise InvalidTurn(
            "transfer_unreadable",
            f"{quoted(part)} cannot follow a transfer: after > write the field of the next Green and what it builds, "
            "as in > d4: g1 e5, or a landing, as in > ^ g1 f6.",
            text=part,
        )
    return [f"> {found['field']}", *_sayings(found["rest"])]


def _sayings(text: str) -> Sequence[Saying]:
    """The actions in *text*, one by one."""
    actions = _split(text)
    for action in actions:
        if not _is_readable(action):
            raise InvalidTurn(
                "action_unreadable",
                f"{quoted(action)} is no action: write {_ACTION_EXAMPLES}.",
                text=action,
            )
    return actions


def _readable(text: str) -> bool:
    return all(_is_readable(action) for action in _split(text))


def _split(text: str) -> list[str]:
    return [action.strip() for action in text.split(",") if action.strip()]


def _is_readable(action: str) -> bool:
    return action == "pass" or bool(_LANDING.fullmatch(action)) or bool(_colors(action))
