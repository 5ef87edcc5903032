"""Where readings come from unless the settings say otherwise: the reader of photos, and the virtual table."""

from __future__ import annotations

from dataclasses import replace

from companion_app.photos import Photo
from companion_app.reading import Reading, read_photo
from companion_app.reading_types import Game
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from vision.sight import ImageSide
from vision.virtual import View, photograph


def read(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
    """What is on the table in *image*, taken by such a *lens*, as :func:`companion_app.lens.lens_of` tells it."""
    return read_photo(image, game, south, redless=redless, lens=lens)


def virtual_table(game: Game, seed: int) -> tuple[Photo, ImageSide]:
    """A picture of a made-up table, another for every *seed*, and where South sits in it."""
    position = random_homeworlds(seed) if game is Game.HOMEWORLDS else random_settlers(seed)
    view = View.random(seed, elevation_deg=(48.0, 80.0))
    view = replace(view, south=ImageSide.BOTTOM, roll_deg=0.0, swing_deg=view.swing_deg / 2)
    return photograph(layout_of(position), seed=seed, view=view).image, view.south
