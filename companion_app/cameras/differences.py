"""What differs between two pictures of the same table, whatever the camera makes of the light.

All work is done on pictures of ``WIDTH`` pixels, on which noise is averaged away and a piece is still several pixels.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.photos import Photo

Small = NDArray[np.float32]
"""(h, w, 3) BGR 0–255, w near ``WIDTH``."""

Mask = NDArray[np.uint8]
"""(h, w) of 0 and 1."""

WIDTH = 160
LEAST_DIFFERENCE = 8.0  # of 255: below it compression and reflections flicker
NOISES = 6.0  # how many standard deviations of noise are no difference yet
MOST_GAIN = 3.0
TOO_BRIGHT = 238.0  # of 255, as a mean: some of what is in it may have been brighter than 255
LEAST_TOLD = 0.5  # of the pixels must not be too bright, to tell a gain by them alone
MOST_FLICKER = 0.12  # of the brightness of a row, by lamps that are faster than the shutter


def shrunk(image: Photo) -> Small:
    """The picture at ``WIDTH`` pixels or, if it is smaller, as it is; a little blurred against noise."""
    height, width = image.shape[:2]
    scale = min(1.0, WIDTH / width)
    size = (round(width * scale), max(1, round(height * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.float32)


def in_the_light_of(known: Small, picture: Small) -> Small:
    """*picture* as if exposed like *known*: each channel by one gain, each row by a little more or less.

    Medians decide, so that it does not matter what covers less than half of the table.
    """
    gain = np.array([_gain(known[::3, ::3, k], picture[::3, ::3, k]) for k in range(3)], np.float32)
    lit = picture * gain
    ratio = (cv2.cvtColor(known, cv2.COLOR_BGR2GRAY) + 2) / (cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY) + 2)
    rows = np.median(ratio, axis=1).astype(np.float32)
    flicker = np.clip(cv2.blur(rows[:, None], (1, 5)), 1 - MOST_FLICKER, 1 + MOST_FLICKER)
    return np.asarray(lit * flicker.reshape(-1, 1, 1), np.float32)


def _gain(known: NDArray[np.float32], picture: NDArray[np.float32]) -> float:
    """By how much one channel is brighter in *known*, told by what is not too bright in either if that is enough."""
    ratio = (known + 2) / (picture + 2)
    told = (known < TOO_BRIGHT) & (picture < TOO_BRIGHT)
    gain = np.median(ratio[told] if told.mean() > LEAST_TOLD else ratio)
    return float(np.clip(gain, 1 / MOST_GAIN, MOST_GAIN))


def changed(known: Small, picture: Small, noise: float) -> Mask:
    """Where *picture* shows something else than *known*; specks of one or two pixels are left out."""
    blue, green, red = cv2.split(np.abs(_apart(known, picture)))
    mask = (cv2.max(cv2.max(blue, green), red) > max(LEAST_DIFFERENCE, NOISES * noise)).astype(np.uint8)
    return np.asarray(cv2.medianBlur(mask, 3), np.uint8)


def following(known: Small, picture: Small, share: float) -> Small:
    """*known* with a *share* of what *picture* shows differently, still in the light of *known*."""
    return known + np.float32(share) * _apart(known, picture)


def _apart(known: Small, picture: Small) -> Small:
    """What *picture* shows more than *known*; where either is too bright, it may have been any brighter still."""
    apart = in_the_light_of(known, picture) - known
    apart[(_too_bright(picture) & (apart < 0)) | (_too_bright(known) & (apart > 0))] = 0
    return apart


def _too_bright(picture: Small) -> NDArray[np.bool_]:
    """Where a channel is, or was before the picture was shrunk and blurred."""
    return np.asarray(cv2.dilate(picture, np.ones((3, 3), np.uint8)) > TOO_BRIGHT, np.bool_)


def noise_between(one: Small, other: Small) -> float:
    """Standard deviation of the noise in one channel, told from two pictures in a row most of which stands still."""
    apart = np.abs(one[::3, ::3] - in_the_light_of(one, other)[::3, ::3])
    return float(np.median(apart)) / (0.6745 * 2**0.5)
