"""Draws docs/pictures/ from a virtual board and from the designs themselves.

usage: python benches/pictures/draw.py
"""

import sys
from pathlib import Path

import numpy as np

from cyclescope.firmware.fragment.plan import Observations, Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.stats.summary import Values
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))

from svg import Axis, Trace, write  # noqa: E402

PICTURES = HERE.parent.parent / "docs" / "pictures"
COPIES = 24
HUNDRED = HERE.parent.parent / "examples" / "fragments" / "hundred_cycles.c"
CYCLES = 100
FOLDS = (1, 10, 20, 55, 100, 210)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    staircase()
    shares_of_overhead()
    designs()


def staircase() -> None:
    """How far the times of 1 to 24 copies in flash lie off their line, by instruction set."""
    traces = []
    for isa, period in (("arm", 4), ("thumb", 8)):
        plan = tuple(Point(count) for count in range(1, COPIES + 1))
        source = FragmentSource(HERE / "sum.c", (("line", plan),))
        selection = Selection("lpc2148", "bare", settings={"isa": isa}, fragment=source)
        with open_target(selection) as target:
            case = target.cases()[0]
            series = target.run_series(case, None, 2 * COPIES, empty=False)
        counts = np.array([sample.stop - sample.start for sample in series.samples], np.float64)
        times = counts.reshape(2, COPIES)[1:]
        exact = slope(plan, times, period)
        tell(isa, period, plan, times, exact)
        executions = np.arange(1.0, COPIES + 1)
        off = times[0] - exact * executions
        off -= off[period - 1]
        name = f"{isa}: whole periods of {period} take {exact:g} cycles a copy"
        traces.append(Trace(name, executions.tolist(), off.tolist(), line=True))
    write(
        PICTURES / "staircase.svg",
        Axis("copies N"),
        Axis("T(N) off the line of whole periods (cycles)"),
        traces,
    )


def slope(plan: Plan, times: Values, period: int) -> float:
    """From the points of whole periods only."""
    whole = [index for index, point in enumerate(plan) if point.executions % period == 0]
    return line(tuple(plan[index] for index in whole), times[:, whole])


def line(plan: Plan, times: Values) -> float:
    found = find_fragment_technique("straight_line").estimate(Observations(plan, times))
    return found.execution.value


def tell(isa: str, period: int, plan: Plan, times: Values, exact: float) -> None:
    observed = Observations(plan, times)
    every = find_fragment_technique("straight_line").estimate(observed).execution
    print(
        f"{isa}: whole periods of {period}: {exact:g}; every N: {every.value:.3f} ± "
        f"{every.half_width:.3f}; two less one: {times[0, 1] - times[0, 0]:g}"
    )


def shares_of_overhead() -> None:
    """Figure 7 of the paper: the error of N executions divided by N."""
    errors = errors_of_folds()
    counts = [float(count) for count in errors]
    overhead = errors[1]
    write(
        PICTURES / "n_fold.svg",
        Axis("executions N", logarithmic=True),
        Axis("error of T / N (cycles)", logarithmic=True),
        [
            Trace("measured on the virtual board", counts, list(errors.values())),
            Trace(
                f"ε / N with ε = {overhead:g} cycles",
                counts,
                [overhead / count for count in counts],
                dots=False,
                line=True,
            ),
        ],
    )


def errors_of_folds() -> dict[int, float]:
    """By N, how far T / N is off where the clock itself is exact: without noise, once is enough."""
    plans = tuple((f"fold_{n}", (Point(n),)) for n in FOLDS)
    source = FragmentSource(HUNDRED, plans, "hundred_cycles")
    with open_target(
        Selection("lpc2148-lab", "bare", settings={"code": "lab"}, fragment=source)
    ) as target:
        found = {}
        for n, case in zip(FOLDS, target.cases(), strict=True):
            samples = target.run_series(case, None, 1, empty=False).samples
            found[n] = float(samples.stop[0] - samples.start[0]) / n - CYCLES
    return found


def designs() -> None:
    """Draws the standard error of T_i for noise of 1 and one round, by the number of points."""
    points = range(4, 61, 2)
    traces = []
    for name, label in (
        ("with_initialisation", "M = N + 1 but in one equation (the paper's)"),
        ("balanced_initialisation", "M = N or 3 N (balanced)"),
    ):
        sigmas = [initialisation_sigma(find_fragment_technique(name).plan(k)) for k in points]
        traces.append(Trace(label, [float(k) for k in points], sigmas, line=True))
    write(
        PICTURES / "designs.svg",
        Axis("points in the plan"),
        Axis("standard error of T_i (σ of one time = 1)", logarithmic=True),
        traces,
    )


def initialisation_sigma(plan: Plan) -> float:
    observed = Observations(plan, np.zeros((1, len(plan))))
    design = np.column_stack([observed.executions, observed.initialisations, np.ones(len(plan))])
    return float(np.linalg.inv(design.T @ design)[1, 1] ** 0.5)


if __name__ == "__main__":
    main()
