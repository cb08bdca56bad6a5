"""A virtual board as a target: the image runs on the engine and talks over its own serial line."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from cyclescope import boards, firmware, wire
from cyclescope.case import Case, Parameter
from cyclescope.conditions import Conditions
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import BuildFacts, Configuration
from cyclescope.fragment import Plan
from cyclescope.fragment_source import FIRST_PATIENCE_S, PATIENCE_S, case_name, until_executed
from cyclescope.probes import Probes, Sites, read_probes
from cyclescope.program import Program
from cyclescope.target import (
    CallProfile,
    Capability,
    DoesNotFit,
    Findings,
    FragmentTruth,
    Opener,
    RawSample,
    Selection,
    Series,
    Target,
    Trace,
    Truth,
    Unmodelled,
    Unverified,
)
from cyclescope.virtual import Board, Image, make_board, read_file
from cyclescope.virtual.clocks import PIN_TIMER, Clock, Pin, Register
from cyclescope.virtual.energy import energy_model, meter, take_call_energies, with_energy
from cyclescope.virtual.fragments import Fragments
from cyclescope.virtual.profile import look_inside, take_profiles
from cyclescope.virtual.truth import watch, witness

FULL_MAM = 2
GREETING_S = 0.1
"""Longest wait for the zero that the firmware sends when it begins to listen."""
ROOMY = "on lpc2148-lab with --code lab"


class UartTransport:
    """The host's end of UART0; time-outs are in the board's own time."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def write(self, data: bytes) -> None:
        """Sends all of `data`, at the line's own rate."""
        self._board.send("uart0.rxd", data)

    def read(self, timeout_s: float) -> bytes:
        """Runs the board until it sends a byte or `timeout_s` has passed on it."""
        until = self._board.cycle + round(timeout_s * self._board.core_hz)
        stop = self._board.run(cycles=until, stop_on_bytes="uart0.txd")
        if stop["reason"] not in ("bytes", "cycles"):
            raise CyclescopeError(stop["sentence"])
        return bytes(value & 0xFF for _, value in self._board.receive("uart0.txd"))


Catalogue = tuple[wire.Hello, tuple[wire.CaseDescription, ...]]


