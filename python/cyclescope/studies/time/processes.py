"""Several processes: each estimates by itself, and how they differ is how sure the figure is.

Conditions of one process do not change while it runs. They are where its pages lie, what its
branches fall together with, and for some time the clock of the core. More rounds of the same
process say nothing of it, and neither does the mean of many processes: whoever runs the code meets
one. So the interval is that in which another process lies (Student's prediction interval), widened
by what a core's own clock does unseen.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cyclescope.firmware.fragment.plan import Estimated, Observations
from cyclescope.quantity import Estimate
from cyclescope.stats.summary import student, summarise
from cyclescope.studies.time.technique import FragmentTechnique

CLOCK = 0.01
"""The share by which the unseen clock of a core may differ from what it just was. On a virtual
machine of 2026 it went in steps of 0.7 %, some ms apart."""


def estimate(technique: FragmentTechnique, observed: Observations) -> Estimated:
    """Returns the technique's estimate, whether of one process or of several."""
    if observed.processes == 1:
        return technique.estimate(observed)
    each = [technique.estimate(one) for one in observed.by_process()]
    execution = _mean([one.execution for one in each])
    first = each[0]
    initialisations = [one.initialisation for one in each if one.initialisation]
    overheads = [one.overhead for one in each if one.overhead]
    least = [one.least_sigma for one in each if one.least_sigma is not None]
    return replace(
        first,
        execution=execution,
        sigma=summarise(np.array([one.execution.value for one in each])).standard_error,
        n=sum(one.n for one in each),
        by_process=tuple(one.execution.value for one in each),
        rejected=np.concatenate([one.rejected for one in each]),
        initialisation=_mean(initialisations) if initialisations else None,
        overhead=_mean(overheads) if overheads else None,
        least_sigma=float(np.mean(least)) / len(each) ** 0.5 if least else None,
        beside=tuple(
            (name, _mean([dict(one.beside)[name] for one in each])) for name, _ in first.beside
        ),
        fitted=None
        if first.fitted is None
        else np.mean([one.fitted for one in each if one.fitted is not None], axis=0),
    )


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    """The mean, with the interval of one more; no narrower than those of single processes are."""
    found = summarise(np.array([one.value for one in estimates]))
    another = student(found.n - 1) * found.sigma * (1 + 1 / found.n) ** 0.5
    within = float(np.median([one.half_width for one in estimates]))
    return Estimate(found.mean, math.hypot(max(another, within), CLOCK * found.mean))
