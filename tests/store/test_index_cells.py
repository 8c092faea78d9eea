"""What the index keeps is the same whichever way a row is read: straight, or by its summary."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shares import share
from tests.store.guests import ERAS, Guest
from tests.store.support import SHARED
from zeroth_store.sqlite.connection.place import connect, place_of
from zeroth_store.sqlite.index import source as index_source
from zeroth_store.sqlite.index.cells import plain_cells
from zeroth_store.sqlite.index.file import open_index
from zeroth_store.sqlite.index.source import read_rows, read_stretch
from zeroth_store.sqlite.index.table import COLUMNS, Cells, put_rows
from zeroth_store.sqlite.tables import FIRST, LAST

SAMPLES = SHARED / "data" / "zeroth"

TEXTS = ["plain", "", "nul\0", "Ünter 😀", "3", 3, 2.5, b"\xff\x00", None, 'a "b" \\ \n \t \x01']
TIMES = [
    *("2026-03-01T10:00:00+00:00", "2026-03-01T10:00:00.000001+00:00", "2026-03-01T10:00:00Z"),
    *(
        "2026-03-01T12:00:00+02:00",
        "2026-03-01T10:00:00",
        "2026-03-01 10:00:00+00:00",
        "1772359200",
    ),
    *("0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999999+00:00", "2026-02-30T00:00:00+00:00"),
    *("2026-03-01T10:00:60+00:00", "never never never never +00:00", "", None, 1772359200, b"x"),
    *("2026-03-01T10:00:00,000001+00:00", "2026-W09-7T10:00:00.00001+00:00"),
]
JSON = [
    *(
        "{}",
        "null",
        "[]",
        "",
        "no json",
        None,
        b"{}",
        7,
        '{"x": NaN}',
        '{"reason": 1e999}',
        "{" * 5000,
    ),
    *('{"reason": "r", "message": "m"}', '{"reason": null, "message": ""}', '{"message": "boom"}'),
    *('{"reason": "\\u0000", "message": "a\\"b\\\\c\\nd\\te"}', '{"message": "\\ud800 \\u00fc"}'),
    *('{"reason": 1, "message": ["m"]}', '{"reason": "a", "reason": "b"}', '{"re\\u0061son": "x"}'),
    *('{"parent_run_id": "p"}', '{"parent_run_id": 1}', '{"parent_run_id": "\\udc80"}'),
    *('{"parent_run_id": "p", "parent_node_id": 4}', '{"total_cost_usd": 1, "x": NaN}'),
    *('{"total_cost_usd": 0.1, "total_estimated_cost_usd": 0.2}', '{"total_cost_usd": 1e999}'),
    *('{"total_cost_usd": "1"}', '{"total_cost_usd": true}', '{"total_estimated_cost_usd": -0.0}'),
    *('{"in_flight_dispatch": {"node_id": "n"}}', '{"in_flight_dispatch": {"node_id": 5}}'),
    *('{"in_flight_dispatch": null}', '{"in_flight_dispatch": 5}', '{"in_flight_dispatch": {}}'),
    '{"parent_run_id": "large", "x": "' + "x" * 70_000 + '"}',
]
NODES = ['["a", "b"]', "[]", "[1, 2]", '[1, "c"]', "{}", "no json", None, b"[]"]
STATUSES = ["FAILED", "RUNNING", "COMPLETED", "failed", "", None, b"FAILED", 3]

NASTY = st.fixed_dictionaries(
    {"status": st.sampled_from(STATUSES)},
    optional={
        **{name: st.sampled_from(TEXTS) for name in ("thread_id", "graph_version_ref", "error")},
        **{name: st.sampled_from(TEXTS) for name in ("deployment_ref", "current_step")},
        **{name: st.sampled_from(TIMES) for name in ("started_at", "updated_at")},
        "failure_state": st.sampled_from(JSON),
        "metadata": st.sampled_from(JSON),
        "current_node_ids": st.sampled_from(NODES),
        "lease_worker_id": st.sampled_from(["w", "", None, b"w"]),
        "lease_expires_at": st.sampled_from(TIMES),
        "workspace_id": st.sampled_from([None, "null", "", "emea"]),
    },
)


def kept(rows: list[Cells]) -> list[tuple[object, ...]]:
    """What the index holds after these rows were put into it."""
    with closing(open_index(None)) as index:
        put_rows(index, rows)
        sql = f"SELECT {', '.join(COLUMNS)} FROM kept ORDER BY number"
        return index.execute(sql).fetchall()


def every_row(connection: sqlite3.Connection) -> list[Cells]:
    """All rows, in as many stretches as the machine's speed asks for."""
    found: list[Cells] = []
    start = FIRST
    while start < LAST:
        stretch = read_stretch(connection, start)
        found += stretch.rows
        start = min(stretch.upto + 1, LAST)
    return found


