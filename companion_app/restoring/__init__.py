"""A position put back on the table: what to do, in which order, and what a look at the table shows to be done.

``plan_of`` makes the steps, ``compare`` holds a reading of the table against them, ``Progress`` keeps the ticks;
``laid``, ``stands`` and ``still_wanted`` say what one look comes to while a game goes on; ``checklist`` tells whether
a photo documents a position well enough. Nothing here reads, writes or waits.
"""

from companion_app.restoring.banks import BankRow, bank_rows
from companion_app.restoring.checklist import Check, checklist
from companion_app.restoring.comparing import Comparison, Found, Mark, Surplus, compare
from companion_app.restoring.progress import Progress
from companion_app.restoring.standing import laid, stands, still_wanted
from companion_app.restoring.steps import BANK, TOKEN, Group, Plan, Step, plan_of
from companion_app.restoring.targets import position_of_line, position_of_reading

__all__ = [
    "BANK",
    "TOKEN",
    "BankRow",
    "Check",
    "Comparison",
    "Found",
    "Group",
    "Mark",
    "Plan",
    "Progress",
    "Step",
    "Surplus",
    "bank_rows",
    "checklist",
    "compare",
    "laid",
    "plan_of",
    "position_of_line",
    "position_of_reading",
    "stands",
    "still_wanted",
]
