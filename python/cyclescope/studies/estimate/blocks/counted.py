"""The counts of a run on the host, by position in the source, as the map to an image needs them."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath

from cyclescope.sources.counts import SourceCounts, SourceSpan
from cyclescope.studies.estimate.blocks.positions import LinePosition

Place = tuple[int, int]
"""Line and column, from 1."""
LOOP = re.compile(r"(for|while|do)\b")
SWITCH = re.compile(r"switch\b")
MULTIPLICATION = "multiply"
FURTHER_LINES = 9
"""Lines in which the right side of an operator is looked for."""
NAME = re.compile(r"[A-Za-z_]\w*\s*\(")
OPERATOR = re.compile(r"(&&|\|\|)\s*")
BACKWARDS = re.compile(r"--|-=")
"""An index or a pointer becomes less."""
OTHERWISE = re.compile(r":\s*")
"""Instructions of what stands right of it have its position in gcc."""


@dataclass(frozen=True)
class CountedRegion:
    """A piece of source that executed so many times; its spans leave out those of its children."""

    number: int
    function: str
    kind: str
    parent: int | None
    spans: tuple[tuple[str, Place, Place], ...]
    times: int
    condition: tuple[str, Place, Place] | None = None
    """Where the condition stands by which it executes."""
    sense: str = ""


class Counted:
    """All regions of a program, found by position."""

    def __init__(
        self,
        regions: tuple[CountedRegion, ...],
        factors: Mapping[tuple[str, int], Mapping[int, int]] | None = None,
        constants: Mapping[tuple[str, int], Collection[int]] | None = None,
        counts: SourceCounts | None = None,
        twins: Mapping[tuple[str, int], tuple[int, ...]] | None = None,
    ) -> None:
        self.counts = counts
        self._twins = dict(twins or {})
        self._constants = dict(constants or {})
        self.regions = regions
        self._factors = dict(factors or {})
        self._parents = {region.number: region.parent for region in regions}
        self._files: dict[str, str] = {}
        self._found: dict[LinePosition, list[CountedRegion]] = {}
        self._around: dict[int, frozenset[int]] = {}
        self._by_line: dict[tuple[str, int], list[tuple[Place, Place, CountedRegion]]]
        self._by_line = defaultdict(list)
        self._calling: dict[tuple[str, int, str], list[CountedRegion]] = defaultdict(list)
        self._by_number = {region.number: region for region in regions}
        self._decided: dict[tuple[str, int], list[CountedRegion]] = defaultdict(list)
        for region in regions:
            if region.condition is not None:
                file, begin, end = region.condition
                for line in range(begin[0], end[0] + 1):
                    self._decided[PurePath(file).name, line].append(region)
        self._multiplying: dict[str, set[tuple[str, int]]] = defaultdict(set)
        if counts is not None:
            by_number = self._by_number
            for one in counts.operands:
                if one.operation == MULTIPLICATION and one.region in by_number:
                    of = by_number[one.region].function
                    self._multiplying[of].add((PurePath(one.file).name, one.line))
            for call in counts.calls:
                if call.callee is not None:
                    at = (PurePath(call.file).name, call.line, call.callee)
                    self._calling[at].append(by_number[call.region])
        self._reach: dict[tuple[str, str], tuple[int, int]] = {}
        """The first and the last line of each function, by the file's name and its own."""
        for region in regions:
            for file, begin, end in region.spans:
                name = PurePath(file).name
                self._files[name] = file
                first, last = self._reach.get((name, region.function), (begin[0], end[0]))
                self._reach[name, region.function] = min(first, begin[0]), max(last, end[0])
                for line in range(begin[0], end[0] + 1):
                    self._by_line[name, line].append((begin, end, region))

    def all_at(self, position: LinePosition) -> list[CountedRegion]:
        """The regions that a position is in, in the order of the source: in a macro they may be
        several."""
        if position not in self._found:
            self._found[position] = self._look_up(position)
        return self._found[position]

    def _look_up(self, position: LinePosition) -> list[CountedRegion]:
        place = (position.line, position.column)
        inside, touching = dict[int, CountedRegion](), dict[int, CountedRegion]()
        for begin, end, region in self._by_line.get((position.file, position.line), ()):
            if begin <= place < end:
                inside[region.number] = region
            elif begin == place == end:
                touching[region.number] = region
        found = inside | touching if len(inside) > 1 else inside
        return [found[number] for number in sorted(found)]

    def at(self, position: LinePosition) -> CountedRegion | None:
        """The region that a position is in; of several the one that executes most often."""
        return max(self.all_at(position), key=lambda region: region.times, default=None)

    def twins(self, position: LinePosition) -> list[LinePosition]:
        """The positions in the same function whose code may be joined with that of this one."""
        lines = self._twins.get((position.file, position.line), ())
        here = self.at(position) if lines else None
        if here is None:
            return []
        # A file of 100,000 lines has thousands that are alike: only the function's are looked at.
        first, last = self._reach[position.file, here.function]
        near = lines[bisect_left(lines, first) : bisect_right(lines, last)]
        found = [position._replace(line=one) for one in near if one != position.line]
        regions = ((one, self.at(one)) for one in found)
        return [
            one
            for one, region in regions
            if region is not None and region.function == here.function
        ]

    def calling(self, position: LinePosition, callee: str) -> list[CountedRegion]:
        """The regions that call a function in the line of a position."""
        return self._calling.get((position.file, position.line, callee), [])

    def right_of(self, position: LinePosition) -> CountedRegion | None:
        """The region of the right operand, where && or || stands at a position."""
        found = OPERATOR.match(self._text(position))
        behind = self._behind(position, found.end()) if found is not None else None
        return self.at(behind) if behind is not None else None

    def decided_at(self, position: LinePosition) -> list[CountedRegion]:
        """The regions by whose conditions control goes on, in the line of a position."""
        return self._decided.get((position.file, position.line), [])

    def otherwise(self, position: LinePosition) -> CountedRegion | None:
        """The region right of a colon of `?:`, where one stands at a position."""
        found = OTHERWISE.match(self._text(position))
        behind = self._behind(position, found.end()) if found is not None else None
        return self.at(behind) if behind is not None else None

    def _behind(self, position: LinePosition, length: int) -> LinePosition | None:
        """The position of the first token behind so many letters at a position."""
        line, column = position.line, position.column + length
        rest = self._text(position)[length:]
        while not rest or rest.startswith(("#", "//", "/*", "\\")):
            line += 1
            text = self._text(position._replace(line=line, column=1))
            if not text and line > position.line + FURTHER_LINES:
                return None
            rest = text.lstrip()
            column = 1 + len(text) - len(rest)
        return position._replace(line=line, column=column)

    def path(self, position: LinePosition) -> str:
        """The file of a position, as the counted run names it."""
        return self._files.get(position.file, position.file)

    def may_be_macro(self, position: LinePosition) -> bool:
        """Whether a name and a parenthesis stand there: the use of a macro, or a call."""
        return bool(NAME.match(self._text(position)))

    def is_empty(self, position: LinePosition) -> bool:
        """Whether an empty statement stands there: its marks lie anywhere."""
        return self._text(position).startswith(";")

    def begins_loop(self, position: LinePosition) -> bool:
        """Whether the word of a loop statement stands there: compilers name its jump back so."""
        return bool(LOOP.match(self._text(position)))

    def counts_down(self, position: LinePosition) -> bool:
        """Whether the loop that a position lies in steps backwards, by its step or its body."""
        region = self.at(position)
        if region is None or not region.spans:
            return False
        parts = (region, *self.head(region, ("step",)))
        return any(BACKWARDS.search(self._of(one)) for one in parts)

    def head(
        self, loop: CountedRegion, kinds: Sequence[str] = ("condition", "step")
    ) -> list[CountedRegion]:
        """The condition and the step of a `for` by the region of its body."""
        found = dict[str, CountedRegion]()
        for one in self.regions:
            if one.kind in kinds and one.parent == loop.parent and one.spans and loop.spans:
                file, begin, _ = one.spans[0]
                if file == loop.spans[0][0] and begin < loop.spans[0][1]:
                    found[one.kind] = one
        return list(found.values())

    def stores(self, region: CountedRegion) -> Iterator[tuple[str, str, int]]:
        """Type, access and number of what one execution of a region stores."""
        for of, kind, type_, access, number in self.counts.operations if self.counts else ():
            if of == region.number and kind == "store":
                yield type_, access, number

    def _of(self, region: CountedRegion) -> str:
        """The text of a region, without those inside it."""
        found = []
        for file, begin, end in region.spans:
            for line in range(begin[0], end[0] + 1):
                column = begin[1] if line == begin[0] else 1
                text = self._text(LinePosition(PurePath(file).name, line, column))
                found.append(text[: end[1] - column] if line == end[0] else text)
        return "\n".join(found)

    def begins_switch(self, position: LinePosition) -> bool:
        """Whether a switch stands there: a chain of comparisons may have its position."""
        return bool(SWITCH.match(self._text(position)))

    def may_multiply_by(self, constant: int, position: LinePosition) -> bool:
        """Whether a line multiplies by a constant, or by none that the source has."""
        known = self._constants.get((position.file, position.line), ())
        return not known or any((one - constant) % 2**32 == 0 for one in known)

    def factor_bytes(self, position: LinePosition) -> float | None:
        """The mean of the significant bytes of the factors that are multiplied in a line."""
        times = self._factors.get((position.file, position.line))
        total = sum(times.values()) if times else 0
        return sum(size * n for size, n in times.items()) / total if times and total else None

    def unplaced_factor_bytes(
        self, position: LinePosition, placed: Collection[tuple[str, int]]
    ) -> float | None:
        """The same of all lines in a position's function, without those that are placed: a product
        that is added may have the position of its addition. Lines with constants are left out."""
        here = self.at(position)
        if here is None:
            return None
        sizes = Counter[int]()
        for line in self._multiplying[here.function]:
            if line not in placed and line not in self._constants:
                sizes.update(self._factors.get(line, {}))
        total = sizes.total()
        return sum(size * n for size, n in sizes.items()) / total if total else None

    def around(self, region: CountedRegion) -> CountedRegion | None:
        """The region that one lies in."""
        return self._by_number.get(region.parent) if region.parent is not None else None

    def ancestors(self, region: CountedRegion) -> frozenset[int]:
        """The numbers of the regions around one."""
        if region.number not in self._around:
            found, at = set[int](), region.parent
            while at is not None:
                found.add(at)
                at = self._parents[at]
            self._around[region.number] = frozenset(found)
        return self._around[region.number]

    def _text(self, position: LinePosition) -> str:
        """The line from a position on."""
        lines = _lines(self._files[position.file]) if position.file in self._files else ()
        line = lines[position.line - 1] if 0 < position.line <= len(lines) else ""
        return line[max(position.column - 1, 0) :]


