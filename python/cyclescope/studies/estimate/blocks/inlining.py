"""Which copy of a function an instruction belongs to: its own code, or a copy inlined at a call.

A run on the host counts each chain of calls by itself. DWARF says which calls the compiler inlined
(section 3.3.8). So each chain has a home: a function of the image, and the inlined calls that lead
from it to the source's function.
"""

import io
import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterator
from pathlib import PurePath
from typing import Any, NamedTuple

from elftools.dwarf.descriptions import describe_form_class
from elftools.dwarf.ranges import BaseAddressEntry, RangeEntry
from elftools.elf.elffile import ELFFile

from cyclescope.sources.counts import InlinedCopy, SourceCall, SourceCounts
from cyclescope.studies.estimate.blocks.counted import Counted, CountedRegion
from cyclescope.studies.estimate.blocks.flow import ImageFlow, Node
from cyclescope.studies.estimate.blocks.positions import LinePosition, Positions, unit_name

PARTS = re.compile(r"\.(part|cold)\b")
INLINED = "DW_TAG_inlined_subroutine"


class InlinedCall(NamedTuple):
    """A call that became a copy of the function: its name, and where the call stands."""

    callee: str
    file: str
    line: int
    column: int


Chain = tuple[InlinedCall, ...]


class Home(NamedTuple):
    """A function of the image, by its name in the source, and the inlined calls within it."""

    function: str
    chain: Chain


class Inlining:
    """The inlined calls of an image's functions."""

    def __init__(
        self,
        elf: bytes,
        functions: Collection[str],
        calls: Collection[tuple[str, str, int]],
        units: Container[str] | None = None,
    ) -> None:
        """Reads those of these functions, by their names in the source.

        `calls` are the calls of the source: callee, file and line. `units` are the files whose
        units are read, by their names without folders; None is all.
        """
        self._calls = frozenset(calls)
        self._pieces: dict[int, list[tuple[int, int, Chain]]] = {}
        """By a function's address: first address and end of each piece of code, outermost first."""
        self.chains: dict[str, set[Chain]] = defaultdict(set)
        """By a function's name."""
        self.split = set[str]()
        """Functions with one home: recursive, or inlined in part and called in part."""
        self._dwarf = ELFFile(io.BytesIO(elf)).get_dwarf_info()
        self._ranges: Any = self._dwarf.range_lists()
        for unit in self._dwarf.iter_CUs():
            if units is not None and unit_name(unit) not in units:
                continue
            top = unit.get_top_DIE()
            self._base = _address(top)
            for one in top.iter_children():
                begin = _address(one) if one.tag == "DW_TAG_subprogram" else None
                if begin is None or (name := _name(one)) not in functions:
                    continue
                found = list(self._walk(one, (), name))
                self._pieces[begin] = found
                self.chains[name] |= {chain for _, _, chain in found}

    def _walk(self, die: Any, chain: Chain, within: str) -> Iterator[tuple[int, int, Chain]]:
        for one in die.iter_children():
            if one.tag == INLINED:
                call = _call(one)
                if call.callee == within and call[:3] not in self._calls:
                    # A function that the compiler cut in two and joined again: no call.
                    yield from self._walk(one, chain, within)
                    continue
                further = (*chain, call)
                for begin, end in self._extent(one):
                    yield begin, end, further
                yield from self._walk(one, further, call.callee)
            elif one.tag == "DW_TAG_lexical_block":
                yield from self._walk(one, chain, within)

    def _extent(self, die: Any) -> list[tuple[int, int]]:
        attributes = die.attributes
        begin = _address(die)
        if "DW_AT_high_pc" in attributes and begin is not None:
            high = attributes["DW_AT_high_pc"]
            is_offset = describe_form_class(high.form) == "constant"
            return [(begin, begin + high.value if is_offset else high.value)]
        if "DW_AT_ranges" not in attributes:
            return [] if begin is None else [(begin, begin)]
        offset = attributes["DW_AT_ranges"].value
        found, base = [], self._base or 0
        for entry in self._ranges.get_range_list_at_offset(offset, die.cu):
            if isinstance(entry, BaseAddressEntry):
                base = entry.base_address
            elif isinstance(entry, RangeEntry):
                at = 0 if entry.is_absolute else base
                found.append((at + entry.begin_offset, at + entry.end_offset))
        return found

    def home(self, function: int, name: str, address: int, source: str) -> Home:
        """The home of code at an address, in a function of the image at `function`.

        `name` is that function's, `source` the one that the code's position is in.
        """
        pieces = self._pieces.get(function, [])
        inside = [
            chain
            for begin, end, chain in pieces
            if begin <= address < end and chain[-1].callee == source
        ]
        if inside:
            return self.whole(Home(name, max(inside, key=len)))
        if source == name:
            return self.whole(Home(name, ()))
        near = [
            (min(abs(address - begin), abs(address - end)), chain)
            for begin, end, chain in pieces
            if chain[-1].callee == source
        ]
        return self.whole(Home(name, min(near)[1]) if near else Home(source, ()))

    def whole(self, home: Home) -> Home:
        """The same, where a split function begins a home of its own."""
        for index in range(len(home.chain) - 1, -1, -1):
            if home.chain[index].callee in self.split:
                return Home(home.chain[index].callee, home.chain[index + 1 :])
        return home

    def inlines(self, home: Home, callee: str, file: str, line: int, column: int) -> Chain | None:
        """The chain of a call in a home, if it was inlined there."""
        depth = len(home.chain)
        found = [
            chain[: depth + 1]
            for chain in self.chains.get(home.function, ())
            if len(chain) > depth
            and chain[:depth] == home.chain
            and chain[depth][:3] == (callee, file, line)
        ]
        exact = [chain for chain in found if chain[depth].column == column]
        return min(exact or found, default=None)


