"""What people corrected: how a reading as it was read differs from what a person made of it, kept for export."""

from companion_app.corrections.differences import CorrectedReading, Correction, HomeCorrection, distinct
from companion_app.corrections.export import export
from companion_app.corrections.switch import Switch

__all__ = ["CorrectedReading", "Correction", "HomeCorrection", "Switch", "distinct", "export"]
