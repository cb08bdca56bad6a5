"""Finds the regions and calls of a function and inserts what counts them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from cyclescope.sources import calls, clang_cursors, scanning
from cyclescope.sources.edits import Edits
from cyclescope.sources.regions import FoundCall, FunctionRegions, RegionKind
from cyclescope.sources.syntax import SyntaxNode, body


class Jump(StrEnum):
    """How control may leave a statement, or enter it, other than at its ends."""

    BREAK = "break"
    CONTINUE = "continue"
    CASE = "case"
    AWAY = "away"


Jumps = frozenset[Jump]
NONE: Jumps = frozenset()
AWAY: Jumps = frozenset((Jump.AWAY,))
OF_LOOP: Jumps = frozenset((Jump.BREAK, Jump.CONTINUE))
OF_SWITCH: Jumps = frozenset((Jump.BREAK, Jump.CASE))
DIRECT: dict[str, Jumps] = {
    "RETURN_STMT": AWAY,
    "GOTO_STMT": AWAY,
    "INDIRECT_GOTO_STMT": AWAY,
    "BREAK_STMT": frozenset((Jump.BREAK,)),
    "CONTINUE_STMT": frozenset((Jump.CONTINUE,)),
}
"""Statements after which control is elsewhere."""
LABELS = ("CASE_STMT", "DEFAULT_STMT", "LABEL_STMT")
DECLARATIONS = (
    *("STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL", "FUNCTION_DECL"),
    *("STATIC_ASSERT", "TYPE_REF", "PARM_DECL"),
)
"""Declarations in a block that execute nothing."""
UNEVALUATED = ("CXX_UNARY_EXPR",)
CONSTANT = ("__builtin_constant_p", "__builtin_types_compatible_p", "__builtin_choose_expr")
"""Calls that the compiler answers without executing their arguments."""
Walker = Callable[["FunctionWalk", SyntaxNode, int], Jumps]


@dataclass
class FunctionWalk:
    """One walk over a function. `text` is what it lies in, `leaving` who may not return."""

    text: bytes
    found: FunctionRegions
    edits: Edits
    unit: int
    defined: set[str]
    leaving: set[str]
    _argument_of: list[int] = field(default_factory=list)

    def run(self) -> None:
        """Walks the whole function."""
        block = body(self.found.function)
        region = self.found.open(RegionKind.BODY, None, block.begin, block.end)
        self._block(block, region)

    # Statements: each returns its jumps. Without any, what follows executes as often.

    def _block(self, block: SyntaxNode, region: int | None) -> Jumps:
        jumps, current, last, direct = NONE, region, block.begin + 1, False
        for child in block.children:
            if current is None and not (direct and child.kind in LABELS):
                current = self._count(RegionKind.REST, region, last, block.end)
            elif current is None:
                current = self.found.open(RegionKind.UNREACHED, region, last, child.begin)
            here, current = self._statement(child, current, block.end)
            jumps |= here
            last, direct = scanning.statement_end(self.text, child), _ends_in_jump(child)
        return jumps

    def _count(self, kind: RegionKind, parent: int | None, begin: int, end: int) -> int:
        """Opens a region counted by a statement in front of `begin`."""
        number = self.found.open(kind, parent, begin, end)
        self.edits.before(begin, f" {counter(number)};")
        return number

    def _statement(self, node: SyntaxNode, region: int, until: int) -> tuple[Jumps, int | None]:
        """Returns its jumps and the region that goes on behind it, if one does."""
        if node.kind in LABELS:
            return self._label(node, region, until)
        jumps = self._plain(node, region)
        return jumps, None if jumps else region

    def _label(self, node: SyntaxNode, region: int, until: int) -> tuple[Jumps, int | None]:
        labelled = node.children[-1]
        kind = RegionKind.LABEL if node.kind == "LABEL_STMT" else RegionKind.CASE
        jump = AWAY if node.kind == "LABEL_STMT" else frozenset((Jump.CASE,))
        own = self.found.open(kind, region, node.begin, until)
        if labelled.kind == "DECL_STMT":
            self.edits.before(labelled.begin, f"{counter(own)};")
        else:
            self._braced(labelled, own)
        jumps, after = self._statement(labelled, own, until)
        return jumps | jump, after

    def _braced(self, node: SyntaxNode, region: int) -> None:
        end = scanning.statement_end(self.text, node)
        self.edits.around(node.begin, end, f"{{{counter(region)};", "}")

    def _branch(self, node: SyntaxNode, kind: RegionKind, parent: int) -> tuple[int, Jumps]:
        end = scanning.statement_end(self.text, node)
        region = self.found.open(kind, parent, node.begin, end)
        self._braced(node, region)
        return region, self._statement(node, region, end)[0]

    def _plain(self, node: SyntaxNode, region: int) -> Jumps:
        walker = STATEMENTS.get(node.kind)
        if walker:
            return walker(self, node, region)
        return self.expression(node, region) | DIRECT.get(node.kind, NONE)

    def _if(self, node: SyntaxNode, region: int) -> Jumps:
        condition, *branches = node.children
        jumps = self.expression(condition, region)
        for branch, kind in zip(branches, (RegionKind.THEN, RegionKind.ELSE), strict=False):
            jumps |= self._branch(branch, kind, region)[1]
        return jumps

    def _while(self, node: SyntaxNode, region: int) -> Jumps:
        condition, repeated = node.children
        jumps = self._wrapped(condition, RegionKind.CONDITION, region)
        return jumps | (self._branch(repeated, RegionKind.LOOP, region)[1] - OF_LOOP)

    def _do(self, node: SyntaxNode, region: int) -> Jumps:
        repeated, condition = node.children
        jumps = self._branch(repeated, RegionKind.LOOP, region)[1] - OF_LOOP
        return jumps | self._wrapped(condition, RegionKind.CONDITION, region)

    def _for(self, node: SyntaxNode, region: int) -> Jumps:
        opened = self.text.index(b"(", node.begin) + 1
        first = scanning.after_token(self.text, opened, b";")
        second = scanning.after_token(self.text, first, b";")
        *header, repeated = node.children
        jumps = NONE
        for part in header:
            if part.begin < first:
                jumps |= self._plain(part, region)
            elif part.begin < second:
                jumps |= self._wrapped(part, RegionKind.CONDITION, region)
            else:
                jumps |= self._wrapped(part, RegionKind.STEP, region)
        return jumps | (self._branch(repeated, RegionKind.LOOP, region)[1] - OF_LOOP)

    def _switch(self, node: SyntaxNode, region: int) -> Jumps:
        chosen, block = node.children
        jumps = self.expression(chosen, region)
        dead = self.found.open(RegionKind.UNREACHED, region, block.begin, block.end)
        end = scanning.statement_end(self.text, block)
        if block.kind == "COMPOUND_STMT":
            inside = self._block(block, dead)
        else:
            inside = self._statement(block, dead, end)[0]
        return jumps | (inside - OF_SWITCH)

    def _declared(self, node: SyntaxNode, region: int) -> Jumps:
        jumps = NONE
        for variable in (one for one in node.children if one.kind == "VAR_DECL"):
            extent = clang_cursors.initialiser(variable.cursor)
            if extent and variable.cursor.storage_class.name not in ("STATIC", "EXTERN"):
                inside = (one for one in variable.children if one.begin >= extent[0])
                jumps |= self._all(inside, region)
        return jumps

    # Expressions.

    def expression(self, node: SyntaxNode, region: int) -> Jumps:
        """Walks an expression that executes as often as the region."""
        if node.kind in UNEVALUATED or node.kind in DECLARATIONS:
            return NONE
        walker = EXPRESSIONS.get(node.kind)
        return walker(self, node, region) if walker else self._all(node.children, region)

    def _all(self, nodes: Iterable[SyntaxNode], region: int) -> Jumps:
        return frozenset().union(*(self.expression(one, region) for one in nodes))

    def _wrapped(self, node: SyntaxNode, kind: RegionKind, parent: int) -> Jumps:
        """A part of an expression or header that executes on its own."""
        region = self.found.open(kind, parent, node.begin, node.end)
        self.edits.around(node.begin, node.end, f"({counter(region)},(", "))")
        return self.expression(node, region)

    def _binary(self, node: SyntaxNode, region: int) -> Jumps:
        kind = {"&&": RegionKind.AND, "||": RegionKind.OR}.get(node.operator)
        if kind is None:
            return self._all(node.children, region)
        left, right = node.children
        return self.expression(left, region) | self._wrapped(right, kind, region)

    def _conditional(self, node: SyntaxNode, region: int) -> Jumps:
        # The branches stay as they are: behind a comma, 0 is not a null pointer.
        condition, *branches = node.children
        numbers = [
            self.found.open(kind, region, one.begin, one.end)
            for one, kind in zip(branches, (RegionKind.THEN, RegionKind.ELSE), strict=True)
        ]
        then, other = (counter(number) for number in numbers)
        closing = f")?({then},1):({other},0))"
        self.edits.around(condition.begin, condition.end, "((", closing)
        jumps = self.expression(condition, region)
        for branch, number in zip(branches, numbers, strict=True):
            jumps |= self.expression(branch, number)
        return jumps

    def _unexposed(self, node: SyntaxNode, region: int) -> Jumps:
        """Implicit conversions and all else; `a ?: b` has its first part three times."""
        first, last = node.children[:1], node.children[-1:]
        if len(node.children) != 4 or first[0].begin != node.children[1].begin:
            return self._all(node.children, region)
        jumps = self.expression(first[0], region)
        if node.type.kind.name == "POINTER" and last[0].plain().kind == "INTEGER_LITERAL":
            return jumps
        return jumps | self._wrapped(last[0], RegionKind.ELSE, region)

    def _statement_expression(self, node: SyntaxNode, region: int) -> Jumps:
        return self._block(node.children[0], region)

    def _chosen(self, node: SyntaxNode, region: int) -> Jumps:
        """A generic selection: what selects is not evaluated."""
        return self._all(node.children[1:], region)

    def _call(self, node: SyntaxNode, region: int) -> Jumps:
        callee = calls.callee(node, self.unit)
        if callee in CONSTANT:
            return NONE
        jumps = AWAY if callee in self.leaving else NONE
        back = calls.calls_back(node)
        if back and calls.POINTER in self.leaving:
            jumps = AWAY
        if callee != calls.POINTER and callee not in self.defined and not back:
            return jumps | self._all(node.children, region)
        number = len(self.found.calls)
        self.found.calls.append(FoundCall(number, region, node, callee))
        if self._argument_of:
            self._restored(node, self._argument_of[-1])
        self._announced(node.children[0], number)
        self._argument_of.append(number)
        jumps |= self._all(node.children, region)
        self._argument_of.pop()
        return jumps

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


STATEMENTS: dict[str, Walker] = {
    "COMPOUND_STMT": FunctionWalk._block,
    "IF_STMT": FunctionWalk._if,
    "WHILE_STMT": FunctionWalk._while,
    "DO_STMT": FunctionWalk._do,
    "FOR_STMT": FunctionWalk._for,
    "SWITCH_STMT": FunctionWalk._switch,
    "DECL_STMT": FunctionWalk._declared,
}
EXPRESSIONS: dict[str, Walker] = {
    "BINARY_OPERATOR": FunctionWalk._binary,
    "CONDITIONAL_OPERATOR": FunctionWalk._conditional,
    "UNEXPOSED_EXPR": FunctionWalk._unexposed,
    "StmtExpr": FunctionWalk._statement_expression,
    "GENERIC_SELECTION_EXPR": FunctionWalk._chosen,
    "CALL_EXPR": FunctionWalk._call,
}


def counter(number: int) -> str:
    """The expression that counts one execution of a region."""
    return f"++cyclescope_here->count[{number}]"


def site(number: int) -> str:
    """The expression that says which call of the function is next."""
    return f"cyclescope_next=&cyclescope_slots[{number}]"


def _ends_in_jump(node: SyntaxNode) -> bool:
    """Whether control never goes on behind a statement."""
    while node.kind in LABELS:
        node = node.children[-1]
    if node.kind == "COMPOUND_STMT":
        return bool(node.children) and _ends_in_jump(node.children[-1])
    return node.kind in DIRECT
