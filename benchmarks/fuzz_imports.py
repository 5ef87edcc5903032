"""Games that are no games, taken in through the page's own door: python -m benchmarks.fuzz_imports

Each is sent as a file to the page. What is refused has left nothing behind; what is taken in is looked at in the list
and on all its pages, written out in all forms, taken in again, and deleted. No answer is 500 or above, ever.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient

from benchmarks.fuzzing import RESULTS, Run
from benchmarks.import_cases import Games
from companion_app.pictures import has_only_pixels
from companion_app.web import create_app

CASES: Final = 2500
ZIPS_OF_FIVE: Final = 4
SEED: Final = 51
CASE_LIMIT_S: Final = 30.0
RUN_LIMIT_S: Final = 7200.0
PAGES: Final = ("", "/parts", "/turns/0", "/turns/1", "/turns/0/diagram.svg", "/game.pyramids", "/delete")
AS_JSON: Final = {"Accept": "application/json"}


class Wrong(Exception):
    """An answer that must not be."""


class Page:
    """The page with an empty folder, and what is done with each case."""

    def __init__(self, folder: Path) -> None:
        self._photos = folder / "game_photos"
        self._app: Flask = create_app({"DATA": folder, "TESTING": True})
        self._client: FlaskClient = self._app.test_client()

    def outcome(self, data: bytes) -> str:
        """What comes of a file, in words; raises Wrong, or whatever the page raises."""
        answer = self._sent(data)
        if answer.status_code != 303:
            self._check_nothing_is_left()
            return f"refused: {answer.status_code} {_body(answer.get_json())['error']}"
        game = answer.headers["Location"]
        self._look_at(game)
        again = self._sent(self._got(f"{game}/game.zip"))
        if again.status_code != 303:
            raise Wrong(f"its own zip is refused: {again.get_json()}")
        copy = again.headers["Location"]
        if _facts(self._got(f"{copy}/game.json")) != _facts(self._got(f"{game}/game.json")):
            raise Wrong("its own zip gives another game")
        for path in (game, copy):
            self._posted(f"{path}/delete")
        self._check_nothing_is_left()
        return "taken in, shown, written out, taken in again, deleted"

    def _look_at(self, game: str) -> None:
        for photo in self._photos.iterdir():
            if not has_only_pixels(photo.read_bytes()):
                raise Wrong(f"{photo.name} has more than pixels")
            self._got(f"{game}/photos/{photo.name}", mentioned=False)
        if game not in self._got("/games").decode():
            raise Wrong("it is not in the list")
        for path in PAGES:
            self._got(game + path, mentioned=path != "/turns/1")

    def _got(self, path: str, *, mentioned: bool = True) -> bytes:
        """What is at a path, which is there if it is *mentioned*."""
        answer = self._client.get(path)
        if answer.status_code != 200 and (mentioned or answer.status_code != 404):
            raise Wrong(f"{path}: {answer.status_code}")
        return bytes(answer.data)

    def _sent(self, data: bytes) -> Any:
        return self._posted("/games/import", file=(io.BytesIO(data), "game"))

    def _posted(self, path: str, **form: Any) -> Any:
        answer = self._client.post(path, data=form, headers=AS_JSON)
        if answer.status_code >= 500:
            raise Wrong(f"{path}: {answer.status_code}")
        return answer

    def _check_nothing_is_left(self) -> None:
        left = sorted(path.name for path in self._photos.iterdir())
        if left or "No games yet" not in self._got("/games").decode():
            raise Wrong(f"something is left: {left}")


def _body(answer: object) -> Mapping[str, Any]:
    if not isinstance(answer, Mapping) or not str(answer.get("sentence", "")).endswith("."):
        raise Wrong(f"no sentence: {answer!r}")
    return answer


def _facts(data: bytes) -> list[Any]:
    """The events of a game without the names of its photos."""
    events: list[Any] = json.loads(data)["events"]
    return [_without_photos(event) for event in events]


def _without_photos(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_photos(item) for key, item in value.items() if key not in ("photo", "small")}
    return [_without_photos(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz_imports", description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES, help="how many; four of five are zips, the others JSON")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=RESULTS / "fuzz_imports.md", help="where the table goes")
    said = parser.parse_args()
    run = Run("imports", seed=said.seed, cases=said.cases, case_limit_s=CASE_LIMIT_S, run_limit_s=RUN_LIMIT_S)
    with tempfile.TemporaryDirectory() as folder:
        page, games = Page(Path(folder)), Games(run.random)
        for number in run.numbers():
            is_zip = number % 5 < ZIPS_OF_FIVE
            data = games.as_zip() if is_zip else games.as_json()
            kind = "zip" if is_zip else "JSON"
            with run.case(f"{kind} {number}"):
                run.count(f"{kind} {page.outcome(data)}")
    run.finish(said.out, "python -m benchmarks.fuzz_imports", "Four of five cases are zips, the others JSON.")


if __name__ == "__main__":
    main()
