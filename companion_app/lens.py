"""How long the lens of a photo was, as its camera wrote it down: where that is known a table is told better."""

from __future__ import annotations

import warnings
from io import BytesIO

from PIL import Image

from companion_app.exif import HEIGHT, ON_FILM, WIDTH
from companion_app.photo_parts import parts_of
from companion_app.photos import FORMATS, exif_of

FILM_DIAGONAL = 43.27  # mm, of a frame of 35 mm film, to which cameras compare their lenses
BELIEVABLE = (10.0, 200.0)  # mm there
SENSORS = (1.3, 1.8)  # longer to shorter side, from 4:3 to 16:9; pictures of other shapes were cut
CROPPED = 0.02  # of the sides' ratio: by more a photo has another shape than when it was taken


def lens_of(data: bytes) -> float | None:
    """The focal length of a photo (JPEG, WebP or HEIC) as a share of its diagonal; ``None`` where it is not told.

    What is not to be believed is not told, nor anything of a photo that was cut to another shape than it was taken
    in, or than sensors have; one that was only made smaller keeps its share.
    """
    parts = parts_of(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(BytesIO(parts.picture), formats=[*FORMATS, "HEIF"])
    except Exception:  # a damaged file makes the library raise whatever comes to hand
        return None
    camera, (shorter, longer) = exif_of(image, parts).camera, sorted(image.size)
    on_film = camera.get(ON_FILM, 0)
    taken = sorted((camera.get(WIDTH, image.width), camera.get(HEIGHT, image.height)))
    if not BELIEVABLE[0] <= on_film <= BELIEVABLE[1] or shorter == 0 or taken[0] == 0:
        return None
    shape = longer / shorter
    whole = SENSORS[0] <= shape <= SENSORS[1] and abs(taken[1] / taken[0] / shape - 1) <= CROPPED
    return on_film / FILM_DIAGONAL if whole else None
