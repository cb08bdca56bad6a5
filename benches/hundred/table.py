"""Prints table 1 of Moreno and Fischmeister anew, from a virtual board: a fragment of 100 cycles.

As theirs the times come from a pin and an analyser; its samples lie as far apart, against the
fragment, as those of their sound card (192 kHz at 1 MHz).  usage: python benches/hundred/table.py
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cyclescope.fragment import Observations, Plan, Point
from cyclescope.fragment_source import FragmentSource, case_name
from cyclescope.stats.summary import Values, summarise
from cyclescope.target import Selection, Target
from cyclescope.targets import open_target
from cyclescope.technique import find_fragment_technique

ANALYSER_HZ = 11_520_000
CYCLES = 100
EXPERIMENTS = 100

FOLDS = (1, 10, 20, 55, 100, 210)
HERE = Path(__file__).parent

PLANS: dict[str, Plan] = {
    "line_10": tuple(Point(n) for n in range(1, 11)),
    "line_20": tuple(Point(n) for n in range(1, 21)),
    "differential": (Point(1), Point(2)),
    **{f"fold_{n}": (Point(n),) for n in FOLDS},
}


def main() -> None:
    source = FragmentSource(HERE / "hundred.c", tuple(PLANS.items()))
    selection = Selection(
        "lpc2148-lab", "bare", code="lab", timer="pin", fragment=source, analyser_hz=ANALYSER_HZ
    )
    with open_target(selection) as target:
        check(target)
        count = target.conditions().core_hz / ANALYSER_HZ
        print("| technique | executions | time (cycles) | std. deviation (cycles) | error |")
        print("|---|--:|--:|--:|--:|")
        for name, executions, estimates in rows(target, count):
            found = summarise(estimates)
            print(
                f"| {name} | {executions} | {found.mean:.3f} | {found.sigma:.3f} "
                f"| {found.mean - CYCLES:+.3f} |"
            )


def errors_of_folds() -> dict[int, float]:
    """By N, how far T / N is off where the clock itself is exact: without noise, once is enough."""
    folds = {n: PLANS[f"fold_{n}"] for n in FOLDS}
    source = FragmentSource(HERE / "hundred.c", tuple((f"fold_{n}", folds[n]) for n in folds))
    with open_target(Selection("lpc2148-lab", "bare", code="lab", fragment=source)) as target:
        return {n: float(measure(target, f"fold_{n}", 1, 1.0)[0, 0] / n - CYCLES) for n in folds}


def check(target: Target) -> None:
    """Every copy takes 100 cycles to the cycle, as the board itself saw it."""
    for case in target.cases():
        _, truths = target.witness_fragment(case, len(PLANS[case.name.partition(".")[2]]))
        seen = {cycles for truth in truths for cycles in truth.executions}
        if seen != {CYCLES}:
            raise SystemExit(f"{case.name}: copies take {seen} cycles, not {CYCLES}")


def rows(target: Target, count: float) -> Iterator[tuple[str, int, Values]]:
    """Name, executions in one experiment, and what the experiments gave."""
    line = find_fragment_technique("straight_line")
    for points in (10, 20):
        times = measure(target, f"line_{points}", EXPERIMENTS, count)
        plan = PLANS[f"line_{points}"]
        values = [line.estimate(Observations(plan, one[None, :])).execution.value for one in times]
        total = sum(point.executions for point in plan)
        yield f"Line fitting 1× – {points}×", total, np.array(values)
    for pairs in (55, 210, 1000):
        experiments = 18000 // 2 // pairs
        times = measure(target, "differential", pairs * experiments, count)
        differences = (times[:, 1] - times[:, 0]).reshape(experiments, pairs)
        yield f"Differential {pairs}×", 3 * pairs, differences.mean(axis=1)
    for n in FOLDS:
        times = measure(target, f"fold_{n}", EXPERIMENTS, count)
        yield ("Direct (1×)" if n == 1 else f"Executing {n}×"), n, times[:, 0] / n


def measure(target: Target, plan: str, rounds: int, count: float) -> Values:
    """Times in cycles, rounds × points."""
    (case,) = (case for case in target.cases() if case.name == case_name(plan))
    series = target.run_series(case, None, rounds * len(PLANS[plan]), empty=False)
    counts = np.array([sample.stop - sample.start for sample in series.samples], dtype=np.float64)
    return (counts * count).reshape(rounds, len(PLANS[plan]))


if __name__ == "__main__":
    main()
