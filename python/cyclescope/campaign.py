"""Campaign: many runs, made wherever an executor makes them and kept as soon as each is done.

Work and what comes of it are pickled and share nothing; only this process writes the folder. Each
run starts from reset, so the folder's bytes do not depend on who made which run, or when.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from cyclescope import interruption, storage, technique
from cyclescope.case import SERIES_LENGTHS, Case, Patterns, matching, taken
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.executors import InProcess
from cyclescope.folder_lock import locked
from cyclescope.results import Failed, Key, Overhead, Results, Run, Sweep
from cyclescope.sweeping import sweep
from cyclescope.target import Capability, CaseFailed, Opener, Target
from cyclescope.technique import Technique

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Plan:
    """Which cases to time, how often in each series, and what becomes of results that are there.

    `at` are x that are timed besides the cases' own, by those that take them.
    `layout_seed` is what the layouts were drawn with.
    With `replace` they are discarded; with `resume` finished runs that are whole stay as they are.
    """

    pattern: Patterns = "*"
    lengths: tuple[int, ...] = SERIES_LENGTHS
    at: tuple[int, ...] = ()
    layout_seed: int | None = None
    replace: bool = False
    resume: bool = False


@dataclass(frozen=True)
class Work:
    """One run to make."""

    opener: Opener
    layout_offset_bytes: int
    technique: str
    case: Case
    parameter: int | None
    lengths: tuple[int, ...]

    @property
    def key(self) -> Key:
        return (self.layout_offset_bytes, self.case.name, self.parameter)

    @property
    def label(self) -> str:
        """What it measures, for people."""
        parameter = self.case.parameter
        if parameter is None:
            return self.case.name
        return f"{self.case.name}, {parameter.name} = {self.parameter} {parameter.unit}"


@dataclass(frozen=True)
class SweepWork:
    """One case to sweep."""

    opener: Opener
    layout_offset_bytes: int
    case: Case

    @property
    def label(self) -> str:
        """What it measures, for people."""
        return f"{self.case.name}, over its domain"


@dataclass(frozen=True)
class Done:
    """A run or sweep that was made, or a run that went wrong."""

    made: Run | Failed | Sweep
    overhead: Overhead | None = None


def make_sweep(work: SweepWork) -> Done:
    """Makes one sweep, on a target opened here."""
    try:
        return Done(sweep(opened(work.opener), work.case))
    except CaseFailed as error:
        return Done(
            Failed(
                layout_offset_bytes=work.layout_offset_bytes,
                case=work.case.name,
                parameter=None,
                reason=f"its sweep: {error.reason}",
            )
        )
    except CyclescopeError as error:
        raise CyclescopeError(error.sentence) from None


def make(work: Work) -> Done:
    """Makes one run, on a target opened here."""
    using = technique.find(work.technique)
    try:
        target = opened(work.opener)
        run = using.measure(target, work.case, work.parameter, work.lengths)
    except CaseFailed as error:
        return Done(_failed(work, error.reason))
    except CyclescopeError as error:
        # The sentence travels between processes; what else an error carries may not.
        raise CyclescopeError(error.sentence) from None
    return Done(run, Overhead.of(using.overhead(run)))


def _failed(work: Work, reason: str) -> Failed:
    offset_bytes, case, parameter = work.key
    return Failed(layout_offset_bytes=offset_bytes, case=case, parameter=parameter, reason=reason)


@lru_cache(maxsize=1)
def opened(opener: Opener) -> Target:
    """A target for this process; the last one stays open, as opening can take longer than a run."""
    return opener()


def collect(
    layouts: Sequence[Target],
    using: Technique,
    plan: Plan,
    folder: Path,
    progress: Progress = lambda done, total, what: None,
    executor: Executor | None = None,
    jobs: int = 1,
) -> Results:
    """Makes every planned run on every layout and puts each on disk as soon as it is done.

    A case that fails is noted, and the others are measured.
    At most twice `jobs` runs are with the executor at a time; without one they are made here.
    """
    for target in layouts:
        technique.require(using, target)
    catalogue = [case.at(plan.at) for case in layouts[0].cases()]
    chosen = matching(catalogue, plan.pattern)
    for x in plan.at:
        if not any(case.takes(x) for case in chosen):
            raise CyclescopeError(f"no case takes x = {x}; they take {taken(chosen)}")
    with locked(folder):
        return _collect(layouts, using, plan, folder, (catalogue, chosen), progress, executor, jobs)


def _collect(
    layouts: Sequence[Target],
    using: Technique,
    plan: Plan,
    folder: Path,
    cases: tuple[Sequence[Case], Sequence[Case]],
    progress: Progress,
    executor: Executor | None,
    jobs: int,
) -> Results:
    catalogue, chosen = cases
    writer = storage.Writer.begin(
        folder,
        [target.conditions() for target in layouts],
        using.name,
        catalogue,
        [case.name for case in chosen],
        plan.layout_seed,
        plan.replace,
    )
    try:
        planned = [
            work for target in layouts for work in _planned(target, using, chosen, plan.lengths)
        ]
        sweeps = _sweeps(layouts[0], chosen)
        kept = writer.finished() if plan.resume else set()
        swept = writer.swept() if plan.resume else set()
        todo: list[Work | SweepWork] = [one for one in sweeps if one.case.name not in swept]
        todo += [work for work in planned if work.key not in kept]
        total = len(sweeps) + len(planned)
        count = total - len(todo)
        progress(count, total, "")
        for done in _made(executor or InProcess(), todo, 2 * jobs if executor else 1):
            _keep(writer, [one for _, one in done])
            count += len(done)
            progress(count, total, done[-1][0].label)
    except KeyboardInterrupt:
        raise Interrupted(_kept("interrupted", folder)) from None
    except BrokenExecutor:
        raise CyclescopeError(_kept("a process that measured was killed", folder)) from None
    except CyclescopeError as error:
        raise CyclescopeError(_kept(error.sentence, folder)) from error
    return storage.load(folder)


def _planned(
    target: Target, using: Technique, cases: Iterable[Case], lengths: tuple[int, ...]
) -> list[Work]:
    opener, offset_bytes = target.opener(), target.conditions().layout_offset_bytes
    return [
        Work(opener, offset_bytes, using.name, case, value, lengths)
        for case in cases
        for value in case.values()
    ]


def _sweeps(target: Target, cases: Iterable[Case]) -> list[SweepWork]:
    """The sweeps of the cases that have an x, where the target repeats itself."""
    if Capability.REPEATS not in target.capabilities:
        return []
    opener, offset_bytes = target.opener(), target.conditions().layout_offset_bytes
    return [SweepWork(opener, offset_bytes, case) for case in cases if case.parameter]


def _keep(writer: storage.Writer, done: Sequence[Done]) -> None:
    """Puts on disk what was made."""
    runs = [(one.made, one.overhead) for one in done if not isinstance(one.made, Sweep)]
    if runs:
        writer.add(runs)
    for one in done:
        if isinstance(one.made, Sweep):
            writer.add_sweep(one.made)


def _made(
    executor: Executor, todo: Sequence[Work | SweepWork], ahead: int
) -> Iterator[list[tuple[Work | SweepWork, Done]]]:
    """What the executor has made since, as soon as there is some; it comes before an error."""
    waiting: dict[Future[Done], Work | SweepWork] = {}
    left = iter(todo)
    while True:
        interruption.check()
        for work in islice(left, ahead - len(waiting)):
            waiting[_submit(executor, work)] = work
        if not waiting:
            return
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        ended = [(future, waiting.pop(future)) for future in done]
        if sound := [(work, one.result()) for one, work in ended if not one.exception()]:
            yield sound
        if errors := [error for error in (one.exception() for one, _ in ended) if error]:
            raise errors[0]


def _submit(executor: Executor, work: Work | SweepWork) -> Future[Done]:
    if isinstance(work, SweepWork):
        return executor.submit(make_sweep, work)
    return executor.submit(make, work)


def _kept(sentence: str, folder: Path) -> str:
    # The disk is asked: the work may have stopped between writing and knowing that it is written.
    manifest = storage.read_manifest(folder)
    planned = len(manifest.planned_runs())
    done = planned - len(manifest.missing()) - len(manifest.failed)
    return f"{sentence}; {done} of {planned} runs are kept in {folder}, --resume makes the others"
