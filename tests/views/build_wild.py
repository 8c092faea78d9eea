"""Any history a database may hold, for property tests: years 1 to 9999, reversed, missing."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from tests.views.build import at, detail, entry, summary
from zeroth_store.browse import HistoryEntry, RunDetail

Span = tuple[datetime | None, datetime | None, str]

wild = st.datetimes(
    min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31), timezones=st.just(UTC)
)
near = st.integers(-1000, 4000).map(at)
times = st.none() | near | wild
histories = st.lists(
    st.tuples(times, times, st.sampled_from(["completed", "failed", "started"])), max_size=6
)


def run_of(spans: list[Span], status: str) -> RunDetail:
    history: list[HistoryEntry] = [
        entry(i, f"n{i % 2}", a, b, status=word) for i, (a, b, word) in enumerate(spans)
    ]
    return detail(history, run=summary(status))
