"""How long the lens of a photo was, as its camera wrote it down: where that is known a table is told better."""

from __future__ import annotations

import warnings
from io import BytesIO

from PIL import Image

from companion_app.photos import FORMATS

FILM_DIAGONAL = 43.27  # mm, of a frame of 35 mm film, to which cameras compare their lenses
BELIEVABLE = (10.0, 200.0)  # mm there
SENSORS = (1.3, 1.8)  # longer to shorter side, from 4:3 to 16:9; pictures of other shapes were cut
CROPPED = 0.02  # of the sides' ratio: by more a photo has another shape than when it was taken

_EXIF, _FOCAL_LENGTH_ON_FILM, _WIDTH, _HEIGHT = 0x8769, 0xA405, 0xA002, 0xA003  # tags of Exif 2.3


def lens_of(data: bytes) -> float | None:
    """The focal length of a photo (JPEG, WebP or HEIC) as a share of its diagonal; ``None`` where it is not told.

    What is not to be believed is not told, nor anything of a photo that was cut to another shape than it was taken
    in, or than sensors have; one that was only made smaller keeps its share.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(BytesIO(data), formats=[*FORMATS, "HEIF"])
            told = image.getexif().get_ifd(_EXIF)
            on_film = float(told.get(_FOCAL_LENGTH_ON_FILM, 0))
            shape = max(image.size) / min(image.size)
            taken = sorted((float(told.get(_WIDTH, image.width)), float(told.get(_HEIGHT, image.height))))
    except Exception:  # whatever is wrong with what was written there: the photo is read without it
        return None
    if not BELIEVABLE[0] <= on_film <= BELIEVABLE[1] or not SENSORS[0] <= shape <= SENSORS[1] or taken[0] <= 0:
        return None
    return on_film / FILM_DIAGONAL if abs(taken[1] / taken[0] / shape - 1) <= CROPPED else None
