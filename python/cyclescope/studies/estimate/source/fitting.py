"""Fits what kinds of work cost from functions whose true cycles are known.

Non-negative least squares of relative errors. Few programs cannot distinguish fifty prices. So each
is drawn to what the core's instructions make of it: so many instructions, loads, stores, taken
branches and further cycles (units.py), in all memories at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from cyclescope.studies.estimate.source.units import NEAREST, Made, split, units_of
from cyclescope.studies.estimate.source.work import Kinds

LIBRARY = "library "
CALL = "library call"
PULL = 2.0
"""The weight of what is expected of a kind, beside a program's relative error."""
UNIT_PULL = 0.003
LIBRARY_PULL = 0.03
MEASURING = "own "
"""Families of programs that were written for a fit: a function for each kind of work."""
SMALLEST_SHARE = 0.003
"""Functions below this share of their program are left out."""
SURE = 0.9

EXPECTED: dict[str, Made] = {
    "alu": (1, 0, 0, 0, 0, 0),
    "move": (1, 0, 0, 0, 0, 0),
    "alu long": (2, 0, 0, 0, 0, 0),
    "alu long half": (1.2, 0, 0, 0, 0, 0),
    "shift long": (8, 0, 0, 0, 0, 0),
    "shift long constant": (3, 0, 0, 0, 0, 0),
    "shifted by a register": (0, 0, 0, 0, 1, 0),
    "widen": (0.4, 0, 0, 0, 0, 0),
    "widen signed": (0.7, 0, 0, 0, 0, 0),
    "extend": (1, 0, 0, 0, 0, 0),
    "extend half": (1.8, 0, 0, 0, 0, 0),
    "compare": (1, 0, 0, 0, 0, 0),
    "compare folded": (0.1, 0, 0, 0, 0, 0),
    "compare joined": (0.1, 0, 0, 0, 0, 0),
    "compare long": (2, 0, 0, 0, 0, 0),
    "tested": (0.1, 0, 0, 0, 0, 0),
    "truth": (2, 0, 0, 0, 0, 0),
    "branch": (1, 0, 0, 0, 0, 0),
    "taken": (0, 0, 0, 1, 0, 0),
    "jump": (1, 0, 0, 1, 0, 0),
    "skipped": (1, 0, 0, 0, 0, 0),
    "multiply": (1, 0, 0, 0, 0, 0),
    "multiply added": (0, 0, 0, 0, 1, 0),
    "factor bytes": (0, 0, 0, 0, 1, 0),
    "multiply add": (1, 0, 0, 0, 1, 0),
    "long multiply": (1, 0, 0, 0, 1, 0),
    "divide constant": (2, 0, 0, 0, 5, 0),
    "divide signed": (1.5, 0, 0, 0, 0, 0),
    "remain constant": (1, 0, 0, 0, 0, 0),
    "divide by power": (3, 0, 0, 0, 0, 0),
    "remain by power": (4, 0, 0, 0, 0, 0),
    "divide long by power": (7, 0, 0, 0, 0, 0),
    "divide long constant": (30, 4, 0, 0, 15, 0),
    "divide long signed": (6, 0, 0, 0, 0, 0),
    "load": (1, 1, 0, 0, 0, 0),
    "load half": (1, 1, 0, 0, 0, 0),
    "load byte": (1, 1, 0, 0, 0, 0),
    "load constant": (1, 0, 0, 0, 0, 1),
    "load pair": (2, 2, 0, 0, 0, 0),
    "store": (1, 0, 1, 0, 0, 0),
    "store narrow": (1, 0, 1, 0, 0, 0),
    "store pair": (2, 0, 2, 0, 0, 0),
    "copied aggregate": (4, 1, 1, 0, 0, 0),
    "address": (1, 0, 0, 0, 0, 0),
    "address made": (1, 0, 0, 0, 0, 0),
    "stepped": (0.1, 0, 0, 0, 0, 0),
    "pointer begun": (1.5, 0, 0, 0, 0, 0),
    "constant": (1, 0, 0, 0, 0, 0),
    "constant of two": (2, 0, 0, 0, 0, 0),
    "literal": (1, 0, 0, 0, 0, 1),
    "minimum": (2, 0, 0, 0, 0, 0),
    "swap bytes": (4, 0, 0, 0, 0, 0),
    "call": (1, 0, 0, 1, 0, 0),
    "call outside": (1, 0, 0, 1, 0, 0),
    "argument passed": (0.4, 0, 0, 0, 0, 0),
    "argument kept": (1, 0, 0, 0, 0, 0),
    "argument constant": (1, 0, 0, 0, 0, 0),
    "argument literal": (1, 0, 0, 0, 0, 1),
    "argument in memory": (1, 0, 1, 0, 0, 0),
    "result kept": (0.7, 0, 0, 0, 0, 0),
    "enter": (0.3, 0, 0, 0, 0, 0),
    "enter calling": (2, 1, 1, 0, 0, 0),
    "pushed": (0, 0, 2, 0, 0, 0),
    "pushed high": (4, 0.5, 0.5, 0, 0, 0),
    "return": (1, 0, 0, 1, 0, 0),
    "returned constant": (1, 0, 0, 0, 0, 0),
    "choice constant": (0.9, 0, 0, 0, 0, 0),
    "choice literal": (1, 0, 0, 0, 0, 1),
    "copy": (0.9, 0, 0, 0, 0, 0),
    "copied operand": (0.5, 0, 0, 0, 0, 0),
    "switch": (2, 0, 0, 1, 0, 1),
    CALL: (1, 0, 0, 1, 0, 0),
    "spill load": (0.7, 0.7, 0, 0, 0, 0),
    "spill store": (0.7, 0, 0.7, 0, 0, 0),
    "variable load": (1, 1, 0, 0, 0, 0),
    "variable store": (1, 0, 1, 0, 0, 0),
    "variable load narrow": (1, 1, 0, 0, 0, 0),
    "variable store narrow": (1, 0, 1, 0, 0, 0),
    "variable aside": (1, 0, 0, 0, 0, 0),
}
"""Instructions, loads, stores, taken branches, further cycles and loads of code of each kind."""
IN_THUMB: dict[str, Made] = {
    "truth": (3, 0, 0, 0, 0, 0),
    "shift long constant": (5, 0, 0, 0, 0, 0),
    "swap bytes": (9, 0, 0, 0, 0, 0),
    "load half": (1.3, 1, 0, 0, 0, 0),
    "minimum": (2.5, 0, 0, 0.5, 0, 0),
    "switch": (6, 0, 0, 1, 0, 2),
    "switch called": (4, 0, 0, 1, 0, 0),
}
PLAIN: dict[str, Made] = {
    "stepped": (1, 0, 0, 0, 0, 0),
    "compare folded": (1, 0, 0, 0, 0, 0),
    "enter": (5, 1, 1, 0, 0, 0),
    "widen": (2.5, 0, 0, 0, 0, 0),
    "widen signed": (2.5, 0, 0, 0, 0, 0),
    "alu long half": (3, 0, 0, 0, 0, 0),
    "shift long": (10, 0, 0, 0, 0, 0),
    "argument passed": (1, 0, 0, 0, 0, 0),
    "argument kept": (0.1, 0, 0, 0, 0, 0),
    "result kept": (1, 0, 0, 0, 0, 0),
}
"""Without optimisation."""
PLAIN_IN_THUMB: dict[str, Made] = {
    "enter": (8, 2, 2, 0, 0, 0),
    "switch": (7, 0, 0, 1, 0, 2),
}
EXPECTED_OF_LIBRARY = {
    "library float add": 48.0,
    "library float mul": 33.0,
    "library float div": 124.0,
    "library float converted": 30.0,
    "library float truncated": 22.0,
    "library float resized": 12.0,
    "library float compared": 52.0,
    "library double add": 80.0,
    "library double mul": 75.0,
    "library double div": 550.0,
    "library double converted": 45.0,
    "library double truncated": 22.0,
    "library double resized": 12.0,
    "library double compared": 53.0,
    "library division": 28.0,
    "library division bits": 5.8,
    "library signed division": 30.0,
    "library signed division bits": 5.7,
    "library long division": 145.0,
    "library long division bits": 12.7,
    "library remain": 20.0,
    "library long multiply": 76.0,
    "library long shift": 18.0,
    "library switch": 14.0,
}


