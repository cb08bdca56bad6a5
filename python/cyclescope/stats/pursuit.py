"""Few columns of many whose sum comes within a tolerance of every value.

Orthogonal least squares (Chen, Billings and Luo, 1989). The column is taken that explains most of
what is left, until nothing is further off than allowed. Then each that is not needed is dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cyclescope.stats.summary import Values

DEPENDENT = 1e-9
"""Of a column's square: less is left of one that those chosen make up already."""

ALIKE = 1e-6
"""Of a gain: of columns that gain alike but for rounding the first is taken, on any machine."""

DECIMALS = 12

TRIED = 3
"""Columns that matter least are tried without; the first that is not needed goes."""


@dataclass(frozen=True)
class Pursued:
    """The columns chosen, the first column always among them, and what they leave."""

    columns: tuple[int, ...]
    coefficients: Values
    residuals: Values

    @property
    def worst(self) -> float:
        """The greatest residual."""
        return float(np.max(np.abs(self.residuals)))


Allowed = Sequence[tuple[float, float]]
"""Tolerances, the strictest first, each with what columns may cost for it."""


def pursue(
    matrix: Values, target: Values, allowed: Allowed, costs: npt.NDArray[np.int_]
) -> tuple[Pursued, float | None]:
    """The columns for the strictest tolerance that few enough meet, and that tolerance.

    Where none is met: those that come nearest, and None.
    """
    chosen, worst = _taken(matrix, target, allowed, costs)
    spent = np.cumsum(costs[chosen])
    for tolerance, most in allowed:
        enough = np.flatnonzero((worst <= tolerance) & (spent <= most))
        if not enough.size:
            continue
        found = _solved(matrix, target, chosen[: int(enough[0]) + 1])
        while fewer := _without_one(matrix, target, found, tolerance):
            found = fewer
        return found, tolerance
    return _solved(matrix, target, chosen[: int(np.argmin(worst)) + 1]), None


def _taken(
    matrix: Values, target: Values, allowed: Allowed, costs: npt.NDArray[np.int_]
) -> tuple[list[int], Values]:
    """Columns in the order in which they explain most, and the worst that is left after each."""
    strictest, most = allowed[0][0], max(one for _, one in allowed)
    norms = np.linalg.norm(matrix, axis=0)
    left = matrix / np.where(norms > 0, norms, 1.0)
    chosen, worst, residual = [0], [], target
    along = np.empty_like(left)
    while True:
        unit = left[:, chosen[-1]] / np.linalg.norm(left[:, chosen[-1]])
        residual = residual - unit * (unit @ residual)
        worst.append(float(np.max(np.abs(residual))))
        left -= np.outer(unit, unit @ left, out=along)
        squares = np.einsum("ij,ij->j", left, left)
        fits = (squares > DEPENDENT) & (costs + costs[chosen].sum() <= most)
        if worst[-1] <= strictest or not fits.any():
            return chosen, np.array(worst)
        gains = np.where(fits, (residual @ left) ** 2 / np.where(fits, squares, 1.0), 0.0)
        chosen.append(int(np.argmax(gains >= (1 - ALIKE) * gains.max())))


def _solved(matrix: Values, target: Values, chosen: list[int]) -> Pursued:
    columns = matrix[:, chosen]
    norms = np.linalg.norm(columns, axis=0)
    coefficients = np.linalg.lstsq(columns / norms, target, rcond=None)[0] / norms
    return Pursued(tuple(chosen), coefficients, target - columns @ coefficients)


def _without_one(
    matrix: Values, target: Values, found: Pursued, tolerance: float
) -> Pursued | None:
    """The same without a column that is not needed, if there is one."""
    inverse = np.linalg.pinv(matrix[:, found.columns])
    gained = (found.coefficients / np.linalg.norm(inverse, axis=1)) ** 2
    for place in np.argsort(gained.round(DECIMALS), kind="stable")[:TRIED].tolist():
        if place == 0:
            continue
        rest = [*found.columns[:place], *found.columns[place + 1 :]]
        fewer = _solved(matrix, target, rest)
        if fewer.worst <= tolerance:
            return fewer
    return None
