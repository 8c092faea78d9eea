"""The past that a demo begins with is deterministic, in order, and enough to look at."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from tests.demo.stagehands import NOON, Row, rows, seeded

TABLES = ("runs", "threads", "run_checkpoints", "node_audits", "approvals")


async def test_the_same_seed_and_time_make_the_same_rows(
    past: Path, fresh: Callable[[str], Path]
) -> None:
    again, other = fresh("again"), fresh("other")
    await seeded(again, 7)
    await seeded(other, 8)
    for table in TABLES:
        sql = f"SELECT rowid, * FROM {table} ORDER BY rowid"
        assert rows(again, sql) == rows(past, sql)
        assert rows(other, sql) != rows(past, sql)


def test_there_is_enough_to_look_at_and_some_of_it_is_open(stored: list[Row]) -> None:
    statuses = Counter(run["status"] for run in stored)
    assert 25 <= statuses["COMPLETED"] + statuses["FAILED"] <= 50
    # The open stories: an undecided refund, an order and its child, a crawl, a run whose worker
    # died, a new question.
    assert statuses["WAITING_APPROVAL"] == 3
    assert statuses["RUNNING"] == 2
    assert statuses["PENDING"] == 1


def test_all_of_it_lies_in_the_last_hours(past: Path, stored: list[Row]) -> None:
    for run in stored:
        started = datetime.fromisoformat(run["started_at"])
        updated = datetime.fromisoformat(run["updated_at"])
        assert NOON - timedelta(hours=5) <= started <= updated <= NOON
        times = [
            datetime.fromisoformat(moment)
            for entry in run["execution_history"]
            for moment in (entry["started_at"], entry["completed_at"])
            if moment is not None
        ]
        assert all(started <= moment <= updated for moment in times)
    oldest_thread = rows(past, "SELECT min(created_at) AS oldest FROM threads")[0]["oldest"]
    assert datetime.fromisoformat(oldest_thread) >= NOON - timedelta(hours=5)


def test_runs_are_stored_in_the_order_in_which_they_began(past: Path) -> None:
    unordered = """
        SELECT count(*) AS wrong FROM runs a JOIN runs b ON a.rowid < b.rowid
        WHERE a.started_at > b.started_at
    """
    assert rows(past, unordered) == [{"wrong": 0}]


def test_checkpoints_belong_to_runs_and_threads_list_them(past: Path) -> None:
    loose = """
        SELECT count(*) AS loose FROM run_checkpoints c
        WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = c.run_id)
           OR NOT EXISTS (
                SELECT 1 FROM threads t, json_each(t.checkpoint_refs) ref
                WHERE t.thread_id = c.thread_id AND ref.value = c.checkpoint_id)
    """
    assert rows(past, loose) == [{"loose": 0}]
    # One per run, and those that were kept: two in each review loop, one per ten pages crawled.
    kept = rows(
        past,
        "SELECT r.deployment_ref AS graph, count(*) AS many FROM run_checkpoints c"
        " JOIN runs r USING (run_id) WHERE r.checkpoint_id <> c.checkpoint_id GROUP BY 1",
    )
    assert {row["graph"]: row["many"] for row in kept}["release-notes"] == 8


def test_a_chat_is_one_thread_of_three_runs(past: Path) -> None:
    chats = rows(
        past,
        "SELECT json_array_length(run_ids) AS runs, participating_agent_refs AS agents"
        " FROM threads WHERE thread_id LIKE 'support-%' ORDER BY 1 DESC LIMIT 1",
    )
    assert chats == [{"runs": 3, "agents": '["triage-agent","reply-agent"]'}]


def test_the_file_is_sound(past: Path) -> None:
    connection = sqlite3.connect(past)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
