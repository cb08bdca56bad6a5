"""The study of one call: where its cycles go, by function and by kind, from one exact run."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from statistics import median_low

from cyclescope.campaign.work import opened
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.firmware.architecture import Instruction
from cyclescope.firmware.program import Function, Program
from cyclescope.results import whole_files
from cyclescope.results.whole_files import ResultsError
from cyclescope.studies.explain import explanation
from cyclescope.studies.explain.explanation import (
    KINDS,
    Energy,
    ExplainedInterruptsOff,
    Explanation,
    FunctionCost,
    InstructionCost,
    Spent,
)
from cyclescope.target.case import Case, Patterns, matching, taken
from cyclescope.target.series import RawSample
from cyclescope.target.target import (
    CallEnergy,
    CallProfile,
    CyclesByKind,
    Executed,
    Opener,
    Target,
    Truth,
    needed,
)

LENGTH = 10

REMEMBERED = 1024
"""Functions whose code is kept for the next call: the calls of an image share most of theirs."""


def find(
    target: Target, patterns: Patterns, parameter: int | None
) -> list[tuple[Case, int | None]]:
    """The cases that match, each with the x asked for, else with those that series time."""
    chosen = matching(target.cases(), patterns)
    if parameter is None:
        return [(case, value) for case in chosen for value in case.values()]
    found: list[tuple[Case, int | None]] = [
        (case, parameter) for case in chosen if case.takes(parameter)
    ]
    if not found:
        asked = patterns if isinstance(patterns, str) else " ".join(patterns)
        raise CyclescopeError(
            f"{asked} does not take x = {parameter}; it takes {taken(chosen)}",
            code="case-does-not-take-x",
        )
    return found


@dataclass(frozen=True)
class Inside:
    """Results of a look inside a case: the functions that execute, those first in which most cycles
    go, and that of the instruction executed most often. `content` is for the folder, None if that
    has it."""

    functions: tuple[str, ...]
    repeats_in: str
    content: bytes | None = None


def explain_missing(
    target: Target, cases: Iterable[Case], folder: Path, executor: Executor, by_pair: bool = False
) -> tuple[dict[str, Inside], list[str]]:
    """Explains each case at its greatest x, unless the folder holds that explanation.

    Returns what is inside each, and a sentence for each that cannot be explained.
    """
    fingerprint, opener = target.conditions().fingerprint(), target.opener()
    insides, problems = {}, []
    try:
        waiting = {
            executor.submit(_look_inside, opener, case, folder, fingerprint, by_pair): _which(case)
            for case in cases
        }
        for future in as_completed(list(waiting)):
            found, (name, x) = future.result(), waiting.pop(future)
            if isinstance(found, str):
                problems.append(f"{name} is not explained: {found}")
                continue
            if found.content is not None:
                whole_files.write_whole(
                    explanation.path_of(folder, name, x), found.content, lasting=False
                )
            insides[name] = replace(found, content=None)
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted while explaining; all runs are kept in {folder}") from None
    except BrokenExecutor:
        raise CyclescopeError(
            f"a process that explained was killed; all runs are kept in {folder}",
            code="explaining-process-killed",
        ) from None
    return insides, sorted(problems)


def _which(case: Case) -> tuple[str, int | None]:
    return case.name, case.values()[-1]


def _look_inside(
    opener: Opener, case: Case, folder: Path, fingerprint: str, by_pair: bool
) -> Inside | str:
    """Returns the folder's explanation or a new one; or a sentence why there is none."""
    try:
        there = explanation.load(folder, *_which(case))
    except ResultsError:
        there = None
    if there is not None and (there.conditions, there.by_pair) == (fingerprint, by_pair):
        return _inside(there)
    try:
        made = explain(opened(opener), case, case.values()[-1], by_pair)
    except CyclescopeError as error:
        return error.sentence
    return replace(_inside(made), content=explanation.content(made))


def _inside(found: Explanation) -> Inside:
    names = tuple(one.name for one in found.functions)
    return Inside(names, explanation.repeats_in(found) if names else "")


