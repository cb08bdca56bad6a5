"""Blocks of AVR code on the board."""

from functools import cache
from pathlib import Path

import pytest

from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.quantity import ROUNDING
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.measure import PLANS, measure
from cyclescope.studies.blocks.record import BlockMeasurements
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples" / "blocks"


@cache
def measured(name: str, optimise: str = "-O2", rounds: int = 25) -> BlockMeasurements:
    source = FragmentSource(EXAMPLES / f"{name}.c", PLANS, optimise=optimise)
    selection = Selection(board="atmega2560", kernel="bare", fragment=source)
    with open_target(selection) as target:
        return measure(target, "blocks", rounds)


@pytest.mark.parametrize(
    ("name", "optimise"), [("adpcm", "-O2"), ("conditionals", "-Os"), ("loop", "-O1")]
)
def test_every_block_comes_out_exactly(name: str, optimise: str) -> None:
    found = analyse_blocks(measured(name, optimise))
    errors = [one.error for one in found.combinations if one.error is not None]
    assert errors and max(map(abs, errors)) <= ROUNDING
    assert found.residual_maximum <= ROUNDING and not found.groups
    assert len(found.leaves) > 2


def test_the_facts_name_the_options_that_the_compiler_got() -> None:
    """GCC 5.4 does not know gnu17."""
    facts = measured("adpcm").conditions.fragment
    assert facts is not None
    assert facts.options[:2] == ("-std=gnu11", "-O2")


def test_a_branch_costs_a_cycle_more_when_it_is_taken() -> None:
    taken = analyse_blocks(measured("adpcm")).single("taken branch")
    assert taken is not None and taken.estimate.value == pytest.approx(1)


def test_edges_are_what_blocks_are_not() -> None:
    """A block that ends with a branch has a way out of 1 cycle and one of 2."""
    one = measured("adpcm").model_copy(update={"model": "edges"})
    found = analyse_blocks(one)
    by_source: dict[int, set[float]] = {}
    for edge in one.edges:
        if edge.exact:
            assert edge.exact.shortest_cycles == edge.exact.longest_cycles
            by_source.setdefault(edge.source, set()).add(edge.exact.mean_cycles)
    both = [sorted(times) for times in by_source.values() if len(times) == 2]
    assert both and {later - earlier for earlier, later in both} == {1}
    assert found.residual_maximum <= ROUNDING
