"""Corrected readings written out: a zip file or a folder with the photos, the readings, and a README."""

from __future__ import annotations

import json
import secrets
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from companion_app.bounded_files import is_folder
from companion_app.corrections.differences import FORMAT, CorrectedReading, distinct
from companion_app.errors import AppError

Entry = tuple[str, bytes]
"""A file of the export: its path inside, with slashes, and its content."""

README = f"""Corrected readings of pyramid-companion, format {FORMAT}

photos/NAME.jpg     a photo as it was kept, without place or camera data; NAME is the SHA-256 of the file
readings/NAME.json  a reading of it that a person corrected or saved; NAME depends on the content alone

The photos show whatever was in the picture: look through them before you give them to anybody. Nothing else in here
says who played, when, or what the readings were called.

A reading is one JSON object:

  format       {FORMAT}
  program      the program that wrote this export, with its version
  photo        the path of its photo in here
  source       "photo", or "virtual" for a computed picture of the virtual table
  game         "homeworlds" or "settlers"
  south        the side of the photo that South sits at
  saved        true where the person saved the reading, and so stands for all of its pieces;
               else only those that are told in "corrections" were looked at for certain
  read         the reading as the program read it, in the format of "pyramids read --json"
  corrected    the reading as the person left it, in the same format
  corrections  one object a piece that differs:
                 what     "changed", "added", "removed", or "confirmed": asked about and right as it was read
                 piece    its number among the pieces of "read", from 0; null for an added one
                 differs  the properties that had been read wrongly
                 read     the piece as read, with outline, confidence and alternatives; null for an added one
                 is       the piece as it is; null for a removed one. An added one has no outline, and its center is
                          where its field or its system is, or 0, 0 in the bank
  homes        one object a star system that is another's home: system, and whose it was "read" as, and "is"

The pieces of "corrected" are those of "read" without the removed, each changed or confirmed one as "is" says, and
then the added ones in their order. Pixels are those of "image" in the readings, from the top left; a kept photo is at
most 2400 pixels long, so multiply by its width over the width of "image".
"""


def export(
    readings: Iterable[CorrectedReading],
    photos: Path,
    target: Path,
    tell: Callable[[int], object] | None = None,
) -> None:
    """Write *readings* and their photos from the folder *photos* to *target*: a zip file if so named, else a folder.

    The same readings give the same bytes. *target* is there as a whole or not at all; a zip file is replaced, a
    folder must be new or empty. *tell* is called with 1 after each reading. Raises AppError where it cannot be
    written.
    """
    as_zip = target.suffix.lower() == ".zip"
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        _refuse(target, as_zip)
        (_write_zip if as_zip else _write_folder)(draft, _entries(readings, photos, tell))
        if target.is_dir():
            target.rmdir()
        draft.replace(target)
    except OSError as error:
        raise AppError("not_written", f"{target} cannot be written: {error.strerror or error}.") from None
    finally:
        if is_folder(draft):
            shutil.rmtree(draft, ignore_errors=True)
        else:
            with suppress(OSError):
                draft.unlink()


def _refuse(target: Path, as_zip: bool) -> None:
    if not target.absolute().parent.is_dir():
        raise AppError("folder_missing", f"There is no folder {target.parent}: make it first.")
    if target.is_dir() and (as_zip or any(target.iterdir())):
        raise AppError("folder_taken", f"{target} is a folder with something in it: name a new one.")
    if target.exists() and not target.is_dir() and not as_zip:
        raise AppError("folder_taken", f"{target} is a file: name a new folder, or a file that ends in .zip.")


def _entries(
    readings: Iterable[CorrectedReading], photos: Path, tell: Callable[[int], object] | None
) -> Iterator[Entry]:
    program = {"program": f"pyramid-companion {version('pyramid-companion')}"}
    written = set()
    yield "README.txt", README.encode()
    for reading in distinct(readings):
        content = json.dumps(program | reading.to_json(), indent=1) + "\n"
        yield f"readings/{reading.fingerprint}.json", content.encode()
        if reading.photo not in written:
            yield f"photos/{reading.photo}", (photos / reading.photo).read_bytes()
        written.add(reading.photo)
        if tell:
            tell(1)


def _write_zip(draft: Path, entries: Iterable[Entry]) -> None:
    with zipfile.ZipFile(draft, "w") as archive:
        for name, content in entries:
            entry = zipfile.ZipInfo(name)  # dated 1980: the same content gives the same bytes
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED)


def _write_folder(draft: Path, entries: Iterable[Entry]) -> None:
    for name, content in entries:
        path = draft / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
