"""The ways to price a counted program: by blocks, from its source, and by the exact board."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.application import Application, BuiltApplication, build_application
from cyclescope.firmware.configuration import Configuration
from cyclescope.results import files
from cyclescope.sources.counts import SourceCounts
from cyclescope.studies.configurations import configurations
from cyclescope.studies.estimate.blocks.inlining import recursive
from cyclescope.studies.estimate.blocks.own import Recount, own_blocks
from cyclescope.studies.estimate.calls import laws as call_laws
from cyclescope.studies.estimate.calls.laws import Laws
from cyclescope.studies.estimate.calls.pricing import priced as priced_calls
from cyclescope.studies.estimate.calls.shipped import shipped
from cyclescope.studies.estimate.counting import CountedProgram
from cyclescope.studies.estimate.energies import energies
from cyclescope.studies.estimate.estimated import OwnPart, PricedCall, ProgramEstimate
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.source import prices as source_prices
from cyclescope.studies.estimate.source.estimate import estimate as source_estimate
from cyclescope.studies.estimate.source.optimised import optimised
from cyclescope.studies.estimate.training_errors import (
    TrainingErrors,
    training_errors,
    unseen_calls,
    unseen_paths,
)

NO_LAWS = Laws("none", {}, {})
BARE = "bare"
"""No kernel."""

if TYPE_CHECKING:
    from cyclescope.targets.virtual.application import TrueEnergy


@dataclass(frozen=True)
class PricedWay:
    """A program's cost on one configuration in one way.

    `estimate` is None for a run, whose figures are `true_cycles` and `true_calls_cycles`. `used`
    names laws and coefficients, `doubts` say what to doubt.
    """

    way: PricingWay
    label: str
    core_hz: int
    estimate: ProgramEstimate | None = None
    true_cycles: int = 0
    true_calls_cycles: int = 0
    true_energy: "TrueEnergy | None" = None
    used: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def cycles(self) -> float:
        return self.true_cycles if self.estimate is None else self.estimate.cycles

    @property
    def cycles_without_calls(self) -> float:
        if self.estimate is None:
            return self.true_cycles - self.true_calls_cycles
        return self.estimate.cycles_without_calls

    @property
    def share_of_calls(self) -> float:
        return 1 - self.cycles_without_calls / self.cycles if self.cycles else 0.0

    @property
    def lacks_laws(self) -> bool:
        """Whether no call has a price."""
        return laws_named(NO_LAWS) in self.used

    @property
    def energy_uj(self) -> float | None:
        """None where nothing metered it, or laws have none."""
        if self.estimate is not None:
            return self.estimate.energy_uj
        return self.true_energy.total_uj if self.true_energy is not None else None

    @property
    def energy_of_calls_uj(self) -> float | None:
        """None where the whole has none."""
        if self.estimate is not None:
            return self.estimate.energy_of_calls_uj
        return self.true_energy.calls_uj if self.true_energy is not None else None

    @property
    def milliseconds(self) -> float:
        return self.cycles / self.core_hz * 1000


@dataclass
class PricedPlace:
    """A configuration of a program, its image built when first needed."""

    application: Application
    configuration: Configuration
    label: str = ""
    laws: Sequence[Laws] = ()
    without_calls: bool = False
    energy: bool = False
    """Whether estimates have energy, and runs are metered."""
    contradicted: float = 0.0
    """Of the cycles by blocks, once they are priced, those whose counts the image contradicts."""
    _built: list[BuiltApplication] = field(default_factory=list)

    @property
    def built(self) -> BuiltApplication:
        if not self._built:
            self._built.append(build_application(self.application, self.configuration))
        return self._built[0]

    @property
    def core_hz(self) -> int:
        """Cycles a second: the clock that is set, else that of the oscillator."""
        clock = self.configuration.value("clock")
        board = self.configuration.board
        return int(clock) * 1_000_000 if clock is not None else boards.oscillator_hz(board)

    def by(self, way: PricingWay, program: CountedProgram, arguments: Sequence[str]) -> PricedWay:
        """The program's cost in one way; `arguments` come after its name."""
        if way is PricingWay.RUN:
            return self._run(program, arguments)
        blocks = way is PricingWay.BLOCKS
        found = self._blocks(program) if blocks else self._source(program, arguments)
        assert found.estimate is not None
        calls, laws, doubts = self.calls_of(program.counts)
        known = self._training_errors
        estimate = replace(found.estimate, calls=calls, calls_off=known.calls)
        priced = replace(
            found,
            estimate=estimate,
            used=(*found.used, *laws),
            doubts=(*found.doubts, *doubts, *unseen_calls(estimate, known)),
        )
        return self._with_energy(priced) if self.energy else priced

    @property
    def _training_errors(self) -> TrainingErrors:
        return training_errors(self.configuration, self.application.level)

    def _with_energy(self, priced: PricedWay) -> PricedWay:
        """The estimate with energy, or with the sentence that says why it has none."""
        assert priced.estimate is not None
        try:
            there = energies(self.configuration, self.application.level)
        except CyclescopeError as error:
            return replace(priced, doubts=(*priced.doubts, error.sentence))
        own, calls = priced.estimate.own, priced.estimate.calls
        return replace(
            priced,
            estimate=replace(priced.estimate, own=there.of_own(own), calls=there.of_calls(calls)),
            used=(*priced.used, there.used),
            doubts=(*priced.doubts, *there.doubts),
        )

    def calls_of(
        self, counts: SourceCounts
    ) -> tuple[tuple[PricedCall, ...], tuple[str, ...], tuple[str, ...]]:
        """The calls with their prices, the name of the laws, and what to doubt."""
        if self.without_calls:
            return (), (), ("calls are left out",)
        laws, doubts = self.laws_of_calls()
        return priced_calls(counts, laws, self.application.level), (laws_named(laws),), doubts

    def laws_of_calls(self) -> tuple[Laws, tuple[str, ...]]:
        """The laws of calls and what to doubt of them; those of the C library have no kernel."""
        laws, doubts = self._chosen(self.configuration)
        if self.configuration.kernel == BARE:
            return laws, doubts
        library, _ = self._chosen(replace(self.configuration, kernel=BARE, options=()))
        if library is laws or library is NO_LAWS:
            return laws, doubts
        return laws.with_library(library), doubts

    def own_cycles(self, counts: SourceCounts) -> Mapping[int, float]:
        """The cycles of the program's own code by region, over the whole run."""
        found: dict[int, float] = defaultdict(float)
        for part in self._own(counts)[0]:
            found[part.region] += part.cycles
        return found

    def _chosen(self, configuration: Configuration) -> tuple[Laws, tuple[str, ...]]:
        """The given laws of this configuration, else those that are shipped for it, else those of
        the given ones that come nearest."""
        wanted = _wanted(configuration)
        off = [(_differing(wanted, one.conditions), one) for one in self.laws]
        differing, nearest = min(off, key=lambda one: len(one[0]), default=([""], NO_LAWS))
        if not differing:
            return nearest, ()
        try:
            found = shipped(configuration)
        except CyclescopeError as error:
            if nearest is NO_LAWS:
                return NO_LAWS, (error.sentence,)
            return nearest, (f"the laws {nearest.name} were measured with {', '.join(differing)}",)
        if nearest is NO_LAWS:
            return found, ()
        return found, (f"no laws that were given are of {found.name}: those shipped are taken",)

    def _own(
        self, counts: SourceCounts, recount: Recount | None = None
    ) -> tuple[tuple[OwnPart, ...], list[str]]:
        """Own code by the blocks of the image, and what to doubt."""
        found = own_blocks(self.built, counts, self.laws_of_calls()[0], recount)
        self.contradicted = found.blocks.contradicted
        unfollowed = found.blocks.unfollowed
        doubts = [f"{place}: where control goes is not in the code" for place in unfollowed]
        doubts += [
            f"{times:,.0f} calls of the compiler's {name} have no law and cost nothing here"
            for name, times in found.unpriced.items()
        ]
        if not found.are_copies_counted:
            doubts += [
                f"{name} calls itself: copies that the compiler put into each other count as one"
                for name in sorted(recursive(counts))
            ]
        if found.of_one_side:
            file, line = found.of_one_side[0]
            doubts.append(
                f"{file}:{line}: this line and {len(found.of_one_side) - 1} others are compiled on "
                "this machine alone or for the target alone: what runs there was not counted"
            )
        if found.longer:
            doubts.append(
                "without optimisation the compiler pads code by its positions in the source: the "
                f"code that is priced is {abs(found.longer):.2%} "
                f"{'longer' if found.longer > 0 else 'shorter'}"
            )
        return found.parts, doubts

    def _blocks(self, program: CountedProgram) -> PricedWay:
        own, doubts = self._own(program.counts, program.recount)
        board = self.configuration.board
        used = (f"blocks of {self.built.image.elf.name}, priced by {board}'s board file",)
        known = self._training_errors
        bounds = known.own_bounds(self.contradicted)
        estimate = ProgramEstimate(PricingWay.BLOCKS.value, own, (), *bounds)
        doubts += unseen_paths(self.contradicted, known)
        return PricedWay(
            PricingWay.BLOCKS, self.label, self.core_hz, estimate, used=used, doubts=(*doubts,)
        )

    def _source(self, program: CountedProgram, arguments: Sequence[str]) -> PricedWay:
        name = source_prices.name_of(self.configuration, self.application.level)
        prices = source_prices.prices(name)
        command = (self.application.sources[0].stem, *arguments)
        kernel = self.configuration.kernel
        level = self.application.level
        if level not in program.trees:
            # Boards and instruction sets share it: only their prices differ.
            program.trees[level] = optimised(self.application, command, program.files, kernel)
        made = program.trees[level]
        found = source_estimate(made, program.counts, prices)
        low, high = found.bounds
        estimate = ProgramEstimate(PricingWay.SOURCE.value, found.own, (), low, high)
        doubts = [f"no training program had {work}: its price is a guess" for work in found.unseen]
        return PricedWay(
            PricingWay.SOURCE,
            self.label,
            self.core_hz,
            estimate,
            used=(f"coefficients of {name}, fitted to {len(prices.programs)} programs",),
            doubts=tuple(doubts),
        )

    def _run(self, program: CountedProgram, arguments: Sequence[str]) -> PricedWay:
        from cyclescope.targets.virtual.application import run_on_board

        name = self.application.sources[0].stem
        true = run_on_board(
            self.built, (name, *arguments), program.files, profile=True, energy=self.energy
        )
        assert true.by_owner is not None
        doubts = []
        if true.status != program.run.status:
            doubts.append(
                f"the program ends with {true.status} on the board, with {program.run.status} "
                "on this machine: it does not do the same there"
            )
        elif true.console != program.run.output + program.run.errors:
            doubts.append("the program prints other text on the board than on this machine")
        return PricedWay(
            PricingWay.RUN,
            self.label,
            true.core_hz,
            true_cycles=true.cycles,
            true_calls_cycles=true.by_owner["calls"],
            true_energy=true.energy,
            used=("the exact board",),
            doubts=tuple(doubts),
        )


