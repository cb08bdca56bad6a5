"""Syntax trees of preprocessed C, by libclang."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from clang import cindex

from cyclescope.errors import CyclescopeError
from cyclescope.sources import clang_cursors
from cyclescope.sources.line_markers import LineMarkers

NOT_ASCII = bytes(byte if byte < 128 else ord("x") for byte in range(256))
"""Replaces bytes that are no ASCII by as many that are, so that offsets stay."""


class SourceError(CyclescopeError):
    """The sources cannot be read, counted or built; the sentence names file and line."""


class SyntaxNode:
    """A node of a tree: its kind by clang's name, and its bytes [begin, end) of the text."""

    __slots__ = ("begin", "children", "cursor", "end", "kind", "parent")

    def __init__(self, cursor: Any, parent: "SyntaxNode | None" = None) -> None:
        self.cursor = cursor
        self.kind = clang_cursors.kinds()[cursor._kind_id]
        self.parent = parent
        self.begin, self.end = clang_cursors.extent(cursor)
        self.children: list[SyntaxNode] = []

    @property
    def name(self) -> str:
        """The name it declares or refers to, or nothing."""
        return str(self.cursor.spelling)

    @property
    def operator(self) -> str:
        """The operator of an expression, as C writes it."""
        return clang_cursors.operator(self.cursor)

    @property
    def type(self) -> Any:
        """Its type, by libclang, without names of typedefs."""
        return self.cursor.type.get_canonical()

    def walk(self) -> Iterator["SyntaxNode"]:
        """It and everything below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def plain(self) -> "SyntaxNode":
        """The expression without parentheses and implicit conversions around it."""
        node = self
        while node.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") and len(node.children) == 1:
            node = node.children[0]
        return node


@dataclass
class SyntaxTree:
    """The declarations of user files in one preprocessed file.

    `original` is the unit of the file before the preprocessor, if columns are wanted.
    """

    text: bytes
    markers: LineMarkers
    unit: Any = field(repr=False)
    original: Any = field(default=None, repr=False)

    @cached_property
    def declarations(self) -> list[SyntaxNode]:
        """The declarations of the user's files, in order, without what is below them."""
        # By the place of the name: a type in front of it may be a macro of a system header.
        return [
            SyntaxNode(cursor)
            for cursor in self.unit.cursor.get_children()
            if not self.markers.at(cursor.location.offset).is_system
        ]

    @cached_property
    def functions(self) -> list[SyntaxNode]:
        """The functions that the user's files define, with everything below them."""
        return [grown(one) for one in self.declarations if is_function(one.cursor)]

    @cached_property
    def initialised(self) -> list[SyntaxNode]:
        """The variables at file scope, with their initialisers."""
        return [grown(one) for one in self.declarations if one.kind == "VAR_DECL"]

    @staticmethod
    def whole(declared: SyntaxNode) -> SyntaxNode:
        """A declaration at file scope with everything below it."""
        return declared if declared.children else grown(declared)


def parse(text: bytes, options: list[str]) -> SyntaxTree:
    """Parses preprocessed C; refuses errors in the user's lines and ignores warnings."""
    unit = cindex.Index.create().parse(
        "unit.i",
        args=["-x", "cpp-output", "-w", "-ferror-limit=0", *options],
        unsaved_files=[("unit.i", text.translate(NOT_ASCII).decode())],
    )
    tree = SyntaxTree(text, LineMarkers(text), unit)
    for message in unit.diagnostics:
        place = tree.markers.at(message.location.offset)
        if message.severity >= cindex.Diagnostic.Error and not place.is_system:
            raise SourceError(
                f"{place}: {message.spelling}: correct the source or the options of its compiler",
                code="source-does-not-parse",
            )
    return tree


def is_function(cursor: Any) -> bool:
    """Whether a declaration defines a function."""
    return cursor.kind.name == "FUNCTION_DECL" and bool(cursor.is_definition())


def body(function: SyntaxNode) -> SyntaxNode:
    """The block of a function's definition."""
    return next(one for one in reversed(function.children) if one.kind == "COMPOUND_STMT")


def grown(root: SyntaxNode) -> SyntaxNode:
    """The node with everything below it."""
    path = [(clang_cursors.key(root.cursor), root)]

    def visitor(cursor: Any, parent: Any) -> None:
        key = clang_cursors.key(parent)
        while path[-1][0] != key and len(path) > 1:
            path.pop()
        cursor._tu = root.cursor._tu
        node = SyntaxNode(cursor, path[-1][1])
        path[-1][1].children.append(node)
        path.append((clang_cursors.key(cursor), node))

    clang_cursors.visit(root.cursor, visitor)
    return root
