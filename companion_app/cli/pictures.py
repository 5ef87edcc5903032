"""Pictures written to files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from companion_app.cli.options import write_bytes
from companion_app.photos import Photo


def write_picture(path: Path, image: Photo) -> None:
    """Write (H, W, 3) BGR pixels as PNG or JPEG, by the name's ending; raises AppError where that fails."""
    stream = BytesIO()
    kind = "PNG" if path.suffix.lower() == ".png" else "JPEG"
    Image.fromarray(image[:, :, ::-1]).save(stream, kind, quality=92, compress_level=3)
    write_bytes(path, stream.getvalue())
