"""The constant law: the same time whatever the parameter."""

from dataclasses import dataclass

from cyclescope.model import Coefficient, Fitted, Model, Points, r_squared
from cyclescope.quantity import Estimate
from cyclescope.stats.summary import summarise


@dataclass(frozen=True)
class ConstantFit(Fitted):
    """t = q."""

    coefficients: tuple[Coefficient, ...]
    residual_sigma: float
    r_squared: float
    residual_squares: float
    n: int
    model: str = "constant"

    def predict(self, x: float) -> Estimate:
        return self.coefficients[0].estimate


class Constant(Model):
    """t = q, q the mean over the parameter values."""

    name = "constant"
    parameters = 1

    def fit(self, points: Points, unit: str) -> ConstantFit:
        summary = summarise(points.cycles)
        squares = summary.sigma**2 * (summary.n - 1)
        return ConstantFit(
            coefficients=(Coefficient("q", summary.estimate, "cycles"),),
            residual_sigma=summary.sigma,
            r_squared=r_squared(points, squares),
            residual_squares=squares,
            n=summary.n,
        )


MODEL = Constant()
