"""The group of all commands: imports a command only when it is wanted, and guards all against bad input."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import click

from companion_app.cli.standard_streams import drop_unwritten, is_full, prepare_streams
from companion_app.errors import AppError
from rules import RulesError

Section = Mapping[str, tuple[str, str]]  # command name -> ("module:function", what it does in one line)

# Where a new command is registered: nothing else needs to know it.
SECTIONS: Mapping[str, Section] = {
    "From a photo": {
        "read": ("companion_app.cli.read:read", "Read pieces, position, bank and inventory from photos."),
        "score": ("companion_app.cli.score:score", "Settlers: the board, both totals, who has won and why."),
    },
    "From a position": {
        "draw": ("companion_app.cli.draw:draw", "Draw the diagram of a position as SVG or PNG."),
        "render": ("companion_app.cli.render:render", "Photograph a position on the virtual table."),
        "restore": ("companion_app.cli.restore:restore", "How to put a position back on the table, step by step."),
    },
    "The referee": {
        "check": ("companion_app.cli.check:check", "Tell of each game file whether it was played by the rules."),
        "replay": ("companion_app.cli.replay:replay", "Tell a game turn by turn, with threats and its end."),
        "turns": ("companion_app.cli.turns:turns", "List or count the legal turns of a position."),
        "threats": ("companion_app.cli.threats:threats", "Who could win at once, or what could be conquered."),
    },
    "For the table": {
        "board": (
            "companion_app.cli.board:board",
            "The Settlers board and a bank mat to print, to scale.",
        ),
        "lights": ("companion_app.cli.lights:lights", "Lights and buttons: list, test, monitor, simulate."),
    },
    "The page": {
        "demo": ("companion_app.cli.serve:demo", "Watch a virtual table play a whole game."),
        "serve": ("companion_app.cli.serve:serve", "Serve the page: open photos, play, correct."),
        "corrections": (
            "companion_app.cli.corrections:corrections",
            "What was corrected on the page: list, export, on, off.",
        ),
        "backup": ("companion_app.cli.backup:backup", "Write all that is kept to a zip file."),
        "restore-backup": ("companion_app.cli.backup:restore_backup", "Put such a backup back."),
    },
}

HELP = """Reads, referees and keeps games of Homeworlds and Homeworlds Settlers from a photo of the table.

\b
Examples
  pyramids demo                                        see it work, no photo needed
  pyramids read table.jpg --game homeworlds            pieces, position, bank, questions
  pyramids read *.jpg --game settlers --json           one JSON object a line
  pyramids score board.jpg --annotate scored.png       who has won, drawn on the photo
  pyramids draw "<0>; South(0,b3y2)g3-; North(1,g1r2)-g3" --out position.svg
  pyramids board --out board.pdf                       a board to print

\b
South is the player nearest to the bottom of the photo; say --south right|top|left if not.
Every command explains itself: pyramids COMMAND --help.
Exit status: 0 done, 1 when check finds a game that is not legal, 2 when something given cannot be used.
"""

NO_COMMAND: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())  # click 8.1 prints the help by itself


class LazyGroup(click.Group):
    """A group that knows where the code of its commands is, so that each pays for its own imports only."""

    def __init__(self, *args: Any, sections: Mapping[str, Section], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sections = sections
        self._commands = {name: entry for section in sections.values() for name, entry in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the sections."""
        return [*super().list_commands(ctx), *self._commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command itself, imported now; ``None`` when there is none of that name."""
        if cmd_name not in self._commands:
            return super().get_command(ctx, cmd_name)
        module, _, function = self._commands[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), function)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands by section, written without importing any of them."""
        del ctx
        for title, section in self._sections.items():
            with formatter.section(title):
                formatter.write_dl([(name, summary) for name, (_, summary) in section.items()], col_max=11)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run and leave; whatever cannot be used is one sentence on the error stream and exit status 2."""
        prepare_streams()
        try:
            status = self._run(*args, **kwargs)
        except OSError as error:
            if not is_full(error):
                raise
            status = _refuse(f"The output cannot be written: {error.strerror}.")
            drop_unwritten()
        sys.exit(status)

    def _run(self, *args: Any, **kwargs: Any) -> int:
        """The exit status, once all is said."""
        kwargs["standalone_mode"] = False
        try:
            status = super().main(*args, **kwargs)
        except (AppError, RulesError) as error:
            return _refuse(error.sentence)
        except NO_COMMAND as error:
            error.show()
            return int(error.exit_code)
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "pyramids"
            return _refuse(f"{' '.join(error.format_message().split()).rstrip('.')}. See {command} --help.")
        except click.ClickException as error:
            return _refuse(error.format_message())
        except click.Abort:
            return 130
        return status if isinstance(status, int) else 0


def _refuse(sentence: str) -> int:
    with suppress(OSError):  # nobody hears it, but the exit status tells
        click.echo(f"pyramids: {sentence}", err=True)
    return 2


@click.group(
    name="pyramids",
    cls=LazyGroup,
    sections=SECTIONS,
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="pyramid-companion", prog_name="pyramids")
def main() -> None:
    """The command ``pyramids``."""
