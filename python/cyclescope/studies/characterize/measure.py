"""One configuration measured into its folder: images, samples, and where the cycles go."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cyclescope.campaign import executors, technique
from cyclescope.campaign.campaign import Linked, Plan, collect
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.progress import Progress
from cyclescope.results import Results, storage
from cyclescope.results.folder_lock import locked
from cyclescope.studies.characterize.placement import Addresses, alike
from cyclescope.studies.explain.measure import Inside, explain_missing
from cyclescope.target.case import SERIES_LENGTHS, Patterns
from cyclescope.target.conditions import Conditions
from cyclescope.target.layouts import USUAL
from cyclescope.target.target import Capability, Relinked, Selection, Target, needed
from cyclescope.targets import open_target


@dataclass(frozen=True)
class MeasureOptions:
    """Measurements of a configuration, and the number of processes."""

    case: Patterns = "*"
    at: tuple[int, ...] = ()
    lengths: tuple[int, ...] = SERIES_LENGTHS
    layouts: int | None = None
    seed: int = 1
    energy: bool = False
    replace: bool = False
    resume: bool = False
    jobs: int | None = None
    explain: bool = True
    by_pair: bool = False

    @property
    def technique(self) -> str:
        """The technique: `direct` subtracts an empty call, `direct_pair` a start/stop pair."""
        return "direct_pair" if self.by_pair else "direct"

    def layouts_of(self, target: Target) -> int:
        """How many links are measured: as many as requested, else several where layouts differ."""
        relinker = target.relinker
        return self.layouts or (USUAL if relinker and relinker.depends_on_layout else 1)

    def plan(self, layouts: int) -> Plan:
        return Plan(
            self.case,
            self.lengths,
            self.at,
            layout_seed=self.seed if layouts > 1 else None,
            replace=self.replace,
            resume=self.resume,
        )


@dataclass(frozen=True)
class Measurement:
    """Returns the results, a sentence for each case that cannot be explained, and the executor
    of `jobs` processes."""

    results: Results
    notes: list[str]
    executor: Executor
    jobs: int


def measure(
    selection: Selection,
    options: MeasureOptions,
    folder: Callable[[Conditions], Path],
    advance: Progress,
) -> None:
    """Times the cases on every layout and explains them."""
    with measuring(selection, options, folder, advance):
        pass


@contextmanager
def measuring(
    selection: Selection,
    options: MeasureOptions,
    folder: Callable[[Conditions], Path],
    advance: Progress,
) -> Iterator[Measurement]:
    """The same, and lends what it measured with to who looks at the results."""
    with ExitStack() as stack:
        advance(0, 0, "building and loading the firmware")
        chosen = dataclasses.replace(selection, energy=options.energy, layout_seed=options.seed)
        target = stack.enter_context(open_target(chosen))
        require_energy(target, options.energy)
        relinked: list[Relinked] = []
        symbols: Mapping[str, int] = {}
        if (links := options.layouts_of(target)) > 1:
            advance(0, 0, "linking the layouts")
            relinker = needed(
                target.relinker,
                "the code of this target cannot be linked again at other places: leave --layouts "
                "out",
                code="target-has-no-layouts",
            )
            relinked = relinker.relinked(chosen, range(1, links))
            symbols = relinker.symbols()
        layouts: list[Linked] = [target, *relinked]
        home = folder(target.conditions())
        stack.enter_context(locked(home))
        count = _processes(target.conditions(), options.jobs)
        openers = [one.opener() for one in layouts]
        stack.enter_context(executors.garbage_seldom())
        executor = stack.enter_context(executors.local(count, openers))
        using = technique.find(options.technique)
        results = collect(layouts, using, options.plan(links), home, advance, executor, count)
        notes: list[str] = []
        if options.explain and Capability.EXACT_TRUTH in target.capabilities:
            advance(0, 0, "explaining where the cycles go")
            timed = [one for one in results.manifest.cases if results.of_case(one.name)]
            insides, notes = explain_missing(target, timed, home, executor, options.by_pair)
            places = [(0, symbols)] if relinked else []
            places += [(one.conditions().layout_number, one.symbols) for one in relinked]
            results = _with_insides(results, insides, places)
        try:
            yield Measurement(results, notes, executor, count)
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted while analysing; {_kept(home)}") from None
        except BrokenExecutor:
            raise CyclescopeError(
                f"a process that analysed was killed; {_kept(home)}",
                code="analysing-process-killed",
            ) from None


def _with_insides(
    results: Results,
    insides: Mapping[str, Inside],
    layouts: Sequence[tuple[int, Addresses]],
) -> Results:
    """The results, on disk too, with what a look inside the calls says of each explained case."""
    like, repeats_in = dict(results.manifest.like), dict(results.manifest.repeats_in)
    for name, inside in insides.items():
        if inside.functions:
            repeats_in[name] = inside.repeats_in
            if layouts:
                like[name] = alike(name, inside.functions, layouts)
    manifest = storage.annotate(results.folder, like, repeats_in)
    return dataclasses.replace(results, manifest=manifest)


def _kept(home: Path) -> str:
    return f"all runs are kept in {home}: report makes their page"


def _processes(conditions: Conditions, requested: int | None) -> int:
    """How many measure at a time; by default one for each core, if they do not disturb another."""
    if conditions.noisy and (requested or 1) > 1:
        raise CyclescopeError(
            "processes that measure on one machine at once would time each other: leave --jobs out",
            code="host-measures-in-one-process",
        )
    return requested or (1 if conditions.noisy else executors.cores())


def require_energy(target: Target, wanted: bool) -> None:
    """Refuses a target that was asked to meter energy and cannot."""
    if wanted and target.conditions().energy is None:
        raise CyclescopeError(
            "this target has no power meter: leave out --energy, or use a virtual board",
            code="target-has-no-power-meter",
        )
