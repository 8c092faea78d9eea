"""Time zones by name; in that of this machine every moment has the offset that was valid then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo


class LocalZone(tzinfo):
    """Asks the system for each moment, so that summer and winter stand beside each other."""

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        """Return how far local time is ahead of UTC at a moment."""
        return None if dt is None else _fixed(dt).utcoffset()

    def tzname(self, dt: datetime | None) -> str | None:
        """Return what local time is called at a moment."""
        return None if dt is None else _fixed(dt).tzname()

    def dst(self, _dt: datetime | None) -> timedelta | None:
        """Return nothing: how much of the offset is summer time, the system does not tell."""
        return None

    def fromutc(self, dt: datetime) -> datetime:
        """Return the local time of a moment. Raises OverflowError where no year has four digits."""
        try:
            fixed = dt.replace(tzinfo=UTC).astimezone()
            local = fixed.replace(tzinfo=None)
            again = local.astimezone().utcoffset() != fixed.utcoffset()  # the hour is there twice
        except (ValueError, OSError) as error:
            raise OverflowError from error
        return local.replace(tzinfo=self, fold=int(again))


def zone_of(name: str) -> tzinfo:
    """Return the time zone of a name; `local` is that of this machine."""
    if name == "UTC":  # which is known without a database of time zones
        return UTC
    if name == "local":
        return LocalZone()

    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


def _fixed(moment: datetime) -> datetime:
    """Return a moment whose zone has the one offset that is valid then."""
    return moment.replace(tzinfo=None).astimezone()
