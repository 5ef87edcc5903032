"""``pyramids replay``: a recorded game, turn by turn."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from companion_app.cli.lines import echo_json, json_option
from companion_app.errors import AppError
from companion_app.game_files import GameFile, Ply, Verdict, open_game, skipping
from companion_app.game_files.alerts import urgent
from rules import homeworlds


@click.command()
@click.argument("game", type=click.Path(path_type=Path))
@click.option(
    "--at", "upto", type=click.IntRange(0), metavar="N", help="Stop after N turns (0: at once) and show the position."
)
@click.option("--svg", is_flag=True, help="Print the diagram of the position at the end, or after --at, as SVG.")
@click.option("--record", "as_record", is_flag=True, help="Print the game as a game file of ours.")
@click.option("--no-warnings", is_flag=True, help="Leave out what the players of the turns may regret.")
@click.option("--abstractplay", is_flag=True, help="Print its turns in the notation of AbstractPlay, one a line.")
@json_option
def replay(
    game: Path, upto: int | None, svg: bool, as_record: bool, abstractplay: bool, no_warnings: bool, as_json: bool
) -> None:
    """Tell GAME turn by turn: coded form and sentence, who threatens to win, what was illegal, the end.

    GAME is a game file of ours, a transcript of SuperDuperGames, or a game record or the turns of AbstractPlay.
    Under a turn, lines with ! tell who could win next, and at most two with * what its player may regret, the most
    urgent first.

    \b
    Examples
      pyramids replay final.pyramids
      pyramids replay final.pyramids --at 12 --svg > turn12.svg
      pyramids replay 10016.txt --record > 10016.pyramids
      pyramids replay final.pyramids --abstractplay

    \b
    With --json, one object a turn, then one for the end:
      {"turn": 3, "seat": "South", "text": "build g1 South", "sentence": "South builds …",
       "position": "<1>; …", "alerts": ["Red alert: …"], "warnings": [ …]}
      {"verdict": "ok"|"illegal", "turns": 41, "ending": …, "winner": …, "sentence": …,
       "problem": {"turn": …, "code": …, "sentence": …}|null}
    Where the file holds more than the game, "skipped": ["12 lines of talk", …] is added to the last.
    """
    if svg + as_record + abstractplay + as_json > 1:
        raise click.UsageError("Choose one of --svg, --record, --abstractplay and --json.")
    if (as_record or abstractplay) and upto is not None:
        option = "--record" if as_record else "--abstractplay"
        raise click.UsageError(f"{option} prints the whole game: leave --at out.")
    if no_warnings and (svg or as_record or abstractplay or as_json):
        raise click.UsageError("--no-warnings is for the text: leave out what prints something else.")
    opened = open_game(game)
    if as_record or abstractplay:
        click.echo(_as_record(opened) if as_record else _for_abstractplay(opened), nl=False)
        left_out = skipping(opened.verdict().skipped)
        if left_out:
            click.echo(left_out, err=True)
        return
    position = opened.start
    for ply in islice(opened.plies(), upto):
        position = ply.position
        if as_json:
            echo_json(_fields(ply))
        elif not svg:
            click.echo("\n".join(_lines(ply, () if no_warnings else urgent(ply.warnings))))
    if svg:
        from companion_app.diagram import diagram_svg

        click.echo(diagram_svg(position, over=upto is None and opened.verdict().outcome is not None))
        return
    if upto is None:
        _tell_end(opened.verdict(), as_json)
    elif not as_json:
        click.echo(f"{position.line}" if upto == 0 else f"\n{position.line}")


def _as_record(opened: GameFile) -> str:
    from rules.records import write_record

    return write_record(opened.record())


def _for_abstractplay(opened: GameFile) -> str:
    from companion_app.game_files.records import game_of
    from rules.homeworlds.abstractplay_writer import doubts, write_abstractplay

    game = game_of(opened.record())
    if not isinstance(game, homeworlds.Game):
        raise AppError("not_in_settlers", "AbstractPlay has no Settlers: only games of Homeworlds can be written so.")
    written = write_abstractplay(game)
    for doubt in doubts(game):
        click.echo(doubt, err=True)
    return written


def _fields(ply: Ply) -> dict[str, object]:
    return {
        "turn": ply.number,
        "seat": ply.seat.word,
        "text": ply.text,
        "sentence": ply.sentence,
        "position": ply.position.line,
        "alerts": list(ply.alerts),
        "warnings": [warning.sentence for warning in ply.warnings],
    }


def _lines(ply: Ply, warnings: tuple[str, ...]) -> list[str]:
    heading = f"{ply.number:>3}. {ply.seat.word}: {ply.text}"
    told = [*(f"     ! {alert}" for alert in ply.alerts), *(f"     * {warning}" for warning in warnings)]
    return [heading, f"     {ply.sentence}", *told]


def _tell_end(verdict: Verdict, as_json: bool) -> None:
    problem = verdict.problem
    sentence = verdict.outcome.sentence if verdict.outcome else "The game is unfinished."
    if as_json:
        echo_json(
            {
                "verdict": "ok" if verdict.is_ok else "illegal",
                "turns": verdict.turns,
                "ending": verdict.ending.value,
                "winner": verdict.winner,
                "sentence": sentence,
                "problem": problem and {"turn": problem.turn, "code": problem.code, "sentence": problem.sentence},
            }
            | ({"skipped": [one.text for one in verdict.skipped]} if verdict.skipped else {})
        )
        return
    if problem and problem.turn:
        click.echo(f"\n{problem.turn:>3}. {verdict.refused}\n     is not legal. {problem.sentence}")
    else:
        turns = "1 turn, legal." if verdict.turns == 1 else f"{verdict.turns} turns, all legal."
        click.echo(f"\n{turns} {sentence}")
        if problem:
            click.echo(problem.sentence)
    if verdict.skipped:
        click.echo(skipping(verdict.skipped))
