"""What the views say of the runs that Zeroth wrote, beside a plain SQL look at the same rows."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio

from tests.views.build import words
from zeroth_store.browse import RunBrowser, RunKey, RunQuery
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_tui.line import Row
from zeroth_tui.views.conditions import condition_rows
from zeroth_tui.views.failure import failure_rows
from zeroth_tui.views.header import header_rows
from zeroth_tui.views.step import RunItem, Step, StepItem
from zeroth_tui.views.steps import steps
from zeroth_tui.views.timeline_rows import timeline_rows

SAMPLES = Path(__file__).parents[2].parent / "shared" / "data" / "zeroth"
NOW = datetime(2026, 11, 29, 16, 0, tzinfo=UTC)
"""After everything that the sample databases hold."""

WIDE = 200


class Seen(NamedTuple):
    """One run as a person sees it, and its row as SQL gives it."""

    row: dict[str, Any]
    steps: list[Step]
    header: str
    timeline: list[Row]
    conditions: str
    failure: str

    def column(self, name: str) -> Any:
        """A JSON column, read by Python's own parser."""
        return json.loads(self.row[name] or "null")

    @property
    def lines(self) -> list[str]:
        """The timeline's lines."""
        return [words(row.line) for row in self.timeline]


def rows_of(path: Path, sql: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql)]


async def look(reading: RunBrowser, key: RunKey, row: dict[str, Any]) -> Seen:
    detail, related = await reading.run(key), await reading.related(key)
    assert detail is not None
    found = steps(detail, related, NOW)
    return Seen(
        row,
        list(found),
        text_of(header_rows(detail, related, NOW, UTC, WIDE)),
        list(timeline_rows(detail, related, found, WIDE, NOW)),
        text_of(condition_rows(detail, found, WIDE)),
        text_of(failure_rows(detail, related, found, WIDE, NOW, UTC)),
    )


def text_of(rows: tuple[Row, ...]) -> str:
    return "\n".join(words(row.line) for row in rows)


@pytest_asyncio.fixture(name="seen", scope="module", loop_scope="module")
async def fixture_seen(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, Seen]]:
    """Every run of rev026-main.db by its id."""
    source = SAMPLES / "rev026-main.db"
    if not source.exists():
        pytest.skip(f"{source.name} is not beside this checkout")
    path = Path(shutil.copy(source, tmp_path_factory.mktemp("main") / "main.db"))
    stored = {row["run_id"]: row for row in rows_of(path, "SELECT * FROM runs")}
    async with SQLiteRunBrowser(path) as reading:
        page = await reading.runs(RunQuery(), limit=100)
        assert {run.key.run_id for run in page.rows} == set(stored)
        yield {
            run.key.run_id: await look(reading, run.key, stored[run.key.run_id])
            for run in page.rows
        }


def one(seen: dict[str, Seen], start: str) -> Seen:
    (found,) = [run for run_id, run in seen.items() if run_id.startswith(start)]
    return found


def test_headers_say_graph_and_status(seen: dict[str, Seen]) -> None:
    for run in seen.values():
        assert run.row["graph_version_ref"] in run.header
        assert run.row["status"] in run.header
        submitted = run.column("submitted_by")
        assert submitted is None or f"by {submitted['subject']}" in run.header


def test_every_history_entry_is_one_step_with_its_node_and_status(seen: dict[str, Seen]) -> None:
    for run in seen.values():
        told = Counter(
            (entry["node_id"], entry["status"]) for entry in run.column("execution_history")
        )
        ours = Counter((step.node_id, step.status) for step in run.steps if step.index >= 0)
        assert ours == told
        drawn = {row.item.index for row in run.timeline if isinstance(row.item, StepItem)}
        assert drawn == {step.index for step in run.steps}


def test_every_decision_is_shown_as_taken_or_with_the_reason(seen: dict[str, Seen]) -> None:
    for run in seen.values():
        told = [(one["condition_id"], one) for one in run.column("condition_results")]
        for name, result in told:
            why = result["details"].get("suppression_reason")
            taken = result["matched"] and why is None
            target = result["details"]["target_node_id"]
            assert f"{'◆' if taken else '◇'} {name} -> {target}" in run.conditions
        marks = Counter(line.split()[0] for line in run.conditions.split("\n") if " -> " in line)
        assert marks["◆"] <= sum(bool(result["matched"]) for _, result in told)
        assert marks["◆"] + marks["◇"] <= len(told)


