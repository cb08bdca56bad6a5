"""The host as a target (`--board host`): fragments run in a process of this machine.

The firmware is built with the host's own compiler; its wire is the process's standard input and
output. The process is pinned to a CPU; what else the machine allowed is told by the conditions.
"""

import math
import os
import platform
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile

from cyclescope import firmware, machine, wire
from cyclescope.case import Case
from cyclescope.conditions import Conditions
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import Built, Configuration
from cyclescope.fragment import Plan
from cyclescope.fragment_source import (
    FIRST_PATIENCE_S,
    FragmentSource,
    case_name,
    point_name,
    until_executed,
)
from cyclescope.program import Program
from cyclescope.target import (
    Capability,
    DoesNotFit,
    Findings,
    RawSample,
    Selection,
    Series,
    Target,
    Trace,
)
from cyclescope.tracer import Tracer, samples_of

BOARD = "host"
TIMERS = ("cycle_counter", "clock_gettime")
START_S = 60.0
"""Longest wait for the process to come up; it calibrates its counter for 0.05 s."""
WARM_UP_ROUNDS = 10
"""Rounds before each series that are not looked at: caches, branch predictors, page tables, and the
core's own clock come to where they stay (Moreno and Fischmeister, section 4)."""
CORE_CLOCK = (
    "the core's own counter, measured against CLOCK_MONOTONIC_RAW over 50 ms and rounded to "
    "0.1 MHz; the clock that drives the core may be another and is not seen"
)

REST = "30 ms between measurements after each 300 ms, then one that is not looked at"
"""boards/host/board.c says why."""


class Died(CyclescopeError):
    """The process is gone."""


class Process:
    """The program, and the host's end of its wire."""

    def __init__(self, elf: Path, what: str = "the fragment") -> None:
        self._what = what
        self._errors = TemporaryFile()  # noqa: SIM115 (closed by close)
        self._process = subprocess.Popen(
            [elf],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
        )
        assert self._process.stdin and self._process.stdout
        self._to, self._from = self._process.stdin, self._process.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    def write(self, data: bytes) -> None:
        """Sends all of `data`."""
        try:
            self._to.write(data)
        except BrokenPipeError as error:
            raise Died(self._end()) from error

    def read(self, timeout_s: float) -> bytes:
        """Waits for a byte, at most `timeout_s`; empty: none came."""
        if not select.select([self._from], [], [], timeout_s)[0]:
            return b""
        if not (data := os.read(self._from.fileno(), 65536)):
            raise Died(self._end())
        return data

    def _end(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:]
        said = f"; its last words: {last[0]}" if last else ""
        if code >= 0:
            return f"{self._what} ended the program with exit code {code}{said}"
        name = signal.Signals(-code).name
        return f"{self._what} was stopped by {name} ({signal.strsignal(-code)}){said}"

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for file in (self._to, self._from, self._errors):
            file.close()


