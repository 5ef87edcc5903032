"""A small vocabulary for drawing SVG; the standard library writes the elements and escapes all text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

Element = ET.Element
Point = tuple[float, float]

FONT = "Bitstream Vera Sans, DejaVu Sans, Verdana, sans-serif"

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def add(parent: Element, tag: str, words: str = "", **attributes: str | float | None) -> Element:
    """Append an element; ``fill_opacity=0.5`` becomes ``fill-opacity="0.5"``, ``None`` leaves an attribute out."""
    element = ET.SubElement(parent, tag, _written(attributes))
    element.text = clean(words) or None
    return element


def root(width: float, height: float, label: str, game: str) -> Element:
    """The outermost element, scaling with the page, with *label* as its name for screen readers."""
    svg = ET.Element(
        "svg",
        _written(
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {number(width)} {number(height)}",
                "width": width,
                "height": height,
                "role": "group",
                "aria_label": label,
                "data_game": game,
                "font_family": FONT,
            }
        ),
    )
    add(svg, "title", label)
    return svg


def text(parent: Element, at: Point, words: str, *, size: float, **attributes: str | float | None) -> Element:
    """Words centred on *at* in both directions; ``text_anchor`` may say otherwise."""
    fixed: dict[str, str | float | None] = {"text_anchor": "middle", **attributes}
    return add(parent, "text", words, x=at[0], y=at[1] + size * 0.36, font_size=size, **fixed)


def points(corners: Iterable[Point]) -> str:
    """The corners of a polygon as its ``points`` attribute."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def number(value: float) -> str:
    """A number with at most two decimals and no more characters than needed."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def clean(words: str) -> str:
    """*words* without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", words)


def written(svg: Element) -> str:
    """The drawing as text."""
    return ET.tostring(svg, encoding="unicode")


def _written(attributes: dict[str, str | float | None]) -> dict[str, str]:
    return {
        name.replace("_", "-"): clean(value) if isinstance(value, str) else number(value)
        for name, value in attributes.items()
        if value is not None
    }
