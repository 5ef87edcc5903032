"""Whether corrections are kept for export: yes, until a person says no. The answer lies beside the readings."""

from __future__ import annotations

from pathlib import Path

from companion_app.errors import AppError
from companion_app.private_files import write_private

NOTE = "Corrections are not kept for export while this file is here: pyramids corrections on\n"


class Switch:
    """The switch of the readings in *folder*."""

    def __init__(self, folder: Path) -> None:
        self._note = folder / "corrections-off.txt"

    @property
    def on(self) -> bool:
        """Whether corrections are kept for export."""
        return not self._note.exists()

    def turn(self, on: bool) -> None:
        """Keep corrections from now on, or no more; raises AppError where that cannot be written down."""
        try:
            if on:
                self._note.unlink(missing_ok=True)
            else:
                write_private(self._note, NOTE.encode())
        except OSError as error:
            raise AppError("not_written", f"{self._note} cannot be changed: {error.strerror}.") from None

    @property
    def sentence(self) -> str:
        """What holds now."""
        if self.on:
            return (
                "What you correct is kept with its photo, on this computer only, for “pyramids corrections export”."
            )
        return "Corrections are not kept for export: a reading that you correct or save now stays out of it for good."