def explain(
    target: Target, case: Case, parameter: int | None, by_pair: bool = False
) -> Explanation:
    """Explains the median call of a series that is run from reset, less an empty call, or less a
    start/stop pair with no call between."""
    witness = needed(
        target.witness,
        "this target cannot look into its calls: explain needs a virtual board (--board)",
        code="explain-needs-virtual-board",
    )
    target.reset()
    series, profiles = witness.profile_series(case, parameter, LENGTH)
    empty_series, empty_truths = (
        witness.witness_pairs(case, parameter, LENGTH)
        if by_pair
        else witness.witness_series(case, parameter, LENGTH, empty=True)
    )
    clean = [i for i, sample in enumerate(series.samples) if not sample.tick_hit]
    if not clean:
        raise CyclescopeError(
            f"{case.name}: a tick fell into every call, so none stands alone",
            code="tick-in-every-call",
        )
    index = _median([profiles[i].truth for i in clean], clean)
    empty_index = _median(empty_truths, range(LENGTH))
    call, empty = profiles[index], empty_truths[empty_index]
    functions = _functions(witness.program(), call)
    net = call.truth.raw - empty.raw
    return Explanation(
        conditions=target.conditions().fingerprint(),
        case=case.name,
        parameter=parameter,
        length=LENGTH,
        index=index,
        raw_cycles=call.truth.raw,
        overhead_cycles=empty.raw,
        net_cycles=net,
        call_cycles=call.truth.call,
        empty_call_cycles=empty.call,
        beside_cycles=net - (call.truth.call - empty.call),
        spent=sum((function.spent for function in functions), Spent()),
        functions=functions,
        interrupts_off=_interrupts_off(witness.program(), call, [profiles[i] for i in clean]),
        energy=_energy(call, series.samples[index], empty_series.samples[empty_index]),
        by_pair=by_pair,
    )


def _energy(call: CallProfile, real: RawSample, empty: RawSample) -> Energy | None:
    if call.energy is None or real.energy_fj is None or empty.energy_fj is None:
        return None
    return Energy(
        raw_fj=real.energy_fj,
        overhead_fj=empty.energy_fj,
        call_fj=sum(call.energy.parts.values()),
        capacitive_fj=call.energy.capacitive_fj,
        parts_fj=dict(call.energy.parts),
    )


def _median(truths: Sequence[Truth], indices: Sequence[int]) -> int:
    """The first of `indices` whose call took the median time."""
    times = [truth.raw for truth in truths]
    return indices[times.index(median_low(times))]


def _functions(program: Program, call: CallProfile) -> tuple[FunctionCost, ...]:
    executed = call.instructions()
    costs = [
        _function(program, function, {at: executed[at] for at in addresses}, call.energy)
        for function, addresses in groupby(executed, program.function_at)
    ]
    return tuple(sorted(costs, key=lambda cost: (-cost.spent.total, cost.address)))


def _function(
    program: Program,
    function: Function,
    executed: Mapping[int, Executed],
    energy: CallEnergy | None,
) -> FunctionCost:
    code = dict(_untouched(program, function, 0 if energy else None))
    for at, (executions, spent) in executed.items():
        code[at] = InstructionCost(
            address=at,
            text=code[at].text if at in code else "",
            executions=executions,
            spent=_spent(spent),
            energy_fj=energy.instructions.get(at, 0) if energy else None,
        )
    entries, _ = executed.get(function.address, (0, None))
    spent_by_line = (spent for _, spent in executed.values())
    return FunctionCost(
        name=function.name,
        address=function.address,
        entries=entries,
        spent=_spent(tuple(map(sum, zip(*spent_by_line, strict=True)))),
        energy_fj=sum(energy.instructions.get(at, 0) for at in executed) if energy else None,
        code=tuple(code[at] for at in sorted(code)),
    )


@lru_cache(REMEMBERED)
def _spent(cycles: CyclesByKind) -> Spent:
    """Cycles in the order of their kinds."""
    return Spent(**dict(zip(KINDS, cycles, strict=True)))


@lru_cache(REMEMBERED)
def _untouched(
    program: Program, function: Function, energy_fj: int | None
) -> Mapping[int, InstructionCost]:
    """The function's instructions by address, none of them executed; empty where the image has no
    code of its own."""
    if not program.holds(function):
        return {}
    return {
        one.address: InstructionCost(
            address=one.address,
            text=_text(program, function, one),
            executions=0,
            spent=_spent((0, 0, 0, 0, 0)),
            energy_fj=energy_fj,
        )
        for one in program.instructions(function.address, function.end)
    }


def _text(program: Program, function: Function, one: Instruction) -> str:
    """The instruction, with the name of the function that it branches to."""
    operands = one.operands
    target = program.architecture.target(one)
    if target is not None and program.function_at(target) != function:
        operands = program.place(target)
    return f"{one.mnemonic} {operands}".strip()


def _interrupts_off(
    program: Program, call: CallProfile, series: Sequence[CallProfile]
) -> ExplainedInterruptsOff:
    off = call.interrupts_off
    there = off.longest_cycles > 0
    return ExplainedInterruptsOff(
        longest_cycles=off.longest_cycles,
        begin=off.begin,
        end=off.end,
        begin_at=program.place(off.begin) if there else "",
        end_at=program.place(off.end) if there else "",
        entered_off=off.entered_off,
        returned_off=off.returned_off,
        longest_of_series_cycles=max(one.interrupts_off.longest_cycles for one in series),
    )
