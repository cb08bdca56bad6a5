"""Constant expressions, as front ends of compilers fold them."""

import re
from collections.abc import Callable

from cyclescope.sources.syntax import SyntaxNode

LITERALS = ("INTEGER_LITERAL", "CHARACTER_LITERAL", "FLOATING_LITERAL", "CXX_UNARY_EXPR")
"""With `sizeof` and `_Alignof`."""
COMPOSED = (
    *("UNARY_OPERATOR", "BINARY_OPERATOR", "CONDITIONAL_OPERATOR"),
    *("PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR"),
)
FOLDED_UNARY = ("+", "-", "~", "!")
NUMBER = re.compile(rb"(0[xXbB][0-9a-fA-F]+|[0-9]+)[uUlL]*")
FOLDED: dict[str, Callable[..., int]] = {
    "+": lambda a, b=0: a + b,
    "-": lambda a, b=None: -a if b is None else a - b,
    "*": lambda a, b: a * b,
    "~": lambda a: ~a,
    "<<": lambda a, b: a << min(b, 64),
    ">>": lambda a, b: a >> min(b, 64),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def is_constant(node: SyntaxNode) -> bool:
    """Whether an arithmetic expression has the same value each time by C's own rules."""
    if node.kind in LITERALS:
        return True
    if node.kind == "DECL_REF_EXPR":
        declared = node.referenced
        return declared is not None and declared.kind.name == "ENUM_CONSTANT_DECL"
    if node.kind not in COMPOSED or not node.children:
        return False
    if node.kind == "UNARY_OPERATOR" and node.operator not in FOLDED_UNARY:
        return False
    if node.kind == "BINARY_OPERATOR" and node.operator in ("=", ","):
        return False
    values = (one for one in node.children if one.kind != "TYPE_REF")
    return all(is_constant(one) for one in values)


def value(node: SyntaxNode, text: bytes) -> int | None:
    """The value of a constant integer expression of literals and enumerations, without overflow."""
    node = node.plain()
    if node.kind == "INTEGER_LITERAL":
        found = NUMBER.match(text, node.begin, node.end)
        return _number(found[1]) if found else None
    if node.kind == "DECL_REF_EXPR" and is_constant(node):
        return int(node.referenced.enum_value)
    if node.kind == "CSTYLE_CAST_EXPR":
        return value(node.children[-1], text)
    if node.kind in ("UNARY_OPERATOR", "BINARY_OPERATOR") and node.operator in FOLDED:
        parts = [value(one, text) for one in node.children]
        known = [one for one in parts if one is not None]
        return FOLDED[node.operator](*known) if len(known) == len(parts) else None
    return None


def _number(digits: bytes) -> int:
    octal = digits.startswith(b"0") and digits.isdigit() and len(digits) > 1
    return int(digits, 8) if octal else int(digits, 0)
