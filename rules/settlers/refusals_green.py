"""Why a Green may not do this next: building, going on with another Green, landing (S2-S8)."""

from __future__ import annotations

from rules.pieces import KINDS, Color, Piece
from rules.settlers.board import FIELDS
from rules.settlers.compact import smallest, to_land
from rules.settlers.table import Table, choice, either, refuse

VERB = {
    Color.RED: "conquers",
    Color.YELLOW: "moves pieces",
    Color.GREEN: "builds",
    Color.BLUE: "trades and upgrades",
}
RULE = {Color.RED: "S9", Color.YELLOW: "S13", Color.GREEN: "S8", Color.BLUE: "S15"}


class GreenJudge(Table):
    """Holds the steps of a Green, and landings, against the rules."""

    __slots__ = ()

    def has_pips(self) -> None:
        color = self.state.doing
        if color and not self.state.pips:
            refuse(
                "pips_used_up",
                f"Your {color.value} action piece has no actions left: end the turn.",
                "S4" if color is Color.GREEN else RULE[color],
            )

    def build(self, piece: Piece, field: str) -> None:
        here = self.here
        spaces = self.spaces(here)
        if not spaces:
            others = self.greens_with_space
            if others:
                may = f"go on with your green on {either(others)}"
            elif to_land(self.state.board, self.terms) is not None and len(self.board) < len(FIELDS):
                may = "you may land a green instead"
            else:
                may = "end the turn"
            refuse(
                "no_space",
                f"Your green on {here} has no empty field beside it: {may}.",
                "S3",
                field=here,
                others=others,
            )
        self._must_be_empty(field, f"build on {either(spaces)}", "S8")
        if field not in spaces:
            refuse(
                "not_bordering",
                f"{field} does not border your green on {here}: build on {either(spaces)}.",
                "S8",
                field=field,
                action_field=here,
                spaces=spaces,
            )
        self._must_be_smallest(piece, "S8")

    def _must_be_smallest(self, piece: Piece, rule: str) -> None:
        kind = smallest(self.state.board, piece.color, self.terms)
        if kind is None:
            found = [smallest(self.state.board, color, self.terms) for color in Color]
            there = [KINDS[number].code for number in found if number is not None]
            instead = f"you may build {either(there)}" if there else "it is empty"
            refuse(
                "bank_lacks",
                f"The bank holds no {piece.color.value} piece: {instead}.",
                rule,
                piece=piece.code,
                instead=there,
            )
        if KINDS[kind] != piece:
            refuse(
                "not_smallest",
                f"Take the smallest {piece.color.value} piece in the bank, which is the {KINDS[kind].words} "
                f"({KINDS[kind].code}).",
                rule,
                piece=piece.code,
                smallest=KINDS[kind].code,
            )

    def transfer(self, field: str) -> None:
        here, others = self.here, self.greens_with_space
        spaces = self.spaces(here)
        if spaces:
            refuse(
                "still_space",
                f"Your green on {here} still has an empty field beside it ({either(spaces)}): build there or stop.",
                "S6",
                field=here,
                spaces=spaces,
            )
        if field == here:
            refuse("same_green", f"You are building with the green on {here}: name another one.", "S5", field=here)
        may = choice("go on with your green on", others, "no green of yours has an empty field beside it")
        ship = self.board.get(field)
        if not ship or ship.owner is not self.terms.seat or ship.piece.color is not Color.GREEN:
            refuse("not_green", f"There is no green of yours on {field}: {may}.", "S5", field=field, others=others)
        if field not in others:
            refuse(
                "no_space",
                f"Your green on {field} has no empty field beside it either: {may}.",
                "S5",
                field=field,
                others=others,
            )

    def land(self, piece: Piece, field: str) -> None:
        if self.state.doing not in (None, Color.GREEN):
            refuse(
                "wrong_action",
                f"You chose a {self.state.doing.value} action piece, which {VERB[self.state.doing]}: "
                "a landing is a turn of its own, or follows a green.",
                "S7",
            )
        self.has_pips()
        if self.greens_with_space:
            refuse(
                "green_has_space",
                f"You cannot land while a green of yours has an empty field beside it: build with the one on "
                f"{either(self.greens_with_space)}.",
                "S3",
                greens=self.greens_with_space,
            )
        kind = to_land(self.state.board, self.terms)
        if piece.color is not Color.GREEN:
            refuse(
                "landing_green_only",
                "Only a green can land: take the smallest one in the bank.",
                "S7",
                piece=piece.code,
            )
        if kind is None:
            refuse(
                "bank_lacks",
                "The bank holds no green piece, so you cannot land: do something else or pass.",
                "S7",
                piece=piece.code,
            )
        if KINDS[kind] != piece and self.terms.landing_size is KINDS[kind].size:
            refuse(
                "landing_size",
                f"With the handicap your first landing is the {KINDS[kind].words} ({KINDS[kind].code}).",
                "S22",
                piece=piece.code,
                landing=KINDS[kind].code,
            )
        if KINDS[kind] != piece:
            self._must_be_smallest(piece, "S7")
        self._must_be_empty(field, "land on any empty field", "S7")

    def _must_be_empty(self, field: str, instead: str, rule: str) -> None:
        if field in self.board:
            refuse("field_taken", f"{self.on(field)} is in the way: {instead}.", rule, field=field)
