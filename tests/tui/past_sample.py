"""A database with a past, and what the time machine says of it on the screen."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual import events

from tests.store.guests import Guest
from tests.tui.harness import Explorer
from zeroth_tui.widgets.time_bar import TimeBar

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def stamp(second: float, letter: str = "Z") -> str:
    """Return a time as Zeroth writes it: inside JSON with a `Z`."""
    at = datetime(2026, 3, 1, 10, 0, tzinfo=UTC) + timedelta(seconds=second)
    return at.isoformat().replace("+00:00", letter)


def column(second: float) -> str:
    return stamp(second, "+00:00")


def build(path: Path) -> Path:
    """Make a run that works at `plan` from 1 to 3, waits from 4 to 8 and fails at 10, and others.

    `r-early` was over before, `r-late` starts at 60.
    """
    history = [
        {
            "node_id": "plan",
            "status": "completed",
            "started_at": stamp(3.1),
            "audit_ref": "audit:1",
            "input_snapshot": {"q": "what was asked"},
        },
        {
            "node_id": "gate",
            "status": "failed",
            "started_at": stamp(8),
            "completed_at": stamp(9),
            "audit_ref": "audit:2",
        },
    ]
    with Guest(path) as guest:
        guest.run("r-early", started_at=column(-60), updated_at=column(-50), thread_id="t-early")
        guest.run(
            "r-main",
            "FAILED",
            thread_id="t-main",
            started_at=column(0),
            updated_at=column(10),
            execution_history=history,
            error="the model was down",
            failure_state={"reason": "node_execution_failed", "message": "the model was down"},
        )
        guest.run("r-late", started_at=column(60), updated_at=column(70), thread_id="t-late")
        for name, second in (("early", -60), ("main", 0), ("late", 60)):
            guest.thread(f"t-{name}", [f"r-{name}"], created_at=column(second))
        work = {"started_at": stamp(1), "completed_at": stamp(3), "status": "completed"}
        guest.audit("r-main:audit:1", "r-main", work, node_id="plan", created_at=column(3))
        guest.insert(
            "approvals",
            approval_id="ask",
            run_id="r-main",
            node_id="gate",
            status="resolved",
            created_at=column(4),
            updated_at=column(8),
            record_json={"resolution": {"decision": "approve", "resolved_at": stamp(8)}},
        )
    return path


def bar(explorer: Explorer) -> str:
    """Return the two lines of the bar."""
    return "\n".join(explorer.text.splitlines()[1:3])


def title(explorer: Explorer) -> str:
    """Return the line that has the frames' titles."""
    return next(row for row in explorer.text.splitlines() if "╭" in row)


def status(explorer: Explorer) -> str:
    """Return the status of r-main, which the header on the right says."""
    found = re.search(r"g@1  r-main  \S (\w+)", explorer.text)
    return found[1] if found is not None else ""


def is_past(explorer: Explorer) -> bool:
    return bool(explorer.app.screen.query(TimeBar))


async def go_to_main(explorer: Explorer) -> None:
    """Put the cursor on r-main in the list of runs, and open the past at its start."""
    await explorer.filter("r-main")
    await explorer.press("enter", "ctrl+t")
    assert "10:00:00.000 UTC" in bar(explorer)


async def type_moment(explorer: Explorer, text: str) -> None:
    await explorer.press("enter")
    focused = explorer.app.focused
    assert focused is not None
    focused.post_message(events.Paste(text))
    await explorer.press("enter")
