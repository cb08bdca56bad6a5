"""A case swept on a target that repeats itself: as many x as its law needs (exploration.py)."""

import zlib
from collections.abc import Iterable

import numpy as np

from cyclescope.case import Case, Domain
from cyclescope.exploration import explore
from cyclescope.results import Sweep, tabulate_sweep
from cyclescope.series import Series
from cyclescope.target import CaseFailed, DoesNotFit, Target

CALLS = 2
"""At each x: where the second takes another time than the first, there is more than x to it."""


def sweep(target: Target, case: Case) -> Sweep:
    """Times a few calls at every x that the exploration asks for, from one reset on."""
    assert case.parameter is not None
    target.reset()
    calls: dict[int, Series] = {}
    domain = _that_fits(target, case, case.parameter.domain)
    empty = target.run_series(case, domain.first, CALLS, empty=True)
    per_count = target.conditions().cycles_per_count

    def measure(wanted: Iterable[int]) -> dict[int, float]:
        for x in wanted:
            calls[x] = target.run_series(case, x, CALLS, empty=False)
        return {x: per_count * (_mean(case, calls[x]) - _mean(case, empty)) for x in wanted}

    found = explore(domain, measure, zlib.crc32(case.name.encode()))
    return Sweep(
        layout=target.conditions().layout,
        case=case,
        samples=tabulate_sweep((domain.first, empty), calls, found.held_out),
        cycles_per_count=per_count,
    )


def _mean(case: Case, series: Series) -> float:
    """Counts of the calls into which no tick fell."""
    sound = ~np.asarray(series.samples.tick_hit)
    if not sound.any():
        raise CaseFailed(case.name, "a tick fell into every call of its sweep")
    samples = series.samples
    return float(np.mean((samples.stop - samples.start)[sound]))


def _that_fits(target: Target, case: Case, domain: Domain) -> Domain:
    """The part of the domain that fits in memory: what x takes grows with it."""
    low, high = 0, domain.size - 1
    if _fits(target, case, domain.last):
        return domain
    if not _fits(target, case, domain.first):
        raise CaseFailed(case.name, "not even its least x fits in memory")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fits(target, case, domain.all[middle]) else (low, middle)
    return domain.model_copy(update={"last": domain.all[low]})


def _fits(target: Target, case: Case, x: int) -> bool:
    try:
        target.run_series(case, x, CALLS, empty=False)
    except DoesNotFit:
        return False
    return True
