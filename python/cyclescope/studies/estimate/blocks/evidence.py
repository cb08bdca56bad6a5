"""Evidence in the line table of an image: how often its nodes execute.

Each piece of evidence names copies of one place in the source. Together they execute as often as
the region that the place is in. Some kinds are trusted more: a call is never made in advance, but
instructions of optimised code are moved.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cyclescope.studies.estimate.blocks.counted import Counted
from cyclescope.studies.estimate.blocks.flow import ImageFlow, Node
from cyclescope.studies.estimate.blocks.positions import LinePosition, Positions


@dataclass(frozen=True)
class Trust:
    """How much a difference weighs. `more`: the image has more executions than the source; `less`:
    it has fewer, as where a copy lost its mark."""

    more: float
    less: float


CALL = Trust(10.0, 10.0)
MARK = Trust(4.0, 2.0)
FIRST = Trust(6.0, 6.0)
PART = Trust(3.0, 0.1)
BRANCH = Trust(2.0, 2.0)
ENTRY = Trust(4.0, 0.5)
MACRO = Trust(2.0, 0.1)
DISSOLVED = Trust(0.1, 0.3)
INSTRUCTION = Trust(0.3, 0.02)
OPERATOR = Trust(0.15, 0.02)
BRANCHLESS = frozenset(("then", "else"))
"""Regions that the compiler may execute by conditions instead of branches."""
DISSOLVING = frozenset(("then", "else", "and", "or", "rest", "case"))
"""Regions whose marks the compiler leaves in the code around when it makes them branchless."""


@dataclass(frozen=True)
class Copy:
    """A copy of a place in the source: in a node, or, if `joins`, perhaps only where control falls
    into it."""

    node: int
    joins: bool = False


@dataclass(frozen=True)
class Evidence:
    """Copies that together execute as often as a region."""

    copies: tuple[Copy, ...]
    times: int
    trust: Trust
    position: LinePosition


def evidence(flow: ImageFlow, positions: Positions, counted: Counted) -> list[Evidence]:
    """Everything that the line table says about the nodes."""
    firsts = [node for node in flow.nodes if not node.skipped]
    plain = [node for node in firsts if _file(node, positions) in positions.plain]
    optimised = [node for node in firsts if _file(node, positions) not in positions.plain]
    return [
        *_calls(firsts, positions, counted),
        *_branches(optimised, positions, counted),
        *_plain(plain, positions, counted),
        *_marks(flow, optimised, positions, counted),
        *_parts(flow, optimised, positions, counted),
    ]


def _file(node: Node, positions: Positions) -> str | None:
    """The file that a node's function begins in."""
    position = positions.of(node.function.address)
    return position.file if position else None


def _calls(nodes: Iterable[Node], positions: Positions, counted: Counted) -> Iterator[Evidence]:
    """All copies of a call execute as often as its region: calls are never made in advance."""
    copies: dict[LinePosition, list[Copy]] = defaultdict(list)
    for node in nodes:
        if node.calls is not None and (position := positions.of(node.end - 2)):
            copies[position].append(Copy(node.number))
    for position, held in copies.items():
        region = counted.at(position)
        if region is not None:
            yield Evidence(tuple(held), region.times, CALL, position)


def _branches(nodes: Iterable[Node], positions: Positions, counted: Counted) -> Iterator[Evidence]:
    """All copies of a condition's branch execute as often as the condition."""
    copies: dict[LinePosition, list[Copy]] = defaultdict(list)
    for node in nodes:
        branches = node.conditional and node.calls is None
        if branches and (position := positions.of(node.end - 2)):
            copies[position].append(Copy(node.number))
    for position, held in copies.items():
        region = counted.at(position)
        named = counted.begins_loop(position) or counted.right_of(position)
        if region is not None and not named:
            yield Evidence(tuple(held), region.times, BRANCH, position)


