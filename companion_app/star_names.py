"""Names for star systems, which nobody writes on the table: homes are called after their players."""

from __future__ import annotations

from collections.abc import Iterable

from companion_app.reading_types import ReadSystem
from vision.sight import Seat

_NAMES = (
    "Achernar Adhara Alcor Aldebaran Altair Antares Arcturus Atria Bellatrix Canopus Capella Castor Deneb Diphda "
    "Electra Enif Fomalhaut Gemma Hadar Izar Kochab Maia Markab Merope Mimosa Mira Mizar Nashira Peacock Polaris "
    "Pollux Procyon Regulus Rigel Sadr Sirius Spica Talitha Tarazed Thuban Vega Zaurak"
)
STARS = tuple(_NAMES.split())


def names_of(systems: Iterable[ReadSystem]) -> dict[int, str]:
    """The names of some systems by their ids; a system keeps its name as long as it keeps its id and its owner.

    Should a table show two homes of one player, the second goes by a star's name.
    """
    names: dict[int, str] = {}
    for system in systems:
        name = system_name(system.id, system.home)
        names[system.id] = name if name not in names.values() else system_name(system.id, None)
    return names


def system_name(number: int, home: Seat | None) -> str:
    """The name of one system by its id: its player's if it is a home, else a star's."""
    if home:
        return home.value.title()
    round_, place = divmod(number - 1, len(STARS))
    return STARS[place] + (str(round_ + 1) if round_ else "")
