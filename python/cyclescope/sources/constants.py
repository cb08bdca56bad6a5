"""Constant expressions, as front ends of compilers fold them."""

import re

from cyclescope.sources.syntax import SyntaxNode

LITERALS = ("INTEGER_LITERAL", "CHARACTER_LITERAL", "FLOATING_LITERAL", "CXX_UNARY_EXPR")
"""With `sizeof` and `_Alignof`."""
COMPOSED = (
    *("UNARY_OPERATOR", "BINARY_OPERATOR", "CONDITIONAL_OPERATOR"),
    *("PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR"),
)
FOLDED_UNARY = ("+", "-", "~", "!")
NUMBER = re.compile(rb"\(*(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*\)*$")


def is_constant(node: SyntaxNode) -> bool:
    """Whether an arithmetic expression has the same value each time by C's own rules."""
    if node.kind in LITERALS:
        return True
    if node.kind == "DECL_REF_EXPR":
        declared = node.cursor.referenced
        return declared is not None and declared.kind.name == "ENUM_CONSTANT_DECL"
    if node.kind not in COMPOSED or not node.children:
        return False
    if node.kind == "UNARY_OPERATOR" and node.operator not in FOLDED_UNARY:
        return False
    if node.kind == "BINARY_OPERATOR" and node.operator in ("=", ","):
        return False
    values = (one for one in node.children if one.kind != "TYPE_REF")
    return all(is_constant(one) for one in values)


def literal(node: SyntaxNode, text: bytes) -> int | None:
    """The value of a literal number, in parentheses and conversions too."""
    found = NUMBER.match(text[node.begin : node.end].replace(b" ", b""))
    if found is None:
        return None
    digits = found[1]
    octal = digits.startswith(b"0") and digits.isdigit() and len(digits) > 1
    return int(digits, 8) if octal else int(digits, 0)
