"""Fits what kinds of work cost from functions whose true cycles are known.

Non-negative least squares of relative errors. Few programs cannot distinguish fifty prices. So each
is drawn to what the core's instructions make of it: so many instructions, loads, stores, taken
branches and further cycles. The prices of these five in a memory are fitted first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, exp, log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from cyclescope.studies.estimate.source.work import Kinds

LIBRARY = "library "
CALL = "library call"
LONG_MULTIPLY = "long multiply"
"""A call in Thumb."""
PULL = 0.03
"""The weight of what is expected of a price, beside a program's relative error."""
UNIT_PULL = 0.01
SMALLEST_SHARE = 0.003
"""Functions below this share of their program are left out."""
SURE = 0.9
UNITS = np.array([1.0, 2.0, 1.0, 2.0, 1.0])
"""Cycles of an instruction, and what a load, a store, a taken branch and waiting add, in RAM."""

Made = tuple[float, float, float, float, float]

EXPECTED: dict[str, Made] = {
    "alu": (1, 0, 0, 0, 0),
    "move": (1, 0, 0, 0, 0),
    "shift": (1, 0, 0, 0, 0),
    "shift folded": (0.05, 0, 0, 0, 0),
    "alu long": (2, 0, 0, 0, 0),
    "shift long": (8, 0, 0, 0, 0),
    "shift long constant": (3, 0, 0, 0, 0),
    "compare": (1, 0, 0, 0, 0),
    "compare with zero": (0.6, 0, 0, 0, 0),
    "compare long": (2.5, 0, 0, 0, 0),
    "truth": (2, 0, 0, 0, 0),
    "branch": (1, 0, 0, 0, 0),
    "taken": (0, 0, 0, 1, 0),
    "jump": (1, 0, 0, 1, 0),
    "skipped": (0.8, 0, 0, 0, 0),
    "multiply": (1, 0, 0, 0, 0),
    "multiply bytes": (0, 0, 0, 0, 0.9),
    "multiply constant": (1, 0, 0, 0, 0),
    "long multiply": (1.5, 0, 0, 0, 3),
    "divide constant": (3, 0.3, 0, 0, 4),
    "remain constant": (2, 0, 0, 0, 1),
    "divide by power": (3, 0, 0, 0, 0),
    "divide long by power": (7, 0, 0, 0, 0),
    "divide long constant": (30, 4, 2, 3, 6),
    "load": (1, 1, 0, 0, 0),
    "load half": (1, 1, 0, 0, 0),
    "store": (1, 0, 1, 0, 0),
    "stored constant": (0.7, 0, 0, 0, 0),
    "copied aggregate": (1, 2, 2, 0, 0),
    "index": (0.3, 0, 0, 0, 0),
    "index far": (1.2, 0, 0, 0, 0),
    "address": (1, 1, 0, 0, 0),
    "address in a loop": (0.15, 0.15, 0, 0, 0),
    "constant beyond a byte": (0.02, 0, 0, 0, 0),
    "constant of a word": (0.5, 0.5, 0, 0, 0),
    "extended": (0.5, 0, 0, 0, 0),
    "extended far": (1.2, 0, 0, 0, 0),
    "minimum": (2, 0, 0, 0, 0),
    "swap bytes": (4, 0, 0, 0, 0),
    "call": (1, 0, 0, 1, 0),
    "call outside": (1, 0, 0, 1, 0),
    "argument": (0.7, 0, 0, 0, 0),
    "argument in memory": (1, 0, 1, 0, 0),
    "enter": (0.3, 0, 0, 0, 0),
    "enter calling": (2, 1, 1, 0, 0),
    "pushed": (0.05, 0.7, 0.7, 0, 0),
    "return": (1, 0, 0, 1, 0),
    "choice constant": (0.8, 0, 0, 0, 0),
    "choice copy": (0.7, 0, 0, 0, 0),
    "switch": (3, 1, 0, 1, 0),
    CALL: (2.5, 0, 0, 1, 0),
    "beyond few registers": (0.02, 0, 0, 0, 0),
    "beyond registers": (0.3, 0.15, 0.1, 0, 0),
    "variable load": (1, 1, 0, 0, 0),
    "variable store": (1, 0, 1, 0, 0),
}
IN_THUMB: dict[str, Made] = {
    "shift folded": (1, 0, 0, 0, 0),
    "compare with zero": (1, 0, 0, 0, 0),
    "truth": (3, 0, 0, 0, 0),
    "load half": (1.5, 1, 0, 0, 0),
    "constant beyond a byte": (0.3, 0, 0, 0, 0),
    "beyond few registers": (0.3, 0.1, 0.05, 0, 0),
}
PLAIN: dict[str, Made] = {
    "shift folded": (1, 0, 0, 0, 0),
    "compare with zero": (1, 0, 0, 0, 0),
    "index": (1, 0, 0, 0, 0),
    "index far": (2, 0, 0, 0, 0),
    "enter": (5, 0, 1, 0, 0),
}
"""Without optimisation."""
EXPECTED_OF_LIBRARY = {
    "library float add": 60.0,
    "library float mul": 55.0,
    "library float div": 200.0,
    "library float converted": 30.0,
    "library float resized": 25.0,
    "library float compared": 35.0,
    "library double add": 80.0,
    "library double mul": 90.0,
    "library double div": 400.0,
    "library double converted": 40.0,
    "library double resized": 25.0,
    "library double compared": 45.0,
    "library division": 35.0,
    "library division bits": 3.5,
    "library long division": 120.0,
    "library long division bits": 8.0,
    LONG_MULTIPLY: 20.0,
}


