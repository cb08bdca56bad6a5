"""A virtual board as a target: the image runs on the engine, asked over its own serial line."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards, build
from cyclescope.firmware.build import BuildFacts
from cyclescope.firmware.fragment import messages
from cyclescope.firmware.fragment.plan import Plan
from cyclescope.firmware.fragment.source import (
    FIRST_PATIENCE_S,
    PATIENCE_S,
    case_name,
    until_executed,
)
from cyclescope.firmware.probed_timer import ProbedTimer
from cyclescope.firmware.probes import Probes, Sites
from cyclescope.firmware.program import Program
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions, Layout
from cyclescope.target.findings import Findings, Unmodelled, Unverified
from cyclescope.target.footprint import footprint
from cyclescope.target.series import Kind, Series, kind_of
from cyclescope.target.target import (
    CallProfile,
    Capability,
    FragmentTruth,
    Opener,
    Relinked,
    Selection,
    Target,
    Trace,
    Truth,
    TurnedDown,
)
from cyclescope.targets.virtual import linux_program
from cyclescope.targets.virtual.board import Image, code_fetches, make_board, read_file
from cyclescope.targets.virtual.clocks import PIN_TIMER, Clock, Pin, Register
from cyclescope.targets.virtual.configuration import configuration
from cyclescope.targets.virtual.energy import energy_model, meter, take_call_energies, with_energy
from cyclescope.targets.virtual.fragments import Fragments
from cyclescope.targets.virtual.profile import look_inside, take_profiles
from cyclescope.targets.virtual.session import GREETING_S, Catalogue, Session
from cyclescope.targets.virtual.truth import watch, witness

EVERY_CALL_TICKED = (
    "a tick of the system fell into each of {count} calls: it ends with one, or takes longer"
)
"""Of a system whose tick nobody can slow down, so that no call stands alone."""


@dataclass(frozen=True)
class Loaded:
    """A board and its image, to be opened as a target; once asked, the catalogue is known."""

    board: str
    elf: bytes
    facts: BuildFacts = field(compare=False)
    layout: int = field(default=0, compare=False)
    plans: Mapping[str, Plan] = field(default_factory=dict, compare=False)
    patience_s: float = field(default=PATIENCE_S, compare=False)
    greeting_s: float = field(default=GREETING_S, compare=False)
    tick_is_fixed: bool = field(default=False, compare=False)
    analyser_hz: int | None = None
    remarks: tuple[str, ...] = field(default=(), compare=False)
    energy: bool = False
    catalogue: Catalogue | None = field(default=None, compare=False)

    def __call__(self) -> "VirtualBoard":
        return VirtualBoard(self)


class VirtualBoard(Target):
    """An image on a virtual board."""

    capabilities = frozenset(
        {
            Capability.CYCLE_COUNTER,
            Capability.EXACT_TRUTH,
            Capability.REPEATS,
        }
    )

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        # Each image has a board of its own, for a short time: to translate its code does not pay.
        self.board = make_board(loaded.board, "blocks")
        self.firmware = boards.firmware_of(loaded.board)
        image = Image.from_elf(loaded.elf)
        self.board.load(image)
        self._session = Session(
            self.board,
            image,
            self.firmware,
            loaded.plans,
            loaded.patience_s,
            loaded.catalogue,
            loaded.greeting_s,
        )

    @property
    def pairs(self) -> "VirtualBoard":
        return self

    @property
    def witness(self) -> "VirtualBoard":
        return self

    @property
    def fragment_witness(self) -> "VirtualBoard":
        return self

    @property
    def tracer(self) -> "VirtualBoard":
        return self

    @property
    def early_exit(self) -> "VirtualBoard":
        return self

    @property
    def relinker(self) -> "VirtualBoard":
        return self

    def conditions(self) -> Conditions:
        return self._conditions

    @cached_property
    def _conditions(self) -> Conditions:
        hello, described = self._session.hello, self.board.describe()
        return Conditions(
            target="virtual",
            real=bool(described["real"]),
            not_on_part=tuple(_not_on_part(described)),
            core_hz=hello.core_hz,
            timer=hello.timer,
            timer_hz=self._loaded.analyser_hz or hello.timer_hz,
            energy=energy_model(self.board, hello.core_hz) if self._loaded.energy else None,
            fetches=code_fetches(self.board, self._loaded.facts.code),
            layout_number=self._loaded.layout,
            footprint=footprint(self._loaded.elf),
            image_sha256=hashlib.sha256(self._loaded.elf).hexdigest(),
            **self._loaded.facts.conditions,
        )

    def cases(self) -> Sequence[Case]:
        return self._session.cases

    def reset(self) -> None:
        self._session.reset()

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        if case.name in self._loaded.plans:
            return self._fragments.run(case, length, empty).series
        found = self._probes.of(case.name)
        sites = found.empty if empty else found.real
        return self._timed(case, parameter, length, kind_of(empty), sites)

    def run_pairs(self, case: Case, parameter: int | None, length: int) -> Series:
        return self._timed(case, parameter, length, "pair", self._probes.pair)

    def _timed(
        self, case: Case, parameter: int | None, length: int, kind: Kind, sites: Sites
    ) -> Series:
        energy = self._loaded.energy
        self.board.watch_interrupts(sites.start, sites.entry, sites.returned)
        if energy:
            meter(self.board, self._probes.timer.address)
        count = self._session.execute(case, parameter, length, kind)
        calls = self.board.take_interrupts_off()
        times = [call["cycles"] for call in calls]
        off = [call["longest_cycles"] for call in calls]
        if sites.entry == sites.returned:  # nothing is called there
            times = off = [0] * count
        readings = self.board.take_readings() if energy else []
        self.board.watch()
        series = _seen(Series(length, kind, self._session.fetch(count)), times, off)
        if kind == "call" and self._loaded.tick_is_fixed and series.samples.tick_hit.all():
            raise TurnedDown(case.name, EVERY_CALL_TICKED.format(count=count))
        return with_energy(series, readings, self._probes.timer) if energy else series

    def try_out(self) -> None:
        """Executes the fragment once or a few times, which shows whether it returns."""
        case = self.cases()[0]
        length = until_executed(self._loaded.plans[case.name])
        self._session.run(case, None, length, "call", FIRST_PATIENCE_S)
        self.reset()

    def _watched(
        self,
        case: Case,
        parameter: int | None,
        length: int,
        kind: Kind,
        sites: Sites | None = None,
    ) -> Series:
        """A series beside what is recorded already; with the energy of each sample if asked for,
        and of calls with `sites`."""
        if not self._loaded.energy:
            return self._session.run(case, parameter, length, kind)
        meter(self.board, self._probes.timer.address, sites)
        series = self._session.run(case, parameter, length, kind)
        return with_energy(series, self.board.take_readings(), self._probes.timer)

    def witness_series(
        self, case: Case, parameter: int | None, length: int, empty: bool
    ) -> tuple[Series, tuple[Truth, ...]]:
        found = self._probes.of(case.name)
        sites = found.empty if empty else found.real
        return self._witnessed(case, parameter, length, kind_of(empty), sites)

    def witness_pairs(
        self, case: Case, parameter: int | None, length: int
    ) -> tuple[Series, tuple[Truth, ...]]:
        return self._witnessed(case, parameter, length, "pair", self._probes.pair)

    def _witnessed(
        self, case: Case, parameter: int | None, length: int, kind: Kind, sites: Sites
    ) -> tuple[Series, tuple[Truth, ...]]:
        watch(self.board, sites, self._probes.timer)
        series = self._watched(case, parameter, length, kind)
        truths = tuple(witness(self.board, sites, series.samples, self._probes.timer))
        self.board.watch()
        return series, truths

    def witness_fragment(self, case: Case, length: int) -> tuple[Series, tuple[FragmentTruth, ...]]:
        return self._fragments.witness(case, length)

    def trace_fragment(
        self, case: Case, length: int, addresses: Sequence[int]
    ) -> tuple[Series, tuple[Trace, ...]]:
        return self._fragments.trace(case, length, addresses)

    def trace_left(
        self, case: Case, length: int, addresses: Sequence[int], at: int
    ) -> tuple[Series, tuple[Trace, ...]]:
        kept = self._fragments.set_trap(at)
        self.reset()
        try:
            return self.trace_fragment(case, length, addresses)
        finally:
            self.board.load_bytes(at, kept)
            self.reset()

    @cached_property
    def _fragments(self) -> Fragments:
        if self._session.hello.timer == PIN_TIMER:
            signal = boards.require(self.firmware.pin, self.board.name, "pin")
            clock: Clock = Pin(signal, self.conditions().timer_hz)
        else:
            preserved = self._program.architecture.preserved
            clock = Register(ProbedTimer.of(self._program), preserved)
        return Fragments(
            self.board,
            self._program,
            self._loaded.plans,
            clock,
            lambda case, length, empty: self._session.run(case, None, length, kind_of(empty)),
        )

    def remarks(self) -> Sequence[str]:
        return self._loaded.remarks

    @cached_property
    def depends_on_layout(self) -> bool:
        return self.conditions().code_fetches.line_bytes is not None

    def symbols(self) -> Mapping[str, int]:
        return _addresses(self._loaded.elf)

    def relinked(self, selection: Selection, numbers: Sequence[int]) -> list[Relinked]:
        built = build.build_layouts(configuration(selection), numbers)
        under = self.conditions()
        return [
            Relinked(
                under.of(Layout(number=number, image_sha256=one.sha256)),
                replace(self._opener, elf=elf, layout=number),
                _addresses(elf),
            )
            for number, one in zip(numbers, built, strict=True)
            for elf in [read_file(one.elf)]
        ]

    def opener(self) -> Opener:
        return self._opener

    @cached_property
    def _opener(self) -> Loaded:
        return replace(self._loaded, catalogue=self._session.catalogue)

    def profile_series(
        self, case: Case, parameter: int | None, length: int
    ) -> tuple[Series, tuple[CallProfile, ...]]:
        sites = self._probes.of(case.name).real
        watch(self.board, sites, self._probes.timer)
        look_inside(self.board, sites)
        series = self._watched(case, parameter, length, "call", sites)
        truths = witness(self.board, sites, series.samples, self._probes.timer)
        profiles = take_profiles(self.board, truths)
        if self._loaded.energy:
            energies = take_call_energies(self.board)
            pairs = zip(profiles, energies, strict=True)
            profiles = [replace(profile, energy=energy) for profile, energy in pairs]
        self.board.watch()
        times = [profile.truth.call for profile in profiles]
        off = [profile.interrupts_off.longest_cycles for profile in profiles]
        return _seen(series, times, off), tuple(profiles)

    def program(self) -> Program:
        return self._program

    @cached_property
    def _program(self) -> Program:
        return Program(self._loaded.elf)

    @cached_property
    def _probes(self) -> Probes:
        return Probes(self._program)

    def findings(self) -> Findings:
        return Findings(
            unverified=tuple(
                _unverified(item["rule"], item["text"]) for item in self.board.unverified()
            ),
            unmodelled=tuple(
                Unmodelled(text=item["text"], address=item["address"], pc=item["pc"])
                for item in self.board.unmodelled()
            ),
        )


def _seen(series: Series, cycles: Sequence[int], longest_cycles: Sequence[int]) -> Series:
    """The series with what was seen of its calls from outside; of empty ones their times alone."""
    if not len(cycles) == len(longest_cycles) == len(series.samples):
        raise CyclescopeError(
            "a series has samples of calls that the board never made",
            code="samples-of-calls-never-made",
        )
    seen = replace(series.samples, exact_cycles=np.array(cycles, np.uint32))
    if not series.empty:
        seen = replace(seen, interrupts_off_cycles=np.array(longest_cycles, np.uint32))
    return replace(series, samples=seen)


@cache
def _unverified(rule: str, text: str) -> Unverified:
    return Unverified(rule=rule, text=text)


def _addresses(elf: bytes) -> dict[str, int]:
    return {name: address for name, (address, _) in Image.from_elf(elf).symbols.items()}


def _not_on_part(described: Mapping[str, Any]) -> list[str]:
    parts = [*described["memory"], *described.get("device", [])]
    return [part["name"] for part in parts if not part["real"]]


def open_virtual_board(selection: Selection) -> VirtualBoard:
    """Builds the image that is asked for and puts it on its board."""
    chosen = configuration(selection)
    built = build.build(chosen)
    under_linux = selection.kernel == linux_program.KERNEL
    elf = linux_program.system_image(chosen, built.elf) if under_linux else read_file(built.elf)
    loaded = Loaded(selection.board, elf, built.facts, selection.layout)
    if under_linux:
        loaded = replace(loaded, greeting_s=linux_program.START_S, tick_is_fixed=True)
    if source := selection.fragment:
        messages.require_no_constructors(
            built.elf.parents[bool(selection.layout)] / "fragment.o", source
        )
        plans = {case_name(name): plan for name, plan in source.plans}
        loaded = replace(loaded, plans=plans, patience_s=source.patience_s, remarks=built.messages)
    target = VirtualBoard(
        replace(loaded, analyser_hz=selection.analyser_hz, energy=selection.energy)
    )
    if loaded.plans:
        target.try_out()
    return target
