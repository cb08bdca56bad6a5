"""A run on a machine that does other things too: medians stand for means, quartiles for deviations.

Such a machine also drifts: the clock that drives its core is not the one that is read. The drift
changes the empty calls and the real ones from series to series alike.
"""

import numpy as np

from cyclescope.results import Run
from cyclescope.stats.net import Net, net_of_medians
from cyclescope.stats.quartiles import quartiles
from cyclescope.studies.characterize.run_figures import Medians


def medians(run: Run) -> Medians:
    """The quartiles of the run's calls, and the medians of its series."""
    pairs = ((run.cycles("call", one), run.cycles("empty", one)) for one in run.lengths())
    return Medians(
        call=quartiles(run.cycles("call")),
        empty=quartiles(run.cycles("empty")),
        by_series=tuple(
            (float(np.median(call)), float(np.median(empty)))
            for call, empty in pairs
            if call.size and empty.size
        ),
    )


def net_between(found: Medians, resolution: float) -> Net:
    """The net time, with an interval that covers the drift between series.

    It is no narrower than the distance of the empty calls' quartiles. A core that executes out of
    order does not pass the same code in the same time. No number of samples distinguishes smaller
    differences from that.
    """
    by_series = np.array([call - empty for call, empty in found.by_series])
    least = max(resolution, found.empty.spread)
    return net_of_medians(found.call, found.empty, by_series, least)


def drift_cycles(found: Medians) -> float:
    """Returns by how much series' medians of the real calls may differ without a reason. It is as
    the middle half of the samples does, or as those of the empty calls do, in proportion."""
    empty = [empty for _, empty in found.by_series]
    share = float(np.ptp(empty)) / found.empty.median if found.empty.median else 0.0
    return max(share * found.call.median, found.call.spread)
