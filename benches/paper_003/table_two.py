"""Table 2: the blocks of a coder of ADPCM, by whole executions and by early exits.

The board executes 1,000 calls in each of 100 rounds, whole and left early. The edges of its pin
pass the instrument of table 1, and the reader's times alone go to the estimates.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import experiments
import numpy as np
from instrument import CARD, PHASES, Instrument
from numpy.typing import NDArray
from rows import ROWS
from table import WORKERS

from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.quantity import ROUNDING, Estimate
from cyclescope.recordings.program_recording import Reference
from cyclescope.stats.least_squares import fit
from cyclescope.stats.row_space import row_space
from cyclescope.stats.summary import Values
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.found import BlocksFound
from cyclescope.studies.blocks.measure import PLANS, measure
from cyclescope.studies.blocks.record import BlockMeasurements, Equations
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

CODER = Path(__file__).parents[2] / "examples" / "blocks" / "adpcm_calls.c"
ROUNDS, CALLS = 100, 1_000
RECORDINGS = 100
"""Of each execution that is left early. The board repeats a round in the same cycles, so it
executes each once; the recordings begin at other moments and have noise of their own."""
CHECKED = 4
"""Recordings of each early exit for the check of the intervals of edges."""
PATIENCE_S = 3_600
CALIBRATION = 30
"""Experiments of table 1 beside whose pin the board's timer is recorded: a minute."""
SEEDS = range(1, 1 + 600 * (PHASES + 1), PHASES + 1)
"""Of the page, the first one. Intervals of merged blocks are checked with all of them, those of
edges with the first EDGE_SEEDS. No two share a stream."""
EDGE_SEEDS = 24

Covered = tuple[int, int]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Sum:
    """Blocks whose columns coincide: how often they execute in a measurement, and what one more
    execution of them adds. `truth` is that by the board's own edges; both in µs."""

    blocks: tuple[str, ...]
    executions: float
    estimate: Estimate
    truth: float

    @property
    def holds(self) -> bool:
        """Whether the interval holds the truth."""
        return abs(self.estimate.value - self.truth) <= self.estimate.half_width


@dataclass(frozen=True)
class Tables:
    """Estimates from the recordings of one seed: of whole executions alone, and with those left
    early."""

    whole: tuple[Sum, ...]
    edges: BlocksFound

    @property
    def covered(self) -> tuple[Covered, Covered]:
        """How many intervals hold the truth, of how many: of merged blocks, and of edges."""
        errors = [
            (abs(one.error), one.estimate.half_width)
            for one in self.edges.combinations
            if one.error is not None
        ]
        return _held(self.whole), (sum(error <= half for error, half in errors), len(errors))


def execute(rounds: int = ROUNDS, calls: int = CALLS, repetitions: int = 1) -> BlockMeasurements:
    """Executes whole rounds and every exit that splits edges; the pin's exact times at 1 MHz."""
    selection = Selection(
        board=experiments.BOARD,
        kernel="bare",
        settings={"timer": "pin", "clock": experiments.CLOCK_MHZ},
        fragment=FragmentSource(CODER, PLANS, patience_s=PATIENCE_S, defines=(f"CALLS={calls}",)),
    )
    with open_target(selection) as target:
        return measure(target, "edges", rounds, repetitions)


def instrument_of(seed: int) -> Instrument:
    """The pin and card of table 1, with noise and phases of that seed."""
    return Instrument(experiments.CORE_HZ, card=replace(CARD, seed=seed))


def reference_edges(count: int = CALIBRATION) -> Counts:
    """The edges of the board's timer, in cycles, beside so many experiments of table 1."""
    made = experiments.program(ROWS, SEEDS[0])
    return np.concatenate([second for _, second in experiments.executed(made, count)])


def record(
    measured: BlockMeasurements,
    instrument: Instrument,
    reference: Reference,
    recordings: int = RECORDINGS,
) -> BlockMeasurements:
    """The same measurements with the times that the reader finds: those of one execution, once,
    and those left early `recordings` times."""
    made: list[Equations] = []
    for one in measured.equations:
        times = 1 if one.left_at is None else recordings
        chosen = [at for at, n in enumerate(one.executions) if n <= 1 for _ in range(times)]
        first = sum(len(each.counts) for each in made)
        cycles = np.zeros((len(chosen), 2), np.int64)
        cycles[:, 1] = np.array(one.times_cycles[0])[chosen]
        streams = np.arange(first, first + len(chosen), dtype=np.uint64)
        seen = instrument.lengths_us(cycles, streams, reference)[:, 0]
        made.append(
            one.model_copy(
                update={
                    "executions": tuple(one.executions[at] for at in chosen),
                    "counts": tuple(one.counts[at] for at in chosen),
                    "times_cycles": (tuple(seen.tolist()),),
                }
            )
        )
    return measured.model_copy(update={"equations": tuple(made), "refused": ()})


