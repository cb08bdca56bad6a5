"""A fragment's study as text and rows, the same in every report."""

from dataclasses import dataclass

from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.quantity import (
    ROUNDING,
    decimals_for,
    format_duration,
    format_precisely,
    format_trimmed,
)
from cyclescope.report.provenance import machine_text, under
from cyclescope.studies.time.diagnostics import truth_signs
from cyclescope.studies.time.findings import (
    ExecutionTruth,
    FragmentStudy,
    TechniqueFigures,
    unit_of,
)
from cyclescope.target.conditions import RECORDED_TARGET, Conditions

HEADINGS = ("T_e ± 95 %", "σ", "least σ", "ε", "T_i", "n", "rej", "bias")

MACHINE = ("cpu", "virtual_machine", "pinned_to", "isolated", "scheduler", "governor")

MEANING = (
    "T_e is one execution: call, body and return. On a host it is what one more adds to others: "
    "latency where each waits for the one before, throughput where none waits. σ is its standard "
    "error; least σ the Gauss–Markov limit, the least of any unbiased linear combination of the "
    "same measurements under their noise. ε is what the readings of the clock add, T_i what each "
    "execution needs before it: INITIALISE, or the harness's loading of its arguments. Column n "
    "has the measurements used, rej those rejected by rule; all of them are on file. The bias is "
    "T_e less the truth, where a virtual board knows it."
)


@dataclass(frozen=True)
class TechniqueRow:
    """A technique; `figures` stand under HEADINGS."""

    name: str
    sentence: str
    figures: tuple[str, ...]
    chosen: bool


def rows(found: FragmentStudy) -> list[TechniqueRow]:
    """Every technique that was measured, the chosen one marked."""
    return [
        TechniqueRow(one.name, _sentence(one), _figures(one), one.name == found.fragment.chosen)
        for one in found.techniques
    ]


def _sentence(one: TechniqueFigures) -> str:
    return f"{one.kind}: {one.sentence}" if one.kind else one.sentence


def _figures(one: TechniqueFigures) -> tuple[str, ...]:
    estimated = one.estimated
    decimals = decimals_for(estimated.execution.half_width)
    least = estimated.least_sigma
    return (
        format_precisely(estimated.execution),
        format_trimmed(estimated.sigma),
        "–" if least is None else format_trimmed(least),
        format_precisely(estimated.overhead),
        format_precisely(estimated.initialisation),
        f"{estimated.n:,}",
        f"{int(estimated.rejected.sum()):,}",
        "–" if one.bias is None else format_trimmed(one.bias, max(min(decimals, 3), 2)),
    )


def title(found: FragmentStudy) -> str:
    """Names the fragment and its place."""
    return f"{executed(found)} on {found.conditions.board}"


def executed(found: FragmentStudy) -> str:
    """Describes one execution by the user's own text."""
    facts = found.conditions.fragment
    if facts is None:
        return "the fragment"
    return facts.file if facts.call == "EXECUTE" else facts.call


def headline(found: FragmentStudy) -> list[tuple[str, str]]:
    """Returns the conditions and notes before the first figure."""
    lines = under(found.conditions)
    facts = found.conditions.fragment
    if facts is None:
        return lines
    compiled = " ".join(facts.options)
    machine = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in _machine(found))
    recorded = machine_text(found.conditions) if found.conditions.target == RECORDED_TARGET else ""
    return [
        ("fragment", f"{facts.file}, {facts.call}; compiled {compiled}"),
        *lines[:-1],
        *([("machine", machine)] if machine else []),
        *([("recorded", recorded)] if recorded else []),
        lines[-1],
    ]


def _machine(found: FragmentStudy) -> list[tuple[str, str]]:
    """Describes a host and its permissions shortly; the rest stands in the provenance."""
    machine = found.conditions.machine
    return [(name, machine[name]) for name in MACHINE if name in machine]


def answer(found: FragmentStudy) -> str:
    """The figure that answers, and why it is this technique's."""
    one = found.answer
    if one is None:
        return f"{executed(found)}: {found.fragment.chosen} is not measured yet."
    conditions, estimated = found.conditions, one.estimated
    unit = unit_of(conditions)
    executions = [point.executions for point in one.observed.plan]
    spread = (
        f"{min(executions)} to {max(executions)}" if len(executions) > 1 else f"{executions[0]}"
    )
    how = f" (by {found.fragment.processes} processes)" if found.fragment.processes > 1 else ""
    turns = f" in each of {one.turns:,} iterations" if one.turns > 1 else " each"
    return (
        f"{executed(found)} takes {format_precisely(estimated.execution)} {unit.name} "
        f"({_otherwise(estimated.execution.value, conditions)}), 95 %{how}: {_what(one.kind)}, "
        f"n {estimated.n:,} measurements of {spread} executions{turns}. "
        f"By {one.name}: {found.fragment.reason}.{_other_kind(found, one)}"
    )


