"""The payloads of one run: what it and its steps were given and gave, each as stored JSON text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import msgspec

from zeroth_store.browse import JsonText, Stored
from zeroth_store.filters.terms import Place
from zeroth_store.payloads import Spot
from zeroth_store.sqlite.decoding.cells import json_text, read_inner, strings
from zeroth_store.sqlite.decoding.jsontext import (
    NOTHING,
    Unreadable,
    raw_text,
    read_object,
    read_objects,
)
from zeroth_store.sqlite.detail.run import waiting_input

HOLDERS: Final[dict[Place, tuple[str, ...]]] = {
    "input": ("metadata", "execution_history"),
    "output": ("execution_history", "final_output"),
    "any": ("metadata", "execution_history", "final_output"),
}
"""The columns that payloads of a place are in."""

PENDING: Final = "pending_node_ids"
"""The column that names the nodes whose turn comes next; it tells which payload is the input."""

_PLACES: Final[tuple[Literal["input", "output"], ...]] = ("input", "output")


class Payload(NamedTuple):
    """One payload and where it is."""

    spot: Spot
    """Without a path."""
    text: JsonText
    is_whole_cell: bool = False
    """True for a cell that does not have the shape it should: it is searched as it is stored."""


class _Step(msgspec.Struct, gc=False):
    input_snapshot: msgspec.Raw = NOTHING
    output_snapshot: msgspec.Raw = NOTHING


class _Metadata(msgspec.Struct):
    initial_input: msgspec.Raw = NOTHING
    node_payloads: msgspec.Raw = NOTHING
    in_flight_dispatch: msgspec.Raw = NOTHING


class _Dispatch(msgspec.Struct):
    input_payload: msgspec.Raw = NOTHING


def payloads(cells: dict[str, Stored]) -> Iterator[Payload]:
    """Yield the payloads in a run's cells by column name, as far as these were read.

    Steps come first, then the node that was dispatched last, the run's output and its input.
    """
    steps: list[_Step | None] = []
    history = cells.get("execution_history")
    try:
        steps = [] if history is None else read_objects(json_text(history), _Step)
    except Unreadable:
        yield from (Payload(Spot(place=place), _raw(history), True) for place in _PLACES)
    for index, step in enumerate(steps):
        if step is not None:
            yield from _given(Spot(place="input", step=index), step.input_snapshot)
            yield from _given(Spot(place="output", step=index), step.output_snapshot)
    yield from _of_metadata(cells, started=any(step is not None for step in steps))


def _of_metadata(cells: dict[str, Stored], *, started: bool) -> Iterator[Payload]:
    metadata, output = cells.get("metadata"), cells.get("final_output")
    whole, read = None, _Metadata()
    try:
        read = _Metadata() if metadata is None else read_object(json_text(metadata), _Metadata)
    except Unreadable:
        whole = Payload(Spot(place="input"), _raw(metadata), True)
    dispatch = read_inner(read.in_flight_dispatch, _Dispatch)
    yield from _given(Spot(place="input", in_flight=True), dispatch.input_payload)
    if output is not None:
        yield Payload(Spot(place="output"), _raw(output), isinstance(output, bytes))
    if whole is not None:
        yield whole
    elif raw_text(read.initial_input):
        yield from _given(Spot(place="input"), read.initial_input)
    elif not started:
        pending = strings(cells.get(PENDING), PENDING)
        waiting = waiting_input(read.node_payloads, pending)
        if waiting is not None:
            yield Payload(Spot(place="input"), waiting)


def _given(spot: Spot, raw: msgspec.Raw) -> Iterator[Payload]:
    text = raw_text(raw)
    if text is not None:
        yield Payload(spot, text)


def _raw(cell: Stored) -> str:
    """Return what a cell holds as text, a blob's bytes too."""
    return cell.decode("utf-8", "surrogateescape") if isinstance(cell, bytes) else str(cell)
