"""Target: whatever runs the firmware and sends raw samples; what the wire offers, no more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeVar

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.configuration import Configuration
from cyclescope.resource import Closing

if TYPE_CHECKING:  # the program starts without them
    from cyclescope.firmware.program import Program
    from cyclescope.target.case import Case
    from cyclescope.target.conditions import Conditions
    from cyclescope.target.findings import Findings
    from cyclescope.target.series import Series


class Capability(StrEnum):
    """Properties of a target's samples; techniques ask for these. Other abilities are objects."""

    CYCLE_COUNTER = "cycle counter"
    EXACT_TRUTH = "exact truth"
    REPEATS = "the same times whenever asked"


@dataclass(frozen=True)
class Truth:
    """One sample in core cycles, as seen from outside (docs/reference/cases.md).

    `call` is from the callee's entry to the return address; `before` and `after` are what is left
    on either side of it, out to the timer's data cycles.
    """

    before: int
    call: int
    after: int

    @property
    def raw(self) -> int:
        """Distance between the two timer data cycles."""
        return self.before + self.call + self.after


@dataclass(frozen=True)
class FragmentTruth:
    """One sample of a plan in core cycles, as seen from outside.

    `total_cycles` is between the two probes, as the timer's own data cycles or the pin's edges have
    it. Then each copy in order, from the boundary before its call to the boundary behind its
    return; what they leave of the total is the measurement's own.
    """

    total_cycles: int
    executions: tuple[int, ...]
    initialisations: tuple[int, ...]


CyclesByKind = tuple[int, int, int, int, int]
"""Core cycles by kind, in sum all: of instructions, fetch stalls, data waits, bus waits, asleep.
docs/reference/results.md, explain/*.json, says what each is."""

Executed = tuple[int, CyclesByKind]
"""How often an instruction executed and what it spent."""


@dataclass(frozen=True)
class InterruptsOff:
    """The longest interval of a call without interrupts.

    See docs/reference/results.md, explain/*.json.
    """

    longest_cycles: int
    begin: int
    end: int
    entered_off: bool
    returned_off: bool


@dataclass(frozen=True)
class CallEnergy:
    """Energy of one call in femtojoules, from entry to return. In all by part and, the same again,
    by address of the instruction. Also the energy by the law C·V² per cycle."""

    parts: Mapping[str, int]
    capacitive_fj: int
    instructions: Mapping[int, int]


@dataclass(frozen=True)
class CallProfile:
    """One call from entry to return: its interrupts, its energy and, made where they are asked for,
    its instructions by address, in order."""

    truth: Truth
    instructions: Callable[[], Mapping[int, Executed]]
    interrupts_off: InterruptsOff
    energy: CallEnergy | None = None


class DoesNotFit(CyclescopeError):
    """A case needs more memory than the board has; `where` says what would hold it."""

    def __init__(self, case: str, needs_bytes: int, has_bytes: int, where: str) -> None:
        super().__init__(
            f"{case} needs {needs_bytes} bytes and has {has_bytes}: it would fit {where}"
        )
        self.needs_bytes = needs_bytes
        self.has_bytes = has_bytes
        self.where = where


class TurnedDown(CyclescopeError):
    """A case that the target's system does not let happen, and why; the others are not touched."""

    def __init__(self, case: str, reason: str) -> None:
        super().__init__(f"{case} was refused: {reason}")
        self.reason = reason


class CaseFailed(CyclescopeError):
    """A case that went wrong on the target, and how; the others are not touched."""

    def __init__(self, case: str, reason: str) -> None:
        super().__init__(f"{case}: {reason}")
        self.reason = reason


@dataclass(frozen=True)
class Selection(Configuration):
    """A user's choice of a target: the image, and how it is measured.

    `analyser_hz` is the sample rate of the logic analyser behind the timer `pin`; None: as fast as
    the core. With `energy` each sample has its energy.
    """

    analyser_hz: int | None = None
    energy: bool = False


Trace = tuple[tuple[int, int], ...]
"""(cycle of the boundary before an instruction, its address), in order."""

Opener = Callable[[], "Target"]
"""Opens a target. It is pickled to where the target is wanted, hashed and compared."""


@dataclass(frozen=True)
class Relinked:
    """One more link of a target's code, every function in another place, to be opened."""

    under: Conditions
    opens: Opener
    symbols: Mapping[str, int]

    def conditions(self) -> Conditions:
        return self.under

    def opener(self) -> Opener:
        return self.opens


class PairTimer(Protocol):
    """Times a start/stop pair with no call between."""

    def run_pairs(self, case: Case, parameter: int | None, length: int) -> Series:
        """`Target.run_series` of nothing, in the case's conditions."""


