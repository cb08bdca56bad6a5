"""A case swept on a target that repeats itself: as many x as its law needs (exploration.py)."""

import zlib
from collections.abc import Iterable

import numpy as np

from cyclescope.campaign.technique import Technique
from cyclescope.laws.exploration import explore
from cyclescope.results import Sweep, tabulate_sweep
from cyclescope.target.case import Case, Domain
from cyclescope.target.series import Series
from cyclescope.target.target import CaseFailed, DoesNotFit, Target

CALLS = 1
"""At each x: the target repeats itself, and whole series show what else the time depends on."""

LOAD_CALLS = 5
"""Of a case whose calls add to what the next one meets. The first and the last of a series may
differ from those between, which are most of them."""


def calls_of(case: Case) -> int:
    """So many calls are timed at each x."""
    return LOAD_CALLS if case.load else CALLS


def sweep(target: Target, case: Case, using: Technique) -> Sweep:
    """Times a few calls at every x that the exploration asks for, from one reset on."""
    assert case.parameter is not None
    target.reset()
    calls: dict[int, Series] = {}
    domain = _that_fits(target, case, case.parameter.domain)
    count = calls_of(case)
    empty = using.empty(target, case, domain.first, count)
    per_count = target.conditions().cycles_per_count

    def measure(wanted: Iterable[int]) -> dict[int, float]:
        for x in wanted:
            calls[x] = target.run_series(case, x, count, empty=False)
        overhead = _typical(case, empty, per_count, using.by_pair)
        return {x: _typical(case, calls[x], per_count, using.by_pair) - overhead for x in wanted}

    found = explore(domain, measure, zlib.crc32(case.name.encode()))
    return Sweep(
        layout=target.conditions().layout,
        case=case,
        samples=tabulate_sweep((domain.first, empty), calls, found.held_out),
        cycles_per_count=per_count,
    )


def _typical(case: Case, series: Series, per_count: float, by_pair: bool) -> float:
    """Core cycles of the middle one of the calls into which no tick fell, as the sweep has them."""
    samples = series.samples
    sound = ~np.asarray(samples.tick_hit)
    if not sound.any():
        raise CaseFailed(case.name, "a tick fell into every call of its sweep")
    if samples.exact_cycles is not None and not by_pair:
        return float(np.median(samples.exact_cycles[sound]))
    return per_count * float(np.median((samples.stop - samples.start)[sound]))


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
        target.run_series(case, x, calls_of(case), empty=False)
    except DoesNotFit:
        return False
    return True
