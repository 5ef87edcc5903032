"""Files of whole games: opened, refereed, and told turn by turn."""

from companion_app.game_files.files import GameFile, open_game, read_game
from companion_app.game_files.told import Ply, Problem, Verdict

__all__ = ["GameFile", "Ply", "Problem", "Verdict", "open_game", "read_game"]
