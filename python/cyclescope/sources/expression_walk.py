"""Finds the regions and calls of an expression and inserts the counters."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from cyclescope.sources import calls, kernel_calls, library_calls, operand_edits, scanning
from cyclescope.sources.edits import Edits
from cyclescope.sources.regions import FoundCall, FunctionRegions, RegionKind
from cyclescope.sources.syntax import SyntaxNode


class Jump(StrEnum):
    """How control may leave a statement, or enter it, other than at its ends."""

    BREAK = "break"
    CONTINUE = "continue"
    CASE = "case"
    AWAY = "away"


Jumps = frozenset[Jump]
NONE: Jumps = frozenset()
AWAY: Jumps = frozenset((Jump.AWAY,))
DECLARATIONS = (
    *("STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL", "FUNCTION_DECL"),
    *("STATIC_ASSERT", "TYPE_REF", "PARM_DECL"),
)
"""Declarations in a block that execute nothing."""
UNEVALUATED = ("CXX_UNARY_EXPR",)
CONSTANT = ("__builtin_constant_p", "__builtin_types_compatible_p", "__builtin_choose_expr")
"""Calls that the compiler answers without executing their arguments."""
OWN_CODE = frozenset(
    f"__builtin_{name}"
    for name in (
        *("va_start", "va_end", "va_copy", "expect", "unreachable", "prefetch", "assume_aligned"),
        *("inf", "inff", "huge_val", "huge_valf", "nan", "nanf", "fabs", "fabsf", "bswap16"),
        *("bswap32", "bswap64", "clz", "clzl", "clzll", "ctz", "ctzl", "ctzll", "ffs", "popcount"),
        *("popcountl", "popcountll", "parity", "isnan", "isinf", "isinf_sign", "isfinite"),
        *("isnormal", "signbit", "fpclassify", "isgreater", "isless", "isunordered"),
        *("add_overflow", "sub_overflow", "mul_overflow", "frame_address", "return_address"),
    )
)
"""Calls in name: the compiler puts instructions there, or calls its own library."""
ExpressionWalker = Callable[["ExpressionWalk", SyntaxNode, int], Jumps]


@dataclass
class ExpressionWalk:
    """One walk over a function. `text` is what it lies in, `leaving` who may not return."""

    text: bytes
    found: FunctionRegions
    edits: Edits
    unit: int
    defined: set[str]
    leaving: set[str]
    kernel_calls: frozenset[str] = frozenset()
    """Functions of a kernel, which records its calls itself."""
    _argument_of: list[int] = field(default_factory=list)

    def block(self, block: SyntaxNode, region: int) -> Jumps:
        """Walks a block of statements."""
        raise NotImplementedError

    def expression(self, node: SyntaxNode, region: int) -> Jumps:
        """Walks an expression that executes as often as the region."""
        if node.kind in UNEVALUATED or node.kind in DECLARATIONS:
            return NONE
        walker = EXPRESSIONS.get(node.kind)
        return walker(self, node, region) if walker else self.all(node.children, region)

    def all(self, nodes: Iterable[SyntaxNode], region: int) -> Jumps:
        """Walks several expressions that execute as often as the region."""
        return frozenset().union(*(self.expression(one, region) for one in nodes))

    def wrapped(self, node: SyntaxNode, kind: RegionKind, parent: int) -> Jumps:
        """A part of an expression or header that executes on its own."""
        region = self.found.open(kind, parent, node.begin, node.end)
        self.edits.around(node.begin, node.end, f"({counter(region)},(", "))")
        return self.expression(node, region)

    def _binary(self, node: SyntaxNode, region: int) -> Jumps:
        kind = {"&&": RegionKind.AND, "||": RegionKind.OR}.get(node.operator)
        if kind is None:
            operand_edits.counted(self.found, node, self.text, region, self.edits)
            return self.all(node.children, region)
        left, right = node.children
        return self.expression(left, region) | self.wrapped(right, kind, region)

    def _conditional(self, node: SyntaxNode, region: int) -> Jumps:
        # The branches stay as they are: behind a comma, 0 is not a null pointer.
        condition, *branches = node.children
        first, second = branches
        numbers = (
            self.found.open(RegionKind.THEN, region, first.begin, first.end, condition),
            self.found.open(RegionKind.ELSE, region, second.begin, second.end),
        )
        then, other = (counter(number) for number in numbers)
        closing = f")?({then},1):({other},0))"
        self.edits.around(condition.begin, condition.end, "((", closing)
        jumps = self.expression(condition, region)
        for branch, number in zip(branches, numbers, strict=True):
            jumps |= self.expression(branch, number)
        return jumps

    def _unexposed(self, node: SyntaxNode, region: int) -> Jumps:
        """Implicit conversions and all else; `a ?: b` has its first part three times."""
        operand_edits.converted(self.found, node, self.text, region, self.edits)
        first, last = node.children[:1], node.children[-1:]
        if len(node.children) != 4 or first[0].begin != node.children[1].begin:
            return self.all(node.children, region)
        jumps = self.expression(first[0], region)
        if node.type.kind.name == "POINTER" and last[0].plain().kind == "INTEGER_LITERAL":
            return jumps
        return jumps | self.wrapped(last[0], RegionKind.ELSE, region)

    def _cast(self, node: SyntaxNode, region: int) -> Jumps:
        operand_edits.converted(self.found, node, self.text, region, self.edits)
        return self.all(node.children, region)

    def _statement_expression(self, node: SyntaxNode, region: int) -> Jumps:
        return self.block(node.children[0], region)

    def _chosen(self, node: SyntaxNode, region: int) -> Jumps:
        """A generic selection: what selects is not evaluated."""
        return self.all(node.children[1:], region)

    def _designated(self, node: SyntaxNode, region: int) -> Jumps:
        """An initialiser of a list; the index of a designated one is a constant."""
        inside = [
            one.children[-1] if self.text[one.begin : one.begin + 1] in b"[." else one
            for one in node.children
            if one.children or one.kind not in DECLARATIONS
        ]
        return self.all(inside, region)

    def _call(self, node: SyntaxNode, region: int) -> Jumps:
        callee = calls.callee(node, self.unit)
        if callee in CONSTANT:
            return NONE
        jumps = AWAY if callee in self.leaving else NONE
        if callee in OWN_CODE:
            return jumps | self.all(node.children[1:], region)
        back = calls.calls_back(node)
        if back and calls.POINTER in self.leaving:
            jumps = AWAY
        number = len(self.found.calls)
        of_kernel = callee in self.kernel_calls
        leads_in = of_kernel or callee == calls.POINTER or callee in self.defined
        values = () if leads_in else library_calls.parameters(callee, node)
        values = kernel_calls.VALUES if of_kernel else values
        self.found.calls.append(FoundCall(number, region, node, callee, values))
        if self._argument_of and (leads_in or back):
            self._restored(node, self._argument_of[-1])
        if values == library_calls.EVENTS:
            self._modelled(node, callee, number)
        elif values and not of_kernel:
            self._recorded(node, values, number)
        if not leads_in and not back:
            return jumps | self.all(node.children, region)
        self._announced(node.children[0], number)
        self._argument_of.append(number)
        jumps |= self.all(node.children, region)
        self._argument_of.pop()
        return jumps

    def _modelled(self, node: SyntaxNode, callee: str, number: int) -> None:
        """Puts the model's function in the place of the library's."""
        name, slot = node.children[0], f"cyclescope_slots+{number}"
        behind = scanning.after_token(self.text, name.end, b"(")
        text = library_calls.modelled(callee, slot, len(node.children) > 1)
        self.edits.replace(name.begin, behind, text)

    def _recorded(self, node: SyntaxNode, values: tuple[str, ...], number: int) -> None:
        """Records parameters behind the call, by which they still are what they were."""
        slot = f"cyclescope_slots+{number}"
        opening, closing, captured = library_calls.recording(values, node, slot)
        self.edits.around(node.begin, node.end, opening, closing)
        for at, name in captured.items():
            argument = node.children[1 + at]
            self.edits.around(argument.begin, argument.end, f"({name}=(", "))")

    def _announced(self, designator: SyntaxNode, number: int) -> None:
        """Says which call is made, at the moment when its function is determined."""
        self.edits.around(designator.begin, designator.end, f"({site(number)},", ")")

    def _restored(self, node: SyntaxNode, outer: int) -> None:
        """A call among the arguments of another says afterwards that the other is next."""
        if node.type.kind.name == "VOID":
            opening, closing = "({", f";{site(outer)};}})"
        else:
            opening = "({__auto_type cyclescope_result="
            closing = f";{site(outer)};cyclescope_result;}})"
        self.edits.around(node.begin, node.end, opening, closing)


EXPRESSIONS: dict[str, ExpressionWalker] = {
    "BINARY_OPERATOR": ExpressionWalk._binary,
    "CONDITIONAL_OPERATOR": ExpressionWalk._conditional,
    "UNEXPOSED_EXPR": ExpressionWalk._unexposed,
    "CSTYLE_CAST_EXPR": ExpressionWalk._cast,
    "StmtExpr": ExpressionWalk._statement_expression,
    "GENERIC_SELECTION_EXPR": ExpressionWalk._chosen,
    "COMPOUND_ASSIGNMENT_OPERATOR": ExpressionWalk._binary,
    "INIT_LIST_EXPR": ExpressionWalk._designated,
    "CALL_EXPR": ExpressionWalk._call,
}


def counter(number: int) -> str:
    """The expression that counts one execution of a region."""
    return f"++cyclescope_here->count[{number}]"


def site(number: int) -> str:
    """The expression that says which call of the function is next."""
    return f"cyclescope_next=&cyclescope_slots[{number}]"
