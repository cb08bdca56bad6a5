"""Two real-time results beside each other: the paper's Table I for any two systems.

The maximum of more samples is longer, so maxima are compared like with like: over blocks of as many
samples in both, a tenth of the shorter run. Their ratio has an interval, which the ratio of two
single maxima cannot have (stats/maximum.py).
"""

import math
from collections.abc import Iterable

import numpy as np

from cyclescope.stats.distribution import Quantile, quantile
from cyclescope.stats.maximum import BLOCKS, expected_maximum
from cyclescope.stats.ratio import Ratio, ratio
from cyclescope.stats.summary import Values
from cyclescope.studies.realtime.analyse import analyse
from cyclescope.studies.realtime.findings import (
    TABLE_1,
    Curve,
    RealtimeComparison,
    RealtimeFigures,
    TrialComparison,
    TrialFigures,
    UnitFigures,
)
from cyclescope.studies.realtime.indicators import ScoreUnit
from cyclescope.studies.realtime.results import RealtimeResults, TrialRun

MANY_MORE = 1.1
"""How many times as many samples make a maximum noticeably longer."""


def compare(first: RealtimeResults, second: RealtimeResults) -> RealtimeComparison:
    """Compares the curves, and the trials without extra tasks, that both results have."""
    figures = analyse(first), analyse(second)
    rows = tuple(_rows(first, second, figures))
    found = RealtimeComparison(
        first=figures[0],
        second=figures[1],
        rows=rows,
        curves=tuple(_curves(*figures)),
        differing=tuple(figures[0].conditions.differences(figures[1].conditions)),
        warnings=tuple(_warnings(*figures, rows)),
        absent=tuple(_absent(*figures)),
    )
    return found


def _rows(
    first: RealtimeResults,
    second: RealtimeResults,
    figures: tuple[RealtimeFigures, RealtimeFigures],
) -> Iterable[TrialComparison]:
    others = {one.trial: one for one in figures[1].alone}
    samples = [{run.trial: run for run in results.runs} for results in (first, second)]
    for one in figures[0].alone:
        if other := others.get(one.trial):
            runs = samples[0][one.trial], samples[1][one.trial]
            units = tuple(found.unit(ScoreUnit.DOUBLE) for found in figures)
            yield _row(one, other, runs, units)  # type: ignore[arg-type]


def _row(
    one: TrialFigures,
    other: TrialFigures,
    runs: tuple[TrialRun, TrialRun],
    units: tuple[UnitFigures | None, UnitFigures | None],
) -> TrialComparison:
    kept = [_kept(run) for run in runs]
    length = max(1, min(values.size for values in kept) // BLOCKS)
    first, second = (expected_maximum(values, length) for values in kept)
    nothing = Ratio(math.nan, math.nan, math.nan)
    maxima = median = nothing
    if units[0] and units[1]:
        maxima = ratio([first, units[1].raw], [second, units[0].raw])
        scale = units[1].raw.mean / units[0].raw.mean
        usual = [run.cycles[~run.by_line & ~run.rejected] for run in runs]
        if all(values.size for values in usual):
            median = _quantiles(quantile(usual[0], 0.5), quantile(usual[1], 0.5), scale)
    return TrialComparison(
        trial=one.trial,
        first=one,
        second=other,
        length=length,
        blocks=(first, second),
        maxima=maxima,
        median=median,
        paper=TABLE_1.get(one.trial.indicator),
    )


def _kept(run: TrialRun) -> Values:
    """The samples of the paper's score."""
    return np.asarray(run.cycles[~run.rejected])


def _quantiles(one: Quantile, other: Quantile, scale: float) -> Ratio:
    """The ratio of two quantiles; from the far ends of their intervals, so that it is too wide."""
    return Ratio(
        one.value / other.value * scale, one.low / other.high * scale, one.high / other.low * scale
    )


def _curves(first: RealtimeFigures, second: RealtimeFigures) -> Iterable[tuple[Curve, Curve]]:
    def key(one: Curve) -> tuple[object, ...]:
        return (one.indicator, one.load_percent, one.placement)

    others = {key(one): one for one in second.curves}
    return ((one, others[key(one)]) for one in first.curves if key(one) in others)


def _warnings(
    first: RealtimeFigures, second: RealtimeFigures, rows: tuple[TrialComparison, ...]
) -> Iterable[str]:
    units = first.unit(ScoreUnit.DOUBLE), second.unit(ScoreUnit.DOUBLE)
    if units[0] and units[1] and units[0].arithmetic != units[1].arithmetic:
        yield (
            f"the unit is computed differently: {units[0].arithmetic} in the first and "
            f"{units[1].arithmetic} in the second, so that a score of one says nothing beside a "
            "score of the other. Compare the scores in the integer unit, or the times"
        )
    for found, unit, name in zip((first, second), units, ("first", "second"), strict=True):
        if unit is None:
            yield f"the {name} has no unit, so that nothing in it has a score"
        elif unit.empty.mean > unit.net.estimate.value:
            yield (
                f"in the {name}, reading the clock takes longer than the operation that is the "
                "unit: its scores describe the clock; compare those free of overhead"
            )
        for remark in found.remarks:
            yield f"of the {name}: {remark}"
    if not rows:
        yield (
            "no indicator was measured at the same load in both: measure them again with the same "
            "--load"
        )
    for row in rows:
        counts = row.first.n, row.second.n
        if max(counts) > MANY_MORE * min(counts):
            yield (
                f"{row.trial.label}: {counts[0]:,} and {counts[1]:,} samples; the maximum of more "
                f"samples is longer, so that the ratio is of blocks of {row.length:,}"
            )


def _absent(first: RealtimeFigures, second: RealtimeFigures) -> Iterable[str]:
    """Why an indicator has no row."""
    for one, other, name in ((first, second, "second"), (second, first, "first")):
        for indicator in dict.fromkeys(run.trial.indicator for run in one.alone):
            if indicator in other.unavailable:
                yield f"{indicator} is not available in the {name}: {other.unavailable[indicator]}"
            elif indicator not in {run.trial.indicator for run in other.alone}:
                yield f"{indicator} was not measured in the {name}"
