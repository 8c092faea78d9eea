"""Writing what is on show to new files in the current folder, secrets hidden as on the screen."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from zeroth_tui.copying import CopyingApp
from zeroth_tui.text import line, mask_text
from zeroth_tui.widgets.value_pane import ValuePane


class SavingApp(CopyingApp):
    """Writes a value, or a picture of the screen; in a browser they are downloaded."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+s",
            "screenshot",
            "Screenshot",
            show=False,
            id="app.screenshot",
            tooltip="A picture of the screen, into a file in the current folder",
        ),
    ]

    _clock: Callable[[], datetime]

    @on(ValuePane.SaveWanted)
    def save_value(self, event: ValuePane.SaveWanted) -> None:
        """Write a part of what is stored, and say where it is when that is done."""
        self._save(lambda: mask_text(event.make()), event.name)

    def deliver_screenshot(self, *_: object, **__: object) -> str | None:
        """Write a picture of the screen as SVG; Textual's key and command come here."""
        picture = self.export_screenshot()
        self._save(lambda: picture, "screenshot.svg")
        return None

    @work(group="save")
    async def _save(self, make: Callable[[], str], what: str) -> None:
        text = await asyncio.to_thread(make)
        name = f"zeroth-tui-{self._clock():%Y%m%d-%H%M%S}-{what}"
        if self.is_web:
            self.deliver_text(io.StringIO(text), save_filename=name)
            return
        try:
            path = await asyncio.to_thread(write_new, Path.cwd(), name, text)
        except OSError as error:
            why = f"{name} cannot be written in the current folder: {error.strerror}"
            self.notify(why, severity="error", markup=False)
        else:
            self.notify(
                f"Wrote {line(path.name, 80)} in {line(str(path.parent), 200)}", markup=False
            )


def write_new(folder: Path, name: str, text: str) -> Path:
    """Write a file that was not there, for its owner alone. Returns its path; raises OSError.

    Where the name is taken, a number makes it another one.
    """
    path = folder / name
    for number in count(2):
        with suppress(FileExistsError):
            path.touch(mode=0o600, exist_ok=False)
            break
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
    path.write_text(text, encoding="utf-8")
    return path
