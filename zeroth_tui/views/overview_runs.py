"""The overview's left half: runs by status over time, and the runs that need a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from typing import Final

from zeroth_store.browse import RunOrder, RunSummary
from zeroth_store.filters import Filter
from zeroth_store.overview import Attention, Overview, StatusFigures, Stretch
from zeroth_store.overview_filters import OVER, STUCK, UNDATED, WAITING, of_status, started_in
from zeroth_store.status import RunStatus
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece
from zeroth_tui.status import by_urgency, look
from zeroth_tui.views.overview_table import Entry, Figure, Section, counted, label_width
from zeroth_tui.views.overview_words import failed_words, rate, since_words, step_words
from zeroth_tui.views.run_cells import SHORT_WORDS
from zeroth_tui.views.short_ids import ShortIds
from zeroth_tui.views.sparkline import sparkline
from zeroth_tui.views.stuck import stuck_words

_COLUMNS: Final = (8, 15)
_NAME: Final = 14
_MAX: Final = 11
_MOST_STATUSES: Final = 12
_ALONE: Final = RunOrder("updated", descending=False)
"""Those left alone longest, first."""


def left_half(overview: Overview, now: datetime, zone: tzinfo, width: int) -> tuple[Section, ...]:
    """Return runs by status, those that wait for approval, and those that are stuck."""
    if overview.newest is None and not overview.undated:
        return (_empty(),)
    waiting = _attention(
        "Waiting for approval", "waiting", overview.waiting, WAITING, now, lambda _: ""
    )
    stuck = _attention(
        "Stuck", "stuck", overview.stuck, STUCK, now, lambda run: stuck_words(run, now) or ""
    )
    return (_runs(overview, now, zone, width), waiting, stuck)


def _empty() -> Section:
    words = ("This database holds no runs yet.", "They are counted here as soon as they start.")
    return Section(tuple(Entry(None, (Piece(f" {part}", "muted"),)) for part in words))


def _runs(overview: Overview, now: datetime, zone: tzinfo, width: int) -> Section:
    stretch, runs = overview.stretch, overview.runs
    if stretch is None:
        entries = [_heading("Started", "")]
    else:
        step = step_words(stretch.step)
        room = label_width(_COLUMNS, width) - _NAME - _MAX
        entries = [_heading("Started", f"{since_words(stretch, zone)}, a bar is {step}")]
        entries += _totals(overview, stretch, room)
        by_status = {one.status: one for one in runs.statuses}
        urgent = [by_status[status] for status in by_urgency(by_status)]
        entries += (_status(one, stretch, runs.over, room) for one in urgent[:_MOST_STATUSES])
        if len(urgent) > _MOST_STATUSES:
            left = fmt.count(len(urgent) - _MOST_STATUSES)
            entries.append(Entry(None, (Piece(f"  and {left} more statuses", "muted"),)))
        if not runs.total and overview.newest is not None:
            entries.append(_nothing(overview.newest, now))
    if overview.undated:
        words = (Piece("  without a start that can be read", "warning"),)
        figures = (counted(overview.undated, UNDATED), Figure(""))
        entries.append(Entry(("runs", "undated"), words, figures))
    return Section(tuple(entries), _COLUMNS)


def _totals(overview: Overview, stretch: Stretch, room: int) -> list[Entry]:
    runs = overview.runs
    started = Figure(rate(runs.total, stretch.elapsed), "muted")
    over = Figure(rate(runs.over, stretch.elapsed), "muted")
    label = (Piece(text.pad("  started", _NAME), "strong"), *_spark(runs.bars, room))
    return [
        Entry(("runs", "started"), label, (counted(runs.total, started_in(stretch)), started)),
        Entry(
            ("runs", "over"),
            (Piece("  of these over"),),
            (counted(runs.over, started_in(stretch, OVER)), over),
        ),
    ]


def _status(one: StatusFigures, stretch: Stretch, over: int, room: int) -> Entry:
    seen = look(one.status)
    name = SHORT_WORDS.get(seen.word, seen.word)
    note = failed_words(one.total, over) if one.status == RunStatus.FAILED else ""
    label = (Piece(text.pad(f"  {seen.glyph} {name}", _NAME - 1) + " ", seen.role),)
    return Entry(
        ("runs", "status", repr(one.status)),
        (*label, *_spark(one.bars, room)),
        (counted(one.total, started_in(stretch, of_status(one.status))), Figure(note, "muted")),
    )


def _spark(bars: Sequence[int], room: int) -> tuple[Piece, ...]:
    shown = sparkline(bars, room)
    return Piece(shown), Piece(f" max {fmt.count(max(bars, default=0))}", "muted")


def _nothing(newest: datetime, now: datetime) -> Entry:
    words = f"  Nothing started in this time: the newest run {fmt.ago(newest, now)}"
    return Entry(("runs", "newest"), (Piece(words, "warning"),), (Figure("show", target="newest"),))


def _attention(
    title: str,
    name: str,
    found: Attention,
    wanted: Filter,
    now: datetime,
    why: Callable[[RunSummary], str],
) -> Section:
    number = counted(found.total, wanted, _ALONE)
    if not found.exact:
        number = number._replace(text=f"{number.text}+")
    heading = Entry((name,), _title(title, "longest without a write first"), (number,))
    ids = ShortIds(run.key.run_id for run in found.rows)
    rows = (_run(name, run, ids, now, why(run)) for run in found.rows)
    return Section((heading, *rows), _COLUMNS[:1])


def _run(name: str, run: RunSummary, ids: ShortIds, now: datetime, why: str) -> Entry:
    seen = look(run.status)
    label = (
        Piece(f"  {seen.glyph} ", seen.role),
        Piece(f"{text.pad(ids.of(run.key.run_id), ids.cells)}  "),
        Piece(text.line(run.graph, 80)),
        Piece(f"  {why}", "warning"),
    )
    age = Figure(fmt.age(run.updated.instant, now), target=run.key)
    return Entry((name, *run.key), label, (age,))


def _heading(title: str, words: str) -> Entry:
    return Entry(None, _title(title, words))


def _title(title: str, words: str) -> tuple[Piece, ...]:
    return Piece(f" {title}", "strong"), Piece(f"  {words}" if words else "", "muted")
