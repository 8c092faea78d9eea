"""Databases spoiled at random: bytes, pages, header, schema and cells, the same for each seed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from tests.store.guests import ERAS, Guest

PAGE = 4096
RUNS = 16
TABLES = ("runs", "threads", "run_checkpoints", "node_audits", "approvals")
STEP = {
    "node_id": "plan",
    "status": "completed",
    "attempt": 1,
    "input_snapshot": {"text": "ünïcode"},
    "output_snapshot": {"score": 0.9},
    "audit_ref": "audit:1",
    "started_at": "2026-03-01T10:00:01Z",
    "completed_at": "2026-03-01T10:00:02Z",
}
DECISION = {
    "condition_id": "e1",
    "matched": True,
    "selected_edge_id": "e1",
    "evaluated_at": "2026-03-01T10:00:02Z",
    "details": {"edge_id": "e1", "source_node_id": "plan", "target_node_id": "act"},
}


def base_databases(folder: Path) -> list[Path]:
    """Make healthy databases of several eras, and one with a log that holds the newest rows."""
    made = []
    for era in ERAS:
        with Guest(folder / f"era{era}.db", era) as guest:
            _fill(guest)
        made.append(guest.path)
    with Guest(folder / "writing.db", wal=True) as guest:
        guest.sql("PRAGMA wal_autocheckpoint = 0")
        _fill(guest)
        path = folder / "log.db"
        for side in ("", "-wal", "-shm"):
            shutil.copyfile(f"{guest.path}{side}", f"{path}{side}")
    guest.path.unlink()
    return [*made, path]


def _fill(guest: Guest) -> None:
    for number in range(RUNS):
        guest.run(
            f"r{number}",
            "FAILED" if number % 7 == 0 else "COMPLETED",
            thread_id=f"t-{number % 4}",
            execution_history=[STEP] * (number % 5),
            condition_results=[DECISION] * (number % 3),
            metadata={"initial_input": {"n": number}, "parent_run_id": f"r{number // 2}"},
            final_output='{"ok":true}',
            failure_state='{"reason":"node_execution_failed","message":"no","details":{}}',
        )
        guest.audit(f"r{number}:audit:1", f"r{number}", json.dumps(STEP))
    for thread in range(4):
        members = [f"r{number}" for number in range(thread, RUNS, 4)]
        guest.thread(f"t-{thread}", members, checkpoint_refs=[f"c{thread}"])
        guest.checkpoint(f"c{thread}", f"r{thread}", json.dumps({"status": "COMPLETED"}))


def flip_bytes(path: Path, random: Random) -> None:
    """Change some bytes anywhere."""
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 10, 200))):
        data[random.randrange(len(data))] = random.randrange(256)
    path.write_bytes(data)


def cut_off(path: Path, random: Random) -> None:
    """Lose the end, at a page or anywhere."""
    data = path.read_bytes()
    end = random.randrange(len(data))
    path.write_bytes(data[: end - end % random.choice((1, PAGE))])


def swap_pages(path: Path, random: Random) -> None:
    """Put pages where others belong, or nothing at all."""
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 4))):
        one, other = (PAGE * random.randrange(len(data) // PAGE) for _ in range(2))
        page = data[other : other + PAGE]
        data[other : other + PAGE] = data[one : one + PAGE]
        data[one : one + PAGE] = random.choice((page, bytes(PAGE)))
    path.write_bytes(data)


def edit_header(path: Path, random: Random) -> None:
    """Change what the first hundred bytes say of page size, format, sizes and encoding."""
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 3))):
        data[random.randrange(16, 100)] = random.choice((0, 1, 2, 3, 4, 16, 255))
    path.write_bytes(data)


def spoil_log(path: Path, random: Random) -> None:
    """Change, cut or invent a write-ahead log."""
    log = Path(f"{path}-wal")
    data = bytearray(log.read_bytes() if log.exists() else random.randbytes(PAGE))
    for _ in range(20):
        data[random.randrange(len(data))] = random.randrange(256)
    log.write_bytes(data[: random.randrange(len(data))])


SCHEMAS = (
    "UPDATE sqlite_master SET rootpage = abs(random()) % 40 WHERE name = ?",
    "UPDATE sqlite_master SET sql = replace(sql, 'TEXT', 'TEXT COLLATE nowhere') WHERE name = ?",
    "UPDATE sqlite_master SET sql = replace(sql, 'TEXT', 'BLOB NOT NULL') WHERE name = ?",
    "UPDATE sqlite_master SET sql = replace(sql, 'run_id', 'rowid') WHERE name = ?",
    "UPDATE sqlite_master SET sql = replace(sql, 'status', 'run\x00id') WHERE name = ?",
    "UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) / 2) WHERE name = ?",
    "UPDATE sqlite_master SET sql = sql || ' WITHOUT ROWID' WHERE name = ?",
    "UPDATE sqlite_master SET sql = NULL WHERE name = ?",
    "UPDATE sqlite_master SET name = CAST(x'ff00' AS TEXT) WHERE name = ?",
    "UPDATE sqlite_master SET type = 'view' WHERE name = ?",
    "DELETE FROM sqlite_master WHERE name = ?",
    "INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = ?",
    (
        "UPDATE sqlite_master SET sql = replace(sql, 'error', 'x AS (zeroblob(900000000)), error')"
        " WHERE name = ?"
    ),
)
REPLACED = (
    (
        "CREATE VIEW {0} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i AS run_id, i AS thread_id, i AS status FROM n"
    ),
    "CREATE VIRTUAL TABLE {0} USING fts5(run_id, thread_id, status)",
    "CREATE TABLE {0}(rowid TEXT, oid TEXT, _rowid_ TEXT, run_id, thread_id, status)",
    "CREATE TABLE {0}(run_id INT, thread_id AS (zeroblob(900000000)), status REAL)",
    "CREATE TABLE {0}(run_id, status AS (run_id || printf('%.*c', 99999999, 'x')) STORED)",
)


def edit_schema(path: Path, random: Random) -> None:
    """Write into the schema table what no statement would, or put other things in its place."""
    table = random.choice(TABLES)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if random.random() < 0.4:
            connection.execute(f"ALTER TABLE {table} RENAME TO kept")
            connection.execute(random.choice(REPLACED).format(table))
            return
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(random.choice(SCHEMAS), (table,))


CELLS: tuple[Callable[[Random], object], ...] = (
    lambda _: None,
    lambda random: random.randrange(-(2**63), 2**63),
    lambda _: float("inf"),
    lambda random: random.randbytes(random.randrange(3000)),
    lambda random: random.choice("{[") * 200_000,
    lambda random: '{"a":' * random.choice((900, 3000)) + "1" + "}" * 900,
    lambda _: '{"a":NaN,"b":"\\ud800","c":1e999,"d":123456789012345678901234567890}',
    lambda _: '[{"node_id":7,"started_at":1e300,"attempt":{}},null,"x",[]]' * 2,
    lambda random: random.choice(("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "x")),
    lambda random: "".join(chr(random.randrange(1, 0xD7FF)) for _ in range(200)),
    lambda _: "\x00\x1b]0;title\x07\r\n\u202e[/red][@click=app.quit]",
    lambda _: "y" * 3_000_000,
    lambda _: "[" + ",".join(['{"node_id":"n"}'] * 20_000) + "]",
)


def swap_cells(path: Path, random: Random) -> None:
    """Put values of other types and sizes into cells, text that is no UTF-8 among them."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for _ in range(12):
            table = random.choice(TABLES)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = random.choice(columns)
            value = "CAST(? AS TEXT)" if random.random() < 0.2 else "?"
            where = "" if random.random() < 0.1 else "WHERE rowid % 5 = 0"
            with suppress(sqlite3.IntegrityError):  # the column is a key, or NOT NULL
                connection.execute(
                    f"UPDATE {table} SET {column} = {value} {where}",
                    (random.choice(CELLS)(random),),
                )


def huge_cells(path: Path, random: Random) -> None:
    """Put one value in that is larger than any reader should take."""
    column = random.choice(("metadata", "execution_history", "final_output", "error", "status"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"UPDATE runs SET {column} = zeroblob(70000000) WHERE rowid = 3")


MUTATIONS = (
    flip_bytes,
    cut_off,
    swap_pages,
    edit_header,
    spoil_log,
    edit_schema,
    swap_cells,
    swap_cells,
)
"""What is done to a copy; the most fruitful twice."""


def mutate(base: Path, folder: Path, seed: int) -> Path:
    """Copy a database into a new folder and spoil it; the seed says how."""
    random = Random(seed)  # noqa: S311 - the same for each seed is what is wanted
    folder.mkdir()
    path = folder / base.name
    for side in ("", "-wal", "-shm"):
        if Path(f"{base}{side}").exists():
            shutil.copyfile(f"{base}{side}", f"{path}{side}")
    spoil = huge_cells if seed % 40 == 39 else random.choice(MUTATIONS)
    with suppress(sqlite3.DatabaseError):  # what is spoiled enough needs no more
        spoil(path, random)
    return path
