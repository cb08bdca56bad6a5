"""Operations of each region, by kind, type and access, after what front ends fold."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from cyclescope.sources import clang_cursors, constants
from cyclescope.sources import operation_types as types
from cyclescope.sources.expression_walk import CONSTANT, DECLARATIONS
from cyclescope.sources.regions import FunctionRegions, RegionKind
from cyclescope.sources.syntax import SyntaxNode, body

BINARY = {
    **{"*": "multiply", "/": "divide", "%": "remain", "+": "add", "-": "subtract"},
    **{"<<": "shift", ">>": "shift", "&": "and", "|": "or", "^": "xor"},
    **dict.fromkeys(("<", ">", "<=", ">=", "==", "!="), "compare"),
}
UNARY = {"-": "negate", "~": "complement", "!": "not"}
STEPS = ("++", "--", "post++", "post--")
BY_CONSTANT, BY_POWER = "constant", "power of two"
Visitor = Callable[["FunctionOperations", SyntaxNode], None]


class Operation(NamedTuple):
    """One operation. `access` is where data lie, or whether an operand is constant."""

    kind: str
    type: str
    access: str = ""


class FunctionOperations:
    """Counts the operations of a function in the regions that were found in it."""

    def __init__(self, found: FunctionRegions, text: bytes) -> None:
        self._text = text
        self._regions = found.regions
        self._owners = sorted(
            (begin, region) for region, spans in found.spans().items() for begin, _ in spans
        )
        self._starts = [begin for begin, _ in self._owners]
        self.counted: defaultdict[int, Counter[Operation]] = defaultdict(Counter)
        self._add(body(found.function), "enter", "")
        self.visit(body(found.function))

    def _owner(self, node: SyntaxNode) -> int:
        return self._owners[bisect_right(self._starts, node.begin) - 1][1]

    def _add(self, node: SyntaxNode, kind: str, type_: str, access: str = "") -> None:
        self.counted[self._owner(node)][Operation(kind, type_, access)] += 1

    def _all(self, nodes: Iterable[SyntaxNode]) -> None:
        for node in nodes:
            self.visit(node)

    def visit(self, node: SyntaxNode) -> None:
        """Counts a statement, or what the value of an expression takes."""
        if node.kind in DECLARATIONS or constants.is_constant(node):
            return
        visitor = VISITORS.get(node.kind)
        if visitor:
            visitor(self, node)
        elif types.is_place(node) and not types.is_array(node.type):
            self._load(node)
        else:
            self._all(node.children)

    # Statements.

    def _branching(self, node: SyntaxNode) -> None:
        condition = node.children[-1 if node.kind == "DO_STMT" else 0]
        if not constants.is_constant(condition):
            self._add(condition, "branch", "")
        self._all(node.children)

    def _for(self, node: SyntaxNode) -> None:
        for child in node.children[:-1]:
            if self._regions[self._owner(child)].kind is RegionKind.CONDITION:
                self._add(child, "branch", "")
        self._all(node.children)

    def _jump(self, node: SyntaxNode) -> None:
        self._add(node, "jump", "")
        self._all(node.children)

    def _switch(self, node: SyntaxNode) -> None:
        self._add(node, "switch", types.name(node.children[0].type))
        self._all(node.children)

    def _case(self, node: SyntaxNode) -> None:
        self.visit(node.children[-1])

    def _return(self, node: SyntaxNode) -> None:
        self._add(node, "return", types.name(node.children[0].type) if node.children else "void")
        self._all(node.children)

    def _variable(self, node: SyntaxNode) -> None:
        extent = clang_cursors.initialiser(node.cursor)
        if extent is None or node.cursor.storage_class.name in ("STATIC", "EXTERN"):
            return
        for one in (one for one in node.children if one.begin >= extent[0]):
            if one.kind == "INIT_LIST_EXPR":
                self._listed(one)
            elif types.is_array(node.type):
                self._add(one, "copy", types.whole(node.type))
            else:
                self._add(one, "store", types.name(node.type), types.LOCAL)
                self.visit(one)

    def _listed(self, node: SyntaxNode) -> None:
        """An aggregate that is made of its parts; the rest of it is cleared."""
        if len(node.children) < types.parts(node.type):
            self._add(node, "clear", types.whole(node.type))
        for one in node.children:
            value = one.children[-1] if self._text[one.begin : one.begin + 1] in b"[." else one
            if value.kind == "INIT_LIST_EXPR":
                self._listed(value)
            else:
                self._add(one, "store", types.name(value.type), types.LOCAL + types.AGGREGATE)
                self.visit(value)

    # Expressions.

    def _load(self, node: SyntaxNode) -> None:
        self._add(node, "load", types.name(node.type), types.access(node))
        self._address(node)

    def _address(self, node: SyntaxNode) -> None:
        """Counts what finding a place takes: pointers, indices, but not constant offsets."""
        node = types.bare(node)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            base, index = node.children
            if not constants.is_constant(index):
                self._add(node, "index", types.name(node.type))
                self.visit(index)
            self._based(base)
        elif node.kind == "MEMBER_REF_EXPR" and node.children:
            self._based(node.children[0])
        elif node.kind == "UNARY_OPERATOR":
            self.visit(node.children[0])
        elif node.kind != "DECL_REF_EXPR":
            self.visit(node)

    def _based(self, base: SyntaxNode) -> None:
        """The part of a place in front of an index or a field: a place itself, or a pointer."""
        inner = types.bare(base)
        if inner.kind == "UNEXPOSED_EXPR" and types.is_array(inner.children[0].type):
            inner = types.bare(inner.children[0])
        if types.is_place(inner) and (types.is_array(inner.type) or inner is types.bare(base)):
            self._address(inner)
        else:
            self.visit(base)

    def _implicit(self, node: SyntaxNode) -> None:
        """An implicit conversion, of a place to its value among others."""
        if len(node.children) != 1:
            parts = node.children
            # `a ?: b` has its first part three times.
            self._all(parts[-2:] if len(parts) == 4 else parts)
            return
        inner = node.children[0]
        if types.is_array(inner.type):
            self._address(inner) if types.is_place(inner) else self.visit(inner)
            return
        if not types.is_place(inner):
            self._converted(node, inner)
        self.visit(inner)

    def _converted(self, node: SyntaxNode, inner: SyntaxNode) -> None:
        before, after = types.name(inner.type), types.name(node.type)
        if before != after and "pointer" not in (before, after) and after != "void":
            self._add(node, "convert", f"{before} {after}")

    def _cast(self, node: SyntaxNode) -> None:
        values = [one for one in node.children if one.kind != "TYPE_REF"]
        self._converted(node, values[-1])
        self._all(values)

    def _unary(self, node: SyntaxNode) -> None:
        operator, (inner,) = node.operator, node.children
        if operator == "*" and not types.is_array(node.type):
            self._load(node)
        elif operator == "&":
            self._add(node, "address", "pointer", types.access(inner))
            self._address(inner)
        elif operator in STEPS:
            self._changed(inner, "add", types.name(node.type), BY_CONSTANT)
        else:
            if operator in UNARY:
                self._add(node, UNARY[operator], types.name(inner.type))
            self.visit(inner)

    def _changed(self, place: SyntaxNode, kind: str, type_: str, access: str) -> None:
        """A place that is read, changed and written."""
        where = types.access(place)
        self._add(place, "load", types.name(place.type), where)
        self._add(place, kind, type_, access)
        self._add(place, "store", types.name(place.type), where)
        self._address(place)

    def _binary(self, node: SyntaxNode) -> None:
        operator, (left, right) = node.operator, node.children
        if operator == "=":
            self._add(node, "store", types.name(left.type), types.access(left))
            self._address(left)
            self.visit(right)
            return
        if operator in ("&&", "||"):
            self._add(node, "branch", "")
        elif operator in BINARY:
            type_ = types.name(left.type if BINARY[operator] == "compare" else node.type)
            self._add(node, BINARY[operator], type_, self._constant(left, right))
        self._all(node.children)

    def _assigned(self, node: SyntaxNode) -> None:
        left, right = node.children
        kind = BINARY[node.operator.removesuffix("=")]
        type_ = types.name(left.type if kind == "shift" else right.type)
        self._changed(left, kind, type_, self._constant(left, right))
        self.visit(right)

    def _constant(self, left: SyntaxNode, right: SyntaxNode) -> str:
        for one in (right, left):
            if constants.is_constant(one):
                value = constants.value(one, self._text)
                return BY_POWER if value and value & (value - 1) == 0 else BY_CONSTANT
        return ""

    def _call(self, node: SyntaxNode) -> None:
        designator, *arguments = node.children
        function = designator.plain()
        if function.kind == "DECL_REF_EXPR" and function.name in CONSTANT:
            return
        self._add(node, "call", types.name(node.type), "" if function.name else types.POINTER)
        for one in arguments:
            self._add(one, "argument", types.name(one.type))
        self._all(node.children)


VISITORS: dict[str, Visitor] = {
    **dict.fromkeys(
        ("IF_STMT", "WHILE_STMT", "DO_STMT", "CONDITIONAL_OPERATOR"), FunctionOperations._branching
    ),
    **dict.fromkeys(
        ("BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT"), FunctionOperations._jump
    ),
    "FOR_STMT": FunctionOperations._for,
    "SWITCH_STMT": FunctionOperations._switch,
    "CASE_STMT": FunctionOperations._case,
    "RETURN_STMT": FunctionOperations._return,
    "VAR_DECL": FunctionOperations._variable,
    "INIT_LIST_EXPR": FunctionOperations._listed,
    "UNEXPOSED_EXPR": FunctionOperations._implicit,
    "CSTYLE_CAST_EXPR": FunctionOperations._cast,
    "UNARY_OPERATOR": FunctionOperations._unary,
    "BINARY_OPERATOR": FunctionOperations._binary,
    "COMPOUND_ASSIGNMENT_OPERATOR": FunctionOperations._assigned,
    "CALL_EXPR": FunctionOperations._call,
}
