"""Evidence in the line table of an image: how often its nodes execute.

Each piece of evidence names copies of one place in the source. Together they execute as often as
the region that the place is in. Some kinds are trusted more: a call is never made in advance, but
instructions of optimised code are moved.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import PurePath

from cyclescope.firmware.program import Function
from cyclescope.sources.operation_types import rounded_bytes
from cyclescope.sources.senses import OPPOSITE, Sense
from cyclescope.studies.estimate.blocks.counted import Counted, CountedRegion
from cyclescope.studies.estimate.blocks.flow import ImageFlow, Node
from cyclescope.studies.estimate.blocks.inlining import Home, Homes, base_name
from cyclescope.studies.estimate.blocks.positions import LinePosition, Positions


@dataclass(frozen=True)
class Trust:
    """How much a difference weighs. `more`: the image has more executions than the source; `less`:
    it has fewer, as where a copy lost its mark."""

    more: float
    less: float


CALL = Trust(10.0, 10.0)
OPERATION = Trust(4.0, 0.2)
"""Of calls of the compiler's functions: they may be made in front of a loop, or once for all."""
INSTEAD = Trust(2.0, 0.3)
"""Of calls in place of a loop, which are left out where the loop has no round."""
MARK = Trust(4.0, 2.0)
FIRST = Trust(6.0, 6.0)
PART = Trust(3.0, 0.1)
BRANCH = Trust(2.0, 2.0)
SIDE = Trust(1.9, 1.8)
DECISION = Trust(0.1, 0.1)
FAR = Trust(0.02, 0.0)
"""Of shifts of two words by a word or more, which are rare."""
ENTRY = Trust(4.0, 0.5)
ENTERED = Trust(5.0, 5.0)
MACRO = Trust(2.0, 0.1)
DISSOLVED = Trust(0.1, 0.3)
STORE = Trust(1.7, 0.7)
INSTRUCTION = Trust(0.3, 0.02)
OPERATOR = Trust(0.15, 0.02)
CONDITION = "condition"
"""The region of a loop's condition."""
MADE = ("memset", "memcpy", "memmove")
"""Functions that the compiler calls in place of loops and assignments."""
OF_COMPILER = "__"
"""Begins the names of its functions, which no function of a program or library has that is called
by its name."""
BRANCHLESS = frozenset(("then", "else"))
"""Regions that the compiler may execute by conditions instead of branches."""
DISSOLVING = frozenset(("then", "else", "and", "or", "rest", "case"))
"""Regions whose marks the compiler leaves in the code around when it makes them branchless."""


IF_HOLDS = {
    Sense.ZERO: ("eq",),
    Sense.NO_BITS: ("eq", "pl", "cc"),
    Sense.EQUAL: ("eq",),
    Sense.LESS: ("lt", "le", "cc", "ls", "mi"),
}
"""Conditions of branches that are taken if one of the source holds. Bits are tested by shifts: the
last one shifted is the carry, and the highest one left the sign."""
IF_NOT = {
    Sense.ZERO: ("ne",),
    Sense.NO_BITS: ("ne", "mi", "cs"),
    Sense.EQUAL: ("ne",),
    Sense.LESS: ("gt", "ge", "cs", "hi", "pl"),
}


def third_argument(flow: ImageFlow, node: Node) -> int | None:
    """That of the call that a node ends with, if it is a constant."""
    code = flow.code[node.function.address]
    before = [one for one in code if one.address < node.last]
    return flow.program.architecture.argument(flow.program, reversed(before), 2)


def holds(condition: str, sense: str) -> bool | None:
    """Whether a condition of the source holds if a branch's does; None if both are possible."""
    inverse = Sense(sense) not in IF_HOLDS
    plain = OPPOSITE[Sense(sense)] if inverse else Sense(sense)
    if condition in IF_HOLDS.get(plain, ()):
        return not inverse
    return inverse if condition in IF_NOT.get(plain, ()) else None


@dataclass(frozen=True)
class Copy:
    """A copy of a place in the source: in a node, or, if `joins`, perhaps only where control falls
    into it."""

    node: int
    joins: bool = False
    enters: bool = False
    """Whether only the entries into its function count."""
    taken: bool | None = None
    """Whether only those count where its last instruction executes, or does not."""


