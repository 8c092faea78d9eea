"""A person's own keys: what they do, and which cannot stand together."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest
from textual.dom import DOMNode

from tests.tui.harness import exploring
from zeroth_tui.keys import PLACES, check_keymap, known_keys
from zeroth_tui.settings import RefusedError, Settings

PACKAGE = Path(__file__).parents[2] / "zeroth_tui"


def classes_with_keys() -> list[type[DOMNode]]:
    """Return every class of the app that binds keys, found in the source."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and any(
                isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == "BINDINGS"
                for one in node.body
            ):
                name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
                found.append(getattr(importlib.import_module(name), node.name))
    return found


def test_every_class_that_binds_keys_is_in_a_place() -> None:
    found = classes_with_keys()
    assert len(found) > 20
    placed = [cls for place in PLACES for cls in place]
    assert [cls for cls in found if not any(issubclass(one, cls) for one in placed)] == []


def test_every_key_has_a_name_of_its_own_to_be_changed_by() -> None:
    for cls in classes_with_keys():
        names = [getattr(binding, "id", None) for binding in cls.BINDINGS]
        assert all(names), cls
        assert len({*names}) == len(names), cls


async def test_a_key_of_ones_own_does_it_and_the_usual_one_does_not(database: Path) -> None:
    keymap = {"explorer.mode": "a,f9", "list.down": "w"}
    async with exploring(database, settings=Settings(keymap=keymap)) as explorer:
        assert "Threads & runs" in explorer.text
        await explorer.press("t")
        assert "Threads & runs" in explorer.text
        await explorer.press("a")
        assert "Runs, newest first" in explorer.text
        before = explorer.app.query("#tree").first()
        assert "1 of" in explorer.text
        await explorer.press("w")
        assert "2 of" in explorer.text
        await explorer.press("j")
        assert "2 of" in explorer.text
        await explorer.press("f9")
        assert "Runs, newest first" not in explorer.text
        assert before.has_focus
        assert "a Mode" in explorer.text.splitlines()[-1]


def test_the_usual_keys_and_swapped_ones_stand_together() -> None:
    check_keymap({name: binding.key for name, binding in known_keys().items()})
    check_keymap({"explorer.mode": "s", "explorer.sort": "t"})
    check_keymap({"journal.undo": "t"})  # the list of runs, where `t` is taken, is elsewhere


@pytest.mark.parametrize(
    ("keymap", "sentence"),
    [
        (  # both on one screen
            {"explorer.act": "t"},
            '"t" would be the key of explorer.act and of explorer.mode in the same place',
        ),
        (  # one of several keys
            {"explorer.act": "f7,t"},
            '"t" would be the key of explorer.act and of explorer.mode in the same place',
        ),
        (  # in the tree `space` marks, so that it would not act from there
            {"explorer.act": "space"},
            '"space" would be the key of explorer.act and of tree.mark in the same place',
        ),
        (  # and the other way round: the run's pane would hide it
            {"state.raw": "x"},
            '"x" would be the key of state.raw and of explorer.act in the same place',
        ),
        (  # a key that Textual itself uses
            {"explorer.act": "tab"},
            '"tab" would be the key of explorer.act and of app.focus_next in the same place',
        ),
        (
            {"explorer.act": "f7", "explorer.mode": "f7"},
            '"f7" would be the key of explorer.mode and of explorer.act in the same place',
        ),
        (
            {"explorer.atc": "f7"},
            'nothing is named "explorer.atc". Names like it: explorer.act,',
        ),
        ({"zzzzzz": "f7"}, 'nothing is named "zzzzzz". `zeroth-tui config` lists all names'),
        ({"explorer.act": "ctlr+x"}, 'explorer.act "ctlr+x" must be keys such as'),
        ({"explorer.act": "x,"}, 'explorer.act "x," must be keys such as'),
        ({"explorer.act": "ctrl+A"}, 'explorer.act "ctrl+A" must be keys such as'),
    ],
)
def test_keys_that_cannot_stand_are_refused_with_both_names(
    keymap: dict[str, str], sentence: str
) -> None:
    with pytest.raises(RefusedError) as caught:
        check_keymap(keymap)
    assert str(caught.value).startswith(sentence)
    assert caught.value.path[0] in keymap
