"""The constant law: the same time whatever the parameter."""

import numpy as np

from cyclescope.laws.model import Coefficient, ConstantFit, Goodness, Model, Points, Segment
from cyclescope.stats.summary import summarise


class Constant(Model):
    """t = q, q the mean over the parameter values."""

    name = "constant"
    parameters = 1

    def fit(self, points: Points, unit: str) -> ConstantFit:
        summary = summarise(points.cycles)
        freedom = summary.n - 1
        goodness = Goodness.of(points, points.cycles - summary.mean, freedom)
        variance = summary.standard_error**2 if freedom else np.inf
        return ConstantFit(
            coefficients=(Coefficient("q", summary.estimate, "cycles"),),
            segments=(Segment(float(points.x.min()), float(points.x.max()), 0.0, summary.mean),),
            covariance=((variance,),),
            freedom=freedom,
            residual_sigma=goodness.sigma,
            residual_squares=goodness.squares,
            max_residual=goodness.greatest,
            r_squared=None,
            n=summary.n,
            sample_sigma=points.sample_sigma,
        )


MODEL = Constant()
MODELS = (MODEL,)
