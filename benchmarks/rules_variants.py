"""Slower ways to count the ends of a turn, each lacking one more idea of the engine; for comparison only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from unittest import mock

from rules import homeworlds
from rules.homeworlds import packed as packing
from rules.homeworlds import search
from rules.homeworlds.packed import Packed
from rules.homeworlds.search import Node, links_from
from rules.homeworlds.steps import Pass
from rules.homeworlds.successors import distinct_ends
from rules.homeworlds.table import Table
from rules.homeworlds.turns import PartialTurn, begin_at

OPTIONS: Final = homeworlds.Options()
Codes = tuple[int, ...]


def by_public_steps(table: Table) -> int:
    """Every order of all legal steps, one :class:`PartialTurn` each; equal moments are gone through once."""
    ends: set[Codes] = set()
    seen: set[tuple[Codes, int, int]] = set()

    def walk(turn: PartialTurn) -> None:
        codes = tuple(sorted(system.code for system in turn.table.systems.values()))
        moment = (codes, turn.sacrificed, turn.actions_left)
        if moment in seen:
            return
        seen.add(moment)
        ends.add(codes)
        for step in turn.legal_steps():
            if not isinstance(step, Pass):
                walk(turn.apply(step))

    walk(begin_at(table, OPTIONS))
    return len(ends)


def without_merging(table: Table) -> int:
    """Packed nodes, but equal positions are told only when the turn is over."""
    ends: set[Codes] = set()
    stack = [Node.of(table)]
    while stack:
        node = stack.pop()
        ends.add(_codes(node))
        stack.extend(node.child(link) for link in links_from(node, table.to_move, table.players))
    return len(ends)


def merging_by_codes(table: Table) -> int:
    """Equal positions are merged after every step; they are compared by the sorted codes of their systems."""
    ends: set[Codes] = set()
    seen: set[tuple[Codes, int, int]] = set()
    stack = [Node.of(table)]
    while stack:
        node = stack.pop()
        codes = _codes(node)
        moment = (codes, node.sacrificed, node.left)
        if moment not in seen:
            seen.add(moment)
            ends.add(codes)
            stack.extend(node.child(link) for link in links_from(node, table.to_move, table.players))
    return len(ends)


def merging_by_keys(table: Table) -> int:
    """Positions are compared by the sum of their systems' keys, which a link knows before its node is made."""
    start = Node.of(table)
    ends = {start.key}
    seen = {(start.key, -1, 1)}
    stack = [start]
    while stack:
        node = stack.pop()
        for link in links_from(node, table.to_move, table.players):
            child = node.child(link)
            moment = (child.key, child.sacrificed, child.left)
            if moment not in seen:
                seen.add(moment)
                ends.add(child.key)
                stack.append(child)
    return len(ends)


def engine(table: Table) -> int:
    """The engine itself: where a step is the last that can be taken, no node is made."""
    return sum(1 for _ in distinct_ends(Node.of(table), table.to_move, table.players))


def without_shared_systems(table: Table) -> int:
    """The engine, but each system is unpacked anew wherever it is met."""
    with mock.patch.object(search, "packed", Packed), mock.patch.object(packing, "packed", Packed):
        return engine(table)


def _codes(node: Node) -> Codes:
    return tuple(sorted(system.code for system in node.systems if system))


VARIANTS: Final[list[tuple[str, Callable[[Table], int]]]] = [
    ("public steps, merged after every step", by_public_steps),
    ("packed nodes in slots, merged at the end of the turn only", without_merging),
    ("merged after every step, compared by sorted codes", merging_by_codes),
    ("compared by sums of keys", merging_by_keys),
    ("no node for a last step", engine),
]
