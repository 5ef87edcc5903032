"""Ways in which the database of a log can be damaged, each done to one file with a seeded chance."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

_ODD: Final = (
    "{", "", "null", "7", '"text"', "[]", "[1, 2]", "{}", '{"terms": 7, "names": []}', '{"turns": {}}',
    '{"turns": [{"seat": "south", "text": "\\ud800", "sentence": "\\udfff"}]}', '{"reading": []}', '{"to": 1e999}',
    '{"to": -1}', '{"steps": ["a"]}', '{"do": "remove", "piece": 999}', '{"choices": [[]], "sentence": "?"}',
    '{"a": ' * 2000, "[" * 100_000, '{"photo": "../../../etc/passwd", "small": ".."}', '{"n": 1' + "0" * 5000 + "}",
    "\x00", "�", '{"a": "\\u0000"}', '{"reading": {"game": "chess"}}', '{"about": [], "position": 3}',
)  # fmt: skip


def to_version_1(file: Path, what: str) -> None:
    """Make a log what the first version of the program wrote."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(f"""
            PRAGMA journal_mode = DELETE;
            CREATE TABLE old ({what} TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
              payload TEXT NOT NULL, PRIMARY KEY ({what}, seq)) WITHOUT ROWID;
            INSERT INTO old SELECT {what}, seq, at, kind, payload FROM event;
            DROP TABLE event;
            ALTER TABLE old RENAME TO event;
            PRAGMA user_version = 1;
            VACUUM;
            PRAGMA journal_mode = WAL;
        """)


def flip_bits(file: Path, random: Random) -> None:
    """A few bits anywhere in the file."""
    content = bytearray(file.read_bytes())
    for _ in range(random.choice((1, 1, 1, 4, 40))):
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    file.write_bytes(content)


def flip_row_bits(file: Path, random: Random) -> None:
    """A few bits of the values of one row, of which SQLite notices nothing."""

    def flipped(value: bytes) -> bytes:
        content = bytearray(value)
        for _ in range(random.choice((1, 1, 3))):
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
        return bytes(content)

    _spoil(file, random, lambda value: flipped(value) if value else value)


def spoil_payload(file: Path, random: Random) -> None:
    """A payload that is no JSON, or not what is expected there."""
    _spoil(file, random, lambda _value: random.choice(_ODD).encode(), columns=("payload",))


def change_field(file: Path, random: Random) -> None:
    """A payload in which one field has another value, or is missing."""

    def changed(value: bytes) -> bytes:
        said = json.loads(value)
        places = list(_objects(said))
        at = random.choice([place for place in places if place] or places)
        if not at:
            return b"{}"
        key = random.choice(list(at))
        if random.random() < 0.3:
            del at[key]
        else:
            at[key] = random.choice([None, -1, 10**12, 0.5, "", "x" * 2000, [], {}, [[]], True, "south", "\ud800"])
        return json.dumps(said).encode()

    _spoil(file, random, changed, columns=("payload",))


def spoil_value(file: Path, random: Random) -> None:
    """A name, number, date or kind that is none."""
    odd: tuple[object, ...] = (
        "x",
        "",
        b"\xff\xfe",
        7,
        -1,
        2**62,
        1.5,
        "9999-99-99",
        "../..",
        "a/b?c#d",
        "\x00",
        "é" * 300,
    )
    _spoil(file, random, lambda _value: random.choice(odd), columns=("seq", "at", "kind", "name"))


def lose_row(file: Path, random: Random) -> None:
    """An event is gone."""
    with closing(sqlite3.connect(file)) as connection, connection:
        rows = connection.execute(f"SELECT {what_of(file)}, seq FROM event").fetchall()
        connection.execute(f"DELETE FROM event WHERE {what_of(file)} = ? AND seq = ?", random.choice(rows))


def zero_page(file: Path, random: Random) -> None:
    """A page of nothing."""
    content = bytearray(file.read_bytes())
    page = random.randrange(len(content) // 4096)
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    file.write_bytes(content)


def cut_off(file: Path, random: Random) -> None:
    """The end of the file is missing."""
    content = file.read_bytes()
    file.write_bytes(content[: random.randrange(len(content))])


def lose_log(file: Path, random: Random) -> None:
    """What was written last is in a write-ahead log, and that is lost, cut off or spoiled."""
    log, shared = Path(f"{file}-wal"), Path(f"{file}-shm")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for _ in range(3):
            connection.execute("UPDATE event SET payload = payload || ' '")
            connection.commit()
        kept, content = file.read_bytes(), log.read_bytes()
    file.write_bytes(kept)
    shared.unlink(missing_ok=True)
    way = random.randrange(3)
    if way:
        log.write_bytes(content[: random.randrange(len(content))] if way == 1 else random.randbytes(len(content)))


def foreign(file: Path, random: Random) -> None:
    """Another program's database, or no database at all."""
    file.unlink()
    way = random.randrange(5)
    if way == 0:
        file.write_bytes(random.randbytes(9000))
        return
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(("CREATE TABLE event (id INTEGER, name TEXT)", "CREATE TABLE other (a)")[way % 2])
        connection.execute("PRAGMA user_version = " + str((0, 0, 1, 2, 77)[way]))


DAMAGES: Final[tuple[Callable[[Path, Random], None], ...]] = (
    flip_bits, flip_bits, flip_bits, flip_row_bits, flip_row_bits, spoil_payload, change_field, change_field,
    change_field, spoil_value, lose_row, zero_page, cut_off, lose_log, foreign,
)  # fmt: skip


def what_of(file: Path) -> str:
    return "game" if file.name.startswith("game") else "reading"


def _spoil(
    file: Path,
    random: Random,
    spoilt: Callable[[bytes], object],
    columns: tuple[str, ...] = ("at", "kind", "payload", "name"),
) -> None:
    what = what_of(file)
    with closing(sqlite3.connect(file)) as connection, connection:
        column = random.choice(columns).replace("name", what)
        connection.text_factory = bytes
        rows = connection.execute(f"SELECT {what}, seq, {column} FROM event ORDER BY {what}, seq").fetchall()
        name, seq, value = random.choice(rows)
        after = spoilt(value if isinstance(value, bytes) else str(value).encode())
        as_text = "CAST(? AS TEXT)" if isinstance(after, bytes) else "?"
        command = f"UPDATE OR IGNORE event SET {column} = {as_text} WHERE {what} = CAST(? AS TEXT) AND seq = ?"
        connection.execute(command, (after, name, seq))


def _objects(said: Any) -> Iterator[dict[str, Any]]:
    if isinstance(said, dict):
        yield said
    for inner in said.values() if isinstance(said, dict) else said if isinstance(said, list) else ():
        yield from _objects(inner)
