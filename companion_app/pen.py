"""A pen for photos: its lines and letters grow with the picture, and a dark edge keeps them readable on anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import reportlab
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion_app.photos import Photo, pixels_of

Points = NDArray[np.float64]  # (N, 2) px
PointXY = NDArray[np.float64]  # (2,) px
Ink = tuple[int, int, int]  # blue, green, red

WHITE: Ink = (255, 255, 255)
BLACK: Ink = (0, 0, 0)
FONT = str(Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf")
CAPITAL = 0.73  # height of this font's capitals, as a share of its size
LETTER = 18.0  # height of a capital, in thousandths of the long side
PAD = 0.3  # paper around letters, as a share of their height
DASH = 11.0  # length of a dash, in thousandths of the long side


@dataclass(frozen=True)
class _Label:
    """Letters around (x, y), *width* px wide and *height* px high."""

    text: str
    x: float
    y: float
    width: float
    height: float
    ink: Ink
    paper: Ink | None
    home: tuple[float, float] | None = None  # what they name, when it is elsewhere

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the paper."""
        aside, above = self.width / 2 + PAD * self.height, self.height * (0.5 + PAD)
        return self.x - aside, self.y - above, self.x + aside, self.y + above

    def overlaps(self, other: _Label) -> bool:
        """Whether the two papers do."""
        left, top, right, bottom = self.box
        other_left, other_top, other_right, other_bottom = other.box
        return left < other_right and other_left < right and top < other_bottom and other_top < bottom

    def kept_within(self, width: float, height: float) -> _Label:
        """The same, moved into a picture of that size."""
        left, top, right, bottom = self.box
        dx = max(0.0, -left) - max(0.0, right - width)
        dy = max(0.0, -top) - max(0.0, bottom - height)
        return replace(self, x=self.x + dx, y=self.y + dy)


class Pen:
    """Draws on *image* in place, letters last; ``unit`` is a thousandth of its long side in px."""

    def __init__(self, image: Photo) -> None:
        self.image = image
        self._labels: list[_Label] = []
        self.unit: float = max(image.shape[:2]) / 1000

    def line(self, start: PointXY, end: PointXY, ink: Ink, width: float = 1.0) -> None:
        """A line with a dark edge; *width* 1 is the usual one."""
        self._stroke([np.array([start, end])], ink, width)

    def polygon(self, points: Points, ink: Ink, width: float = 1.0, dashed: bool = False) -> None:
        """A closed outline."""
        closed = np.concatenate([points, points[:1]])
        self._stroke(self._dashes(closed) if dashed else [closed], ink, width)

    def arrow_from(self, middle: PointXY, tip: PointXY, ink: Ink, edge: Ink) -> None:
        """An arrowhead just beyond *tip*, pointing on in the direction from *middle*."""
        length = float(np.linalg.norm(tip - middle))
        if length < 1e-6:
            return
        ahead = (tip - middle) / length
        aside = np.array([-ahead[1], ahead[0]])
        size = min(16 * self.unit, 0.6 * length)
        point = tip + ahead * size
        head = np.array(
            [point, tip - ahead * size / 3 + aside * size * 0.6, tip - ahead * size / 3 - aside * size * 0.6]
        )
        cv2.fillPoly(self.image, [_whole(head)], ink, cv2.LINE_AA)
        cv2.polylines(self.image, [_whole(head)], True, edge, self._px(0.6), cv2.LINE_AA)

    def text(self, text: str, middle: PointXY, ink: Ink, paper: Ink | None = None, scale: float = 1.0) -> None:
        """Letters around *middle*, or as near as there is room: on a plate of *paper*, or else with a dark edge."""
        height = LETTER * self.unit * scale
        width = self._font(height).getlength(text)
        self._place(_Label(text, float(middle[0]), float(middle[1]), width, height, ink, paper))

    def corner_text(self, text: str, row: int, ink: Ink, paper: Ink, scale: float = 1.0) -> None:
        """Letters on a plate in the bottom left corner, *row* rows up."""
        height = LETTER * self.unit * scale
        width = self._font(height).getlength(text)
        x = 14 * self.unit + height * PAD + width / 2
        y = self.image.shape[0] - 14 * self.unit - height * (0.5 + PAD) - row * height * (1.15 + 2 * PAD)
        self._labels.append(_Label(text, x, y, width, height, ink, paper))

    def finished(self) -> Photo:
        """The picture, (H, W, 3) BGR, with all letters on top of all lines."""
        picture = Image.fromarray(self.image)  # inks are in the image's own order of colours
        draw = ImageDraw.Draw(picture)
        for label in self._labels:
            if label.home:
                draw.line([label.home, (label.x, label.y)], BLACK, self._px(1.2))
                draw.line([label.home, (label.x, label.y)], WHITE, self._px(0.5))
        for label in self._labels:
            font, stroke = self._font(label.height), 0
            if label.paper is None:
                stroke = max(1, round(label.height / 8))
            else:
                draw.rounded_rectangle(label.box, label.height / 4, label.paper, label.ink, max(1, round(self.unit)))
            draw.text(
                (label.x, label.y + label.height / 2),
                label.text,
                label.ink,
                font,
                "ms",
                stroke_width=stroke,
                stroke_fill=BLACK,
            )
        return pixels_of(picture, into=self.image)

    def _place(self, label: _Label) -> None:
        """Keep the label, moved aside by as little as makes it readable beside those placed before."""
        step_x, step_y = label.width + 2.2 * PAD * label.height, label.height * (1.1 + 2 * PAD)
        tries = [
            replace(label, x=label.x + dx * step_x, y=label.y + dy * step_y)
            for dx, dy in ((0, 0), (0, -0.5), (0, 0.5), (0, -1), (0, 1), (-1, 0), (1, 0), (0, -2), (0, 2))
        ]
        tries = [one.kept_within(self.image.shape[1], self.image.shape[0]) for one in tries]
        free = (one for one in tries if not any(one.overlaps(other) for other in self._labels))
        chosen = next(free, tries[0])
        moved = max(abs(chosen.x - label.x) / step_x, abs(chosen.y - label.y) / step_y)
        self._labels.append(replace(chosen, home=(label.x, label.y)) if moved > 0.7 else chosen)

    def _font(self, height: float) -> ImageFont.FreeTypeFont:
        """A bold font whose capitals are *height* px high."""
        return ImageFont.truetype(FONT, max(6, round(height / CAPITAL)))

    def _stroke(self, paths: list[Points], ink: Ink, width: float) -> None:
        whole = [_whole(path) for path in paths]
        cv2.polylines(self.image, whole, False, BLACK, self._px(width) + self._px(width * 0.7), cv2.LINE_AA)
        cv2.polylines(self.image, whole, False, ink, self._px(width), cv2.LINE_AA)

    def _dashes(self, path: Points) -> list[Points]:
        dashes = []
        for start, end in pairwise(path):
            count = max(1, round(float(np.linalg.norm(end - start)) / (DASH * self.unit)))
            for i in range(count):
                at = np.array([[i / count], [(i + 0.55) / count]])
                dashes.append(start + (end - start) * at)
        return dashes

    def _px(self, width: float) -> int:
        return max(1, round(2.4 * self.unit * width))


def _whole(points: Points) -> NDArray[np.int32]:
    return np.round(points).astype(np.int32)