def whole_of(measured: BlockMeasurements) -> Equations:
    """The equations of whole executions."""
    return next(one for one in measured.equations if one.left_at is None)


def columns_of(measured: BlockMeasurements) -> dict[tuple[int, ...], list[str]]:
    """Blocks by their column of executions, those that are constant first, else in the order of
    the graph; blocks whose columns coincide are together."""
    names = {block.leader: block.name for block in measured.blocks}
    counts = dict.fromkeys(names.values(), np.zeros(len(whole_of(measured).counts), np.int64))
    for edge, taken in zip(measured.edges, np.array(whole_of(measured).counts).T, strict=True):
        counts[names[edge.source]] = counts[names[edge.source]] + taken
    found: dict[tuple[int, ...], list[str]] = {}
    for name, column in counts.items():
        if column.any():
            found.setdefault(tuple(column.tolist()), []).append(name)
    constant = {one: -one[0] if len(set(one)) == 1 else 0 for one in found}
    return dict(sorted(found.items(), key=lambda each: constant[each[0]]))


def sums(recorded: BlockMeasurements, exact_us: Values) -> tuple[Sum, ...]:
    """The paper's table 2: a time for each column that those before it do not make up.

    `exact_us` are the same measurements by the board, with ε as the instrument has it.
    """
    columns = columns_of(recorded)
    design = np.array(list(columns), np.int64).T
    pivots = list(row_space(design).pivots)
    chosen = design[:, pivots]
    solved = fit(chosen, np.array(whole_of(recorded).times_cycles))
    truth = fit(chosen, exact_us[None, :])
    assert np.abs(truth.residuals).max() <= ROUNDING, "columns explain what the board executes"
    names = [tuple(each) for each in columns.values()]
    return tuple(
        Sum(names[at], float(design[:, at].mean()), solved.estimate(unit), float(true))
        for at, unit, true in zip(pivots, np.eye(len(pivots)), truth.values, strict=True)
    )


def exact_us(measured: BlockMeasurements, instrument: Instrument) -> Values:
    """The board's times of one whole execution, and what the pin and the card add to them."""
    whole = whole_of(measured)
    cycles = np.array(whole.times_cycles[0])[np.array(whole.executions) == 1]
    return np.asarray(cycles + instrument.overhead_us() - instrument.toggle_cycles)


def estimate(
    measured: BlockMeasurements, seconds: Counts, seed: int, recordings: int = RECORDINGS
) -> Tables:
    """Both tables from the recordings of one seed; `seconds` are edges of the board's timer."""
    instrument = instrument_of(seed)
    seen = record(measured, instrument, instrument.reference(seconds, 0), recordings)
    return Tables(sums(seen, exact_us(measured, instrument)), analyse_blocks(seen))


def coverage(
    measured: BlockMeasurements,
    seconds: Counts,
    seeds: Sequence[int] = SEEDS,
    of_edges: int = EDGE_SEEDS,
) -> tuple[list[Covered], list[Covered]]:
    """`Tables.covered` by seed: of merged blocks of all seeds, of edges of so many first ones."""
    whole = measured.model_copy(update={"equations": (whole_of(measured),)})
    merged = []
    for seed in seeds:
        instrument = instrument_of(seed)
        seen = record(whole, instrument, instrument.reference(seconds, 0))
        merged.append(_held(sums(seen, exact_us(whole, instrument))))
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        return merged, list(pool.map(partial(_of_edges, measured, seconds), seeds[:of_edges]))


def _of_edges(measured: BlockMeasurements, seconds: Counts, seed: int) -> Covered:
    return estimate(measured, seconds, seed, CHECKED).covered[1]


def _held(found: Sequence[Sum]) -> Covered:
    return sum(one.holds for one in found), len(found)
