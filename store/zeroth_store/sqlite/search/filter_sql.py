"""Compiling a filter to one SQL condition over Zeroth's table `runs`, every value bound.

A column that a database lacks reads as NULL. Where SQL cannot tell (times in other spellings,
JSON that SQLite reads otherwise), the condition lets a row pass and `doubt` says so: then
`filters.matches` decides by the row's summary.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from zeroth_store.ascii_case import lower
from zeroth_store.filters import Filter, RangeTerm, StateTerm, TextTerm, TextValue, TimeTerm
from zeroth_store.filters.match import WAITING
from zeroth_store.filters.moments import limit
from zeroth_store.filters.terms import MICROSECONDS, Range, RangeKey, RowTerm, State, TimeKey
from zeroth_store.filters.terms import TimeValue as Time
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.search.filter_cells import RunCells
from zeroth_store.sqlite.search.filter_parts import (
    NEVER,
    Judged,
    Sql,
    any_judged,
    both,
    either,
    json_doubt,
    no,
    time_doubt,
)
from zeroth_store.status import DEAD_LETTER, RunStatus

_SECONDS_A_DAY: Final = 86_400
_TIME_TOLERANCE: Final = 0.005
_COST_TOLERANCE: Final = 1e-9
_HUGE: Final = 1.7e308


class Where(NamedTuple):
    """A filter as SQL."""

    sql: str
    """True for every wanted run, NULL or 0 for others. Put it in brackets beside an AND."""
    params: tuple[object, ...]
    """What the marks of `sql` stand for, in order."""
    doubt: str
    """Which of the rows that pass only `filters.matches` can judge: 1 there, else 0."""
    doubt_params: tuple[object, ...]
    """What the marks of `doubt` stand for."""

    @property
    def exact(self) -> bool:
        """Whether SQL alone decides, whatever the rows hold."""
        return self.doubt == NEVER.text


def compile_filter(wanted: Filter, columns: frozenset[str], now: datetime) -> Where:
    """Return the SQL of a filter's row terms; payload terms are for the caller to search.

    The statement it goes into selects from `runs` under that name. `columns` are the table's own.
    """
    compiler = _Compiler(columns, now)
    judged = [(compiler.term(term), term.negated) for term in wanted.row_terms]
    possible = both(*(one.possible(negated=negated) for one, negated in judged))
    doubt = either(*dict.fromkeys(one.doubt for one, _ in judged))
    return Where(*possible, *doubt)


class _Compiler:
    """Turns terms into SQL for one table at one moment."""

    def __init__(self, columns: frozenset[str], now: datetime) -> None:
        self._columns = columns
        self._run = RunCells(columns)
        self._now = now

    def term(self, term: RowTerm) -> Judged:
        """Return one term as SQL, as if it were not negated."""
        match term:
            case TextTerm(key="status"):
                return Judged(either(*(self._status(value) for value in term.values)))
            case TextTerm():
                fields = self._run.fields(term.key)
                found = either(*(_text(value, fields) for value in term.values))
                return Judged(found, self._run.doubt(term.key))
            case TimeTerm():
                started = self._run.column("started_at")
                limits = (_started(term.key, value, started, self._now) for value in term.values)
                return Judged(either(*limits), time_doubt(started))
            case RangeTerm():
                return any_judged(self._range(term.key, value) for value in term.values)
            case StateTerm():
                return any_judged(self._state(state) for state in term.values)

    def _status(self, value: TextValue) -> Sql:
        """Return where the status is this one; as a bare column, so that an index can serve."""
        if value.text is None or value.text.startswith("<blob "):
            return _text(value, self._run.fields("status"))
        return _text(value, (self._run.column("status"),))

    def _range(self, key: RangeKey, wanted: Range) -> Judged:
        if key == "cost":
            unread = json_doubt(self._run.column("metadata"))
            return _between(Sql(self._run.cost), wanted, 1, _COST_TOLERANCE, unread)
        length, unread = self._duration()
        return _between(length, wanted, MICROSECONDS["s"], _TIME_TOLERANCE, unread)

    def _duration(self) -> tuple[Sql, Sql]:
        """Return the seconds from a run's start to its last write, or to now while it is live."""
        started, updated = self._run.column("started_at"), self._run.column("updated_at")
        live = self._run.is_live
        end = f"CASE WHEN {live.text} THEN ? ELSE {updated} END"
        length = f"(julianday({end}) - julianday({started})) * {_SECONDS_A_DAY}"
        over = both(no(live), time_doubt(updated)) if updated != "NULL" else NEVER
        now = self._now.astimezone(UTC).isoformat()
        return Sql(length, (*live.params, now)), either(time_doubt(started), over)

    def _state(self, state: State) -> Judged:
        run = self._run
        failed = run.status_in({RunStatus.FAILED})
        match state:
            case "live":
                return Judged(run.is_live)
            case "waiting":
                return Judged(run.status_in(WAITING))
            case "failed":
                return Judged(failed)
            case "dead-letter":
                reason = Sql(f"{run.reason} = ?", (DEAD_LETTER,))
                unread = json_doubt(run.column("failure_state"))
                return Judged(both(failed, reason), _within(failed, unread))
            case "child":
                is_child = Sql(f"{run.parent} IS NOT NULL")
                return Judged(is_child, json_doubt(run.column("metadata")))
            case "parent":
                return Judged(self._is_parent())
            case "erased":
                return Judged(Sql(f"{run.column('token_snapshot_write_disabled')} = 1"))
            case "stuck":
                return self._stuck()

    def _is_parent(self) -> Sql:
        """Return where another run of the scope names this one as its parent; read once for all."""
        child = RunCells(self._columns, "child.")
        metadata = child.column("metadata")
        if metadata == "NULL":
            return NEVER
        named = (
            f"SELECT {child.tenant}, {child.scope}, {child.parent} FROM runs AS child"
            f" WHERE instr({metadata}, '\"parent_run_id\"') > 0 AND {child.parent} IS NOT NULL"
        )
        run = self._run
        return Sql(f"({run.tenant}, {run.scope}, {run.column('run_id')}) IN ({named})")

    def _stuck(self) -> Judged:
        """Return where nobody will take a run further by itself, as `match` explains."""
        run = self._run
        worker, expires = run.column("lease_worker_id"), run.column("lease_expires_at")
        running = run.status_in({RunStatus.RUNNING})
        held, free = Sql(f"{worker} IS NOT NULL"), Sql(f"{worker} IS NULL")
        expired = Sql(f"{expires} <= ?", (self._now.astimezone(UTC).isoformat(),))
        stuck = either(
            run.status_in({RunStatus.WAITING_INTERRUPT}),
            both(run.status_in({RunStatus.PENDING}), held),
            both(running, held, expired),
            both(running, free, no(self._is_driven())),
        )
        unread = (_within(held, time_doubt(expires)), json_doubt(run.column("metadata")))
        asks = run.status_in({RunStatus.WAITING_APPROVAL})  # its approval is in another table
        return Judged(stuck, either(_within(running, either(*unread)), _sure(asks)))

    def _is_driven(self) -> Sql:
        """Return where the parent is live and has a lease, so that its worker runs the child."""
        run, parent = RunCells(self._columns, "runs."), RunCells(self._columns, "above.")
        live = parent.is_live
        worker = parent.column("lease_worker_id")
        above = (
            f"SELECT 1 FROM runs AS above WHERE above.run_id = {run.parent}"
            f" AND {parent.tenant} = {run.tenant} AND {parent.scope} = {run.scope}"
            f" AND {live.text} AND {worker} IS NOT NULL"
        )
        return Sql(f"EXISTS ({above})", live.params)


