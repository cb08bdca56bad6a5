"""Syntax trees of preprocessed C, by libclang."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from clang import cindex

from cyclescope.errors import CyclescopeError
from cyclescope.sources import clang_cursors
from cyclescope.sources.clang_cursors import WalkedNode, WalkedTree
from cyclescope.sources.line_markers import LineMarkers

NOT_ASCII = bytes(byte if byte < 128 else ord("x") for byte in range(256))
"""Replaces bytes that are no ASCII by as many that are, so that offsets stay."""

OLD_C = tuple(
    f"-Wno-error={one}"
    for one in ("implicit-int", "implicit-function-declaration", "int-conversion")
)
"""Old C that gcc takes with a warning."""
WIDE = re.compile(rb"typedef (?:long )?(?:long )?int wchar_t;")
"""Clang wants the type of its own wide strings; the size is the same."""
ASSEMBLY = re.compile(r"\bin asm\b|^register '|constraint '|\basm operand")
"""Errors of libclang about another machine's assembly, which refusals.py names as such."""
CPLUSPLUS = " (C++ is not counted: name files in C)"
HINTS = {
    "function definition is not allowed here": " (functions inside functions are not counted: "
    "move this one out)",
    **{f"unknown type name '{one}'": CPLUSPLUS for one in ("class", "namespace", "template")},
}
"""Hints behind errors of libclang."""


class SourceError(CyclescopeError):
    """The sources cannot be read, counted or built; the sentence names file and line."""


class SyntaxNode:
    """A node of a tree: its kind by clang's name, and its bytes [begin, end) of the text."""

    def __init__(
        self, tree: WalkedTree, number: int, facts: WalkedNode, parent: "SyntaxNode | None" = None
    ) -> None:
        self._tree = tree
        self._number = number
        self._below: list[SyntaxNode] = []
        self.kind = clang_cursors.kinds()[facts.kind]
        self.parent = parent
        self.begin, self.end = facts.begin, facts.end
        self.name_at = facts.name
        self.operator = clang_cursors.operator(facts)
        """The operator of an expression, as C writes it."""
        self.defines = bool(facts.is_definition)
        self.children: list[SyntaxNode] = []

    @cached_property
    def cursor(self) -> Any:
        """The cursor of libclang."""
        return self._tree.cursor(self._number)

    @cached_property
    def referenced(self) -> Any:
        """The cursor of what it refers to, or None."""
        return self.cursor.referenced

    @cached_property
    def name(self) -> str:
        """The name it declares or refers to, or nothing."""
        return str(self.cursor.spelling)

    @cached_property
    def type(self) -> Any:
        """Its type, by libclang, without names of typedefs."""
        return self.cursor.type.get_canonical()

    @property
    def is_function(self) -> bool:
        """Whether it is a declaration that defines a function."""
        return self.kind == "FUNCTION_DECL" and self.defines

    def grow(self) -> "SyntaxNode":
        """Finds everything below a declaration, and returns it."""
        if not self._below:
            self._below.append(self)
            grown = clang_cursors.walked(self.cursor)
            for number, facts in enumerate(grown):
                if number:
                    parent = self._below[facts.parent]
                    self._below.append(SyntaxNode(grown, number, facts, parent))
                    parent.children.append(self._below[-1])
        return self

    def walk(self) -> Iterator["SyntaxNode"]:
        """It and everything below it, parents first."""
        if self._below:
            yield from self._below
            return
        yield self
        for child in self.children:
            yield from child.walk()

    def plain(self) -> "SyntaxNode":
        """The expression without parentheses and implicit conversions around it."""
        node = self
        while node.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") and len(node.children) == 1:
            node = node.children[0]
        return node


def _as_int(found: re.Match[bytes]) -> bytes:
    return b"typedef int wchar_t;".ljust(len(found[0]))


@dataclass
class SyntaxTree:
    """The declarations of user files in one preprocessed file.

    `original` is the unit of the file before the preprocessor, if columns are wanted.
    """

    text: bytes
    markers: LineMarkers
    unit: Any = field(repr=False)
    original: Any = field(default=None, repr=False)
    assembly: list[int] = field(default_factory=list)
    """Where assembly stands that this machine does not have."""

    @cached_property
    def declarations(self) -> list[SyntaxNode]:
        """The declarations of the user's files, in order, without what is below them."""
        # By the place of the name: a type in front of it may be a macro of a system header.
        tree = clang_cursors.walked(self.unit.cursor, deep=False)
        return [
            SyntaxNode(tree, number, facts)
            for number, facts in enumerate(tree)
            if not self.markers.is_system(facts.name)
        ]

    @cached_property
    def functions(self) -> list[SyntaxNode]:
        """The functions that the user's files define, with everything below them."""
        return [one.grow() for one in self.declarations if one.is_function]

    @cached_property
    def initialised(self) -> list[SyntaxNode]:
        """The variables at file scope, with their initialisers."""
        return [one.grow() for one in self.declarations if one.kind == "VAR_DECL"]


def parse(text: bytes, options: list[str]) -> SyntaxTree:
    """Parses preprocessed C; refuses errors in the user's lines and ignores warnings."""
    unit = cindex.Index.create().parse(
        "unit.i",
        args=["-x", "cpp-output", "-w", "-ferror-limit=0", *OLD_C, *options],
        unsaved_files=[("unit.i", WIDE.sub(_as_int, text).translate(NOT_ASCII).decode())],
    )
    tree = SyntaxTree(text, LineMarkers(text), unit)
    for message in unit.diagnostics:
        place = tree.markers.at(message.location.offset)
        if message.severity < cindex.Diagnostic.Error or place.is_system:
            continue
        if ASSEMBLY.search(message.spelling):
            tree.assembly.append(message.location.offset)
        else:
            raise SourceError(
                f"{place}: {message.spelling}: correct the source or the options of its compiler"
                f"{HINTS.get(message.spelling, '')}",
                code="source-does-not-parse",
            )
    return tree


def body(function: SyntaxNode) -> SyntaxNode:
    """The block of a function's definition."""
    return next(one for one in reversed(function.children) if one.kind == "COMPOUND_STMT")
