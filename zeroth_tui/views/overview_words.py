"""How an overview speaks of time and money."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import Final

from zeroth_store.browse import RunKey
from zeroth_store.overview import ENOUGH, OverviewQuery, Stretch
from zeroth_tui import format as fmt
from zeroth_tui.text import line
from zeroth_tui.views.overview_table import Figure, Rows, Target

LENGTHS: Final[tuple[timedelta | None, ...]] = (
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(hours=24),
    timedelta(days=7),
    None,
)
"""What can be looked at, from the shortest to all there is."""

_NAMES: Final = ("15 min", "1 h", "6 h", "24 h", "7 days", "all time")
_SECOND: Final = 1_000_000
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def length_words(wanted: OverviewQuery) -> str:
    """Return how much time is looked at."""
    if wanted.length is None:
        return "all time"
    name = dict(zip(LENGTHS, _NAMES, strict=True)).get(wanted.length) or took(
        wanted.length // timedelta(microseconds=1)
    )
    return f"{name} up to the newest run" if wanted.at_newest else f"the last {name}"


def next_length(wanted: OverviewQuery, by: int) -> timedelta | None:
    """Return the next longer or shorter time; the same one where there is none."""
    at = LENGTHS.index(wanted.length) if wanted.length in LENGTHS else 0
    return LENGTHS[max(0, min(at + by, len(LENGTHS) - 1))]


def since_words(stretch: Stretch, zone: tzinfo) -> str:
    """Return from when, and up to when, runs are counted."""
    since = _local(stretch.since, zone)
    words = f"since {_second(since)}"
    if stretch.until is not None:
        until = _local(stretch.until, zone)
        same_day = until.date() == since.date()
        words += f" until {f'{until:%H:%M:%S}' if same_day else _second(until)}"
    return f"{words} {since.tzname()}"


def step_words(step: timedelta) -> str:
    """Return how long a bar is: `30 s`, `2 min`, `1 h`, `28 d`."""
    seconds = int(step.total_seconds())
    units = ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min"))
    unit, name = next((pair for pair in units if seconds % pair[0] == 0), (1, "s"))
    return f"{seconds // unit} {name}"


def took(microseconds: int | None) -> str:
    """Return a length of time."""
    return fmt.duration(None if microseconds is None else microseconds / _SECOND)


def rate(number: int, elapsed: timedelta) -> str:
    """Return how many there were a minute, or an hour or a day where that is less than one."""
    seconds = elapsed.total_seconds()
    if seconds <= 0 or not number:
        return ""
    for unit, name in ((_MINUTE, "min"), (_HOUR, "h"), (_DAY, "d")):
        often = number * unit / seconds
        if often >= 1 or name == "d":
            break
    return f"{often:,.0f}/{name}" if often >= 10 else f"{often:.1f}/{name}"


def failed_words(failed: int, over: int) -> str:
    """Return how many of those that are over failed; a rate only from enough of them on."""
    if over < ENOUGH:
        return f"of {fmt.count(over)} over"
    return f"{100 * failed / over:.1f} % of over"


def opens(figure: Figure | None, key: str) -> str:
    """Return what the key that opens does here, for the line at the bottom; it is clean."""
    target: Target | None = None if figure is None else figure.target
    match target:
        case None:
            return "nothing to open here"
        case Rows():
            return f"{key} opens {fmt.counted(target.number, 'run')}: {line(target.filter)}"
        case RunKey():
            return f"{key} opens the run {line(target.run_id, 80)}"
        case _:
            return f"{key} shows the time up to the newest run"


def _local(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:  # the first and last hours of the calendar exist in some zones only
        return moment


def _second(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(" ", "seconds")
