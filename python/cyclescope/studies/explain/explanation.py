"""Where the cycles of one call go, on disk: explain/*.json (docs/reference/results.md)."""

from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import quote

from pydantic import Field

from cyclescope.record import Record
from cyclescope.results import files, seal, storage, whole_files

FORMAT_NAME: Literal["cyclescope explanation"] = "cyclescope explanation"
FORMAT_VERSION: Literal[1] = 1
CURE = "explain its case again"
"""Of a file that is damaged."""


class Spent(Record):
    """Core cycles by kind; together they are all."""

    instructions: int = 0
    fetch_stalls: int = 0
    data_waits: int = 0
    bus_waits: int = 0
    asleep: int = 0

    @property
    def total(self) -> int:
        return sum(getattr(self, kind) for kind in KINDS)

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(**{kind: getattr(self, kind) + getattr(other, kind) for kind in KINDS})


KINDS = tuple(Spent.model_fields)


class Energy(Record):
    """Energy of the call in femtojoules, beside its cycles.

    `raw_fj` and `overhead_fj` are between the timer accesses, of this call and of the empty one.
    `parts_fj` is `call_fj`, entry to return, by part. `capacitive_fj` is the energy by C·V² per
    cycle.
    """

    raw_fj: int
    overhead_fj: int
    call_fj: int
    capacitive_fj: int
    parts_fj: dict[str, int]

    @property
    def net_fj(self) -> int:
        return self.raw_fj - self.overhead_fj

    @property
    def residual(self) -> float:
        """How far the law C·V² is off, as a share of the energy by kind.

        See docs/explanation/energy.md.
        """
        return (self.call_fj - self.capacitive_fj) / self.call_fj


def _absent() -> Any:
    """A field that is not written where nothing was metered."""
    return Field(default=None, exclude_if=lambda value: value is None)


class InstructionCost(Record):
    """One instruction: how often it executed and what it spent."""

    address: int
    text: str
    executions: int
    spent: Spent
    energy_fj: int | None = _absent()


class FunctionCost(Record):
    """One function: what its own instructions spent, not those of the functions it calls."""

    name: str
    address: int
    entries: int
    spent: Spent
    energy_fj: int | None = _absent()
    code: tuple[InstructionCost, ...]


class ExplainedInterruptsOff(Record):
    """The longest interval of a call in which no normal interrupt could get through."""

    longest_cycles: int
    begin: int
    end: int
    begin_at: str
    end_at: str
    entered_off: bool
    returned_off: bool
    longest_of_series_cycles: int


class Explanation(Record):
    """One call of one case, explained to the cycle."""

    format: Literal["cyclescope explanation"] = FORMAT_NAME
    version: Literal[1] = FORMAT_VERSION
    conditions: str
    case: str
    parameter: int | None
    length: int
    index: int
    raw_cycles: int
    overhead_cycles: int
    net_cycles: int
    call_cycles: int
    empty_call_cycles: int
    beside_cycles: int
    spent: Spent
    functions: tuple[FunctionCost, ...]
    interrupts_off: ExplainedInterruptsOff
    energy: Energy | None = _absent()
    by_pair: bool = Field(default=False, exclude_if=lambda by_pair: not by_pair)
    """Whether the overhead is a start/stop pair with no call between, and not an empty call."""


class Plain(Explanation):
    """An explanation to be shown anew: its functions are as the file has them, neither checked nor
    made records, of which an explanation has thousands."""

    functions: tuple[Any, ...]


Told = TypeVar("Told", bound=Explanation)


def path_of(folder: Path, case: str, parameter: int | None) -> Path:
    """Where the explanation of a case lies in a results folder."""
    at = "" if parameter is None else f"@{parameter}"
    return folder / storage.EXPLANATIONS / f"{quote(case, safe='')}{at}.json"


def save(folder: Path, explanation: Explanation) -> Path:
    """Puts an explanation into a results folder, whole or not at all."""
    path = path_of(folder, explanation.case, explanation.parameter)
    whole_files.write_whole(path, content(explanation))
    return path


def content(explanation: Explanation) -> bytes:
    """An explanation as its file has it."""
    return seal.sealed(f"{explanation.model_dump_json(indent=1)}\n").encode()


def load(folder: Path, case: str, parameter: int | None) -> Explanation | None:
    """The explanation of a case in a results folder, or None if there is none."""
    return _read(folder, case, parameter, Explanation)


def repeats_in(found: Explanation) -> str:
    """The function of the instruction executed most often; of several that in which most cycles go.

    Where most cycles go may be beside the loop that x lengthens, but nothing repeats as the loop.
    """
    most = max(found.functions, key=lambda one: max(line.executions for line in one.code))
    return most.name


def load_plain(folder: Path, case: str, parameter: int | None) -> Plain | None:
    """The same in half the time."""
    return _read(folder, case, parameter, Plain)


def _read(folder: Path, case: str, parameter: int | None, kind: type[Told]) -> Told | None:
    path = path_of(folder, case, parameter)
    found = files.read_record(path, kind, CURE)
    if found is not None and (found.case, found.parameter) != (case, parameter):
        at = "" if found.parameter is None else f" at x = {found.parameter}"
        raise whole_files.ResultsError(
            f"{path} is of another call, {found.case}{at}; {CURE}",
            code="explanation-of-another-call",
        )
    return found
