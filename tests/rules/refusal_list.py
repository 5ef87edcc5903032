"""Writes ``docs/refusals.md``, what a turn can be refused with, from the examples in ``data/refusals.tsv``.

From the root of the project, ``python -m tests.rules.refusal_list``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))  # where pytest finds the neighbours of this file

import test_homeworlds_rulings
import test_settlers_rulings
from tables import rows

from rules import Piece, RulesError, homeworlds, settlers

PAGE: Final = Path(__file__).parents[2] / "docs" / "refusals.md"

EMPTY: Final = {"homeworlds": "<0>", "settlers": "6/6/6/6/6/6 S 0"}
TEXTS: Final = {"(nothing)": "", "(2001 letters)": "g" * 2001}
HOMEWORLDS_STEPS: Final[dict[str, homeworlds.Turn]] = {
    "(discover y3 Austral g3 without a name)": (
        homeworlds.Discover(Piece.parse("y3"), "Austral", Piece.parse("g3"), ""),
    ),
}
SETTLERS_STEPS: Final[dict[str, settlers.Turn]] = {
    "(choose g7)": (settlers.Choose("g7"),),
    "(choose c4, then choose c4)": (settlers.Choose("c4"), settlers.Choose("c4")),
    "(choose c3, then choose c3)": (settlers.Choose("c3"), settlers.Choose("c3")),
    "(build r1 d4 without choosing)": (settlers.Build(Piece.parse("r1"), "d4"),),
    "(Y a2: a2 and no further)": (settlers.Choose("a2"), settlers.Move(("a2",))),
}
"""What no text can say, but a program can."""

INTRODUCTION: Final = """# Why a turn is refused

What refuses a turn is a `RulesError` with a stable `code` for programs, one `sentence` for people that says what
would have been legal, the `parameters` that the sentence speaks of, and as its `rule` the number of one of
[our rulings](rulings.md), or nothing (–) where the wording of the turn is wrong rather than the turn. A turn that the
position forbids is an `IllegalTurn`, a text that is no turn an `InvalidTurn`, and a text that says several legal
turns an `AmbiguousTurn`. The four common mistakes of the rule book of Homeworlds have codes of their own: you can't
move there (`not_connected`), you can't do that (`power_is_the_enemys`), you can't build that (`no_ship_of_color`,
`not_smallest`), and you can't capture yet (`arrived_this_turn`, `too_big`, `no_power`). The examples, whose
positions are in [refusals.tsv](../tests/rules/data/refusals.tsv), show the turn as it is typed; what stands in
brackets is said at the table, or done by a program without text. This page is written by
`python -m tests.rules.refusal_list`.
"""
TITLES: Final = {"homeworlds": "Homeworlds", "settlers": "Homeworlds Settlers"}
LONGEST_TURN: Final = 70


class Example(NamedTuple):
    """A game whose last turn is refused."""

    game: str
    error: str
    code: str
    ruling: str
    start: str
    options: str
    turns: str

    @property
    def last(self) -> str:
        """The turn that is refused."""
        return self.turns.split(" | ")[-1]


EXAMPLES: Final = tuple(Example(*row) for row in rows("refusals.tsv"))


def refusal_of(example: Example) -> RulesError | None:
    """What the engine says to the last turn; a refusal of an earlier one is raised."""
    game = _begun(example)
    *before, last = example.turns.split(" | ")
    for said in before:
        _play(game, said)
    try:
        _play(game, last)
    except RulesError as refusal:
        return refusal
    return None


def _begun(example: Example) -> homeworlds.Game | settlers.Game:
    start = example.start or EMPTY[example.game]
    if example.game == "homeworlds":
        return test_homeworlds_rulings.game_of(start, example.options)
    return test_settlers_rulings.game_of(start, example.options)


def _play(game: homeworlds.Game | settlers.Game, said: str) -> None:
    if said in TEXTS:
        game.push_text(TEXTS[said])
    elif isinstance(game, settlers.Game):
        game.push(SETTLERS_STEPS[said]) if said in SETTLERS_STEPS else game.push_text(said)
    elif said in HOMEWORLDS_STEPS:
        game.push(HOMEWORLDS_STEPS[said])
    else:
        test_homeworlds_rulings.play(game, said)


def page(examples: Iterable[Example] = EXAMPLES) -> str:
    """The whole page."""
    found = list(examples)
    lines = [INTRODUCTION]
    for game, title in TITLES.items():
        lines += [f"## {title}", "", "| code | ruling | turn | sentence | parameters |", "|---|---|---|---|---|"]
        lines += [*_rows(example for example in found if example.game == game), ""]
    return "\n".join(lines)


def _rows(examples: Iterable[Example]) -> Iterator[str]:
    for example in examples:
        refusal = refusal_of(example)
        assert refusal, f"nothing refuses {example}"
        kind = "" if example.error == "IllegalTurn" else f" ({example.error})"
        parameters = ", ".join(f"`{name}`" for name in refusal.parameters) or "–"
        cells = (
            f"`{refusal.code}`{kind}",
            refusal.rule or "–",
            _shown(example.last),
            _plain(refusal.sentence),
            parameters,
        )
        yield f"| {' | '.join(cells)} |"


def _shown(turn: str) -> str:
    """A turn as the page shows it: what is said is in brackets, what is written looks like code."""
    if turn.startswith("("):
        return turn
    return f"`{turn if len(turn) <= LONGEST_TURN else turn[: LONGEST_TURN - 1] + '…'}`"


def _plain(sentence: str) -> str:
    """A sentence with its marks as they stand, none of them Markdown."""
    return "".join(f"\\{letter}" if letter in r"\`*_<>|[]" else letter for letter in sentence)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
