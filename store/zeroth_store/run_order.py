"""What run lists are sorted by."""

from __future__ import annotations

from typing import Literal

import msgspec

OrderBy = Literal["created", "started", "updated", "duration", "status", "graph", "cost"]
"""What a run list can be sorted by."""


class RunOrder(msgspec.Struct, frozen=True):
    """What a run list is sorted by; of two runs with the same value the newer one comes first."""

    by: OrderBy = "created"
    """The duration of a run that is not over is the time since it started."""
    descending: bool = True
    """Runs without the value come last either way; ascending, the older of two comes first."""
