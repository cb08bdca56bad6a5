"""Fragments on the host: a process of this machine that runs copies of the user's own code.

The firmware is built with the host's own compiler; its wire is the process's standard input and
output. The process is pinned to a CPU; what else the machine allowed stands in the conditions.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

from cyclescope import wire
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.build import Built
from cyclescope.firmware.fragment.iterations import FED
from cyclescope.firmware.fragment.plan import Plan
from cyclescope.firmware.fragment.source import (
    FIRST_PATIENCE_S,
    FragmentSource,
    case_name,
    point_name,
    until_executed,
)
from cyclescope.firmware.program import Program
from cyclescope.target.case import Case
from cyclescope.target.series import Series, kind_of
from cyclescope.target.target import Capability, DoesNotFit, Trace
from cyclescope.targets.host.process import Died
from cyclescope.targets.host.target import HostTarget, series_of
from cyclescope.targets.host.tracer import Tracer, samples_of

WARM_UP_ROUNDS = 5
"""Rounds before each series that are ignored. In them caches, branch predictors, page tables, and
the core's own clock settle (Moreno and Fischmeister, section 4)."""
REST = "30 ms between measurements after each 300 ms, then one that is not looked at"
"""boards/host/board.c says why."""


class HostFragments(HostTarget):
    """A fragment's plans on this machine."""

    def __init__(self, built: Built, source: FragmentSource) -> None:
        self._source = source
        self._plans: Mapping[str, Plan] = {case_name(name): plan for name, plan in source.plans}
        self._turns: dict[str, str] = {}
        super().__init__(built)

    @property
    def capabilities(self) -> frozenset[Capability]:  # type: ignore[override]
        counts = self._hello.timer == "cycle_counter"
        return frozenset([Capability.CYCLE_COUNTER] if counts else [])

    @property
    def tracer(self) -> "HostFragments":
        return self

    def reset(self) -> None:
        """A new process."""
        self._machine = self._start("the fragment", environment=self._turns) | {
            "warm_up": f"{WARM_UP_ROUNDS} rounds before each series",
            "rest": REST,
        }

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        options = wire.OPTIONS[kind_of(empty)]
        warm_up = min(length, WARM_UP_ROUNDS * len(self._plans[case.name]))
        self._run(case, warm_up, options)
        samples = self._run(case, length, options)
        return series_of(length, kind_of(empty), samples)

    def go_round(self, case: Case, turns: int) -> None:
        """A program learns it when it starts (firmware/include/turns.h)."""
        if self._turns.get(case.name, "1") != str(turns):
            self._turns[case.name] = str(turns)
            self.reset()

    def fed_argument(self) -> int | None:
        """Returns the number of the argument that takes the result, as the compiler found it; or
        None."""
        address = self._program.symbols.get(FED)
        return (self._program.read(address, 1)[0] or None) if address else None

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
        return series_of(length, "call", samples), tuple(
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
    ) -> list[wire.WireSample]:
        patience_s = min(self._source.patience_s, at_most_s)
        index = self._described[case.name].index
        try:
            return self._link.run(index, length, options=options, patience_s=patience_s)
        except wire.SeriesDoesNotFit as error:
            raise DoesNotFit(
                case.name, error.needed_bytes, error.available_bytes, "in shorter series"
            ) from error
        except wire.NoAnswer as error:
            self.reset()
            raise CyclescopeError(
                f"{case.name} has not come to an end in {patience_s:g} s: does the fragment "
                "return? If it does, ask for fewer rounds or executions",
                code="fragment-does-not-end-on-host",
            ) from error
        except (Died, wire.WireError, wire.RequestRefused, wire.TargetFault) as error:
            self.reset()
            raise CyclescopeError(f"{case.name}: {error}", code="host-fragment-failed") from error

    def remarks(self) -> Sequence[str]:
        return self._built.messages