def both_ways(path: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]], int]:
    """What is kept of all rows read as they are, and read closely; how many went straight."""
    went: list[bool] = []

    def never_plain(row: tuple[object, ...]) -> None:
        went.append(plain_cells(row) is not None)

    with closing(connect(place_of(path), "live")) as connection:
        straight = every_row(connection)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(index_source, "plain_cells", never_plain)
            closely = every_row(connection)
    return kept(straight), kept(closely), sum(went)


@share(2)
@given(st.lists(NASTY, min_size=1, max_size=8))
def test_odd_values_are_kept_the_same(
    tmp_path_factory: pytest.TempPathFactory, runs: list[dict[str, object]]
) -> None:
    with Guest(tmp_path_factory.mktemp("cells") / "runs.db") as guest:
        for number, columns in enumerate(runs):
            guest.run(f"r{number}", columns.pop("status"), **columns)
        straight, closely, _ = both_ways(guest.path)
    assert straight == closely
    assert len(straight) == len(runs)


@pytest.mark.parametrize("era", ERAS)
def test_text_that_is_no_utf8_is_kept_the_same(tmp_path: Path, era: str) -> None:
    with Guest(tmp_path / "runs.db", era) as guest:
        guest.run("sound")
        guest.run("broken")
        guest.sql("UPDATE runs SET graph_version_ref = CAST(x'67ff40' AS TEXT) WHERE rowid = 2")
        straight, closely, _ = both_ways(guest.path)
    assert straight == closely
    assert [row[COLUMNS.index("graph_version_ref")] for row in straight] == ["g@1", "g\udcff@"]


def test_a_plain_row_is_kept_as_it_says(tmp_path: Path) -> None:
    with Guest(tmp_path / "runs.db") as guest:
        guest.run(
            "a",
            "FAILED",
            error="boom",
            failure_state={"reason": "r", "message": "m"},
            metadata={
                "parent_run_id": "p",
                "in_flight_dispatch": {"node_id": "n"},
                "total_cost_usd": 0.5,
                "total_estimated_cost_usd": 0.25,
            },
            current_step="s",
            lease_worker_id="w",
            lease_expires_at="2026-03-01T10:01:00+00:00",
        )
        (row,), _, straight = both_ways(guest.path)
    at = 1_772_359_200_000_000  # 2026-03-01T10:00:00Z, by `date -d ... +%s`
    assert straight == 1
    assert dict(zip(COLUMNS, row, strict=True)) | {"stamp": None} == {
        "number": 1,
        "tenant": None,
        "scope": None,
        "run_id": "a",
        "status": "FAILED",
        "thread_id": "t-1",
        "graph_version_ref": "g@1",
        "deployment_ref": "prod",
        "current_step": "s",
        "error": "boom",
        "reason": "r",
        "message": "m",
        "node": "n",
        "parent": "p",
        "lease_worker_id": "w",
        "lease_expires_at": "2026-03-01T10:01:00+00:00",
        "token_snapshot_write_disabled": 0,
        "started": at,
        "updated": at + 9_000_000,
        "spent": 9_000_000,
        "since": None,
        "cost": 0.75,
        "stamp": None,
    }


@pytest.mark.parametrize("column", ["status", "updated_at", "lease_worker_id", "lease_expires_at"])
def test_the_stamp_tells_of_a_write(tmp_path: Path, column: str) -> None:
    with Guest(tmp_path / "runs.db") as guest:
        guest.run("a")
        before, _, _ = both_ways(guest.path)
        guest.sql(f"UPDATE runs SET {column} = 'other'")
        after, _, _ = both_ways(guest.path)
    assert before[0][-1] != after[0][-1]


@pytest.mark.parametrize(
    "name", ["rev001.db", "rev015-v0.13.14.db", "rev021.db", "rev026-main.db", "rev026-edges.db"]
)
def test_runs_of_real_zeroth_are_kept_the_same_and_go_straight(tmp_path: Path, name: str) -> None:
    if not SAMPLES.exists():
        pytest.skip("the sample databases are not here")
    path = Path(shutil.copyfile(SAMPLES / name, tmp_path / name))
    straight, closely, count = both_ways(path)
    assert straight == closely
    assert count > len(straight) // 2


def test_rows_are_read_again_by_their_numbers(tmp_path: Path) -> None:
    with Guest(tmp_path / "runs.db") as guest:
        for number in range(5):
            guest.run(f"r{number}", metadata="no json" if number % 2 else "{}")
        with closing(connect(place_of(guest.path), "live")) as connection:
            found = read_rows(connection, [5, 2, 99, 1])
    assert sorted(row[0] for row in found) == [1, 2, 5]


def test_a_large_cell_costs_nothing_but_itself(tmp_path: Path) -> None:
    """A cell beyond what a connection takes: the others of its stretch are still read."""
    with Guest(tmp_path / "runs.db") as guest:
        guest.run("a")
        guest.run("b", metadata=b"x" * 2_000_000)
        with closing(connect(place_of(guest.path), "live")) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
            stretch = read_stretch(connection, FIRST)
    assert [row[COLUMNS.index("run_id")] for row in stretch.rows] == ["a", "b"]