def _wanted(configuration: Configuration) -> dict[str, Any]:
    """The conditions that a configuration sets, as laws name them."""
    settings = {
        name: configuration.value(name) for name in boards.firmware_of(configuration.board).settings
    }
    return {
        "board": boards.name_of(configuration.board),
        "kernel": configuration.kernel,
        "kernel_options": dict(configuration.options),
        **{name: value for name, value in settings.items() if value is not None},
    }


def _differing(wanted: Mapping[str, Any], conditions: Mapping[str, Any]) -> list[str]:
    """The conditions that differ, with the laws' values; those that do not matter are left out."""
    there = {**conditions, **conditions.get("memory", {})}
    in_flash = there.get("code") in ("flash", "rom")
    return [
        f"{name} {_shown(there[name])}"
        for name, value in wanted.items()
        if name in there and there[name] != value and (in_flash or not name.startswith("mam"))
    ]


def _shown(value: Any) -> str:
    """The value of a condition; options by name, or that all are usual."""
    if not isinstance(value, Mapping):
        return str(value)
    return " ".join(f"{name}={one}" for name, one in value.items()) or "as usual"


def laws_named(laws: Laws) -> str:
    """The sentence that names the laws of calls."""
    return f"laws of calls: {laws.name}"


def laws_of(given: Path) -> tuple[Laws, ...]:
    """Laws of a file of such laws, of a folder of `characterize`, or of each configuration that a
    folder of `options` has."""
    if given.is_file():
        return (call_laws.read(given),)
    if not (given / files.MANIFEST).is_file() or not configurations.is_campaign(given):
        return (call_laws.measured(given),)
    folders = (given / one.name for one in configurations.load(given).configurations)
    return tuple(call_laws.measured(one) for one in folders if (one / files.MANIFEST).is_file())
