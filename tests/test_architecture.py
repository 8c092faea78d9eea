"""The rules of the code that a machine can check: who imports whom, and what reaches a widget."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.markup_rule import Source, violations

ROOT = Path(__file__).parents[1]
PACKAGES = (ROOT / "zeroth_tui", ROOT / "store" / "zeroth_store")
MODULES = sorted(path for package in PACKAGES for path in package.rglob("*.py"))
LONGEST = 249

COMMAND = "import sys; from zeroth_tui.cli import main; sys.exit(main())"
HEAVY = {"alembic", "pydantic", "rich", "sqlalchemy", "textual"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def imported_by(*arguments: str) -> set[str]:
    """Return the top-level names that a fresh Python imports when run with the arguments."""
    done = run(sys.executable, "-X", "importtime", *arguments)
    assert done.returncode == 0, done.stderr[-2000:]
    return set(re.findall(r"\| +(\w+)[\w.]*$", done.stderr, re.MULTILINE))


def test_import_contracts_hold() -> None:
    done = run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")
    assert done.returncode == 0, done.stdout


def test_imported_by_sees_an_import() -> None:
    assert {"decimal", "fractions"} <= imported_by("-c", "import decimal, fractions")
    assert "decimal" not in imported_by("-c", "pass")


def test_the_store_loads_its_parts_late() -> None:
    loaded = imported_by("-c", "import zeroth_store")
    assert "zeroth_store" in loaded
    assert not loaded & (HEAVY | {"aiosqlite", "asyncio"})


def test_a_public_name_of_the_store_brings_its_part() -> None:
    assert "pydantic" in imported_by("-c", "from zeroth_store import Run")


def test_help_loads_next_to_nothing() -> None:
    loaded = imported_by("-c", COMMAND, "--help")
    assert "zeroth_tui" in loaded
    # `email` comes with importlib.metadata, which alone doubles the time to the answer.
    assert not loaded & (HEAVY | {"aiosqlite", "asyncio", "email", "sqlite3"})


def test_info_loads_neither_screen_nor_models(small_database: Path) -> None:
    loaded = imported_by("-c", COMMAND, "info", str(small_database))
    assert "sqlite3" in loaded
    assert not loaded & HEAVY


@pytest.fixture
def small_database(tmp_path: Path) -> Path:
    """Make an own database with no rows, in another process: this one must stay without it."""
    path = tmp_path / "runs.db"
    script = (
        "import asyncio, sys\n"
        "from zeroth_store import AsyncSQLiteDatabase, RunRepository\n"
        "async def make():\n"
        "    async with AsyncSQLiteDatabase(sys.argv[1]) as database:\n"
        "        await RunRepository(database).initialize()\n"
        "asyncio.run(make())\n"
    )
    done = run(sys.executable, "-c", script, str(path))
    assert done.returncode == 0, done.stderr
    return path


def test_every_module_opens_by_saying_what_it_is_for() -> None:
    silent = [
        relative(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []


def test_no_module_is_too_long() -> None:
    lengths = {relative(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_no_built_string_reaches_a_widget() -> None:
    drawing: list[Source] = []
    others: list[Source] = []
    for path in (ROOT / "zeroth_tui").rglob("*.py"):
        name = relative(path)
        draws = name.startswith(("zeroth_tui/app.py", "zeroth_tui/screens/", "zeroth_tui/widgets/"))
        (drawing if draws else others).append(Source(name, path.read_text()))
    assert drawing
    assert violations(drawing, others) == []


@pytest.mark.parametrize(
    "statement",
    [
        'Static(f"run {name}")',
        'Label("run %s" % name)',
        'Button("run {}".format(name))',
        "Static(name)",
        "Static(run.status)",
        "Static(escape(name))",
        "Static(content=name)",
        'Static("run " + name)',
        'Static("a" if name else name)',
        "self.notify(str(error))",
        'self.notify(f"{error}", severity="error")',
        'self.notify("x", title="y" if not name else name) or self.notify(name)',
        "self.border_title = name",
        'self.query_one(Tree).border_subtitle = f"{name}"',
        'BORDER_TITLE = "%s" % name',
        "table.tooltip = name",
        "Button(Content(name), tooltip=name)",
        "OptionList(name)",
        "OptionList(*[Option(name)])",
        "OptionList(*names)",
        "Content.from_markup(name)",
        'Content.from_markup(f"[b]{name}[/b]")',
        "Content.from_text(name)",
        'self.query_one(Static).update(f"{name}")',
        'tree.root.add_leaf("run " + name)',
        'table.add_row(", ".join(names))',
        "self.border_title: str = name",
        "self.border_subtitle += name",
        'setattr(self, "tooltip", name)',
        "partial(Static, name)",
        "self.call_later(self.notify, str(error))",
        "self.call_after_refresh(partial(self.notify, name))",
        "Static(**run)",
        'Hit(1, f"run {name}", run)',
        'DiscoveryHit("run", run, help="of %s" % name)',
    ],
)
def test_the_markup_rule_refuses(statement: str) -> None:
    snippet = f"def draw(self, name: str, names: list[str], error, run, table, tree):\n {statement}"
    assert len(violations([Source("bad.py", snippet)])) == 1


@pytest.mark.parametrize(
    "snippet",
    [
        "class Hint(Static): pass\ndef draw(name: str): Hint(name)",
        "class Hint(Static): pass\nclass More(Hint): pass\ndef draw(name: str): More(name)",
        "class Hint(Static):\n def __init__(self, name: str): super().__init__(name)",
        'class Hint(Widget):\n def render(self):\n  return f"{self.name}"',
        'def draw(name: str):\n line = f"{name}"\n Static(line)',
        'def draw(name: str):\n line = Content("x")\n line = name\n Static(line)',
        "def heading(run) -> str: ...\ndef draw(run): Static(heading(run))",
        'TITLES: Final = {"a": read()}\nStatic(TITLES["a"])',
        "class A:\n heading: str\n def draw(self): Static(self.heading)",
        "class A:\n heading: Content | str\n def draw(self): Static(self.heading)",
        "class A:\n heading: Content\nclass B:\n heading: str\n def draw(b): Static(b.heading)",
    ],
)
def test_the_markup_rule_follows_names_to_a_string(snippet: str) -> None:
    assert len(violations([Source("bad.py", snippet)])) == 1


@pytest.mark.parametrize(
    "snippet",
    [
        'Static("nothing here yet")',
        'TITLE = "Runs"\nStatic(TITLE)',
        'TITLES: Final = {"a": "Runs"}\ndef draw(mode): self.border_title = TITLES[mode]',
        "def draw(name: str): Static(Content(name))",
        "def draw(self, name: str): self.call_later(partial(self.notify, name, markup=False))",
        'def draw(self, name: str): setattr(self, "name", name)',
        'def draw(name: str): Static(Content.from_markup("[b]$name[/b]", name=name))',
        'def draw(name: str): Static(Content.assemble("run ", name))',
        'def draw(name: str): self.notify(f"{name}", markup=False)',
        "def draw(name: str): Label(name, markup=False)",
        "def draw(names: list[str]): OptionList(*(Option(Content(n), id=n) for n in names))",
        "def draw(name: str):\n line = Content(name)\n Static(line)",
        "def heading(run) -> Content: ...\ndef draw(run): Static(heading(run))",
        "class A:\n heading: Content\n def draw(self): self.border_title = self.heading",
        "def draw(seen: set[str], totals: dict[str, int], name: str):\n seen.add(name)",
        "def draw(totals: dict[str, int], more: dict[str, int]):\n totals.update(more)",
        "class Pane(Widget):\n def render(self) -> Content:\n  return Content(self.stored)",
    ],
)
def test_the_markup_rule_allows(snippet: str) -> None:
    assert violations([Source("good.py", snippet)]) == []


def test_the_markup_rule_names_the_place() -> None:
    source = Source(
        "zeroth_tui/app.py", "def draw(name: str):\n    Static(\n        name,\n    )\n"
    )
    assert violations([source]) == ["zeroth_tui/app.py:3: name"]


MACHINE_PATH = re.compile(r"(?<![A-Za-z0-9_.])/(?:home|root|work|tmp|Users)/[A-Za-z]")
REGISTRY = re.compile(r"pypi\.org|pythonhosted\.org|registry\.npmjs", re.IGNORECASE)


def tracked_files() -> list[Path]:
    """Return the files git tracks or is about to; skips outside a checkout."""
    try:
        done = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    except FileNotFoundError:
        pytest.skip("git is not installed")
    if done.returncode:
        pytest.skip("not a git checkout")
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_file_names_this_machine_or_a_registry() -> None:
    found = [
        f"{relative(path)}:{number}: {line.strip()[:80]}"
        for path in tracked_files()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if MACHINE_PATH.search(line) or REGISTRY.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("folder", ["home", "root", "work", "tmp"])
def test_a_machine_path_is_recognised(folder: str) -> None:
    assert MACHINE_PATH.search(f"see '/{folder}/someone/runs.db'")
    assert not MACHINE_PATH.search(f"a/{folder}/b and api/v1/{folder}/x")


def test_a_registry_is_recognised() -> None:
    assert REGISTRY.search("https://" + "pypi." + "org/simple")