def _plain(nodes: Iterable[Node], positions: Positions, counted: Counted) -> list[Evidence]:
    """Code that was not optimised: the first piece of each statement executes as it does."""
    found: list[Evidence] = []
    seen = set[LinePosition]()
    holding: dict[LinePosition, list[int]] = defaultdict(list)
    for node in nodes:
        for position in dict.fromkeys(positions.within(node.begin, node.end)):
            holding[position].append(node.number)
    for position, held in holding.items():
        regions = counted.all_at(position)
        if len(regions) == len(held):
            # In a macro: its pieces of code lie in the order of the source.
            pairs = zip(held, regions, strict=True)
            found += [Evidence((Copy(n),), one.times, FIRST, position) for n, one in pairs]
            continue
        region = counted.at(position)
        if region is None:
            continue
        for number in held:
            trust = PART if position in seen or len(regions) > 1 else FIRST
            seen.add(position)
            found.append(Evidence((Copy(number),), region.times, trust, position))
    return found


def _marks(
    flow: ImageFlow, nodes: Iterable[Node], positions: Positions, counted: Counted
) -> list[Evidence]:
    """Beginnings of statements: all copies of one execute as often as it does."""
    joins = _joins(flow)
    copies: dict[LinePosition, list[Copy]] = defaultdict(list)
    dissolving, entering = set[LinePosition](), set[LinePosition]()
    for node in nodes:
        marked = []
        for at in range(node.begin, node.end, 2):
            for position in positions.begun.get(at, ()):
                region = counted.at(position)
                if region is not None and not counted.begins_loop(position):
                    marked.append((at, position, region))
        sure = {region.number for at, _, region in marked if at > node.begin or at not in joins}
        predicated = flow.is_predicated(node)
        for at, position, region in marked:
            if region.kind in DISSOLVING and counted.ancestors(region) & sure:
                continue
            if region.kind in BRANCHLESS and predicated:
                dissolving.add(position)
            if at == node.function.address:
                entering.add(position)
            copies[position].append(Copy(node.number, at == node.begin and at in joins))
    found = []
    for position, held in copies.items():
        region = counted.at(position)
        if region is not None:
            trust = DISSOLVED if position in dissolving else MARK
            trust = ENTRY if position in entering else trust
            if counted.may_be_macro(position) and len(held) > len({one.node for one in held}):
                alone = dict.fromkeys(held)
                found += [Evidence((one,), region.times, MACRO, position) for one in alone]
                continue
            found.append(Evidence(tuple(held), region.times, trust, position))
    return found


def _parts(
    flow: ImageFlow, nodes: Iterable[Node], positions: Positions, counted: Counted
) -> list[Evidence]:
    """Instructions of optimised code: they may have been moved."""
    found = []
    for node in nodes:
        held = {
            position: region
            for position in dict.fromkeys(positions.within(node.begin, node.end))
            if (region := counted.at(position)) is not None
        }
        marked = {
            region.number
            for at in range(node.begin + 1, node.end)
            for position in positions.begun.get(at, ())
            if (region := counted.at(position)) is not None and not counted.begins_loop(position)
        }
        around = {region.number for region in held.values()}
        for position, region in held.items():
            ancestors = counted.ancestors(region)
            if region.kind in DISSOLVING and ancestors & marked:
                continue
            if region.kind in BRANCHLESS and (flow.is_predicated(node) or ancestors & around):
                continue
            right = counted.right_of(position)
            trust = INSTRUCTION if right is None else OPERATOR
            times = (right or region).times
            found.append(Evidence((Copy(node.number),), times, trust, position))
    return found


def _joins(flow: ImageFlow) -> set[int]:
    """Leaders that control both falls to and jumps to: a mark there may belong before the join."""
    falls, jumps = set[int](), set[int]()
    for node in flow.nodes:
        for way in node.ways:
            if way.leads is None:
                continue
            (falls if way.leads == node.end else jumps).add(way.leads)
    return falls & jumps
