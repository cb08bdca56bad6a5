"""Parts of streams and files: what each takes, found from the laws of the cases that meet it."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack

from cyclescope.studies.estimate.calls.events import COPIES, Met
from cyclescope.studies.estimate.estimated import Amount

SHIPPED = Path(__file__).with_name("events_of_cases.json")
PREFIX = "part "
"""Parts stand among the laws with this before their names."""
COPY_CASES = {
    "copy_short": "memcpy.short",
    "copy_aligned": "memcpy.aligned",
    "copy_unaligned": "memcpy.unaligned",
}
OWN_CASES = {"sort_compared": "compare.integers"}
"""Parts whose cases spend the time of another one beside: comparisons of the caller's."""
SHORT = 16
LEAST_CYCLES = 30.0
"""Added to the time of a case that its error is a share of: short calls weigh less."""
ALIKE = 1e-7
"""A part that no case needs costs nothing."""


@dataclass(frozen=True)
class PricedPart:
    """The cycles of one execution of a part, and how far off they may be."""

    name: str
    cycles: float
    off_cycles: float


def copy_case(kind: str, size: int) -> str:
    """The case whose law prices a copy."""
    if kind == "clear":
        return "memset.aligned" if size >= SHORT else "memset.short"
    return COPY_CASES[kind]


def written(found: Mapping[str, Mapping[int, Met]]) -> str:
    """Events of cases as JSON: part names once, then numbers."""
    names = sorted(
        {name for points in found.values() for met in points.values() for name, _ in met}
    )
    number = {name: at for at, name in enumerate(names)}
    cases = {
        case: {
            str(x): [[number[name], size, times] for (name, size), times in sorted(met.items())]
            for x, met in sorted(points.items())
        }
        for case, points in sorted(found.items())
    }
    rows = ",\n".join(
        f"{json.dumps(case)}:{json.dumps(one, separators=(',', ':'))}"
        for case, one in cases.items()
    )
    return f'{{"parts":{json.dumps(names)},"cases":{{\n{rows}\n}}}}\n'


def shipped() -> dict[str, dict[int, Met]]:
    """The events of cases, as they were counted for this version."""
    document = json.loads(SHIPPED.read_text())
    names = document["parts"]
    return {
        case: {
            int(x): Counter({(names[at], size): times for at, size, times in rows})
            for x, rows in points.items()
        }
        for case, points in document["cases"].items()
    }


def found(law: Callable[[str, int], Amount | None]) -> list[PricedPart]:
    """Cycles of each part, by the times of cases at x: sums of copies, which have laws, and parts.

    Least absolute relative errors, no part below zero: a case that meets what is not counted pulls
    no part. Cases weigh alike, however many points.
    """
    rows: list[dict[str, int]] = []
    times: list[tuple[float, float, float]] = []
    for case, points in shipped().items():
        known = {x: at for x in points if (at := law(case, x)) is not None}
        for x, amount in known.items():
            copies = sum(number * _beside(law, *one) for one, number in points[x].items())
            rows.append({name: n for (name, _), n in points[x].items() if name not in COPIES})
            weight = 1 / (amount.cycles + LEAST_CYCLES) / len(known)
            times.append((amount.cycles - copies, weight, amount.cycles))
    names = sorted({name for row in rows for name in row})
    if not names:
        return []
    matrix = np.array([[row.get(name, 0) for name in names] for row in rows], dtype=float)
    wanted, weight, whole = np.array(times).T
    values = _least(matrix, wanted, weight)
    errors = np.abs(matrix @ values - wanted) / np.maximum(whole, 1.0)
    return [
        PricedPart(name, float(values[at]), float(values[at] * np.mean(errors[matrix[:, at] > 0])))
        for at, name in enumerate(names)
    ]


def _least(matrix: np.ndarray, wanted: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The values above zero for which the weighted sum of absolute differences is least."""
    rows, columns = matrix.shape
    more = eye_array(rows)
    costs = np.concatenate([np.full(columns, ALIKE), weight, weight])
    terms = hstack([csr_array(matrix), -more, more])
    done = linprog(costs, A_eq=terms, b_eq=wanted, method="highs")
    return np.asarray(done.x[:columns])


def _beside(law: Callable[[str, int], Amount | None], kind: str, size: int) -> float:
    """The cycles of a copy, or of the caller's function, which have laws of their own."""
    own = law(OWN_CASES[kind], 0) if kind in OWN_CASES else None
    return own.cycles if own else _copied(law, kind, size)


def _copied(law: Callable[[str, int], Amount | None], kind: str, size: int) -> float:
    """The cycles of a copy; 0 for parts."""
    amount = law(copy_case(kind, size), size) if kind in COPIES else None
    return amount.cycles if amount else 0.0
