"""What the explorer costs while nothing happens."""

from __future__ import annotations

from collections.abc import Iterator

from tests.benchmarks.harness import Terminal
from tests.benchmarks.report import Row
from tests.benchmarks.setting import ZEROTH_TUI, Setting

SECONDS = 10


def rows(setting: Setting) -> Iterator[Row]:
    """Count the bytes written to the terminal once the first screen stands, and the CPU used."""
    with Terminal([ZEROTH_TUI, setting.database], setting.home) as terminal:
        terminal.wait_for(setting.marker)
        terminal.settle()
        before = terminal.cpu()
        written = terminal.bytes_in(SECONDS)
        used = terminal.cpu() - before
    yield Row(
        target=f"idle, bytes to the terminal in {SECONDS} s",
        bound=0,
        unit="bytes",
        measured=written,
    )
    yield Row(
        target=f"idle, CPU in {SECONDS} s",
        bound=1,
        unit="%",
        measured=used / SECONDS / 10,
        detail=f"{used:.0f} ms CPU",
    )