def test_failures_say_the_stored_reason_and_message(seen: dict[str, Seen]) -> None:
    for run in seen.values():
        failure = run.column("failure_state")
        if failure is None:
            assert "has not failed" in run.failure
        else:
            assert f"reason      {failure['reason']}" in run.failure
            first_line = failure["message"].split("\n")[0]
            assert f"message     {first_line}" in run.failure


def test_children_hang_under_the_node_that_started_them(seen: dict[str, Seen]) -> None:
    told = {}
    for run_id, run in seen.items():
        metadata = run.column("metadata")
        if parent := metadata.get("parent_run_id"):
            told[run_id] = (parent, metadata["parent_node_id"])
    ours = {
        child.key.run_id: (run_id, step.node_id)
        for run_id, run in seen.items()
        for step in run.steps
        for child in step.children
    }
    assert ours == told
    links = {
        row.item.key.run_id
        for run in seen.values()
        for row in run.timeline
        if isinstance(row.item, RunItem)
    }
    assert links == set(told)


def test_an_edge_whose_visits_are_used_up_matched_and_was_not_taken(seen: dict[str, Seen]) -> None:
    run = one(seen, "a70e8590")
    last = run.column("condition_results")[-2:]
    assert [(r["condition_id"], r["matched"]) for r in last] == [
        ("e-again", True),
        ("e-pub", False),
    ]
    assert last[0]["details"]["suppression_reason"] == "visit_limit"
    heading, *after = run.conditions.split("\n")[-5:]
    assert heading == "critique #4  2 edges, 0 taken"
    assert after[0].startswith("  ◇ e-again -> draft  not taken: visit limit reached")
    assert after[1].endswith("payload.quality < 3  true  matched yes")


def test_a_replayed_run_keeps_the_failure_before_its_second_visit(seen: dict[str, Seen]) -> None:
    run = one(seen, "e38f1423")
    told = [(e["node_id"], e["status"]) for e in run.column("execution_history")]
    assert told[2:] == [("load", "failed"), ("load", "completed")]
    shown = [line.split()[:2] for line in run.lines if line[:1] in "✔✖"]
    assert shown == [["✔", "extract"], ["✔", "transform"], ["✖", "load"], ["✔", "load"]]
    assert any(line.startswith("✔ load #2") for line in run.lines)


def test_a_branch_that_failed_is_told_apart_from_its_siblings(seen: dict[str, Seen]) -> None:
    run = one(seen, "08c160d6")
    told = {
        entry["audit_ref"].split(":")[2]: entry["status"]
        for entry in run.column("execution_history")
        if ":branch:" in entry["audit_ref"]
    }
    assert told == {"0": "completed", "1": "failed", "2": "completed"}
    branches = {step.branch: step.status for step in run.steps if step.branch is not None}
    assert branches == told
    assert {line.split()[1]: line[0] for line in run.lines if "work[" in line} == {
        "work[0]": "✔",
        "work[1]": "✖",
        "work[2]": "✔",
    }
    # Zeroth evaluates the edge before and after a fan-out, and records it both times.
    assert [r["condition_id"] for r in run.column("condition_results")] == ["f1", "f1", "f2"]
    assert "split  1 edge, 1 taken\n  ◆ f1 -> work  taken  recorded 2 times" in run.conditions


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("bec688b6", "approved by rev.iewer"),
        ("f74aaa51", "edited and approved by rev.iewer"),
        ("0ea5884f", "rejected by rev.iewer"),
        ("4d7452f3", "waits for approval d0345e50"),
    ],
)
def test_an_approval_says_who_decided_what(seen: dict[str, Seen], run: str, said: str) -> None:
    lines = one(seen, run).lines
    (at,) = [at for at, line in enumerate(lines) if line[1:].startswith(" approval")]
    assert lines[at + 1].strip() == said


def test_a_rejection_says_who_rejected_in_the_failure(seen: dict[str, Seen]) -> None:
    assert "rejected    approval: rejected by rev.iewer" in one(seen, "0ea5884f").failure


def test_a_parent_waits_for_its_child_and_not_for_an_approval_of_its_own(
    seen: dict[str, Seen],
) -> None:
    run = one(seen, "ca8dc962")
    assert run.row["status"] == "WAITING_APPROVAL"
    assert any(line.strip() == "waits for its child run" for line in run.lines)
    assert "Waits for its child run f56239b7" in run.failure


def test_what_retention_erased_is_said_and_the_audits_remain(seen: dict[str, Seen]) -> None:
    run = one(seen, "ac3595f6")
    assert run.column("execution_history") == []
    assert "erased by retention" in run.header
    assert "Retention erased this run's decisions." in run.conditions
    assert [step.node_id for step in run.steps] == ["extract", "transform", "load"]
    assert {step.origin for step in run.steps} == {"audit"}
