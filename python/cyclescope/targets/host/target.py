"""A target on this machine: a program of the firmware in a process of its own."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cyclescope import wire
from cyclescope.firmware.build import Built
from cyclescope.target import design
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Findings
from cyclescope.target.series import Kind, RawSample, RawSamples, Series
from cyclescope.target.target import Target
from cyclescope.targets.host import machine
from cyclescope.targets.host.conditions import CORE_CLOCK, conditions_of
from cyclescope.targets.host.process import Process, link_of


class HostTarget(Target):
    """A built program, running. `reset` of a subclass starts a new process."""

    _process: Process | None = None
    _machine: Mapping[str, str]
    _core_hz: int | None = None

    def __init__(self, built: Built) -> None:
        self._built = built
        self.reset()
        self._described = {case.name: case for case in self._link.cases()}

    def _start(
        self, what: str, folder: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """Starts the program anew; what the machine allowed it. The first one measures its counter,
        so that those after it agree."""
        self.close()
        known = {"BOARD_COUNTER_HZ": str(self._core_hz)} if self._core_hz else {}
        self._process = Process(self._built.elf, what, folder, known | dict(environment or {}))
        self._link = link_of(self._process)
        self._hello = self._link.hello()
        self._core_hz = self._hello.core_hz
        return machine.prepare(self._process.pid) | {"core_clock": CORE_CLOCK}

    def conditions(self) -> Conditions:
        return conditions_of(self._built, self._hello, self._machine)

    def cases(self) -> Sequence[Case]:
        return [_at_many(one.case) for one in self._described.values()]

    def findings(self) -> Findings:
        return Findings()

    def close(self) -> None:
        if self._process:
            self._process.close()
        self._process = None


def _at_many(case: Case) -> Case:
    """Where times scatter, whole series are timed at more x: a law has no other points."""
    if case.parameter is None:
        return case
    values = design.many(case.parameter.domain)
    parameter = case.parameter.model_copy(update={"values": values})
    return case.model_copy(update={"parameter": parameter})


def series_of(length: int, kind: Kind, samples: Iterable[wire.WireSample]) -> Series:
    """A series as the wire brought it; nothing here sees whether the tick hit a sample."""
    raw = (RawSample(sample.start, sample.stop, False) for sample in samples)
    return Series(length, kind, RawSamples.of(raw))
