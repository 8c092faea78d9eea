"""Filters over what fits no model: odd statuses, times, JSON, and schemas that lack columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.filters import NOW, found, parsed
from tests.store.guests import ERAS, Guest
from zeroth_store.filters import judge
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.search.filter_sql import compile_filter
from zeroth_store.sqlite.tables import runs_table


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    guest = Guest(tmp_path / "guest.db")
    yield guest
    guest.connection.close()


@pytest.mark.parametrize("sign", ["%", "_", "*", "?", "'", '"', "\\", "--", "[a]"])
def test_no_sign_is_special(guest: Guest, sign: str) -> None:
    guest.run("plain")
    guest.run(f"x{sign}y")
    escaped = sign.replace("\\", "\\\\").replace('"', '\\"')
    assert found(guest, f'"{escaped}"') == f"x{sign}y"


def test_status(guest: Guest) -> None:
    # The statuses of the shared case 15-unknown-status.
    stored = ["ZOMBIE", "running", " RUNNING", "", None, "RUN\0NING", 3, "RUNNING", b"RUNNING"]
    for index, status in enumerate(stored):
        guest.run(f"s{index}", status)
    assert found(guest, "status:run") == "s7"
    assert found(guest, "status:=running") == "s1"
    assert found(guest, 'status:" RUNNING"') == "s2"
    assert found(guest, 'status:""') == "s3"
    assert found(guest, "status:(null)") == "s4"
    assert found(guest, "status:RUN\0NING") == "s5"
    assert found(guest, "status:3") == "s6"
    assert found(guest, 'status:"<blob 7 bytes>"') == "s8"
    assert found(guest, "-status:RUNNING,ZOMBIE") == "s1 s2 s3 s4 s5 s6 s8"
    assert found(guest, "status:run,(null)") == "s4 s7"
    assert found(guest, "is:live") == "s7"


SPELLINGS = [
    *("2026-03-01T10:00:00+00:00", "2026-03-01T10:00:00.000000+00:00", "2026-03-01T10:00:00"),
    *("2026-03-01 10:00:00", "2026-03-01T10:00:00Z", "2026-03-01T12:00:00+02:00", "1772359200"),
    *("2026-03-01T10:00:00.0000001Z", "1772359200123"),
]
"""All of them 10:00 UTC, the last 123 milliseconds later."""

NO_TIMES = [
    "",
    None,
    "infinity",
    "2026-02-30T00:00:00+00:00",
    "2026-03-01T10:00:60+00:00",
    "0000-01-01T00:00:00+00:00",
]


def test_every_spelling_of_a_time(guest: Guest) -> None:
    for index, started in enumerate([*SPELLINGS, *NO_TIMES]):
        guest.run(f"t{index}", started_at=started)
    every = " ".join(f"t{index}" for index in range(len(SPELLINGS)))
    unread = " ".join(f"t{len(SPELLINGS) + index}" for index in range(len(NO_TIMES)))
    assert found(guest, "since:2026-03-01T10:00Z") == every
    assert found(guest, "until:2026-03-01T10:00:00Z") == ""
    assert found(guest, "since:2026-03-01T10:00:00.000001Z") == "t8"
    assert found(guest, "until:2026-03-01T10:00:01Z") == every
    assert found(guest, "-since:2026-03-01T10:00Z") == unread
    assert found(guest, "-until:2027-01-01") == unread


@pytest.mark.parametrize("text", ["since:1d", "until:1d", "duration:>1h", "is:stuck"])
def test_times_as_zeroth_writes_them_are_left_to_sql(guest: Guest, text: str) -> None:
    for day in ("2026-02-28", "2024-02-29", "2026-12-31", "0001-01-01"):
        for clock in ("T00:00:00+00:00", "T23:59:59+00:00", "T10:00:00.000001+00:00"):
            times = {"started_at": day + clock, "updated_at": day + clock}
            guest.run(day + clock, "RUNNING", lease_worker_id="w", lease_expires_at=day + clock)
            guest.run(f"over {day}{clock}", **times)
    where = compile_filter(parsed(text), frozenset(runs_table(guest.connection).columns), NOW)
    assert guest.sql(f"SELECT sum({where.doubt}) FROM runs", *where.doubt_params) == [(0,)]


def test_json_that_sqlite_reads_otherwise(guest: Guest) -> None:
    guest.run("nul", "FAILED", failure_state='{"reason":"a\\u0000bc"}')
    guest.run("nan", "FAILED", failure_state='{"details":NaN,"reason":"abc"}')
    guest.run("key", "FAILED", failure_state='{"re\\u0061son":"abc"}')
    message = "x" * 70_000  # of which a list shows the beginning
    guest.run("large", "FAILED", failure_state={"message": f"{message}end", "reason": "-"})
    guest.run("blob", "FAILED", failure_state=b'{"reason":"abc"}')
    guest.run("list", "FAILED", failure_state='["abc"]')
    guest.run("broken", "FAILED", failure_state='{"reason":"abc"')
    assert found(guest, "reason:bc") == "nul nan key"
    assert found(guest, "-reason:bc") == "large blob list broken"
    assert found(guest, "xxx") == "large"
    assert found(guest, "xend") == ""
    assert found(guest, "-xend -bc,abc") == "large blob list broken"


def test_a_child_whose_metadata_sql_does_not_trust_is_stuck_unless_it_is_driven(
    guest: Guest,
) -> None:
    guest.run("held", "RUNNING", lease_worker_id="w", lease_expires_at="2999-01-01T00:00:00+00:00")
    guest.run("driven", "RUNNING", metadata='{"parent_run_id":"held","x":NaN}')
    guest.run("orphan", "RUNNING", metadata='{"parent_run_id":"gone","x":NaN}')
    assert found(guest, "is:stuck") == "orphan"
    assert found(guest, "-is:stuck") == "held driven"
    rows = fetch_summaries(guest.connection, runs_table(guest.connection), "ORDER BY rowid")
    assert [judge(parsed("is:stuck"), run, NOW) for _, run in rows] == [False, False, True]


def test_what_only_the_database_knows_is_left_open(guest: Guest) -> None:
    guest.run("a")
    table = runs_table(guest.connection)
    ((_, run),) = fetch_summaries(guest.connection, table, "")
    answers = {
        "is:erased": None,
        "-is:parent": None,
        "is:erased status:completed": None,
        "is:erased,live": None,
        "is:erased,child -status:x": None,
        "is:erased is:failed": False,
        "-is:erased,parent thread:=t-1": None,
        "status:completed": True,
        "in:any:x": True,
    }
    assert {text: judge(parsed(text), run, NOW) for text in answers} == answers


@pytest.mark.parametrize("era", ERAS)
def test_every_era(tmp_path: Path, era: str) -> None:
    guest = Guest(tmp_path / f"{era}.db", era)
    guest.run("a", workspace_id="w")
    guest.run("b", "FAILED")
    assert found(guest, "tenant:=default") == "a b"
    assert found(guest, "workspace:=w") == "a"
    assert found(guest, "is:failed -is:parent -is:erased") == "b"
    guest.connection.close()


def test_a_missing_column_reads_as_null(guest: Guest) -> None:
    guest.run("a")
    for column in ("metadata", "failure_state", "error", "current_step", "deployment_ref"):
        guest.sql(f"ALTER TABLE runs DROP COLUMN {column}")
    for column in ("graph_version_ref", "started_at", "lease_expires_at", "current_node_ids"):
        guest.sql(f"ALTER TABLE runs DROP COLUMN {column}")
    for column in ("token_snapshot_write_disabled", "updated_at", "thread_id", "workspace_id"):
        guest.sql(f"ALTER TABLE runs DROP COLUMN {column}")
    absent = ["graph:g", "thread:t", "node:n", "reason:r", "parent:p", "cost:>=0", "duration:>=0s"]
    absent += ["since:1w", "until:today", "is:child", "is:parent", "is:erased", "is:dead-letter"]
    for term in absent:
        assert (found(guest, term), found(guest, f"-{term}")) == ("", "a"), term
    assert found(guest, "graph:(null)") == "a"
    assert found(guest, "a status:completed -is:stuck") == "a"
