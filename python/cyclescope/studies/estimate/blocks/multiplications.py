"""How long multiplications take: by the factors that a run on the host had, or by constants."""

from collections import defaultdict
from math import floor

from cyclescope.studies.estimate.blocks.counted import Counted
from cyclescope.studies.estimate.blocks.flow import ImageFlow
from cyclescope.studies.estimate.blocks.positions import Positions
from cyclescope.targets.virtual.board import Pricer

INDEX_CYCLES = 1.0
"""Of one that is not in the source: the place of an element, of a factor of one byte as a rule."""


def multiplications(
    flow: ImageFlow, positions: Positions, counted: Counted, pricer: Pricer
) -> dict[int, float]:
    """Gives the pricer whole cycles; returns for each node the rest of the means."""
    rest: dict[int, float] = defaultdict(float)
    architecture = flow.program.architecture
    placed = {
        (position.file, position.line)
        for code in flow.code.values()
        for one in code
        if architecture.multiplies(one) and (position := positions.of(one.address)) is not None
    }
    for code in flow.code.values():
        for place, one in enumerate(code):
            if not architecture.multiplies(one):
                continue
            constant = architecture.factor(flow.program, reversed(code[:place]), one)
            position = positions.of(one.address)
            cycles = INDEX_CYCLES
            if constant is not None and (
                position is None or counted.may_multiply_by(constant, position)
            ):
                cycles = architecture.factor_bytes(constant)
            elif position is not None:
                cycles = (
                    counted.factor_bytes(position)
                    or counted.unplaced_factor_bytes(position, placed)
                    or INDEX_CYCLES
                )
            pricer.set_multiplication(one.address, floor(cycles))
            for node in flow.nodes:
                if node.begin <= one.address < node.end and not node.skipped:
                    rest[node.number] += cycles - floor(cycles)
    return rest