class Homes:
    """How often each region ran in each home, and the homes of code."""

    def __init__(
        self,
        flow: ImageFlow,
        positions: Positions,
        counted: Counted,
        inlining: Inlining | None,
    ) -> None:
        self._positions, self._counted = positions, counted
        self._inlining: Inlining | None = None
        self._times: dict[tuple[int, Home], int] = defaultdict(int)
        counts = counted.counts
        if counts is None or counts.merged or inlining is None:
            return
        self._inlining = inlining
        inlining.split |= {
            base_name(one.name) for one in flow.functions if PARTS.search(one.name) is not None
        }
        inlining.split |= set(self._called_as_well(flow, inlining))
        if not counts.copies:
            # All depths of a recursion are counted in one chain.
            inlining.split |= recursive(counts)
        self._count(counts, inlining)

    @property
    def are_known(self) -> bool:
        """Whether homes are distinguished."""
        return self._inlining is not None

    def of(self, node: Node, address: int, region: CountedRegion) -> Home | None:
        """The home of an instruction whose position is in a region; None without homes."""
        if self._inlining is None:
            return None
        begin, name = node.function.address, base_name(node.function.name)
        return self._inlining.home(begin, name, address, region.function)

    def times(self, region: CountedRegion, home: Home | None) -> int:
        """How often a region ran in a home."""
        return region.times if home is None else self._times.get((region.number, home), 0)

    def _called_as_well(self, flow: ImageFlow, inlining: Inlining) -> Iterator[str]:
        """Functions that are called where another copy of the same call was inlined."""
        names = {one.address: base_name(one.name) for one in flow.functions}
        for node in flow.nodes:
            callee = names.get(node.calls or 0)
            position = self._positions.of(node.last)
            region = self._counted.at(position) if position else None
            if callee is None or position is None or region is None:
                continue
            begin, name = node.function.address, base_name(node.function.name)
            home = inlining.home(begin, name, node.last, region.function)
            chain = inlining.inlines(home, callee, *position)
            if chain is not None and chain[-1].column == position.column:
                yield callee

    def _count(self, counts: SourceCounts, inlining: Inlining) -> None:
        names = {function.id: function.name for function in counts.functions}
        calls = {call.id: call for call in counts.calls}
        known: dict[int, Home] = {}
        for context in sorted(counts.contexts, key=lambda one: one.id):
            name = names[context.function]
            known[context.id] = Home(name, ())
            if context.parent in known and context.call is not None:
                call, around = calls[context.call], known[context.parent]
                at = (PurePath(call.file).name, call.line, call.column)
                # Copies of a function's beginning do not hold what its cut part does.
                for home in dict.fromkeys((around, inlining.whole(around))):
                    chain = inlining.inlines(home, name, *at)
                    if chain is not None:
                        known[context.id] = Home(home.function, chain)
                        break
        for number, region, times in counts.counted:
            self._times[region, inlining.whole(known[number])] += times


def inlining_of(elf: bytes, counts: SourceCounts, units: Container[str] | None = None) -> Inlining:
    """The inlined calls of a program whose counts have the places of the image."""
    calls = {(call.callee or "", PurePath(call.file).name, call.line) for call in counts.calls}
    return Inlining(elf, {one.name for one in counts.functions}, calls, units)


def recursive_copies(
    counts: SourceCounts, inlining: Inlining, jumps: Collection[int]
) -> tuple[InlinedCopy, ...]:
    """All copies that the compiler made of calls, if a recursive function is among them.

    `jumps` are the calls that it made jumps of.
    """
    again, chains = recursive(counts), inlining.chains.values()
    if not any(one.callee in again for some in chains for chain in some for one in chain):
        return ()
    return _Copies(counts, jumps).of(inlining)


