"""How far the figures of a block model can be off: half-widths that hold where blocks vary.

Least squares takes what the model leaves of each equation for noise of its own. On a board without
noise it is not. The same path misses the model by the same cycles wherever it comes again, so paths
are the independent observations. They are clusters: Liang and Zeger 1986; Cameron and Miller 2015,
"A Practitioner's Guide to Cluster-Robust Inference", section II. And where code is fetched in lines
an early exit changes what one fetch costs, always alike. No residual shows that, as each exit was
made to determine something that nothing else does. It is bounded instead.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from cyclescope.stats.least_squares import Fit
from cyclescope.stats.summary import Values, student
from cyclescope.studies.blocks.record import BlockMeasurements, Equations

_Input = tuple[tuple[tuple[int, ...], ...], tuple[tuple[float, ...], ...]]
Labels = npt.NDArray[np.int64]


def half_widths(measured: BlockMeasurements, solved: Fit, fetch_cycles: float) -> Values:
    """The 95 % half-width of each unknown; `fetch_cycles` by which one early exit may be off."""
    classical = [solved.estimate(unit).half_width for unit in np.eye(solved.values.size)]
    by_path = _of_paths(solved, _paths(measured.equations))
    return np.asarray(np.maximum(classical, by_path) + fetch_cycles * _of_exits(measured, solved))


def _of_paths(solved: Fit, paths: Labels) -> Values:
    """From what each path leaves of the fit in all of its equations together."""
    number = int(paths.max()) + 1
    unknowns, equations = solved.weights.shape
    if number < 2 or equations <= unknowns:
        return np.zeros(unknowns)
    pulls = solved.weights * solved.residuals.mean(axis=0)
    sums = np.stack([pulls[:, paths == path].sum(axis=1) for path in range(number)])
    few = number / (number - 1) * (equations - 1) / (equations - unknowns)
    return np.asarray(student(number - 1) * np.sqrt(few * np.sum(sums**2, axis=0)))


def _of_exits(measured: BlockMeasurements, solved: Fit) -> Values:
    """How much one cycle in each exit could shift every unknown, except the root's exit: its
    time is the meaning of epsilon′."""
    root = measured.exits[0].name if measured.exits else None
    shifts, at = np.zeros(solved.values.size), 0
    for one in measured.equations:
        rows = slice(at, at := at + len(one.counts))
        if one.left_at not in (None, root):
            shifts += np.abs(solved.weights[:, rows].sum(axis=1))
    return shifts


def _paths(equations: Sequence[Equations]) -> Labels:
    """For each equation the number of its input's path. Inputs with equal counts and equal times
    share it: what counts do not show, such as predicated instructions, times do."""
    (whole,) = (list(_inputs(one)) for one in equations if one.left_at is None)
    known: dict[_Input, int] = {}
    of_input = [known.setdefault(one, len(known)) for one in whole]
    labels: list[int] = []
    for one in equations:
        each = len(one.counts) // len(of_input)
        labels += [path for path in of_input for _ in range(each)]
    return np.array(labels, dtype=np.int64)


def _inputs(one: Equations) -> Iterator[_Input]:
    """The counts and times of every input, with one and with two executions together."""
    each = len(set(one.executions))
    for at in range(0, len(one.counts), each):
        times = tuple(repetition[at : at + each] for repetition in one.times_cycles)
        yield one.counts[at : at + each], times