class Host(Target):
    """A fragment's plans on this machine."""

    def __init__(self, built: Built, source: FragmentSource) -> None:
        self._built, self._source = built, source
        self._plans: Mapping[str, Plan] = {case_name(name): plan for name, plan in source.plans}
        self._process: Process | None = None
        self.reset()
        self._described = {case.name: case for case in self._link.cases()}

    @property
    def capabilities(self) -> frozenset[Capability]:  # type: ignore[override]
        counts = self._hello.timer == "cycle_counter"
        return frozenset({Capability.TRACE, *([Capability.CYCLE_COUNTER] if counts else [])})

    def conditions(self) -> Conditions:
        return conditions_of(self._built, self._hello, self._machine)

    def cases(self) -> Sequence[Case]:
        return [
            Case(
                name=one.name,
                call=one.call,
                callee=one.callee,
                condition=one.condition,
                library=one.library,
                function_class=one.function_class,
            )
            for one in self._described.values()
        ]

    def reset(self) -> None:
        """A new process."""
        self.close()
        process = self._process = Process(self._built.elf)
        # Nothing is lost in a pipe, so nothing is asked twice.
        self._link = wire.Link(process, timeout_s=START_S, patience_s=START_S)
        self._hello = self._link.hello()
        self._machine = machine.prepare(process.pid) | {
            "core_clock": CORE_CLOCK,
            "warm_up": f"{WARM_UP_ROUNDS} rounds before each series",
            "rest": REST,
        }

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        options = wire.Option.EMPTY if empty else wire.NO_OPTIONS
        warm_up = min(length, WARM_UP_ROUNDS * len(self._plans[case.name]))
        self._run(case, warm_up, options)
        samples = self._run(case, length, options)
        raw = (RawSample(sample.start, sample.stop, False) for sample in samples)
        return Series(length, empty, tuple(raw))

    def program(self) -> Program:
        return self._program

    @cached_property
    def _program(self) -> Program:
        return Program(self._built.elf.read_bytes())

    def trace_fragment(
        self, case: Case, length: int, addresses: Sequence[int]
    ) -> tuple[Series, tuple[Trace, ...]]:
        """The same process under breakpoints: slow, so its times say nothing."""
        assert self._process
        names = [point_name(point) for point in self._plans[case.name]]
        probes = {
            end: {self._program.symbols[f"fragment.{name}.{end}"] for name in names}
            for end in ("start", "stop")
        }
        begin = self._program.symbols["board_rest"]  # called once for each sample
        wanted = set(addresses)
        tracer = Tracer(self._process.pid, {begin} | wanted | probes["start"] | probes["stop"])
        with tracer.watching():
            samples = self._run(case, length, wire.NO_OPTIONS)
        raw = tuple(RawSample(sample.start, sample.stop, False) for sample in samples)
        return Series(length, False, raw), tuple(
            tuple((number, address) for number, address in enumerate(events) if address in wanted)
            for events in samples_of(tracer.executed, begin, probes["start"], probes["stop"])
        )

    def try_out(self) -> None:
        """Executes the fragment once or a few times, which shows whether it returns."""
        case = self.cases()[0]
        length = until_executed(self._plans[case.name])
        self._run(case, length, wire.NO_OPTIONS, FIRST_PATIENCE_S)
        self.reset()

    def _run(
        self, case: Case, length: int, options: wire.Option, at_most_s: float = math.inf
    ) -> list[wire.Sample]:
        patience_s = min(self._source.patience_s, at_most_s)
        index = self._described[case.name].index
        try:
            return self._link.run(index, length, options=options, patience_s=patience_s)
        except wire.DoesNotFit as error:
            raise DoesNotFit(
                case.name, error.needed_bytes, error.available_bytes, "in shorter series"
            ) from error
        except wire.NoAnswer as error:
            self.reset()
            raise CyclescopeError(
                f"{case.name} has not come to an end in {patience_s:g} s: does the fragment "
                "return? If it does, ask for fewer rounds or executions"
            ) from error
        except (Died, wire.WireError, wire.Refused, wire.TargetFault) as error:
            self.reset()
            raise CyclescopeError(f"{case.name}: {error}") from error

    def findings(self) -> Findings:
        return Findings()

    def remarks(self) -> Sequence[str]:
        return self._built.messages

    def close(self) -> None:
        if self._process:
            self._process.close()
        self._process = None


def conditions_of(built: Built, hello: wire.Hello, found: Mapping[str, str]) -> Conditions:
    """The conditions of a program that answers on this machine, which was `found` so."""
    facts = built.facts
    compiler, _, compiler_version = facts.compiler.partition(" ")
    return Conditions(
        target=BOARD,
        board=BOARD,
        real=True,
        core_hz=hello.core_hz,
        timer=hello.timer,
        timer_hz=hello.timer_hz,
        memory={},
        code=facts.code,
        isa=facts.isa,
        compiler=compiler,
        compiler_version=compiler_version,
        flags=(*facts.compile_flags, *facts.defines, *facts.link_flags),
        c_library=facts.c_library,
        kernel=facts.kernel,
        kernel_version=facts.kernel_version,
        kernel_configuration=facts.kernel_configuration,
        fragment=facts.fragment,
        machine=dict(found),
        image_sha256=built.sha256,
    )


def open_target(selection: Selection) -> Host:
    """Builds the program that is asked for and starts it."""
    source = selection.fragment
    if source is None or selection.kernel != "bare":
        raise CyclescopeError(
            "on the host fragments are timed, without a kernel: use cyclescope time FILE"
        )
    if selection.mam is not None or selection.mamtim is not None or selection.offset_bytes:
        raise CyclescopeError("the host has no MAM and no layouts: leave those options out")
    configuration = Configuration(
        board=BOARD,
        kernel=selection.kernel,
        code="ram",
        isa=platform.machine(),
        timer=_timer(selection.timer),
        fragment=source,
    )
    target = Host(firmware.build(configuration), source)
    try:
        target.try_out()
    except CyclescopeError:
        target.close()
        raise
    return target


def _timer(asked: str) -> str:
    """The timer; `measurement`, which only virtual boards have, stands for the best there is."""
    constant = machine.constant_counter()
    timer = (TIMERS[0] if constant else TIMERS[1]) if asked == "measurement" else asked
    if timer not in TIMERS:
        raise CyclescopeError(f"the host has no timer {timer}: choose one of {', '.join(TIMERS)}")
    if timer == "cycle_counter" and not constant:
        raise CyclescopeError(
            "the cycle counter of this machine does not keep one rate: choose --timer clock_gettime"
        )
    return timer
