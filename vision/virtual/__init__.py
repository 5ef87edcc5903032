"""The virtual table: any layout as a camera would see it, with the exact truth beside it. No hardware needed."""

from vision.virtual.arrange import FIELD
from vision.virtual.layout import BoardLayout, Kind, Layout, ShipSpec, SystemsLayout, SystemSpec
from vision.virtual.photograph import Picture, View, photograph
from vision.virtual.tables import BOARDS, TABLES

__all__ = [
    "BOARDS",
    "FIELD",
    "TABLES",
    "BoardLayout",
    "Kind",
    "Layout",
    "Picture",
    "ShipSpec",
    "SystemSpec",
    "SystemsLayout",
    "View",
    "photograph",
]
