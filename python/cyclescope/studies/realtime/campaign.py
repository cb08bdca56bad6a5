"""Campaign of real-time figures: batch after batch, each run on disk as soon as it ends.

A run has replicates, each with fresh seeds and as long as the others. A replicate is bounded by a
number of samples, by time on the target's own clock, or by whichever comes first. A run whose load
is not what was asked for is refused. If anything stops the work, finished measurements stay.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cyclescope import interruption
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.progress import Progress, unreported
from cyclescope.results.folder_lock import locked
from cyclescope.results.whole_files import ResultsError
from cyclescope.studies.realtime import storage
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, LoadKind, ScoreUnit
from cyclescope.studies.realtime.results import RealtimeResults, Trial
from cyclescope.studies.realtime.tables import Measured
from cyclescope.studies.realtime.target import Batch, RealtimeTarget

REPLICATES = 8
"""Of each run, by default: Student's interval on seven degrees of freedom."""
CURVE_POINTS = 9
"""Numbers of tasks at which a curve is measured, none included."""
BELOW_THE_LOAD = (Indicator.SWITCHING, Indicator.PREEMPTION)
"""Where samples begin at a priority that threads of the load outrank."""
BATCH_MS = 5_000
"""How long a batch may take before the load counts as starving the test."""


@dataclass(frozen=True)
class Bounds:
    """How long each replicate of a run is; at least one of the two is not None."""

    samples: int | None = None
    seconds: float | None = None

    def reached(self, samples: int, seconds: float) -> bool:
        """Whether so much is enough."""
        return (self.samples is not None and samples >= self.samples) or (
            self.seconds is not None and seconds >= self.seconds
        )


@dataclass(frozen=True)
class RealtimePlan:
    """Extent of a campaign, its bounds, and the treatment of existing results."""

    trials: tuple[Trial, ...]
    bounds: Bounds
    seed: int = 1
    replicates: int = 1
    replace: bool = False
    resume: bool = False


def alike(
    indicators: Sequence[Indicator],
    load_percent: int,
    tasks: int | None,
    placement: BackgroundState,
    kind: LoadKind = LoadKind.CALLS,
) -> list[Trial]:
    """Each indicator at the same load among the same number of tasks."""
    return [
        Trial(
            indicator=indicator,
            load_percent=load_percent,
            load_kind=kind if load_percent else LoadKind.CALLS,
            extra_tasks=tasks or 0,
            placement=placement if tasks else None,
        )
        for indicator in indicators
    ]


def outrank_the_load(indicator: Indicator, placement: BackgroundState | None) -> bool:
    """Whether extra tasks that are always ready outrank the threads of the load."""
    return placement is BackgroundState.READY_EQUAL and indicator not in BELOW_THE_LOAD


def curves(
    target: RealtimeTarget, indicators: Sequence[Indicator], load_percent: int, most: int | None
) -> list[Trial]:
    """The trials of Figure 9: each indicator over the number of tasks, placed in three ways.

    At most CURVE_POINTS numbers as evenly as whole numbers allow, up to `most` or what fits. Where
    tasks that are always ready outrank the load, it cannot be had among them: that curve is of
    load 0.
    """
    found: list[Trial] = []
    for indicator in indicators:
        for placement in BackgroundState:
            load = 0 if outrank_the_load(indicator, placement) else load_percent
            alone = Trial(indicator=indicator, load_percent=load)
            found.append(alone)
            last = most
            if last is None:
                crowd = alone.model_copy(update={"placement": placement})
                last = target.most_tasks(crowd.settings(1, BATCH_MS))
            numbers = np.unique(np.linspace(0, last, CURVE_POINTS).round().astype(int))
            found += [
                alone.model_copy(update={"placement": placement, "extra_tasks": int(number)})
                for number in numbers
                if number
            ]
    return list(dict.fromkeys(found))


def available(target: RealtimeTarget, wanted: Sequence[Indicator]) -> list[Indicator]:
    """Those that the target has; all of them if none is named. One named and not there is refused.

    Missing indicators stay in the results with their reason.
    """
    missing = target.unavailable()
    for indicator in wanted:
        if indicator in missing:
            raise CyclescopeError(
                f"{indicator} is not available: {missing[indicator]}",
                code="indicator-not-available",
            )
    return list(wanted) or [one for one in Indicator if one not in missing]


def collect(
    target: RealtimeTarget,
    plan: RealtimePlan,
    folder: Path,
    progress: Progress = unreported,
) -> RealtimeResults:
    """Calibrates, makes every planned run, and keeps each as soon as it ends."""
    with locked(folder):
        return _collect(target, plan, folder, progress)


def _collect(
    target: RealtimeTarget, plan: RealtimePlan, folder: Path, progress: Progress
) -> RealtimeResults:
    writer = storage.RealtimeWriter.begin(
        folder,
        target.conditions(),
        target.capacity,
        plan.trials,
        target.remarks(),
        target.unavailable(),
        plan.replace,
    )
    try:
        for unit in ScoreUnit:
            if not writer.has_unit(unit):
                progress(0, len(plan.trials), f"calibrating, {unit}")
                writer.calibrate(target.calibrate(unit))
        for done, trial in enumerate(plan.trials):
            interruption.check()
            progress(done, len(plan.trials), trial.label)
            asked = plan.replicates, plan.bounds.samples, plan.bounds.seconds
            if plan.resume and writer.finished(trial, *asked):
                continue
            with _accompanied(target, trial, writer):
                _measure(target, trial, plan, writer, progress)
        writer.finish()
    except KeyboardInterrupt:
        raise Interrupted(_kept("interrupted", writer)) from None
    except CyclescopeError as error:
        raise CyclescopeError(_kept(error.sentence, writer), code=error.code) from error
    return storage.load(folder)


