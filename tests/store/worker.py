"""A worker that drives runs as Zeroth's does (ZEROTH.md section 4), one database access at a time.

It writes whole rows from what it read earlier, RUNNING blindly at the start of each hop, fenced by
its lease; it stops for FAILED and WAITING_INTERRUPT, where it looks; it frees its lease at the end.
A node's audit is written before the run's row: where the row then fails to be, the next worker
cannot write that audit again, and the run is lost. At its start a worker also takes RUNNING runs
whose lease has expired, and while it drives one it renews its lease at any moment.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

NODES = ("a", "b", "c")
"""What every run does, in this order."""

LEASE = timedelta(seconds=60)
_STOPS = ("FAILED", "WAITING_INTERRUPT")
_PENDING = "status = 'PENDING' AND (lease_worker_id IS NULL OR lease_expires_at <= ?)"
_ORPHANED = "status = 'RUNNING' AND lease_worker_id IS NOT NULL AND lease_expires_at <= ?"


class Fenced(Exception):
    """Another worker has the run: the write changed no row."""


class Worker:
    """Claims PENDING runs and drives them; `steps` goes on by one access each time."""

    def __init__(
        self, connection: sqlite3.Connection, name: str, clock: Callable[[], datetime]
    ) -> None:
        self._connection = connection
        self._name = name
        self._clock = clock
        self._generation = 0
        self._driving: str | None = None
        self.exposed = False
        """Whether an audit is written and its run's row is not yet."""

    def steps(self) -> Iterator[bool]:
        """Yield after each access to the database; False where there was nothing to claim."""
        claimable = _ORPHANED
        while True:
            run = self._claim(claimable)
            claimable = _PENDING
            yield run is not None
            if run is not None:
                self._driving = run["run_id"]
                try:
                    yield from self._drive(run)
                except Fenced:
                    yield True
                self._driving = None
                self._release(run["run_id"])
                yield True

    def renew(self) -> None:
        """Renew the lease of the run that is driven, as a task of its own does in between."""
        if self._driving is not None:
            self._connection.execute(
                "UPDATE runs SET lease_expires_at = ?"
                " WHERE run_id = ? AND lease_worker_id = ? AND lease_generation = ?",
                (self._until(), self._driving, self._name, self._generation),
            )

    def _claim(self, claimable: str) -> dict[str, Any] | None:
        now = self._clock()
        rows = self._connection.execute(
            "UPDATE runs SET lease_worker_id = ?, lease_acquired_at = ?, lease_expires_at = ?,"
            " lease_generation = lease_generation + 1 WHERE rowid IN (SELECT rowid FROM runs"
            f" WHERE {claimable} ORDER BY started_at LIMIT 1) RETURNING run_id, lease_generation",
            (self._name, now.isoformat(), self._until(), now.isoformat()),
        ).fetchall()
        if not rows:
            return None
        ((run_id, self._generation),) = rows
        cursor = self._connection.execute("SELECT * FROM runs WHERE run_id = ?", (run_id,))
        names = [column[0] for column in cursor.description]
        return dict(zip(names, cursor.fetchall()[0], strict=True))

    def _drive(self, run: dict[str, Any]) -> Iterator[bool]:
        metadata = json.loads(run["metadata"])
        history: list[str] = json.loads(run["execution_history"])
        refs: list[str] = json.loads(run["audit_refs"])
        while len(history) < len(NODES):
            if self._stop(run):
                return
            yield True
            # The two blind writes at the start of a hop.
            metadata["in_flight_dispatch"] = {"node_id": NODES[len(history)]}
            run |= {"status": "RUNNING", "metadata": json.dumps(metadata)}
            self._save(run)
            yield True
            run["current_node_ids"] = json.dumps([NODES[len(history)]])
            self._save(run)
            yield True
            self._fenced("UPDATE runs SET lease_expires_at = ?", (self._until(),), run)
            yield True
            refs.append(f"audit:{len(refs) + 1}")
            if not self._audit(run, refs[-1]):
                run |= {"status": "FAILED", "error": "worker: worker_exception"}
                self._save(run)
                return
            self.exposed = True
            yield True
            history.append(NODES[len(history)])
            run |= {"execution_history": json.dumps(history), "audit_refs": json.dumps(refs)}
            stop = self._stop(run)
            yield True
            self._save({**run, **(stop or {"status": "RUNNING"})})
            self.exposed = False
            yield True
            if stop:
                return
        run |= {"status": "COMPLETED", "current_node_ids": "[]", "final_output": '"done"'}
        self._save(run)
        yield True

    def _stop(self, run: dict[str, Any]) -> dict[str, Any]:
        """Return the columns of a stop that somebody wrote; none where the run goes on."""
        columns = ("status", "error", "failure_state")
        sql = f"SELECT {', '.join(columns)} FROM runs WHERE run_id = ?"
        (row,) = self._connection.execute(sql, (run["run_id"],)).fetchall()
        return dict(zip(columns, row, strict=True)) if row[0] in _STOPS else {}

    def _audit(self, run: dict[str, Any], ref: str) -> bool:
        """Write an audit; False where one has its name (Zeroth's DuplicateAuditIdError)."""
        try:
            self._connection.execute(
                "INSERT INTO node_audits(audit_id, run_id, record_json) VALUES (?, ?, '{}')",
                (f"{run['run_id']}:{ref}", run["run_id"]),
            )
        except sqlite3.IntegrityError:
            return False
        return True

    def _save(self, run: dict[str, Any]) -> None:
        """Write the whole row but for lease and counters, while the lease is still ours."""
        kept = ("lease_", "failure_count", "recovery_", "token_snapshot_", "run_id")
        values = {name: value for name, value in run.items() if not name.startswith(kept)}
        changing = ", ".join(f"{name} = ?" for name in values)
        self._fenced(f"UPDATE runs SET {changing}", (*values.values(),), run)

    def _until(self) -> str:
        return (self._clock() + LEASE).isoformat()

    def _fenced(self, sql: str, parameters: tuple[Any, ...], run: dict[str, Any]) -> None:
        changed = self._connection.execute(
            f"{sql} WHERE run_id = ? AND lease_worker_id = ? AND lease_generation = ?",
            (*parameters, run["run_id"], self._name, self._generation),
        )
        if changed.rowcount != 1:
            raise Fenced

    def _release(self, run_id: str) -> None:
        self._connection.execute(
            "UPDATE runs SET lease_worker_id = NULL, lease_acquired_at = NULL,"
            " lease_expires_at = NULL WHERE run_id = ? AND lease_worker_id = ?",
            (run_id, self._name),
        )
