"""The smallest thing that somebody may have done against the rules of Homeworlds, and the rule that it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, permutations
from math import log
from typing import Final, NamedTuple

from companion_app.inferring.contents import unit_of
from companion_app.inferring.corrections import Correction
from companion_app.inferring.explanations import Explanation, Kind, Refusal
from companion_app.inferring.habits import OPENED_WITH
from companion_app.inferring.judging import ABSURD, BREAKS_A_RULE, Hypothesis
from companion_app.inferring.observation import Appearance
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.system_diff import Differences, Placed, differences_of
from rules import IllegalTurn, RulesError, Seat
from rules.homeworlds import Build, Capture, Catastrophe, Discover, Homeworld, Move, Sacrifice, Step, Trade, Turn
from rules.homeworlds.prose import told
from rules.homeworlds.turns import begin_at

_LIKELY: Final = log(0.02)
_MOST_TABLES: Final = 6
_LOOKED_AT: Final = 40
"""From so many tables, the likeliest by what was read, those are chosen."""
_MOST_STEPS: Final = 5
_EACH_STEP: Final = log(0.03)
"""How much less likely a breach becomes with each further step that is no part of a sacrifice."""
_ONE_TOO_MANY: Final = log(0.2)
"""The same for a second action."""
_SACRIFICED: Final = log(0.05)
"""The same for a sacrifice; with nothing done by it, much less likely."""
_NONE_USED: Final = log(3e-3)
_MORE_STARS: Final = log(1e-2)
"""A home is set up with more than two stars: rather a reader saw one that is not there."""
FAR_FETCHED: Final = log(0.01)
"""How much less likely a breach is that nobody commits by mistake; these are their codes."""
_FAR_FETCHED: Final = ("no_ship_there", "no_such_ship", "no_such_target", "own_ship", "extra_ships_wrong")


@dataclass
class Deeds:
    """What was done, as steps by whoever did it.

    Attributes:
        odd: what no step of the game can say, in words, with its refusal.
    """

    steps: dict[Seat, list[Step]] = field(default_factory=dict)
    odd: list[tuple[str, Refusal]] = field(default_factory=list)

    def add(self, seat: Seat | None, step: Step) -> None:
        """One more step of *seat*."""
        assert seat
        self.steps.setdefault(seat, []).append(step)

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self.steps.values())) + len(self.odd)


def breaches(case: SystemsCase) -> Iterator[Hypothesis]:
    """What breaks the rules, for the table as it was read and for the likeliest tables besides."""
    for correction, contents in _likeliest(case):
        found = differences_of(case.table, contents)
        if len(found.gone) + len(found.come) > 3 * _MOST_STEPS:
            continue
        deeds = deeds_of(case, found)
        if 0 < deeds.count <= _MOST_STEPS:
            yield from _breach(case, deeds, found, correction)


def _likeliest(case: SystemsCase) -> list[tuple[Correction, list[int]]]:
    """The tables that are thought of, with their contents; of equally likely ones what fits the bank best."""
    likely = islice(case.corrections.likely(_LIKELY), _LOOKED_AT)
    ranked = sorted(likely, key=lambda one: (one[0].weight, case.fit_as_read(one[0])), reverse=True)
    return ranked[:_MOST_TABLES]


def _breach(case: SystemsCase, deeds: Deeds, found: Differences, correction: Correction) -> Iterator[Hypothesis]:
    """The refusal that the deeds meet, if they do."""
    mover = case.before.to_move
    doers = list(deeds.steps)
    turn: Turn = ()
    weight = BREAKS_A_RULE + correction.weight + case.fit_as_read(correction)
    weight += (deeds.count - 1) * _EACH_STEP
    if deeds.odd:
        sentence, refusal = deeds.odd[0]
        weight += len(deeds.odd) * ABSURD
    elif doers == [mover]:
        tried = _refused(case, mover, deeds.steps[mover])
        if tried.refusal is None:
            return
        turn, refusal = tried.turn, Refusal.of(tried.refusal)
        sentence = told(turn, mover)
        weight += tried.weight + sum(_weight_of_home(step) for step in tried.turn if isinstance(step, Homeworld))
    else:
        doer = next(seat for seat in doers if seat is not mover)
        tried = _refused(case, doer, deeds.steps[doer])
        turn = tried.turn
        refusal = Refusal("not_to_move", "24", f"It is {mover.word}'s turn, not {doer.word}'s.")
        sentence = told(turn, doer)
        weight += tried.weight + (len(doers) - 1) * FAR_FETCHED + (FAR_FETCHED if tried.refusal else 0.0)
    marked = (*correction.pieces, *_marked(case, found))

    def explained() -> Explanation:
        return Explanation(
            Kind.ILLEGAL,
            (turn,) if turn else (),
            case.before,
            0.0,
            f"{sentence.rstrip('.')}: {refusal.sentence}",
            refusal,
            tuple(dict.fromkeys(marked)),
        )

    yield Hypothesis(weight, (Kind.ILLEGAL, refusal.code), explained, not correction.changes)


class Tried(NamedTuple):
    """Steps in the order that gets farthest before it is refused; the refusal, if any; how likely people do so."""

    turn: Turn
    done: int
    refusal: IllegalTurn | None

    @property
    def weight(self) -> float:
        """Nobody does some things by mistake; a sacrifice is rare, but the actions that it buys are no breach."""
        code = self.refusal.code if self.refusal else ""
        weight = (
            FAR_FETCHED if code in _FAR_FETCHED else -_EACH_STEP + _ONE_TOO_MANY if code == "action_used" else 0.0
        )
        sacrifices = [step for step in self.turn if isinstance(step, Sacrifice)]
        if not sacrifices:
            return weight
        if len(self.turn) == len(sacrifices):
            return weight + _NONE_USED
        bought = self.done - 1 if self.turn[0] is sacrifices[0] else 0
        return weight + _SACRIFICED * len(sacrifices) - bought * _EACH_STEP


def _refused(case: SystemsCase, seat: Seat, steps: list[Step]) -> Tried:
    """What becomes of *steps* as *seat*'s turn."""
    begun = begin_at(case.with_to_move(case.seats.index(seat)), case.options)
    best = Tried(tuple(steps), -1, None)
    for order in permutations(steps):
        turn, done = begun, 0
        try:
            for step in order:
                turn = turn.apply(step)
                done += 1
            turn.check_end()
        except RulesError as error:
            if isinstance(error, IllegalTurn) and done > best.done:
                best = Tried(order, done, error)
        else:
            return Tried(order, done, None)
    return best


