"""The filter: one line to type it into, with help while typing, and the sign that one is on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input

from zeroth_tui.widgets.filter_help import FilterHelp
from zeroth_tui.widgets.filter_line import FilterLine
from zeroth_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from zeroth_store.filters import Filter, FilterError
    from zeroth_store.filters.terms import TextKey


@dataclass
class _FromBar(Message):
    """What a filter bar says."""

    bar: FilterBar

    def can_replace(self, message: Message) -> bool:
        """Only the last of a burst matters."""
        return isinstance(message, type(self)) and message.bar is self.bar


class FilterBar(Widget):
    """Reads a filter while it is typed; what is wrong is said and leaves the last good one on."""

    BINDING_GROUP_TITLE = "Filter"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "tab,ctrl+@,right",
            "take",
            "Complete",
            key_display="tab",
            id="filter.take",
            tooltip="Put in the choice that is marked",
        ),
        Binding("up", "choose(-1)", "Choice before", show=False, id="filter.up"),
        Binding("down", "choose(1)", "Next choice", show=False, id="filter.down"),
        Binding("escape", "leave", "Clear", id="filter.leave", tooltip="End the filter"),
    ]

    DEFAULT_CSS = """
    FilterBar {
        height: 1;
        background: $surface;
        display: none;
        &.-open { display: block; }

        & > FilterHelp { offset-x: 9; }
    }
    """

    count: reactive[str] = reactive("", init=False)
    """What the filter found, or how far it is: `12 of 1,204`; stands on the right."""

    _helper = query_one(FilterHelp)
    _line = query_one(FilterLine)

    @dataclass
    class Changed(_FromBar):
        """Another filter is on; None when there is none any more."""

        filter: Filter | None

    @dataclass
    class ValuesWanted(_FromBar):
        """Values of a key that fit what was typed would help; answer with `offer`."""

        key: TextKey
        typed: str

    @dataclass
    class Left(_FromBar):
        """The person is done with the filter and goes on to the list."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        """Read filters as of `clock`, which decides what is within the calendar."""
        super().__init__()
        self._clock = clock
        self._filter: Filter | None = None
        self._applied = ""
        self._error: FilterError | None = None

    def compose(self) -> ComposeResult:
        """Lay out the line, and the box below it that helps while typing."""
        yield FilterLine().data_bind(FilterBar.count)
        yield FilterHelp()

    def on_mount(self) -> None:
        """Follow the cursor."""
        self.watch(self._line.input, "selection", self._complete, init=False)

    @property
    def value(self) -> str:
        """The text as typed, which may be wrong."""
        return self._line.input.value

    def put(self, text: str) -> bool:
        """Put in another text; says whether that makes another filter, which Changed tells of."""
        before = self._filter
        with self._line.input.prevent(Input.Changed):
            self._line.input.value = text
        self._line.input.cursor_position = len(text)
        self._read()
        return self._filter != before

    @property
    def applied(self) -> str:
        """The text of the filter that is on: the last that was right."""
        return self._applied

    @property
    def is_open(self) -> bool:
        """Whether the bar is in sight: somebody types, or has typed something."""
        return self._line.editing or bool(self.value.strip())

    def open(self) -> None:
        """Let the person type."""
        self._line.editing = True
        self.add_class("-open")
        # At once, so that what is typed ahead is text and not commands.
        self.screen.set_focus(self._line.input)
        self._line.input.cursor_position = len(self.value)
        self._complete()

    def close(self) -> None:
        """End the filter."""
        self.put("")
        self._stop_editing()
        self.post_message(self.Left(self))

    def offer(self, key: str, typed: str, values: tuple[str, ...]) -> None:
        """Answer ValuesWanted; an answer that comes too late does nothing."""
        self._helper.offer(key, typed, values)

    @on(Input.Changed)
    def read_text(self, event: Input.Changed) -> None:
        """Understand what was typed."""
        event.stop()
        self._complete()
        self._read()

    @on(Input.Submitted)
    def use_text(self, event: Input.Submitted) -> None:
        """Take the choice that was picked, else go on to the list; wrong text is not done with."""
        event.stop()
        if self._helper.picked:
            self._take()
            return
        self._end_help()
        if self._error is None:
            self.post_message(self.Left(self))

    @on(RowList.Opened)
    def take_clicked(self, event: RowList.Opened) -> None:
        """Put in what was clicked."""
        event.stop()
        self._take()

    @on(events.DescendantBlur)
    def stop_typing(self) -> None:
        """Show the filter that is on, when the focus goes elsewhere in the application."""
        if self.app.app_focus and not self._line.input.has_focus:
            self._stop_editing()

    def on_click(self) -> None:
        """Edit the filter that was clicked."""
        if not self._line.editing:
            self.open()

    def action_take(self) -> None:
        """Put in the marked choice; where there is none the key means what it means elsewhere."""
        if not self._take():
            raise SkipAction

    def action_choose(self, by: int) -> None:
        """Go through the choices; down from where there are none leads to the list."""
        if self._helper.choosing:
            self._helper.pick(by)
        elif by > 0:
            self.post_message(self.Left(self))

    def action_leave(self) -> None:
        """Close the choices, or else end the filter."""
        if self._helper.choosing:
            self._end_help()
        else:
            self.close()

    def _take(self) -> bool:
        edit = self._helper.taken()
        if edit is not None:
            self._line.input.replace(edit.text, edit.start, edit.end)
        return edit is not None

    def _read(self) -> None:
        """Understand the text; only what is right, and no half of a key, changes the filter."""
        # Only somebody who filters pays for the grammar.
        from zeroth_store.filters import FilterError, parse

        found = parse(self.value, now=self._clock())
        self._error = error = found if isinstance(found, FilterError) else None
        self._line.input.wrong = (error.start, error.end) if error else None
        self._helper.say(error)
        if not isinstance(found, FilterError) and not self._helper.naming:
            self._applied = self.value.strip()
            self._put_on(found if found.terms else None)
        self.set_class(self.is_open, "-open")
        self._line.show(self._applied, self._error)

    def _put_on(self, wanted: Filter | None) -> None:
        if wanted != self._filter:
            self._filter = wanted
            self.post_message(self.Changed(self, wanted))

    def _complete(self) -> None:
        """Offer what fits at the cursor, if somebody is typing."""
        if not self._line.editing:
            return
        wish = self._helper.complete(self.value, self._line.input.cursor_position)
        if wish is not None:
            self.post_message(self.ValuesWanted(self, wish.key, wish.typed))

    def _stop_editing(self) -> None:
        self._line.editing = False
        self._helper.end()
        self._read()

    def _end_help(self) -> None:
        """Offer nothing for now: what stands there is what is meant."""
        self._helper.be_silent()
        self._read()