def _what(kind: CostKind | None) -> str:
    """Describes one timed call."""
    if kind is CostKind.LATENCY:
        return "its latency, what one more call adds to a chain of them"
    if kind is CostKind.THROUGHPUT:
        return "its throughput, what one more call adds to others that it need not wait for"
    return "one call with body and return"


def _other_kind(found: FragmentStudy, answering: TechniqueFigures) -> str:
    """The time of the kind that does not answer: a latency has a throughput beside it."""
    if answering.kind is CostKind.LATENCY:
        others = [
            one
            for one in found.techniques
            if one.kind is CostKind.THROUGHPUT and one.removes_overhead
        ]
        beside = dict(answering.estimated.beside)["without waiting"]
        time = others[0].estimated.execution if others else beside
        unit = unit_of(found.conditions).name
        return f" Calls that need not wait take {format_precisely(time)} {unit} (throughput)."
    return ""


def _otherwise(value: float, conditions: Conditions) -> str:
    """The same time in cycles, or in seconds where it is in cycles."""
    unit = unit_of(conditions)
    if unit.name == "cycles":
        return format_duration(value, conditions.core_hz)
    cycles = value * conditions.core_hz / unit.per_second
    return f"{format_trimmed(cycles, 2)} cycles of {conditions.core_hz / 1e6:g} MHz"


def truth(found: FragmentStudy) -> str | None:
    """Describes the truth of the virtual board."""
    if found.truth is None:
        return None
    exact = found.truth
    said = f"The board itself saw {format_trimmed(exact.execution)} cycles an execution"
    if not exact.is_constant:
        said += f" (each {exact.least:,} to {exact.most:,})"
    if exact.initialisation is not None:
        said += f" and {format_trimmed(exact.initialisation)} an initialisation"
    one = found.answer
    if one is None or one.bias is None:
        return said + "."
    return f"{said}; {one.name} is off by {format_trimmed(one.bias)}."


def steps(found: FragmentStudy) -> str | None:
    """Describes the periodicity of T(N), and whether the used period fits it."""
    if found.steps is None:
        return None
    period, used = found.steps.period, found.fragment.period
    last = len(found.steps.times)
    if period == 1 and found.conditions.resolution_cycles:
        return f"T(1) to T({last}) rise evenly, as far as this clock can resolve."
    if period == 1:
        return f"T(1) to T({last}) rise evenly: executions one behind the other are alike."
    if period is None:
        return (
            f"T(1) to T({last}) rise unevenly and without a period: no multiple of N makes T(N) "
            "straight; look at the picture of its steps."
        )
    call_bytes = found.conditions.code_fetches.call_bytes
    fills = period == found.steps.expected
    line = f", {call_bytes * period} bytes of calls" if call_bytes and fills else ""
    fits = (
        "the executions came in multiples of that"
        if used % period == 0
        else f"they came in multiples of {used}: measure again with --period {period}"
    )
    return f"T(1) to T({last}) have steps that repeat every {period} executions{line}; {fits}."


def warnings(found: FragmentStudy) -> list[str]:
    """Returns the warnings about the figures."""
    said = [f"{one.name}: {sign}" for one in found.techniques for sign in one.signs]
    biased = [one.name for one in found.techniques if not one.removes_overhead]
    said += [_off(one) for one in found.techniques if _misses_the_truth(one, found.truth)]
    if biased:
        said.append(f"{', '.join(biased)}: ε, or a share of it, may be in the figure")
    if found.steps and (found.steps.period is None or found.fragment.period % found.steps.period):
        said.append(str(steps(found)))
    elif not found.steps or not (found.steps.is_staircase or found.steps.expected > 1):
        said += truth_signs(found.truth)
    if found.missing:
        said.append(f"not measured yet: {', '.join(found.missing)}")
    return said


def _misses_the_truth(one: TechniqueFigures, truth: ExecutionTruth | None) -> bool:
    """Where executions are not alike, rounds that agree leave an interval that is too narrow."""
    if truth is None or truth.is_constant or one.bias is None or not one.removes_overhead:
        return False
    return abs(one.bias) > one.estimated.execution.half_width + ROUNDING


def _off(one: TechniqueFigures) -> str:
    return (
        f"{one.name}: what the board saw lies {format_trimmed(abs(one.bias or 0), 2)} cycles "
        "off, outside the ±. Executions or initialisations were not alike: where they lie in a "
        "line that is fetched, what was executed before, or their data may differ"
    )
