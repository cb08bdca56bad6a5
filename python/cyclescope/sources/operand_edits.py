"""Operators whose time depends on their operands: those of floating point, products and quotients.

A core without such instructions calls functions of the compiler, which have short ways for zeros.
"""

from cyclescope.sources import constants, scanning
from cyclescope.sources.edits import Edits
from cyclescope.sources.regions import FoundOperands, FunctionRegions
from cyclescope.sources.syntax import SyntaxNode

OPERATIONS = {"*": "multiply", "/": "divide", "%": "divide"}
WIDTHS = {
    **{"INT": "int", "LONG": "long", "UINT": "uint", "ULONG": "ulong"},
    **{"LONGLONG": "llong", "ULONGLONG": "ullong"},
}
"""Types of operations by clang's names, as the functions of runtime/counted.h are called."""
BY_POWER_OF_TWO, BY_ONE = 65, 66
"""Magnitudes of divisions whose divisor is a power of two, or 1, and whose quotient is not 0."""
REAL = {"*": "real multiply", "/": "real divide", "+": "real add", "-": "real subtract"}
"""Operators of floating point."""
REAL_WIDTHS = {"FLOAT": "float", "DOUBLE": "double"}
REAL_DIVISION = REAL["/"]
COUNTERS = {
    **{"multiply": 16, "divide": 67},
    **dict.fromkeys(REAL.values(), 2),
    REAL_DIVISION: 54,
}
"""Counters of a site: bytes of both factors (4 by 4); bits of the quotient (0 to 64), or one of
the two above. In floating point: whether an operand is zero, or the quotient's significant bits."""
NAMES = {"*": "multiply", "/": "divide", "%": "remain", "+": "add", "-": "subtract"}
SIMPLE = (
    *("DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "PAREN_EXPR"),
    *("UNEXPOSED_EXPR", "BINARY_OPERATOR"),
)
"""Expressions that may be evaluated twice, if their parts may be."""


def counted(
    found: FunctionRegions, node: SyntaxNode, text: bytes, region: int, edits: Edits
) -> None:
    """Counts the operands of a binary operation if its time depends on them."""
    operator = node.operator
    plain = operator if operator in REAL or operator == "%" else operator.removesuffix("=")
    assigns = operator != plain
    left, right = node.children
    kinds = [one.type.kind.name for one in ((left, right) if assigns else (node,))]
    if any(one in REAL_WIDTHS for one in kinds):
        operation = REAL.get(plain)
        width = REAL_WIDTHS["DOUBLE" if "DOUBLE" in kinds else "FLOAT"]
    else:
        operation, width = OPERATIONS.get(plain), WIDTHS.get(kinds[-1], "")
    if operation is None or not width or constants.is_constant(node):
        return
    literals = [constants.value(one, text) for one in (left, right)]
    if operation == "divide" and _is_power_of_two(literals[1]):
        return
    if assigns and not _is_simple(left):
        return
    first = found.operands[-1].end if found.operands else 0
    constant = next((one for one in literals if one is not None), None)
    end = first + COUNTERS[operation]
    number = len(found.operands)
    found.operands.append(
        FoundOperands(number, region, operation, width, first, end, constant, node)
    )
    function = f"cyclescope_{NAMES[plain]}_{width}(cyclescope_operands+{first},"
    if assigns:
        again = text[left.begin : left.end].decode(errors="surrogateescape")
        edits.around(
            right.begin,
            right.end,
            f"{function.replace(f'_{width}(', f'_by_{width}(')}{again},(",
            "))",
        )
        return
    sign = scanning.after_token(text, left.end, plain.encode())
    edits.before(left.begin, f"{function}(")
    edits.after(left.end, ")")
    edits.replace(sign - 1, sign, ",")
    edits.around(right.begin, right.end, "(", "))")


def _is_power_of_two(value: int | None) -> bool:
    return value is not None and value & (value - 1) == 0


def _is_simple(node: SyntaxNode) -> bool:
    """Whether an expression may be evaluated twice."""
    if node.kind == "INTEGER_LITERAL":
        return True
    if node.kind == "BINARY_OPERATOR" and node.operator not in ("+", "-"):
        return False
    return node.kind in SIMPLE and all(_is_simple(one) for one in node.children)
