"""The State tab: what went into the selected step, what came out, and what changed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Final

from textual import work
from textual.binding import Binding, BindingType
from textual.message import Message

from zeroth_tui.hidden_keys import hidden
from zeroth_tui.line import Row
from zeroth_tui.text import line
from zeroth_tui.views.json_tree import JsonTree, Path, path_text
from zeroth_tui.views.json_tree.rows import raw_rows
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.state_parts import (
    DIFFERENCE,
    OUTPUT,
    difference_rows,
    heading_rows,
    open_part,
    part_text,
    parts_of,
)
from zeroth_tui.views.step import Step, find
from zeroth_tui.widgets.row_source import FixedRows, RowSource
from zeroth_tui.widgets.tree_source import TreeSource
from zeroth_tui.widgets.value_pane import ValuePane

_MOST_HITS: Final = 1000


class StatePane(ValuePane):
    """Keeps its part and its folding while the selected step changes."""

    BINDING_GROUP_TITLE = "State"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "right,l",
            "part(1)",
            "Next part",
            id="state.next",
            tooltip="The next part, the part before: input, output, difference",
        ),
        *hidden(
            "The next part, the part before: input, output, difference",
            ("state.previous", "left,h", "part(-1)", "Previous part"),
        ),
        *hidden("Fold or unfold what the cursor is on", ("state.fold", "space", "open", "Fold")),
        *hidden(
            "Unfold everything, fold everything",
            ("state.expand", "e", "fold_all(False)", "Expand all"),
            ("state.collapse", "c", "fold_all(True)", "Collapse all"),
        ),
        *hidden("The text as stored", ("state.raw", "R", "raw", "Raw text")),
        Binding("v", "reveal", "Reveal", id="state.reveal", tooltip="Show this secret"),
        Binding("slash", "search", "Search", id="state.search", tooltip="Find in this value"),
        *hidden(
            "The next hit of a search, the one before",
            ("state.next_hit", "n", "hit(1)", "Next hit"),
            ("state.previous_hit", "N", "hit(-1)", "Previous hit"),
        ),
    ]

    @dataclass
    class SearchWanted(Message):
        """Somebody wants to search in the value on show."""

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._hits: tuple[Path, ...] = ()
        self._searched: JsonTree | None = None
        self._hit = -1
        self._run: LoadedRun | None = None
        self._step: Step | None = None
        self._chosen_part = OUTPUT
        self._raw = False
        self._trees: dict[str, tuple[str | None, JsonTree]] = {}

    @property
    def _part(self) -> str:
        """The part on show."""
        chosen = self._chosen_part
        return chosen if self._run is None else open_part(self._run, self._step, chosen)

    @property
    def json_tree(self) -> JsonTree | None:
        """The JSON tree on show; None in the Difference part and for raw text."""
        kept = self._trees.get(self._part)
        return None if kept is None or self._raw or self._part == DIFFERENCE else kept[1]

    def show_step(self, run: LoadedRun | None, index: int | None) -> None:
        """Show one step of a run; no index means the run has no steps."""
        self._run = run
        self._step = None if run is None or index is None else find(run.steps, index)
        self.rebuild()

    def rebuild(self, item: object | None = None) -> None:
        """Show the part that is open."""
        self.show(self._rows(), item=item)

    def go_to(self, part: str, path: Path) -> None:
        """Show a part, unfolded at a value and with the cursor on it."""
        self._chosen_part, self._raw = part, False
        self.rebuild()
        if self.json_tree is not None:
            self.json_tree.show(path)
            self.rebuild(path)

    @property
    def called(self) -> str:
        """What a file with something of this is called: the run and the part."""
        run = "" if self._run is None else self._run.detail.summary.key.run_id
        kept = "".join(char for char in run if char.isascii() and char.isalnum())[:8]
        return f"{kept}-{self._part}".strip("-").replace(" ", "-").lower()

    def action_part(self, by: int) -> None:
        """Show the next or previous part."""
        parts = parts_of(self._step)
        self._chosen_part = parts[(parts.index(self._part) + by) % len(parts)]
        self.rebuild()

    def action_open(self) -> None:
        """Fold or unfold the value under the cursor."""
        if self.json_tree is not None and isinstance(self.item, tuple):
            self.json_tree.toggle(self.item)
            self.rebuild()

    def action_fold_all(self, fold: bool) -> None:
        """Close everything, or open everything that is not too much."""
        if self.json_tree is None:
            return
        if fold:
            self.json_tree.collapse_all()
        elif not self.json_tree.expand_all():
            self.notify("Only a part is unfolded: the value is very large", markup=False)
        self.rebuild()

    def action_raw(self) -> None:
        """Show the text as it is stored, or the tree again."""
        self._raw = not self._raw
        self.rebuild()

    def action_reveal(self) -> None:
        """Show the masked value under the cursor."""
        if self.json_tree is not None and isinstance(self.item, tuple):
            self.json_tree.reveal(self.item)
            self.rebuild()

    def on_row_list_moved(self) -> None:
        """Show the path of the value under the cursor."""
        self.tick()

    def action_search(self) -> None:
        """Ask what to look for."""
        self.post_message(self.SearchWanted())

    @work(exclusive=True, group="search")
    async def search(self, needle: str) -> None:
        """Find keys and values that hold `needle`, also where the tree is folded."""
        tree = self.json_tree
        if tree is None:
            return
        # The hits of a large value take a while; the screen stays free meanwhile.
        hits = await asyncio.to_thread(lambda: tuple(islice(tree.find(needle), _MOST_HITS)))
        if tree is not self.json_tree:  # another value is on show by now
            return
        self._hits, self._searched, self._hit = hits, tree, -1
        if self._hits:
            self.action_hit(1)
        else:
            self.notify(f"Nothing here holds {line(needle, 60)}", markup=False)

    def action_hit(self, by: int) -> None:
        """Go to the next or previous hit of the search, unfolding what hides it."""
        if self._hits and self.json_tree is not None and self.json_tree is self._searched:
            self._hit = (self._hit + by) % len(self._hits)
            path = self._hits[self._hit]
            self.json_tree.show(path)
            self.rebuild(path)

    def _rows(self) -> RowSource:
        if self._run is None:
            return FixedRows(())
        heading = heading_rows(self._step, self._part, self.size.width)
        if self._part == DIFFERENCE:
            return FixedRows((*heading, Row(()), *difference_rows(self._run, self._step)))
        stored = part_text(self._run, self._step, self._part)
        if self._raw and stored is not None:
            return FixedRows((*heading, Row(()), *raw_rows(stored)))
        return TreeSource(heading, self._tree_of(stored), self._cursor_path)

    def _cursor_path(self) -> str:
        return path_text(self.item) if isinstance(self.item, tuple) else ""

    def _tree_of(self, text: str | None) -> JsonTree:
        """Return the tree of the open part; for another text, folded as the last one was."""
        kept = self._trees.get(self._part)
        if kept is not None and kept[0] == text:
            return kept[1]
        tree = JsonTree(text) if kept is None else kept[1].with_text(text)
        self._trees[self._part] = (text, tree)
        return tree
