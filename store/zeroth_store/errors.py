"""Every way the store can say no, each as a sentence that names the thing and the way out."""

from __future__ import annotations


class StoreError(Exception):
    """Base of all errors that the store raises on purpose."""

    def __str__(self) -> str:
        """Return the sentence as written; `KeyError` would quote it."""
        return str(self.args[0]) if self.args else ""


class NotInitialized(StoreError):
    """A repository was used before `initialize()`."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was used before initialize(): call `await initialize()` once")


class RunNotFound(StoreError, KeyError):
    """No run has this id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"no run {run_id!r} in this database")
        self.run_id = run_id


class ThreadNotFound(StoreError, KeyError):
    """No thread has this id."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(f"no thread {thread_id!r} in this database")
        self.thread_id = thread_id


class RunExists(StoreError, KeyError):
    """`create` met a run that is already stored."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"run already exists: {run_id}")
        self.run_id = run_id


class ThreadExists(StoreError, KeyError):
    """`create` met a thread that is already stored."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(f"thread already exists: {thread_id}")
        self.thread_id = thread_id


class AmbiguousId(StoreError, ValueError):
    """An id names one thing in several scopes, and no scope was given."""

    def __init__(self, kind: str, identity: str, scopes: int) -> None:
        super().__init__(
            f"{kind} {identity!r} exists in {scopes} scopes: say which by tenant_id, workspace_id"
        )


class InvalidTransition(StoreError, ValueError):
    """A run cannot go from its status to the one asked for."""

    def __init__(self, current: str, new: str) -> None:
        super().__init__(f"invalid run transition: {current} -> {new}")
        self.current = current
        self.new = new


class StatusConflict(StoreError):
    """The stored status is not the one the caller saw; nothing was written."""

    def __init__(self, run_id: str, expected: str, actual: str) -> None:
        super().__init__(
            f"run {run_id}: expected status {expected}, found {actual}; nothing was written"
        )
        self.run_id = run_id
        self.expected = expected
        self.actual = actual


class ThreadIdentityMismatch(StoreError, ValueError):
    """A thread of this id belongs to another tenant, workspace, graph or deployment."""

    def __init__(self, thread_id: str, detail: str) -> None:
        super().__init__(f"thread identity mismatch: thread {thread_id!r} {detail}")
        self.thread_id = thread_id


class UnreadableRow(StoreError):
    """A stored row does not fit the models; `problems` says which cells and why."""

    def __init__(self, what: str, problems: str) -> None:
        super().__init__(f"{what} cannot be read: {problems}")
        self.problems = problems


class DatabaseError(StoreError):
    """The database could not do what was asked; it is as it was before."""


class DatabaseBusy(DatabaseError):
    """Another connection held the lock for longer than the busy timeout."""


class DatabaseReadOnly(DatabaseError):
    """The file, its folder or the connection does not allow writing."""


class DatabaseFull(DatabaseError):
    """The disk is full."""


class DatabaseDamaged(DatabaseError):
    """The file is corrupt, or is no SQLite database."""


class DatabaseUnavailable(DatabaseError):
    """The file cannot be opened: missing, a folder, no permission, or not connected."""


class QueryTooSlow(DatabaseError):
    """A query ran longer than its budget and was stopped."""


class SchemaError(StoreError):
    """The tables are not ones this version can use; nothing was changed."""


class ForeignDatabase(SchemaError):
    """The database belongs to another program, so its schema is never changed."""


class SchemaTooNew(SchemaError):
    """A newer version of this store made the database."""


class SchemaBroken(SchemaError):
    """A migration was left half done, or the version table does not hold one version."""
