"""Blocks of a user's program: its image's own functions, and the cycles of each of its regions."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.application import BuiltApplication
from cyclescope.firmware.program import Function, Program
from cyclescope.sources.counts import SourceCounts, SourceRegion
from cyclescope.studies.estimate.blocks.counted import Counted, counted
from cyclescope.studies.estimate.blocks.estimate import BlockEstimate, estimate
from cyclescope.studies.estimate.blocks.positions import Positions
from cyclescope.studies.estimate.estimated import OwnPart
from cyclescope.targets.virtual.board import Pricer, make_pricer

Place = tuple[int, str, int]
"""A region, a file and a line."""
STACK_TOP = "svc_stack_top"
FRAME_BYTES = 64
"""Data whose place is not known lie so far below the top of the stack."""


def pricer_of(built: BuiltApplication) -> Pricer:
    """A pricer whose memories are set as the image's start sets them."""
    content = built.image.elf.read_bytes()
    board, facts = built.configuration.board, built.image.facts
    program = Program(content)
    stack = program.symbols.get(STACK_TOP)
    registers = boards.firmware_of(board).memory_register
    if stack is None or not registers:
        raise CyclescopeError(
            f"code for {board} has no prices: choose lpc2148, lpc2148-lab or at91x40, or the way "
            "run",
            code="board-without-prices",
        )
    pricer = make_pricer(board, 0)
    for one in registers:
        chosen = facts.memory[one.fact] if one.fact else 0
        pricer.set_register(one.address, one.values[chosen])
    # Memories behind chip selects answer from here on.
    for function in own_functions(built):
        for address in range(function.address, function.end, 2):
            pricer.place_data(address, stack - FRAME_BYTES)
    return pricer


def own_functions(built: BuiltApplication) -> list[Function]:
    """The functions of an image that are the user's."""
    own = [(begin, end) for begin, end, owner in built.owners if owner == "program"]
    functions = Program(built.image.elf.read_bytes()).functions
    return [one for one in functions if any(begin <= one.address < end for begin, end in own)]


def priced(built: BuiltApplication, counts: SourceCounts) -> BlockEstimate:
    """The blocks of the program's own functions with their cycles."""
    content = built.image.elf.read_bytes()
    return estimate(content, own_functions(built), counted(counts), pricer_of(built))


def by_line(
    built: BuiltApplication, counts: SourceCounts, found: BlockEstimate
) -> tuple[OwnPart, ...]:
    """The cycles of blocks by the lines and regions that their instructions come from.

    A block's cycles are divided by instructions. Those without a position, or of a region that
    never ran, belong to the block's others, else to the function's body.
    """
    positions, known = Positions(built.image.elf.read_bytes()), counted(counts)
    code = {one.address for listing in found.flow.code.values() for one in listing}
    bodies = {one.name: one.regions[0] for one in counts.functions}
    begins = {one.id: _begin(one) for one in counts.regions}
    cycles: dict[Place, float] = defaultdict(float)
    for node, spent in zip(found.flow.nodes, found.prices.nodes, strict=True):
        if not spent:
            continue
        addresses = [at for at in range(node.begin, node.end, 2) if at in code]
        places = list(_places(addresses, positions, known))
        # A compiler's copy of a function has a suffix.
        body = bodies.get(node.function.name.split(".")[0], 0)
        for place in places or [(body, *begins[body])]:
            cycles[place] += spent / max(len(places), 1)
    return tuple(OwnPart(*place, spent) for place, spent in sorted(cycles.items()))


def _begin(region: SourceRegion) -> tuple[str, int]:
    return (region.spans[0].file, region.spans[0].begin[0]) if region.spans else ("", 0)


def _places(addresses: Iterable[int], positions: Positions, known: Counted) -> Iterator[Place]:
    for at in addresses:
        position = positions.of(at)
        region = known.at(position) if position is not None else None
        if position is not None and region is not None and region.times:
            yield region.number, known.path(position), position.line
