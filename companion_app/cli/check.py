"""``pyramids check``: were these games played by the rules?"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click

from companion_app.cli.lines import echo_json, json_option
from companion_app.errors import AppError
from companion_app.game_files import Problem, Verdict, open_game
from rules import RulesError

_WORTH_SHARING_OUT = 50  # files; below that a second process takes longer to start than it saves
_AT_ONCE = 16


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME…", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def check(ctx: click.Context, games: tuple[Path, ...], as_json: bool) -> None:
    """Tell of each GAME whether it was played by the rules, and sum up.

    A GAME is a game file of ours, a transcript of SuperDuperGames, or a folder of such files (*.txt, *.pyramids).
    The exit status is 1 when a game is not legal or cannot be read.

    \b
    Examples
      pyramids check tournament.pyramids
      pyramids check games/ --json > verdicts.jsonl

    \b
    With --json, one object a line:
      {"file": "games/12.txt", "players": 2, "verdict": "ok"|"illegal", "turns": 41,
       "ending": "elim"|"score"|"resigned"|"draw"|"unfinished", "winner": "North"|null,
       "problem": {"turn": 12, "code": "not_smallest", "sentence": …}|null}
    turns are those that were played legally; turn 0 is the file as a whole.
    """
    files = list(_files(games))
    tally: Counter[str] = Counter()
    with _progress(files) as shown:
        for file, verdict in zip(shown, _verdicts(files), strict=False):
            tally["ok" if verdict.is_ok else "illegal"] += 1
            tally["turns"] += verdict.turns
            tally[verdict.ending] += 1
            if as_json:
                echo_json(_fields(file, verdict))
            elif not verdict.is_ok or len(files) == 1:
                click.echo(_sentence(file, verdict))
    if not as_json:
        click.echo(_summary(tally, len(files)))
    ctx.exit(1 if tally["illegal"] else 0)


def _progress(files: list[Path]) -> AbstractContextManager[Iterable[Path]]:
    """The files once more, with a bar on a terminal's error stream as they are worked off."""
    if not sys.stderr.isatty():
        return nullcontext(files)
    return click.progressbar(files, label="Checking", file=sys.stderr)


def _files(games: Iterable[Path]) -> Iterator[Path]:
    for path in games:
        if path.is_dir():
            found = sorted(one for one in path.iterdir() if one.suffix in (".txt", ".pyramids"))
            if not found:
                raise AppError("folder_empty", f"There is no game in {path}: its files end in .txt or .pyramids.")
            yield from found
        else:
            yield path


def _verdicts(files: list[Path]) -> Iterator[Verdict]:
    """The verdict on each file, in their order; many files are shared out over the processors."""
    workers = min(os.cpu_count() or 1, 8)
    if len(files) < _WORTH_SHARING_OUT or workers == 1:
        yield from map(verdict_on, files)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(verdict_on, files, chunksize=_AT_ONCE)


def verdict_on(file: Path) -> Verdict:
    """The verdict on a file; one that is no game is not legal from its turn 0 on."""
    try:
        return open_game(file).verdict()
    except (AppError, RulesError) as error:
        return Verdict(None, 0, None, Problem(0, error.code, error.sentence))


def _fields(file: Path, verdict: Verdict) -> dict[str, object]:
    problem = verdict.problem
    return {
        "file": str(file),
        "players": verdict.players,
        "verdict": "ok" if verdict.is_ok else "illegal",
        "turns": verdict.turns,
        "ending": verdict.ending.value,
        "winner": verdict.winner,
        "problem": problem and {"turn": problem.turn, "code": problem.code, "sentence": problem.sentence},
    }


def _sentence(file: Path, verdict: Verdict) -> str:
    problem = verdict.problem
    if problem is None:
        ended = verdict.outcome.sentence if verdict.outcome else "The game is unfinished."
        return f"{file}: ok, {verdict.turns} turns. {ended}"
    where = f"turn {problem.turn}" + (f" ({verdict.refused})" if verdict.refused else "") if problem.turn else "file"
    return f"{file}: illegal, {where}: {problem.sentence}"


def _summary(tally: Counter[str], files: int) -> str:
    endings = ", ".join(f"{count} {ending}" for ending, count in sorted(tally.items()) if ending not in _COUNTED)
    return f"{files} games: {tally['ok']} ok, {tally['illegal']} illegal; {tally['turns']} turns; {endings}"


_COUNTED = ("ok", "illegal", "turns")
