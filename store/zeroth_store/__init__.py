"""Runs, threads and checkpoints of Zeroth: the domain, and its persistence in SQLite.

The public names load on first use, so that browsing a database never pays for Pydantic.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zeroth_store.browse import RunBrowser as RunBrowser
    from zeroth_store.browse import RunKey as RunKey
    from zeroth_store.browse import ThreadKey as ThreadKey
    from zeroth_store.conditions import ConditionResultRecorder as ConditionResultRecorder
    from zeroth_store.errors import AmbiguousId as AmbiguousId
    from zeroth_store.errors import DatabaseBusy as DatabaseBusy
    from zeroth_store.errors import DatabaseDamaged as DatabaseDamaged
    from zeroth_store.errors import DatabaseError as DatabaseError
    from zeroth_store.errors import DatabaseFull as DatabaseFull
    from zeroth_store.errors import DatabaseReadOnly as DatabaseReadOnly
    from zeroth_store.errors import DatabaseUnavailable as DatabaseUnavailable
    from zeroth_store.errors import ForeignDatabase as ForeignDatabase
    from zeroth_store.errors import InvalidTransition as InvalidTransition
    from zeroth_store.errors import NotInitialized as NotInitialized
    from zeroth_store.errors import QueryTooSlow as QueryTooSlow
    from zeroth_store.errors import RunExists as RunExists
    from zeroth_store.errors import RunNotFound as RunNotFound
    from zeroth_store.errors import SchemaBroken as SchemaBroken
    from zeroth_store.errors import SchemaError as SchemaError
    from zeroth_store.errors import SchemaTooNew as SchemaTooNew
    from zeroth_store.errors import StatusConflict as StatusConflict
    from zeroth_store.errors import StoreError as StoreError
    from zeroth_store.errors import ThreadExists as ThreadExists
    from zeroth_store.errors import ThreadIdentityMismatch as ThreadIdentityMismatch
    from zeroth_store.errors import ThreadNotFound as ThreadNotFound
    from zeroth_store.errors import UnreadableRow as UnreadableRow
    from zeroth_store.models import ActorIdentity as ActorIdentity
    from zeroth_store.models import ApprovalRequest as ApprovalRequest
    from zeroth_store.models import Run as Run
    from zeroth_store.models import RunConditionResult as RunConditionResult
    from zeroth_store.models import RunFailureState as RunFailureState
    from zeroth_store.models import RunHistoryEntry as RunHistoryEntry
    from zeroth_store.models import RunState as RunState
    from zeroth_store.models import Thread as Thread
    from zeroth_store.models import ThreadMemoryBinding as ThreadMemoryBinding
    from zeroth_store.protocols import CheckpointStore as CheckpointStore
    from zeroth_store.protocols import RunReader as RunReader
    from zeroth_store.protocols import RunWriter as RunWriter
    from zeroth_store.protocols import ThreadStore as ThreadStore
    from zeroth_store.sqlite.browser import SQLiteRunBrowser as SQLiteRunBrowser
    from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase as AsyncSQLiteDatabase
    from zeroth_store.sqlite.repositories.runs import RunRepository as RunRepository
    from zeroth_store.sqlite.repositories.threads import ThreadRepository as ThreadRepository
    from zeroth_store.status import ALLOWED_TRANSITIONS as ALLOWED_TRANSITIONS
    from zeroth_store.status import RunStatus as RunStatus
    from zeroth_store.status import ThreadStatus as ThreadStatus

_HOMES = {
    "browse": ("RunBrowser", "RunKey", "ThreadKey"),
    "conditions": ("ConditionResultRecorder",),
    "errors": (
        "AmbiguousId",
        "DatabaseBusy",
        "DatabaseDamaged",
        "DatabaseError",
        "DatabaseFull",
        "DatabaseReadOnly",
        "DatabaseUnavailable",
        "ForeignDatabase",
        "InvalidTransition",
        "NotInitialized",
        "QueryTooSlow",
        "RunExists",
        "RunNotFound",
        "SchemaBroken",
        "SchemaError",
        "SchemaTooNew",
        "StatusConflict",
        "StoreError",
        "ThreadExists",
        "ThreadIdentityMismatch",
        "ThreadNotFound",
        "UnreadableRow",
    ),
    "models": (
        "ActorIdentity",
        "ApprovalRequest",
        "Run",
        "RunConditionResult",
        "RunFailureState",
        "RunHistoryEntry",
        "RunState",
        "Thread",
        "ThreadMemoryBinding",
    ),
    "protocols": ("CheckpointStore", "RunReader", "RunWriter", "ThreadStore"),
    "sqlite.browser": ("SQLiteRunBrowser",),
    "sqlite.repositories.database": ("AsyncSQLiteDatabase",),
    "sqlite.repositories.runs": ("RunRepository",),
    "sqlite.repositories.threads": ("ThreadRepository",),
    "status": ("ALLOWED_TRANSITIONS", "RunStatus", "ThreadStatus"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME_OF)


def __getattr__(name: str) -> Any:
    """Import the module that holds a public name when the name is first used (PEP 562)."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return [*__all__, *globals()]
