"""A pane whose cursor is on a value of JSON, which can be taken elsewhere, secrets masked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message

from zeroth_tui.hidden_keys import hidden
from zeroth_tui.text import MASK, mask_json, one_line_json
from zeroth_tui.views.json_tree import JsonTree, path_text
from zeroth_tui.widgets.pane import Pane


class ValuePane(Pane):
    """Copies the value under its cursor, or has it written to a file."""

    BINDING_GROUP_TITLE = "State"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden("Copy the value", ("state.copy_value", "y", "copy_value", "Copy value")),
        *hidden("Copy the path of the value", ("state.copy_path", "Y", "copy_path", "Copy path")),
        *hidden(
            "Write the value into a file in the current folder",
            ("state.save_value", "w", "save_value", "Save value"),
        ),
    ]

    @dataclass
    class CopyWanted(Message):
        """Somebody wants to copy what this makes, which may take a while."""

        make: Callable[[], str]

    @dataclass
    class SaveWanted(Message):
        """Somebody wants a file of this kind of name with what this makes."""

        make: Callable[[], str]
        name: str

    @property
    def json_tree(self) -> JsonTree | None:
        """The tree that the cursor is in; None where what is shown is no tree."""
        raise NotImplementedError

    @property
    def called(self) -> str:
        """What a file with something of this is called: letters, digits and dashes."""
        raise NotImplementedError

    def action_copy_value(self) -> None:
        """Copy the value under the cursor as one line of JSON, secrets masked."""
        if (make := self._value()) is not None:
            self._copy(make)

    def action_save_value(self) -> None:
        """Write the value under the cursor into a file, as JSON with secrets masked."""
        if (make := self._value()) is not None:
            self.post_message(self.SaveWanted(lambda: f"{make()}\n", f"{self.called}.json"))

    def action_copy_path(self) -> None:
        """Copy the path of the value under the cursor."""
        if isinstance(self.item, tuple):
            self._copy(partial(path_text, self.item))

    def _value(self) -> Callable[[], str] | None:
        """Return what makes one line of JSON of the value under the cursor.

        On the heading that is the whole value. None where what is shown is no tree.
        """
        if self.json_tree is None:
            return None
        path = self.item if isinstance(self.item, tuple) else ()
        if self.json_tree.is_hidden(path):
            return lambda: one_line_json(json.dumps(MASK))
        value = self.json_tree.value_text(path)
        return lambda: one_line_json(mask_json(value))

    def _copy(self, make: Callable[[], str]) -> None:
        self.post_message(self.CopyWanted(make))
