"""Diagrams of positions as SVG: one pure function for both games, for the page, files, the README and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion_app.diagram.homeworlds import draw_homeworlds
from companion_app.diagram.pieces import Key, Numbers
from companion_app.diagram.settlers import draw_settlers
from companion_app.diagram.svg import written
from rules import Seat, homeworlds, settlers

__all__ = ["Key", "diagram_svg"]

Position = homeworlds.Position | settlers.Position


def diagram_svg(
    position: Position,
    *,
    indices: Mapping[Key, Sequence[int]] | None = None,
    score: Mapping[Seat, int] | None = None,
    over: bool = False,
) -> str:
    """The diagram of *position* as one SVG element, seen from South's seat; impossible positions are drawn too.

    Args:
        indices: the caller's own numbers of the pieces, by ``(place, owner, code)``: place is the field ("c4") or
            the name of the system, owner a seat's value ("south") or ``None`` for a star, code the piece ("g3").
            Pieces that are alike take the numbers of their key in turn.
        score: Settlers: pips to show beside the players' names.
        over: whether the game has ended there, so that nobody is to move.

    What can be found in it:
        * a piece: ``<g data-piece="g3" data-owner="south" data-place="c4" data-index="7">``; no ``data-owner`` for a
          star, no ``data-index`` without a number, and in Settlers ``data-field="c4"`` as well;
        * a field, empty or not: ``<g data-field="c4">`` without ``data-piece``;
        * a system: ``<g data-system="Sirius">`` around its pieces;
        * a kind in the bank: ``<g data-bank-piece="r1" data-count="2">``; a player's name: ``<g data-seat="south">``.

    Pieces, systems, empty fields and bank kinds carry a ``<title>`` in words. All looks are presentation
    attributes, so a strict content security policy holds; texts are escaped.
    """
    numbers = Numbers(indices or {})
    if isinstance(position, settlers.Position):
        return written(draw_settlers(position, numbers, score or {}, over=over))
    return written(draw_homeworlds(position, numbers, over=over))
