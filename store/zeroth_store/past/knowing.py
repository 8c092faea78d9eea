"""Whether something stored had happened at a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from zeroth_store.times import NO_MOMENT, Moment

T = TypeVar("T")


def after(then: Moment, at: datetime) -> bool:
    """Whether a time is known to lie after a moment."""
    return then.instant is not None and then.instant > at


def moment_of(instant: datetime | None) -> Moment:
    """Return an instant that was worked out as if it were stored."""
    return NO_MOMENT if instant is None else Moment(instant, instant.isoformat())


def until(items: Iterable[T], time_of: Callable[[T], Moment], at: datetime) -> tuple[T, ...]:
    """Return what had been appended to a list at a moment.

    An item without a readable time was appended no earlier than the items before it.
    """
    kept: list[T] = []
    latest: datetime | None = None
    for item in items:
        own = time_of(item).instant
        if own is not None:
            latest = own if latest is None else max(latest, own)
        known = own or latest
        if known is None or known <= at:
            kept.append(item)
    return tuple(kept)
