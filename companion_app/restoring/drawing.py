"""Small drawings for the steps, the diagram with the marks of the steps on it, and both in the colours of paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from companion_app.diagram import Key
from companion_app.diagram.card import ACCENT, CARD, EDGE, FAINT, INK, PANEL
from companion_app.diagram.homeworlds import draw_homeworlds
from companion_app.diagram.pieces import OUTLINE, Numbers, draw_ship, draw_star
from companion_app.diagram.settlers import DARK, LIGHT, NAME, draw_settlers
from companion_app.diagram.svg import Element, Point, add, points, text, written
from companion_app.notation import Position
from companion_app.restoring.comparing import Found, Mark
from companion_app.restoring.steps import Plan
from rules import settlers
from rules.settlers import FILES

PAPER = {
    CARD: "#ffffff",
    PANEL: "#f3f3f3",
    EDGE: "#999999",
    INK: "#111111",
    FAINT: "#555555",
    ACCENT: "#8a6100",
    LIGHT: "#eeeeee",
    DARK: "#d2d2d2",
    NAME: "#555555",
    OUTLINE: "#222222",
}
"""Of each colour of a diagram the one on white paper."""

_UNIT = 40.0
_STROKES: Mapping[Mark, Sequence[Sequence[Point]]] = {
    Mark.DONE: [[(-3.5, 0), (-1, 3), (3.5, -3)]],
    Mark.WRONG: [[(-3, -3), (3, 3)], [(-3, 3), (3, -3)]],
}
"""A tick and a cross, for colour is never the only sign."""
_INKS = {Mark.DONE: "#8fe3ad", Mark.LIKELY: "#ffd166", Mark.WRONG: "#ff8a84"}


def step_svg(plan: Plan, number: int) -> str:
    """The piece of a step as it should stand or lie, seen from South's seat; and on a board, where."""
    step, on_board = plan.steps[number], isinstance(plan.position, settlers.Position)
    width = 2.1 * _UNIT if on_board else _UNIT
    svg = _picture(width, _UNIT)
    if step.piece is None:
        return written(svg)
    middle = (_UNIT / 2, _UNIT / 2)
    if step.owner is None:
        draw_star(svg, step.piece, middle, _UNIT * 0.84)
    else:
        draw_ship(svg, step.piece, middle, step.owner, _UNIT * 0.86)
    if on_board:
        _draw_board(svg, step.place)
    return written(svg)


def plan_svg(plan: Plan, found: Sequence[Found]) -> str:
    """The diagram of the position: what is still to be laid is pale, and every piece bears the sign of its step."""
    numbers: dict[Key, list[int]] = defaultdict(list)
    for number, step in enumerate(plan.steps):
        if step.piece:
            numbers[step.place, step.owner and step.owner.value, step.piece.code].append(number)
    svg = _diagram(plan.position, Numbers(numbers))
    for group in svg.iter("g"):
        if "data-index" in group.attrib:
            mark = found[int(group.attrib["data-index"])].mark
            group.set("data-mark", mark.value)
            _sign(group, mark)
    return written(svg)


def on_paper(svg: str) -> str:
    """A diagram in dark lines on white, to be printed."""
    for screen, paper in PAPER.items():
        svg = svg.replace(screen, paper)
    return svg


def _diagram(position: Position, numbers: Numbers) -> Element:
    if isinstance(position, settlers.Position):
        return draw_settlers(position, numbers, {})
    return draw_homeworlds(position, numbers)


def _picture(width: float, height: float) -> Element:
    """An empty drawing that says nothing to screen readers: the sentence of the step stands beside it."""
    return ET.Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width:g} {height:g}", "aria-hidden": "true"}
    )


def _draw_board(svg: Element, field: str) -> None:
    """The board as a diamond of lines with one field filled."""
    side = len(FILES)
    step = _UNIT / (2 * side)
    foot = (1.6 * _UNIT, _UNIT)

    def at(file: int, rank: int) -> Point:
        return foot[0] + (file - rank) * step, foot[1] - (file + rank) * step

    lines = [(at(n, 0), at(n, side)) for n in range(side + 1)] + [(at(0, n), at(side, n)) for n in range(side + 1)]
    path = " ".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for (x1, y1), (x2, y2) in lines)
    add(svg, "path", d=path, stroke="#8d99c6", stroke_width=0.6, fill="none")
    file, rank = FILES.index(field[0]), int(field[1]) - 1
    corners = [at(file, rank), at(file + 1, rank), at(file + 1, rank + 1), at(file, rank + 1)]
    add(svg, "polygon", points=points(corners), fill="#e3a82b", stroke="#8a6100", stroke_width=0.8)


def _sign(group: Element, mark: Mark) -> None:
    """What is open becomes pale; everything else gets its sign in the upper right corner of the piece."""
    if mark is Mark.OPEN:
        group.set("opacity", "0.35")
        return
    body = next(group.iter("polygon"))
    corners = [tuple(map(float, pair.split(","))) for pair in body.attrib["points"].split()]
    x, y = max(corner[0] for corner in corners), min(corner[1] for corner in corners)
    add(group, "circle", cx=x - 2, cy=y + 2, r=8, fill=CARD, stroke=_INKS[mark], stroke_width=1.5)
    if mark is Mark.LIKELY:
        text(group, (x - 2, y + 2), "?", size=11, fill=_INKS[mark], font_weight="bold")
    for stroke in _STROKES.get(mark, ()):
        ends = [(x - 2 + dx, y + 2 + dy) for dx, dy in stroke]
        add(group, "polyline", points=points(ends), fill="none", stroke=_INKS[mark], stroke_width=2)