def deeds_of(case: SystemsCase, found: Differences) -> Deeds:
    """The fewest steps that make these differences, legal or not."""
    deeds = Deeds()
    gone, come = list(found.gone), list(found.come)
    fresh = {name: [one for one in come if one.system == name and not one.owner] for name in found.fresh}
    if _set_up(case, fresh, come, deeds):
        return deeds
    _catastrophes(case, found, gone, deeds)
    ships = [one for one in gone if one.owner]
    for new in [one for one in come if one.owner]:
        old = _source(new, ships)
        if old:
            ships.remove(old)
            gone.remove(old)
            come.remove(new)
            _add_moved(old, new, fresh, come, deeds)
    for new in [one for one in come if one.owner and one.system not in fresh]:
        come.remove(new)
        deeds.add(new.owner, Build(new.piece, new.system))
    for old in ships:
        gone.remove(old)
        deeds.add(old.owner, Sacrifice(old.piece, old.system))
    _about_stars(gone, come, found, deeds)
    return deeds


def _weight_of_home(home: Homeworld) -> float:
    """How likely somebody who sets a home up against the rules begins with that ship, and so many stars."""
    return OPENED_WITH[home.ship.color] + (_MORE_STARS if len(home.stars) > 2 else 0.0)


def _set_up(case: SystemsCase, fresh: dict[str, list[Placed]], come: list[Placed], deeds: Deeds) -> bool:
    """A home set up, rightly or wrongly, where the player to move has none."""
    mover = case.before.to_move
    if case.table.to_move in case.table.homes() or len(fresh) != 1 or len({one.system for one in come}) != 1:
        return False
    stars = tuple(one.piece for one in come if not one.owner)
    ships = tuple(one.piece for one in come if one.owner is mover)
    if not stars or not ships or len(stars) + len(ships) != len(come):
        return False
    deeds.add(mover, Homeworld(stars, ships[0], next(iter(fresh)), ships[1:]))
    return True


