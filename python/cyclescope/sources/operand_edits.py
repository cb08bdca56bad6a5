"""Operators whose time depends on their operands: those of floating point, products and quotients.

A core without such instructions calls functions of the compiler, which have short ways for zeros.
"""

import math

from cyclescope.sources import constants, scanning
from cyclescope.sources import operation_types as types
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
REAL_NAMES = {"f32": "float", "f64": "double"}
REAL_DIVISION = REAL["/"]
CONVERT = "convert"
"""Between integers and floating point. The width is that of both: `int double`."""
COUNTERS = {
    **{"multiply": 16, "divide": 67, CONVERT: 65},
    **dict.fromkeys((REAL["+"], REAL["-"]), 6),
    REAL["*"]: 3,
    REAL_DIVISION: 55,
}
"""Counters of a site: bytes of both factors (4 by 4); bits of the quotient (0 to 64), or one of
the two above. Of a conversion: bits of the integer, without its sign. In
floating point: the way by the operands (REAL_WAYS), or the quotient's significant
bits."""
REAL_USUAL, REAL_ZERO = 0, 1
REAL_WAYS: dict[str, dict[int, str]] = {
    REAL["*"]: {REAL_ZERO: "zero", 2: "power_of_two"},
    REAL["+"]: {REAL_ZERO: "zero", 2: "opposite", 3: "twice", 4: "far", 5: "cancels"},
    REAL_DIVISION: {REAL_USUAL: "zero", 54: "power_of_two"},
}
"""By operator and magnitude: the way of its function that operands of that kind take. Differences
are as sums. An operand is zero, or a power of two. Operands of a sum are opposite or equal, or one
is too small to change the other, or leading digits cancel."""
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
    name = NAMES[plain]
    if operation in REAL.values():
        name, operation = _as_compiled(name, operation, left, right, text)
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
    function = f"cyclescope_{name}_{width}(cyclescope_operands+{first},"
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


def converted(
    found: FunctionRegions, node: SyntaxNode, text: bytes, region: int, edits: Edits
) -> None:
    """Counts a conversion between integers and floating point, explicit or implicit."""
    values = [one for one in node.children if one.kind != "TYPE_REF"]
    if len(values) != 1 or constants.is_constant(values[0]):
        return
    inner = values[0]
    kinds = [_width(one) for one in (inner, node)]
    reals = [one in REAL_WIDTHS.values() for one in kinds]
    if None in kinds or reals[0] == reals[1] or _real(inner, text) is not None:
        return
    first = found.operands[-1].end if found.operands else 0
    end = first + COUNTERS[CONVERT]
    width = " ".join(str(one) for one in kinds)
    found.operands.append(
        FoundOperands(len(found.operands), region, CONVERT, width, first, end, None, node)
    )
    function = f"cyclescope_convert_{width.replace(' ', '_')}"
    edits.around(inner.begin, inner.end, f"{function}(cyclescope_operands+{first},(", "))")


def _width(node: SyntaxNode) -> str | None:
    """The type of a value, where functions that convert it are of its kind: less than 32 bits are
    as 32."""
    name = types.name(node.type)
    bits = name[1:]
    if name in REAL_NAMES:
        return REAL_NAMES[name]
    if name[0] not in "iu" or not bits.isdigit():
        return None
    if int(bits) < 32:
        return "int"
    return {"i": "", "u": "u"}[name[0]] + {"32": "int", "64": "llong"}[bits]


def _as_compiled(
    name: str, operation: str, left: SyntaxNode, right: SyntaxNode, text: bytes
) -> tuple[str, str]:
    """The function that counts an operator, and what the compiler makes of it.

    GCC adds a number to itself for a product with 2. It multiplies where the divisor is a power of
    two, as the reciprocal is exact.
    """
    if operation == REAL["*"] and 2.0 in (_real(left, text), _real(right, text)):
        return "twice", REAL["+"]
    divisor = _real(right, text)
    if operation == REAL_DIVISION and divisor and abs(math.frexp(divisor)[0]) == 0.5:
        return "halve", REAL["*"]
    return name, operation


def _real(node: SyntaxNode, text: bytes) -> float | None:
    """The value of a literal."""
    whole = constants.value(node, text)
    if whole is not None:
        return float(whole)
    node = node.plain()
    if node.kind != "FLOATING_LITERAL":
        return None
    written = text[node.begin : node.end].decode(errors="replace").rstrip("fFlL")
    try:
        return float(written)
    except ValueError:
        return None


def _is_power_of_two(value: int | None) -> bool:
    return value is not None and value & (value - 1) == 0


def _is_simple(node: SyntaxNode) -> bool:
    """Whether an expression may be evaluated twice."""
    if node.kind == "INTEGER_LITERAL":
        return True
    if node.kind == "BINARY_OPERATOR" and node.operator not in ("+", "-"):
        return False
    return node.kind in SIMPLE and all(_is_simple(one) for one in node.children)
