"""Whether a part of the table looks as it did before, whatever the light has done meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.photos import Photo
from companion_app.reading_types import Point

ALIKE: Final = 0.85
"""Correlation from which on two pictures of a place are taken to show the same."""
LOCALLY: Final = 0.8
"""How far a small part of the place may differ, against what is to be seen in all of it."""
PART: Final = 0.12
"""How large such a part is, against the outline's diameter."""
RIM_PX: Final = 1
"""What is looked at around the outline: neighbours come and go, and their shadows with them."""
SMALLEST_PX: Final = 30
"""Of what has a shorter diagonal too little is to be seen."""
TINGED: Final = 0.2
"""By how much one of the colours red, green and blue may gain on another, as a logarithm."""
BRIGHTER: Final = 0.5
"""By how much brighter, as a logarithm, or darker a place may have become."""
BESIDE_PX: Final = 3
"""How far around its outline something that came or went has changed the picture."""
ENOUGH: Final = 0.5
"""Of a place at least so much has to be looked at."""
NOTHING_CAME: Final = 10.0
"""Grey levels by which a small part of a plain place may differ, once the light is made the same."""
ONLY_SHADED: Final = 0.15
"""What one of the colours may gain on another, as a logarithm, in a small part of a plain place where a shadow falls.

Of 2,364 fields of boards in our own scenes with a piece on them, held against others of the same board, none gains
less than 0.22 somewhere."""
TELLS_COLORS: Final = 40.0
"""Grey levels of its brightest colour that a place needs for that."""
HARDLY: Final = 0.15
"""The share of a place that hardly changes, at most, in which colours or brightness differ.

Of 137 pieces that had gone from the virtual table, each left more than a quarter of its place darker or brighter, and
more than a third, as a rule four fifths, of another colour."""
DIFFERS: Final = 20.0
"""Grey levels by which they do, once the light is made the same."""
DARK: Final = 10.0
"""Grey levels, added to each colour: below them nothing is known of colours."""
_GRAIN_PX: Final = 1.2
"""Noise is smoothed by so much."""
_LEAST_CONTRAST: Final = 2.0
"""Grey levels: where less than that is to be seen, nothing can be said."""

Picture = NDArray[np.float32]
Corner = NDArray[np.intp]
Area = NDArray[np.bool_]


def smoothed(photo: Photo) -> Picture:
    """(H, W, 3) without most of its noise, to be compared."""
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), _GRAIN_PX), dtype=np.float32)


def is_unchanged(
    before: Picture,
    after: Picture,
    outline: Sequence[Point],
    slack_px: int = 0,
    beside: Iterable[Sequence[Point]] = (),
    enough: float = ENOUGH,
) -> bool:
    """Whether two ``smoothed`` pictures from the same place show the same within an *outline* in px.

    Brighter and darker light, evenly spread over the place, makes no difference, nor does it if everything has moved
    by no more than the *slack*. What lies within the outlines *beside* it is left out, as long as *enough* of the
    place is left. Where there is nothing but noise to be seen the answer is no.
    """
    points = np.array(outline, dtype=np.float32)
    if len(points) < 3 or _diagonal(points) < SMALLEST_PX:
        return False
    low, high = window_around(points, before, RIM_PX)
    inside = _in_sight(points, low, high, beside, enough)
    if inside is None:
        return False
    patch, now = before[low[1] : high[1], low[0] : high[0]], best_match(before, after, low, high, slack_px)
    return _is_same(patch, now, inside, max(3, round(PART * _diagonal(points))))


def is_hardly_changed(
    before: Picture, after: Picture, outline: Sequence[Point], beside: Iterable[Sequence[Point]], enough: float
) -> bool:
    """The same, the camera not having moved, where a neighbour or its shadow has changed some of the rim."""
    place = _place_in_both(before, after, outline, beside, enough)
    if place is None:
        return False
    differs = (place.apart > DIFFERS) | (color_gained(place.then, place.now) > TINGED)
    return bool(differs[place.inside].mean() < HARDLY)


def is_bare_still(
    before: Picture, after: Picture, outline: Sequence[Point], beside: Iterable[Sequence[Point]] = ()
) -> bool:
    """The same of a place that may be plain, where :func:`is_unchanged` finds nothing to go by.

    The camera has not moved. The light may have changed, and shadows have come or gone; nothing may have come that is
    of another colour, or where no colours can be told, darker or brighter.
    """
    place = _place_in_both(before, after, outline, beside)
    if place is None:
        return False
    part = max(3, round(PART * _diagonal(np.array(outline, dtype=np.float32))))
    if cv2.blur(place.apart * place.inside, (part, part)).max() < NOTHING_CAME:
        return True
    gained = color_gained(place.then, place.now) * place.inside
    tells = place.then.max(axis=2)[place.inside].min() >= TELLS_COLORS
    return bool(tells and cv2.blur(gained, (part, part)).max() < ONLY_SHADED)


class _Place(NamedTuple):
    """A window of two pictures.

    Attributes:
        inside: what of it is looked at.
        apart: (H, W) grey levels between then and now, the light on the whole having been made the same.
    """

    then: Picture
    now: Picture
    inside: Area
    apart: Picture


