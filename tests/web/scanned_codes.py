"""Codes as phones see them: from a terminal's half blocks, from the page's pictures."""

from __future__ import annotations

import re
from typing import Any

import cv2
import numpy as np

Picture = np.ndarray[Any, np.dtype[np.uint8]]


def seen(picture: Picture) -> str:
    """What phones make of a picture with a pixel a module; no reader of codes reads every one from every distance."""
    for scale in (3, 4, 5):
        near = np.kron(picture, np.ones((scale, scale), np.uint8))
        for reader in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            if text := reader.detectAndDecode(near)[0]:
                return text
    return ""


def picture_of_text(blocks: str) -> Picture:
    """Half blocks as a terminal prints them, dark on light."""
    halves = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    lines = [[halves[letter] for letter in line] for line in blocks.splitlines()]
    rows = np.concatenate([np.array(line).T for line in lines])
    return np.where(rows, 0, 255).astype(np.uint8)


def picture_of_path(side: int, path: str) -> Picture:
    """The squares of an SVG path on white."""
    picture = np.full((side, side), 255, np.uint8)
    for x, y, length, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", path):
        assert length == back
        picture[int(y), int(x) : int(x) + int(length)] = 0
    return picture


def scanned(page: str) -> list[str]:
    """The addresses in the codes of a page."""
    codes = re.findall(r'viewBox="0 0 (\d+) \d+".*?<path d="([^"]+)"', page, re.DOTALL)
    return [seen(picture_of_path(int(side), path)) for side, path in codes if path.startswith("M4 4h7")]
