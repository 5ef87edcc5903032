"""``pyramids threats``: who could win at once, and what could be conquered."""

from __future__ import annotations

import click

from companion_app.cli.lines import echo_json, given_positions, json_option, positions_argument
from companion_app.cli.options import redless_option
from companion_app.game_files.alerts import homeworlds_alerts
from rules import homeworlds, settlers


@click.command()
@positions_argument
@click.option(
    "--all", "everybody", is_flag=True, help="With --json: the chances of every player, not only who is to move."
)
@json_option
@redless_option
def threats(positions: tuple[str, ...], everybody: bool, as_json: bool, redless: bool) -> None:
    """Tell who could win at once in each POSITION ("Red Alert"), or, in Settlers, what could be conquered.

    Positions are arguments or lines on standard input.

    \b
    Examples
      pyramids threats "<0>; South(0,b1r2)g3-; North(1,b3y1)y3-g3; Vega(g2)r1-"
      pyramids threats --json < positions.txt

    \b
    With --json, one object a line:
      {"win_in_one": true, "turn": "sacrifice r1 Vega; capture g3 North"}   or false and null; who is to move
      … "threats": [{"seat": "South", "turn": …}, …]                        with --all, in turn order
      {"conquerable": [{"field": "c2", "by": "North", "turn": "R c3: x c2"}, …]}    Settlers, both sides
    """
    for _, position in given_positions(positions, redless=redless):
        if isinstance(position, homeworlds.Position):
            _wins(position, everybody, as_json)
        else:
            _conquests(position, as_json)


def _wins(position: homeworlds.Position, everybody: bool, as_json: bool) -> None:
    if as_json and not everybody:
        win = next(homeworlds.winning_turns(position), None)
        written = None if win is None else homeworlds.write_turn(win, position)
        echo_json({"win_in_one": win is not None, "turn": written})
        return
    if as_json:
        found = {threat.seat: _written(threat, position) for threat in homeworlds.threats(position)}
        every = [{"seat": seat.word, "turn": turn} for seat, turn in found.items()]
        echo_json({"win_in_one": position.to_move in found, "turn": found.get(position.to_move), "threats": every})
        return
    click.echo("\n".join(homeworlds_alerts(position)) or "Nobody can win in one turn.")


def _written(threat: homeworlds.Threat, position: homeworlds.Position) -> str:
    theirs = homeworlds.Position(position.systems, threat.seat, position.players)
    return homeworlds.write_turn(threat.turn, theirs)


def _conquests(position: settlers.Position, as_json: bool) -> None:
    found = []
    for threat in settlers.conquerable(position):
        seat = threat.by.owner
        theirs = settlers.Position(position.board, seat, position.quiet_turns, position.redless)
        found.append((threat, seat, settlers.write_turn(threat.turn, theirs)))
    if as_json:
        echo_json(
            {"conquerable": [{"field": t.target.field, "by": seat.word, "turn": turn} for t, seat, turn in found]}
        )
        return
    for threat, seat, turn in found:
        click.echo(f"{seat.word} can conquer the {threat.target.piece.words} on {threat.target.field}: {turn}")
    if not found:
        click.echo("No piece can be conquered in one turn.")
