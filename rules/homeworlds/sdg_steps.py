"""Steps of turns as SuperDuperGames writes them, put into texts that our own reader understands.

What does not count is left out, and homes are called after the seats of their owners, whatever the players are
called; :mod:`rules.homeworlds.sdg` says what that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from rules.errors import RulesError
from rules.homeworlds.sdg_players import SEATS, Players
from rules.homeworlds.turn_shapes import readings
from rules.seats import Seat

_PIECE: Final = re.compile(r"([rygb][1-3])[\W\d]*", re.IGNORECASE)
_WORDS_AFTER: Final = {"h": 3, "b": 2, "t": 3, "m": 3, "d": 4, "a": 2, "s": 2, "c": 2, "p": 0}
"""How many words follow each verb, by its first letter."""
_SYSTEMS: Final = {"b": (2,), "t": (2, 3), "m": (2, 3), "d": (2, 4), "a": (2, 3), "s": (2,), "c": (1, 2)}
"""Which of them name systems, or may."""
_OTHERWISE: Final = {"t": (3,), "c": (2,)}
"""Which of these do so only where a piece or a colour stands before them: trade g1 y1 Sol, catastrophe green Sol."""
_KIND: Final = re.compile(r"[rygb][1-3]?|red|yellow|green|blue", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[;,]")
_NOT_IN_NAMES: Final = "();,/<>"
_UNNAMED: Final = re.compile(f"[{re.escape(_NOT_IN_NAMES)}]+")
_DISCOVERED: Final = re.compile(r"\bd\w*\s+\S+\s+\S+\s+\S+\s+(\w+)", re.IGNORECASE)


class Steps:
    """Reads the steps of one transcript."""

    def __init__(self, players: Players, lines: Iterable[str]) -> None:
        """*lines* are all those of the transcript: they tell whether a system is called like a seat."""
        self._players = players
        self._spaced = {name: name.replace(" ", "_") for name in players.names.values() if " " in name}
        self._homes = {self._spaced[name]: seat for seat, name in players.names.items() if name in self._spaced}
        self._renamed: set[str] = set()
        if players.names:
            names = (found[1].lower() for line in lines for found in _DISCOVERED.finditer(line))
            self._renamed = {name for name in names if name in SEATS and players.find(name) is None}

    def turn(self, lines: list[str], seat: Seat) -> str:
        """The text of a turn of *seat* from its lines."""
        steps = (self._step(part, seat) for line in lines for part in self._parts(line))
        return "; ".join(_without_needless_passes([step for step in steps if step])) or "Pass"

    def _parts(self, line: str) -> list[str]:
        """The steps of a line: what stands behind a comma or semicolon is one only where it can be read so."""
        first, *others = _BETWEEN.split(line)
        parts = [[first]]
        for other in others:
            if _is_step(other):
                parts.append([other])
            else:
                parts[-1].append(other)
        return [",".join(part) for part in parts]

    def _step(self, line: str, seat: Seat) -> str:
        """One step, without what does not count."""
        if not line.isprintable():
            line = "".join(letter for letter in line if letter.isprintable() or letter.isspace())
        for name, word in self._spaced.items():
            line = re.sub(rf"(?<!\S){re.escape(name)}(?!\S)", word, line)
        words = line.replace("*", "").split()
        if not words:
            return ""
        verb = words[0][0].lower()
        count = _WORDS_AFTER.get(verb, len(words))
        if verb == "h":
            return " ".join([*words[: count + 1], seat.word])
        if len(words) > 1 and len(words[1]) > 2 and not _is_catastrophe(words[0]):
            words[1] = _unadorned(words[1])
        if verb == "a" and len(words) > count + 1 and self._is_player(words[3]):
            count += 1
        return " ".join(self._with_known_systems(verb, words[: count + 1]))

    def _with_known_systems(self, verb: str, words: list[str]) -> list[str]:
        """The same *words*, systems by names that can be written, homes by those of their seats."""
        for index in _SYSTEMS.get(verb, ()):
            if index < len(words) and not (index in _OTHERWISE.get(verb, ()) and not _is_kind(words[index - 1])):
                words[index] = self._home(words[index]) or _nameable(words[index], self._renamed)
        return words

    def _home(self, word: str) -> str:
        """The name of the home of the player whom *word* names, if it does."""
        if not self._players.names:
            return ""
        for known in (word, word.strip(_NOT_IN_NAMES)):
            seat = self._homes.get(known) or self._players.find(known)
            if seat:
                return seat.word
        return ""

    def _is_player(self, word: str) -> bool:
        return bool(self._home(word)) or word.lower() in SEATS


def _is_step(text: str) -> bool:
    try:
        return bool(text.strip()) and bool(readings(text.strip()))
    except RulesError:
        return False


def _nameable(word: str, renamed: set[str]) -> str:
    """A name that can be written: without marks that the notation needs, and unlike a seat that names a home."""
    if not _UNNAMED.search(word):
        return f"{word}_" if word.lower() in renamed else word
    return _UNNAMED.sub("-", word.strip(_NOT_IN_NAMES)) or word


def _is_kind(word: str) -> bool:
    """Whether a word is a piece or a colour."""
    return bool(_KIND.fullmatch(word))


def _is_catastrophe(verb: str) -> bool:
    return "catastrophe".startswith(verb.lower())


def _unadorned(word: str) -> str:
    """A piece without the marks behind it; other words, and a piece with its owner, as they are."""
    piece = _PIECE.fullmatch(word)
    return piece[1] if piece else word


def _without_needless_passes(steps: list[str]) -> list[str]:
    return list(_needed(steps)) if len(steps) > 1 else steps


def _needed(steps: list[str]) -> Iterator[str]:
    """The *steps* but for the passes that no action is left for."""
    actions = 1
    for step in steps:
        verb = step[0].lower()
        if verb == "p":
            if actions <= 0:
                continue
            actions -= 1
        elif verb == "s":
            sacrificed = step.split()[1:2]
            actions = int(sacrificed[0][1]) if sacrificed and sacrificed[0][1:2].isdecimal() else 1
        elif not _is_catastrophe(step.split()[0]):
            actions -= 1
        yield step
