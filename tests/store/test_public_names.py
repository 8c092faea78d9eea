"""Every name of the contract is importable from `zeroth_store`, and costs nothing until used."""

from __future__ import annotations

import subprocess

import pytest

import zeroth_store
from tests.store.support import PYTHON
from zeroth_store import errors

DOCUMENTED = (
    # the API reference
    *("ConditionResultRecorder", "Run", "RunConditionResult", "RunFailureState"),
    *("RunHistoryEntry", "RunState", "Thread", "ThreadMemoryBinding", "ThreadStatus"),
    *("CheckpointStore", "RunReader", "RunWriter", "ThreadStore"),
    # the how-to guide
    *("ALLOWED_TRANSITIONS", "AsyncSQLiteDatabase", "RunRepository", "RunStatus"),
    "ThreadRepository",
    # errors, and the read side
    *("InvalidTransition", "RunBrowser", "RunKey"),
)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_documented_name_is_importable(name: str) -> None:
    assert getattr(zeroth_store, name).__name__ == name if name != "ALLOWED_TRANSITIONS" else True
    assert name in zeroth_store.__all__


def test_every_error_is_public() -> None:
    named = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.StoreError)
    }
    assert named <= set(zeroth_store.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Rnu'"):
        _ = zeroth_store.Rnu


@pytest.mark.parametrize(
    "statement", ["import zeroth_store", "from zeroth_store.browse import RunKey"]
)
def test_browsing_pays_for_no_heavy_library(statement: str) -> None:
    script = (
        f"{statement}\n"
        "import sys\n"
        "heavy = {'pydantic', 'aiosqlite', 'alembic', 'sqlalchemy', 'textual'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([PYTHON, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
