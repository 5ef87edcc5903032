"""Who could win or conquer next, in sentences."""

from __future__ import annotations

from rules import homeworlds, settlers


def homeworlds_alerts(position: homeworlds.Position, options: homeworlds.Options | None = None) -> tuple[str, ...]:
    """The chance of the player to move, and the threats of the others ("Red Alert"), under these *options*.

    Nobody's where the sides are secret: what somebody could win by would tell on which side they are.
    """
    if options and options.victory is homeworlds.Victory.GOOD_AND_EVIL:
        return ("The sides are secret, and who could win would tell them.",)
    return tuple(_alert(threat, position) for threat in homeworlds.threats(position, options))


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
