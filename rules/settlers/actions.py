"""What can be done next in a turn, and what becomes of the board: the rules of the four colours.

:func:`following` looks ahead, :func:`after` takes one step that is known to be legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rules.pieces import KINDS, Color, Size
from rules.settlers.board import FIELDS
from rules.settlers.compact import (
    COLOR,
    KINDS_OF,
    NEIGHBORS,
    NUMBER,
    OWNER,
    PIPS,
    State,
    Terms,
    greens_with_space,
    in_bank,
    kind_of,
    moved,
    put,
    red_balance,
    ship_number,
    smallest,
    space_beside,
    to_land,
)
from rules.settlers.steps import Build, Choose, Conquer, Land, Move, Pass, Step, Trade, Transfer, Upgrade

Following = Iterator[tuple[Step, State]]


def following(state: State, terms: Terms) -> Following:
    """Every step that may come next, with the state after it.

    Of the many ways to move a piece from one field to another only a shortest is among them, and no move back to
    where it started: the others cost more pips and gain nothing.
    """
    if state.over:
        return
    if state.doing is None:
        yield from _beginnings(state, terms)
    elif state.pips:
        yield from _ACTIONS[state.doing](state, terms)


def _beginnings(state: State, terms: Terms) -> Following:
    """Choose a piece; land, where no Green has space (S1-S3); or pass (S18)."""
    board = state.board
    for field, ship in enumerate(board):
        if OWNER[ship] is terms.seat:
            yield _choose(field), State(board, COLOR[ship], field, PIPS[ship])
    if not greens_with_space(board, terms.seat):
        yield from _landings(state, terms)
    yield Pass(), state._replace(over=True)


def _landings(state: State, terms: Terms) -> Following:
    """One Green on any empty field, and the turn is over (S7)."""
    kind = to_land(state.board, terms)
    if kind is None:
        return
    ship = ship_number(kind, terms.seat)
    for field, occupied in enumerate(state.board):
        if not occupied:
            yield _land(kind, field), State(put(state.board, field, ship), Color.GREEN, field, over=True)


def _conquests(state: State, terms: Terms) -> Following:
    """Red: pieces beside it that are not larger and whose Reds are outweighed (S9, S10)."""
    board, doing, here, pips, _ = state
    enemy = terms.seat.opposite
    size = PIPS[board[here]]
    for field in NEIGHBORS[here]:
        ship = board[field]
        if OWNER[ship] is enemy and PIPS[ship] <= size:
            attack, defence = red_balance(board, field, terms.seat)
            if attack > defence:
                yield (
                    _conquer(field),
                    State(put(board, field, ship_number(kind_of(ship), terms.seat)), doing, here, pips - 1),
                )


def _moves(state: State, terms: Terms) -> Following:
    """Yellow: itself or a piece beside where it stands now, as far as the pips carry (S12-S14)."""
    board, doing, here, pips, _ = state
    for start in (here, *NEIGHBORS[here]):
        owner = OWNER[board[start]]
        if owner is terms.seat or (owner and terms.yellow_moves_any):
            for path in _paths(board, start, pips):
                end = path[-1]
                yield (
                    _move(path),
                    State(moved(board, start, end), doing, end if start == here else here, pips - len(path) + 1),
                )


def _paths(board: bytes, start: int, pips: int) -> Iterator[tuple[int, ...]]:
    """One shortest path from *start* over empty fields to each field within *pips* steps."""
    reached = {start}
    ways: list[tuple[int, ...]] = [(start,)]
    for _ in range(pips):
        farther = []
        for way in ways:
            for field in NEIGHBORS[way[-1]]:
                if not board[field] and field not in reached:
                    reached.add(field)
                    farther.append((*way, field))
        yield from farther
        ways = farther


def _builds(state: State, terms: Terms) -> Following:
    """Green: build beside it (S8); out of space, go on with another Green (S5), or land where none has space (S7)."""
    board, doing, here, pips, _ = state
    spaces = space_beside(board, here)
    if spaces:
        for color in Color:
            kind = smallest(board, color, terms)
            if kind is not None:
                ship = ship_number(kind, terms.seat)
                for field in spaces:
                    yield _build(kind, field), State(put(board, field, ship), doing, here, pips - 1)
    elif others := greens_with_space(board, terms.seat):
        for field in others:
            yield _transfer(field), State(board, doing, field, PIPS[board[field]])
    else:
        yield from _landings(state, terms)


def _exchanges(state: State, terms: Terms) -> Following:
    """Blue: another colour or the next size for itself or a piece of one's own beside it (S15)."""
    board, doing, here, pips, _ = state
    for field in (here, *NEIGHBORS[here]):
        ship = board[field]
        if OWNER[ship] is terms.seat:
            for step, kind in _exchanges_of(field, kind_of(ship)):
                if in_bank(board, kind, terms):
                    yield step, State(put(board, field, ship_number(kind, terms.seat)), doing, here, pips - 1)


_ACTIONS = {Color.RED: _conquests, Color.YELLOW: _moves, Color.GREEN: _builds, Color.BLUE: _exchanges}


def after(state: State, step: Step, terms: Terms) -> State:
    """The state after a *step* that is legal."""
    board, doing, here, pips, _ = state
    match step:
        case Pass():
            return state._replace(over=True)
        case Choose(name) | Transfer(name):
            ship = board[NUMBER[name]]
            return State(board, COLOR[ship], NUMBER[name], PIPS[ship])
        case Land(piece, name):
            ship = ship_number(KINDS.index(piece), terms.seat)
            return State(put(board, NUMBER[name], ship), Color.GREEN, NUMBER[name], over=True)
        case Move(path):
            start, end = NUMBER[path[0]], NUMBER[path[-1]]
            return State(moved(board, start, end), doing, end if start == here else here, pips - len(path) + 1)
        case Build(piece, name):
            kind = KINDS.index(piece)
        case Conquer(name):
            kind = kind_of(board[NUMBER[name]])
        case Trade(name, color):
            kind = KINDS_OF[color][PIPS[board[NUMBER[name]]] - 1]
        case Upgrade(name):
            kind = kind_of(board[NUMBER[name]]) + 1
    return State(put(board, NUMBER[name], ship_number(kind, terms.seat)), doing, here, pips - 1)


# Steps are made once for each field: looking through turns meets the same ones again and again.


@cache
def _choose(field: int) -> Step:
    return Choose(FIELDS[field])


@cache
def _land(kind: int, field: int) -> Step:
    return Land(KINDS[kind], FIELDS[field])


@cache
def _conquer(field: int) -> Step:
    return Conquer(FIELDS[field])


@cache
def _move(path: tuple[int, ...]) -> Step:
    return Move(tuple(FIELDS[field] for field in path))


@cache
def _build(kind: int, field: int) -> Step:
    return Build(KINDS[kind], FIELDS[field])


@cache
def _transfer(field: int) -> Step:
    return Transfer(FIELDS[field])


@cache
def _exchanges_of(field: int, kind: int) -> tuple[tuple[Step, int], ...]:
    """Every exchange of a piece on *field* that a full bank would allow, with the kind that comes in."""
    piece = KINDS[kind]
    trades = tuple(
        (Trade(FIELDS[field], color), KINDS_OF[color][piece.size - 1]) for color in Color if color is not piece.color
    )
    return trades if piece.size is Size.LARGE else (*trades, (Upgrade(FIELDS[field]), kind + 1))
