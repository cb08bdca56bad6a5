"""Figures of runs: what was measured of a case, by layout and by value of its parameter."""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from cyclescope.stats.load import SeriesMeans
from cyclescope.stats.net import Net
from cyclescope.stats.quartiles import Quartiles
from cyclescope.stats.summary import Summary


@dataclass(frozen=True)
class Medians:
    """The middle of a run's raw and empty calls in core cycles; `by_series` has the median of each
    real series and of the empty one beside it."""

    call: Quartiles
    empty: Quartiles
    by_series: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Probed:
    """Measurements of a run by the target's own probes: raw times and overhead, in core cycles."""

    call: Summary
    empty: Summary

    @property
    def net(self) -> float:
        return self.call.mean - self.empty.mean


@dataclass(frozen=True)
class RunFigures:
    """One run: its real and empty calls in core cycles, and the net time between them.

    Where the target sees its calls from outside (`exact`) they are from entry to return, else what
    the probes measured, `probed`. Less a pair of timer readings they are what the probes
    measured too, and `seen` has the real ones from entry to return. `energy` is the net energy in
    microjoules, if it was metered.
    `medians` are there on a noisy target: the net time is then between them.
    """

    layout_number: int
    call: Summary
    empty: Summary
    probed: Probed
    exact: bool
    net: Net
    rejected: dict[str, int]
    series: SeriesMeans | None
    interrupts_off: int | None
    energy: Net | None = None
    medians: Medians | None = None
    seen: Summary | None = None

    @property
    def typical(self) -> float:
        """A real call with its overhead: the median on a noisy target, else the mean."""
        return self.medians.call.median if self.medians else self.call.mean

    @property
    def overhead(self) -> float:
        """The overhead subtracted from each real call: the median or mean of the empty ones."""
        return self.medians.empty.median if self.medians else self.empty.mean

    @property
    def between_probes(self) -> float:
        """Time of the empty calls between the probes, arguments and jump included."""
        return self.medians.empty.median if self.medians else self.probed.empty.mean

    @property
    def truth_difference(self) -> float | None:
        """Error of the probes' own net time, where the truth is known: the empty call meets
        other contents of the flash buffers than the real one."""
        return self.probed.net - (self.call.mean - self.empty.mean) if self.exact else None

    @property
    def set_up(self) -> float | None:
        """Part of the net time beyond the call from entry to return, where that is known and the
        overhead is a pair. It is arguments, jump, and an effect of the flash buffers on the code
        around."""
        if self.seen is None or self.exact:
            return None
        return self.net.estimate.value - self.seen.mean

    @property
    def observed_maximum(self) -> float:
        """The longest call seen, net of the overhead. It bounds nothing."""
        return self.call.maximum - self.overhead


@dataclass(frozen=True)
class Measured:
    """A case at one value of its parameter: the run of each layout, and what they say together.

    With one layout `net` is that layout's. With more it is their mean with the interval of a new
    link, and `between` the spread of their net times. Layouts that are alike to the case count
    once. The first run is of the plain link.
    """

    parameter: int | None
    runs: tuple[RunFigures, ...]
    net: Net
    between: Summary | None
    energy: Net | None = None

    @property
    def plain(self) -> "Measured":
        """The same of the first layout alone."""
        first = self.runs[0]
        return Measured(self.parameter, (first,), first.net, None, first.energy)

    @property
    def n(self) -> int:
        """Samples of real calls."""
        return sum(run.call.n for run in self.runs)

    @property
    def sigma_within(self) -> float:
        """The samples' deviation from the mean of their own layout, pooled."""
        return float(np.sqrt(np.mean([run.call.sigma**2 for run in self.runs])))

    @property
    def quartile_range(self) -> float | None:
        """Where the target is noisy: the distance of the samples' quartiles, over layouts."""
        ranges = [run.medians.call.spread for run in self.runs if run.medians]
        return float(np.mean(ranges)) if ranges else None

    @property
    def spread(self) -> float:
        """Spread of the samples: distance of the quartiles on a noisy target, else σ."""
        return self.sigma_within if self.quartile_range is None else self.quartile_range

    @property
    def sigma_between(self) -> float:
        """The deviation of the layouts' net times; not a number with one layout."""
        return self.between.sigma if self.between else math.nan

    @property
    def observed_maximum(self) -> float:
        """The longest call seen in any layout. It bounds nothing."""
        return max(run.observed_maximum for run in self.runs)

    @property
    def interrupts_off(self) -> int | None:
        """The longest time without interrupts inside any call, where the target could see it."""
        seen = [run.interrupts_off for run in self.runs if run.interrupts_off is not None]
        return max(seen, default=None)

    @property
    def rejected(self) -> dict[str, int]:
        """How many real calls each rule rejected."""
        total: Counter[str] = Counter()
        for run in self.runs:
            total.update(run.rejected)
        return dict(total)

    @property
    def series(self) -> SeriesMeans | None:
        """The series of the first layout in which they differ, else of the first."""
        compared = [run.series for run in self.runs if run.series]
        return next((one for one in compared if one.differ), next(iter(compared), None))


def net_by_length(one: Measured) -> dict[float, dict[float, float]]:
    """The net mean of the series of each length, in each layout."""
    nets: dict[float, dict[float, float]] = {}
    for run in one.runs:
        if run.series:
            for length, mean in zip(run.series.lengths, run.series.means, strict=True):
                nets.setdefault(length, {})[run.layout_number] = mean - run.overhead
    return dict(sorted(nets.items()))
