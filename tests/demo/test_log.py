"""What the demo logs beside its runs: how long nodes took, and what people were asked."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

from tests.demo.stagehands import NOON, Row, rows
from zeroth_store.browse import RunKey
from zeroth_store.past.life import life_of
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_tui.views.steps import steps


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def audits(path: Path) -> dict[str, Row]:
    found = rows(path, "SELECT audit_id, record_json FROM node_audits")
    return {row["audit_id"]: json.loads(row["record_json"]) for row in found}


def test_every_entry_has_its_audit(past: Path, stored: list[Row]) -> None:
    logged = audits(past)
    told = 0
    for run in stored:
        for entry in run["execution_history"]:
            ref = entry["audit_ref"]
            audit = logged[ref if ref.startswith(run["run_id"]) else f"{run['run_id']}:{ref}"]
            assert (audit["node_id"], audit["status"]) == (entry["node_id"], entry["status"])
            # What completed holds its end alone in the history, what failed holds both times.
            assert audit["completed_at"] == (entry["completed_at"] or entry["started_at"])
            assert run["started_at"][:-6] <= audit["started_at"] <= audit["completed_at"]
            told += 1
    assert told == len(logged)


def test_a_node_took_as_long_as_its_story_says(past: Path, stored: list[Row]) -> None:
    # A page of the crawl takes 4 s, from 0.8 to 1.3 times that.
    crawl = next(run for run in stored if run["deployment_ref"] == "site-crawler")
    of_crawl = [a for a in audits(past).values() if a["run_id"] == crawl["run_id"]]
    assert len(of_crawl) > 20
    for audit in of_crawl:
        took = moment(audit["completed_at"]) - moment(audit["started_at"])
        assert timedelta(seconds=3.2) <= took <= timedelta(seconds=5.2)


def test_questions_have_the_answers_that_the_stories_tell(past: Path, stored: list[Row]) -> None:
    ended = {run["run_id"]: run["status"] for run in stored}
    asked = rows(past, "SELECT run_id, status, record_json FROM approvals")
    decided = set()
    for row in asked:
        answer = json.loads(row["record_json"])["resolution"]
        decided.add(None if answer is None else answer["decision"])
        if answer is None:
            assert (row["status"], ended[row["run_id"]]) == ("pending", "WAITING_APPROVAL")
        else:
            assert row["status"] == "resolved"
            expected = "FAILED" if answer["decision"] == "reject" else "COMPLETED"
            assert ended[row["run_id"]] == expected
    assert decided == {None, "approve", "edit_and_approve", "reject"}


async def test_the_explorer_finds_true_times_and_pasts(past: Path, stored: list[Row]) -> None:
    run = next(
        run
        for run in stored
        if run["deployment_ref"] == "refund-desk"
        and run["status"] == "COMPLETED"
        and any(entry["node_id"] == "approval" for entry in run["execution_history"])
    )
    key = RunKey("default", "null", run["run_id"])
    async with SQLiteRunBrowser(past, clock=lambda: NOON) as browser:
        detail, related = await browser.run(key), await browser.related(key)
        assert detail is not None
        assess, approval, _ = steps(detail, related, NOON)
        assert assess.knowledge == "exact"
        assert approval.waited_from is not None
        assert approval.waited_until is not None
        # The reviewer takes 18 s or 26 s, from 0.8 to 1.3 times that.
        waited = approval.waited_until - approval.waited_from
        assert timedelta(seconds=14.4) <= waited <= timedelta(seconds=33.8)
    life = life_of(detail, related)
    assert assess.start is not None
    assert life.status(assess.start) == "RUNNING"
    assert life.status(approval.waited_from) == "WAITING_APPROVAL"
    assert life.status(approval.waited_until - timedelta(seconds=1)) == "WAITING_APPROVAL"
