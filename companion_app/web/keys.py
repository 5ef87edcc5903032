"""Keys for people who come in over the network: one for referees, one for spectators."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

from companion_app.bounded_files import read_bounded
from companion_app.errors import AppError
from companion_app.private_files import private_folder, write_private

BYTES = 18  # 144 bits, 24 letters
FILE = "keys.json"
MOST_BYTES = 10_000


class Role(Enum):
    """What a person may do: a referee everything, a spectator look."""

    REFEREE = "referee"
    SPECTATOR = "spectator"


@dataclass(frozen=True)
class Keys:
    """The two keys, each of letters that an address can hold."""

    referee: str
    spectator: str

    @classmethod
    def fresh(cls) -> Keys:
        """Two that nobody knows yet."""
        return cls(secrets.token_urlsafe(BYTES), secrets.token_urlsafe(BYTES))

    def of(self, role: Role) -> str:
        """The key that makes one a *role*."""
        return {Role.REFEREE: self.referee, Role.SPECTATOR: self.spectator}[role]

    def role_of(self, key: str) -> Role | None:
        """What *key* makes one, ``None`` for a wrong one; how long this takes tells nothing about the right ones."""
        told = key.encode(errors="replace")
        fits = {role: secrets.compare_digest(self.of(role).encode(), told) for role in Role}
        return next((role for role in Role if fits[role]), None)


def kept_keys(folder: Path, *, new: bool = False) -> Keys:
    """The keys kept in *folder*; new ones where there are none, or none that are whole, or where *new* are wanted.

    Only the user of this program may read the file. ``AppError`` where it cannot be written.
    """
    file = folder / FILE
    if not new and (kept := _read(file)):
        return kept
    keys = Keys.fresh()
    try:
        private_folder(folder)
        write_private(file, json.dumps(asdict(keys)).encode("ascii"))
    except OSError as error:
        raise AppError(
            "no_data_folder",
            f"The folder {folder} cannot hold keys ({error}): set PYRAMIDS_DATA to a folder that you may write to.",
        ) from error
    return keys


def _read(file: Path) -> Keys | None:
    try:
        keys = Keys(**json.loads(read_bounded(file, MOST_BYTES).decode("ascii")))
        whole = all(re.fullmatch(r"[\w-]{22,}", keys.of(role), re.ASCII) for role in Role)
    except (OSError, ValueError, TypeError):
        return None
    return keys if whole and keys.referee != keys.spectator else None
