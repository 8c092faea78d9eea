"""Fixtures of the explorer's tests: a sample database, and snapshots of the screen as SVG."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from tests.tui import sample


class SvgExtension(SingleFileSnapshotExtension):
    """Keeps each picture in an SVG file of its own, which a browser shows."""

    file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compare a screen with the stored picture."""
    return snapshot.use_extension(SvgExtension)


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the sample database, made once; copy it before writing."""
    import asyncio

    path = tmp_path_factory.mktemp("sample") / "runs.db"
    asyncio.run(sample.build(path))
    return path


@pytest.fixture
def database(sample_file: Path, tmp_path: Path) -> Path:
    """Return a copy of the sample database."""
    copy = tmp_path / "runs.db"
    shutil.copy(sample_file, copy)
    return copy


def shared(*parts: str) -> Any:
    """Return a path in ../shared, or skip the test that needs it."""
    path = Path(__file__).parents[3].joinpath("shared", *parts)
    if not path.exists():
        pytest.skip(f"{path.name} is not here: the shared folder is optional")
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """Return an own database without any run, as the program makes it."""
    import asyncio

    from zeroth_tui.session import make_store

    path = tmp_path / "empty.db"
    asyncio.run(make_store(path))
    return path