@contextmanager
def _accompanied(
    target: RealtimeTarget, trial: Trial, writer: storage.RealtimeWriter
) -> Iterator[None]:
    """Wake-up latency is measured beside the tool that is known for it, where there is one."""
    companion = target.companion() if trial.indicator is Indicator.WAKE_UP else None
    if companion is None:
        yield
        return
    companion.start()
    try:
        yield
    finally:
        writer.keep_cyclictest(trial, companion.stop())


def _measure(
    target: RealtimeTarget,
    trial: Trial,
    plan: RealtimePlan,
    writer: storage.RealtimeWriter,
    progress: Progress,
) -> None:
    """One run. It ends early at a batch that did not fill, unless time alone bounds it."""
    measured: list[Measured] = []
    try:
        for batch in _batches(target, trial, plan):
            measured.append(batch)
            count = sum(len(one.samples) for _, one in measured)
            place = plan.trials.index(trial)
            progress(place, len(plan.trials), f"{trial.label}: {count:,} samples")
            if why := off_the_load(target, trial, [one for _, one in measured]):
                measured.clear()
                writer.refuse(trial, why)
                return
    except CyclescopeError as error:
        if not measured:
            writer.refuse(trial, error.sentence)
            return
        raise
    finally:
        if measured:
            with interruption.unbroken():
                asked = plan.replicates, plan.bounds.samples, plan.bounds.seconds
                writer.add(trial, measured, *asked)


def _batches(target: RealtimeTarget, trial: Trial, plan: RealtimePlan) -> Iterator[Measured]:
    """Batch after batch of each replicate."""
    for replicate in range(plan.replicates):
        batches: list[Batch] = []
        while not _enough(batches, plan.bounds):
            batch = _next(target, trial, plan, replicate, batches)
            batches.append(batch)
            yield replicate, batch
            if not len(batch.samples) or (batch.shortfall and plan.bounds.samples is not None):
                return


def off_the_load(target: RealtimeTarget, trial: Trial, batches: Sequence[Batch]) -> str | None:
    """Why what was measured is not under the load that was asked for, if it is not.

    Without load nothing is added that could be wrong: what the kernel's tick takes is measured.
    """
    if not trial.load_percent:
        return None
    window_s = sum(one.duration_s for one in batches)
    if not any(len(one.samples) for one in batches) or not window_s:
        return None
    shares = [[one.measured_load_percent for one in batches]]
    truths = [one.true_load_percent for one in batches if one.true_load_percent is not None]
    if len(truths) == len(batches):
        shares.append(truths)
    means = [storage.mean_load(one, batches) for one in shares]
    found = max(means, key=lambda one: abs(one - trial.load_percent))
    allowed = target.load_tolerance_points + 100 * target.load_period_s / window_s
    if abs(found - trial.load_percent) <= allowed:
        return None
    cause = (
        "the threads of the test, and what outranks the load, left it no more"
        if found < trial.load_percent
        else "waking and switching its threads takes more than that"
    )
    return (
        f"a load of {trial.load_percent} % cannot be had here: {found:.1f} % was measured, for "
        f"{cause}; ask for about {found:.0f} %"
    )


def _enough(batches: Sequence[Batch], bounds: Bounds) -> bool:
    samples = sum(len(one.samples) for one in batches)
    return bounds.reached(samples, sum(one.duration_s for one in batches))


def _next(
    target: RealtimeTarget,
    trial: Trial,
    plan: RealtimePlan,
    replicate: int,
    batches: Sequence[Batch],
) -> Batch:
    """A batch as large as the buffer, or as what is left to ask for."""
    left, limit_ms = target.capacity, BATCH_MS
    if plan.bounds.samples is not None:
        left = min(left, plan.bounds.samples - sum(len(one.samples) for one in batches))
    if plan.bounds.seconds is not None:
        rest_s = plan.bounds.seconds - sum(one.duration_s for one in batches)
        limit_ms = max(1, min(limit_ms, round(rest_s * 1000)))
    seed = _seed(plan.seed, replicate, len(batches))
    return target.measure(trial.settings(seed, limit_ms), left)


def _seed(base: int, replicate: int, batch: int) -> int:
    """A seed of its own for each batch: those of neighbouring bases have nothing in common."""
    return int(np.random.SeedSequence((base, replicate, batch)).generate_state(1)[0])


def _kept(sentence: str, writer: storage.RealtimeWriter) -> str:
    with suppress(ResultsError):  # where the disk refuses, the journal stays
        writer.finish()
    planned = len(writer.manifest.planned)
    done = sum(one.whole for one in writer.manifest.runs) + len(writer.manifest.refused)
    return (
        f"{sentence}; {done} of {planned} runs are finished, and what was measured is kept in "
        f"{writer.folder}: --resume makes the others"
    )
