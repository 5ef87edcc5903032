"""Turns told in sentences, in both games."""

from __future__ import annotations

import pytest

from rules import Color, Piece, Seat, homeworlds, settlers
from rules.homeworlds import Homeworld, Pass, Position, SelfElimination, read_turn
from rules.homeworlds.prose import told as told_homeworlds
from rules.settlers.prose import told as told_settlers

P = Piece.parse
FREE = homeworlds.Options(self_elimination=SelfElimination.ALLOWED)
TABLE = "<0>; South(0,r2b1)y3g3-g1; North(1,y1b3)r2-g3; Sol(g2)y2b1-g1g2; Vega(y3)-r1"
BOARD = "6/6/3G12/2r1y1b11/1g12g11/4y1g2 S 0"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pass", "South passes."),
        ("build y1 South", "South builds a small yellow at South."),
        ("trade b1 Sol yellow", "South trades the small blue at Sol for a yellow one."),
        ("move b1 Sol Vega", "South moves the small blue from Sol to Vega."),
        (
            "discover y2 Sol r3 Deneb",
            "South discovers Deneb, a large red star, with the medium yellow from Sol.",
        ),
        ("capture g1 South", "South captures North's small green at South."),
        (
            "sacrifice y3 South; move y2 Sol Vega; move y2 Vega South; pass",
            "South sacrifices the large yellow at South, moves the medium yellow from Sol to Vega, "
            "moves the medium yellow from Vega to South and lets an action go.",
        ),
        (
            "sacrifice g3 South; build y1 South",
            "South sacrifices the large green at South and builds a small yellow at South.",
        ),
    ],
)
def test_homeworlds(text: str, sentence: str) -> None:
    position = Position.parse(TABLE)
    assert told_homeworlds(read_turn(text, position, FREE), position.to_move) == sentence


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        ((), "North passes."),
        ((Pass(),), "North passes."),
        (
            (Homeworld((P("b1"), P("r2")), P("g3"), "Sol"),),
            "North sets up Sol, with a small blue and a medium red as stars and a large green ship.",
        ),
        (
            (Homeworld((P("b1"),), P("g3"), "Sol"),),
            "North sets up Sol, with a small blue as its star and a large green ship.",
        ),
        (
            (Homeworld((P("b1"), P("r2")), P("g3"), "Sol", (P("y1"),)),),
            "North sets up Sol, with a small blue and a medium red as stars and "
            "a large green ship and a small yellow ship.",
        ),
        ((homeworlds.Catastrophe("Sol", Color.RED),), "North declares the red catastrophe at Sol."),
    ],
)
def test_homeworlds_turns_as_they_stand(turn: homeworlds.Turn, sentence: str) -> None:
    assert told_homeworlds(turn, Seat.NORTH) == sentence


@pytest.mark.parametrize(
    ("line", "text", "sentence"),
    [
        ("6/6/6/6/6/6 S 0", "^ g1 c3", "South lands a small green on c3."),
        ("6/6/6/6/6/6 N 0", "pass", "North passes."),
        (BOARD, "G b2: r1 b1", "South takes the small green on b2 and builds a small red on b1."),
        (
            BOARD,
            "G f1: r1 f2 > e2: y1 d1",
            "South takes the medium green on f1, builds a small red on f2, goes on building from e2 "
            "and builds a small yellow on d1.",
        ),
        (BOARD, "R c3: x d4", "South takes the small red on c3 and conquers d4."),
        (BOARD, "Y d3: d3-d2", "South takes the small yellow on d3 and moves d3 to d2."),
        (BOARD, "B e3: e3=y", "South takes the small blue on e3 and trades e3 for a yellow one."),
        (BOARD, "B e3: d3+", "South takes the small blue on e3 and upgrades d3."),
    ],
)
def test_settlers(line: str, text: str, sentence: str) -> None:
    position = settlers.Position.parse(line)
    assert told_settlers(settlers.read_turn(text, position), position) == sentence


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        ((), "South passes."),
        ((settlers.Pass(),), "South passes."),
        ((settlers.Choose("d3"), settlers.Pass()), "South takes the small yellow on d3."),
        (
            (settlers.Choose("d3"), settlers.Move(("d3", "c4", "b5", "a6"))),
            "South takes the small yellow on d3 and moves d3 to a6 over c4, b5.",
        ),
    ],
)
def test_settlers_turns_as_they_stand(turn: settlers.Turn, sentence: str) -> None:
    assert told_settlers(turn, settlers.Position.parse(BOARD)) == sentence
