"""A small own database with fixed ids and times: one run of each kind that a screen must show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from zeroth_store import (
    ActorIdentity,
    AsyncSQLiteDatabase,
    Run,
    RunConditionResult,
    RunFailureState,
    RunHistoryEntry,
    RunRepository,
    RunStatus,
)

START = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
NOW = START + timedelta(minutes=5)

TRACEBACK = """\
Traceback (most recent call last):
  File "/srv/app/site-packages/httpx/_client.py", line 914, in send
    response = self._send(request)
  File "/srv/app/support/classify.py", line 41, in classify
    raise ModelTimeout(f"no answer in {limit}s")
support.errors.ModelTimeout: no answer in 3s"""


def run_id(prefix: str) -> str:
    """Return a full-length id that starts with `prefix`."""
    return prefix.ljust(32, "0")


def at(seconds: float) -> datetime:
    """Return the moment some seconds after START."""
    return START + timedelta(seconds=seconds)


def entry(node: str, seconds: float, out: dict[str, Any], **fields: Any) -> RunHistoryEntry:
    """Return a completed entry as Zeroth writes it: its time is the time of completion."""
    return RunHistoryEntry(
        node_id=node,
        status=fields.pop("status", "completed"),
        started_at=at(seconds),
        output_snapshot=out,
        **fields,
    )


def edge(
    name: str,
    source: str,
    target: str,
    seconds: float,
    *,
    expression: str | None,
    value: bool,
    suppressed: str | None = None,
) -> RunConditionResult:
    """Return a decision as Zeroth writes it."""
    details: dict[str, Any] = {
        "branch_rule": "passthrough" if expression is None else "expression",
        "edge_id": name,
        "expression": expression,
        "graph_context": {},
        "operand_refs": [],
        "source_node_id": source,
        "target_node_id": target,
        "value": value,
    }
    if suppressed:
        details["suppression_reason"] = suppressed
    return RunConditionResult(
        condition_id=name,
        matched=value,
        selected_edge_id=name if value else None,
        evaluated_at=at(seconds),
        details=details,
    )


def _triage() -> Run:
    return Run(
        run_id=run_id("7f3a11"),
        thread_id="support-4411",
        graph_id="support-triage@3",
        status=RunStatus.COMPLETED,
        started_at=at(0),
        inputs={"ticket": 4411, "text": "Where is my parcel?"},
        execution_history=[
            entry("ingest", 1, {"ticket": 4411, "words": 4}, cost_usd=0.001),
            entry("classify", 3, {"label": "urgent", "score": 0.91}, cost_usd=0.03),
            entry("escalate", 4.5, {"team": "logistics"}),
        ],
        condition_results=[
            edge("e-in", "ingest", "classify", 1, expression=None, value=True),
            edge("e-urgent", "classify", "escalate", 3, expression="score >= 0.8", value=True),
            edge("e-calm", "classify", "reply", 3, expression="score < 0.8", value=False),
        ],
        final_output={"team": "logistics", "api_key": "sk-live-123"},
        submitted_by=ActorIdentity(subject="olga.operator"),
        metadata={"total_cost_usd": 0.031, "terminal_reason": "no_outgoing_edges"},
    )


def _failed() -> Run:
    return Run(
        run_id=run_id("81bc02"),
        thread_id="support-4411",
        graph_id="support-triage@3",
        status=RunStatus.FAILED,
        started_at=at(60),
        execution_history=[
            entry("ingest", 61, {"ticket": 4412, "words": 9}, cost_usd=0.001),
            entry(
                "classify",
                61,
                {},
                status="failed",
                completed_at=at(64.1),
                input_snapshot={"ticket": 4412, "words": 9},
            ),
        ],
        failure_state=RunFailureState(
            reason="node_execution_failed",
            message="no answer in 3s [/] [red]not markup[/red]",
            details={"traceback": TRACEBACK},
        ),
        metadata={
            "in_flight_dispatch": {"node_id": "classify", "input_payload": {"ticket": 4412}},
            "initial_input": {"ticket": 4412},
        },
    )


def _loop() -> Run:
    history, decisions = [], []
    for visit in range(1, 4):
        seconds = 120 + 2 * visit
        history.append(entry("draft", seconds, {"round": visit, "text": f"draft {visit}"}))
        decisions.append(
            edge(
                "e-again",
                "draft",
                "draft",
                seconds,
                expression="quality < 3",
                value=True,
                suppressed="visit_limit" if visit == 3 else None,
            )
        )
    return Run(
        run_id=run_id("a70e85"),
        thread_id="doc-2",
        graph_id="refine-loop@1",
        status=RunStatus.COMPLETED,
        started_at=at(120),
        execution_history=history,
        condition_results=decisions,
        node_visit_counts={"draft": 3},
        final_output={"text": "draft 3"},
        metadata={"terminal_reason": "branch_suppressed"},
    )


def _family() -> list[Run]:
    parent = Run(
        run_id=run_id("37ed6f"),
        thread_id="order-1",
        graph_id="order-flow@1",
        status=RunStatus.COMPLETED,
        started_at=at(150),
        execution_history=[
            entry("intake", 151, {"amount": 50}),
            entry("check", 153, {"credit": 700}),
        ],
        final_output={"credit": 700},
    )
    child = Run(
        run_id=run_id("29749b"),
        thread_id="order-1",
        graph_id="credit-check@1",
        status=RunStatus.COMPLETED,
        started_at=at(151.5),
        execution_history=[entry("score", 152, {"credit": 700})],
        parent_run_id=parent.run_id,
        metadata={"parent_node_id": "check"},
    )
    return [parent, child]


def _live() -> list[Run]:
    waiting = Run(
        run_id=run_id("d50ebd"),
        thread_id="press",
        graph_id="publish-approval@1",
        status=RunStatus.WAITING_APPROVAL,
        started_at=at(200),
        execution_history=[entry("drafter", 201, {"body": "Draft body", "secret": "hunter2"})],
        metadata={"pending_approval": {"approval_id": "18fd53", "node_id": "approval"}},
    )
    running = Run(
        run_id=run_id("f28d28"),
        thread_id="nightly",
        graph_id="nightly-report@2",
        status=RunStatus.RUNNING,
        started_at=at(280),
        execution_history=[entry("collect", 284, {"rows": 120})],
        metadata={"in_flight_dispatch": {"node_id": "report", "input_payload": {"rows": 120}}},
    )
    pending = Run(
        run_id=run_id("a03e5d"),
        thread_id="nightly",
        graph_id="nightly-report@2",
        started_at=at(290),
    )
    return [waiting, running, pending]


async def build(path: Path) -> None:
    """Write the sample database to `path`."""
    ticks, numbers = count(), count(1)

    def clock() -> datetime:
        return ends.get(next(ticks), NOW)

    runs = [_triage(), _failed(), _loop(), *_family(), *_live()]
    # One write a run, so the k-th reading of the clock stamps the k-th run.
    ends = dict(enumerate(at(s) for s in (4.5, 64.1, 126, 153, 152, 201, 284, 290)))
    async with AsyncSQLiteDatabase(path) as database:
        repository = RunRepository(database, clock=clock, ids=lambda: f"{next(numbers):032x}")
        await repository.initialize()
        for run in runs:
            await repository.create(run)
