"""Makes a database of a million runs as Zeroth stores them, once, in the user's cache folder."""

from __future__ import annotations

import argparse
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from tests.store.guests import schema

MILLION: Final = 1_000_000
RUNS_A_THREAD: Final = 20
EVERY_CHILD: Final = 25
"""Each of so many runs is the child of the one before."""

LIVE: Final = 400
"""The newest so many runs are not over."""

_SHAPE: Final = 2
"""Of the files: another number when their content changes."""

_INDEXES: Final = {
    "idx_runs_scope": "tenant_id, workspace_id, deployment_ref, thread_id, run_id",
    "idx_runs_dispatch": "tenant_id, deployment_ref, status, lease_expires_at",
}
"""Zeroth's own."""

# Pseudo-random, yet the same each time: started with some jitter, so that the order of starts is
# not that of creation; took up to a minute.
_RUNS: Final = f"""
WITH RECURSIVE
  numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :runs),
  drawn AS (
    SELECT n, (n * 2654435761) % 4294967296 AS r,
      1767225600 + n * 2 - (n * 2654435761) % 4294967296 % 600 AS start,
      CASE WHEN n >= :runs - {LIVE}
        THEN CASE n % 3 WHEN 0 THEN 'PENDING' WHEN 1 THEN 'RUNNING' ELSE 'WAITING_APPROVAL' END
        ELSE CASE WHEN n % 17 = 0 THEN 'FAILED' ELSE 'COMPLETED' END END AS status
    FROM numbers)
INSERT INTO runs (run_id, tenant_id, workspace_scope, workflow_name, status, thread_id,
  graph_version_ref, deployment_ref, current_step, started_at, updated_at, error, failure_state,
  metadata, execution_history, final_output)
SELECT
  printf('%08x-%04x-4000-8000-%012x', r, n % 65536, n), 'default', 'null', 'billing', status,
  printf('thread-%06d', n / {RUNS_A_THREAD}),
  printf('graph-%d@%d', r % 7, r % 3), 'prod', 'act',
  strftime('%Y-%m-%dT%H:%M:%S', start, 'unixepoch') || printf('.%06d+00:00', r % 1000000),
  strftime('%Y-%m-%dT%H:%M:%S', start + r % 60, 'unixepoch') || printf('.%06d+00:00', r % 1000000),
  CASE status WHEN 'FAILED' THEN printf('the tool answered %d', r % 500) END,
  CASE status WHEN 'FAILED' THEN json_object('reason', 'node_execution_failed',
    'message', printf('the tool answered %d', r % 500), 'details', json('{{}}')) END,
  CASE WHEN n % {EVERY_CHILD} = 1
    THEN json_object('graph_id', 'billing', 'parent_node_id', 'check', 'parent_run_id',
      printf('%08x-%04x-4000-8000-%012x', ((n - 1) * 2654435761) % 4294967296, (n - 1) % 65536,
        n - 1), 'total_cost_usd', r % 1000 / 1e4)
    ELSE json_object('graph_id', 'billing', 'path', json_array('plan', 'act'),
      'total_cost_usd', r % 1000 / 1e4) END,
  json_array(json_object('node_id', 'plan', 'status', 'completed', 'attempt', 1,
    'input_snapshot', json_object('question', 'invoice ' || n))),
  json_object('ok', json('true'), 'invoice', n)
FROM drawn
"""

_THREADS: Final = """
INSERT INTO threads (thread_id, tenant_id, workspace_scope, run_ids, created_at)
SELECT thread_id, 'default', 'null', json_group_array(run_id), min(started_at)
FROM runs GROUP BY thread_id ORDER BY min(rowid)
"""


def database(runs: int = MILLION) -> Path:
    """Return the database of so many runs; makes it when it is not there yet."""
    folder = user_cache_path("zeroth-tui") / "bench"
    path = folder / f"runs-{runs}-{_SHAPE}.db"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f"{path.name}.{os.getpid()}"
        try:
            make(unfinished, runs)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    return path


def make(path: Path, runs: int) -> None:
    """Make a database of so many runs, at rest in WAL mode."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF").fetchall()
        connection.execute("PRAGMA synchronous = OFF").fetchall()
        for statement in (*schema("026"), "BEGIN"):
            connection.execute(statement)
        connection.execute(_RUNS, {"runs": runs})
        connection.execute(_THREADS)
        for name, columns in _INDEXES.items():
            connection.execute(f"CREATE INDEX {name} ON runs ({columns})")
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL").fetchall()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.million", description=__doc__)
    parser.add_argument("runs", type=int, nargs="?", default=MILLION, help="how many")
    print(database(parser.parse_args().runs))
