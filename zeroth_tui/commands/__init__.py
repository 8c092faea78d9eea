"""The commands of the command line: each module has a `parser()` and `run(words)`.

Imports stay inside the functions that need them, so that `--help` and `info` start at once.
"""

from __future__ import annotations

from typing import Final

EXPLORE: Final = "explore"
"""The command that is meant where none is named."""

COMMANDS: Final = (EXPLORE, "info", "check", "config", "demo", "serve", "completion", "man")
"""Each a module here, with the one first that needs no name."""
