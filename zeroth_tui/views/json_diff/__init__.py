"""The difference between two JSON texts; see `diff` and `diff_rows`."""

from zeroth_tui.views.json_diff.compare import Change, Kind, diff
from zeroth_tui.views.json_diff.rows import diff_rows

__all__ = ["Change", "Kind", "diff", "diff_rows"]
