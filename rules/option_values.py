"""Options of a game as text and back: ``name = value``, only where a value differs from its default."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, fields
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeVar, get_args, get_origin, get_type_hints

from rules.errors import RulesError, quoted


class SomeOptions(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


AnyOptions = TypeVar("AnyOptions", bound=SomeOptions)

_NOTHING = "none"
_YES_NO = {"yes": True, "no": False}


def written_options(options: SomeOptions) -> tuple[tuple[str, str], ...]:
    """Names and values of all options, of a frozen dataclass with defaults, that differ from their default."""
    return tuple(
        (field.name, _written(value))
        for field in fields(options)
        if (value := getattr(options, field.name)) != field.default
    )


def read_options(kind: type[AnyOptions], pairs: Iterable[tuple[str, str]]) -> AnyOptions:
    """Options of a *kind* from names and values; a :class:`RulesError` where there is no such option or value.

    >>> from rules.homeworlds import Options
    >>> read_options(Options, [("home_stars", "1, 2"), ("repetition_claim", "yes")]).home_stars
    (1, 2)
    >>> written_options(Options(repetition_claim=True))
    (('repetition_claim', 'yes'),)
    """
    known: dict[str, Field[Any]] = {field.name: field for field in fields(kind)}
    hints = get_type_hints(kind)
    values = {}
    for name, text in pairs:
        if name not in known:
            raise RulesError(
                "option_unknown",
                f"{quoted(name)} is not an option of this game: there are {', '.join(known)}.",
                option=name,
            )
        try:
            values[name] = _read(hints[name], text.strip().lower())
        except ValueError:
            raise RulesError(
                "option_value_unknown",
                f"{quoted(text)} is not a value of the option {name}: write {_choices(hints[name])}.",
                option=name,
                text=text,
            ) from None
    return kind(**values)


def _written(value: object) -> str:
    if value is None or value == ():
        return _NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(_written(one) for one in value)
    return str(value.value if isinstance(value, Enum) else value)


def _read(hint: Any, text: str) -> Any:
    """The value of *text*, in small letters, for a type; a ValueError where it has none."""
    if get_origin(hint) is tuple:
        return () if text == _NOTHING else tuple(_read(get_args(hint)[0], one.strip()) for one in text.split(","))
    if type(None) in get_args(hint):
        return None if text == _NOTHING else _read(get_args(hint)[0], text)
    if hint is bool:
        if text not in _YES_NO:
            raise ValueError
        return _YES_NO[text]
    if issubclass(hint, Enum):
        member = next((one for one in hint if text in (str(one.value), one.name.lower())), None)
        if member is None:
            raise ValueError
        return member
    if len(text) > 9 or not (text.isascii() and text.isdecimal()):
        raise ValueError
    return int(text)


def _choices(hint: Any) -> str:
    if get_origin(hint) is tuple:
        return f"{_choices(get_args(hint)[0])}, several with commas between"
    if type(None) in get_args(hint):
        return f"{_choices(get_args(hint)[0])} or {_NOTHING}"
    if hint is bool:
        return "yes or no"
    if issubclass(hint, Enum):
        return " or ".join(str(one.value) for one in hint)
    return "a number"
