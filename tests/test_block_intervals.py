"""Intervals of basic blocks hold what the board itself saw, also where blocks are not constant."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.quantity import ROUNDING
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.found import BlocksFound
from cyclescope.studies.blocks.measure import PLANS, measure
from cyclescope.studies.blocks.model import suitable_model
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(one.stem for one in (ROOT / "examples" / "blocks").glob("*.c"))
LEAST_SHARE = 0.95
WIDEST_CYCLES = 12
"""In the median of a fragment's figures: an interval that says nothing holds everything."""
EVERYWHERE = list(
    product(EXAMPLES, ("arm", "thumb"), (1, 2), (24, 60), ("-O1", "-O2", "-Os"))
)  # fmt: skip
SAMPLE = [
    ("loop", "arm", 1, 60, "-O1"),
    ("conditionals", "thumb", 1, 60, "-O2"),
    ("adpcm", "thumb", 2, 60, "-O2"),
    ("calls", "arm", 2, 60, "-O2"),
]
Place = tuple[str, str, int, int, str]


def solved(place: Place) -> BlocksFound:
    name, isa, mam, clock, optimise = place
    source = FragmentSource(ROOT / "examples" / "blocks" / f"{name}.c", PLANS, optimise=optimise)
    selection = Selection(
        "lpc2148", "bare", settings={"isa": isa, "mam": mam, "clock": clock}, fragment=source
    )
    with open_target(selection) as target:
        assert suitable_model(target.conditions()) == "edges"
        return analyse_blocks(measure(target, suitable_model(target.conditions())))


def inside(found: BlocksFound) -> list[bool]:
    return [
        abs(one.error) <= one.estimate.half_width + ROUNDING
        for one in found.combinations
        if one.error is not None
    ]


def assert_holds(places: list[Place]) -> None:
    held: list[bool] = []
    for place in places:
        found = solved(place)
        held += inside(found)
        halves = [one.estimate.half_width for one in found.combinations]
        assert np.median(halves) <= WIDEST_CYCLES, place
    assert sum(held) >= LEAST_SHARE * len(held), f"{sum(held)} of {len(held)}"


def test_intervals_hold_behind_a_flash_accelerator() -> None:
    assert_holds(SAMPLE)


@pytest.mark.parametrize("optimise", ["-O2", "-Os"])
def test_intervals_hold_where_instructions_overlap(optimise: str) -> None:
    """Every unknown of every example on the Cortex-M3, whose blocks overlap by a cycle or two."""
    held: list[bool] = []
    for name in EXAMPLES:
        path = ROOT / "examples" / "blocks" / f"{name}.c"
        source = FragmentSource(path, PLANS, optimise=optimise)
        with open_target(Selection("stm32f100-lab", "bare", fragment=source)) as target:
            assert suitable_model(target.conditions()) == "edges"
            found = analyse_blocks(measure(target, "edges"))
        held += inside(found)
        assert max(one.estimate.half_width for one in found.combinations) < WIDEST_CYCLES, name
    assert len(held) > 50 and sum(held) >= LEAST_SHARE * len(held)


@pytest.mark.matrix
def test_intervals_hold_behind_a_flash_accelerator_everywhere() -> None:
    assert_holds(EVERYWHERE)


def test_where_all_fetches_take_the_same_nothing_is_in_doubt() -> None:
    for choice in ({"code": "sram"}, {"mam": 0}, {"clock": 12}):
        source = FragmentSource(ROOT / "examples" / "blocks" / "loop.c", PLANS)
        with open_target(Selection("lpc2148", "bare", settings=choice, fragment=source)) as target:
            conditions = target.conditions()
        assert conditions.code_fetches.doubt_cycles == 0 and suitable_model(conditions) == "blocks"
