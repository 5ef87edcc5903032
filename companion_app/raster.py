"""From SVG to PNG, with a font that comes along: no fonts of the system are needed or used."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import resvg_py

FAMILY = "Bitstream Vera Sans"
_FACES = ("Vera.ttf", "VeraBd.ttf")


def svg_to_png(svg: str, width: int | None = None) -> bytes:
    """The drawing as PNG, *width* px wide or as wide as it says itself; the height follows.

    Raises ``ValueError`` for text that is no SVG.
    """
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=font_files(),
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )


def font_files() -> list[str]:
    """The regular and the bold face of Bitstream Vera, as reportlab brings them."""
    reportlab = find_spec("reportlab")
    assert reportlab is not None
    assert reportlab.origin is not None
    fonts = Path(reportlab.origin).parent / "fonts"
    return [str(fonts / face) for face in _FACES]
