"""Lets `python -m zeroth_tui` do what the `zeroth-tui` command does."""

import sys

from zeroth_tui.cli import main

sys.exit(main())