def jumping_calls(
    counts: SourceCounts, flow: ImageFlow, positions: Positions, inlining: Inlining
) -> set[int]:
    """Calls of functions by themselves that are neither called nor inlined in the image.

    The compiler made them jumps (tail recursion).
    """
    names = {one.address: base_name(one.name) for one in flow.functions}
    there = {
        (names[node.calls], position)
        for node in flow.nodes
        if node.calls in names and (position := positions.of(node.last)) is not None
    }
    there |= {
        (one.callee, LinePosition(*one[1:]))
        for chains in inlining.chains.values()
        for chain in chains
        for one in chain
    }
    functions = {region: one.name for one in counts.functions for region in one.regions}
    places = {
        call.id: (call.callee, LinePosition(PurePath(call.file).name, call.line, call.column))
        for call in counts.calls
    }
    # Where the compiler gave a call the position of another one, it may be any of its line.
    odd = {(name, at.file, at.line) for name, at in there - set(places.values())}
    known = {name for name, _ in there} | set(names.values())
    return {
        call.id
        for call in counts.calls
        if call.callee == functions[call.region]
        and call.callee in known
        and counts.totals[call.region]
        and places[call.id] not in there
        and (call.callee, *places[call.id][1][:2]) not in odd
    }


class _Copies:
    """Numbers the copies of functions by the source's calls."""

    def __init__(self, counts: SourceCounts, jumps: Collection[int]) -> None:
        self._numbers = {one.name: one.id for one in reversed(counts.functions)}
        functions = {region: one.id for one in counts.functions for region in one.regions}
        self._calls: dict[tuple[int, str, str, int], list[SourceCall]] = defaultdict(list)
        self._jumps: dict[int, list[int]] = defaultdict(list)
        for call in counts.calls:
            function = functions[call.region]
            at = (function, call.callee, PurePath(call.file).name, call.line)
            self._calls[at].append(call)
            if call.id in jumps:
                self._jumps[function].append(call.id)
        self._made: list[InlinedCopy] = []
        self._known: dict[tuple[int, int, int], int] = {}

    def of(self, inlining: Inlining) -> tuple[InlinedCopy, ...]:
        for name, chains in inlining.chains.items():
            for chain in sorted(chains, key=len):
                self._add(self._numbers[name], chain)
        return tuple(self._made)

    def _add(self, function: int, chain: Chain) -> None:
        within = 0
        for one in chain:
            callee = self._numbers.get(one.callee)
            calls = self._calls.get((function, *one[:3]), [])
            exact = [call for call in calls if call.column == one.column] or calls
            if callee is None or not exact:
                return
            at = (within, function, exact[0].id)
            if at not in self._known:
                self._known[at] = len(self._known) + 1
                self._made.append(_copy(*at, callee, self._known[at]))
                for call in self._jumps[callee]:
                    self._made.append(_copy(self._known[at], callee, call, callee, self._known[at]))
            within, function = self._known[at], callee


def _copy(within: int, function: int, call: int, callee: int, entered: int) -> InlinedCopy:
    return InlinedCopy(within=within, function=function, call=call, callee=callee, entered=entered)


def recursive(counts: SourceCounts) -> set[str]:
    """Functions that call themselves by name, themselves or by way of others."""
    names = {function.id: function.name for function in counts.functions}
    function_of = {region.id: names[region.function] for region in counts.regions}
    called: dict[str, set[str]] = defaultdict(set)
    for call in counts.calls:
        if call.callee:
            called[function_of[call.region]].add(call.callee)

    def reached(name: str) -> set[str]:
        found, todo = set[str](), [name]
        while todo:
            new = called.get(todo.pop(), set()) - found
            found |= new
            todo += new
        return found

    return {name for name in called if name in reached(name)}


def base_name(symbol: str) -> str:
    """A function's name in the source; the compiler's clones have a suffix."""
    return symbol.split(".")[0]


def _address(die: Any) -> int | None:
    found = die.attributes.get("DW_AT_low_pc")
    return None if found is None else int(found.value)


def _name(die: Any) -> str:
    while "DW_AT_name" not in die.attributes:
        origin = next((k for k in _ORIGINS if k in die.attributes), None)
        if origin is None:
            return ""
        die = die.get_DIE_from_attribute(origin)
    return str(die.attributes["DW_AT_name"].value.decode())


_ORIGINS = ("DW_AT_abstract_origin", "DW_AT_specification")


def _call(die: Any) -> InlinedCall:
    attributes = die.attributes
    table = die.dwarfinfo.line_program_for_CU(die.cu)
    number = attributes["DW_AT_call_file"].value
    file = table.header["file_entry"][number - (table.header["version"] < 5)].name.decode()
    column = attributes["DW_AT_call_column"].value if "DW_AT_call_column" in attributes else 0
    line = attributes["DW_AT_call_line"].value
    return InlinedCall(_name(die), PurePath(file).name, line, column)
