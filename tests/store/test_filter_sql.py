"""A filter as SQL: bound values only, and the same runs as judging each summary."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store import filters as some
from tests.store.filters import NOW, parsed
from tests.store.guests import schema
from tests.store.support import SHARED
from zeroth_store.browse import RunSummary
from zeroth_store.filters import EVERYTHING, Filter, Term, judge, matches
from zeroth_store.filters.parse import MOST_VALUES
from zeroth_store.filters.terms import State
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.search.filter_sql import Where, compile_filter
from zeroth_store.sqlite.tables import runs_table

COLUMNS = frozenset(
    {
        *("run_id", "status", "thread_id", "graph_version_ref", "deployment_ref", "current_step"),
        *("started_at", "updated_at", "error", "failure_state", "metadata", "current_node_ids"),
        *("tenant_id", "workspace_id", "workspace_scope", "lease_worker_id", "lease_expires_at"),
        "token_snapshot_write_disabled",
    }
)
SUMMARY_STATES: tuple[State, ...] = ("live", "waiting", "dead-letter", "failed", "child")
"""The conditions that a summary alone decides."""

WORDS = st.sampled_from(["a", "A", "ab", "", "é", "RUNNING", "FAILED", "x\0y", "<blob 1 bytes>"])
CELLS = st.one_of(st.none(), WORDS, st.integers(0, 9), st.just(b"a"))
STATUSES = st.sampled_from(["PENDING", "RUNNING", "WAITING_INTERRUPT", "COMPLETED", "FAILED"])
MEMBERS = st.one_of(WORDS, st.none(), st.floats(), st.integers(0, 9))
OBJECTS = st.dictionaries(
    st.sampled_from(["reason", "message", "parent_run_id", "total_cost_usd", "in_flight_dispatch"]),
    st.one_of(MEMBERS, st.fixed_dictionaries({"node_id": MEMBERS})),
).map(json.dumps)
JSON_CELLS = st.one_of(OBJECTS, CELLS, st.lists(MEMBERS, max_size=2).map(json.dumps))
TIMES = st.one_of(
    CELLS,
    st.builds(lambda at, zone: at.replace(tzinfo=zone).isoformat(), st.datetimes(), some.ZONES),
    st.datetimes(datetime(2026, 2, 1), datetime(2026, 4, 1)).map(
        lambda moment: f"{moment.isoformat()}+00:00"
    ),
    st.sampled_from(["2026-02-30T00:00:00+00:00", "2026-03-01T10:00:60+00:00"]),
    st.integers(1_700_000_000, 1_800_000_000).map(str),
)
ROWS = st.fixed_dictionaries(
    {
        "thread_id": CELLS,
        "status": st.one_of(STATUSES, CELLS),
        "graph_version_ref": CELLS,
        "deployment_ref": CELLS,
        "current_step": CELLS,
        "error": CELLS,
        "started_at": TIMES,
        "updated_at": TIMES,
        "failure_state": JSON_CELLS,
        "metadata": JSON_CELLS,
        "current_node_ids": JSON_CELLS,
        "lease_worker_id": CELLS,
        "lease_expires_at": TIMES,
        "workspace_id": st.one_of(st.none(), WORDS),
    }
)
TERMS = st.one_of(
    some.text_terms(WORDS),
    some.time_terms(),
    some.range_terms(),
    some.state_terms(SUMMARY_STATES),
)


def add(connection: sqlite3.Connection, row: dict[str, object]) -> None:
    workspace = row["workspace_id"]
    scope = "null" if workspace is None else f"value:{workspace}"
    values = {"tenant_id": "default", "workspace_scope": scope, **row}
    connection.execute(
        f"INSERT INTO runs(run_id, {', '.join(values)}) VALUES"
        f" ('r' || (SELECT count(*) FROM runs){', ?' * len(values)})",
        tuple(values.values()),
    )


def select(connection: sqlite3.Connection, where: Where) -> list[RunSummary]:
    rest = f"WHERE ({where.sql}) ORDER BY rowid"
    found = fetch_summaries(connection, runs_table(connection), rest, where.params)
    return [run for _, run in found]


@pytest.fixture(scope="module")
def memory() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in schema("026"):
        connection.execute(statement)
    yield connection
    connection.close()


@settings(deadline=None)
@given(rows=st.lists(ROWS, min_size=1, max_size=5), terms=st.lists(TERMS, min_size=1, max_size=3))
def test_sql_and_summaries_agree(
    memory: sqlite3.Connection, rows: list[dict[str, object]], terms: list[Term]
) -> None:
    memory.execute("DELETE FROM runs")
    for row in rows:
        add(memory, row)
    wanted = Filter(tuple(terms))
    where = compile_filter(wanted, COLUMNS, NOW)
    every = select(memory, compile_filter(EVERYTHING, COLUMNS, NOW))
    assert len(every) == len(rows)
    judged = [run for run in every if judge(wanted, run, NOW) is True]
    passed = select(memory, where)
    assert [run for run in passed if matches(wanted, run, NOW)] == judged
    sure = Where(
        f"({where.sql}) AND NOT ({where.doubt})", where.params + where.doubt_params, "0", ()
    )
    assert all(matches(wanted, run, NOW) for run in select(memory, sure))


@given(some.filters())
def test_the_text_of_the_sql_does_not_depend_on_values(wanted: Filter) -> None:
    where = compile_filter(wanted, COLUMNS, NOW)
    assert set(where.sql + where.doubt) <= LETTERS
    assert where.sql.count("?") == len(where.params)
    assert where.doubt.count("?") == len(where.doubt_params)


LETTERS = set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _.,()'\"<>=|*?$%:+-[]\\/"
)


@pytest.mark.parametrize(
    "text", ["zQx", "graph:zQx", "-node:=zQx", "status:zQx", "workspace:zQx", "id:zQx parent:zQx"]
)
def test_no_value_is_in_the_text_of_the_sql(text: str) -> None:
    where = compile_filter(parsed(text), COLUMNS, NOW)
    assert "zqx" not in (where.sql + where.doubt).lower()
    assert any(value in {"zQx", "zqx"} for value in where.params)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("", True),
        ("status:failed -graph:x thread:y id:z tenant:a workspace:b", True),
        ("is:live,erased,parent", True),
        ("since:1d", False),
        ("reason:x", False),
        ("status:failed word", False),
    ],
)
def test_exact_says_whether_sql_alone_decides(text: str, exact: bool) -> None:
    assert compile_filter(parsed(text), COLUMNS, NOW).exact is exact


def test_payload_terms_are_left_to_the_caller() -> None:
    assert compile_filter(parsed("in:any:x"), COLUMNS, NOW) == ("1", (), "0", ())


@pytest.mark.parametrize("term", ["word{}", "node:n{}", "duration:>{}s", "is:stuck", "-cost:<{}"])
def test_the_longest_filter_is_not_too_deep(memory: sqlite3.Connection, term: str) -> None:
    for text in (" ".join, ",".join):
        values = [term.format(index) for index in range(MOST_VALUES)]
        if text == ",".join:
            values[1:] = [value.rpartition(":")[2] for value in values[1:]]
        where = compile_filter(parsed(text(values)), COLUMNS, NOW)
        memory.execute(
            f"SELECT ({where.sql}), ({where.doubt}) FROM runs", where.params + where.doubt_params
        )


def test_a_status_uses_an_index() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        f"CREATE TABLE runs({', '.join(f'{name} TEXT' for name in sorted(COLUMNS))})"
    )
    connection.execute("CREATE INDEX by_status ON runs(status)")
    where = compile_filter(parsed("status:failed,ZOMBIE"), COLUMNS, NOW)
    plan = connection.execute(
        f"EXPLAIN QUERY PLAN SELECT 1 FROM runs WHERE {where.sql}", where.params
    )
    assert "by_status" in str(plan.fetchall())
    connection.close()


SAMPLES = sorted((SHARED / "data" / "zeroth").glob("rev*.db"))


@pytest.mark.skipif(not SAMPLES, reason="the sample databases of Zeroth are not here")
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: str(path.stem))
def test_real_databases(path: Path) -> None:
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    connection.text_factory = lambda value: value.decode("utf-8", "surrogateescape")
    columns = frozenset(runs_table(connection).columns)

    def count(text: str) -> int:
        wanted = parsed(text)
        where = compile_filter(wanted, columns, NOW)
        return sum(matches(wanted, run, NOW) for run in select(connection, where))

    def plain(condition: str) -> int:
        return int(connection.execute(f"SELECT count(*) FROM runs WHERE {condition}").fetchone()[0])

    assert count("") == plain("1") > 0
    assert count("status:failed") == plain("status = 'FAILED'")
    assert count("-status:failed") == plain("status <> 'FAILED'")
    assert count("is:waiting") == plain("status LIKE 'WAITING%'")
    assert count("reason:node_exec") == plain('failure_state LIKE \'%"reason":"node_exec%\'')
    assert count("is:child") == plain('metadata LIKE \'%"parent_run_id":"%\'')
    assert count("since:2000-01-01 until:2030-01-01") == plain("1") - plain(
        "started_at < '2000' OR started_at > '2030'"
    )
    connection.close()
