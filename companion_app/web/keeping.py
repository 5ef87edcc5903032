"""A table that was read elsewhere than at the start, kept as a reading, so that it can be looked at and corrected."""

from __future__ import annotations

from typing import Any

from companion_app.event_log import photo_name
from companion_app.photos import Photo
from companion_app.pictures import LONGEST_SIDE, SMALL_SIDE, jpeg
from companion_app.reading_types import Reading
from companion_app.store import Store
from companion_app.web.record import READ
from companion_app.web.words import title_of
from vision.sight import ImageSide


def keep(store: Store, reading: Reading, image: Photo, south: ImageSide) -> str:
    """Keep *reading* and the (H, W, 3) BGR *image* it is of; its name."""
    photo, small = jpeg(image, LONGEST_SIDE), jpeg(image, SMALL_SIDE)
    payload: dict[str, Any] = {"reading": reading.to_json(), "south": south.value, "title": title_of(reading)}
    payload |= {"photo": photo_name(photo), "small": photo_name(small), "source": "photo"}
    return store.begin(READ, payload, (photo, small))
