"""How statuses look, and which one stands for several runs."""

from __future__ import annotations

import pytest

from zeroth_store.status import RunStatus
from zeroth_tui.status import Look, by_urgency, is_live, look
from zeroth_tui.text import cells


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("PENDING", Look("○", "PENDING", "pending")),
        ("RUNNING", Look("▶", "RUNNING", "running")),
        ("WAITING_APPROVAL", Look("◷", "WAITING_APPROVAL", "waiting")),
        ("WAITING_INTERRUPT", Look("‖", "WAITING_INTERRUPT", "waiting")),
        ("COMPLETED", Look("✔", "COMPLETED", "ok")),
        ("FAILED", Look("✖", "FAILED", "error")),
        (" RUNNING", Look("?", " RUNNING", "unknown")),
        ("failed", Look("?", "failed", "unknown")),
        ("FAILED\0", Look("?", "FAILED␀", "unknown")),
        ("FAILED\rCOMPLETED", Look("?", "FAILED␍COMPLETED", "unknown")),
        ("", Look("?", "(empty)", "unknown")),
        (None, Look("?", "(null)", "unknown")),
    ],
)
def test_look(stored: str | None, expected: Look) -> None:
    assert look(stored) == expected


def test_every_known_status_has_a_glyph_of_its_own_in_one_cell() -> None:
    glyphs = {look(status).glyph for status in RunStatus}
    assert len(glyphs) == len(RunStatus)
    assert {cells(glyph) for glyph in glyphs} == {1}


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["COMPLETED", "FAILED", "RUNNING"], "FAILED"),
        (["COMPLETED", "RUNNING", "WAITING_APPROVAL"], "WAITING_APPROVAL"),
        (["RUNNING", "WAITING_INTERRUPT"], "WAITING_INTERRUPT"),
        (["PENDING", "RUNNING"], "RUNNING"),
        (["odd", "PENDING"], "PENDING"),
        (["COMPLETED", "odd"], "odd"),
        (["COMPLETED", None], None),
        (["COMPLETED", "COMPLETED"], "COMPLETED"),
    ],
)
def test_the_first_by_urgency(statuses: list[str | None], expected: str | None) -> None:
    assert by_urgency(statuses)[0] == expected


@pytest.mark.parametrize("status", ["PENDING", "RUNNING", "WAITING_APPROVAL", "WAITING_INTERRUPT"])
def test_runs_that_are_not_over(status: str) -> None:
    assert is_live(status)


@pytest.mark.parametrize("status", ["COMPLETED", "FAILED", "odd", "", None])
def test_runs_that_are_over_or_unknown(status: str | None) -> None:
    assert not is_live(status)
