"""The command that draws a position, and the picture that becomes of a drawing."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion_app.cli import main
from companion_app.raster import svg_to_png

HOMEWORLDS = "<0>; South(0,b3y2)g3-; North(1,g1r2)-g3"
SETTLERS = "6/6/2g13/6/6/6 S 0"


def pixels(png: bytes) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert image is not None
    return image


def test_words_are_drawn_without_fonts_of_the_system() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 50" font-family="Nowhere, sans-serif">'
        '<text x="10" y="35" font-size="30" font-weight="{weight}">g3 South</text></svg>'
    )
    regular, bold = (pixels(svg_to_png(svg.format(weight=weight), 400)) for weight in ("normal", "bold"))
    assert regular.shape == (100, 400, 4)
    assert 0 < (regular[:, :, 3] > 128).sum() < (bold[:, :, 3] > 128).sum()


def test_what_is_no_drawing_is_refused() -> None:
    with pytest.raises(ValueError, match=r".+"):
        svg_to_png("no drawing")


@pytest.mark.parametrize("line", [HOMEWORLDS, SETTLERS])
def test_position_becomes_a_picture(tmp_path: Path, line: str) -> None:
    out = tmp_path / "x.png"
    result = CliRunner().invoke(main, ["draw", line, "--out", str(out), "--width", "600"])
    assert result.exit_code == 0, result.output
    image = pixels(out.read_bytes())
    assert image.shape[1] == 600
    green = (image[:, :, 1] > 150) & (image[:, :, 0] < 130) & (image[:, :, 2] < 100)
    assert green.sum() > 200  # the green piece is there


@pytest.mark.parametrize(("line", "game"), [(HOMEWORLDS, "homeworlds"), (SETTLERS, "settlers")])
@pytest.mark.parametrize("piped", [False, True])
def test_position_becomes_a_drawing(tmp_path: Path, line: str, game: str, piped: bool) -> None:
    out = tmp_path / "x.SVG"
    result = CliRunner().invoke(
        main, ["draw", "-" if piped else line, "--out", str(out)], input=line + "\n" if piped else None
    )
    assert result.exit_code == 0, result.output
    assert "South to move" in result.stdout
    assert ET.parse(out).getroot().attrib["data-game"] == game


def test_bytes_that_are_no_text_are_one_sentence_too(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["draw", "-", "--out", str(tmp_path / "x.svg")], input=b"\xff\x00(/")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "name", "said"),
    [
        (SETTLERS, "x.jpg", "x.jpg should end in .svg or .png"),
        (SETTLERS, "nowhere/x.png", "There is no folder"),
        ("hello", "x.svg", "hello"),
        ("", "x.svg", "position"),
        ("6/6/2q13/6/6/6 S 0", "x.svg", "q"),
        ("<0>; South(0,b3y2", "x.svg", "South"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, line: str, name: str, said: str) -> None:
    out = tmp_path / name
    result = CliRunner().invoke(main, ["draw", line, "--out", str(out)])
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not out.exists()


@pytest.mark.parametrize(("options", "reds"), [([], "3"), (["--redless"], "0")])
def test_bank_without_the_reds(tmp_path: Path, options: list[str], reds: str) -> None:
    out = tmp_path / "x.svg"
    CliRunner().invoke(main, ["draw", SETTLERS, "--out", str(out), *options])
    counts = [one.get("data-count") for one in ET.parse(out).iter() if one.get("data-bank-piece") == "r2"]
    assert counts == [reds]
