"""The linear law t = m·x + q by least squares (Brandolese and Fornaciari, section 4.2, table 4).

q is the time at x = 0, in the unit of x; where 0 was not measured it is an extrapolation.
Intervals are Student's on n - 2 degrees of freedom.
"""

import numpy as np

from cyclescope.laws.model import (
    Coefficient,
    Goodness,
    LinearFit,
    Model,
    Points,
    Segment,
    half_width,
)
from cyclescope.quantity import Estimate


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
        goodness = Goodness.of(points, t - (m * x + q), n - 2)
        variance = goodness.sigma**2
        of_m, of_q = variance / spread_x, variance * (1 / n + mean_x**2 / spread_x)
        both = -variance * mean_x / spread_x
        return LinearFit(
            coefficients=(
                Coefficient("m", Estimate(m, half_width(of_m, n - 2)), f"cycles/{unit}"),
                Coefficient("q", Estimate(q, half_width(of_q, n - 2)), "cycles"),
            ),
            segments=(Segment(float(x.min()), float(x.max()), m, q),),
            covariance=((of_m, both), (both, of_q)),
            freedom=n - 2,
            residual_sigma=goodness.sigma,
            residual_squares=goodness.squares,
            max_residual=goodness.greatest,
            r_squared=goodness.r_squared,
            n=n,
            sample_sigma=points.sample_sigma,
        )


MODEL = Linear()
MODELS = (MODEL,)
