"""Files of whole games: opened, refereed, and told turn by turn."""

from companion_app.game_files.files import ENDINGS, GameFile, is_export, open_game, read_game
from companion_app.game_files.text import text_of
from companion_app.game_files.told import Ply, Problem, Verdict, skipping

__all__ = [
    "ENDINGS",
    "GameFile",
    "Ply",
    "Problem",
    "Verdict",
    "is_export",
    "open_game",
    "read_game",
    "skipping",
    "text_of",
]
