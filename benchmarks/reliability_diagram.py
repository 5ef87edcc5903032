"""A reliability diagram as SVG: what was said to the right, how often it was right upwards, on a scale of odds.

A calibrated reader's marks lie on the diagonal. Bars show where the true share lies with 95 %, numbers how many
claims a mark stands for; few claims make a hollow mark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from benchmarks.marking import Claim
from benchmarks.reliability import KINDS, Bin, bins_of, calibration_error, of_kind

SIDE, MARGIN, HEAD, GAP = 250, 46, 44, 22  # px: of a panel, beside it, above it and between two
COLUMNS = 3
LEAST = 0.002  # the axes run from here to as near below 1
TICKS = (0.01, 0.1, 0.5, 0.9, 0.99)
MANY = 30  # claims


def diagram(claims: Sequence[Claim]) -> str:
    """One panel for each kind of claim that there is."""
    kinds = [kind for kind in KINDS if of_kind(claims, kind)]
    columns, rows = min(COLUMNS, max(1, len(kinds))), -(-len(kinds) // COLUMNS)
    width, height = MARGIN + columns * (SIDE + GAP + MARGIN), rows * (HEAD + SIDE + MARGIN) + GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for number, kind in enumerate(kinds):
        row, column = divmod(number, COLUMNS)
        x, y = MARGIN + 8 + column * (SIDE + GAP + MARGIN), HEAD + row * (HEAD + SIDE + MARGIN)
        lines += [f'<g transform="translate({x} {y})">', *_panel(kind, of_kind(claims, kind)), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _panel(kind: str, claims: Sequence[Claim]) -> Iterator[str]:
    yield _text(0, -22, kind, "start", "bold")
    note = f"{len(claims)} claims, expected calibration error {100 * calibration_error(claims):.2f} %"
    yield _text(0, -8, note, "start")
    yield f'<rect width="{SIDE}" height="{SIDE}" fill="none" stroke="#888"/>'
    for tick in TICKS:
        at = _place(tick)
        yield _line(at, 0, at, SIDE, "#ddd")
        yield _line(0, SIDE - at, SIDE, SIDE - at, "#ddd")
        yield _text(at, SIDE + 14, f"{100 * tick:g} %", "middle")
        yield _text(-5, SIDE - at + 4, f"{100 * tick:g} %", "end")
    yield _line(0, SIDE, SIDE, 0, "#888", 'stroke-dasharray="5 4"')
    yield _text(SIDE / 2, SIDE + 30, "said", "middle")
    for one in bins_of(claims):
        yield from _mark(one)


def _mark(one: Bin) -> Iterator[str]:
    x, y = _place(one.confidence), SIDE - _place(one.share)
    low, high = one.interval
    yield _line(x, SIDE - _place(low), x, SIDE - _place(high), "#124", 'stroke-width="1.5"')
    filling = "#124" if one.count >= MANY else "white"
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{filling}" stroke="#124" stroke-width="1.5"/>'
    beside, anchor = (x - 7, "end") if x > SIDE / 2 else (x + 7, "start")
    yield _text(beside, y + 14 if y < SIDE / 2 else y - 6, str(one.count), anchor)


def _place(share: float) -> float:
    """Where a probability lies on an axis, in px: by its odds, so that 99 % and 99.9 % are apart."""
    inside = min(1 - LEAST, max(LEAST, share))
    most = math.log((1 - LEAST) / LEAST)
    return SIDE * (math.log(inside / (1 - inside)) / most + 1) / 2


def _line(x0: float, y0: float, x1: float, y1: float, ink: str, more: str = "") -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{ink}" {more}/>'


def _text(x: float, y: float, words: str, anchor: str, weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'
