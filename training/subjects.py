"""The nets by name, with what each has to learn."""

from __future__ import annotations

from pathlib import Path

from training.eyes_subject import EyesSubject
from training.inspector_subject import InspectorSubject
from training.pips_subject import PipsSubject
from training.run import Subject


def subject_of(net: str, begin_as: str = "") -> Subject:
    """What the "eyes", the counter of "pips" or the "inspector" has to learn.

    The last may begin as the eyes of the run *begin_as*.
    """
    if net == "eyes":
        return EyesSubject()
    if net == "pips":
        return PipsSubject()
    return InspectorSubject(Path(begin_as) if begin_as else None)
