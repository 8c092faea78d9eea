"""Driving the dialog that acts on runs: keys in, text of the screen and writes out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from textual.app import App

from tests.tui.driver import Driver
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Fields, Offer, Standing, Write
from zeroth_store.summaries import RunKey
from zeroth_tui.screens.act_dialog import ActDialog
from zeroth_tui.views.act_choices import Candidate, Choice

NARROW, WIDE = (80, 24), (160, 45)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RUN = "81bc02e4-5e5f-4c0f-9a58-08b5d6c3f1aa"
# The order of an own database's offers while a run is RUNNING, which is left out itself.
PENDING, APPROVAL, INTERRUPT, COMPLETED, FAILED = "1", "2", "3", "4", "5"


def candidate(run_id: str = RUN, status: str = "RUNNING", **changes: Any) -> Candidate:
    standing = Standing(**{"kind": "own", "status": status, **changes})
    return Candidate(RunKey("default", "null", run_id), standing, offers(standing, NOW))


def planned(offer: Offer, key: RunKey, standing: Standing, fields: Fields) -> Write:
    return plan(offer, key, standing, fields, NOW)


def failed(*, reason: str = "operator_cancelled", message: str = "cancelled by operator") -> Any:
    """The columns of a move to FAILED as ZEROTH.md spells them."""
    state = f'{{"details":{{}},"message":"{message}","reason":"{reason}"}}'
    return {"status": "FAILED", "error": message, "failure_state": state}


class Dialog(Driver):
    """The dialog open over an empty application."""

    def __init__(self, runs: Sequence[Candidate], only: Choice | None) -> None:
        self.app = App()
        self.screen = ActDialog(runs, planned, only=only)
        self.returned: list[tuple[Write, ...] | None] = []

    async def type(self, field: str, text: str) -> None:
        """Type into a field, then leave it with Enter, which goes to Cancel."""
        self.screen.query_one(f"#act-{field}").focus()
        await self.press(*text, "enter")

    @property
    def focused(self) -> str | None:
        focused = self.app.screen.focused
        return None if focused is None else focused.id

    @property
    def written(self) -> tuple[Write, ...]:
        """The writes that were confirmed."""
        [writes] = self.returned
        assert writes is not None
        return writes


@asynccontextmanager
async def dialog(
    *runs: Candidate, size: tuple[int, int] = NARROW, only: Choice | None = None
) -> AsyncIterator[Dialog]:
    opened = Dialog(runs or (candidate(),), only)
    async with opened.app.run_test(size=size, notifications=True) as pilot:
        opened.pilot = pilot
        await opened.app.push_screen(opened.screen, opened.returned.append)
        await pilot.pause()
        await pilot.pause()
        yield opened
