"""Work of a campaign for an executor: the runs of a case, or its sweep, and their outcome.

Work and what comes of it are pickled and share nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from cyclescope.campaign import technique
from cyclescope.campaign.sweeping import sweep
from cyclescope.campaign.technique import Taken
from cyclescope.errors import CyclescopeError
from cyclescope.results import Failed, Key, Overhead, Sweep
from cyclescope.results.storage import Packed, pack
from cyclescope.target.case import Case
from cyclescope.target.target import CaseFailed, Opener, Target

OPEN = 16
"""Targets that a process keeps open: the layouts of one image."""


class Planned(NamedTuple):
    """A run to make. `steady`: in the plain link all its calls were the same."""

    layout: int
    parameter: int | None
    lengths: tuple[int, ...]
    steady: bool = False


@dataclass(frozen=True)
class Work:
    """Runs of one case to make, which share a file: in the plain link one, in other layouts all
    that there are.

    `fingerprints` are what files of each layout carry.
    """

    openers: Mapping[int, Opener]
    fingerprints: Mapping[int, str]
    technique: str
    case: Case
    todo: tuple[Planned, ...]

    @property
    def keys(self) -> set[Key]:
        return {(one.layout, self.case.name, one.parameter) for one in self.todo}

    @property
    def label(self) -> str:
        """Names the measurement, for people."""
        layout, value, *_ = self.todo[0]
        if layout:
            return f"{self.case.name}, other layouts"
        parameter = self.case.parameter
        if parameter is None:
            return self.case.name
        return f"{self.case.name}, {parameter.name} = {value} {parameter.unit}"


@dataclass(frozen=True)
class SweepWork:
    """One case to sweep."""

    opener: Opener
    layout_number: int
    case: Case
    technique: str

    @property
    def label(self) -> str:
        """Names the measurement, for people."""
        return f"{self.case.name}, over its domain"


Done = Packed | Failed | Sweep
"""Runs of one file, a run that went wrong, or a sweep."""

Made = tuple[Work | SweepWork, list[Done]]
"""Work and its outcome."""


def make_sweep(work: SweepWork) -> list[Done]:
    """Makes one sweep, on a target opened here."""
    try:
        return [sweep(opened(work.opener), work.case, technique.find(work.technique))]
    except CaseFailed as error:
        reason = f"its sweep: {error.reason}"
        return [
            Failed(
                layout_number=work.layout_number,
                case=work.case.name,
                parameter=None,
                reason=reason,
            )
        ]
    except CyclescopeError as error:
        raise CyclescopeError(error.sentence, code=error.code) from None


def make(work: Work) -> list[Done]:
    """Makes its runs, on targets opened here, and packs them for the disk."""
    using = technique.find(work.technique)
    taken: list[Taken] = []
    failed: list[Done] = []
    for layout, parameter, lengths, steady in work.todo:
        try:
            target = opened(work.openers[layout])
            taken.append(using.take(target, work.case, parameter, lengths, steady))
        except CaseFailed as error:
            name = work.case.name
            failed.append(
                Failed(layout_number=layout, case=name, parameter=parameter, reason=error.reason)
            )
        except CyclescopeError as error:
            # The sentence travels between processes; what else an error carries may not.
            raise CyclescopeError(error.sentence, code=error.code) from None
    if not taken:
        return failed
    runs = using.runs(work.case, taken)
    packed = pack([(run, Overhead.of(using.overhead(run))) for run in runs], work.fingerprints)
    return [packed, *failed]


@lru_cache(maxsize=OPEN)
def opened(opener: Opener) -> Target:
    """A target for this process; the last ones stay open, as opening takes longer than a run."""
    return opener()
