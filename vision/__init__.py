"""Seeing pyramids: geometry, a virtual table, and finding pieces in a picture. Knows no rules."""
