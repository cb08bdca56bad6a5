"""Tables 1 and 2 in small, executed, beside theory: the line of 20 points, Direct (1×), edges."""

import runpy
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cyclescope.quantity import ROUNDING
from cyclescope.recordings.sound_edges import find_edges
from cyclescope.recordings.wave_files import read_wave, write_wave
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.record import BlockMeasurements

BENCH = Path(__file__).parent.parent / "benches" / "paper_003"
EXPERIMENTS = 300
ROUNDS, CALLS = 30, 20
SECONDS = np.arange(1, 80, dtype=np.int64) * 1_000_000


@pytest.fixture(scope="module")
def bench() -> Iterator[None]:
    """The bench's folder is on the path while these tests run."""
    sys.path.insert(0, str(BENCH))
    yield
    sys.path.remove(str(BENCH))


@pytest.fixture(scope="module")
def table(bench: None) -> ModuleType:
    import table

    return table


@pytest.fixture(scope="module")
def table_two(bench: None) -> ModuleType:
    import table_two

    return table_two


@pytest.fixture(scope="module")
def blocks(table_two: ModuleType) -> BlockMeasurements:
    """Fewer rounds of fewer calls, each twice, and every exit that splits an edge."""
    return table_two.execute(ROUNDS, CALLS, repetitions=2)


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


def test_the_reader_finds_in_the_wav_what_windows_have(table: ModuleType, tmp_path: Path) -> None:
    """1,200 edges with the noise of table 1: written whole as WAV, and rendered around edges."""
    instrument, random = table.Instrument(1_000_000), np.random.default_rng(5)
    pulses = np.column_stack([random.integers(200, 2_000, 600), random.integers(108, 3_000, 600)])
    cycles, streams = np.cumsum(pulses.ravel())[None, :], np.array([9], np.uint64)
    places, found = instrument.places(cycles, streams)
    rising = np.arange(cycles.size) % 2 == 0
    times_s, card = instrument.times_s(cycles, rising, streams)[0], instrument.card
    whole = card.recording(times_s, rising, int(places.max()) + 200, stream=9)
    write_wave(tmp_path / "pin.wav", [whole], card.rate_hz)
    read = find_edges(read_wave(tmp_path / "pin.wav")["left"], "pin.wav").edges
    assert len(read) == 1_200 and np.array_equal(read.rising, rising)
    assert read.times_s * card.rate_hz == pytest.approx(found[0], abs=1e-9)


def test_estimates_are_those_of_cyclescope_time(table: ModuleType) -> None:
    random = np.random.default_rng(1)
    for row in table.ROWS:
        n = np.tile([point.executions for point in row.points], row.rounds * row.estimates)
        times = (100 * n + 8.5 + random.standard_normal((2, len(n)))).reshape(2, -1)
        assert row.estimated(times)[0] == pytest.approx(row.checked(times), rel=1e-12)


def test_the_paper_has_eleven_rows(table: ModuleType) -> None:
    assert len(table.ROWS) == 11
    assert runpy.run_path(str(BENCH / "rows.py"))["CYCLES"] == 100


def test_exits_leave_every_edge_alone(blocks: BlockMeasurements) -> None:
    found = analyse_blocks(blocks)
    alone = [one for one in found.combinations if one.error is not None]
    executing = [edge.label for edge in blocks.edges if edge.exact]
    assert [one.text for one in alone] == ["call", *executing] and len(executing) > 40
    assert max(abs(one.error) for one in alone) <= ROUNDING


def test_the_board_repeats_its_rounds(blocks: BlockMeasurements) -> None:
    for one in blocks.equations:
        first, again = one.times_cycles
        assert first == again and len(set(first)) > 1 - (one.left_at is not None)


def test_times_are_those_of_the_card(table_two: ModuleType, blocks: BlockMeasurements) -> None:
    """Each has the delays of the pin and the noise of a pulse, and no two the same noise."""
    instrument = table_two.instrument_of(1)
    reference = instrument.reference(SECONDS, 0)
    seen = table_two.record(blocks, instrument, reference, 20)
    off = []
    for exact, one in zip(blocks.equations, seen.equations, strict=True):
        chosen = [at for at, n in enumerate(exact.executions) if n <= 1]
        cycles = np.array(exact.times_cycles[0])[chosen]
        off.append((np.array(one.times_cycles).reshape(ROUNDS, -1) - cycles[:, None]).ravel())
    errors = np.concatenate(off)
    assert len(errors) == len(set(errors.tolist())) == ROUNDS * (1 + 20 * (len(off) - 1))
    assert errors.mean() == pytest.approx(instrument.overhead_us() - 8, abs=0.03)
    assert errors.std() == pytest.approx(1.119, rel=0.03)


def test_merged_blocks_are_those_of_equal_columns(
    table_two: ModuleType, blocks: BlockMeasurements
) -> None:
    instrument = table_two.instrument_of(1)
    seen = table_two.record(blocks, instrument, instrument.reference(SECONDS, 0), 1)
    columns = table_two.columns_of(seen)
    executing = {edge.source for edge in blocks.edges if edge.exact}
    assert sum(map(len, columns.values())) == len(executing)
    assert max(map(len, columns.values())) > 1
    found = table_two.sums(seen, table_two.exact_us(blocks, instrument))
    design = np.array(list(columns)).T.astype(float)
    assert len(found) == np.linalg.matrix_rank(design)
    fitted = (
        np.linalg.lstsq(design, np.array(table_two.whole_of(seen).times_cycles[0]))[0] @ design.T
    )
    made = sum(
        one.estimate.value * np.array(column)
        for one in found
        for column, names in columns.items()
        if tuple(names) == one.blocks
    )
    assert made == pytest.approx(fitted)


def test_intervals_under_the_paper_s_noise_hold_the_truth(
    table_two: ModuleType, blocks: BlockMeasurements
) -> None:
    """Of all of them at least 93 % do; without exits and with them."""
    whole, edges = table_two.coverage(blocks, SECONDS, table_two.SEEDS[:60], 4)
    for covered, least in ((whole, 500), (edges, 200)):
        held, known = (sum(one) for one in zip(*covered, strict=True))
        assert known > least
        assert held / known > 0.93
