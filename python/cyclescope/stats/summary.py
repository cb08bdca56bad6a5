"""Summary of samples: mean, standard deviation, Student's 95 % interval, observed extremes."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cyclescope.quantity import Estimate

CONFIDENCE = 0.95

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Summary:
    """Summary of n samples, in their own unit. `maximum` is observed; it bounds nothing."""

    n: int
    mean: float
    sigma: float
    minimum: float
    maximum: float

    @property
    def standard_error(self) -> float:
        return self.sigma / float(np.sqrt(self.n))

    @property
    def estimate(self) -> Estimate:
        """The mean with Student's interval on n - 1 degrees of freedom; unknown for one sample."""
        if self.n < 2:
            return Estimate(self.mean, float("inf"))
        return Estimate(self.mean, student(self.n - 1) * self.standard_error)


def summarise(values: Values) -> Summary:
    """Sample mean and sample (n - 1) standard deviation.

    Equal values have exactly their own mean and no deviation, whatever rounding would make of it.

    >>> summarise(np.array([40.0, 42.0, 44.0]))
    Summary(n=3, mean=42.0, sigma=2.0, minimum=40.0, maximum=44.0)
    """
    if values.size == 0:
        raise ValueError("no samples to summarise")
    low, high = float(values.min()), float(values.max())
    if low == high:
        return Summary(values.size, low, 0.0, low, high)
    return Summary(values.size, float(values.mean()), float(values.std(ddof=1)), low, high)


@lru_cache(maxsize=1024)
def student(degrees: float) -> float:
    """How many standard errors the 95 % interval extends to each side."""
    # Loaded late: processes that only measure never need it, and it is slow to load.
    from scipy import special

    return float(special.stdtrit(degrees, (1 + CONFIDENCE) / 2))


def normal() -> float:
    """The same where the standard error needs no estimate of its own.

    >>> round(normal(), 2)
    1.96
    """
    from scipy import special

    return float(special.ndtri((1 + CONFIDENCE) / 2))


def tail_of_f(ratio: float, numerator: float, denominator: float) -> float:
    """How likely a ratio of variances is to be so large by chance, by its degrees of freedom.

    >>> round(tail_of_f(4.1, 3, 20), 3)
    0.02
    """
    from scipy import special

    return float(special.fdtrc(numerator, denominator, ratio))
