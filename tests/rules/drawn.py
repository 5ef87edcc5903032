"""Hypothesis strategies: pieces, positions of both games, and lines gone wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from rules import KINDS, Piece, full_set, homeworlds, seats_for, settlers

pieces = st.sampled_from(KINDS)
names = st.text(st.characters(categories=["L", "N", "P"], exclude_characters="();,/<>*"), min_size=1, max_size=12)


@st.composite
def handfuls(draw: st.DrawFn, players: int = 2, redless: bool = False) -> list[Piece]:
    """Some pieces of one full set, in any order."""
    shuffled = draw(st.permutations(full_set(players, redless).pieces))
    return shuffled[: draw(st.integers(0, len(shuffled)))]


@st.composite
def homeworlds_positions(draw: st.DrawFn) -> homeworlds.Position:
    """Any position that one full set can lay out, however odd."""
    players = draw(st.integers(2, 4))
    seats = seats_for(players)
    left = draw(handfuls(players))
    systems = []
    for name in draw(st.lists(names, min_size=1, max_size=6)):
        stars = [left.pop() for _ in range(draw(st.integers(0, min(2, len(left)))))]
        ships = {seat: [left.pop() for _ in range(draw(st.integers(0, min(3, len(left)))))] for seat in seats}
        systems.append(homeworlds.System(name, draw(st.none() | st.sampled_from(seats)), stars, ships))
    return homeworlds.Position(systems, draw(st.sampled_from(seats)), players)


@st.composite
def settlers_positions(draw: st.DrawFn) -> settlers.Position:
    """Any position that one full set can lay out."""
    redless = draw(st.booleans())
    fields = draw(st.permutations(settlers.FIELDS))
    owners = st.sampled_from(settlers.SEATS)
    board = {
        field: settlers.Ship(piece, draw(owners))
        for field, piece in zip(fields, draw(handfuls(redless=redless)), strict=False)
    }
    return settlers.Position(board, draw(owners), draw(st.integers(0, 36)), redless)


@st.composite
def spoilt(draw: st.DrawFn, line: str) -> str:
    """*line* with a few letters taken out, put in or replaced."""
    letters = list(line)
    alphabet = st.sampled_from("<>();,/-–0123456789rygbRYGBxSN \n\t٣") | st.characters()
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(letters)))
        letters[start : start + draw(st.integers(0, 2))] = draw(st.lists(alphabet, max_size=2))
    return "".join(letters)
