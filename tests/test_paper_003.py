"""Table 1 in small: the line of 20 points and Direct (1×), executed, beside theory."""

import runpy
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

BENCH = Path(__file__).parent.parent / "benches" / "paper_003"
EXPERIMENTS = 300


@pytest.fixture(scope="module")
def table() -> Iterator[ModuleType]:
    """The bench's module; its folder is on the path while these tests run."""
    sys.path.insert(0, str(BENCH))
    import table

    yield table
    sys.path.remove(str(BENCH))


@pytest.fixture(scope="module")
def found(table: ModuleType) -> dict[str, object]:
    rows = [replace(row, estimates=1) for row in table.ROWS if row.measurements in (1, 160)]
    chosen = [row for row in rows if "20×" in row.name and row.technique != "direct"]
    chosen += [row for row in rows if row.name.startswith("Direct")]
    instrument = table.Instrument(1_000_000)
    batch = table.run_batch(instrument, 7, 0, EXPERIMENTS, chosen)
    entries = table.entries([batch], chosen)
    return {"instrument": instrument, "batch": batch, **{one.row.name[:4]: one for one in entries}}


def test_a_line_has_no_bias_and_the_least_scatter(found: dict) -> None:
    line, limit_us = found["Line"], found["Line"].row.least_sigma * 1.119
    assert line.n == EXPERIMENTS
    assert abs(line.bias) < 2 * line.half_width
    assert limit_us == pytest.approx(0.0434, abs=1e-4)
    assert line.sigma == pytest.approx(limit_us, rel=0.13)


def test_a_single_time_keeps_all_of_the_overhead(found: dict) -> None:
    direct, overhead = found["Dire"], found["instrument"].overhead_us()
    assert overhead == pytest.approx(8.5, abs=1e-3)
    assert abs(direct.bias - overhead) < 2 * direct.half_width
    assert direct.sigma == pytest.approx(1.119, rel=0.13)


def test_the_clock_is_found_by_the_reference(found: dict) -> None:
    batch = found["batch"]
    assert abs(batch.clock_ppm - 80) < 4 * batch.clock_deviation_ppm + 0.01


def test_estimates_are_those_of_cyclescope_time(table: ModuleType) -> None:
    random = np.random.default_rng(1)
    for row in table.ROWS:
        n = np.tile([point.executions for point in row.points], row.rounds * row.estimates)
        times = (100 * n + 8.5 + random.standard_normal((2, len(n)))).reshape(2, -1)
        assert row.estimated(times)[0] == pytest.approx(row.checked(times), rel=1e-12)


def test_the_paper_has_eleven_rows(table: ModuleType) -> None:
    assert len(table.ROWS) == 11
    assert runpy.run_path(str(BENCH / "rows.py"))["CYCLES"] == 100
