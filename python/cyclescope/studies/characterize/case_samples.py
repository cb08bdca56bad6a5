"""The samples of a case as its law sees them: net cycles with everything known about each."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from cyclescope.laws.clustering import NetTimes
from cyclescope.results import Run
from cyclescope.stats.summary import Values
from cyclescope.studies.characterize.run_figures import Measured


@dataclass(frozen=True)
class CaseSamples:
    """Net cycles of the real calls no rule rejected, by layout, x, and order of measurement.

    `own` is net of the overhead of the run. In `levelled` the samples of each layout are moved to
    the mean of all layouts at that x. So the place of the code is kept separate from what a call
    does.
    """

    x: Values
    own: Values
    levelled: Values
    length: Values
    index: Values
    layout: Values

    @property
    def swept(self) -> bool:
        """Whether there is more than one x."""
        return bool(self.x.min() < self.x.max())

    def of(self, chosen: npt.NDArray[np.bool_]) -> "CaseSamples":
        """The chosen ones of them."""
        columns = (getattr(self, field.name)[chosen] for field in fields(self))
        return CaseSamples(*columns)

    def widest_x(self) -> float:
        """The x whose samples deviate most."""
        places = np.unique(self.x)
        sigmas = [float(self.levelled[self.x == one].std()) for one in places]
        return float(places[int(np.argmax(sigmas))])

    def for_law(self, resolution: float) -> NetTimes:
        """Returns the times in which clusters and laws are found."""
        return NetTimes(self.x, self.levelled, resolution)


def gather(measured: Sequence[Measured], runs: Sequence[Run]) -> CaseSamples:
    """The samples behind the figures of a case."""
    by_key = {(run.layout.number, run.parameter): run for run in runs}
    parts = []
    for one in measured:
        for figures in one.runs:
            run = by_key[figures.layout_number, one.parameter]
            own, length, index = run.in_order()
            own = own - figures.overhead
            level = own + (one.net.estimate.value - figures.net.estimate.value)
            x = np.full(own.size, float(one.parameter or 0))
            offset = np.full(own.size, float(figures.layout_number))
            parts.append((x, own, level, length, index, offset))
    columns = zip(*parts, strict=True)
    return CaseSamples(*(np.concatenate(column) for column in columns))
