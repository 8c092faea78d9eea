"""The views that a person keeps in the settings file."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import msgspec

from zeroth_tui.settings.errors import RefusedError, must_be
from zeroth_tui.views.flat_runs import ORDERS
from zeroth_tui.views.named_views import Mode, NamedView, find_view


class _View(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A view as the file spells it."""

    name: str
    filter: str = ""
    sort: str = "created"
    descending: bool = True
    mode: str = "runs"


def own_views(written: object) -> tuple[NamedView, ...]:
    """Return the views of the file as the explorer knows them. Raises RefusedError."""
    if not isinstance(written, list):
        raise RefusedError("views must be tables, each headed [[views]]")
    views: list[NamedView] = []
    for at, one in enumerate(written):
        name = one.get("name") if isinstance(one, dict) else None
        title = f'view "{name}"' if isinstance(name, str) else f"view {at + 1}"
        try:
            view = _view(one)
            if find_view(view.name, views) is not None:
                raise RefusedError("there is another view of this name", ("name",))
        except RefusedError as error:
            raise RefusedError(f"{title}: {error}", (at, *error.path)) from error
        views.append(view)
    return tuple(views)


def _view(written: object) -> NamedView:
    if isinstance(written, dict):
        for key in written:
            if key not in _View.__struct_fields__:
                known = ", ".join(_View.__struct_fields__)
                raise RefusedError(f'there is no "{key}". A view may have: {known}', (key,))
    try:
        view = msgspec.convert(written, _View)
    except msgspec.ValidationError as error:
        known = ", ".join(_View.__struct_fields__)
        raise RefusedError(f"{error}. A view may have: {known}", _place(error)) from error
    if not view.name.strip():
        raise RefusedError("the name is empty", ("name",))
    orders = {order.by: order for order in ORDERS}
    order = next((order for by, order in orders.items() if by == view.sort), None)
    if order is None:
        raise must_be("sort", view.sort, f"one of {', '.join(orders)}", ("sort",))
    modes: tuple[Mode, ...] = get_args(Mode)
    mode = next((mode for mode in modes if mode == view.mode), None)
    if mode is None:
        raise must_be("mode", view.mode, f"one of {', '.join(modes)}", ("mode",))
    _check_filter(view.filter)
    order = msgspec.structs.replace(order, descending=view.descending)
    return NamedView(view.name.strip(), view.filter, order, mode)


def _place(error: msgspec.ValidationError) -> tuple[str, ...]:
    """Return the field that msgspec speaks of, as in `... - at `$.descending``."""
    _, found, path = str(error).partition("`$.")
    return (path.rstrip("`"),) if found else ()


def _check_filter(text: str) -> None:
    from zeroth_store.filters import FilterError, parse

    found = parse(text, now=datetime.now(UTC))
    if isinstance(found, FilterError):
        why = f'filter "{text}", at {found.start + 1}: {found.message}'
        raise RefusedError(why, ("filter",))