Cycles = Mapping[str, float]
"""By memory."""


@dataclass(frozen=True)
class TrainedFunction:
    """A function of a training program: its work, and the cycles that it truly took.

    `library` are those in the compiler's own functions, which it calls.
    """

    program: str
    family: str
    work: Kinds
    cycles: Cycles
    library: Cycles


@dataclass(frozen=True)
class FittedPrices:
    """Cycles of each kind of work in one memory."""

    cycles: dict[str, float]

    def own(self, work: Kinds) -> float:
        return sum(times * self.cycles.get(kind, 0.0) for kind, times in work.items())


def makes(isa: str, level: str) -> dict[str, Made]:
    """The instructions that each kind of work is expected to be."""
    thumb, plain = isa == "thumb", level == "O0"
    return (
        EXPECTED
        | (IN_THUMB if thumb else {})
        | (PLAIN if plain else {})
        | (PLAIN_IN_THUMB if thumb and plain else {})
    )


def fitted(
    functions: Sequence[TrainedFunction],
    isa: str,
    level: str,
    others: Sequence[TrainedFunction] = (),
) -> dict[str, FittedPrices]:
    """The prices in each memory that explain these functions best, near those that are expected.

    A kind has one factor on what it is expected to be, in all memories alike: the instructions are
    the same. Memories whose timing is a rule have the prices of that rule (units.py), others those
    that fit. `others` are functions at other levels: the compiler's own functions are the same.
    """
    made = makes(isa, level)
    own = sorted(made)
    does = np.array([split(kind, made[kind]) for kind in own])
    memories = sorted({memory for one in functions for memory in one.cycles})
    known = {
        memory: np.array(known_units)
        for memory in memories
        if (known_units := units_of(memory, isa)) is not None
    }
    rows, truth = [], []
    for memory, units in known.items():
        times, spent = _equations(functions, own, memory, library=False)
        rows.append(times * (does @ units))
        truth.append(spent)
    factors = _solved(
        np.vstack(rows) / sqrt(len(rows)),
        np.concatenate(truth) / sqrt(len(rows)),
        np.ones(len(own)),
        PULL,
    )
    factors /= _centre(np.vstack(rows) @ factors, np.concatenate(truth))
    found = {}
    for memory in memories:
        costs = known.get(memory)
        if costs is None:
            times, spent = _equations(functions, own, memory, library=False)
            near = np.array(units_of(NEAREST, isa))
            costs = _solved(times * factors @ does, spent, near, UNIT_PULL)
            costs /= _centre(times * factors @ does @ costs, spent)
        cycles = dict(zip(own, factors * (does @ costs), strict=True))
        for kind, price in _of_library([*functions, *others], memory).items():
            cycles[kind] = cycles.get(kind, 0.0) + price
        found[memory] = FittedPrices({kind: float(price) for kind, price in cycles.items()})
    return found


