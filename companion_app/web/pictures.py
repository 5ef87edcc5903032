"""The pictures of the page: see :mod:`companion_app.pictures`."""

from companion_app.pictures import LONGEST_SIDE, SMALL_SIDE, jpeg, sized

__all__ = ["LONGEST_SIDE", "SMALL_SIDE", "jpeg", "sized"]