class Witness(Protocol):
    """Sees calls from outside, and looks into them."""

    def program(self) -> Program:
        """The code that runs."""

    def witness_series(
        self, case: Case, parameter: int | None, length: int, empty: bool
    ) -> tuple[Series, tuple[Truth, ...]]:
        """`Target.run_series`, with the truth about each sample."""

    def witness_pairs(
        self, case: Case, parameter: int | None, length: int
    ) -> tuple[Series, tuple[Truth, ...]]:
        """`PairTimer.run_pairs`, with the truth about each sample."""

    def profile_series(
        self, case: Case, parameter: int | None, length: int
    ) -> tuple[Series, tuple[CallProfile, ...]]:
        """`Target.run_series` of real calls, with a look into each."""


class FragmentWitness(Protocol):
    """Sees the copies of a fragment from outside."""

    def witness_fragment(self, case: Case, length: int) -> tuple[Series, tuple[FragmentTruth, ...]]:
        """`Target.run_series` of a plan, with the truth about each sample."""


class FragmentTracer(Protocol):
    """Sees which instructions of a fragment execute."""

    def program(self) -> Program:
        """The code that runs."""

    def trace_fragment(
        self, case: Case, length: int, addresses: Sequence[int]
    ) -> tuple[Series, tuple[Trace, ...]]:
        """`Target.run_series` of a plan, with each time that one of the addresses executed between
        the probes, sample by sample. Its times are those of the series, and its cycles mean
        something, with Capability.EXACT_TRUTH only."""


class EarlyExit(Protocol):
    """Leaves executions of a fragment early."""

    def trace_left(
        self, case: Case, length: int, addresses: Sequence[int], at: int
    ) -> tuple[Series, tuple[Trace, ...]]:
        """`FragmentTracer.trace_fragment` of a plan whose executions are left where they first
        come to the instruction `at`."""


class Relinker(Protocol):
    """Links the code of an image again, every function in another place."""

    @property
    def depends_on_layout(self) -> bool:
        """Whether times depend on where code lies, and the target knows them exactly."""

    def symbols(self) -> Mapping[str, int]:
        """Address of each symbol of the code that runs."""

    def relinked(self, selection: Selection, numbers: Sequence[int]) -> list[Relinked]:
        """The layouts with these numbers of the image that was selected."""


Able = TypeVar("Able")


def needed(ability: Able | None, sentence: str, *, code: str) -> Able:
    """Returns an ability of a target. Raises CyclescopeError with `sentence` and `code` if there is
    none."""
    if ability is None:
        raise CyclescopeError(sentence, code=code)
    return ability


class Target(Closing, ABC):
    """A place where cases are timed. A plugin in `targets/` offers `open_target(Selection)`.

    `reset` returns to the state after power-on: the same calls after it give the same samples.
    Abilities that not every target has are objects here, or None.
    """

    capabilities: frozenset[Capability]

    @property
    def pairs(self) -> PairTimer | None:
        return None

    @property
    def witness(self) -> Witness | None:
        return None

    @property
    def fragment_witness(self) -> FragmentWitness | None:
        return None

    @property
    def tracer(self) -> FragmentTracer | None:
        return None

    @property
    def early_exit(self) -> EarlyExit | None:
        return None

    @property
    def relinker(self) -> Relinker | None:
        return None

    @abstractmethod
    def conditions(self) -> Conditions:
        """The conditions of samples of this target."""

    @abstractmethod
    def cases(self) -> Sequence[Case]:
        """The cases in the image, as the target itself describes them, in its order."""

    @abstractmethod
    def reset(self) -> None:
        """Power-on state, image loaded."""

    @abstractmethod
    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        """Times the case's call, or its empty call, `length` times.

        Raises DoesNotFit if the case does not fit in the board's memory, CaseFailed if it goes
        wrong.
        """

    def restart(self) -> None:
        """A new process of the same program, where there are processes."""
        self.reset()

    def go_round(self, case: Case, turns: int) -> None:
        """Sets the iterations of each later measurement of a turned point of the case; does
        nothing where measurements are done already."""

    def fed_argument(self) -> int | None:
        """Which argument of the fragment's call its result can go into, from 1; None: none can."""
        return None

    @abstractmethod
    def findings(self) -> Findings:
        """Unverified rules and unmodelled things touched since the last reset."""

    def remarks(self) -> Sequence[str]:
        """The compiler's remarks about the user's own code, each with file and line."""
        return ()

    def opener(self) -> Opener:
        """Returns an opener of equal targets in other processes; by default there is none."""
        return OnlyHere(self)


class OnlyHere:
    """Opens the one target it was made for, and that in no other process."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def __call__(self) -> Target:
        return self._target

    def __reduce__(self) -> str:
        raise CyclescopeError(
            "this target cannot be opened by other processes: use --jobs 1",
            code="target-opens-in-one-process",
        )
