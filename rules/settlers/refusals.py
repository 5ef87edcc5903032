"""Why a step may not come next, in a sentence that says what may.

Codes of every step: ``field_unknown``, ``turn_over``, ``choose_first``, ``wrong_action``, ``pips_used_up``,
``field_empty``, ``field_taken``, ``not_yours``, ``not_bordering``, ``bank_lacks``. Of single steps:
``already_chosen``, ``pass_alone``; ``own_piece``, ``too_large``, ``too_weak`` (Red); ``path_too_short``,
``too_far``, ``not_a_step`` (Yellow); ``no_space``, ``not_smallest``, ``still_space``, ``same_green``,
``not_green``, ``green_has_space``, ``landing_green_only``, ``landing_size`` (Green); ``same_color``,
``already_large`` (Blue).
"""

from __future__ import annotations

from rules.errors import quoted
from rules.pieces import KINDS, Color, Piece, Size
from rules.settlers.actions import following
from rules.settlers.compact import (
    BORDERING,
    NUMBER,
    State,
    Terms,
    in_bank,
    red_balance,
    unpacked,
)
from rules.settlers.refusals_green import RULE, VERB, GreenJudge
from rules.settlers.steps import Build, Choose, Conquer, Land, Move, Pass, Step, Trade, Transfer, Upgrade
from rules.settlers.table import choice, counted, either, listed, pips, refuse

_NEEDED: dict[type, tuple[Color, str]] = {
    Conquer: (Color.RED, "conquer"),
    Move: (Color.YELLOW, "move a piece"),
    Build: (Color.GREEN, "build"),
    Transfer: (Color.GREEN, "go on with another green"),
    Trade: (Color.BLUE, "trade"),
    Upgrade: (Color.BLUE, "upgrade"),
}


def refuse_if_illegal(state: State, terms: Terms, step: Step) -> None:
    """An :class:`rules.IllegalTurn` when *step* may not come next."""
    _Judge(state, terms, unpacked(state.board)).judge(step)


