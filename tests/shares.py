"""How much of its profile a property may take: what is slow to try is tried less often."""

from __future__ import annotations

from hypothesis import settings


def share(part: int) -> settings:
    """Return settings that try one in `part` of the examples that the profile names."""
    examples = settings().max_examples // part
    return settings(max_examples=max(1, examples), deadline=None)
