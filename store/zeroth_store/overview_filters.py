"""The filters that show exactly the runs which a figure of an overview counts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from zeroth_store.filters import Filter, RangeTerm, StateTerm, Term, TextTerm, TextValue, TimeTerm
from zeroth_store.filters.terms import Clock, Range
from zeroth_store.overview import Stretch
from zeroth_store.status import RunStatus

FAILED: Final = StateTerm(("failed",))
"""Runs that failed."""

OVER: Final = StateTerm(("live",), negated=True)
"""Runs that are over, one way or the other."""

PAID: Final = RangeTerm("cost", (Range(low=0.0),))
"""Runs with a cost."""

TIMED: Final = RangeTerm("duration", (Range(low=0),))
"""Runs with a duration."""

WAITING: Final = Filter(
    (TextTerm("status", (TextValue(RunStatus.WAITING_APPROVAL.value, exact=True),)),)
)
"""Runs that wait for an approval."""

STUCK: Final = Filter((StateTerm(("stuck",)),))
"""Runs that nobody will take further by themselves."""

UNDATED: Final = Filter((TimeTerm("since", (Clock(datetime(1, 1, 1, tzinfo=UTC)),), negated=True),))
"""Runs without a start that can be read."""


def started_in(stretch: Stretch, *terms: Term) -> Filter:
    """Return the filter for the runs of a stretch of time for which some more terms hold."""
    times: list[Term] = [TimeTerm("since", (Clock(stretch.since),))]
    if stretch.until is not None:
        times.append(TimeTerm("until", (Clock(stretch.until),)))
    return Filter((*terms, *times))


def of_status(status: str | None) -> Term:
    """Return the term for one stored status."""
    return TextTerm("status", (TextValue(status, exact=True),))


def of_graph(graph: str | None) -> Term:
    """Return the term for one graph version."""
    return TextTerm("graph", (TextValue(graph, exact=True),))


def at_least(microseconds: int) -> Term:
    """Return the term for runs that took so long or longer."""
    return RangeTerm("duration", (Range(low=microseconds),))
