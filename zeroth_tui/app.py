"""The application: one explorer screen over the database it is given."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.types import CSSPathType

from zeroth_store.actions import RunActor
from zeroth_store.browse import RunBrowser
from zeroth_tui.screens.explorer import ExplorerScreen
from zeroth_tui.screens.opening import Opening


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class ExplorerApp(App[None]):
    """Explores one run database; the caller opens and closes it."""

    # Textual loads the styles of screens that are pushed, not those of the first one.
    CSS_PATH: ClassVar[CSSPathType | None] = ["app.tcss", "screens/explorer.tcss"]
    NOTIFICATION_TIMEOUT = 6

    def __init__(
        self,
        browser: RunBrowser,
        *,
        name: str,
        actor: RunActor | None = None,
        journal: Path | None = None,
        theme: str | None = None,
        opening: Opening | None = None,
        clock: Callable[[], datetime] = utc_now,
        zone: tzinfo | None = None,
    ) -> None:
        """Explore what `browser` reads under the title `name`, at first what `opening` asks for.

        Without an `actor` the app cannot change anything; what is done to runs goes into the file
        `journal`. Times are shown in `zone`, by default the local one.
        """
        super().__init__()
        self._browser = browser
        self._database = name
        self._actor = actor
        self._journal = journal
        self._opening = opening or Opening()
        self._clock = clock
        self._zone = zone or local_zone(clock)
        if theme is not None:
            self.theme = theme

    def get_default_screen(self) -> ExplorerScreen:
        """Open the explorer."""
        return ExplorerScreen(
            self._browser,
            name=self._database,
            actor=self._actor,
            journal=self._journal,
            opening=self._opening,
            clock=self._clock,
            zone=self._zone,
        )


def local_zone(clock: Callable[[], datetime]) -> tzinfo:
    """Return the time zone of this machine."""
    return clock().astimezone().tzinfo or UTC
