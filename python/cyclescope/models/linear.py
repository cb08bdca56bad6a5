"""The linear law t = m·x + q by least squares (Brandolese and Fornaciari, section 4.2, table 4).

q is the time at x = 0, in the unit of x; where 0 was not measured it is an extrapolation.
Intervals are Student's on n - 2 degrees of freedom.
"""

from dataclasses import dataclass

import numpy as np

from cyclescope.model import Coefficient, Fitted, Model, Points, r_squared
from cyclescope.quantity import Estimate
from cyclescope.stats.summary import student


@dataclass(frozen=True)
class LinearFit(Fitted):
    """t = m·x + q with what the interval of a prediction needs."""

    coefficients: tuple[Coefficient, ...]
    residual_sigma: float
    r_squared: float
    residual_squares: float
    n: int
    mean_x: float
    spread_x: float
    model: str = "linear"

    def predict(self, x: float) -> Estimate:
        m, q = (one.estimate.value for one in self.coefficients)
        leverage = 1 / self.n + (x - self.mean_x) ** 2 / self.spread_x
        half = student(self.n - 2) * self.residual_sigma * leverage**0.5
        return Estimate(m * x + q, half)


class Linear(Model):
    """t = m·x + q."""

    name = "linear"
    parameters = 2

    def fit(self, points: Points, unit: str) -> LinearFit:
        x, t = points.x, points.cycles
        n, mean_x = int(x.size), float(x.mean())
        spread_x = float(np.sum((x - mean_x) ** 2))
        m = float(np.sum((x - mean_x) * (t - t.mean()))) / spread_x
        q = float(t.mean()) - m * mean_x
        squares = float(np.sum((t - (m * x + q)) ** 2))
        sigma = (squares / (n - 2)) ** 0.5
        factor = student(n - 2) * sigma
        half_m = factor / spread_x**0.5
        half_q = factor * (1 / n + mean_x**2 / spread_x) ** 0.5
        return LinearFit(
            coefficients=(
                Coefficient("m", Estimate(m, half_m), f"cycles/{unit}"),
                Coefficient("q", Estimate(q, half_q), "cycles"),
            ),
            residual_sigma=sigma,
            r_squared=r_squared(points, squares),
            residual_squares=squares,
            n=n,
            mean_x=mean_x,
            spread_x=spread_x,
        )


MODEL = Linear()
