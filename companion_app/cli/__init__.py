"""The command line: ``pyramids``. One module per command, imported only when that command runs."""

from companion_app.cli.group import LazyGroup, Section, main

__all__ = ["LazyGroup", "Section", "main"]
