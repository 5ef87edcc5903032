"""What the page says about how turns are written: every example can be read, and the hint is about the turn now."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from game_tables import Eyes, Table

from companion_app.web.writing import EXAMPLES
from rules import homeworlds, settlers
from rules.records import GameKind

FLEETS = "<0>; South(0,b3y2)y1g2g3-; North(1,b1r2)-y3; Vega(r1)y2-y1"
CROWDED = FLEETS + "; Mira(b2)b2b1-b3"
ON = {
    "land g1 c3": "6/6/6/6/6/6 S 0",
    "G c3: r1 d4": "6/6/6/2g13/6/6 S 0",
    "Y c3: c3-c4": "6/6/6/2y13/6/6 S 0",
    "R c3: x d4": "6/6/3Y12/2r23/6/6 S 0",
    "B c3: c3=g": "6/6/6/2b13/6/6 S 0",
}
"""Boards on which the examples of Settlers can be played; those of Homeworlds can be in the fleets above."""


@pytest.mark.parametrize(("kind", "turn"), [(kind, one.turn) for kind in EXAMPLES for one in EXAMPLES[kind]])
def test_every_example_is_a_turn_that_the_referee_reads(kind: GameKind, turn: str) -> None:
    if kind is GameKind.SETTLERS:
        board = settlers.Position.parse(ON.get(turn, ON["land g1 c3"]))
        assert settlers.read_turn(turn, board, settlers.Options()) or turn == "pass"
    else:
        fleets = CROWDED if turn.startswith("catastrophe") else FLEETS
        there = homeworlds.Position() if turn.startswith("homeworld") else homeworlds.Position.parse(fleets)
        assert homeworlds.read_turn(turn, there, homeworlds.Options())


def hint(table: Table) -> str:
    found = re.search('placeholder="([^"]*)"', table.now()["parts"]["moves"])
    assert found
    return found[1]


def test_the_hint_is_a_turn_like_the_one_now(settlers: Table) -> None:
    assert hint(settlers) == "land g1 c3"
    settlers.type("land g1 c3")
    assert hint(settlers) == "land g1 c3"
    settlers.type("land g1 d4")
    assert hint(settlers) == "G c3: r1 d4"


def test_the_examples_are_those_of_the_game(client: FlaskClient, eyes: Eyes, settlers: Table) -> None:
    homes = Table(client, eyes, game="homeworlds")
    assert hint(homes) == "homeworld b3 y1 g3 South"
    assert "the set-up" in homes.now()["parts"]["moves"]
    assert "the set-up" not in settlers.now()["parts"]["moves"]
    assert "builds a small red on d4" in settlers.now()["parts"]["moves"]
