"""Harlequin, an SQL client in the terminal, showing the runs that the explorer shows.

It is installed into an environment of its own in the cache folder, for the benchmark alone.
"""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

from platformdirs import user_cache_path

from tests.benchmarks.harness import Terminal

QUERY = "select run_id, status, started_at, updated_at, graph_version_ref from runs"
NEWEST = f"{QUERY} order by rowid desc limit 1000"
RUN_QUERY, SHOW_RESULTS = "\n", "\x1b[15~"  # ctrl+j, F5


def installed() -> Path:
    """Return the program; installs it when it is not there yet, which needs the network."""
    folder = user_cache_path("zeroth-tui") / "bench" / "harlequin"
    program = folder / "bin" / "harlequin"
    if not program.exists():
        venv.create(folder, with_pip=True)
        python = str(folder / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", "harlequin"]
        subprocess.run(install, check=True, capture_output=True)
    return program


def show_runs(terminal: Terminal) -> None:
    """Put the cursor on the first of the newest thousand runs."""
    terminal.wait_for("Query Editor", seconds=60)
    terminal.rest()
    terminal.press(NEWEST)
    terminal.wait_for("limit 1000")
    terminal.press(RUN_QUERY)
    terminal.wait_for("1,000 Records")
    terminal.rest()
    terminal.press(SHOW_RESULTS)
    terminal.rest()
