"""The steps of a run that only its history tells of, however long: each is made when looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from operator import le
from typing import Final, overload

from zeroth_store.browse import RelatedRows, RunDetail
from zeroth_store.history import History
from zeroth_tui.views.decisions import Group, by_visit
from zeroth_tui.views.intervals import Interval
from zeroth_tui.views.pseudo_steps import may_have_more
from zeroth_tui.views.step import NO_RESULT, EntryAt, Step, StepItem
from zeroth_tui.views.step_times import brief_times

_BLOCK: Final = 1024


def plain_steps(detail: RunDetail, related: RelatedRows, now: datetime) -> PlainSteps | None:
    """Return a run's steps where each is an entry with a time, and nothing else is stored of it."""
    history = detail.history
    if not isinstance(history, History) or may_have_more(detail):
        return None
    if related.audits or related.approvals or related.children:
        return None
    moments = [m for brief in history.briefs if (m := brief.started_at or brief.completed_at)]
    if len(moments) < len(history):
        return None
    conditions = by_visit(detail.conditions, history) if detail.conditions else {}
    return PlainSteps(history, moments, conditions, now)


def last_visits(steps: Sequence[Step]) -> Sequence[Step]:
    """Return steps among which each node's last visit is."""
    return steps.last_visits() if isinstance(steps, PlainSteps) else steps


def place(steps: Sequence[Step], item: object) -> int | None:
    """Return the position of the step that an item names, or None."""
    if not isinstance(item, StepItem):
        return None
    order = steps.order if isinstance(steps, PlainSteps) else [step.index for step in steps]
    return order.index(item.index) if item.index in order else None


def step_to_open(steps: Sequence[Step]) -> int | None:
    """Return the `Step.index` of the last step that failed, else of the last one."""
    plain = steps.statuses if isinstance(steps, PlainSteps) else None
    statuses = [step.status for step in steps] if plain is None else plain
    failed = (at for at in reversed(range(len(statuses))) if statuses[at] == "failed")
    at = next(failed, len(statuses) - 1)
    return steps[at].index if statuses else None


class PlainSteps(Sequence[Step]):
    """Steps by their first moment, then in stored order."""

    def __init__(
        self,
        history: History,
        moments: list[datetime],
        conditions: Mapping[int, Group],
        now: datetime,
    ) -> None:
        """`moments` are the first ones known of each entry, which may lie behind `now`."""
        self._history = history
        in_order = all(map(le, moments, moments[1:]))
        self._late = (moments[-1] if in_order else max(moments)) > now
        self._firsts = [min(moment, now) for moment in moments] if self._late else moments
        self._conditions = conditions
        self._now = now
        self._order: Sequence[int] = range(len(moments))
        if not in_order:
            self._order = sorted(self._order, key=self._firsts.__getitem__)
        self._made: dict[int, Step] = {}
        self._visits: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        """Return a step by its position, or some."""
        entries = self._order[index]
        return self._step(entries) if isinstance(entries, int) else tuple(map(self._step, entries))

    def __iter__(self) -> Iterator[Step]:
        return map(self._step, self._order)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainSteps) and (
            self is other
            or (
                self._history == other._history
                and self._conditions == other._conditions
                and (self._now == other._now or not (self.clamped or other.clamped))
            )
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def order(self) -> Sequence[int]:
        """The `Step.index` of each."""
        return self._order

    @cached_property
    def statuses(self) -> list[str | None]:
        """The `Step.status` of each."""
        return [self._history.briefs[entry].status for entry in self._order]

    def moments(self) -> list[datetime] | None:
        """Return when each ended, in order; None where there is one whose length is known."""
        if self._spans:
            return None
        in_order = isinstance(self._order, range)
        return self._firsts if in_order else [self._firsts[entry] for entry in self._order]

    def stretches(self) -> list[Interval]:
        """Return when each was at work, by their starts: a moment where one end is not known."""
        spans = dict.fromkeys(self._spans)
        return [
            self._span(entry)
            if entry in spans
            else Interval(self._firsts[entry], self._firsts[entry])
            for entry in self._order
        ]

    def busy(self) -> list[int]:
        """Return the positions of the steps that have more to show than a bar."""
        statuses = self.statuses
        if not self._conditions and NO_RESULT not in statuses:
            return []
        return [
            at
            for at, (entry, status) in enumerate(zip(self._order, statuses, strict=True))
            if entry in self._conditions or status == NO_RESULT
        ]

    def last_visits(self) -> list[Step]:
        """Return the last visit of each node."""
        last = dict(zip(self._nodes, range(len(self)), strict=True))
        return [self._step(at) for at in last.values()]

    @cached_property
    def clamped(self) -> bool:
        """Whether there is a step whose stored times are impossible."""
        return self._late or any(self._step(entry).clamped for entry in self._spans)

    @cached_property
    def _spans(self) -> list[int]:
        """The entries of which both ends are stored."""
        briefs = self._history.briefs
        ended = [at for at, brief in enumerate(briefs) if brief.completed_at]
        return [at for at in ended if briefs[at].started_at]

    @cached_property
    def _nodes(self) -> list[str]:
        return [brief.node_id for brief in self._history.briefs]

    def _visit(self, entry: int) -> int:
        """Return which visit of its node an entry is, counted in blocks of neighbours."""
        block, within = divmod(entry, _BLOCK)
        if block not in self._visits:
            begin = block * _BLOCK
            seen = Counter(self._nodes[:begin])
            visits = self._visits[block] = []
            for node in self._nodes[begin : begin + _BLOCK]:
                seen[node] += 1
                visits.append(seen[node])
        return self._visits[block][within]

    def _span(self, entry: int) -> Interval:
        times = brief_times(self._history.briefs[entry], self._now)
        first = self._firsts[entry]
        return Interval(times.start or first, times.end or first)

    def _step(self, entry: int) -> Step:
        step = self._made.get(entry)
        if step is None:
            brief = self._history.briefs[entry]
            knowledge, start, end, clamped = brief_times(brief, self._now)
            step = self._made[entry] = Step(
                index=entry,
                node_id=brief.node_id,
                visit=self._visit(entry),
                status=brief.status,
                attempt=brief.attempt,
                knowledge=knowledge,
                start=start,
                end=end,
                clamped=clamped,
                stored=EntryAt(self._history, entry),
                conditions=self._conditions.get(entry, ()),
            )
        return step
