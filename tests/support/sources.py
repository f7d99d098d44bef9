"""Source text as trees."""

from __future__ import annotations

import ast


def as_written(node: ast.expr) -> str:
    """An expression as text; that of plain names is quick."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return f"{as_written(node.value)}.{node.attr}"
        case _:
            return ast.unparse(node)
