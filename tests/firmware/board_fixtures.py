"""Simulated boards as fixtures, for the tests of the firmware and of everything that talks to it.

A test module gets them with `pytest_plugins = ["board_fixtures"]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from board import Board, MakeBoard, Programs, compile_programs, missing_tools
from left_out import left_out


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """The sketch and the simulator, compiled; a skipped test where that cannot be done, and a failure in CI."""
    missing = missing_tools()
    if missing:
        left_out(f"not installed: {' '.join(missing)}")
    return compile_programs(tmp_path_factory.mktemp("firmware"))


@pytest.fixture
def make_board(programs: Programs, tmp_path: Path) -> Iterator[MakeBoard]:
    """Gives boards power: each call the same board again, unless it is told another name."""
    boards: list[Board] = []

    def make(speed: int = 1, name: str = "board") -> Board:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        boards.append(Board(programs, folder, speed))
        return boards[-1]

    yield make
    for board in boards:
        board.close()
    assert [fault for board in boards for fault in board.faults] == []


@pytest.fixture
def board(make_board: MakeBoard) -> Board:
    """A board that runs as fast as a real one."""
    return make_board()
