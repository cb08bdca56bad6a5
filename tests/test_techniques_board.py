"""Every technique on virtual boards, against what the board's own clock saw: by equality."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from choices import selected

from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.firmware.fragment.plan import Observations, Plan
from cyclescope.firmware.fragment.source import FragmentSource, case_name
from cyclescope.studies.time.technique import fragment_techniques
from cyclescope.target.target import FragmentTruth, Selection
from cyclescope.targets import open_target

SOURCE = """
#include "fragment.h"
static uint32_t keys[16], found;
INITIALISE { for (uint32_t i = 0; i < 16; i++) keys[i] = i * i; }
EXECUTE {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 16; i++) sum = (sum << 1 | sum >> 31) ^ keys[i];
    found = sum;
}
"""
TECHNIQUES = {
    name: one for name, one in fragment_techniques().items() if one.kind is CostKind.THROUGHPUT
}
"""Those that a board can execute: calls that wait for each other are for the host."""
POINTS, ROUNDS, PERIOD = 8, 3, 4
EVEN = [
    {"board": "lpc2148-lab", "code": "lab"},
    {"board": "lpc2148", "code": "sram"},
    {"board": "lpc2148", "mam": 0, "isa": "thumb"},
]
"""Places in which a fetch costs the same wherever code lies."""
LINES = {"board": "lpc2148", "mam": 2}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fragment") / "hash.c"
    path.write_text(SOURCE)
    return path


@cache
def measured(
    file: Path, choice: tuple[tuple[str, object], ...], period: int
) -> dict[str, tuple[Observations, tuple[FragmentTruth, ...]]]:
    """By technique: rounds of its plan, and the truth about each of their samples."""
    plans: dict[str, Plan] = {n: one.plan(POINTS, period) for n, one in TECHNIQUES.items()}
    source = FragmentSource(file, tuple(plans.items()))
    found = {}
    with open_target(selected({"kernel": "bare", "fragment": source, **dict(choice)})) as target:
        for case in target.cases():
            name = case.name.removeprefix(case_name(""))
            series, truths = target.witness_fragment(case, ROUNDS * len(plans[name]))
            counts = [sample.stop - sample.start for sample in series.samples]
            times = np.array(counts, np.float64).reshape(ROUNDS, len(plans[name]))
            found[name] = (Observations(plans[name], times), truths)
    return found


@pytest.mark.parametrize("choice", EVEN, ids=str)
@pytest.mark.parametrize("name", sorted(TECHNIQUES))
def test_where_all_fetches_cost_the_same(file: Path, choice: dict[str, object], name: str) -> None:
    observed, truths = measured(file, tuple(choice.items()), 1)[name]
    (execution,) = {cycles for truth in truths for cycles in truth.executions}
    extra = [t.total_cycles - sum(t.executions) - sum(t.initialisations) for t in truths]
    found = TECHNIQUES[name].estimate(observed)
    assert found.execution.half_width == pytest.approx(0, abs=1e-9)
    off = found.execution.value - execution
    if name == "direct":
        assert off == pytest.approx(extra[0])
        assert off > 0
    elif name == "n_fold":
        assert off * POINTS == pytest.approx(extra[0])
        assert off > 1
    else:
        assert off == pytest.approx(0, abs=1e-9)
        assert found.overhead is not None
        assert [found.overhead.value] * len(extra) == pytest.approx(extra)
    if TECHNIQUES[name].needs_initialisation:
        (initialisation,) = {cycles for truth in truths for cycles in truth.initialisations}
        assert found.initialisation is not None
        assert found.initialisation.value == pytest.approx(initialisation, abs=1e-9)
        assert initialisation != execution


@pytest.mark.parametrize("name", ["straight_line", "robust_line", "differential"])
def test_in_lines_whole_periods_are_exact(file: Path, name: str) -> None:
    """The mean of the copies of one period, once the first of them has been fetched."""
    observed, truths = measured(file, tuple(LINES.items()), PERIOD)[name]
    largest = max(truths, key=lambda truth: len(truth.executions))
    found = TECHNIQUES[name].estimate(observed)
    assert found.execution.value * PERIOD == pytest.approx(sum(largest.executions[-PERIOD:]))
    assert found.execution.half_width == pytest.approx(0, abs=1e-9)
    assert len(set(largest.executions)) > 1


def test_in_lines_single_steps_are_not_and_the_line_says_so(file: Path) -> None:
    observed, truths = measured(file, tuple(LINES.items()), 1)["straight_line"]
    largest = max(truths, key=lambda truth: len(truth.executions))
    exact = sum(largest.executions[-PERIOD:]) / PERIOD
    found = TECHNIQUES["straight_line"].estimate(observed).execution
    assert found.value != pytest.approx(exact)
    assert found.half_width > 0
    assert found.low <= exact <= found.high


def test_the_reference_of_the_table_takes_exactly_a_hundred_cycles() -> None:
    """Of the pictures and of table 1: 20 copies and their truth."""
    file = Path(__file__).parent.parent / "examples" / "fragments" / "hundred_cycles.c"
    plans = (("line", TECHNIQUES["straight_line"].plan(20)),)
    source = FragmentSource(file, plans, "hundred_cycles")
    with open_target(
        Selection("lpc2148-lab", "bare", settings={"code": "lab"}, fragment=source)
    ) as target:
        _, truths = target.witness_fragment(target.cases()[0], 20)
    assert {cycles for truth in truths for cycles in truth.executions} == {100}
