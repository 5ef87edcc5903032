"""A generator of scenes: pictures of pyramids on tables with exact truth, for training and validating the eyes."""

from __future__ import annotations
