"""Boards of Settlers for the tests of its turns, and why steps are refused on them."""

from __future__ import annotations

import pytest

from rules import IllegalTurn, Piece
from rules.settlers import Options, Position, Turn, begin

P = Piece.parse
EMPTY = "6/6/6/6/6/6 S 0"
GREEN = "6/6/2g23/6/6/6 S 0"  # c4
RED = "6/6/2Y3Y12/2r2R12/6/6 S 0"  # the medium red on c3 and, beside it, Y3 on c4, Y1 on d4, R1 on d3
YELLOW = "6/6/6/1G14/y2g14/b25 S 0"  # the medium yellow on a2 between b2, b3 and a1
BLUE = "6/6/6/4Y1g1/b2g34/g2G14 S 0"  # the medium blue on a2 between a1, b1 and b2; far away f3
CORNER = "6/6/6/6/Y1y14/g2y14 S 0"  # the medium green on a1 has no space, and it is the only green
TWO_GREENS = "6/6/2g13/6/Y1y14/g2y14 S 0"  # now there is another one on c4
CROWDED = "y1y1y1r1r1r1/b1b1b1r2r2r2/r3r3r3y2y2y2/y3y3y3b2b2b2/1b3b3b3g3g3/g1g1g1g2g2g2 S 0"  # only a2 is empty
CHAIN = "6/6/3R22/2Y33/1r3R13/6 S 5"  # the R1 on c2 and the R2 on d4 save Y3 on c3 from r3 on b2, for now
NO_GREENS_LEFT = "6/6/G3G3G33/G2G2G23/G1G1G13/5b1 S 0"


def refused(line: str, steps: Turn, options: Options | None = None) -> IllegalTurn:
    """Why the last of *steps* may not be taken."""
    turn = begin(Position.parse(line), options).play(steps[:-1])
    with pytest.raises(IllegalTurn) as caught:
        turn.apply(steps[-1])
    return caught.value
