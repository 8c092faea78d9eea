"""Starts zeroth-tui as `nohup` does: the signal that says the terminal is gone is ignored."""

from __future__ import annotations

import signal
import sys

from zeroth_tui.cli import main

if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    sys.exit(main())
