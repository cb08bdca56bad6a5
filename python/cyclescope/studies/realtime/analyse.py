"""Scores, distributions and determinism from real-time results (Huang et al., III.D and IV)."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from cyclescope.results.confession import Confession
from cyclescope.stats.distribution import distribution
from cyclescope.stats.maximum import maximum
from cyclescope.stats.net import NetVerdict, net
from cyclescope.stats.pauta import pauta_of_each
from cyclescope.stats.summary import Values, summarise
from cyclescope.stats.trend import Trend, trend
from cyclescope.studies.realtime.findings import (
    Begun,
    Cause,
    Curve,
    Facility,
    RealtimeFigures,
    Score,
    TrialFigures,
    TruthCheck,
    UnitFigures,
)
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, ScoreUnit
from cyclescope.studies.realtime.results import BatchRecord, RealtimeResults, TrialRun, UnitTimes
from cyclescope.studies.realtime.target import MaskedWindow
from cyclescope.target.findings import Unverified


def analyse(results: RealtimeResults) -> RealtimeFigures:
    """Computes everything from the folder's samples alone."""
    manifest = results.manifest
    units = tuple(_unit(one) for one in results.units)
    runs = tuple(_run(run, units) for run in results.runs if run.samples.num_rows)
    return RealtimeFigures(
        tool=manifest.tool,
        conditions=manifest.conditions,
        capacity=manifest.capacity,
        units=units,
        runs=runs,
        curves=tuple(_curves(runs)),
        unavailable=manifest.unavailable,
        refused=manifest.refused,
        missing=tuple(manifest.missing()),
        remarks=manifest.remarks,
        cyclictest=manifest.cyclictest,
        unverified=tuple(_unverified(results)),
        unmodelled=tuple(_unmodelled(results)),
        problems=tuple(_problems(results, runs)),
    )


def _unit(times: UnitTimes) -> UnitFigures:
    raw, empty = summarise(times.raw), summarise(times.empty)
    return UnitFigures(times.record.unit, times.record.arithmetic, raw, empty, net(raw, empty))


def _run(run: TrialRun, units: Sequence[UnitFigures]) -> TrialFigures:
    cycles, record, groups = run.cycles, run.record, run.replicates
    kept, out = ~run.rejected, pauta_of_each(cycles, groups)
    if not kept.any():
        kept = run.rejected
    times = distribution(cycles)
    ticks = pc.sum(run.samples["tick_hit"]).as_py()
    return TrialFigures(
        trial=run.trial,
        times=times,
        requested_load_percent=record.requested_load_percent,
        measured_load_percent=record.measured_load_percent,
        true_load_percent=record.true_load_percent,
        score=_score(cycles, groups, units),
        kept=_score(cycles[kept], groups[kept], units),
        filtered=_score(cycles[~out], groups[~out], units),
        rejected=record.rejected,
        median_score=_usual(run) / _mean(units, ScoreUnit.DOUBLE),
        begun=tuple(_begun(run)),
        causes=tuple(_causes(run)),
        batches=len(record.batches),
        duration_s=record.duration_s,
        load=tuple(_load(record.batches)),
        masked=_masked(record.batches),
        ticks=None if ticks is None else int(ticks),
        lost=sum(one.lost for one in record.batches),
        truth=_truth(run),
        worst=record.worst,
        note=_note(run),
    )


def _mean(units: Sequence[UnitFigures], wanted: ScoreUnit) -> float:
    return next((one.raw.mean for one in units if one.unit is wanted), math.nan)


def _score(cycles: Values, groups: NDArray[np.int32], units: Sequence[UnitFigures]) -> Score:
    """Of at least one sample; `groups` are their replicates."""
    longest = maximum(cycles)
    double = next((one for one in units if one.unit is ScoreUnit.DOUBLE), None)
    if double is None:
        return Score(longest, (), *[math.nan] * 7)
    mean = double.raw.mean
    known = double.net.verdict is NetVerdict.MEASURED
    free = (longest.value - double.empty.mean) / double.net.estimate.value if known else math.nan
    scores = np.array([cycles[groups == one].max() for one in np.unique(groups)]) / mean
    between = summarise(scores).estimate
    of_unit = between.value * double.raw.estimate.half_width / mean
    return Score(
        maximum=longest,
        replicates=tuple(float(one) for one in scores),
        value=between.value,
        half_width=math.hypot(between.half_width, of_unit),
        greatest=longest.value / mean,
        unit_half_width=of_unit,
        rerun_at_least=longest.rerun_at_least / mean,
        net=free,
        integer=longest.value / _mean(units, ScoreUnit.INTEGER),
    )


def _usual(run: TrialRun) -> float:
    """The median of what the paper's thread began: with the others, it may be of either kind."""
    cycles = run.cycles if run.by_line.all() else run.cycles[~run.by_line]
    return float(np.median(cycles))