def _catastrophes(case: SystemsCase, found: Differences, gone: list[Placed], deeds: Deeds) -> None:
    """All pieces of a colour gone from a system, three or more of them."""
    for name, color in dict.fromkeys((one.system, one.piece.color) for one in gone):
        lost = [one for one in gone if (one.system, one.piece.color) == (name, color)]
        came = any((one.system, one.piece.color) == (name, color) for one in found.come)
        elsewhere = [one for one in found.come if one.owner and any(one[1:] == other[1:] for other in lost)]
        if len(lost) < 3 or came or elsewhere:
            continue
        there = case.table.systems[name].pieces
        if sum(there >> 3 * (3 * list(type(color)).index(color) + size) & 7 for size in range(3)) == len(lost):
            deeds.add(case.before.to_move, Catastrophe(name, color))
            for one in lost:
                gone.remove(one)
            if name not in found.groups:
                gone[:] = [one for one in gone if one.system != name]


def _source(new: Placed, ships: list[Placed]) -> Placed | None:
    """The ship that has become *new*: turned around, moved, or traded."""

    def likeness(old: Placed) -> int:
        if old.system == new.system and old.piece == new.piece:
            return 3  # captured
        if old.owner is new.owner and old.piece == new.piece:
            return 2  # moved
        if old.owner is new.owner and old.system == new.system:
            return 1  # exchanged
        return 0

    best = max(ships, key=likeness, default=None)
    return best if best and likeness(best) else None


def _add_moved(old: Placed, new: Placed, fresh: dict[str, list[Placed]], come: list[Placed], deeds: Deeds) -> None:
    if old.system == new.system and old.piece == new.piece:
        assert old.owner
        deeds.add(new.owner, Capture(new.piece, old.owner, new.system))
    elif old.system != new.system:
        stars = fresh.get(new.system, [])
        if len(stars) == 1:
            come.remove(stars[0])
            deeds.add(new.owner, Discover(new.piece, old.system, stars.pop().piece, new.system))
        else:
            deeds.add(new.owner, Move(new.piece, old.system, new.system))
    elif old.piece.size is new.piece.size:
        deeds.add(new.owner, Trade(old.piece, old.system, new.piece.color))
    else:
        assert new.owner
        done = f"{new.owner.word} exchanges the {old.piece.words} at {old.system} for a {new.piece.words}"
        deeds.odd.append((done, Refusal("size_changed", "12", "A trade keeps the size of the ship.")))


def _about_stars(gone: list[Placed], come: list[Placed], found: Differences, deeds: Deeds) -> None:
    """Stars go with the last ship of their system, and come with the first; nothing else happens to them."""
    for one in gone:
        if one.system in found.groups:
            refusal = Refusal("star_changed", "", "Stars stay as long as ships are there.")
            deeds.odd.append((f"The {one.piece.words} star of {one.system} is gone", refusal))
    for one in come:
        what = f"a {one.piece.words} {'ship' if one.owner else 'star'} has come to {one.system}"
        refusal = Refusal("piece_came", "", "Stars come only with ships that discover them, ships only to stars.")
        deeds.odd.append((what[0].upper() + what[1:], refusal))


def _marked(case: SystemsCase, found: Differences) -> Iterator[int]:
    """The pieces that have come; where something is only gone, the stars of the system that it has gone from."""
    for one in found.come:
        yield from _pieces_like(case, found, one.system, Appearance(one.piece, one.owner))
    if not found.come:
        for name in dict.fromkeys(one.system for one in found.gone):
            for star in case.table.systems[name].stars if name in found.groups else ():
                for piece in case.observation.groups[found.groups[name]].pieces:
                    if piece.read.owner is None and piece.read.piece.kind == star:
                        yield piece.index


def _pieces_like(case: SystemsCase, found: Differences, name: str, look: Appearance) -> Iterator[int]:
    unit = unit_of(look, case.seats)
    group = case.observation.groups[found.groups[name]]
    alike = [piece.index for piece in group.pieces if unit_of(piece.read, case.seats) == unit]
    yield from alike[-1:]
