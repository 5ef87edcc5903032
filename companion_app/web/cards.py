"""A kept reading as a card in a list, whatever is left of it."""

from __future__ import annotations

from dataclasses import dataclass

from companion_app.json_fields import BadReading, Fields, words_of
from companion_app.reading_types import Game
from companion_app.store import ReadingShelf

NOT_OPENED = "A reading that cannot be opened"


@dataclass(frozen=True)
class Card:
    """One reading in a list: its name, what it is called, who played, and a few words about it."""

    id: str
    title: str
    players: str
    about: str

    @classmethod
    def of(cls, shelf: ReadingShelf) -> Card:
        """The card of a reading; one that is damaged says so."""
        try:
            return _card(shelf)
        except BadReading:
            return cls(shelf.name, NOT_OPENED, "", "damaged")


def _card(shelf: ReadingShelf) -> Card:
    if shelf.first is None:
        raise BadReading("The reading is damaged.")
    first, saved = Fields(shelf.first.payload, "reading"), Fields(shelf.saved.payload if shelf.saved else {}, "names")
    name, south, north, date = (saved.optional(key, saved.text) or "" for key in ("name", "south", "north", "date"))
    game = first.inner("reading").word("game", words_of(Game))
    about = [date or f"{shelf.first.at:%Y-%m-%d}", game.value.title()]
    if first.optional("source", first.text) == "virtual":
        about.append("virtual")
    players = f"{south or 'South'} and {north or 'North'}" if south or north else ""
    title = name or first.optional("title", first.text) or game.value.title()
    return Card(shelf.name, title, players, " · ".join(about))
