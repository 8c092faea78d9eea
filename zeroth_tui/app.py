"""The application: one explorer screen over the database it is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from rich.console import RenderableType
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from textual.theme import Theme
from textual.types import CSSPathType
from textual.worker import WorkerFailed

from zeroth_store.actions import RunActor
from zeroth_store.browse import RunBrowser
from zeroth_store.local_zone import zone_of
from zeroth_tui.leaving import INTERRUPTED
from zeroth_tui.plain import PLAIN
from zeroth_tui.saving import SavingApp
from zeroth_tui.screens.command_palette import HarmlessPalette
from zeroth_tui.screens.explorer import ExplorerScreen
from zeroth_tui.screens.opening import Opening
from zeroth_tui.settings import Settings
from zeroth_tui.terminal import TerminalDriver
from zeroth_tui.themes import THEME_NAMES, themes


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class ExplorerApp(SavingApp):
    """Explores one run database; the caller opens and closes it."""

    # Textual loads the styles of screens that are pushed, not those of the first one.
    CSS_PATH: ClassVar[CSSPathType | None] = ["app.tcss", "screens/explorer.tcss"]
    NOTIFICATION_TIMEOUT = 6
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Quit", show=False, system=True, id="app.interrupt"),
        Binding("T", "next_theme", "Theme", show=False, id="app.theme", tooltip="The next look"),
    ]

    def __init__(
        self,
        browser: RunBrowser,
        *,
        name: str,
        actor: RunActor | None = None,
        journal: Path | None = None,
        settings: Settings | None = None,
        opening: Opening | None = None,
        clock: Callable[[], datetime] = utc_now,
        zone: tzinfo | None = None,
    ) -> None:
        """Explore what `browser` reads under the title `name`, at first what `opening` asks for.

        Without an `actor` the app cannot change anything; what is done to runs goes into the file
        `journal`. Times are shown in `zone`, by default that of the settings; without `settings`
        the theme is Textual's own.
        """
        # With NO_COLOR Textual draws in shades of grey, which are colours, unless told this.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for known in themes():
            self.register_theme(known)
        self._browser = browser
        self._database = name
        self._actor = actor
        self._journal = journal
        self._clock = clock
        self._settings = chosen = settings or Settings()
        self._opening = msgspec.structs.replace(
            opening or Opening(), refresh=chosen.refresh, columns=chosen.columns
        )
        self._zone = zone or zone_of(chosen.time_zone)
        if settings is not None:
            self.theme = chosen.theme

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

    def on_mount(self) -> None:
        """Take the person's keys, and do without what only eyes can follow where that is asked."""
        self.set_keymap(dict(self._settings.keymap))
        self.theme_changed_signal.subscribe(self, self._take_theme)
        self._take_theme(self.current_theme)
        if self._settings.plain:
            self.add_class(PLAIN)
            self.animation_level = "none"

    def _take_theme(self, theme: Theme) -> None:
        """Let words in frames be as readable as all others, where the theme is one of ours."""
        self.set_class(theme.name in THEME_NAMES, "-readable")

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer Textual's own commands, but for its panel of keys: `?` shows all of them."""
        return (own for own in super().get_system_commands(screen) if own.title != "Keys")

    def action_command_palette(self) -> None:
        """Find a command, a run or a thread by typing."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(HarmlessPalette(id="--command-palette"))

    def action_next_theme(self) -> None:
        """Show the next of our own looks; another one is followed by the first."""
        at = THEME_NAMES.index(self.theme) + 1 if self.theme in THEME_NAMES else 0
        self.theme = THEME_NAMES[at % len(THEME_NAMES)]
        self.notify(f"Theme {self.theme}", markup=False)

    def exit(
        self,
        result: None = None,
        return_code: int = 0,
        message: RenderableType | None = None,
    ) -> None:
        """Leave; what is still being read would find the screen's parts gone."""
        self.workers.cancel_all()
        super().exit(result, return_code, message)

    def action_interrupt(self) -> None:
        """Leave as any program does on ctrl+c; where text is selected, that key copies it."""
        self.exit(return_code=INTERRUPTED)

    def get_driver_class(self) -> type[Driver]:
        """Draw on a terminal that may vanish, unless another driver is asked for."""
        chosen = super().get_driver_class()
        return TerminalDriver if chosen is LinuxDriver else chosen

    @property
    def mistake(self) -> BaseException | None:
        """What the app was left for, when that was an error nobody had foreseen."""
        error = self._exception
        return error.error if isinstance(error, WorkerFailed) else error

    def panic(self, *_: RenderableType) -> None:
        """Leave without printing: who runs the app reports `mistake`."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        """Leave; Textual's own report would print local variables, and with them what is stored."""
        self._close_messages_no_wait()
