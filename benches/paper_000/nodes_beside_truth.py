"""Executions of an image's own nodes, true and estimated: where is the map wrong?

usage: .venv/bin/python benches/paper_000/nodes_beside_truth.py PROGRAM [--configuration NAME]
       [--rows N]

The error of own code is divided: `map` is what the difference of executions makes at the
estimator's prices, `price` what is left with the true executions. Programs that are held
back are refused: estimates.py alone opens them.
"""

import argparse
from collections import defaultdict
from dataclasses import dataclass

from benchmark import BenchmarkProgram, programs
from configurations import CONFIGURATIONS, REFERENCE, BoardConfiguration
from split import GROUPS, group

from cyclescope.firmware.application import BuiltApplication
from cyclescope.studies.estimate.blocks.flow import Node
from cyclescope.studies.estimate.blocks.own import OwnBlocks, own_blocks
from cyclescope.studies.estimate.blocks.positions import Positions
from cyclescope.studies.estimate.counting import Inputs
from cyclescope.studies.estimate.estimating import counted
from cyclescope.studies.estimate.ways import PricedPlace
from cyclescope.targets.virtual.application import ApplicationBoard


@dataclass(frozen=True)
class NodeBesideTruth:
    """A node, or both forms of a predicated one: executions and cycles."""

    node: Node
    estimated: float
    true: int
    estimated_cycles: float
    true_cycles: int

    @property
    def map_error_cycles(self) -> float:
        """Cycles that wrong executions make, at the estimator's price or at the true one."""
        if self.estimated > 0:
            return (self.estimated - self.true) * self.estimated_cycles / self.estimated
        return -float(self.true_cycles)

    @property
    def price_error_cycles(self) -> float:
        return self.estimated_cycles - self.true_cycles - self.map_error_cycles


def true_lines(program: BenchmarkProgram, built: BuiltApplication) -> dict[int, tuple[int, int]]:
    """Executions and cycles of own instructions, by address."""
    on = ApplicationBoard(built, program.command, program.files())
    own = [(start, end, False) for start, end, owner in built.owners if owner == "program"]
    histogram = on.board.attach_histogram(own)
    on.finish()
    return {
        address: (executions, sum(costs))
        for charged, address, executions, costs in on.board.counted(histogram)["lines"]
        if charged is None
    }


def beside_truth(found: OwnBlocks, lines: dict[int, tuple[int, int]]) -> list[NodeBesideTruth]:
    """All nodes, the two forms of one as one."""
    flow, solution, prices = found.blocks.flow, found.blocks.solution, found.blocks.prices
    alike: dict[int, list[Node]] = defaultdict(list)
    for node in flow.nodes:
        alike[node.begin].append(node)
    made = []
    for nodes in alike.values():
        node = nodes[0]
        cycles = [lines.get(at, (0, 0))[1] for at in range(node.begin, node.end, 2)]
        made.append(
            NodeBesideTruth(
                node,
                sum(solution.nodes[one.number] for one in nodes),
                lines.get(node.begin, (0, 0))[0],
                sum(prices.nodes[one.number] for one in nodes),
                sum(cycles),
            )
        )
    return made


def show(program: BenchmarkProgram, where: BoardConfiguration, rows: int) -> None:
    """Prints the division of the error, then the nodes with the greatest errors."""
    place = PricedPlace(program.application(where.level), where.of_kernel(program.kernel))
    counts = counted(place, Inputs(program.arguments, program.files())).counts
    found = own_blocks(place.built, counts, place.laws_of_calls()[0])
    made = beside_truth(found, true_lines(program, place.built))
    true = sum(one.true_cycles for one in made)
    by_map = sum(one.map_error_cycles for one in made)
    by_price = sum(one.price_error_cycles for one in made)
    guessed = sum(one.estimated_cycles for one in made)
    print(
        f"{program.name}: own {true:,} cycles, estimated {guessed:,.0f}"
        f" ({guessed / true - 1:+.2%}); map {by_map / true:+.2%}, price {by_price / true:+.2%},"
        f" contradicted {found.blocks.contradicted:.1%}"
    )
    positions = Positions(place.built.image.elf.read_bytes())

    def off(one: NodeBesideTruth) -> float:
        return abs(one.map_error_cycles) + abs(one.price_error_cycles)

    for one in sorted(made, key=off, reverse=True)[:rows]:
        position = positions.of(one.node.last)
        at = f"{position.file}:{position.line}:{position.column}" if position else "?"
        print(
            f"{one.node.function.name[:20]:20} {one.node.begin:x}-{one.node.end:x} {at:24}"
            f" {one.estimated:12,.0f} {one.true:12,} map {one.map_error_cycles / true:+.2%}"
            f" price {one.price_error_cycles / true:+.2%}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="+")
    parser.add_argument("--configuration", default=REFERENCE.name)
    parser.add_argument("--rows", type=int, default=30)
    asked = parser.parse_args()
    where = next(one for one in CONFIGURATIONS if one.name == asked.configuration)
    for name in asked.program:
        program = programs()[name]
        if group(program.family) == GROUPS[2]:
            raise SystemExit(f"{program.name} is held back: it stays closed")
        show(program, where, asked.rows)


if __name__ == "__main__":
    main()
