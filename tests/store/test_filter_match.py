"""Which runs a filter wants, each answer worked out by hand: by SQL and by summary together."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from tests.store.filters import NOW, found
from tests.store.guests import Guest


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    guest = Guest(tmp_path / "guest.db")
    yield guest
    guest.connection.close()


def test_words(guest: Guest) -> None:
    guest.run("r-one", thread_id="Support", graph_version_ref="doc@3", deployment_ref="prod-eu")
    guest.run(
        "r-two", "ZOMBIE", thread_id=None, graph_version_ref="triage@1", error="Out of MEMORY"
    )
    failure = {"reason": "policy_violation", "message": "no [tools] today", "details": {}}
    guest.run("r-ünï", "FAILED", thread_id="t", failure_state=failure, error="something else")
    assert found(guest, "R-") == "r-one r-two r-ünï"
    assert found(guest, "support") == "r-one"
    assert found(guest, "DOC@ prod-eu") == "r-one"
    assert found(guest, "doc@ memory") == ""
    assert found(guest, "doc@3,memory") == "r-one r-two"
    assert found(guest, '"of memory"') == "r-two"
    assert found(guest, "zomb") == "r-two"
    assert found(guest, "policy_") == "r-ünï"
    assert found(guest, "[tools]") == "r-ünï"
    assert found(guest, "else") == ""  # the message of the failure is the one that is shown
    assert found(guest, "ünï") == "r-ünï"
    assert found(guest, "ÜNÏ") == ""  # only a to z are the same in both cases
    assert found(guest, "=Support") == "r-one"
    assert found(guest, "=support") == ""
    assert found(guest, "-support") == "r-two r-ünï"  # NULL is not support


def test_keys(guest: Guest) -> None:
    guest.run("a", thread_id="T-1", graph_version_ref="doc@3", current_step="classify")
    guest.run("b", thread_id="t-1 ", graph_version_ref=None, metadata={"parent_run_id": "a"})
    guest.run(
        "c", "FAILED", thread_id="", failure_state={"reason": "dead_letter"},
        metadata={"in_flight_dispatch": {"node_id": "reply"}}, workspace_id="w1",
    )  # fmt: skip
    guest.run("d", "FAILED", current_node_ids=["ingest", "x"], tenant_id="acme", thread_id=None)
    assert found(guest, "thread:t-1") == "a b"
    assert found(guest, "thread:=T-1") == "a"
    assert found(guest, 'thread:="t-1 "') == "b"
    assert found(guest, 'thread:=""') == "c"
    assert found(guest, "thread:(null)") == "d"
    assert found(guest, "-thread:(null)") == "a b c"
    assert found(guest, "graph:DOC") == "a"
    assert found(guest, "-graph:doc") == "b c d"
    assert found(guest, "node:classify") == "a"
    assert found(guest, "node:reply") == "c"
    assert found(guest, "node:ingest") == "d"
    assert found(guest, "node:x") == ""
    assert found(guest, "node:(null)") == "b"
    assert found(guest, "tenant:acme") == "d"
    assert found(guest, "tenant:=default") == "a b c"
    assert found(guest, "workspace:W1") == "c"
    assert found(guest, "workspace:(null)") == "a b d"
    assert found(guest, "workspace:value") == ""
    assert found(guest, "reason:dead") == "c"
    assert found(guest, "-reason:dead") == "a b d"
    assert found(guest, "id:C,D") == "c d"
    assert found(guest, "parent:=a") == "b"
    assert found(guest, "-parent:a") == "a c d"


def test_days_are_those_of_the_reader(guest: Guest) -> None:
    for hour in (0, 8, 14, 15, 23):
        guest.run(f"h{hour}", started_at=f"2026-03-01T{hour:02}:00:00+00:00")
    tokyo = NOW.astimezone(timezone(timedelta(hours=9)))  # the day began at 15:00Z
    assert found(guest, "since:today") == "h0 h8 h14 h15 h23"
    assert found(guest, "since:2026-03-02", tokyo) == "h15 h23"
    assert found(guest, "until:2026-03-01", tokyo) == "h0 h8 h14"
    assert found(guest, "since:today until:today", tokyo) == "h0 h8 h14"
    assert found(guest, "since:2026-03-02T08:00", tokyo) == "h23"
    assert found(guest, "since:4h") == "h8 h14 h15 h23"  # from 12:00Z on back to 08:00Z
    assert found(guest, "until:4h") == "h0"


def test_durations(guest: Guest) -> None:
    start = "2026-03-01T10:00:00+00:00"
    guest.run("9s", started_at=start, updated_at="2026-03-01T10:00:09+00:00")
    guest.run("9.000001s", started_at=start, updated_at="2026-03-01T11:00:09.000001+01:00")
    guest.run("back", started_at=start, updated_at="2026-03-01T09:59:59+00:00")
    guest.run("2h", "RUNNING", started_at=start, updated_at="garbage")  # until NOW
    guest.run("odd", "ZOMBIE", started_at=start, updated_at=None)
    guest.run("none", started_at="garbage")
    assert found(guest, "duration:>=9s") == "9s 9.000001s 2h"
    assert found(guest, "duration:>9s") == "9.000001s 2h"
    assert found(guest, "duration:<9s") == "back"
    assert found(guest, "duration:9s..9s") == "9s"
    assert found(guest, "duration:<1s,>1h") == "back 2h"
    assert found(guest, "duration:2h..") == "2h"
    assert found(guest, "-duration:>=0s") == "back odd none"


def test_costs(guest: Guest) -> None:
    guest.run("measured", metadata={"total_cost_usd": 0.1})
    guest.run("both", metadata={"total_cost_usd": 0.1, "total_estimated_cost_usd": 2})
    guest.run("free", metadata={"total_cost_usd": 0})
    guest.run("nan", metadata='{"total_cost_usd":3,"x":NaN}')
    guest.run("infinite", metadata='{"total_cost_usd":1e999}')
    guest.run("text", metadata={"total_cost_usd": "5"})
    guest.run("none", metadata={})
    guest.run("broken", metadata="{")
    assert found(guest, "cost:>0.1") == "both nan"
    assert found(guest, "cost:>=0.1") == "measured both nan"
    assert found(guest, "cost:<=0") == "free"
    assert found(guest, "cost:2..2.5") == "both"
    assert found(guest, "-cost:>=0") == "infinite text none broken"


def test_conditions(guest: Guest) -> None:
    past, future = "2026-03-01T11:59:59+00:00", "2026-03-01T21:00:01+09:00"
    guest.run("done", token_snapshot_write_disabled=1)
    guest.run("dead", "FAILED", failure_state={"reason": "dead_letter"})
    guest.run("waits", "WAITING_APPROVAL")
    guest.run("interrupted", "WAITING_INTERRUPT")
    guest.run("queued", "PENDING")
    guest.run("claimed", "PENDING", lease_worker_id="w", lease_expires_at=future)
    guest.run("held", "RUNNING", lease_worker_id="w", lease_expires_at=future)
    guest.run("expired", "RUNNING", lease_worker_id="w", lease_expires_at=past)
    guest.run("unreadable", "RUNNING", lease_worker_id="w", lease_expires_at="soon")
    guest.run("free", "RUNNING")
    guest.run("driven", "RUNNING", metadata={"parent_run_id": "held"})
    guest.run("orphan", "RUNNING", metadata={"parent_run_id": "done"})
    guest.run("elsewhere", "RUNNING", metadata={"parent_run_id": "held"}, workspace_id="other")
    assert found(guest, "is:failed") == "dead"
    assert found(guest, "is:dead-letter") == "dead"
    assert found(guest, "is:waiting") == "waits interrupted"
    assert found(guest, "-is:live") == "done dead"
    assert found(guest, "is:stuck") == "waits interrupted claimed expired free orphan elsewhere"
    assert found(guest, "-is:stuck is:live") == "queued held unreadable driven"
    assert found(guest, "is:child") == "driven orphan elsewhere"
    assert found(guest, "is:parent") == "done held"
    assert found(guest, "-is:parent is:live -is:waiting status:run") == (
        "expired unreadable free driven orphan elsewhere"
    )
    assert found(guest, "is:erased") == "done"
    assert found(guest, "is:erased,dead-letter") == "done dead"
