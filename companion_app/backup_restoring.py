"""A backup put back: looked through as a whole first, and what is there already is kept aside."""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
import sqlite3
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, Final

from companion_app.backup import FORMAT, MANIFEST, Kept, count_in
from companion_app.bounded_files import open_regular
from companion_app.data_files import LOGS, SETTINGS, LogFile, using
from companion_app.errors import AppError
from companion_app.event_log import PHOTO_NAME, damage_of
from companion_app.event_rows import Connection, ForeignFile
from companion_app.photos import MAX_BYTES
from companion_app.private_files import private_file, private_folder

MOST_BYTES: Final = 16 * 2**30
MOST_FILES: Final = 200_000
_CHUNK: Final = 2**20
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, KeyError, ValueError)


def restore_backup(archive: Path, folder: Path, *, replace: bool = False, most: int = MOST_BYTES) -> Kept:
    """Put a backup into *folder*, all of it or nothing; how much that is.

    Where something is kept there already it is refused, or with *replace* moved to a folder ``replaced-…`` in
    *folder*. ``AppError`` for a file that is damaged, not ours, or more than *most* bytes when unpacked, and while
    the page is running on *folder*.
    """
    try:
        opened = open_regular(archive)
    except FileNotFoundError:
        raise AppError("file_missing", f"There is no file {archive}: name a backup.") from None
    except OSError as error:
        raise AppError("file_unreadable", f"{archive} cannot be opened: {error.strerror}.") from None
    with opened, using(folder, alone=True):
        draft = folder / f".backup-{secrets.token_hex(4)}.part"
        try:
            kept = _unpack(opened, draft, min(most, shutil.disk_usage(folder).free))
            _put(draft, folder, replace)
        except OSError as error:
            raise AppError("not_written", f"{archive.name} cannot be put into {folder} ({error}).") from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return kept


def _unpack(archive: BinaryIO, draft: Path, most: int) -> Kept:
    """Unpack a backup into the new folder *draft*, and look through all of it."""
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            _check_entries(entries, most)
            told = json.loads(opened.read(MANIFEST))
            files = told["files"]
            if told["format"] != FORMAT or set(files) | {MANIFEST} != {entry.filename for entry in entries}:
                raise _no_backup("its list of files is not that of a backup")
            for entry in entries:
                if entry.filename != MANIFEST and _unpacked(opened, entry, draft) != files[entry.filename]:
                    raise _no_backup(f"{entry.filename} is damaged")
            kept = _looked_through(draft)
            if kept.to_json() != told["kept"]:
                raise _no_backup("there is not in it what it says")
    except (*_DAMAGED, TypeError, RecursionError):
        raise _no_backup("it is damaged, or no zip of ours") from None
    return kept


def _check_entries(entries: list[zipfile.ZipInfo], most: int) -> None:
    """Only files that a backup has, each once, and not too much of them."""
    names = [entry.filename for entry in entries]
    if len(names) > MOST_FILES or len(set(names)) < len(names):
        raise _no_backup("it has too many files")
    allowed = {MANIFEST, SETTINGS, *(log.database for log in LOGS)}
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        folder, _, name = entry.filename.rpartition("/")
        is_photo = folder in {log.photos for log in LOGS} and PHOTO_NAME.fullmatch(name)
        if not (is_photo or entry.filename in allowed) or kind not in (0, stat.S_IFREG):
            raise _no_backup("it has files that no backup has")
        largest = MAX_BYTES if is_photo or entry.filename in (MANIFEST, SETTINGS) else most
        if entry.file_size > largest or sum(one.file_size for one in entries) > most:
            raise AppError("file_too_large", f"Unpacked this backup would be larger than {most:,} bytes.")


def _unpacked(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, draft: Path) -> str:
    """Unpack one file; its fingerprint."""
    target, digest = draft / entry.filename, hashlib.sha256()
    for place in (draft, target.parent):
        private_folder(place)
    private_file(target)
    with opened.open(entry) as source, target.open("wb") as stream:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()


def _looked_through(draft: Path) -> Kept:
    """How much is in an unpacked backup; refused where a log is damaged or not ours, or a photo is another."""
    kept = Kept()
    for log in LOGS:
        file = draft / log.database
        if file.is_file():
            try:
                _check_log(file, log)
                kept.add(log, count_in(file, log))
            except (sqlite3.Error, ForeignFile):
                raise _no_backup(f"{log.database} is damaged") from None
        for photo in (draft / log.photos).glob("*"):
            kept.photos += 1
            with photo.open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != photo.stem:
                    raise _no_backup(f"the photo {photo.name[:12]}… is another")
    return kept


def _check_log(file: Path, log: LogFile) -> None:
    with closing(sqlite3.connect(file, factory=Connection)) as connection:
        parts = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not parts <= {"event", "sqlite_autoindex_event_1"} or damage_of(file, log.what):
        raise sqlite3.DatabaseError("it is no log")


def _put(draft: Path, folder: Path, replace: bool) -> None:
    """Move what is in *draft* to *folder*, and what was there aside."""
    there, is_something = list(_there(folder)), _is_something(folder)
    if is_something and not replace:
        raise AppError(
            "data_there",
            f"Something is kept in {folder} already: back that up first, or say --replace, which moves it aside.",
        )
    if there:
        aside = folder / _free_name(folder)
        private_folder(aside / "restoring")
        for path in there:
            path.rename(aside / path.relative_to(folder))
        if not is_something:
            shutil.rmtree(aside)
    private_folder(folder / "restoring")
    for path in list(_there(draft)):
        path.rename(folder / path.relative_to(draft))


def _there(folder: Path) -> Iterator[Path]:
    """The files and folders of the logs, as far as they are there."""
    for log in LOGS:
        for name in (log.database, f"{log.database}-wal", f"{log.database}-shm", log.photos):
            if (folder / name).exists():
                yield folder / name
    if (folder / SETTINGS).exists():
        yield folder / SETTINGS


def _is_something(folder: Path) -> bool:
    """Whether anything is kept in *folder*; what cannot be read may be something."""
    for log in LOGS:
        file, photos = folder / log.database, folder / log.photos
        try:
            if (photos.is_dir() and any(photos.iterdir())) or (file.is_file() and count_in(file, log)):
                return True
        except sqlite3.Error:
            return True
    return False


def _free_name(folder: Path) -> str:
    number = 1
    while (folder / f"replaced-{number}").exists():
        number += 1
    return f"replaced-{number}"


def _no_backup(why: str) -> AppError:
    return AppError("not_a_backup", f"This is no backup of this program: {why}. Nothing was changed.")
