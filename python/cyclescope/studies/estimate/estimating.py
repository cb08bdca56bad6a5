"""An estimate from the command line to its figures: counted once, priced in all ways and places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclescope.cli.selection import reselect
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.application import Application
from cyclescope.progress import Progress
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_kernel import KernelPrices
from cyclescope.studies.estimate.calls import clock
from cyclescope.studies.estimate.calls.laws import Laws
from cyclescope.studies.estimate.counted_kernel import TICK_HZ, kernel_of
from cyclescope.studies.estimate.counting import CountedProgram, Inputs, count_program
from cyclescope.studies.estimate.energies import energies
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.ways import BARE, PricedPlace, PricedWay
from cyclescope.target.target import Selection

DEFAULT = (PricingWay.BLOCKS,)
AS_IT_IS = "as it is"
KERNEL_HEADER = "FreeRTOS.h"


@dataclass(frozen=True)
class AskedEstimate:
    """A program, where it is to be estimated, and how; `seconds` it may run on this machine."""

    application: Application
    inputs: Inputs
    replaced: Mapping[Path, Path]
    selection: Selection
    ways: tuple[PricingWay, ...]
    laws: tuple[Laws, ...] = ()
    without_calls: bool = False
    energy: bool = False
    what_if: Sequence[str] = ()
    seconds: float | None = None

    def places(self) -> list[PricedPlace]:
        """The configuration that was asked for, then each other one."""
        return [
            self._place(AS_IT_IS, {}),
            *(self._place(one, _changed(one)) for one in self.what_if),
        ]

    def _place(self, label: str, changed: Mapping[str, str]) -> PricedPlace:
        settings = {key: value for key, value in changed.items() if key != "level"}
        application = replace(self.application, level=changed.get("level", self.application.level))
        selection = reselect(self.selection, settings) if settings else self.selection
        return PricedPlace(
            application, selection, label, self.laws, self.without_calls, self.energy
        )


@dataclass(frozen=True)
class EstimatedProgram:
    """All figures of a program, those of the asked configuration first."""

    asked: AskedEstimate
    program: CountedProgram
    priced: tuple[PricedWay, ...]

    @property
    def here(self) -> list[PricedWay]:
        """The figures of the configuration that was asked for."""
        return [one for one in self.priced if one.label == AS_IT_IS]

    @property
    def shown(self) -> PricedWay | None:
        """The estimate that the tree and the lines show."""
        return next((one for one in self.here if one.estimate is not None), None)

    @property
    def doubts(self) -> list[str]:
        """What to doubt of all ways alike."""
        counts, run = self.program.counts, self.program.run
        found = list(counts.warnings)
        if run.status:
            text = run.errors.decode(errors="replace").strip().splitlines()
            said = f": {text[-1]}" if text else ""
            found.append(f"the program ended with status {run.status} on this machine{said}")
        found += [f"it opened {one}, which is not there" for one in self.program.missing]
        if counts.merged:
            found.append("there are too many chains of calls: some are counted together")
        return found


def estimate(asked: AskedEstimate, advance: Progress) -> EstimatedProgram:
    """Counts the program once on this machine and prices the counts."""
    places = asked.places()
    todo = len(places) * len(asked.ways)
    if asked.energy and asked.ways != (PricingWay.RUN,):
        # Before anything is counted: those of other settings are said to have none.
        energies(asked.selection, asked.application.level)
    advance(0, todo, "counting on this machine")
    program = counted(places[0], asked.inputs, asked.replaced, asked.seconds)
    found: list[PricedWay] = []
    for place in places:
        for way in asked.ways:
            advance(len(found), todo, f"{place.label}: {way.value}")
            found.append(place.by(way, program, asked.inputs.arguments))
    return EstimatedProgram(asked, program, tuple(found))


def counted(
    place: PricedPlace,
    inputs: Inputs,
    replaced: Mapping[Path, Path] | None = None,
    seconds: float | None = None,
) -> CountedProgram:
    """The counts of a program; with a kernel, those of a clock of that configuration."""
    given = place.application, inputs, replaced or {}, seconds
    if place.configuration.kernel == BARE:
        return _without_kernel(*given)
    kernel, laws = kernel_of(place.built), place.laws_of_calls()[0]
    runs: list[CountedProgram] = []

    def count(prices: KernelPrices) -> SourceCounts:
        runs.append(count_program(*given, kernel, prices))
        return runs[-1].counts

    clock.settled(count, place.own_cycles, laws, place.core_hz // TICK_HZ)
    return runs[-1]


def _without_kernel(
    application: Application,
    inputs: Inputs,
    replaced: Mapping[Path, Path],
    seconds: float | None,
) -> CountedProgram:
    try:
        return count_program(application, inputs, replaced, seconds)
    except CyclescopeError as error:
        if KERNEL_HEADER not in error.sentence:
            raise
        raise CyclescopeError(
            f"the program includes {KERNEL_HEADER}, but is to run without a kernel: add "
            "--kernel freertos",
            code="program-needs-kernel",
        ) from error


def ways(given: Sequence[PricingWay] | None) -> tuple[PricingWay, ...]:
    """The ways asked for, each once; without any, the usual ones."""
    return tuple(dict.fromkeys(given)) if given else DEFAULT


def _changed(text: str) -> dict[str, str]:
    pairs = [
        one.rpartition("=") if one.startswith("option:") else one.partition("=")
        for one in text.split()
    ]
    if not pairs or any(not name or not value for name, _, value in pairs):
        raise CyclescopeError(
            f"--what-if {text!r} is no list of settings: give KEY=VALUE, as in isa=thumb",
            code="what-if-unreadable",
        )
    return {name: value for name, _, value in pairs}