class _Judge(GreenJudge):
    """Holds one step against the rules."""

    __slots__ = ()

    def judge(self, step: Step) -> None:
        if self.state.over:
            refuse("turn_over", "This turn is over, since a landing or a pass ends it: leave out what follows.", "S7")
        match step:
            case Pass():
                self._pass()
            case Choose(field):
                self._choose(_known(field))
            case Land(piece, field):
                self.land(piece, _known(field))
            case _:
                self._may_act(type(step))
                self._action(step)

    def _action(self, step: Step) -> None:
        match step:
            case Conquer(field):
                self._conquer(_known(field))
            case Move(path):
                self._move([_known(field) for field in path])
            case Build(piece, field):
                self.build(piece, _known(field))
            case Transfer(field):
                self.transfer(_known(field))
            case Trade(field, color):
                self._trade(_known(field), color)
            case Upgrade(field):
                self._upgrade(_known(field))

    # The beginning of a turn

    def _pass(self) -> None:
        if self.state.doing:
            refuse("pass_alone", "A pass is a turn of its own: after choosing a piece, simply end the turn.", "S18")

    def _choose(self, field: str) -> None:
        if self.state.doing:
            refuse(
                "already_chosen",
                f"The {self.action_piece} is your action piece this turn: one turn uses one action piece, "
                "so go on with it or end the turn.",
                "S5" if self.state.doing is Color.GREEN else RULE[self.state.doing],
                field=field,
            )
        ship = self.board.get(field)
        if not ship or ship.owner is not self.terms.seat:
            what = f"{self.on(field)} is {ship.owner.word}'s" if ship else f"{field} is empty"
            mine = self.mine()
            may = f"choose a piece of your own on {either(mine)}" if mine else "you own no piece yet, so land a green"
            refuse("not_yours" if ship else "field_empty", f"{what}: {may}.", "" if mine else "S1", field=field)

    def _may_act(self, kind: type) -> None:
        color, verb = _NEEDED[kind]
        if self.state.doing is None:
            refuse(
                "choose_first",
                f"First choose the {color.value} piece that is to {verb}.",
                RULE[color],
                color=color.value,
            )
        if self.state.doing is not color:
            refuse(
                "wrong_action",
                f"You chose a {self.state.doing.value} action piece, which {VERB[self.state.doing]}: "
                f"only a {color.value} one can {verb}.",
                RULE[color],
                color=color.value,
                chosen=self.state.doing.value,
            )
        self.has_pips()

    # Red

    def _conquer(self, field: str) -> None:
        here, ship = self.here, self.board.get(field)
        may = f"your red on {here} can conquer {choice('what is on', self._targets(), 'nothing now')}"
        if not ship:
            refuse(
                "field_empty",
                f"There is no piece on {field} to conquer: {may}.",
                "S9",
                field=field,
            )
        if ship.owner is self.terms.seat:
            refuse("own_piece", f"{self.on(field)} is yours already: {may}.", "S9", field=field)
        if field not in BORDERING[here]:
            refuse(
                "not_bordering",
                f"{field} does not border your action piece: {may}.",
                "S9",
                field=field,
                action_field=here,
            )
        size = self.board[here].piece.size
        if ship.piece.size > size:
            refuse(
                "too_large",
                f"{self.on(field)} is larger than your {size.word} red, which conquers pieces up to its own size: "
                f"{may}.",
                "S9",
                field=field,
                size=int(ship.piece.size),
                largest=int(size),
            )
        attack, defence = red_balance(self.state.board, NUMBER[field], self.terms.seat)
        if attack <= defence:
            own = ", its own among them" if ship.piece.color is Color.RED else ""
            refuse(
                "too_weak",
                f"Around {field} your reds have {pips(attack)} and the defence has {pips(defence)}{own}: "
                f"you need at least {defence + 1}.",
                "S10",
                field=field,
                attack=attack,
                defence=defence,
            )

    def _targets(self) -> list[str]:
        """What the action piece can conquer now."""
        turns = following(self.state, self.terms)
        return [step.field for step, _ in turns if isinstance(step, Conquer)]

    # Yellow

    def _move(self, path: list[str]) -> None:
        if len(path) < 2:
            refuse(
                "path_too_short", "A move goes from a field to one that borders it: name both, as in c3-d4.", "S13"
            )
        start, *fields = path
        self._may_be_moved(start)
        if len(fields) > self.state.pips:
            refuse(
                "too_far",
                f"That is {counted(len(fields), 'field')} far, but your yellow has only "
                f"{counted(self.state.pips, 'action')} left: one for each field.",
                "S13",
                fields=len(fields),
                left=self.state.pips,
            )
        here = start
        for field in fields:
            empty = [beside for beside in BORDERING[here] if beside == start or beside not in self.board]
            may = choice("you may move to", empty, "there is no way on")
            if field not in BORDERING[here]:
                refuse(
                    "not_a_step",
                    f"{field} does not border {here}: from {here} {may}.",
                    "S13",
                    field=field,
                    origin=here,
                )
            if field not in empty:
                refuse(
                    "field_taken",
                    f"{self.on(field)} stands in the way: from {here} {may}.",
                    "S13",
                    field=field,
                    origin=here,
                )
            here = field

    def _may_be_moved(self, start: str) -> None:
        action, ship = self.here, self.board.get(start)
        others = self.beside_action(self.terms.yellow_moves_any)
        may = f"move your yellow on {action}{listed(' or what is beside it on ', others)}"
        if not ship:
            refuse("field_empty", f"There is no piece on {start} to move: {may}.", "S14", field=start)
        if ship.owner is not self.terms.seat and not self.terms.yellow_moves_any:
            refuse(
                "not_yours",
                f"{self.on(start)} is {ship.owner.word}'s, and yellow moves only your own pieces: {may}.",
                "S12",
                field=start,
            )
        if start != action and start not in BORDERING[action]:
            refuse(
                "not_bordering",
                f"{start} does not border the field of your yellow, which is {action} now: {may}.",
                "S14",
                field=start,
                action_field=action,
            )

    # Blue

    def _trade(self, field: str, color: Color) -> None:
        piece = self._to_exchange(field)
        if piece.color is color:
            others = [other.value for other in Color if other is not color]
            refuse(
                "same_color",
                f"The piece on {field} is {color.value} already: trade it for {either(others)}.",
                "S15",
                field=field,
                color=color.value,
            )
        self._must_be_in_bank(Piece(color, piece.size), piece)

    def _upgrade(self, field: str) -> None:
        piece = self._to_exchange(field)
        if piece.size is Size.LARGE:
            refuse(
                "already_large",
                f"The {piece.words} on {field} cannot grow, since large is the largest size: it can only be traded.",
                "S15",
                field=field,
            )
        self._must_be_in_bank(Piece(piece.color, Size(piece.size + 1)), piece)

    def _to_exchange(self, field: str) -> Piece:
        action, ship = self.here, self.board.get(field)
        may = f"exchange your action piece on {action}{listed(' or what is beside it on ', self.beside_action())}"
        if not ship:
            refuse("field_empty", f"There is no piece on {field} to exchange: {may}.", "S15", field=field)
        if ship.owner is not self.terms.seat:
            refuse(
                "not_yours",
                f"{self.on(field)} is {ship.owner.word}'s, and blue exchanges only your own pieces: {may}.",
                "S15",
                field=field,
            )
        if field != action and field not in BORDERING[action]:
            refuse(
                "not_bordering",
                f"{field} does not border your action piece: {may}.",
                "S15",
                field=field,
                action_field=action,
            )
        return ship.piece

    def _must_be_in_bank(self, wanted: Piece, given: Piece) -> None:
        if in_bank(self.state.board, KINDS.index(wanted), self.terms):
            return
        trades = [Piece(color, given.size) for color in Color if color is not given.color]
        upgrades = [Piece(given.color, Size(given.size + 1))] if given.size is not Size.LARGE else []
        there = [
            piece.code for piece in (*trades, *upgrades) if in_bank(self.state.board, KINDS.index(piece), self.terms)
        ]
        instead = (
            f"the {given.words} can become {either(there)}" if there else f"nothing in it fits the {given.words}"
        )
        refuse(
            "bank_lacks",
            f"The bank holds no {wanted.words} piece ({wanted.code}): {instead}.",
            "S15",
            piece=wanted.code,
            instead=there,
        )


def _known(field: str) -> str:
    if field not in NUMBER:
        refuse(
            "field_unknown",
            f"The board has no field {quoted(field)}: write a letter a to f and a number 1 to 6, such as c4.",
            field=field,
        )
    return field
