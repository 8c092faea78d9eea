"""The person's terminal: it may vanish at any moment, and any byte may be typed into it."""

from __future__ import annotations

import os
import selectors
import sys
from codecs import getincrementaldecoder
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from zeroth_tui.leaving import HUNG_UP
from zeroth_tui.pasting import LONGEST, Pasted, PasteSplitter

if TYPE_CHECKING:
    from textual.app import App

_LOOK_SECONDS: Final = 0.1
_READ_BYTES: Final = 4096


class TerminalDriver(LinuxDriver):
    """Textual's driver, which leaves the app when its terminal has gone."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        if sys.__stderr__ is not None:
            # Who writes must not die: the app would wait for ever to hand over what comes next.
            self._file = cast("Any", _Output(sys.__stderr__))

    def run_input_thread(self) -> None:
        """Turn what is typed into events until the app leaves; bytes that are no UTF-8 are U+FFFD.

        A read that fails or finds the end means that the terminal is gone.
        """
        parser = XTermParser(self._debug)
        pastes = PasteSplitter()
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as ready:
            ready.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if ready.select(_LOOK_SECONDS):
                    typed = self._read()
                    if not typed:
                        self._app.call_later(self._app.exit, None, HUNG_UP)
                        return
                    for part in pastes.feed(decode(typed)):
                        self._take(part, parser)
                for message in parser.tick():
                    self.process_message(message)

    def _take(self, part: str | Pasted, parser: XTermParser) -> None:
        """Hand on keys, or a paste as one event."""
        if isinstance(part, str):
            for message in parser.feed(part):
                self.process_message(message)
            return
        self.process_message(events.Paste(part.text))
        if part.cut:
            words = f"Only the first {LONGEST:,} characters were pasted"
            self._app.call_later(partial(self._app.notify, words, markup=False))

    def _disable_mouse_support(self) -> None:
        super()._disable_mouse_support()
        if self._mouse_pixels:
            self.write("\x1b[?1016l")  # Textual sets this mode and leaves it set

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:  # whatever it is, without this thread no key arrives any more
            self._app.call_later(self._app._handle_exception, error)

    def _read(self) -> bytes:
        with suppress(OSError):
            return os.read(self.fileno, _READ_BYTES)
        return b""


class _Output:
    """Writes to a terminal at once, and drops what a terminal that is gone would have shown."""

    def __init__(self, file: TextIO) -> None:
        self._number = file.fileno()
        self._encoding = file.encoding

    def write(self, text: str) -> None:
        """Write, or drop it."""
        left = text.encode(self._encoding, "backslashreplace")
        with suppress(OSError):
            while left:
                left = left[os.write(self._number, left) :]

    def flush(self) -> None:
        """Do nothing: nothing is held back."""

    def fileno(self) -> int:
        """Return the terminal's number."""
        return self._number
