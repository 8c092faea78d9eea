"""Says of an expression whether its value may be a string that was put together from others."""

from __future__ import annotations

import ast

TEXT_TYPES = {"Any", "JsonText", "Stored", "object", "str"}
"""Annotations under which a stored string may hide."""

Names = dict[str, bool]
"""A name, and whether everything it is known to stand for is safe."""


def declared_safe(node: ast.AnnAssign) -> bool:
    """Judge a constant by its value, anything else by its type."""
    if last_name(node.annotation) == "Final" and node.value is not None:
        return is_safe(node.value, {})
    return annotated_safe(node.annotation)


def annotated_safe(annotation: ast.expr | None) -> bool:
    """Say whether a value of this type is an object of some class and holds no bare string."""
    if annotation is None:
        return False
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    types = {last_name(node) for node in ast.walk(annotation)}
    return types.isdisjoint(TEXT_TYPES) and any(name[:1].isupper() for name in types)


def is_safe(value: ast.expr, names: Names) -> bool:
    """Say whether the value cannot be a built string."""
    match value:
        case ast.Constant():
            return True
        case ast.Call(func=function):
            name = last_name(function)
            return (name[:1].isupper() or _is_content(function)) or names.get(name, False)
        case ast.Name() | ast.Attribute():
            return names.get(last_name(value), False)
        case ast.IfExp(body=body, orelse=other):
            return is_safe(body, names) and is_safe(other, names)
        case (
            ast.BoolOp(values=parts)
            | ast.Tuple(elts=parts)
            | ast.List(elts=parts)
            | ast.Dict(values=parts)
        ):
            return all(is_safe(part, names) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return is_safe(left, names) and is_safe(right, names)
        case ast.Starred(value=inner) | ast.Await(value=inner) | ast.Subscript(value=inner):
            return is_safe(inner, names)
        case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
            return is_safe(element, names)
    return False


def _is_content(function: ast.expr) -> bool:
    """Say whether it is one of Content's or Text's constructors, such as `Content.assemble`."""
    return isinstance(function, ast.Attribute) and last_name(function.value) in {"Content", "Text"}


def is_built(value: ast.expr) -> bool:
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
    return is_built(value) or (isinstance(value, ast.Constant) and isinstance(value.value, str))


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name, or nothing."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=inner):
            return last_name(inner)
    return ""