def _place_in_both(
    before: Picture,
    after: Picture,
    outline: Sequence[Point],
    beside: Iterable[Sequence[Point]],
    enough: float = ENOUGH,
) -> _Place | None:
    """What is within an outline, the camera not having moved; ``None`` where too little of it is in sight.

    Nor is there anything to tell of a place that is of another colour as a whole.
    """
    points = np.array(outline, dtype=np.float32)
    if _diagonal(points) < SMALLEST_PX:
        return None
    low, high = window_around(points, before, RIM_PX)
    inside = _in_sight(points, low, high, beside, enough)
    if inside is None:
        return None
    then, now = (shown[low[1] : high[1], low[0] : high[0]] for shown in (before, after))
    means = [shown[inside].mean(axis=0) for shown in (then, now)]
    if not _same_color(*means):
        return None
    apart = np.abs(now * (means[0] / np.maximum(means[1], 1)) - then).max(axis=2)
    return _Place(then, now, inside, apart)


def color_gained(before: Picture, now: Picture) -> Picture:
    """(H, W) by how much, as a logarithm, one of the colours of two windows has gained most on another."""
    return np.asarray(np.ptp(np.log((now + DARK) / (before + DARK)), axis=2))


def is_covered(picture: Picture, outline: Sequence[Point], beside: Iterable[Sequence[Point]], enough: float) -> bool:
    """Whether less than *enough* of the place within an *outline* in px is left *beside* others."""
    points = np.array(outline, dtype=np.float32)
    return _in_sight(points, *window_around(points, picture, RIM_PX), beside, enough) is None


def _in_sight(
    points: Picture, low: Corner, high: Corner, beside: Iterable[Sequence[Point]], enough: float = ENOUGH
) -> Area | None:
    """What of a window is within an outline and not *beside* it; ``None`` where that is less than *enough*."""
    if (high - low < 3).any():
        return None
    place = within(points, low, high, RIM_PX)
    inside = place.copy()
    for other in beside:
        inside &= ~within(np.array(other, dtype=np.float32), low, high, BESIDE_PX)
    return inside if inside.sum() >= enough * place.sum() else None


def window_around(points: Picture, picture: Picture, more_px: int) -> tuple[Corner, Corner]:
    """The upper left and the lower right corner, in px, of what of the *picture* is around the (N, 2) points."""
    low = np.maximum(np.floor(points.min(axis=0)).astype(int) - more_px, 0)
    return low, np.minimum(np.ceil(points.max(axis=0)).astype(int) + more_px + 1, picture.shape[1::-1])


def within(outline: Picture, low: Corner, high: Corner, more_px: int = 0) -> Area:
    """What of the window from *low* to *high* is within an *outline*, (N, 2) px, or *more_px* around it."""
    mask = np.zeros((high - low)[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.round(cv2.convexHull(outline) - low).astype(np.int32), 1)
    around = np.ones((2 * more_px + 1, 2 * more_px + 1), np.uint8)
    return np.asarray(cv2.dilate(mask, around) > 0)


def _is_same(before: Picture, after: Picture, inside: Area, part: int) -> bool:
    """Whether two windows, equally large, show the same *inside*, and in each square *part* of it, in px."""
    means = [shown[inside].mean(axis=0) for shown in (before, after)]
    if not _same_color(*means):
        return False
    one, other = (shown - mean for shown, mean in zip((before, after), means, strict=True))
    contrast, its = (float(np.sqrt(np.square(shown[inside]).mean())) for shown in (one, other))
    if min(contrast, its) < _LEAST_CONTRAST:
        return False
    if float((one[inside] * other[inside]).mean()) < ALIKE * contrast * its:
        return False
    apart = np.abs(other * np.float32(contrast / its) - one).max(axis=2) * inside
    return bool(cv2.blur(apart, (part, part)).max() < LOCALLY * contrast + 2 * _LEAST_CONTRAST)


def _diagonal(points: Picture) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _same_color(before: Picture, after: Picture) -> bool:
    """Whether two mean colours, (3,) each, may be those of one thing in brighter or darker light."""
    return is_light((after + DARK) / (before + DARK))


def is_light(more: Picture) -> bool:
    """Whether nothing but light makes each colour, (3,), so many times as bright."""
    change = np.log(more)
    return bool(np.ptp(change) < TINGED and abs(float(change.mean())) < BRIGHTER)


def best_match(before: Picture, after: Picture, low: Corner, high: Corner, slack_px: int) -> Picture:
    """The part of the picture *after* that is most like the window from *low* to *high* before, and as large."""
    if not slack_px:
        return after[low[1] : high[1], low[0] : high[0]]
    first = np.maximum(low - slack_px, 0)
    around = after[first[1] : high[1] + slack_px, first[0] : high[0] + slack_px]
    likeness = cv2.matchTemplate(around, before[low[1] : high[1], low[0] : high[0]], cv2.TM_CCOEFF_NORMED)
    down, across = np.unravel_index(int(likeness.argmax()), likeness.shape)
    height, width = high[1] - low[1], high[0] - low[0]
    return around[down : down + height, across : across + width]
