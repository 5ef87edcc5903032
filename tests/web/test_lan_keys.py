"""The keys of the open door: kept for their owner, and shown as codes to scan."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scanned_codes import picture_of_path, picture_of_text, seen

from companion_app.errors import AppError
from companion_app.web import qr
from companion_app.web.keys import Keys, Role, kept_keys
from companion_app.web.lan import Door


def test_keys_are_kept_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deeper" / "data"
    keys = kept_keys(folder)
    assert kept_keys(folder) == keys
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    newer = kept_keys(folder, new=True)
    assert len({keys.referee, keys.spectator, newer.referee, newer.spectator}) == 4
    assert kept_keys(folder) == newer
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


WEAK = [
    b"",
    b"{}",
    b"[1]",
    b"\xff",
    b'{"referee": "", "spectator": ""}',
    b'{"referee": "short", "spectator": "shorter"}',
    b'{"referee": "aaaaaaaaaaaaaaaaaaaaaaaa", "spectator": "aaaaaaaaaaaaaaaaaaaaaaaa"}',
    b'{"referee": 1, "spectator": 2}',
    b'{"referee": "aaaaaaaaaaaaaaaaaaaaaaa b", "spectator": "cccccccccccccccccccccccc"}',
]


@pytest.mark.parametrize("content", WEAK)
def test_damaged_or_weak_keys_are_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "keys.json").write_bytes(content)
    keys = kept_keys(tmp_path)
    assert min(len(keys.referee), len(keys.spectator)) == 24
    assert kept_keys(tmp_path) == keys


def test_a_folder_that_cannot_hold_keys_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AppError) as error:
        kept_keys(tmp_path / "file")
    assert error.value.code == "no_data_folder"


addresses = st.builds(
    lambda a, b, port, key: Door(Keys(key, ""), f"http://192.168.{a}.{b}:{port}/").invitation(Role.REFEREE),
    st.integers(0, 255),
    st.integers(1, 254),
    st.integers(1, 65535),
    st.text("abcXYZ019-_", min_size=24, max_size=24),
)


@settings(max_examples=20)
@given(addresses)
def test_codes_can_be_scanned_from_the_terminal_and_from_the_page(address: str) -> None:
    code = qr.modules(address)
    assert not code[: qr.QUIET].any()
    assert not code[:, -qr.QUIET :].any()
    blocks = qr.as_blocks(code)
    assert max(map(len, blocks.splitlines())) <= 60
    assert seen(picture_of_text(blocks)) == address
    assert seen(picture_of_path(len(code), qr.as_path(code))) == address
