"""Names for new systems where nobody has given one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Final

_NAMES: Final = (
    "Sirius", "Vega", "Altair", "Deneb", "Rigel", "Spica", "Castor", "Pollux", "Mira", "Capella", "Antares",
    "Procyon", "Arcturus", "Regulus", "Algol", "Mizar", "Alcor", "Hadar", "Atlas", "Electra", "Maia", "Merope",
    "Thuban", "Izar",
)  # fmt: skip


def free_name(taken: Iterable[str]) -> str:
    """A star's name that none of the systems has, in any case of letters."""
    used = {name.casefold() for name in taken}
    numbered = (f"Star{number}" for number in count(1))
    return next(name for names in (_NAMES, numbered) for name in names if name.casefold() not in used)
