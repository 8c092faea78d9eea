"""Nothing that is stored can become code or an object of a type that it names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = [
    path
    for folder in ("zeroth_tui", "store", "migrations")
    for path in (ROOT / folder).rglob("*.py")
]
REVIVING = {"pickle", "shelve", "marshal", "dill", "cloudpickle", "yaml", "jsonpickle", "msgpack"}
RUNNING = {"eval", "exec", "compile", "__import__", "load_extension", "enable_load_extension"}


def revivals(source: str) -> Iterator[str]:
    """Name what would make objects or code of stored bytes."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names if REVIVING & set(name.name.split(".")))
            case ast.ImportFrom(module=str(module), names=names):
                parts = {*module.split("."), *(name.name for name in names)}
                yield from sorted(parts & REVIVING)
            case ast.Call(func=ast.Name(id=name)) if name in RUNNING:
                yield name
            case ast.Attribute(attr="load_extension" | "enable_load_extension" as name):
                yield name
            case ast.Attribute(value=ast.Name(id="msgspec"), attr="msgpack"):
                yield "msgpack"
            case _:
                pass


def test_no_source_revives_what_is_stored() -> None:
    assert len(SOURCES) > 100
    found = {path.name: names for path in SOURCES if (names := list(revivals(path.read_text())))}
    assert found == {}


def test_what_would_revive_is_seen() -> None:
    source = (
        "import pickle\nfrom yaml import load\nimport msgspec\n"
        "msgspec.msgpack.decode(b'')\neval('1')\nc.load_extension('x')\nre.compile('x')\n"
    )
    assert list(revivals(source)) == ["pickle", "yaml", "eval", "load_extension", "msgpack"]
