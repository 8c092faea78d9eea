"""The State tab: what went into the selected step, what came out, and what changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Final

from textual import work
from textual.binding import Binding, BindingType
from textual.message import Message

from zeroth_tui.line import Piece, Row
from zeroth_tui.text import MASK, line, mask_json, one_line_json
from zeroth_tui.views.json_tree import JsonTree, Path, path_text
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.step import Step, find
from zeroth_tui.widgets.pane import Pane
from zeroth_tui.widgets.row_source import FixedRows, RowSource

PARTS: Final = ("Input", "Output", "Difference", "Run output", "Metadata")
_MOST_HITS: Final = 1000
_INPUT, _OUTPUT, _DIFFERENCE, _RUN_OUTPUT, _METADATA = PARTS


class TreeSource:
    """A heading over the rows of a JSON tree."""

    def __init__(self, heading: tuple[Row, ...], tree: JsonTree, path: Callable[[], str]) -> None:
        """Show `heading`, then the path of the cursor, then the tree."""
        self._heading = heading
        self._tree = tree
        self._path = path

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._above + self._tree.row_count

    @property
    def _above(self) -> int:
        return len(self._heading) + 1

    def row(self, index: int, width: int) -> Row:  # noqa: ARG002 - the list cuts with a mark
        """Return one row."""
        if index < len(self._heading):
            return self._heading[index]
        if index < self._above:
            return Row((Piece(self._path(), "muted"),))
        at = index - self._above
        return self._tree.rows(at, at + 1)[0]

    def find(self, item: object) -> int | None:
        """Return where a JSON path is shown, or None."""
        if not isinstance(item, tuple):
            return None
        at = self._tree.index_of(item)
        return None if at is None else at + self._above


class StatePane(Pane):
    """Keeps its part and its folding while the selected step changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "part(1)", "Next part", id="state.next", tooltip="Input, output, ..."),
        Binding("left,h", "part(-1)", "Previous part", show=False, id="state.previous"),
        Binding("space", "open", "Fold", show=False, id="state.fold"),
        Binding("v", "reveal", "Reveal", id="state.reveal", tooltip="Show this secret"),
        Binding("slash", "search", "Search", id="state.search", tooltip="Find in this value"),
        Binding("n", "hit(1)", "Next hit", show=False, id="state.next_hit"),
        Binding("N", "hit(-1)", "Previous hit", show=False, id="state.previous_hit"),
        Binding("y", "copy_value", "Copy value", show=False, id="state.copy_value"),
        Binding("Y", "copy_path", "Copy path", show=False, id="state.copy_path"),
    ]

    @dataclass
    class SearchWanted(Message):
        """Somebody wants to search in the value on show."""

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._hits: tuple[Path, ...] = ()
        self._hit = -1
        self._run: LoadedRun | None = None
        self._step: Step | None = None
        self._part = _OUTPUT
        self._trees: dict[str, tuple[str | None, JsonTree]] = {}

    @property
    def json_tree(self) -> JsonTree | None:
        """The JSON tree on show; None in the Difference part."""
        kept = self._trees.get(self._part)
        return None if kept is None or self._part == _DIFFERENCE else kept[1]

    def show_step(self, run: LoadedRun | None, index: int | None) -> None:
        """Show one step of a run; no index means the run has no steps."""
        self._run = run
        self._step = None if run is None or index is None else find(run.steps, index)
        self.rebuild()

    def rebuild(self, item: object | None = None) -> None:
        """Show the part that is open."""
        self.show(self._rows(), item=item)

    def action_part(self, by: int) -> None:
        """Show the next or previous part."""
        self._part = PARTS[(PARTS.index(self._part) + by) % len(PARTS)]
        self.rebuild()

    def action_open(self) -> None:
        """Fold or unfold the value under the cursor."""
        if self.json_tree is not None and isinstance(self.item, tuple):
            self.json_tree.toggle(self.item)
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
        self._hits = await asyncio.to_thread(lambda: tuple(islice(tree.find(needle), _MOST_HITS)))
        self._hit = -1
        if self._hits:
            self.action_hit(1)
        else:
            self.notify(f"Nothing here holds {line(needle, 60)}", markup=False)

    def action_hit(self, by: int) -> None:
        """Go to the next or previous hit of the search, unfolding what hides it."""
        if self._hits and self.json_tree is not None:
            self._hit = (self._hit + by) % len(self._hits)
            path = self._hits[self._hit]
            self.json_tree.show(path)
            self.rebuild(path)

    def action_copy_value(self) -> None:
        """Copy the value under the cursor as one line of JSON, secrets masked."""
        if self.json_tree is None or not isinstance(self.item, tuple):
            return
        masked = self.json_tree.is_hidden(self.item)
        value = MASK if masked else mask_json(self.json_tree.value_text(self.item))
        self._copy(one_line_json(value))

    def action_copy_path(self) -> None:
        """Copy the path of the value under the cursor."""
        if isinstance(self.item, tuple):
            self._copy(path_text(self.item))

    def _copy(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(f"Copied {line(text, 80)}", markup=False)

    def _rows(self) -> RowSource:
        if self._run is None:
            return FixedRows(())
        heading = (self._title(), self._part_names())
        if self._part == _DIFFERENCE:
            return FixedRows((*heading, Row(()), *self._difference(self._run)))
        return TreeSource(heading, self._tree_of(self._run, self._part), self._cursor_path)

    def _cursor_path(self) -> str:
        return path_text(self.item) if isinstance(self.item, tuple) else ""

    def _title(self) -> Row:
        if self._step is None:
            return Row((Piece("no step recorded", "muted"),))
        visit = f" #{self._step.visit}" if self._step.visit > 1 else ""
        status = line(self._step.status, 40)
        return Row(
            (Piece(f"{line(self._step.node_id, 80)}{visit}", "strong"), Piece(f"  {status}"))
        )

    def _part_names(self) -> Row:
        names = []
        for part in PARTS:
            is_open = part == self._part
            names.append(Piece(f"[{part}]" if is_open else part, "strong" if is_open else "muted"))
            names.append(Piece("  "))
        return Row(tuple(names))

    def _tree_of(self, run: LoadedRun, part: str) -> JsonTree:
        """Return the tree of a part; for another text, folded as the last one was."""
        text = self._text_of(run, part)
        kept = self._trees.get(part)
        if kept is not None and kept[0] == text:
            return kept[1]
        tree = JsonTree(text) if kept is None else kept[1].with_text(text)
        self._trees[part] = (text, tree)
        return tree

    def _text_of(self, run: LoadedRun, part: str) -> str | None:
        match part:
            case "Run output":
                return run.detail.output
            case "Metadata":
                return run.detail.metadata
            case _:
                return self._payload(run, part)

    def _payload(self, run: LoadedRun, part: str) -> str | None:
        step = self._step
        if step is None:
            return None
        entry = next((entry for entry in run.detail.history if entry.index == step.index), None)
        if entry is not None:
            return entry.input if part == _INPUT else entry.output
        in_flight = part == _INPUT and step.node_id == run.detail.in_flight_node
        return run.detail.in_flight_input if in_flight else None

    def _difference(self, run: LoadedRun) -> tuple[Row, ...]:
        if self._step is None:
            return (Row((Piece("no step recorded", "muted"),)),)
        from zeroth_tui.views.json_diff import diff, diff_rows

        return diff_rows(diff(self._payload(run, _INPUT), self._payload(run, _OUTPUT)))
