"""Campaign: many runs, made wherever an executor makes them and kept as soon as each is done.

Only this process writes the folder. Each run starts from reset, so the folder's bytes do not depend
on who made which run, or when.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

from cyclescope import interruption
from cyclescope.campaign import technique
from cyclescope.campaign.executors import InProcess
from cyclescope.campaign.technique import Technique
from cyclescope.campaign.work import Done, Made, Planned, SweepWork, Work, make, make_sweep
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.progress import Progress, unreported
from cyclescope.results import Failed, Manifest, Results, Sweep, storage
from cyclescope.results.folder_lock import locked
from cyclescope.target.case import SERIES_LENGTHS, Case, Patterns, matching, taken
from cyclescope.target.conditions import Conditions
from cyclescope.target.target import Capability, Opener, Target

AHEAD = 4
"""So many runs for each process are with the executor: it has some while one is put on disk."""

TOGETHER = 16
"""So many cases of other layouts are put on disk at a time."""


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


class Linked(Protocol):
    """A target, or one that is not open yet."""

    def conditions(self) -> Conditions: ...
    def opener(self) -> Opener: ...


def collect(
    layouts: Sequence[Linked],
    using: Technique,
    plan: Plan,
    folder: Path,
    progress: Progress = unreported,
    executor: Executor | None = None,
    jobs: int = 1,
) -> Results:
    """Makes every planned run on every layout and puts each on disk as soon as it is done.

    The first layout is a target, and comes first: what its samples show decides how long the series
    of the others are. A case that fails is noted, and the others are measured.
    At most `AHEAD` runs for each of `jobs` are with the executor. Of one job each is kept at once.
    """
    target = layouts[0]
    assert isinstance(target, Target)
    technique.require(using, target)
    catalogue = [case.at(plan.at) for case in target.cases()]
    chosen = matching(catalogue, plan.pattern)
    for x in plan.at:
        if not any(case.takes(x) for case in chosen):
            raise CyclescopeError(
                f"no case takes x = {x}; they take {taken(chosen)}", code="no-case-takes-x"
            )
    with locked(folder):
        return _collect(layouts, using, plan, folder, (catalogue, chosen), progress, executor, jobs)


def _collect(
    layouts: Sequence[Linked],
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
        [one.conditions() for one in layouts],
        using.name,
        catalogue,
        [case.name for case in chosen],
        plan.layout_seed,
        plan.replace,
    )
    try:
        kept = writer.finished() if plan.resume else set()
        swept = writer.swept() if plan.resume else set()
        openers = {one.conditions().layout_number: one.opener() for one in layouts}
        sweeps = _sweeps(layouts[0], using, chosen)
        everywhere = _of_folder(writer.manifest, chosen)
        first, *others = openers
        total = len(sweeps) + sum(len(case.values(first)) for case in chosen)
        total += sum(len(case.values(number)) for number in others for case in everywhere)
        count = sum(one.case.name in swept for one in sweeps)

        def carry_out(runs: Sequence[Work], sweeps: Sequence[SweepWork], together: int) -> None:
            nonlocal count
            count += sum(len(work.todo) for work in runs if work.keys <= kept)
            progress(count, total, "")
            todo: list[Work | SweepWork] = [*sweeps]
            todo += (work for work in runs if not work.keys <= kept)
            ahead = AHEAD * jobs if jobs > 1 else 1
            made_so_far = _made(executor or InProcess(), todo, ahead)
            for done in _together(made_so_far, together):
                _keep(writer, [one for _, ends in done for one in ends])
                count += sum(len(work.todo) if isinstance(work, Work) else 1 for work, _ in done)
                progress(count, total, done[-1][0].label)

        unswept = [one for one in sweeps if one.case.name not in swept]
        carry_out(_first(openers, using, chosen, plan.lengths, writer), unswept, together=1)
        # The other layouts take little time, and saving takes as long as for the first.
        carry_out(_others(openers, using, everywhere, plan.lengths, writer), [], TOGETHER)
        writer.finish()
    except KeyboardInterrupt:
        raise Interrupted(_kept("interrupted", folder)) from None
    except BrokenExecutor:
        raise CyclescopeError(
            _kept("a process that measured was killed", folder), code="measuring-process-killed"
        ) from None
    except CyclescopeError as error:
        raise CyclescopeError(_kept(error.sentence, folder), code=error.code) from error
    return storage.load(folder)


def _first(
    openers: Mapping[int, Opener],
    using: Technique,
    cases: Iterable[Case],
    lengths: tuple[int, ...],
    writer: storage.Writer,
) -> list[Work]:
    """The runs of the first layout, each work of its own."""
    number, opener = next(iter(openers.items()))
    fingerprints = writer.fingerprints()
    return [
        Work({number: opener}, fingerprints, using.name, case, (Planned(number, value, lengths),))
        for case in cases
        for value in case.values(number)
    ]


def _of_folder(manifest: Manifest, cases: Iterable[Case]) -> list[Case]:
    """The cases with every x that the folder has of them: of these the ends and the middle are
    measured in other layouts."""
    known = {case.name: case for case in manifest.cases}
    return [known[case.name] for case in cases]


def _sweeps(target: Linked, using: Technique, cases: Iterable[Case]) -> list[SweepWork]:
    """The sweeps of the cases that have an x, where the target repeats itself: in the plain link
    alone, of which the laws are."""
    assert isinstance(target, Target)
    if Capability.REPEATS not in target.capabilities:
        return []
    opener, number = target.opener(), target.conditions().layout_number
    return [SweepWork(opener, number, case, using.name) for case in cases if case.parameter]


def _keep(writer: storage.Writer, done: Sequence[Done]) -> None:
    """Puts on disk what was made."""
    packed = [one for one in done if isinstance(one, storage.Packed)]
    failed = [one for one in done if isinstance(one, Failed)]
    if packed or failed:
        writer.store(packed, failed)
    for one in done:
        if isinstance(one, Sweep):
            writer.add_sweep(one)


def _others(
    openers: Mapping[int, Opener],
    using: Technique,
    cases: Iterable[Case],
    lengths: tuple[int, ...],
    writer: storage.Writer,
) -> list[Work]:
    """The runs of all other layouts, a work for each case; what the first layout could not make
    is not tried there."""
    first, *others = openers
    manifest, fingerprints = writer.manifest, writer.fingerprints()
    # As the manifest has them, whatever order they came in: their file does too.
    elsewhere = {number: openers[number] for number in sorted(others)}
    made = {(one.case, one.parameter): one for one in manifest.runs if one.layout_number == first}
    unfit = {(one.case, one.parameter): one.lengths for one in manifest.refused}
    planned = []
    for case in cases:
        todo = []
        for number in elsewhere:
            for value in case.values(number):
                if record := made.get((case.name, value)):
                    own = set(lengths) - set(unfit.get((case.name, value), ()))
                    fitting = tuple(length for length in lengths if length in own)
                    todo.append(Planned(number, value, fitting, record.steady))
        if todo:
            planned.append(Work(elsewhere, fingerprints, using.name, case, tuple(todo)))
    return planned


def _made(executor: Executor, todo: Sequence[Work | SweepWork], ahead: int) -> Iterator[list[Made]]:
    """Yields the executor's results as soon as there are some, before any error."""
    waiting: dict[Future[list[Done]], Work | SweepWork] = {}
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


def _submit(executor: Executor, work: Work | SweepWork) -> Future[list[Done]]:
    if isinstance(work, SweepWork):
        return executor.submit(make_sweep, work)
    return executor.submit(make, work)


def _together(made: Iterable[list[Made]], least: int) -> Iterator[list[Made]]:
    """The same in larger parts; what is there comes before an error."""
    held: list[Made] = []
    try:
        for part in made:
            held += part
            if len(held) >= least:
                ready, held = held, []
                yield ready
    except BaseException:
        if held:
            yield held
        raise
    if held:
        yield held


def _kept(sentence: str, folder: Path) -> str:
    # The disk is asked: the work may have stopped between writing and knowing that it is written.
    manifest = storage.folded(folder)
    planned = len(manifest.planned_runs())
    done = planned - len(manifest.missing()) - len(manifest.failed)
    return f"{sentence}; {done} of {planned} runs are kept in {folder}, --resume makes the others"
