"""The comparison in a condition of `if` or `?:`: by it a branch says which side it leads to.

Compilers swap the operands of a comparison, but not those where one is a constant.
"""

from enum import StrEnum

from clang.cindex import TypeKind

from cyclescope.sources import constants
from cyclescope.sources.syntax import SyntaxNode


class Sense(StrEnum):
    """When a condition holds: an operand is zero, has some of the bits asked for, or is less."""

    ZERO = "zero"
    NOT_ZERO = "not zero"
    NO_BITS = "no bits"
    BITS = "bits"
    EQUAL = "equal"
    UNEQUAL = "unequal"
    LESS = "less"
    MORE = "more"
    UNKNOWN = ""


OPPOSITE = {
    Sense.ZERO: Sense.NOT_ZERO,
    Sense.NO_BITS: Sense.BITS,
    Sense.EQUAL: Sense.UNEQUAL,
    Sense.LESS: Sense.MORE,
    Sense.UNKNOWN: Sense.UNKNOWN,
}
OPPOSITE |= {other: one for one, other in OPPOSITE.items()}
BESIDE_CONSTANT = {
    **dict.fromkeys(("<", "<="), Sense.LESS),
    **dict.fromkeys((">", ">="), Sense.MORE),
}
EQUALITY = {"==": Sense.EQUAL, "!=": Sense.UNEQUAL}
COMPOSED = ("CONDITIONAL_OPERATOR", "StmtExpr", "CALL_EXPR")
"""The comparison may be inside them."""
REAL = (TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE)
WORD_BYTES = 4
COMPARED = (*EQUALITY, *BESIDE_CONSTANT)
SEVERAL = ("&&", "||", ",", "=")
"""Operators of conditions that are no single comparison."""


def sense(condition: SyntaxNode, text: bytes) -> Sense:
    """When a condition holds; unknown where it has several parts, or compares two variables."""
    node = condition.plain()
    if node.kind in COMPOSED or not _is_word(node):
        return Sense.UNKNOWN
    if node.kind == "UNARY_OPERATOR" and node.operator == "!":
        return OPPOSITE[sense(node.children[0], text)]
    if node.kind != "BINARY_OPERATOR":
        return Sense.NOT_ZERO
    if node.operator in SEVERAL:
        return Sense.UNKNOWN
    left, right = node.children
    if left.type.kind in REAL and node.operator in COMPARED:
        # A function compares them, and returns whether it holds; for != whether they are equal.
        return Sense.ZERO if node.operator == "!=" else Sense.NOT_ZERO
    if not _is_word(left):
        return Sense.UNKNOWN
    if node.operator in EQUALITY:
        zero = [constants.value(one, text) == 0 for one in (left, right)]
        if any(zero):
            found = sense(right if zero[0] else left, text)
            beside = Sense.BITS if found == Sense.BITS else Sense.NOT_ZERO
            return beside if node.operator == "!=" else OPPOSITE[beside]
        return EQUALITY[node.operator]
    if node.operator in BESIDE_CONSTANT:
        found = BESIDE_CONSTANT[node.operator]
        if constants.is_constant(right):
            return found
        return OPPOSITE[found] if constants.is_constant(left) else Sense.UNKNOWN
    return Sense.BITS if node.operator == "&" else Sense.NOT_ZERO


def _is_word(node: SyntaxNode) -> bool:
    """Whether it is an integer or pointer that one comparison compares."""
    return node.type.kind not in REAL and node.type.get_size() <= WORD_BYTES
