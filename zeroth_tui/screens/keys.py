"""Every key of a screen as people read of it: where it belongs, what it does, and why not now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from textual.actions import parse
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from zeroth_tui.key_words import names

GROUPS: Final = (
    *("List", "Find", "Watch", "Act", "Past", "Time bar"),
    *("Timeline", "State", "Checkpoints", "Run"),
    *("Filter", "Overview", "Journal", "Move", "Everywhere"),
)
"""What keys belong to, in the order in which people read of them."""


class Command(NamedTuple):
    """What a key does."""

    id: str
    group: str
    words: str
    help: str
    keys: tuple[str, ...]
    """The keys that do it here; empty where other commands have them."""
    bound: tuple[str, ...]
    """The keys that do it where the focus is in its node, by the keymap of the app."""
    action: str
    node: DOMNode
    """What does it."""
    reason: str
    """Why it does nothing now; empty where it does."""


@runtime_checkable
class Explaining(Protocol):
    """What a screen offers so that commands of all its parts can be named and given."""

    def reachable(self) -> Iterable[DOMNode]:
        """Return the parts that can do something, also those without the focus."""
        ...

    def why_not(self, node: DOMNode, action: str, parameters: tuple[object, ...]) -> str | None:
        """Return why a part does not do something now; empty where it does, None if unknown."""
        ...

    def bring_up(self, node: DOMNode) -> None:
        """Put the focus on a part."""
        ...


def declared(kind: type[DOMNode]) -> Iterator[tuple[str, Binding]]:
    """Yield the bindings of a class and of those that it is made of, each with its group."""
    for part in kind.__mro__:
        if issubclass(part, DOMNode):
            for binding in part.__dict__.get("BINDINGS", ()):
                if isinstance(binding, Binding) and binding.id and not binding.system:
                    yield part.BINDING_GROUP_TITLE or GROUPS[-1], binding


def working(screen: Screen[Any]) -> dict[str, tuple[str, ...]]:
    """Return the keys that do something where the focus is, by what they do."""
    found: dict[str, tuple[str, ...]] = {}
    for active in screen.active_bindings.values():
        if active.enabled and (name := active.binding.id):
            found[name] = (*found.get(name, ()), *names(active.binding))
    return found


def commands(screen: Screen[Any]) -> list[Command]:
    """Return what can be done on a screen, each thing once, by groups."""
    here, keymap = working(screen), screen.app._keymap
    found: dict[str, Command] = {}
    for node in _nodes(screen):
        for group, binding in declared(type(node)):
            name = binding.id or ""
            reason = _reason(screen, node, binding.action)
            if name not in found and reason is not None:
                keys = here.get(name, ())
                words, more = binding.description or binding.tooltip, binding.tooltip
                bound = names(binding, keymap)
                found[name] = Command(
                    name, group, words, more, keys, bound, binding.action, node, reason
                )
    return sorted(found.values(), key=lambda one: GROUPS.index(one.group))


async def give(screen: Screen[Any], command: Command) -> None:
    """Do what a command says, where it belongs; say why not where it cannot be done now."""
    if command.reason:
        words = f"{command.words}: {command.reason}"
        screen.notify(words, severity="warning", markup=False)
        return
    if isinstance(screen, Explaining):
        screen.bring_up(command.node)
    await screen.app.run_action(command.action, command.node)


def _nodes(screen: Screen[Any]) -> list[DOMNode]:
    """Return what has the focus with all around it, then the other parts."""
    around: list[DOMNode] = list((screen.focused or screen).ancestors_with_self)
    more = screen.reachable() if isinstance(screen, Explaining) else ()
    return list(dict.fromkeys((*around, *more)))


def _reason(screen: Screen[Any], node: DOMNode, action: str) -> str | None:
    """Return why an action does nothing now: empty where it does, None where nothing tells."""
    place, name, parameters = parse(action)
    if place:  # the app's own, which are always there
        return ""
    if isinstance(screen, Explaining):
        return screen.why_not(node, name, parameters)
    return "" if node.check_action(name, parameters) else None
