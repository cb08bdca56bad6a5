"""Does a case depend on the system's load? One-way analysis of variance between its series.

The series of a case differ in nothing but their length, so a difference between their means shows a
hidden parameter (Brandolese and Fornaciari, sections 2.2 and 3). Where a case makes as many objects
as its series is long, that parameter is the load. The medians must differ too, by more than one
count of the timer. A first call that is slower than all others moves the mean of a short series
more than that of a long one. That is no dependence on the length.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cyclescope.stats.summary import Values, summarise, tail_of_f

SIGNIFICANCE = 0.01


@dataclass(frozen=True)
class SeriesMeans:
    """Means by series length, their spread, and whether they differ by more than chance.

    `median_range` is the distance of the medians, `resolution` one count of the timer.
    """

    lengths: tuple[int, ...]
    means: tuple[float, ...]
    sigma_between: float
    p_value: float
    median_range: float
    resolution: float

    @property
    def differ(self) -> bool:
        return self.p_value < SIGNIFICANCE and self.median_range > self.resolution


def compare_series(series: Mapping[int, Values], resolution: float = 1.0) -> SeriesMeans | None:
    """Compares the series of one run; None if fewer than two have two samples or more."""
    usable = {length: values for length, values in sorted(series.items()) if values.size > 1}
    if len(usable) < 2:
        return None
    means = tuple(summarise(values).mean for values in usable.values())
    between = float(np.std(means, ddof=1)) if len(set(means)) > 1 else 0.0
    medians = [float(np.median(values)) for values in usable.values()]
    return SeriesMeans(
        lengths=tuple(usable),
        means=means,
        sigma_between=between,
        p_value=_p_value(list(usable.values()), means),
        median_range=max(medians) - min(medians),
        resolution=resolution,
    )


def _p_value(series: list[Values], means: tuple[float, ...]) -> float:
    # Without any spread within the series the F statistic is 0/0 or infinite.
    if all(values.min() == values.max() for values in series):
        return 1.0 if len(set(means)) == 1 else 0.0
    return one_way_p_value(series)


def one_way_p_value(series: Sequence[Values]) -> float:
    """The F test of equal means (Brandolese and Fornaciari, section 2.2), not all values equal.

    As `scipy.stats.f_oneway` has it, which takes a second of every process to load.
    """
    everything = np.concatenate(series)
    centred = [values - everything.mean() for values in series]
    between = sum(float(values.sum()) ** 2 / values.size for values in centred)
    within = sum(float(((values - values.mean()) ** 2).sum()) for values in centred)
    degrees = len(series) - 1, everything.size - len(series)
    return tail_of_f(between / degrees[0] / (within / degrees[1]), *degrees)
