"""Which functions a program calls, takes the address of, and which may not return."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cyclescope.sources import constants
from cyclescope.sources.syntax import SyntaxNode, SyntaxTree

SETJMP = frozenset(("setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "__builtin_setjmp"))
NO_RETURN = SETJMP | frozenset(
    (
        *("exit", "_exit", "_Exit", "quick_exit", "abort", "__assert_fail", "__assert"),
        *("longjmp", "_longjmp", "siglongjmp", "__builtin_longjmp", "__builtin_unreachable"),
        *("__builtin_trap", "__builtin_abort", "err", "errx", "verr", "verrx"),
        *("vTaskStartScheduler", "vTaskDelete"),
    )
)
"""Functions after which the program may go on elsewhere, or go on there once more."""
AGGREGATES = ("CONSTANTARRAY", "VARIABLEARRAY", "RECORD", "ELABORATED")
POINTER = ""
"""Stands for all functions that are called through pointers."""


@dataclass
class CallGraph:
    """The calls of a whole program by names; a static function has its file before its name."""

    defined: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    """Functions whose address is taken: pointers and the C library may call them."""
    _callees: dict[str, set[str]] = field(default_factory=dict)

    def add(self, number: int, tree: SyntaxTree) -> None:
        """Adds the functions of the file with this number."""
        for function in tree.functions:
            name = identity(function.cursor, number)
            self.defined.add(name)
            called = self._callees.setdefault(name, set())
            for node in function.walk():
                if node.kind == "CALL_EXPR":
                    called.add(callee(node, number))
                    called |= {POINTER} if calls_back(node) else set()
        for one in (*tree.functions, *tree.initialised):
            self.taken.update(_taken(one, number))

    def leaving(self) -> set[str]:
        """All functions that may not return, or that return twice."""
        found = set(NO_RETURN)
        while True:
            if found & self.taken:
                found.add(POINTER)
            more = {name for name, called in self._callees.items() if called & found} - found
            if not more:
                return found
            found |= more


def callee(call: SyntaxNode, number: int) -> str:
    """The function that a call names; nothing where it calls a pointer."""
    function = called_function(call)
    if function is None:
        return POINTER
    return identity(function.referenced, number)


def called_function(call: SyntaxNode) -> SyntaxNode | None:
    """The node that names the called function; None where a pointer is called."""
    designator = call.children[0].plain() if call.children else None
    while designator is not None and designator.kind == "UNARY_OPERATOR":
        if designator.operator not in "*&":
            return None
        designator = designator.children[0].plain()
    if designator is None or designator.kind != "DECL_REF_EXPR":
        return None
    return designator if designator.referenced.kind.name == "FUNCTION_DECL" else None


def undeclared(tree: SyntaxTree) -> set[str]:
    """Functions that are called without a declaration, which C declares where they are called."""
    found = set[str]()
    for function in tree.functions:
        for node in function.walk():
            called = called_function(node) if node.kind == "CALL_EXPR" else None
            if called is None:
                continue
            declaration = called.referenced
            if declaration.location.offset == called.cursor.location.offset:
                found.add(str(declaration.spelling))
    return found


def identity(declaration: Any, number: int) -> str:
    """A function's name in the whole program."""
    static = declaration.linkage.name == "INTERNAL"
    name = str(declaration.spelling)
    return f"{number}:{name}" if static else name


def calls_back(call: SyntaxNode) -> bool:
    """Whether a call passes a function, so that the callee may call it."""
    return any(is_function_pointer(one) for one in call.children[1:])


def is_function_pointer(node: SyntaxNode) -> bool:
    """Whether an expression is a pointer to a function."""
    kind = node.type.get_pointee().kind.name
    return kind in ("FUNCTIONPROTO", "FUNCTIONNOPROTO")


def is_literal(argument: SyntaxNode) -> bool:
    """Whether an argument is a constant or a string literal."""
    return argument.plain().kind == "STRING_LITERAL" or constants.is_constant(argument)


def is_array(argument: SyntaxNode) -> bool:
    """Whether an argument is the beginning of a string literal or of a variable that is no
    pointer."""
    plain = argument.plain()
    if plain.kind == "UNARY_OPERATOR" and plain.operator == "&":
        plain = plain.children[0].plain()
    if plain.kind == "STRING_LITERAL":
        return True
    return plain.kind == "DECL_REF_EXPR" and plain.type.kind.name in AGGREGATES


def addressed(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """The nodes that take the address of a function."""
    called: set[int] = set()
    for node in root.walk():
        if node.kind == "CALL_EXPR":
            function = called_function(node)
            called |= {id(function)} if function else set()
        elif node.kind == "DECL_REF_EXPR" and id(node) not in called:
            declaration = node.referenced
            if declaration is not None and declaration.kind.name == "FUNCTION_DECL":
                yield node


def _taken(root: SyntaxNode, number: int) -> Iterator[str]:
    return (identity(node.referenced, number) for node in addressed(root))
