"""Real-time figures of Linux's own threads (`--kernel posix`): a process of this machine.

No interrupt response: a program has no ISR. A refusal of the machine is a remark, and its maxima
are demonstrations wherever something else may take the processor.
"""

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import build
from cyclescope.firmware.build import Built
from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.realtime.cyclictest import CyclictestProcess
from cyclescope.studies.realtime.indicators import LoadKind
from cyclescope.studies.realtime.link import RealtimeLink
from cyclescope.studies.realtime.wired import WORKLOAD, WiredRealtime
from cyclescope.target.conditions import Conditions
from cyclescope.target.target import Selection
from cyclescope.targets.host import machine
from cyclescope.targets.host.conditions import BOARD, conditions_of, require_settings
from cyclescope.targets.host.process import START_S, Process

KERNEL = "posix"
TIMER = "clock_gettime"
TEST_PRIORITY = 18
"""SCHED_FIFO priority of the test threads: RANK_TEST above LEAST_PRIORITY of port.c."""
THROTTLE = Path("/proc/sys/kernel/sched_rt_runtime_us")
THROTTLE_PERIOD = Path("/proc/sys/kernel/sched_rt_period_us")


class HostRealtime(WiredRealtime):
    """The workload's process, pinned to a CPU."""

    remedy = "or free some memory"
    no_loads = MappingProxyType(
        {LoadKind.INTERRUPTS: "a program has no interrupt service routine of its own here"}
    )
    load_tolerance_points = 5.0

    def __init__(self, built: Built) -> None:
        self._built = built
        self._process = Process(built.elf, "the program that measures")
        # Nothing is lost in a pipe, so nothing is asked twice.
        super().__init__(RealtimeLink(self._process, timeout_s=START_S, patience_s=START_S))
        self._machine = machine.prepare(self._process.pid)
        if not self._remarks:
            self._machine["scheduler"] = f"SCHED_FIFO, test threads {TEST_PRIORITY}"

    def conditions(self) -> Conditions:
        return conditions_of(self._built, self._hello, self._machine)

    def remarks(self) -> Sequence[str]:
        return [*self._remarks, *_remarks(self._machine)]

    @property
    def process_id(self) -> int:
        """Of the program that measures."""
        return self._process.pid

    def companion(self) -> CyclictestProcess:
        _, _, place = self._machine["pinned_to"].partition("CPU ")
        cpu = int(place.split()[0]) if place else None
        return CyclictestProcess(cpu, None if self._remarks else TEST_PRIORITY)

    def close(self) -> None:
        self._process.close()


def _remarks(found: dict[str, str]) -> list[str]:
    """Returns remarks that make figures of this machine worth less."""
    remarks = []
    if found["virtual_machine"] == "yes":
        remarks.append(
            "this is a virtual machine: its host takes the processor away unseen, so maxima are "
            "demonstrations"
        )
    if found["isolated"] == "no":
        remarks.append(f"{found['pinned_to']} is not isolated: other work runs there too")
    if found["memory_locked"] != "yes":
        remarks.append("memory could not be locked: page faults may fall into samples")
    if (share := throttle()) is not None:
        remarks.append(
            f"the system leaves real-time threads {share:.0%} of each period "
            "(sched_rt_runtime_us): a load near that makes gaps of its own"
        )
    return remarks


def throttle() -> float | None:
    """The share of the processor that real-time threads may have; None: all of it."""
    try:
        runtime, period = (int(file.read_text()) for file in (THROTTLE, THROTTLE_PERIOD))
    except (OSError, ValueError):
        return None
    return runtime / period if 0 <= runtime < period else None


def open_target(selection: Selection) -> HostRealtime:
    """Builds the program and starts it."""
    if selection.kernel != KERNEL:
        raise CyclescopeError(
            f"the host runs Linux's own threads, not {selection.kernel}: use --kernel {KERNEL}",
            code="host-runs-linux-threads",
        )
    require_settings(selection)
    configuration = Configuration(
        board=BOARD,
        kernel=KERNEL,
        settings={"timer": TIMER},
        workload=WORKLOAD,
    )
    return HostRealtime(build.build(configuration))