def _centre(made: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """The weighted median of the ratios of estimates to truths.

    Least squares of relative errors come out too low: an estimate cannot miss by more than all.
    """
    ratios = made / truth
    order = np.argsort(ratios)
    below = np.cumsum(truth[order])
    return float(ratios[order][np.searchsorted(below, below[-1] / 2)])


def _of_library(functions: Sequence[TrainedFunction], memory: str) -> dict[str, float]:
    """Cycles of each kind of work of the compiler's own functions."""
    library = sorted(EXPECTED_OF_LIBRARY)
    rows, truth = _equations(functions, library, memory, library=True)
    if not len(truth):
        return {}
    expected = np.array([EXPECTED_OF_LIBRARY[kind] for kind in library])
    scale = float(nnls((rows @ expected)[:, None], truth)[0][0])
    return dict(zip(library, _solved(rows, truth, expected * scale, LIBRARY_PULL), strict=True))


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
    functions: Sequence[TrainedFunction], kinds: Sequence[str], memory: str, *, library: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One of each function and one of each program; families weigh alike."""
    rows, truth = [], []
    families = {one.program: one.family for one in functions if memory in one.cycles}
    for program, family in families.items():
        parts = [one for one in functions if one.program == program]
        spent = sum((one.library if library else one.cycles)[memory] for one in parts)
        total = sum(one.cycles[memory] + one.library[memory] for one in parts) if library else spent
        if not spent:
            continue
        alike = sum(other == family for other in families.values())
        sums: Kinds = {}
        for one in parts:
            for kind, times in one.work.items():
                sums[kind] = sums.get(kind, 0.0) + times
            cycles = (one.library if library else one.cycles)[memory]
            if library:
                # A caller that was inlined has them in another function here.
                weight = 0.5 / cycles if cycles and family.startswith(MEASURING) else 0.0
            elif cycles > SMALLEST_SHARE * total:
                weight = 1 / np.sqrt(cycles * total * alike)
            else:
                weight = 0.0
            if weight and any(one.work.get(kind) for kind in kinds):
                rows.append([weight * one.work.get(kind, 0.0) for kind in kinds])
                truth.append(weight * cycles)
        weight = 1.5 / total / np.sqrt(alike)
        rows.append([weight * sums.get(kind, 0.0) for kind in kinds])
        truth.append(weight * spent)
    return np.array(rows).reshape(len(rows), len(kinds)), np.array(truth)


def left_out(
    functions: Sequence[TrainedFunction],
    isa: str,
    level: str,
    others: Sequence[TrainedFunction] = (),
) -> dict[str, dict[str, tuple[float, float]]]:
    """Estimated and true own cycles of each program by memory, fitted without its family."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for family in sorted({one.family for one in functions}):
        rest, rest_of_others = (
            [one for one in some if one.family != family] for some in (functions, others)
        )
        prices = fitted(rest, isa, level, rest_of_others)
        for one in functions:
            for memory, cycles in one.cycles.items() if one.family == family else ():
                programs = found.setdefault(memory, {})
                estimated, true = programs.get(one.program, (0.0, 0.0))
                estimated += prices[memory].own(one.work)
                programs[one.program] = (estimated, true + cycles + one.library[memory])
    return found


def interval(ratios: Iterable[float]) -> float:
    """The factor that 90 % of ratios stay within, as a conformal quantile."""
    sizes = sorted(abs(log(max(ratio, 0.01))) for ratio in ratios)
    rank = min(ceil(SURE * (len(sizes) + 1)), len(sizes))
    return exp(sizes[rank - 1])
