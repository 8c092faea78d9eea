"""What somebody gets who installs the wheel: our two packages, working outside a checkout."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHIPPED = {
    "zeroth_tui": ROOT / "zeroth_tui",
    "zeroth_store": ROOT / "store" / "zeroth_store",
    "zeroth_store/migrations": ROOT / "migrations",
}
"""Folders inside the wheel, and where they are in a checkout."""

MAKE_DATABASE = """
import asyncio, sys
import zeroth_tui, zeroth_store
from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository

async def make():
    async with AsyncSQLiteDatabase(sys.argv[1]) as database:
        repository = RunRepository(database)
        await repository.initialize()
        await repository.create(Run(graph_version_ref="demo@1", thread_id="t"))

asyncio.run(make())
print(zeroth_tui.__file__)
print(zeroth_store.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with the tools of this environment, so that no network is needed."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_our_two_packages_whole(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    top = {name.split("/")[0] for name in names}
    information = {name for name in top if name.endswith(".dist-info")}
    assert top - information == {"zeroth_tui", "zeroth_store"}
    assert len(information) == 1
    expected = {
        f"{inside}/{path.relative_to(folder).as_posix()}"
        for inside, folder in SHIPPED.items()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if not name.startswith(tuple(information))} == expected
    assert {"zeroth_tui/py.typed", "zeroth_store/py.typed", "zeroth_tui/app.tcss"} <= names
    assert {"zeroth_store/migrations/env.py", "zeroth_store/migrations/script.py.mako"} <= names
    assert f"{information.pop()}/licenses/LICENSE" in names


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a new environment and return the folder of its commands.

    The dependencies are those of the environment that runs the tests, found behind the new one's
    own packages. Its `.pth` files are not read, so the checkout cannot be reached through it.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=True)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    outside(scripts / "python", "-m", "pip", "install", "--no-index", "--no-deps", str(wheel))
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return scripts


def outside(program: Path, *arguments: str) -> str:
    """Run a program where nothing points to the checkout; returns what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [program, *arguments],
        cwd=program.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.thorough
def test_the_installed_wheel_makes_a_database_and_describes_it(
    installed: Path, tmp_path: Path
) -> None:
    database = tmp_path / "runs.db"
    homes = outside(installed / "python", "-c", MAKE_DATABASE, str(database)).split()
    assert all(Path(home).is_relative_to(installed.parent) for home in homes), homes

    described = json.loads(outside(installed / "zeroth-tui", "info", str(database), "--json"))
    assert described["kind"] == "own"
    assert described["runs"] == 1
    assert described["runs_by_status"] == {"PENDING": 1}
    assert described["threads"] == 1
    assert described["checkpoints"] == 1


def needed(distribution: str, extras: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield a distribution's name and, all the way down, those of what it requires."""
    yield canonical(distribution)
    for requirement in metadata.requires(distribution) or ():
        name, _, condition = requirement.partition(";")
        if "extra" in condition or not is_installed(base := re.split(r"[^\w.-]", name.strip())[0]):
            continue
        yield from needed(base)


def is_installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def canonical(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def imported(folder: Path) -> set[str]:
    """Return the top-level names that the modules of a folder import, anywhere in them."""
    names: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    return names


def test_everything_imported_comes_with_a_declared_dependency() -> None:
    homes = metadata.packages_distributions()
    available = set(needed("zeroth-tui"))
    asked = (one for one in metadata.requires("zeroth-tui") or () if "extra" in one)
    available |= {canonical(re.split(r"[^\w.-]", one)[0]) for one in asked}
    foreign = set().union(*map(imported, SHIPPED.values())) - sys.stdlib_module_names
    missing = {
        name
        for name in foreign - {"zeroth_tui", "zeroth_store"}
        if available.isdisjoint(map(canonical, homes.get(name, ())))
    }
    assert {"textual", "alembic"} <= foreign
    assert missing == set()
