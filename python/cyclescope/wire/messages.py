"""Kinds, flags and records that requests and answers are made of (docs/reference/wire.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import NamedTuple

from cyclescope.target import design, series
from cyclescope.target.case import Case, Domain, Parameter


class MessageKind(IntEnum):
    """Kind of a request or an unasked frame; an answer has its request's kind plus 0x80."""

    HELLO = 0x01
    DESCRIBE = 0x02
    RUN = 0x03
    SAMPLES = 0x04
    ABOUT = 0x10
    CALIBRATE = 0x11
    BATCH = 0x12
    CAPACITY = 0x13
    SWITCH = 0x18
    REFUSED = 0xC0
    FAULT = 0xE0


class Reason(IntEnum):
    """Why a target refuses a request."""

    VERSION = 1
    UNKNOWN_REQUEST = 2
    MALFORMED = 3
    NO_SUCH_CASE = 4
    NO_SUCH_VALUE = 5
    HEAP = 6
    BUFFER = 7
    NO_SUCH_SAMPLES = 8
    CALL_FAILED = 9
    SET_UP_FAILED = 10
    NO_SUCH_INDICATOR = 11
    SYSTEM = 12


class CaseFlag(IntFlag):
    """Properties of a case."""

    MOVES = 1
    """Control moves to another task inside the call; the stopping probe is there."""
    LENGTH_IS_LOAD = 2
    """Every call of a series adds to what the next one meets."""
    INTERRUPT = 4
    """The call is made by an interrupt service routine."""


class Option(IntFlag):
    """How a series is to be run."""

    EMPTY = 1
    """The empty call in place of the real one."""
    UNPLACED = 2
    """Samples start `delay` timer ticks after a tick and are not kept clear of the next."""
    PAIR = 4
    """Nothing between the probes in place of the call."""


NO_OPTIONS = Option(0)
OPTIONS: Mapping[series.Kind, Option] = {
    "call": NO_OPTIONS,
    "empty": Option.EMPTY,
    "pair": Option.PAIR,
}
"""How each kind of series is asked for."""


TICK = 1
"""Sample flag: a tick fell into the sample."""
OVERTAKEN = 2
"""Of a real-time figure: a thread of the load began to work while the sample was under way."""
LAST = 4
"""Of task switching: the stamp lies behind its burst and begins no sample."""
ORIGIN_SHIFT = 4
"""Sample flags from here on: who began the sample of a real-time figure."""


@dataclass(frozen=True)
class Hello:
    """The target's answer to a greeting."""

    cases: int
    capacity: int
    core_hz: int
    timer_hz: int
    tick_hz: int
    free_bytes: int
    board: str
    kernel: str
    timer: str
    build: str


@dataclass(frozen=True)
class CaseDescription:
    """One case, as its declaration on the target has it."""

    index: int
    flags: CaseFlag
    first: int
    last: int
    step: int
    """Of the x that the call takes; 0 where it has no parameter."""
    name: str
    call: str
    """As its source has it."""
    callee: str
    condition: str
    library: str
    parameter: str
    unit: str
    function_class: str
    """The file that declares it."""

    @property
    def domain(self) -> Domain | None:
        """The x that the call takes, if it has a parameter."""
        return Domain(first=self.first, last=self.last, step=self.step) if self.step else None

    @property
    def values(self) -> tuple[int, ...]:
        """The x that whole series time."""
        return design.few(self.domain) if self.domain else ()

    @property
    def case(self) -> Case:
        """The same in the lab's own words."""
        parameter = None
        if self.domain:
            parameter = Parameter(
                name=self.parameter, unit=self.unit, values=self.values, domain=self.domain
            )
        return Case(
            name=self.name,
            call=self.call,
            callee=self.callee,
            condition=self.condition,
            library=self.library,
            function_class=self.function_class,
            parameter=parameter,
            load=bool(self.flags & CaseFlag.LENGTH_IS_LOAD),
            switches=bool(self.flags & CaseFlag.MOVES),
        )


class WireSample(NamedTuple):
    """One raw timing: two timer values and flags."""

    start: int
    stop: int
    flags: int

    @property
    def ticks(self) -> int:
        """Timer ticks from start to stop."""
        return (self.stop - self.start) & 0xFFFF_FFFF
