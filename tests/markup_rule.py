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

WIDGETS = {
    "Button", "Checkbox", "Collapsible", "Label", "Link", "Option", "OptionList", "RadioButton",
    "Static", "Tab", "TabPane", "TabbedContent", "Toast", "Tooltip", "Tree", "TreeNode",
}  # fmt: skip
"""Constructors whose positional arguments Textual parses."""

METHODS = {"add_option", "add_options", "from_markup", "from_text", "notify"}
"""Methods whose first argument is parsed, whatever they are called on."""

SHARED_METHODS = {"add", "add_column", "add_leaf", "add_row", "update"}
"""Methods of widgets that sets and dicts have too: only evidently built strings are refused."""

SLOTS = {
    "BORDER_SUBTITLE", "BORDER_TITLE", "border_subtitle", "border_title", "content", "label",
    "prompt", "tooltip",
}  # fmt: skip
"""Attributes and keyword arguments that are parsed."""

TEXT_TYPES = {"Any", "JsonText", "Stored", "object", "str"}
"""Annotations under which a stored string may hide."""

Names = dict[str, bool]
"""A name, and whether everything it is known to stand for is safe."""


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
                _learn(known, node.name, _annotated_safe(node.returns))
            elif isinstance(node, ast.AnnAssign):
                _learn(known, _name(node.target), _declared_safe(node))
        for node in tree.body:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    _learn(known, _name(target), _is_safe(node.value, {}))
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
        and found.intersection(map(_name, node.bases))
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
            and _is_built(statement.value)
        )
    for value in _parsed_values(node, widgets):
        if not _is_safe(value, names):
            yield value
    if isinstance(node, ast.Call) and _name(node.func) in SHARED_METHODS:
        yield from filter(_is_built, node.args)
    for child in ast.iter_child_nodes(node):
        yield from _refused(child, names, widgets)


def _parsed_values(node: ast.AST, widgets: set[str]) -> Iterator[ast.expr]:
    """Yield what the node hands to Textual as content."""
    if isinstance(node, ast.Assign):
        if any(isinstance(t, ast.Attribute | ast.Name) and _name(t) in SLOTS for t in node.targets):
            yield node.value
    elif isinstance(node, ast.Call):
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        markup = keywords.get("markup")
        if isinstance(markup, ast.Constant) and markup.value is False:
            return
        name = _name(node.func)
        if name in widgets or _is_widget_super(node.func):
            yield from node.args
        elif name in METHODS:
            yield from node.args[:1]
        if name != "from_markup":
            yield from (value for key, value in keywords.items() if key in SLOTS)


def _is_widget_super(function: ast.expr) -> bool:
    """Say whether it is `super().__init__`, whose class is taken for a widget's."""
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "__init__"
        and isinstance(function.value, ast.Call)
        and _name(function.value.func) == "super"
    )


def _local_names(
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, outer: Names
) -> Names:
    arguments = function.args
    local: Names = {}
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        _learn(local, argument.arg, _annotated_safe(argument.annotation))
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    _learn(local, target.id, _is_safe(node.value, {**outer, **local}))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            _learn(local, node.target.id, _is_safe(node.value, {**outer, **local}))
    return local


def _declared_safe(node: ast.AnnAssign) -> bool:
    """Judge a constant by its value, anything else by its type."""
    if _name(node.annotation) == "Final" and node.value is not None:
        return _is_safe(node.value, {})
    return _annotated_safe(node.annotation)


def _annotated_safe(annotation: ast.expr | None) -> bool:
    """Say whether a value of this type is an object of some class and holds no bare string."""
    if annotation is None:
        return False
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    types = {_name(node) for node in ast.walk(annotation)}
    return types.isdisjoint(TEXT_TYPES) and any(name[:1].isupper() for name in types)


def _is_safe(value: ast.expr, names: Names) -> bool:
    """Say whether the value cannot be a built string."""
    match value:
        case ast.Constant():
            return True
        case ast.Call(func=function):
            name = _name(function)
            return (name[:1].isupper() or _is_content(function)) or names.get(name, False)
        case ast.Name() | ast.Attribute():
            return names.get(_name(value), False)
        case ast.IfExp(body=body, orelse=other):
            return _is_safe(body, names) and _is_safe(other, names)
        case (
            ast.BoolOp(values=parts)
            | ast.Tuple(elts=parts)
            | ast.List(elts=parts)
            | ast.Dict(values=parts)
        ):
            return all(_is_safe(part, names) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_safe(left, names) and _is_safe(right, names)
        case ast.Starred(value=inner) | ast.Await(value=inner) | ast.Subscript(value=inner):
            return _is_safe(inner, names)
        case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
            return _is_safe(element, names)
    return False


def _is_content(function: ast.expr) -> bool:
    """Say whether it is one of Content's or Text's constructors, such as `Content.assemble`."""
    return isinstance(function, ast.Attribute) and _name(function.value) in {"Content", "Text"}


def _is_built(value: ast.expr) -> bool:
    """Say whether the value is evidently a string put together from others."""
    match value:
        case ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Mod() | ast.Add(), right=right):
            return any(_is_text(part) for part in (left, right))
        case ast.Call(func=ast.Name(id="str")):
            return True
        case ast.Call(func=ast.Attribute(value=receiver, attr="format" | "join")):
            return _is_text(receiver)
    return False


def _is_text(value: ast.expr) -> bool:
    return _is_built(value) or (isinstance(value, ast.Constant) and isinstance(value.value, str))


def _name(node: ast.AST) -> str:
    """Return the last part of a dotted name, or nothing."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=inner):
            return _name(inner)
    return ""