@cache
def _lines(file: str) -> tuple[str, ...]:
    path = Path(file)
    return tuple(path.read_text(errors="replace").splitlines()) if path.exists() else ()


def counted(
    counts: SourceCounts, twins: Mapping[tuple[str, int], tuple[int, ...]] | None = None
) -> Counted:
    """The regions of a counted run with their totals over all contexts.

    `twins` are lines whose code the compiler may have joined, by the file's name and a line.
    """
    factors: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    constants: dict[tuple[str, int], set[int]] = defaultdict(set)
    operators = {one.id: one for one in counts.operands}
    for _, number, magnitude, times in counts.magnitudes:
        operator = operators[number]
        if operator.operation == MULTIPLICATION:
            at = PurePath(operator.file).name, operator.line
            one, other = magnitude // 4 + 1, magnitude % 4 + 1
            if operator.constant is None:
                factors[at][one] += times
                factors[at][other] += times
            else:
                constants[at].add(operator.constant)
                factors[at][max(one + other - _bytes(operator.constant), 1)] += times
    names = {function.id: function.name for function in counts.functions}
    return Counted(
        tuple(
            CountedRegion(
                region.id,
                names[region.function],
                region.kind,
                region.parent,
                tuple(map(_span, region.spans)),
                counts.totals[region.id],
                _span(region.condition) if region.condition is not None else None,
                region.sense,
            )
            for region in counts.regions
        ),
        factors,
        constants,
        counts,
        twins,
    )


def _span(span: SourceSpan) -> tuple[str, Place, Place]:
    return span.file, span.begin, span.end


def _bytes(constant: int) -> int:
    """The significant bytes of a constant factor, as a run records them."""
    value = constant if constant >= 0 else ~constant
    return min(max((value.bit_length() + 7) // 8, 1), 4)