def _begun(run: TrialRun) -> Iterable[Begun]:
    """By who began them, where an interrupt began some; what a rule rejects is left out."""
    by_line = run.by_line
    for which in (False, True):
        ours = (by_line == which) & ~run.rejected
        if by_line.any() and ours.any():
            yield Begun(which, summarise(run.cycles[ours]))


def _causes(run: TrialRun) -> Iterable[Cause]:
    """The longest first; nothing where the target has no truth."""
    if run.samples["cause"].null_count:
        return []
    names = np.asarray(run.samples["cause"].to_pylist())
    found = []
    for name in np.unique(names):
        ours = names == name
        cycles = run.cycles[ours]
        rejected = int(run.rejected[ours].sum())
        longest = float(cycles.max())
        found.append(Cause(str(name), cycles.size, float(np.median(cycles)), longest, rejected))
    return sorted(found, key=lambda one: one.maximum, reverse=True)


def _load(batches: Iterable[BatchRecord]) -> Iterable[Facility]:
    calls: Counter[tuple[str, str]] = Counter()
    for batch in batches:
        for one in batch.load:
            calls[one.facility, one.holds] += one.calls
    return (Facility(name, count, holds) for (name, holds), count in calls.items())


def _masked(batches: Iterable[BatchRecord]) -> MaskedWindow | None:
    seen = [one.masked for one in batches if one.masked is not None]
    return max(seen, key=lambda one: one.longest_cycles, default=None)


def _truth(run: TrialRun) -> TruthCheck | None:
    true = run.samples["truth_cycles"]
    if true.null_count:
        return None
    apart = run.cycles - np.asarray(true.to_numpy(), dtype=np.float64)
    return TruthCheck(apart.size, int((apart == 0).sum()), float(apart.min()), float(apart.max()))


def _note(run: TrialRun) -> str | None:
    """Why a run is shorter than it was asked to be."""
    record = run.record
    if record.shortfall and (record.asked_samples is not None):
        return f"{record.samples:,} of {record.asked_samples:,} samples: {record.shortfall}"
    if not record.whole:
        asked = (
            f"{record.asked_samples:,} samples" if record.asked_samples else f"{record.asked_s} s"
        )
        return f"stopped before {asked}: {record.samples:,} samples in {record.duration_s:g} s"
    return None


def _curves(runs: Sequence[TrialFigures]) -> Iterable[Curve]:
    """The runs without extra tasks begin every curve of their indicator and load."""

    def group(one: TrialFigures) -> tuple[int, int]:
        return list(Indicator).index(one.trial.indicator), one.trial.load_percent

    for _, members in groupby(sorted(runs, key=group), key=group):
        together = list(members)
        for placement in BackgroundState:
            points = [one for one in together if one.trial.placement in (None, placement)]
            points.sort(key=lambda one: one.trial.extra_tasks)
            if any(one.trial.placement for one in points):
                yield _curve(placement, points)


def _curve(placement: BackgroundState, points: Sequence[TrialFigures]) -> Curve:
    first = points[0].trial
    bare = Curve(first.indicator, first.load_percent, placement, tuple(points), None, None)
    return replace(
        bare,
        trend=_trend(points, lambda one: one.papers.value),
        median_trend=_trend(points, lambda one: one.median_score),
    )


def _trend(points: Sequence[TrialFigures], score: Callable[[TrialFigures], float]) -> Trend | None:
    x = np.array([one.trial.extra_tasks for one in points], dtype=np.float64)
    return trend(x, np.array([score(one) for one in points]))


def _unverified(results: RealtimeResults) -> Iterable[Confession]:
    texts = results.manifest.unverified
    for rule in sorted({rule for run in results.runs for rule in run.record.unverified}):
        names = [run.trial.name for run in results.runs if rule in run.record.unverified]
        yield Confession(rule, Unverified(rule=rule, text=texts[rule]).sentence, tuple(names))


def _unmodelled(results: RealtimeResults) -> Iterable[Confession]:
    touched: dict[str, list[str]] = {}
    for run in results.runs:
        for one in run.record.unmodelled:
            touched.setdefault(one.sentence, []).append(run.trial.name)
    return (Confession(text, text, tuple(dict.fromkeys(names))) for text, names in touched.items())


def _problems(results: RealtimeResults, runs: Sequence[TrialFigures]) -> Iterable[str]:
    """Figures that must not be used, and those that are not there."""
    for empty in (run for run in results.runs if not run.samples.num_rows):
        why = empty.record.shortfall or "the run was stopped before its first sample"
        yield f"{empty.trial.label}: no samples; {why}"
    for one in results.manifest.refused:
        yield f"{one.trial.label}: {one.sentence}"
    if results.runs and ScoreUnit.DOUBLE not in {one.record.unit for one in results.units}:
        yield "there is no unit: the calibration was interrupted, so that nothing has a score"