@dataclass(frozen=True)
class TrainedFunction:
    """A function of a training program: its work, and the cycles that it truly took.

    `library` are those in the compiler's own functions, which it calls.
    """

    program: str
    family: str
    work: Kinds
    cycles: float
    library: float


@dataclass(frozen=True)
class FittedPrices:
    """Cycles of each kind of work."""

    cycles: dict[str, float]

    def own(self, work: Kinds) -> float:
        return sum(times * self.cycles.get(kind, 0.0) for kind, times in work.items())


def fitted(functions: Sequence[TrainedFunction], isa: str, level: str) -> FittedPrices:
    """The cheapest prices that explain these functions, near those that are expected."""
    made = EXPECTED | (IN_THUMB if isa == "thumb" else {}) | (PLAIN if level == "O0" else {})
    seen = {kind for one in functions for kind in one.work}
    own = sorted(kind for kind in seen if kind in made)
    rows, truth = _equations(functions, own, library=False)
    units = np.array([made[kind] for kind in own])
    scale = float(nnls((rows @ units @ UNITS)[:, None], truth)[0][0])
    each = _solved(rows @ units, truth, UNITS * scale, UNIT_PULL)
    cycles = dict(zip(own, _solved(rows, truth, units @ each, PULL), strict=True))
    library = sorted(
        kind
        for kind in seen & EXPECTED_OF_LIBRARY.keys()
        if kind != LONG_MULTIPLY or isa == "thumb"
    )
    rows, truth = _equations(functions, library, library=True)
    if len(truth):
        expected = np.array([EXPECTED_OF_LIBRARY[kind] for kind in library])
        scale = float(nnls((rows @ expected)[:, None], truth)[0][0])
        solved = _solved(rows, truth, expected * scale, PULL)
        for kind, price in zip(library, solved, strict=True):
            cycles[kind] = cycles.get(kind, 0.0) + price
    return FittedPrices({kind: float(price) for kind, price in cycles.items()})


def _solved(
    rows: NDArray[np.float64],
    truth: NDArray[np.float64],
    expected: NDArray[np.float64],
    pull: float,
) -> NDArray[np.float64]:
    """Non-negative least squares with a pull to what is expected, relative to it."""
    near = np.maximum(expected, 0.15 * np.median(expected))
    weight = np.sqrt(pull)
    all_rows = np.vstack([rows, np.diag(weight / near)])
    solved, _ = nnls(all_rows, np.concatenate([truth, weight * expected / near]))
    return np.asarray(solved, np.float64)


def _equations(
    functions: Sequence[TrainedFunction], kinds: Sequence[str], *, library: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One of each function and one of each program; families weigh alike."""
    rows, truth = [], []
    families = {one.program: one.family for one in functions}
    for program, family in families.items():
        parts = [one for one in functions if one.program == program]
        total = sum(one.library if library else one.cycles for one in parts)
        if not total:
            continue
        alike = sum(other == family for other in families.values())
        sums: Kinds = {}
        for one in parts:
            for kind, times in one.work.items():
                sums[kind] = sums.get(kind, 0.0) + times
            cycles = one.library if library else one.cycles
            if cycles > SMALLEST_SHARE * total:
                weight = 1 / np.sqrt(cycles * total * alike)
                rows.append([weight * one.work.get(kind, 0.0) for kind in kinds])
                truth.append(weight * cycles)
        weight = 1.5 / total / np.sqrt(alike)
        rows.append([weight * sums.get(kind, 0.0) for kind in kinds])
        truth.append(weight * total)
    return np.array(rows).reshape(len(rows), len(kinds)), np.array(truth)


def left_out(
    functions: Sequence[TrainedFunction], isa: str, level: str
) -> dict[str, tuple[float, float]]:
    """Estimated and true own cycles of each program, fitted without its family."""
    found: dict[str, tuple[float, float]] = {}
    for family in sorted({one.family for one in functions}):
        prices = fitted([one for one in functions if one.family != family], isa, level)
        for one in functions:
            if one.family == family:
                estimated, true = found.get(one.program, (0.0, 0.0))
                estimated += prices.own(one.work)
                found[one.program] = (estimated, true + one.cycles + one.library)
    return found


def interval(ratios: Iterable[float]) -> float:
    """The factor that 90 % of ratios stay within, as a conformal quantile."""
    sizes = sorted(abs(log(max(ratio, 0.01))) for ratio in ratios)
    rank = min(ceil(SURE * (len(sizes) + 1)), len(sizes))
    return exp(sizes[rank - 1])
