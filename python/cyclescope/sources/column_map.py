"""Columns of the user's files for bytes of the preprocessed text."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any

from clang import cindex

from cyclescope.sources import clang_cursors
from cyclescope.sources.line_markers import MARKER, SourcePlace
from cyclescope.sources.syntax import SyntaxTree

Known = dict[int, tuple[int, int]]
"""Lines and columns of the bytes where nodes begin, or end."""


@dataclass
class ColumnMap:
    """Finds places by walking a unit before and after the preprocessor side by side."""

    tree: SyntaxTree

    def at(self, offset: int, ends: bool = False) -> SourcePlace:
        """The place of a byte; of what a macro wrote, where the macro is used.

        With `ends` it is that behind the last byte. The column is 0 where the two walks differ.
        """
        plain = self.tree.markers.at(offset)
        begins, finishes = self._known
        first, second = (finishes, begins) if ends else (begins, finishes)
        found = first.get(offset) or second.get(offset)
        if found is None:
            found = self._beside(offset)
        return plain if found is None else plain._replace(line=found[0], column=found[1])

    def find(self) -> None:
        """Walks now, which the first question would do."""
        assert self._known

    def _beside(self, offset: int) -> tuple[int, int] | None:
        """By the last known byte before it on its line."""
        near = bisect_right(self._sorted, offset) - 1
        if near < 0:
            return None
        begins, finishes = self._known
        last = self._sorted[near]
        line, column = finishes.get(last) or begins[last]
        between = MARKER.sub(b"", self.tree.text[last:offset]).strip()
        return None if b"\n" in between else (line, column + len(between))

    @cached_property
    def _sorted(self) -> list[int]:
        return sorted({*self._known[0], *self._known[1]})

    @cached_property
    def _known(self) -> tuple[Known, Known]:
        begins, finishes = Known(), Known()
        wanted = {function.name for function in self.tree.functions}
        tree = clang_cursors.walked(self.tree.original.cursor, deep=False)
        definitions = [
            tree.cursor(number)
            for number, one in enumerate(tree)
            if one.is_definition and one.kind == cindex.CursorKind.FUNCTION_DECL.value
        ]
        originals = {one.spelling: one for one in definitions if one.spelling in wanted}
        for function in self.tree.functions:
            twin = originals.get(function.name)
            if twin is None:
                continue
            pairs = list(zip_longest(function.walk(), _positions(twin)))
            if any(node is None or at is None or node.kind != at[0] for node, at in pairs):
                continue
            for node, (_, begin, end) in pairs:
                begins.setdefault(node.begin, begin)
                finishes[node.end] = end
        return begins, finishes


def _positions(root: Any) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Kinds, begins and ends of a cursor and all below it, parents first."""
    names = clang_cursors.kinds()
    return [
        (names[one.kind], (one.begin, one.begin_column), (one.end, one.end_column))
        for one in clang_cursors.walked(root, lines=True)
    ]
