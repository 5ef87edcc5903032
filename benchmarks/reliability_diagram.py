"""A reliability diagram as SVG: what was said to the right, how often it was right upwards, on a scale of odds.

A calibrated reader's marks lie on the diagonal. Bars show where the true share lies with 95 %, the numbers below how
many claims a mark stands for; few claims make a hollow mark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from benchmarks.marking import Claim
from benchmarks.reliability import KINDS, Bin, bins_of, calibration_error, of_kind

SIDE, LEFT, HEAD, FOOT = 260, 64, 48, 66  # px: of a panel, and left of, above and below it
COLUMNS = 3
LEAST, MOST = 0.02, 0.9995  # where the axes begin and end
TICKS = (0.1, 0.5, 0.9, 0.99, 0.999)
MANY = 30  # claims


def diagram(claims: Sequence[Claim]) -> str:
    """One panel for each kind of claim that there is."""
    kinds = [kind for kind in KINDS if of_kind(claims, kind)]
    columns, rows = min(COLUMNS, max(1, len(kinds))), -(-len(kinds) // COLUMNS)
    width, height = columns * (LEFT + SIDE) + LEFT // 2, rows * (HEAD + SIDE + FOOT)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for number, kind in enumerate(kinds):
        row, column = divmod(number, COLUMNS)
        x, y = LEFT + column * (LEFT + SIDE), HEAD + row * (HEAD + SIDE + FOOT)
        lines += [f'<g transform="translate({x} {y})">', *_panel(kind, of_kind(claims, kind)), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _panel(kind: str, claims: Sequence[Claim]) -> Iterator[str]:
    yield _text(0, -24, KINDS[kind], "start", 'font-weight="bold"')
    note = f"{len(claims)} claims, expected calibration error {100 * calibration_error(claims):.2f} %"
    yield _text(0, -9, note, "start")
    yield f'<rect width="{SIDE}" height="{SIDE}" fill="none" stroke="#888"/>'
    for tick in TICKS:
        at = _place(tick)
        yield _line(at, 0, at, SIDE, "#ddd")
        yield _line(0, SIDE - at, SIDE, SIDE - at, "#ddd")
        yield _text(at, SIDE + 44, f"{100 * tick:g} %", "middle")
        yield _text(-5, SIDE - at + 4, f"{100 * tick:g} %", "end")
    yield _line(0, SIDE, SIDE, 0, "#888", 'stroke-dasharray="5 4"')
    yield _text(SIDE / 2, SIDE + 58, "said", "middle")
    yield _text(-44, SIDE / 2, "right", "middle", _upwards(-44, SIDE / 2))
    yield _text(-5, SIDE + 18, "claims", "end")
    for one in bins_of(claims):
        yield from _mark(one)


def _mark(one: Bin) -> Iterator[str]:
    x, y = _place(one.confidence), SIDE - _place(one.share)
    low, high = one.interval
    yield _line(x, SIDE - _place(low), x, SIDE - _place(high), "#124", 'stroke-width="1.5"')
    filling = "#124" if one.count >= MANY else "white"
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{filling}" stroke="#124" stroke-width="1.5"/>'
    yield _text(x + 4, SIDE + 7, str(one.count), "end", _upwards(x + 4, SIDE + 7))


def _place(share: float) -> float:
    """Where a probability lies on an axis, in px: by its odds, so that 99 % and 99.9 % are apart."""
    low, high = _log_odds(LEAST), _log_odds(MOST)
    return SIDE * (_log_odds(min(MOST, max(LEAST, share))) - low) / (high - low)


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


def _upwards(x: float, y: float) -> str:
    return f'transform="rotate(-90 {x:.1f} {y:.1f})"'


def _line(x0: float, y0: float, x1: float, y1: float, ink: str, more: str = "") -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{ink}" {more}/>'


def _text(x: float, y: float, words: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(words)}</text>'
