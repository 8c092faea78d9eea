"""Where a run's row holds what filters ask for: the SQL twin of `filters.match.text_fields`."""

from __future__ import annotations

from collections.abc import Iterable

from zeroth_store.filters.terms import TextKey
from zeroth_store.sqlite.finding import BY_ROWID
from zeroth_store.sqlite.search.filter_parts import (
    NEVER,
    Sql,
    both,
    either,
    json_doubt,
    json_number,
    json_text,
    text,
)
from zeroth_store.sqlite.tables import Table, is_json
from zeroth_store.status import LIVE, RunStatus
from zeroth_store.summaries import NULL_SCOPE, WORKSPACE

_SCOPE_COLUMNS = frozenset({"tenant_id", "workspace_scope"})


class RunCells:
    """A run's values as SQL over the columns that a database has; the others read as NULL."""

    def __init__(self, columns: frozenset[str], prefix: str = "") -> None:
        # A table of runs has this column from revision 025 on, and there the scope is never NULL.
        required = _SCOPE_COLUMNS if "workspace_scope" in columns else frozenset[str]()
        self._table = Table("runs", tuple(sorted(columns)), required)
        self._prefix = prefix
        self.tenant = self._table.tenant(prefix)
        """The tenant, which is never NULL."""
        self.scope = self._table.scope(prefix)
        """The workspace scope, which is never NULL."""

    def column(self, name: str) -> str:
        """Return a column, or NULL where there is none of that name."""
        return f"{self._prefix}{name}" if self._table.has(name) else "NULL"

    @property
    def parent(self) -> str:
        """The id of the run that started this one as a child."""
        return json_text(self.column("metadata"), "$.parent_run_id")

    @property
    def reason(self) -> str:
        """Why the run failed, in one word."""
        return json_text(self.column("failure_state"), "$.reason")

    @property
    def cost(self) -> str:
        """Measured and estimated dollars together; NULL where neither is recorded."""
        metadata = self.column("metadata")
        measured = json_number(metadata, "$.total_cost_usd")
        estimated = json_number(metadata, "$.total_estimated_cost_usd")
        either_one = f"COALESCE({measured}, {estimated}) IS NOT NULL"
        return f"CASE WHEN {either_one} THEN COALESCE({measured}, 0) + COALESCE({estimated}, 0) END"

    @property
    def is_live(self) -> Sql:
        """Whether the run is not over."""
        return self.status_in(LIVE)

    def status_in(self, statuses: Iterable[str]) -> Sql:
        """Return where the status is one of these, so that an index on it can serve."""
        named = tuple(sorted(statuses))
        return Sql(f"{self.column('status')} IN ({', '.join('?' * len(named))})", named)

    def fields(self, key: TextKey) -> tuple[str, ...]:
        """Return what a text term of a key is compared with."""
        match key:
            case "word":
                return (
                    self._run_id(),
                    *(self._shown(name) for name in ("thread_id", "graph_version_ref")),
                    *(self._shown(name) for name in ("deployment_ref", "status")),
                    self.reason,
                    self._message(),
                )
            case "status":
                return (self._shown("status"),)
            case "graph":
                return (self._shown("graph_version_ref"),)
            case "node":
                return self._shown("current_step"), self._failed_node()
            case "thread":
                return (self._shown("thread_id"),)
            case "tenant":
                return (text(self.tenant),)
            case "workspace":
                return (self._workspace(),)
            case "reason":
                return (self.reason,)
            case "id":
                return (self._run_id(),)
            case "parent":
                return (self.parent,)

    def doubt(self, key: TextKey) -> Sql:
        """Return where SQL cannot tell what those fields are."""
        match key:
            case "word" | "reason":
                return json_doubt(self.column("failure_state"))
            case "node":
                cells = ("metadata", "current_node_ids")
                unread = either(*(json_doubt(self.column(name)) for name in cells))
                return both(self._failed(), unread) if unread != NEVER else NEVER
            case "parent":
                return json_doubt(self.column("metadata"))
            case _:
                return NEVER

    def _shown(self, name: str) -> str:
        return text(self.column(name))

    def _failed(self) -> Sql:
        return Sql(f"COALESCE({self.column('status')} = '{RunStatus.FAILED}', 0)")

    def _failed_node(self) -> str:
        """Return the dispatched node of a failed run; in older schemas the first current one."""
        nodes = self.column("current_node_ids")
        dispatched = json_text(self.column("metadata"), "$.in_flight_dispatch.node_id")
        current = "NULL"
        if nodes != "NULL":
            first = f"SELECT value FROM json_each({nodes}) WHERE type = 'text' ORDER BY key LIMIT 1"
            is_list = f"WHEN {is_json(nodes)} THEN CASE WHEN json_type({nodes}) = 'array'"
            current = f"CASE {is_list} THEN ({first}) END END"
        return f"CASE WHEN {self._failed().text} THEN COALESCE({dispatched}, {current}) END"

    def _message(self) -> str:
        """Return what a list shows of a failure: its message, else the beginning of the error."""
        told = json_text(self.column("failure_state"), "$.message")
        error = text(f"substr({self.column('error')}, 1, 4096)")
        return f"COALESCE(NULLIF({told}, ''), {error})"

    def _run_id(self) -> str:
        """Return the id; one that is no text cannot name a row, so its row number does."""
        run_id = self.column("run_id")
        named = " AND ".join(f"typeof({x}) = 'text'" for x in (self.tenant, self.scope, run_id))
        return f"CASE WHEN {named} THEN {run_id} ELSE '{BY_ROWID}' || {self._prefix}rowid END"

    def _workspace(self) -> str:
        start = len(WORKSPACE)
        name = f"CAST(substr(CAST({self.scope} AS BLOB), {start + 1}) AS TEXT)"
        return (
            f"CASE WHEN {self.scope} = '{NULL_SCOPE}' THEN NULL"
            f" WHEN substr({self.scope}, 1, {start}) = '{WORKSPACE}' THEN {name}"
            f" ELSE {text(self.scope)} END"
        )
