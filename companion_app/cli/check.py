"""``pyramids check``: were these games played by the rules?"""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path

import click

from companion_app.bounded_files import is_folder, read_bounded
from companion_app.cli.lines import echo_json, json_option
from companion_app.errors import AppError
from companion_app.game_files import ENDINGS, Problem, Verdict, is_export, open_game, skipping, text_of
from rules import RulesError

_WORTH_SHARING_OUT = 50  # files; below that a second process takes longer to start than it saves
_AT_ONCE = 16
_CLEARED = "\r\033[K"
_LONGEST_EXPORT = 4_000_000  # bytes; a game takes some thousands


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME…", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def check(ctx: click.Context, games: tuple[Path, ...], as_json: bool) -> None:
    """Tell of each GAME whether it was played by the rules, and sum up.

    A GAME is a game file of ours, a transcript of SuperDuperGames, a game record of AbstractPlay, or a folder of
    such files: of those named *.txt, *.pyramids and *.raw, and of those named *.json that hold such a record. What a
    file holds besides its game, such as talk, is skipped, and told. The exit status is 0 when all games are legal, 1
    when one is not or cannot be read.

    \b
    Examples
      pyramids check tournament.pyramids
      pyramids check games/ --json > verdicts.jsonl

    \b
    With --json, one object a line:
      {"file": "games/12.txt", "players": 2, "verdict": "ok"|"illegal", "turns": 41,
       "ending": "elim"|"score"|"resigned"|"draw"|"unfinished", "winner": "North"|null,
       "problem": {"turn": 12, "code": "not_smallest", "sentence": …}|null}
    turns are those that were played legally; turn 0 is the file as a whole, and players is null where it cannot be
    read. Where something was skipped, "skipped": ["12 lines of talk", …] is added.
    """
    files = list(_files(games))
    tally: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    with _progress(files) as shown, closing(_verdicts(files)) as verdicts:
        for file, verdict in zip(shown, verdicts, strict=False):
            tally[_judged(verdict)] += 1
            tally["turns"] += verdict.turns
            if verdict.is_ok:
                endings[verdict.ending] += 1
            skipped.update({one.text if one.kind == "variants" else one.kind for one in verdict.skipped})
            if shown is not files:
                click.echo(_CLEARED, nl=False, err=True)  # else the next line would stand behind the bar
            if as_json:
                echo_json(_fields(file, verdict))
            elif not verdict.is_ok or len(files) == 1:
                click.echo("\n".join(_lines(file, verdict)))
                if len(files) == 1 and verdict.turns and verdict.refused:
                    click.echo(f"The game up to there: pyramids replay {shlex.quote(str(file))} --at {verdict.turns}")
    if len(files) > 1 and not as_json:
        click.echo(_summary(tally, endings))
        if skipped:
            told = (f"{what} (in {_counted(times, 'game')})" for what, times in skipped.most_common())
            click.echo(f"Skipped: {', '.join(told)}.")
    ctx.exit(1 if tally["ok"] < len(files) else 0)


def _judged(verdict: Verdict) -> str:
    if verdict.is_ok:
        return "ok"
    return "unreadable" if verdict.players is None else "illegal"


def _progress(files: list[Path]) -> AbstractContextManager[Iterable[Path]]:
    """The files once more; several with a bar on a terminal's error stream as they are worked off."""
    if len(files) == 1 or not sys.stderr.isatty():
        return nullcontext(files)
    return click.progressbar(files, label="Checking", file=sys.stderr)


def _files(games: Iterable[Path]) -> Iterator[Path]:
    for path in games:
        if is_folder(path):
            found = sorted(_in_folder(path))
            if not found:
                raise AppError(
                    "folder_empty",
                    f"There is no game in {path}: files of games end in {', '.join(ENDINGS)}, or in .json where they "
                    "hold a game record of AbstractPlay.",
                )
            yield from found
        else:
            yield path


def _in_folder(folder: Path) -> list[Path]:
    try:
        return [one for one in folder.iterdir() if not is_folder(one) and _is_game(one)]
    except OSError as error:
        raise AppError("folder_unreadable", f"{folder} cannot be opened: {error.strerror}.") from None


def _is_game(file: Path) -> bool:
    """Whether a file of a folder is meant: by its name, or an export by what is in it."""
    if file.suffix.lower() != ".json":
        return file.suffix.lower() in ENDINGS
    try:
        content = read_bounded(file, _LONGEST_EXPORT)
        return len(content) <= _LONGEST_EXPORT and is_export(text_of(content))
    except (AppError, OSError):
        return False


def _verdicts(files: list[Path]) -> Generator[Verdict, None, None]:
    """The verdict on each file, in their order; many files are shared out over the processors."""
    workers = min(os.cpu_count() or 1, 8)
    if len(files) < _WORTH_SHARING_OUT or workers == 1:
        yield from map(verdict_on, files)
        return
    with ProcessPoolExecutor(workers, initializer=_ignore_interrupts) as pool:
        try:
            yield from pool.map(verdict_on, files, chunksize=_AT_ONCE)
        finally:
            pool.shutdown(cancel_futures=True)  # waited for: a pool that is left at work complains at the end


def _ignore_interrupts() -> None:
    """Ctrl-C is for the first process alone, which then ends the others: else each would print where it stood."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def verdict_on(file: Path) -> Verdict:
    """The verdict on a file; one that is no game is not legal from its turn 0 on."""
    try:
        return open_game(file).verdict()
    except (AppError, RulesError) as error:
        return Verdict(None, 0, None, Problem(0, error.code, error.sentence))


def _fields(file: Path, verdict: Verdict) -> dict[str, object]:
    problem = verdict.problem
    fields: dict[str, object] = {
        "file": str(file),
        "players": verdict.players,
        "verdict": "ok" if verdict.is_ok else "illegal",
        "turns": verdict.turns,
        "ending": verdict.ending.value,
        "winner": verdict.winner,
        "problem": problem and {"turn": problem.turn, "code": problem.code, "sentence": problem.sentence},
    }
    if verdict.skipped:
        fields["skipped"] = [one.text for one in verdict.skipped]
    return fields


def _lines(file: Path, verdict: Verdict) -> Iterator[str]:
    problem = verdict.problem
    if problem is None:
        ended = verdict.outcome.sentence if verdict.outcome else "The game is unfinished."
        yield f"{file}: ok, {_counted(verdict.turns, 'turn')}. {ended}"
        if verdict.skipped:
            yield f"  {skipping(verdict.skipped)}"
        return
    yield f"{file}: {_judged(verdict)}{f', turn {problem.turn}' if problem.turn else ''}"
    if verdict.refused:
        yield f"  {problem.turn}. {verdict.refused}"
    yield f"  {problem.sentence}"
    if verdict.skipped:
        yield f"  {skipping(verdict.skipped)}"


def _summary(tally: Counter[str], endings: Counter[str]) -> str:
    judged = {name: tally[name] for name in ("ok", "illegal", "unreadable")}
    counts = [f"{count} {name}" for name, count in judged.items() if count]
    ended = "; " + ", ".join(f"{count} {ending}" for ending, count in sorted(endings.items())) if endings else ""
    return f"{_counted(sum(judged.values()), 'game')}: {', '.join(counts)}; {_counted(tally['turns'], 'turn')}{ended}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
