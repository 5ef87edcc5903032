"""Why a step is refused: one function a reason, each with its code, its ruling and a sentence for beginners.

Codes: ``already_set_up``, ``set_up_first``, ``pass_at_set_up``, ``home_stars_wrong``, ``first_ship_wrong``,
``not_in_bank``, ``name_taken``, ``system_unknown``, ``no_ship_there``, ``no_such_ship``, ``no_such_target``,
``action_used``, ``actions_used_up``, ``wrong_sacrifice``, ``no_power``, ``power_is_the_enemys``,
``no_ship_of_color``, ``not_smallest``, ``color_used_up``, ``same_color``, ``not_connected``, ``same_system``,
``star_size_shared``, ``own_ship``, ``too_big``, ``arrived_this_turn``, ``not_overpopulated``,
``extra_ships_wrong``, ``self_elimination_forbidden``.

The four common mistakes of the rule book are ``not_connected`` (can't move there), ``power_is_the_enemys`` (can't
do that), ``no_ship_of_color`` and ``not_smallest`` (can't build that), and ``arrived_this_turn``, ``too_big`` and
``no_power`` (can't capture yet).
"""

from rules.homeworlds.refusals.peaceful import (
    no_ship_of_color,
    not_connected,
    not_smallest,
    same_color,
    star_not_in_bank,
    star_size_shared,
    trade_not_in_bank,
)
from rules.homeworlds.refusals.places import (
    action_used,
    name_taken,
    no_power,
    no_ship_there,
    no_such_ship,
    system_unknown,
    wrong_sacrifice,
)
from rules.homeworlds.refusals.setting_up import already_set_up, check_set_up, pass_at_set_up, set_up_first
from rules.homeworlds.refusals.violent import (
    no_such_target,
    not_overpopulated,
    own_ship,
    self_elimination,
    too_big,
    too_late_to_capture,
)

__all__ = [
    "action_used",
    "already_set_up",
    "check_set_up",
    "name_taken",
    "no_power",
    "no_ship_of_color",
    "no_ship_there",
    "no_such_ship",
    "no_such_target",
    "not_connected",
    "not_overpopulated",
    "not_smallest",
    "own_ship",
    "pass_at_set_up",
    "same_color",
    "self_elimination",
    "set_up_first",
    "star_not_in_bank",
    "star_size_shared",
    "system_unknown",
    "too_big",
    "too_late_to_capture",
    "trade_not_in_bank",
    "wrong_sacrifice",
]
