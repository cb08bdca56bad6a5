"""Finds the regions of a function's statements and inserts the counters."""

from collections.abc import Callable

from cyclescope.sources import clang_cursors, scanning
from cyclescope.sources.expression_walk import AWAY, NONE, ExpressionWalk, Jump, Jumps, counter
from cyclescope.sources.regions import RegionKind
from cyclescope.sources.syntax import SyntaxNode, body

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
StatementWalker = Callable[["FunctionWalk", SyntaxNode, int], Jumps]


class FunctionWalk(ExpressionWalk):
    """One walk over a function."""

    def run(self) -> None:
        """Walks the whole function."""
        block = body(self.found.function)
        region = self.found.open(RegionKind.BODY, None, block.begin, block.end)
        self.block(block, region)

    # Statements: each returns its jumps. Without any, what follows executes as often.

    def block(self, block: SyntaxNode, region: int) -> Jumps:
        """Walks a block of statements."""
        current: int | None = region
        jumps, last, direct = NONE, block.begin + 1, False
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

    def _branch(
        self,
        node: SyntaxNode,
        kind: RegionKind,
        parent: int,
        condition: SyntaxNode | None = None,
    ) -> tuple[int, Jumps]:
        end = scanning.statement_end(self.text, node)
        region = self.found.open(kind, parent, node.begin, end, condition)
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
            decided = condition if kind == RegionKind.THEN else None
            jumps |= self._branch(branch, kind, region, decided)[1]
        return jumps

    def _while(self, node: SyntaxNode, region: int) -> Jumps:
        condition, repeated = node.children
        jumps = self.wrapped(condition, RegionKind.CONDITION, region)
        return jumps | (self._branch(repeated, RegionKind.LOOP, region)[1] - OF_LOOP)

    def _do(self, node: SyntaxNode, region: int) -> Jumps:
        repeated, condition = node.children
        jumps = self._branch(repeated, RegionKind.LOOP, region)[1] - OF_LOOP
        return jumps | self.wrapped(condition, RegionKind.CONDITION, region)

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
                jumps |= self.wrapped(part, RegionKind.CONDITION, region)
            else:
                jumps |= self.wrapped(part, RegionKind.STEP, region)
        return jumps | (self._branch(repeated, RegionKind.LOOP, region)[1] - OF_LOOP)

    def _switch(self, node: SyntaxNode, region: int) -> Jumps:
        chosen, block = node.children
        jumps = self.expression(chosen, region)
        dead = self.found.open(RegionKind.UNREACHED, region, block.begin, block.end)
        end = scanning.statement_end(self.text, block)
        if block.kind == "COMPOUND_STMT":
            inside = self.block(block, dead)
        else:
            inside = self._statement(block, dead, end)[0]
        return jumps | (inside - OF_SWITCH)

    def _declared(self, node: SyntaxNode, region: int) -> Jumps:
        jumps = NONE
        for variable in (one for one in node.children if one.kind == "VAR_DECL"):
            extent = clang_cursors.initialiser(variable.cursor)
            if extent and variable.cursor.storage_class.name not in ("STATIC", "EXTERN"):
                inside = (one for one in variable.children if one.begin >= extent[0])
                jumps |= self.all(inside, region)
        return jumps


STATEMENTS: dict[str, StatementWalker] = {
    "COMPOUND_STMT": FunctionWalk.block,
    "IF_STMT": FunctionWalk._if,
    "WHILE_STMT": FunctionWalk._while,
    "DO_STMT": FunctionWalk._do,
    "FOR_STMT": FunctionWalk._for,
    "SWITCH_STMT": FunctionWalk._switch,
    "DECL_STMT": FunctionWalk._declared,
}


def _ends_in_jump(node: SyntaxNode) -> bool:
    """Whether control never goes on behind a statement."""
    while node.kind in LABELS:
        node = node.children[-1]
    if node.kind == "COMPOUND_STMT":
        return bool(node.children) and _ends_in_jump(node.children[-1])
    return node.kind in DIRECT
