"""Who could win or conquer next, in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules import homeworlds, settlers

MOST_WARNINGS: Final = 2
"""More at once than can be heeded would hide the one that matters."""


def homeworlds_alerts(
    position: homeworlds.Position, options: homeworlds.Options | None = None, *, secret: bool = True
) -> tuple[str, ...]:
    """The chance of the player to move, and the threats of the others, under these *options*.

    Nobody's where the sides of good and evil are *secret*: what somebody could win by would tell on which side they
    are.
    """
    if secret and options and options.victory is homeworlds.Victory.GOOD_AND_EVIL:
        return ("The sides are secret, and who could win would tell them.",)
    return tuple(_alert(threat, position) for threat in homeworlds.threats(position, options))


def red_alerts(game: homeworlds.Game) -> tuple[str, ...]:
    """What those are told who are to be warned of danger (ruling 25): by whom, but not by which turn."""
    return tuple(
        f"Red alert for {danger.victim.word}: {danger.seat.word} could put {danger.victim.word} out with one turn."
        for danger in game.red_alerts()
    )


def urgent(warnings: Iterable[homeworlds.Warning]) -> tuple[str, ...]:
    """The most urgent of the *warnings* about one turn or several, a sentence each.

    That somebody can win in the next turn is not among them: whoever is to be told hears it as a red alert, and
    everybody who asks as an alert.
    """
    told = [warning for warning in warnings if warning.urgency is not homeworlds.Urgency.LOSS_NEXT]
    return tuple(warning.sentence for warning in sorted(told, key=lambda one: one.urgency)[:MOST_WARNINGS])


def _alert(threat: homeworlds.Threat, position: homeworlds.Position) -> str:
    theirs = homeworlds.Position(position.systems, threat.seat, position.players)
    turn = homeworlds.write_turn(threat.turn, theirs)
    if threat.seat is position.to_move:
        return f"{threat.seat.word} is to move and can win: {turn}"
    return f"Red alert: {threat.seat.word} threatens to win: {turn}"


def settlers_alerts(position: settlers.Position, options: settlers.Options) -> tuple[str, ...]:
    """The pieces that each side could conquer, by field."""
    fields: dict[str, dict[str, None]] = {}
    for threat in settlers.conquerable(position, options):
        fields.setdefault(threat.by.owner.word, {})[threat.target.field] = None
    return tuple(f"{seat} could conquer {', '.join(found)}" for seat, found in fields.items())