def _text(value: TextValue, fields: Sequence[str]) -> Sql:
    """Return where one of these fields holds a text, or where all are NULL."""
    if value.text is None:
        return both(*(Sql(f"{field} IS NULL") for field in fields))
    if value.exact:
        return either(*(Sql(f"{field} = CAST(? AS TEXT)", (bind(value.text),)) for field in fields))
    # SQLite's lower() changes ASCII letters only, and unlike LIKE it sees what follows a NUL.
    needle = bind(lower(value.text))
    found = (Sql(f"instr(lower({field}), CAST(? AS TEXT)) > 0", (needle,)) for field in fields)
    return either(*found)


def _started(key: TimeKey, value: Time, column: str, now: datetime) -> Sql:
    instant = limit(key, value, now)
    if instant is None:
        return NEVER
    return Sql(f"{column} {'>=' if key == 'since' else '<'} ?", (instant.isoformat(),))


def _between(number: Sql, wanted: Range, scale: int, tolerance: float, unread: Sql) -> Judged:
    """Return where a number is in a range; SQL's numbers are not trusted beside a limit."""
    bounds = [
        (bound / scale, sign)
        for bound, sign in (
            (wanted.low, ">" if wanted.above_low else ">="),
            (wanted.high, "<" if wanted.below_high else "<="),
        )
        if bound is not None
    ]
    inside = [Sql(f"{number.text} {sign} ?", (*number.params, bound)) for bound, sign in bounds]
    near = [
        Sql(
            f"COALESCE(abs({number.text} - ?) <= ?, 0)",
            (*number.params, bound, max(tolerance, bound * 1e-12)),
        )
        for bound, _ in bounds
    ]
    huge = Sql(f"COALESCE(abs({number.text}) > {_HUGE}, 0)", number.params)
    return Judged(both(*inside), either(unread, huge, *near))


def _sure(condition: Sql) -> Sql:
    """Return a condition that is never NULL."""
    return Sql(f"COALESCE({condition.text}, 0)", condition.params)


def _within(condition: Sql, doubt: Sql) -> Sql:
    """Return a doubt that only matters where a condition holds; never NULL."""
    if doubt == NEVER:
        return NEVER
    return both(_sure(condition), doubt)
