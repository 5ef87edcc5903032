"""The bank held against the kit: only it gives way, and only to sizes that have room."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from vision.finding.bank import fit_to_kit
from vision.sight import Role, SeenPiece
from vision.solids import Color, Posture, Size

KIT = {(color, size): 3 for color in Color for size in Size}


def seen(color: Color, size: Size, role: Role) -> SeenPiece:
    return SeenPiece(color, size, Posture.UPRIGHT, role, None, (0, 0), (0, 0), ((0, 0), (1, 0), (0, 1)))


PIECES = st.lists(
    st.builds(seen, st.sampled_from(Color), st.sampled_from(Size), st.sampled_from([Role.STAR, Role.BANK])),
    max_size=36,
)


def test_a_fourth_of_a_kind_in_the_bank_becomes_the_nearest_size_with_room() -> None:
    pieces = [seen(Color.RED, Size.SMALL, Role.BANK) for _ in range(4)]
    settled = fit_to_kit(pieces, KIT)
    assert Counter(piece.size for piece in settled) == {Size.SMALL: 3, Size.MEDIUM: 1}
    assert min(piece.confidence for piece in settled) <= 0.5


@settings(max_examples=200, deadline=None)
@given(PIECES)
def test_only_sizes_in_the_bank_change_and_never_for_the_worse(pieces: list[SeenPiece]) -> None:
    settled = fit_to_kit(pieces, KIT)
    for before, after in zip(pieces, settled, strict=True):
        assert (before.color, before.role) == (after.color, after.role)
        assert before == after or before.role is Role.BANK

    def surplus(them: tuple[SeenPiece, ...] | list[SeenPiece]) -> int:
        counts = Counter((piece.color, piece.size) for piece in them)
        return sum(max(0, count - KIT[kind]) for kind, count in counts.items())

    assert surplus(settled) <= surplus(pieces)