@dataclass(frozen=True)
class Loaded:
    """A board and its image, to be opened as a target; once asked, the catalogue is known."""

    board: str
    elf: bytes
    facts: BuildFacts = field(compare=False)
    plans: Mapping[str, Plan] = field(default_factory=dict, compare=False)
    patience_s: float = field(default=PATIENCE_S, compare=False)
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
            Capability.TRACE,
            Capability.EARLY_EXIT,
        }
    )

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self.board = make_board(loaded.board)
        self.board.load(Image.from_elf(loaded.elf))
        self.reset()
        catalogue = loaded.catalogue or (self._link.hello(), tuple(self._link.cases()))
        self._hello, described = self._catalogue = catalogue
        self._described = {case.name: case for case in described}

    def conditions(self) -> Conditions:
        facts, described = self._loaded.facts, self.board.describe()
        compiler, _, compiler_version = facts.compiler.partition(" ")
        return Conditions(
            target="virtual",
            board=facts.board,
            real=bool(described["real"]),
            not_on_part=tuple(_not_on_part(described)),
            core_hz=self._hello.core_hz,
            pclk_hz=facts.pclk_hz,
            timer=self._hello.timer,
            timer_hz=self._loaded.analyser_hz or self._hello.timer_hz,
            memory=facts.memory,
            code=facts.code,
            isa=facts.isa,
            layout_offset_bytes=facts.layout_offset_bytes,
            compiler=compiler,
            compiler_version=compiler_version,
            flags=(*facts.compile_flags, *facts.defines, *facts.link_flags),
            c_library=facts.c_library,
            kernel=facts.kernel,
            kernel_version=facts.kernel_version,
            kernel_configuration=facts.kernel_configuration,
            kernel_options=facts.kernel_options,
            fragment=facts.fragment,
            energy=energy_model(self.board, self._hello.core_hz) if self._loaded.energy else None,
            image_sha256=hashlib.sha256(self._loaded.elf).hexdigest(),
        )

    def cases(self) -> Sequence[Case]:
        return [_case(described) for described in self._described.values()]

    def reset(self) -> None:
        self.board.reset()
        line = UartTransport(self.board)
        line.read(GREETING_S)
        self._link = wire.Link(line)

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        if case.name in self._loaded.plans:
            return self._fragments.run(case, length, empty).series
        if empty:
            series = self._metered(case, parameter, length, empty)
            self.board.watch()
            return series
        sites = self._probes.cases[case.name].real
        self.board.watch_interrupts(sites.start, sites.entry, sites.returned)
        series = self._metered(case, parameter, length, empty)
        seen = self.board.take_interrupts_off()
        self.board.watch()
        return _with_interrupts_off(series, [call["longest_cycles"] for call in seen])

    def _metered(
        self,
        case: Case,
        parameter: int | None,
        length: int,
        empty: bool,
        sites: Sites | None = None,
    ) -> Series:
        """`_run`; with the energy of each sample if asked for, and of calls with `sites`."""
        if not self._loaded.energy:
            return self._run(case, parameter, length, empty)
        meter(self.board, self._probes.timer, sites)
        return with_energy(self.board, self._run(case, parameter, length, empty))

    def try_out(self) -> None:
        """Executes the fragment once or a few times, which shows whether it returns."""
        case = self.cases()[0]
        length = until_executed(self._loaded.plans[case.name])
        self._run(case, None, length, False, FIRST_PATIENCE_S)
        self.reset()

    def _run(
        self,
        case: Case,
        parameter: int | None,
        length: int,
        empty: bool,
        at_most_s: float = math.inf,
    ) -> Series:
        options = wire.Option.EMPTY if empty else wire.NO_OPTIONS
        index = self._described[case.name].index
        patience_s = min(self._loaded.patience_s, at_most_s)
        try:
            samples = self._link.run(
                index, length, parameter or 0, options=options, patience_s=patience_s
            )
        except wire.DoesNotFit as error:
            raise DoesNotFit(case.name, error.needed_bytes, error.available_bytes, ROOMY) from error
        except wire.NoAnswer as error:
            if case.name not in self._loaded.plans:
                raise CyclescopeError(f"{case.name}: {error}") from error
            raise CyclescopeError(
                f"{case.name} has not come to an end in {patience_s:g} s of the board's time: does "
                "the fragment return? If it does, ask for fewer rounds or executions"
            ) from error
        except (wire.WireError, wire.Refused, wire.TargetFault) as error:
            raise CyclescopeError(f"{case.name}: {error}") from error
        raw = (RawSample(s.start, s.stop, bool(s.flags & wire.TICK)) for s in samples)
        return Series(length, empty, tuple(raw))

    def witness_series(
        self, case: Case, parameter: int | None, length: int, empty: bool
    ) -> tuple[Series, tuple[Truth, ...]]:
        found = self._probes.cases[case.name]
        sites = found.empty if empty else found.real
        watch(self.board, sites, self._probes.timer)
        series = self._metered(case, parameter, length, empty)
        truths = tuple(witness(self.board, sites, series.samples))
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
        if self._hello.timer == PIN_TIMER:
            clock: Clock = Pin(self.conditions().timer_hz)
        else:
            clock = Register(self._program.symbols["probe.timer"])
        return Fragments(
            self.board,
            self._program,
            self._loaded.plans,
            clock,
            lambda case, length, empty: self._run(case, None, length, empty),
        )

    def remarks(self) -> Sequence[str]:
        return self._loaded.remarks

    def opener(self) -> Opener:
        return replace(self._loaded, catalogue=self._catalogue)

    def profile_series(
        self, case: Case, parameter: int | None, length: int
    ) -> tuple[Series, tuple[CallProfile, ...]]:
        sites = self._probes.cases[case.name].real
        watch(self.board, sites, self._probes.timer)
        look_inside(self.board, sites)
        series = self._metered(case, parameter, length, False, sites)
        truths = witness(self.board, sites, series.samples)
        profiles = take_profiles(self.board, truths)
        if self._loaded.energy:
            energies = take_call_energies(self.board)
            pairs = zip(profiles, energies, strict=True)
            profiles = [replace(profile, energy=energy) for profile, energy in pairs]
        self.board.watch()
        off = [profile.interrupts_off.longest_cycles for profile in profiles]
        return _with_interrupts_off(series, off), tuple(profiles)

    def program(self) -> Program:
        return self._program

    @cached_property
    def _program(self) -> Program:
        return Program(self._loaded.elf)

    @cached_property
    def _probes(self) -> Probes:
        return read_probes(self._program)

    def findings(self) -> Findings:
        return Findings(
            unverified=tuple(
                Unverified(rule=item["rule"], text=item["text"]) for item in self.board.unverified()
            ),
            unmodelled=tuple(
                Unmodelled(text=item["text"], address=item["address"], pc=item["pc"])
                for item in self.board.unmodelled()
            ),
        )


