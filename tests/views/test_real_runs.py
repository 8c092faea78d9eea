"""All run views over every run of databases that Zeroth itself wrote."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.views.build import words
from zeroth_store.browse import RunBrowser, RunKey, RunQuery
from zeroth_tui import text
from zeroth_tui.line import Row
from zeroth_tui.views.checkpoints import checkpoint_rows
from zeroth_tui.views.conditions import condition_rows
from zeroth_tui.views.failure import failure_rows
from zeroth_tui.views.header import header_rows
from zeroth_tui.views.steps import steps
from zeroth_tui.views.timeline_rows import timeline_rows

SAMPLES = Path(__file__).parents[2].parent / "shared" / "data" / "zeroth"
NOW = datetime(2026, 11, 29, 16, 0, tzinfo=UTC)
"""After everything that the sample databases hold."""

browser = pytest.importorskip("zeroth_store.sqlite.browser", reason="no browser to read with")


async def rows_of(reading: RunBrowser, key: RunKey, width: int) -> list[Row]:
    run, related = await reading.run(key), await reading.related(key)
    assert run is not None
    found = steps(run, related, NOW)
    return [
        *header_rows(run, related, NOW, UTC, width),
        *timeline_rows(run, related, found, width, NOW),
        *condition_rows(run, found, width),
        *failure_rows(run, related, found, width, NOW, UTC),
        *checkpoint_rows(await reading.checkpoints(key), NOW, UTC, width),
    ]


@pytest.mark.parametrize(("name", "count"), [("rev026-main.db", 49), ("rev026-edges.db", 21)])
async def test_every_run_can_be_shown(name: str, count: int, tmp_path: Path) -> None:
    source = SAMPLES / name
    if not source.exists():
        pytest.skip(f"{name} is not beside this checkout")
    shutil.copy(source, tmp_path / name)
    async with browser.SQLiteRunBrowser(tmp_path / name) as reading:
        page = await reading.runs(RunQuery(), limit=100)
        assert len(page.rows) == count
        for summary in page.rows:
            for width in (40, 120):
                rows = await rows_of(reading, summary.key, width)
                assert len(rows) >= 4
                lines = [words(row.line) for row in rows]
                assert all(text.cells(line) <= width for line in lines)
                assert all(line.isprintable() for line in lines)
