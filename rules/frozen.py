"""A dictionary that never changes, so that values made of it can be compared, hashed and shared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Value_co = TypeVar("Value_co", covariant=True)


class FrozenMap(Mapping[Key, Value_co]):
    """A read-only copy of *content*; equal and of equal hash whenever the content is.

    >>> FrozenMap({"a1": 3}) == FrozenMap({"a1": 3}) == {"a1": 3}
    True
    """

    __slots__ = ("_content",)

    def __init__(self, content: Mapping[Key, Value_co]) -> None:
        self._content = dict(content)

    def __getitem__(self, key: Key) -> Value_co:
        return self._content[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __hash__(self) -> int:
        return hash(frozenset(self._content.items()))

    def __repr__(self) -> str:
        return repr(self._content)
