"""A person's own keys: what they do, and which cannot stand together."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import TypeGuard

import pytest
from textual.dom import DOMNode

from tests.tui.harness import WIDE, exploring
from zeroth_tui.key_words import NAMED, names
from zeroth_tui.keys import PLACES, check_keymap, known_keys
from zeroth_tui.screens.keys import commands
from zeroth_tui.screens.opening import Opening
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
    check_keymap({"explorer.act": "é,ctrl+x,alt+x,shift+f5,ctrl+slash,shift+up,:"})
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
        (  # the palette's, which every app has and which is stronger than all others
            {"explorer.help": "ctrl+p"},
            '"ctrl+p" would be the key of explorer.help and of command_palette in the same place',
        ),
        ({"explorer.act": "ctrl+i"}, "explorer.act: terminals send ctrl+i as tab, so"),
        ({"explorer.act": "f7,ctrl+m"}, "explorer.act: terminals send ctrl+m as enter, so"),
        ({"explorer.act": "ctrl+["}, "explorer.act: terminals send ctrl+[ as escape, so"),
        # What no terminal sends, or not under this name:
        *(
            ({"explorer.act": key}, f'explorer.act "{key}" must be keys such as')
            for key in ("shift+a", "shift+1", "shift+comma", "COMMA", "solidus", "<any>", "ctrl+/")
        ),
        *(
            ({"explorer.act": key}, f'explorer.act "{key}" must be keys such as')
            for key in ("\x1b", "\u202e", "right_to_left_override", "\xa0", "ctrl+\u202e", "")
        ),
    ],
)
def test_keys_that_cannot_stand_are_refused_with_both_names(
    keymap: dict[str, str], sentence: str
) -> None:
    with pytest.raises(RefusedError) as caught:
        check_keymap(keymap)
    assert str(caught.value).startswith(sentence)
    assert caught.value.path[0] in keymap


async def test_help_and_palette_name_keys_of_ones_own_also_of_other_parts(database: Path) -> None:
    keymap = {"state.raw": "f8", "timeline.zoom_in": "B"}
    async with exploring(database, settings=Settings(keymap=keymap)) as explorer:
        found = {one.id: one.bound for one in commands(explorer.app.screen)}
        assert found["state.raw"] == ("f8",)
        assert found["timeline.zoom_in"] == ("B",)
        await explorer.press("ctrl+p", *"state: raw")
        assert "(f8)" in explorer.text


def test_every_key_that_words_name_is_the_usual_one_of_a_command() -> None:
    known = known_keys()
    found = {
        named.groups()
        for path in PACKAGE.rglob("*.py")
        if path.name != "key_words.py"
        for text in strings(path)
        for named in NAMED.finditer(text)
    }
    assert len(found) > 20
    found.discard(("app.theme", "T"))  # an example in a docstring, and right as well
    assert [one for one in sorted(found) if one[1] not in names(known[one[0]])] == []


def strings(path: Path) -> list[str]:
    """Return the texts in a module."""
    parts = (node.value for node in ast.walk(ast.parse(path.read_text())) if is_text(node))
    return [part for part in parts if isinstance(part, str)]


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    """Whether a node of a syntax tree is a text."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


async def test_words_name_keys_of_ones_own(database: Path, tmp_path: Path) -> None:
    keymap = {
        "explorer.time_machine": "f10",
        "explorer.back": "B",
        "explorer.filter": "f4",
        "explorer.graph": "G",
        "views.cancel": "f3",
        "help.close": "f8",
        "journal.undo": "u",
    }
    opening = Opening(location="runs.db", hints=tmp_path / "hints.json")
    settings = Settings(keymap=keymap)
    journal = tmp_path / "journal.jsonl"
    async with exploring(
        database, size=WIDE, settings=settings, opening=opening, journal=journal
    ) as explorer:
        await explorer.press("enter")
        assert "1 to G are the tabs" in explorer.text
        await explorer.press("B", "v")
        assert "enter or number opens, f3 cancels" in explorer.text
        await explorer.press("f3", "at")
        assert "u undoes, esc closes" in explorer.text
        await explorer.press("escape", "question_mark")
        assert "enter does it, f8 closes" in explorer.text
        await explorer.press("f8", "f4", *"zzz", "enter")
        assert "(f4 edits, B clears)" in explorer.text
        assert "no run matches: B clears the filter" in explorer.text
        await explorer.press("B", "f10")
        assert "f10: now" in explorer.text
        found = {one.id: one.reason for one in commands(explorer.app.screen)}
        assert found["explorer.act"] == "this is the past: f10 returns to now"
