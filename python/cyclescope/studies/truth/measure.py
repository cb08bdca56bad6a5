"""The study of truth: what the target says a call costs, against what the board's clock saw."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.target.case import Case, Patterns, matching
from cyclescope.target.target import Target, needed

LENGTH = 10


@dataclass(frozen=True)
class CaseTruth:
    """One case at one value of x. Each figure holds every value that occurred, in core cycles.

    `raw`, `overhead` come from the target; `call`, `empty_call` are entry to return as the board
    saw them; `residual` is (raw - overhead) - (call - empty call), sample by sample.
    """

    case: str
    x: int | None
    raw: tuple[int, ...]
    overhead: tuple[int, ...]
    call: tuple[int, ...]
    empty_call: tuple[int, ...]
    residual: tuple[int, ...]

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def examine(target: Target, patterns: Patterns) -> Iterator[CaseTruth]:
    """Witnesses a series and its empty calls for every case that matches and each of its values.

    Raises CyclescopeError when a raw time is not the distance of its two timer accesses.
    """
    for case in matching(target.cases(), patterns):
        for x in case.values():
            yield _examine_one(target, case, x)


def _examine_one(target: Target, case: Case, x: int | None) -> CaseTruth:
    witness = needed(
        target.witness,
        "this target cannot see its calls from outside: use a virtual board",
        code="target-sees-no-calls",
    )
    per_count = target.conditions().cycles_per_count
    real, real_truths = witness.witness_series(case, x, LENGTH, empty=False)
    empty, empty_truths = witness.witness_series(case, x, LENGTH, empty=True)
    raw, overhead = (
        [round(((s.stop - s.start) & 0xFFFF_FFFF) * per_count) for s in series.samples]
        for series in (real, empty)
    )
    if per_count == 1 and raw != [truth.raw for truth in real_truths]:
        raise CyclescopeError(
            f"{case.name}: the timer counted another distance between its two accesses than the "
            "board's clock: the engine is at fault, please report it",
            code="timer-unlike-clock",
        )
    call, empty_call = ([truth.call for truth in truths] for truths in (real_truths, empty_truths))
    samples = zip(raw, overhead, call, empty_call, strict=True)
    residual = {r - o - (c - e) for r, o, c, e in samples}
    figures = (tuple(sorted(set(f))) for f in (raw, overhead, call, empty_call, residual))
    return CaseTruth(case.name, x, *figures)
