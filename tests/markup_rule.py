"""Finds widget content that Textual would parse as markup although it may hold stored text.

A widget given a `str` parses it: `[/]` in a stored error crashes, `[@click=...]` becomes a live
link. So what goes into a widget must be a literal or an object such as `Content(value)`. The rule
reads source code alone and is strict: a value counts as safe only if the code shows that it is no
built string, by what is assigned to it or by its annotation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.markup_safety import Names, annotated_safe, declared_safe, is_built, is_safe, last_name

WIDGETS = {
    "Button", "Checkbox", "Collapsible", "Label", "Link", "Option", "OptionList", "RadioButton",
    "Static", "Tab", "TabPane", "TabbedContent", "Toast", "Tooltip", "Tree", "TreeNode",
}  # fmt: skip
"""Constructors whose positional arguments Textual parses."""

METHODS = {"add_option", "add_options", "from_markup", "from_text", "hidden", "notify"}
"""Methods whose first argument is parsed, whatever they are called on."""

LATER = {"call_after_refresh", "call_later", "call_next", "partial", "run_worker"}
"""Functions that call their first argument with the others."""

SHARED = {"DiscoveryHit", "Hit", "add", "add_column", "add_leaf", "add_row", "update"}
"""Methods that sets and dicts have too, and what must be a `str`: only evidently built strings are
refused."""

SLOTS = {
    "BORDER_SUBTITLE", "BORDER_TITLE", "border_subtitle", "border_title", "content", "label",
    "prompt", "tooltip",
}  # fmt: skip
"""Attributes and keyword arguments that are parsed."""


class Source(NamedTuple):
    """One module to look at."""

    path: str
    text: str


def violations(sources: Sequence[Source], others: Sequence[Source] = ()) -> list[str]:
    """Return `path:line: code` of every place in `sources` where a built string reaches a widget.

    `others` are not judged, but tell what the names they define stand for.
    """
    trees = [(source, ast.parse(source.text)) for source in sources]
    every = [tree for _, tree in trees] + [ast.parse(source.text) for source in others]
    known = _known_names(every)
    widgets = _with_subclasses(every, WIDGETS)
    return [
        f"{source.path}:{node.lineno}: {ast.unparse(node)}"
        for source, tree in trees
        for node in _refused(tree, known, widgets)
    ]


def _known_names(trees: Sequence[ast.Module]) -> Names:
    """Learn functions, attributes and constants; a name used twice must be safe both times."""
    known: Names = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                _learn(known, node.name, annotated_safe(node.returns))
            elif isinstance(node, ast.AnnAssign):
                _learn(known, last_name(node.target), declared_safe(node))
        for node in tree.body:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    _learn(known, last_name(target), is_safe(node.value, {}))
    return known


def _learn(names: Names, name: str, safe: bool) -> None:
    names[name] = names.get(name, True) and safe


def _with_subclasses(trees: Sequence[ast.Module], roots: set[str]) -> set[str]:
    """Add the classes that inherit a root's constructor, however far down."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found = set(roots)
    while new := {
        node.name
        for node in classes
        if node.name not in found
        and found.intersection(map(last_name, node.bases))
        and not any(isinstance(i, ast.FunctionDef) and i.name == "__init__" for i in node.body)
    }:
        found |= new
    return found


def _refused(node: ast.AST, names: Names, widgets: set[str]) -> Iterator[ast.expr]:
    """Walk down, knowing in each function its own names as well."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        names = {**names, **_local_names(node, names)}
    if isinstance(node, ast.FunctionDef) and node.name == "render":
        yield from (
            statement.value
            for statement in ast.walk(node)
            if isinstance(statement, ast.Return)
            and statement.value is not None
            and is_built(statement.value)
        )
    for value in _parsed_values(node, widgets):
        if not is_safe(value, names):
            yield value
    if isinstance(node, ast.Call) and last_name(node.func) in SHARED:
        yield from filter(is_built, (*node.args, *(keyword.value for keyword in node.keywords)))
    for child in ast.iter_child_nodes(node):
        yield from _refused(child, names, widgets)


def _parsed_values(node: ast.AST, widgets: set[str]) -> Iterator[ast.expr]:
    """Yield what the node hands to Textual as content."""
    match node:
        case ast.Assign(targets=targets, value=value):
            if any(_is_slot(target) for target in targets):
                yield value
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            if _is_slot(target):
                yield value
        case ast.AugAssign(target=target, value=value):
            if _is_slot(target):
                yield value
        case ast.Call(func=ast.Name("setattr"), args=[_, ast.Constant(value=name), value]):
            if name in SLOTS:
                yield value
        case ast.Call(func=function, args=[called, *arguments]) if last_name(function) in LATER:
            yield from _parsed_arguments(called, arguments, node.keywords, widgets)
        case ast.Call(func=function, args=arguments):
            yield from _parsed_arguments(function, arguments, node.keywords, widgets)


def _parsed_arguments(
    function: ast.expr,
    arguments: Sequence[ast.expr],
    keywords: Sequence[ast.keyword],
    widgets: set[str],
) -> Iterator[ast.expr]:
    """Yield what a call hands on, unless it says that it is no markup."""
    named = {keyword.arg: keyword.value for keyword in keywords}
    markup = named.get("markup")
    if isinstance(markup, ast.Constant) and markup.value is False:
        return
    name = last_name(function)
    if name in widgets or _is_widget_super(function):
        yield from arguments
        yield from (value for key, value in named.items() if key is None)
    elif name in METHODS:
        yield from arguments[:1]
    if name != "from_markup":
        yield from (value for key, value in named.items() if key in SLOTS)


def _is_slot(target: ast.expr) -> bool:
    return isinstance(target, ast.Attribute | ast.Name) and last_name(target) in SLOTS


def _is_widget_super(function: ast.expr) -> bool:
    """Say whether it is `super().__init__`, whose class is taken for a widget's."""
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "__init__"
        and isinstance(function.value, ast.Call)
        and last_name(function.value.func) == "super"
    )


def _local_names(
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, outer: Names
) -> Names:
    arguments = function.args
    local: Names = {}
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        _learn(local, argument.arg, annotated_safe(argument.annotation))
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    _learn(local, target.id, is_safe(node.value, {**outer, **local}))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            _learn(local, node.target.id, is_safe(node.value, {**outer, **local}))
    return local
