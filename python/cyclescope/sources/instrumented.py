"""The counted copy of a program: its units with counters, and what each counter means."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cyclescope.sources import calls, refusals, syntax, through_pointers, widths
from cyclescope.sources.calls import CallGraph
from cyclescope.sources.column_map import ColumnMap
from cyclescope.sources.edits import Edits
from cyclescope.sources.expression_walk import counter
from cyclescope.sources.host_compiler import HostCompiler
from cyclescope.sources.region_walk import FunctionWalk
from cyclescope.sources.regions import FunctionRegions
from cyclescope.sources.syntax import SourceError, SyntaxTree
from cyclescope.sources.user_text import UserText

PROLOGUE = "struct cyclescope_context *const cyclescope_here=cyclescope_enter({},{},{});"
SLOTS = "struct cyclescope_slot *const cyclescope_slots=cyclescope_here->slots;"
OPERANDS = "unsigned long long *const cyclescope_operands=cyclescope_here->count+{};"
COSTS = "const unsigned *const cyclescope_cost=cyclescope_costs+{};"
COUNTED = re.compile(rb"\+\+cyclescope_here->count\[(\d+)\]")
PASSED = rb"(++cyclescope_here->count[\1],cyclescope_pass(cyclescope_cost[\1]))"
"""A kernel has a clock: it advances wherever a region is counted."""
RETURNED = (
    "struct cyclescope_slot *const cyclescope_in"
    " __attribute__((cleanup(cyclescope_leave)))=cyclescope_next;"
)
"""In functions that others may call again from the same place."""


@dataclass(frozen=True)
class SourceUnit:
    """A C file and the options of its compiler that decide what it means (-I, -D, -std …)."""

    path: Path
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class NumberedFunction:
    """A function of the program, by its number; what it holds counts on from the firsts."""

    number: int
    unit: int
    found: FunctionRegions
    first_region: int
    first_call: int
    first_operands: int


class Instrumented:
    """The counted copies of all units of a program."""

    def __init__(
        self,
        units: Sequence[SourceUnit],
        compiler: HostCompiler,
        texts: Sequence[bytes] = (),
        ready: Callable[[bytes], None] | None = None,
        kernel_calls: frozenset[str] = frozenset(),
    ) -> None:
        """`texts` are the preprocessed units, if they are known; `ready` hears of each copy."""
        self.units = tuple(units)
        self.compiler = compiler
        self.kernel_calls = kernel_calls
        with ThreadPoolExecutor() as pool:
            self.trees = list(
                pool.map(self._parsed, self.units, texts or preprocessed(compiler, units))
            )
        for tree in self.trees:
            refusals.check(tree)
        self.graph = CallGraph()
        for number, tree in enumerate(self.trees):
            self.graph.add(number, tree)
        if "main" not in self.graph.defined:
            named = ", ".join(str(unit.path) for unit in self.units) or "no file"
            raise SourceError(
                f"{named}: no function main: name every file of the program",
                code="source-without-main",
            )
        self.functions: list[NumberedFunction] = []
        self.texts: list[bytes] = []
        for number, tree in enumerate(self.trees):
            self.texts.append(self._counted(number, tree))
            if ready:
                ready(self.texts[-1])

    def _parsed(self, unit: SourceUnit, text: bytes) -> SyntaxTree:
        standard = [one for one in unit.options if one.startswith("-std=") or one == "-ansi"]
        tree = syntax.parse(text, [*self.compiler.parsing, *standard])
        tree.original = self.compiler.original(unit.path, unit.options)
        return tree

    @cached_property
    def places(self) -> list[ColumnMap]:
        """Where the bytes of each unit's text are in the user's files."""
        return [ColumnMap(tree) for tree in self.trees]

    @cached_property
    def user_texts(self) -> list[UserText]:
        """The texts of the units without system headers."""
        return [UserText(tree.text) for tree in self.trees]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on declarations whose width differs from the target's, with their lines."""
        ilp32 = self.compiler.is_ilp32
        found = (one for tree in self.trees for one in widths.differing(tree, ilp32))
        return tuple(dict.fromkeys(found))

    @cached_property
    def _leaving(self) -> set[str]:
        return self.graph.leaving()

    def _counted(self, unit: int, tree: SyntaxTree) -> bytes:
        edits = Edits()
        for function in tree.functions:
            found = FunctionRegions(function)
            entry = syntax.body(function).begin + 1
            # Kept free: what stands there is known after the walk.
            reserved = edits.reserve(entry)
            walk = FunctionWalk(
                *(tree.text, found, edits, unit, self.graph.defined, self._leaving),
                self.kernel_calls,
            )
            walk.run()
            edits.fill(entry, reserved, self._prologue(self._numbered(unit, found)))
        through = through_pointers.replaced(tree, self.graph.defined, edits).encode()
        counted = edits.applied(tree.text)
        if self.kernel_calls:
            counted = COUNTED.sub(PASSED, counted)
        # An edit puts a comma in front of the function's name: no call that would declare it.
        own = sorted(calls.undeclared(tree) & self.graph.defined)
        declared = "".join(f"int {name}();\n" for name in own).encode()
        return self.compiler.declarations + declared + through + counted

    def _numbered(self, unit: int, found: FunctionRegions) -> NumberedFunction:
        firsts = (0, 0, 0)
        if self.functions:
            last = self.functions[-1]
            firsts = (
                last.first_region + len(last.found.regions),
                last.first_call + len(last.found.calls),
                last.first_operands + len(last.found.operands),
            )
        numbered = NumberedFunction(len(self.functions), unit, found, *firsts)
        self.functions.append(numbered)
        return numbered

    def _prologue(self, function: NumberedFunction) -> str:
        found = function.found
        parts = [
            PROLOGUE.format(function.number, found.counters, len(found.calls)),
            SLOTS if found.calls else "",
            OPERANDS.format(len(found.regions)) if found.operands else "",
            COSTS.format(function.first_region) if self.kernel_calls else "",
            f"{counter(0)};",
        ]
        name = calls.identity(found.function.cursor, function.unit)
        if name in self.graph.taken or name == "main":
            parts.insert(0, RETURNED)
        return "".join(parts)


def preprocessed(compiler: HostCompiler, units: Sequence[SourceUnit]) -> list[bytes]:
    """The texts of units after the preprocessor. Refuses a file that is named twice."""
    seen = Counter((unit.path.resolve(), unit.options) for unit in units)
    twice = [path for (path, _), times in seen.items() if times > 1]
    if twice:
        raise SourceError(f"{twice[0]} is named twice: name it once", code="source-named-twice")
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda one: compiler.preprocessed(one.path, one.options), units))