@dataclass(frozen=True)
class Evidence:
    """Copies that together execute as often as a region."""

    copies: tuple[Copy, ...]
    times: int
    trust: Trust
    position: LinePosition
    spared: int = 0
    """Of these the compiler may have spared so many: the first test of a loop that it knows."""


def evidence(
    flow: ImageFlow,
    positions: Positions,
    counted: Counted,
    homes: Homes,
    jumps: Container[int] = (),
) -> list[Evidence]:
    """Everything that the line table says about the nodes.

    `jumps` are calls of functions by themselves that became jumps.
    """
    return list(_Table(flow, positions, counted, homes, jumps).all())


@dataclass(frozen=True)
class _PlaceAtHome:
    """A position in the source, and whose copy of it."""

    position: LinePosition
    home: Home | None


class _Table:
    """The line table beside the nodes."""

    def __init__(
        self,
        flow: ImageFlow,
        positions: Positions,
        counted: Counted,
        homes: Homes,
        jumps: Container[int],
    ) -> None:
        self._flow, self._positions, self._counted = flow, positions, counted
        self._homes = homes
        # Jumps to pointers behind a function, which are called, are nobody's statements.
        whole = {function.address for function in flow.functions}
        firsts = [
            node for node in flow.nodes if not node.skipped and node.function.address in whole
        ]
        self._jumps: dict[str, list[CountedRegion]] = defaultdict(list)
        if counted.counts is not None:
            by_number = {one.number: one for one in counted.regions}
            for call in counted.counts.calls:
                if call.id in jumps:
                    self._jumps[call.callee].append(by_number[call.region])
        self._names = {one.address: one.name for one in flow.functions}
        plain = positions.plain
        self._nodes = firsts
        self._plain_nodes = [node for node in firsts if self._file(node.function) in plain]
        self._optimised = [node for node in firsts if self._file(node.function) not in plain]
        self._joins = _joins(flow)
        self._unrolled = self._unrolled_regions()

    def all(self) -> Iterator[Evidence]:
        yield from self._calls()
        yield from self._entered()
        replaced = {
            one.number
            for _, region, _ in self._instead
            for one in (region, *self._counted.head(region))
        }
        yield from self._entries_of_replaced()
        of_code = (
            self._branches,
            self._decisions,
            self._plain,
            self._marks,
            self._parts,
            self._stores,
        )
        for one in chain.from_iterable(kind() for kind in of_code):
            region = self._counted.at(one.position)
            if region is None or region.number not in replaced:
                yield one

    @cached_property
    def _instead(self) -> list[tuple[Node, CountedRegion, _PlaceAtHome]]:
        """Calls of MADE in place of loops, those loops, and whose copies they are.

        Those store one thing, and nothing is left of them.
        """
        found = []
        for node in self._optimised:
            position = self._positions.of(node.last) if node.calls is not None else None
            region = self._counted.at(position) if position else None
            if position is None or region is None or region.kind != "loop":
                continue
            stored = list(self._counted.stores(region))
            if len(stored) != 1 or stored[0][1] == "local" or stored[0][2] != 1:
                continue
            size = third_argument(self._flow, node)
            if size is not None and stored[0][0] == rounded_bytes(size):
                continue  # one structure is assigned in each round
            place = self._place(node, node.last, position)
            if self._is_made(node, place):
                found.append((node, region, place))
        return found

    def _entries_of_replaced(self) -> Iterator[Evidence]:
        """Calls in place of a loop execute as often as it begins."""
        copies = defaultdict[_PlaceAtHome, list[Copy]](list)
        for node, _, place in self._instead:
            copies[place].append(Copy(node.number))
        for place, held in copies.items():
            region = self._counted.at(place.position)
            around = self._counted.around(region) if region else None
            if around is not None:
                yield self._evidence(held, around, INSTEAD, place)

    def _file(self, function: Function) -> str | None:
        """The file that a function begins in."""
        position = self._positions.of(function.address)
        return position.file if position else None

    def _place(self, node: Node, address: int, position: LinePosition) -> _PlaceAtHome:
        region = self._counted.at(position)
        return _PlaceAtHome(position, self._homes.of(node, address, region) if region else None)

    def _joined(
        self, copies: dict[_PlaceAtHome, list[Copy]], known: Container[LinePosition]
    ) -> Iterator[tuple[_PlaceAtHome, list[Copy], int]]:
        """Places with their copies, and how often further ones executed that lie there too.

        The compiler joins ends of code that are alike, and keeps the positions of one: then all
        that are alike share what is left. `known` are the positions that the image has.
        """
        taken = set[_PlaceAtHome]()
        for place, held in copies.items():
            if place in taken:
                continue
            twins = [_PlaceAtHome(one, place.home) for one in self._counted.twins(place.position)]
            lost = sum(self._times(one) for one in twins if one.position not in known)
            there = [one for one in twins if one in copies] if lost else []
            taken.update(there)
            both = [*held, *(copy for one in there for copy in copies[one])]
            yield place, both, lost + sum(map(self._times, there))

    def _times(self, place: _PlaceAtHome) -> int:
        region = self._counted.at(place.position)
        return self._homes.times(region, place.home) if region is not None else 0

    def _evidence(
        self,
        copies: Iterable[Copy],
        region: CountedRegion,
        trust: Trust,
        place: _PlaceAtHome,
        further: int = 0,
    ) -> Evidence:
        times = self._homes.times(region, place.home) + further
        spared = 0
        if region.kind == CONDITION:
            around = self._counted.around(region)
            spared = min(self._homes.times(around, place.home), times) if around else 0
        return Evidence(tuple(copies), times, trust, place.position, spared)

    def _unrolled_regions(self) -> dict[tuple[int, int, Home | None], int]:
        """How often nodes hold a region, by node, region and home: all its statements that begin
        there do so several times where the compiler unrolled a loop."""
        marks: dict[tuple[int, int, Home | None], Counter[LinePosition]] = defaultdict(Counter)
        for node in self._optimised:
            for at, position, region in self._marked(node, node.begin):
                place = self._place(node, at, position)
                marks[node.number, region.number, place.home][position] += 1
        return {key: least for key, held in marks.items() if (least := min(held.values())) > 1}

    def _copies(self, node: Node, region: CountedRegion, place: _PlaceAtHome) -> list[Copy]:
        """The copies of an instruction's place in a node."""
        number = self._unrolled.get((node.number, region.number, place.home), 1)
        return [Copy(node.number)] * number

    def _calls(self) -> Iterator[Evidence]:
        """All copies of a call execute as often as its region: calls are never made in advance."""
        copies: dict[tuple[_PlaceAtHome, str, int], list[Copy]] = defaultdict(list)
        for node in self._nodes:
            if node.calls is not None and (position := self._positions.of(node.last)):
                callee = base_name(self._names.get(node.calls, ""))
                place = self._place(node, node.last, position)
                # One place may call several functions of the compiler.
                other = 0 if callee else node.calls
                copies[place, callee, other].append(Copy(node.number))
        known = {place.position for place, _, _ in copies}
        by_callee: dict[tuple[str, int], dict[_PlaceAtHome, list[Copy]]] = defaultdict(dict)
        for (place, callee, other), held in copies.items():
            by_callee[callee, other][place] = held
        for (callee, _), places in by_callee.items():
            yield from self._calls_of(callee, places, known)

    def _calls_of(
        self, callee: str, places: dict[_PlaceAtHome, list[Copy]], known: Container[LinePosition]
    ) -> Iterator[Evidence]:
        for place, held, further in self._joined(places, known):
            regions = self._counted.all_at(place.position)
            if all(self._is_made(self._flow.nodes[one.node], place) for one in held):
                continue
            if len(regions) > 1:
                # In a macro: the one of them that calls this function.
                regions = self._counted.calling(place.position, callee)
            if len(regions) == 1:
                operates = all(self._is_of_compiler(self._flow.nodes[one.node]) for one in held)
                trust = OPERATION if operates else CALL
                yield self._evidence(held, regions[0], trust, place, further)

    def _is_made(self, node: Node, place: _PlaceAtHome) -> bool:
        """Whether a node calls a function that fills or copies, and the source does not there."""
        if not node.calls or node.calls in self._names:
            return False
        callee = self._flow.program.function_at(node.calls).name
        called = (callee, f"__builtin_{callee}")
        calling = self._counted.calling
        return callee in MADE and not any(calling(place.position, one) for one in called)

    def _is_of_compiler(self, node: Node) -> bool:
        """Whether a node calls a function that the compiler has for an operation."""
        if not node.calls or node.calls in self._names:
            return False
        return self._flow.program.function_at(node.calls).name.startswith(OF_COMPILER)

    def _entered(self) -> Iterator[Evidence]:
        """Functions are entered as often as their bodies execute, where they were not inlined.

        Units may each have a static function of one name, as of a header: each has its own body.
        """
        entries: dict[tuple[str, str], list[Copy]] = defaultdict(list)
        bodies: dict[tuple[str, str], list[CountedRegion]] = defaultdict(list)
        for one in self._counted.regions:
            if one.kind == "body" and one.spans:
                bodies[one.function, PurePath(one.spans[0][0]).name].append(one)
        files: dict[str, list[str]] = defaultdict(list)
        for name, file in bodies:
            files[name].append(file)
        for function in self._flow.functions:
            name, numbers = base_name(function.name), self._flow.entries[function.address][:1]
            known = files[name]
            at = known[0] if len(known) == 1 else self._file(function) or ""
            entries[name, at] += [Copy(one, enters=True) for one in numbers]
        for (name, file), held in entries.items():
            found = bodies.get((name, file), [])
            if not found:
                continue
            position = LinePosition(file, *found[0].spans[0][1])
            home = Home(name, ()) if self._homes.are_known else None
            times = sum(self._homes.times(one, home) for one in found) - self._jumped(name, home)
            yield Evidence(tuple(held), max(times, 0), ENTERED, position)

    def _branches(self) -> Iterator[Evidence]:
        """All copies of a condition's branch execute as often as the condition."""
        copies: dict[_PlaceAtHome, list[Copy]] = defaultdict(list)
        for node in self._optimised:
            branches = node.conditional and node.calls is None
            if branches and (position := self._positions.of(node.last)):
                copies[self._place(node, node.last, position)].append(Copy(node.number))
        counted = self._counted
        for place, held, further in self._joined(copies, {one.position for one in copies}):
            position = place.position
            right = counted.right_of(position)
            region = right or counted.at(position)
            if region is None or counted.begins_loop(position) or counted.begins_switch(position):
                continue
            held = self._first(held, position)
            if not held:
                # Branches that go on with one another in a ring: none is the first.
                continue
            if right is None and len(held) > 1 and counted.may_be_macro(position):
                # A macro may hold several conditions.
                for one in held:
                    yield self._evidence((one,), region, MACRO, place)
            elif right is None:
                yield self._evidence(held, region, BRANCH, place, further)
            elif position not in self._positions.statements:
                if last := self._last(held):
                    yield self._evidence(last, region, SIDE, place)
            elif deciding := self._deciding(held, position, right):
                yield self._evidence(deciding, region, SIDE, place)

    def _decisions(self) -> Iterator[Evidence]:
        """Of all copies of a condition's branch as many lead to a side as executed it."""
        copies: dict[_PlaceAtHome, list[Copy]] = defaultdict(list)
        open_places = set[_PlaceAtHome]()
        regions: dict[_PlaceAtHome, CountedRegion] = {}
        for node in self._optimised:
            position = self._positions.of(node.last) if node.conditional else None
            code = self._flow.instructions(node) if node.conditional else []
            is_far = self._flow.program.architecture.is_far_if_taken(code)
            if is_far is not None and position is not None:
                yield Evidence((Copy(node.number, taken=is_far),), 0, FAR, position)
            decided = self._counted.decided_at(position) if position is not None else []
            if position is None or len(decided) != 1 or node.calls is not None:
                continue
            place = self._place(node, node.last, position)
            held = holds(self._flow.program.architecture.condition(code[-1]), decided[0].sense)
            regions[place] = decided[0]
            if held is None or self._flow.is_predicated(node):
                open_places.add(place)
            else:
                copies[place].append(Copy(node.number, taken=held))
        for place, found in copies.items():
            if place not in open_places:
                yield self._evidence(found, regions[place], DECISION, place)

    def _first(self, held: list[Copy], position: LinePosition) -> list[Copy]:
        """Branches without those that only go on with another's comparison, as of 64 bits."""
        nodes, numbers = self._flow.nodes, {one.node for one in held}
        led = {way.target for one in held for way in nodes[one.node].ways if way.target != one.node}
        return [
            one
            for one in held
            if one.node not in led & numbers or not self._lies_at(nodes[one.node], position)
        ]

    def _lies_at(self, node: Node, position: LinePosition) -> bool:
        """Whether all instructions of a node have one position."""
        code = self._flow.instructions(node)
        return all(self._positions.of(one.address) == position for one in code)

    def _last(self, held: Iterable[Copy]) -> list[Copy]:
        """Branches that lead to no other of them: of a chain with an operator's position, the
        first decides on the left side."""
        numbers = {one.node for one in held}
        ways = self._flow.nodes
        return [
            one
            for one in held
            if not any(way.target in numbers - {one.node} for way in ways[one.node].ways)
        ] or list(held)

    def _deciding(
        self, held: Iterable[Copy], position: LinePosition, right: CountedRegion
    ) -> list[Copy]:
        """Branches with an operator's position that decide on its right side: beside that they
        have nothing but its code."""
        found = []
        for one in held:
            node = self._flow.nodes[one.node]
            places = set(self._positions.within(node.begin, node.end)) - {position}
            if places and all(self._counted.at(place) is right for place in places):
                found.append(one)
        return found

    def _plain(self) -> Iterator[Evidence]:
        """Code that was not optimised: the first piece of each statement executes as it does."""
        seen = set[LinePosition]()
        holding: dict[LinePosition, list[int]] = defaultdict(list)
        for node in self._plain_nodes:
            for position in dict.fromkeys(self._positions.within(node.begin, node.end)):
                holding[position].append(node.number)
        for position, held in holding.items():
            regions = self._counted.all_at(position)
            if len(regions) == len(held):
                # In a macro: its pieces of code lie in the order of the source.
                for number, one in zip(held, regions, strict=True):
                    yield Evidence((Copy(number),), one.times, FIRST, position)
                continue
            region = self._counted.at(position)
            if region is None:
                continue
            for number in held:
                trust = PART if position in seen or len(regions) > 1 else FIRST
                seen.add(position)
                yield Evidence((Copy(number),), region.times, trust, position)

    def _marked(self, node: Node, begin: int) -> Iterator[tuple[int, LinePosition, CountedRegion]]:
        """The beginnings of statements in a node from an address on."""
        for at in range(begin, node.end, 2):
            for position in self._positions.begun.get(at, ()):
                region = self._counted.at(position)
                counted = self._counted
                says = not counted.begins_loop(position) and not counted.is_empty(position)
                if region is not None and says:
                    yield at, position, region

    def _marks(self) -> Iterator[Evidence]:
        """Beginnings of statements: all copies of one execute as often as it does."""
        copies: dict[_PlaceAtHome, list[Copy]] = defaultdict(list)
        dissolving, entering = set[_PlaceAtHome](), set[_PlaceAtHome]()
        for node in self._optimised:
            marked = list(self._marked(node, node.begin))
            joins = node.begin in self._joins
            sure = [(where, one) for at, where, one in marked if at > node.begin or not joins]
            for at, position, region in marked:
                if self._is_decided(position, region, sure):
                    continue
                if self._decides_later(node, position, region):
                    continue
                place = self._place(node, at, position)
                if region.kind in BRANCHLESS and self._is_dissolved(node, region):
                    dissolving.add(place)
                if at == node.function.address:
                    entering.add(place)
                copies[place].append(Copy(node.number, at == node.begin and joins))
        for place, held, further in self._joined(copies, self._positions.statements):
            held_in = self._counted.at(place.position)
            if held_in is not None:
                trust = DISSOLVED if place in dissolving else MARK
                trust = ENTRY if place in entering else trust
                several = len(held) > len({one.node for one in held})
                if several and self._counted.may_be_macro(place.position):
                    for one in dict.fromkeys(held):
                        yield self._evidence((one,), held_in, MACRO, place)
                    continue
                found = self._evidence(held, held_in, trust, place, further)
                is_body = held_in.kind == "body"
                inner = self._jumped(held_in.function, place.home) if is_body else 0
                entries = self._flow.entries
                if inner and all(self._flow.nodes[one.node].begin in entries for one in held):
                    found = replace(found, times=max(found.times - inner, 0))
                yield found

    def _jumped(self, function: str, home: Home | None) -> int:
        """How often a function called itself where the image has a jump instead, in a home."""
        return sum(self._homes.times(region, home) for region in self._jumps[function])

    def _is_decided(
        self,
        position: LinePosition,
        region: CountedRegion,
        marks: Iterable[tuple[LinePosition, CountedRegion]],
    ) -> bool:
        """Whether a part of the source lies in a node together with what decides on it."""
        if region.kind not in DISSOLVING:
            return False
        around = self._counted.ancestors(region)
        return any(one.number in around and where < position for where, one in marks)

    def _decides_later(self, node: Node, mark: LinePosition, region: CountedRegion) -> bool:
        """Whether a node ends with the branch that decides on a part of the source: that part's
        mark came there with instructions made in advance."""
        position = self._positions.of(node.last) if node.conditional else None
        if position is None or region.kind not in DISSOLVING or position.file != mark.file:
            return False
        deciding = self._counted.at(position)
        around = self._counted.ancestors(region)
        return deciding is not None and deciding.number in around and position < mark

    def _is_dissolved(self, node: Node, region: CountedRegion) -> bool:
        """Whether a branch's code executes by conditions here, and none of it without."""
        if not self._flow.is_predicated(node):
            return False
        architecture = self._flow.program.architecture
        near = False
        for one in self._flow.instructions(node):
            position = self._positions.of(one.address)
            of = self._counted.at(position) if position else None
            if of is None:
                continue
            if of is region and architecture.stores(one):
                return False
            if architecture.has_condition(one):
                around = {of.number} | self._counted.ancestors(of)
                near = near or region.number in around or region.parent in (of.number, of.parent)
        return near

    def _parts(self) -> Iterator[Evidence]:
        """Instructions of optimised code: they may have been moved."""
        counted, has_condition = self._counted, self._flow.program.architecture.has_condition
        for node in self._optimised:
            held = {
                position: (region, at)
                for at, position in reversed(self._positions.placed(node.begin, node.end))
                if (region := counted.otherwise(position) or counted.at(position)) is not None
            }
            marked = [(where, one) for _, where, one in self._marked(node, node.begin + 2)]
            around = {region.number for region, _ in held.values()}
            code = self._flow.instructions(node)
            conditional = {one.address for one in code if has_condition(one)}
            for position, (region, at) in held.items():
                if self._is_decided(position, region, marked):
                    continue
                if region.kind in BRANCHLESS:
                    alone = all(
                        region is one or region.number in counted.ancestors(one)
                        for one, _ in held.values()
                    )
                    mixed = self._flow.is_predicated(node) and (not alone or at in conditional)
                    if mixed or counted.ancestors(region) & around:
                        continue
                if counted.otherwise(position) is not None and any(
                    one.kind == "then" and one.parent == region.parent for one, _ in held.values()
                ):
                    # The colon is the position of the whole expression too.
                    continue
                right = counted.right_of(position)
                trust = INSTRUCTION if right is None else OPERATOR
                place = self._place(node, at, position)
                copies = self._copies(node, region, place)
                yield self._evidence(copies, right or region, trust, place)

    def _stores(self) -> Iterator[Evidence]:
        """Stores are never made in advance: all copies of one execute as often as its region."""
        copies: dict[_PlaceAtHome, dict[int, list[Copy]]] = defaultdict(dict)
        writes = self._flow.program.architecture.stores
        for node in self._optimised:
            for one in self._flow.instructions(node):
                if not writes(one) or not (position := self._positions.of(one.address)):
                    continue
                place, region = self._place(node, one.address, position), self._counted.at(position)
                if region is not None:
                    copies[place][node.number] = self._copies(node, region, place)
        made = {place: [*chain.from_iterable(held.values())] for place, held in copies.items()}
        for place, found, further in self._joined(made, {one.position for one in made}):
            region = self._counted.at(place.position)
            if region is not None:
                yield self._evidence(found, region, STORE, place, further)


def _joins(flow: ImageFlow) -> set[int]:
    """Leaders that control both falls to and jumps to, and heads of loops: a mark there may belong
    before the join."""
    falls, jumps = set[int](), set[int]()
    for node in flow.nodes:
        for way in node.ways:
            if way.leads is None:
                continue
            (falls if way.leads == node.end else jumps).add(way.leads)
    heads = {flow.nodes[number].begin for number in flow.backward if flow.backward[number]}
    return falls & jumps | heads