def _with_interrupts_off(series: Series, longest_cycles: Sequence[int]) -> Series:
    samples = (
        sample._replace(interrupts_off_cycles=longest)
        for sample, longest in zip(series.samples, longest_cycles, strict=True)
    )
    return Series(series.length, series.empty, tuple(samples))


def _not_on_part(described: Mapping[str, Any]) -> list[str]:
    parts = [*described["memory"], *described.get("device", [])]
    return [part["name"] for part in parts if not part["real"]]


def _case(described: wire.CaseDescription) -> Case:
    parameter = None
    if described.values:
        parameter = Parameter(
            name=described.parameter, unit=described.unit, values=described.values
        )
    return Case(
        name=described.name,
        call=described.call,
        callee=described.callee,
        condition=described.condition,
        library=described.library,
        function_class=described.function_class,
        parameter=parameter,
        load=bool(described.flags & wire.CaseFlag.LENGTH_IS_LOAD),
        switches=bool(described.flags & wire.CaseFlag.MOVES),
    )


def _require_memory(board: Board, code: str) -> None:
    there = [memory["name"] for memory in board.describe()["memory"]]
    if code not in there:
        raise CyclescopeError(
            f"{board.name} has no memory for --code {code}: choose one of {', '.join(there)}, or "
            f"a board that has it ({', '.join(_boards_with(code)) or 'none comes with Cyclescope'})"
        )


def _require_sense(selection: Selection) -> None:
    if selection.fragment and selection.kernel != "bare":
        raise CyclescopeError("a fragment is timed without a kernel: choose --kernel bare")
    if selection.analyser_hz is not None and selection.timer != PIN_TIMER:
        raise CyclescopeError("a logic analyser watches a pin: choose --timer pin as well")


def _boards_with(memory: str) -> list[str]:
    return [
        name
        for name in boards.names()
        if memory in (one["name"] for one in make_board(name).describe()["memory"])
    ]


def open_target(selection: Selection) -> VirtualBoard:
    """Builds the image that is asked for and puts it on its board."""
    board = make_board(selection.board)
    _require_memory(board, selection.code)
    _require_sense(selection)
    configuration = Configuration(
        board=selection.board,
        kernel=selection.kernel,
        code=selection.code,
        isa=selection.isa,
        mam=FULL_MAM if selection.mam is None else selection.mam,
        mamtim=selection.mamtim,
        clock_mhz=selection.clock_mhz,
        vpbdiv=selection.vpbdiv,
        timer=selection.timer,
        cases=selection.cases,
        library=selection.library,
        offset_bytes=selection.offset_bytes,
        fragment=selection.fragment,
        workload=selection.workload,
        tick_hz=selection.tick_hz,
        optimise=selection.optimise,
        options=selection.options,
    )
    built = firmware.build(configuration)
    loaded = Loaded(selection.board, read_file(built.elf), built.facts)
    if source := selection.fragment:
        plans = {case_name(name): plan for name, plan in source.plans}
        loaded = replace(loaded, plans=plans, patience_s=source.patience_s, remarks=built.messages)
    target = VirtualBoard(
        replace(loaded, analyser_hz=selection.analyser_hz, energy=selection.energy)
    )
    if loaded.plans:
        target.try_out()
    return target
