"""What the second net says of a piece: which number of its answer means what."""

from __future__ import annotations

OFFSETS = slice(0, 10)  # from the corners as they were told to where they are, x and y by turns
OFFSET_UNIT = 8.0  # px of a patch for 1.0 in those numbers
BLUR = slice(10, 15)  # logarithm of the usual error of each corner in px of a patch
THERE = 15  # logit: whether the piece that was told is there at all
LYING = 16  # logit
COLOR = slice(17, 22)  # logits
SIZE = slice(22, 25)  # logits
VISIBLE = 25  # logit of the share of the outline that is in sight
ABOVE = 26  # logit: whether it stands on another
NUMBERS = 27

CORNERS = 5
