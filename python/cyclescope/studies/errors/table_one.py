"""Moreno and Fischmeister, table 1, again: techniques on a fragment of exactly 100 cycles.

Their clock was a pin, sampled 192,000 times a second beside a core of 1 MHz. Ours is the same pin
as the board's own clock sees it, and as a logic analyser sees it that takes 0.192 samples a cycle.
A board repeats itself to the cycle, so that its samples would fall in a short cycle of phases. A
deviation of 0 or of anything else could come of it. So every measurement waits for a random time
(examples/fragments/random_phase.h), and all are made again with other seeds.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from cyclescope.firmware.fragment.plan import Observations, Point
from cyclescope.firmware.fragment.source import FragmentSource, case_name
from cyclescope.results import TimedFragment, TimedPlan
from cyclescope.stats.summary import Values, summarise
from cyclescope.studies.errors.findings import REPETITIONS, Entry, ErrorEntry
from cyclescope.studies.errors.measure import steady_memory
from cyclescope.studies.time.experiment_design import ExperimentDesign
from cyclescope.studies.time.measure import measure
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.studies.time.timed_runs import exact, observed
from cyclescope.target.target import Selection
from cyclescope.targets import open_target
from cyclescope.targets.virtual.clocks import PIN_TIMER

SAMPLES_A_CYCLE = 0.192
SEEDS = tuple(range(1, 11))
PHASES = "random_phase.h"


def _executing(turns: int, looped: bool, paper: tuple[float, float] | None) -> Entry:
    how = "in a loop" if looped else "unrolled"
    return Entry(f"executing {turns}×, {how}", "direct", (Point(turns, looped=looped),), 1, paper)


def _line(points: int, paper: tuple[float, float]) -> Entry:
    plan = find_fragment_technique("straight_line").plan(points)
    return Entry(f"line fitting 1× to {points}×", "straight_line", plan, 1, paper)


def _differential(rounds: int, paper: tuple[float, float]) -> Entry:
    return Entry(f"differential {rounds}×", "differential", (Point(1), Point(2)), rounds, paper)


ENTRIES = (
    _line(10, (99.986, 0.125)),
    _line(20, (100.001, 0.044)),
    _differential(55, (99.834, 0.237)),
    _differential(210, (100.009, 0.121)),
    _differential(1000, (100.003, 0.05)),
    Entry("direct (1×)", "direct", (Point(1),), 1, (108.521, 1.119)),
    _executing(10, False, (100.808, 0.135)),
    _executing(20, False, (100.412, 0.068)),
    _executing(55, False, (100.154, 0.024)),
    _executing(100, False, (100.087, 0.012)),
    _executing(210, False, (100.004, 0.004)),
    *(_executing(turns, True, None) for turns in (10, 20, 55, 100, 210)),
)


def redo(
    board: str,
    source: FragmentSource,
    analysed: bool,
    folder: Path,
    progress: Callable[[int, int, str], None] = lambda done, total, what: None,
    entries: Sequence[Entry] = ENTRIES,
    seeds: Sequence[int] = SEEDS,
) -> list[ErrorEntry]:
    """Lines of the table, in memory without lines; `analysed`: through the logic analyser."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = {**steady_memory(board).settings, "timer": PIN_TIMER}
    selection = Selection(board=board, kernel="bare", settings=settings)
    if analysed:
        hz = round(SAMPLES_A_CYCLE * 1e6 * int(selection.value("clock") or 0))
        selection = replace(selection, analyser_hz=hz)
    lines = []
    for done, entry in enumerate(entries):
        progress(done, len(entries), entry.name)
        found = [
            _seeded(selection, _with_phases(source, folder, seed), entry, folder / f"{done}-{seed}")
            for seed in seeds
        ]
        times = tuple(summarise(estimates) for estimates, _, _ in found)
        every = summarise(np.concatenate([estimates for estimates, _, _ in found]))
        overhead = float(np.mean([overhead for _, overhead, _ in found]))
        lines.append(ErrorEntry(entry, every, overhead, found[0][2], times))
    return lines


def _with_phases(source: FragmentSource, folder: Path, seed: int) -> FragmentSource:
    """The same fragment, in a file that waits before each measurement."""
    file = folder / f"{source.file.stem}-{seed}.c"
    here = source.file.resolve()
    file.write_text(f'#define SEED {seed}u\n#include "{here.parent / PHASES}"\n#include "{here}"\n')
    return replace(source, file=file)


def _seeded(
    selection: Selection, source: FragmentSource, entry: Entry, folder: Path
) -> tuple[Values, float, int]:
    """Returns each repetition's estimate, the exact epsilon, and the rate of the clock."""
    plan = TimedPlan(technique=entry.technique, case=case_name("table"), points=entry.plan)
    fragment = TimedFragment(period=1, chosen=entry.technique, reason="the paper's", plans=(plan,))
    chosen = replace(source, plans=((plan.name, entry.plan),))
    design = ExperimentDesign(fragment, entry.rounds * REPETITIONS)
    with open_target(replace(selection, fragment=chosen)) as target:
        results = measure(target, design, folder, discard=True)
    run = results.runs[0]
    seen = exact(run, plan)
    assert seen is not None
    every = observed(run, plan, results.conditions)
    overhead = float(np.mean(seen.overhead()))
    return _repeated(entry, every), overhead, results.conditions.timer_hz


def _repeated(entry: Entry, every: Observations) -> Values:
    """Returns each repetition's estimate; an execution in a loop counts as one iteration."""
    technique = find_fragment_technique(entry.technique)
    return np.array(
        [
            technique.estimate(replace(every, times=times)).execution.value
            for times in np.split(every.times, REPETITIONS)
        ]
    )
