"""POSIX's calls on the host: a process of this machine runs the cases of firmware/kernels/posix.

A case that the machine refuses or that fails is reported; the others are
measured.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from cyclescope import wire
from cyclescope.firmware.build import Built
from cyclescope.target.case import Case
from cyclescope.target.series import Kind, Series, kind_of
from cyclescope.target.target import Capability, CaseFailed, DoesNotFit, TurnedDown
from cyclescope.targets.host import machine
from cyclescope.targets.host.process import Died
from cyclescope.targets.host.target import HostTarget, series_of

KERNEL = "posix"
WARM_UP_CALLS = 10
"""Calls before each series that are not looked at, for what a system does the first time only."""
PATIENCE_S = 20.0
"""Longest wait for a series; one takes milliseconds."""


class HostCases(HostTarget):
    """The cases of an image on this machine. Both timers resolve less than a call: the counter in
    its own cycles, `clock_gettime` in nanoseconds."""

    capabilities = frozenset({Capability.CYCLE_COUNTER})

    def __init__(self, built: Built) -> None:
        self._files = machine.folder_for_files()
        super().__init__(built)

    @property
    def pairs(self) -> "HostCases":
        return self

    def reset(self) -> None:
        """A new process."""
        begun = self._start("the program that measures", self._files)
        self._machine = begun | {
            "files": machine.file_system(self._files),
            "clock_source": machine.clock_source(),
            "message_queues": machine.message_queues(),
            "warm_up": f"{WARM_UP_CALLS} calls before each series",
        }

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        return self._timed(case, parameter, length, kind_of(empty))

    def run_pairs(self, case: Case, parameter: int | None, length: int) -> Series:
        return self._timed(case, parameter, length, "pair")

    def _timed(self, case: Case, parameter: int | None, length: int, kind: Kind) -> Series:
        index, x, options = self._described[case.name].index, parameter or 0, wire.OPTIONS[kind]
        with _of_case(case.name):
            for calls in (min(length, WARM_UP_CALLS), length):
                count = self._link.execute(index, calls, x, options=options, patience_s=PATIENCE_S)
            samples = self._link.drain(count)
        return series_of(length, kind, samples)


@contextmanager
def _of_case(case: str) -> Iterator[None]:
    """Converts any error of a case to a refusal of that case alone."""
    try:
        yield
    except wire.SeriesDoesNotFit as error:
        sizes = (error.needed_bytes, error.available_bytes)
        raise DoesNotFit(case, *sizes, "in shorter series") from error
    except wire.RequestRefused as error:
        if error.reason is not wire.Reason.SYSTEM:
            raise CaseFailed(case, error.sentence) from error
        raise TurnedDown(case, error.refused_call) from error
    except wire.NoAnswer as error:
        raise CaseFailed(case, f"a series has not come to an end in {PATIENCE_S:g} s") from error
    except (Died, wire.WireError, wire.TargetFault) as error:
        raise CaseFailed(case, error.sentence) from error
