"""Where the cycles of one call go, in a terminal of 80 columns."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cyclescope.quantity import microseconds
from cyclescope.report.provenance import under
from cyclescope.report.terminal import heading
from cyclescope.studies.explain.explanation import KINDS, Explanation, FunctionCost, Spent
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions
from cyclescope.target.energy import microjoules

HEADINGS = {
    "instructions": "instr.",
    "fetch_stalls": "fetch",
    "data_waits": "data",
    "bus_waits": "bus",
    "asleep": "asleep",
}
FJ_PER_NJ = 1_000_000
MEANING = (
    "Core cycles of one call, exact. Column instr.: what the core needs where every access takes "
    "one cycle. Columns fetch, data, bus: what fetches of code, accesses to data in memories and "
    "to devices took beyond that. A function's cycles are those of its own instructions."
)


def show_all(
    found: Sequence[Explanation],
    cases: Mapping[str, Case],
    conditions: Conditions,
    console: Console,
    disassembly: bool,
) -> None:
    """Prints the conditions of a target, then each of its explanations."""
    console.print(heading(under(conditions)))
    for one in found:
        show(one, cases[one.case], conditions, console, disassembly)
    console.print()
    console.print(Text(MEANING, style="dim"))


def show(
    one: Explanation, case: Case, conditions: Conditions, console: Console, disassembly: bool
) -> None:
    """Prints the table of one call, how it adds up to what is measured, and its listing."""
    console.print()
    console.print(titled_call(one, case))
    nth = f"call {one.index + 1} of a series of {one.length} from reset: the median"
    console.print(Text(f"{case.condition}; {nth}", style="dim"))
    console.print(_functions(one))
    console.print(Text(sum_sentence(one, conditions)))
    console.print(Text(interrupts_sentence(one, conditions)))
    for sentence in energy_sentences(one):
        console.print(Text(sentence))
    if disassembly:
        for function in one.functions:
            console.print()
            console.print(_listing(function))


def titled_call(one: Explanation, case: Case) -> Text:
    """The case, its x, and the call itself."""
    return Text.assemble((one.case, "bold"), _at(one, case), f"  {case.call}")


def _at(one: Explanation, case: Case) -> str:
    if one.parameter is None or case.parameter is None:
        return ""
    return f", {case.parameter.name} = {one.parameter} {case.parameter.unit}"


def _shown(spent: Spent) -> list[str]:
    """The kinds that have a column: sleep only where there was any."""
    return [kind for kind in KINDS if kind != "asleep" or spent.asleep]


def _functions(one: Explanation) -> Table:
    kinds = _shown(one.spent)
    table = Table(box=None, padding=(0, 2, 0, 0), show_footer=True)
    table.add_column("function", "entry to return", overflow="fold")
    total = one.call_cycles
    for name, footer in (("entered", ""), ("cycles", f"{total:,}"), ("share", "100 %")):
        table.add_column(name, footer, justify="right", no_wrap=True)
    for kind in kinds:
        footer = f"{getattr(one.spent, kind):,}"
        table.add_column(HEADINGS[kind], footer, justify="right", no_wrap=True)
    if one.energy:
        table.add_column("nJ", *nanojoules(one.energy.call_fj), justify="right", no_wrap=True)
    for function in one.functions:
        cycles = function.spent.total
        figures = [f"{getattr(function.spent, kind):,}" for kind in kinds]
        share = f"{100 * cycles / total:.0f} %"
        figures += nanojoules(function.energy_fj)
        table.add_row(Text(function.name), str(function.entries), f"{cycles:,}", share, *figures)
    return table


def nanojoules(energy_fj: int | None) -> list[str]:
    """The cell of an energy, if there is a column for it."""
    return [] if energy_fj is None else [f"{energy_fj / FJ_PER_NJ:,.1f}" if energy_fj else ""]


def energy_sentences(one: Explanation) -> list[str]:
    """Returns the energy of the call by part, and the simple law's error; nothing if not
    metered."""
    if one.energy is None:
        return []
    energy = one.energy
    parts = sorted(energy.parts_fj.items(), key=lambda part: -part[1])
    shares = ", ".join(f"{name} {100 * spent / energy.call_fj:.1f} %" for name, spent in parts)
    return [
        f"Energy: {microjoules(energy.call_fj):.3f} µJ from entry to return ({shares}); net, as "
        f"measured, {microjoules(energy.net_fj):.3f} µJ: raw {microjoules(energy.raw_fj):.3f} - "
        f"overhead {microjoules(energy.overhead_fj):.3f}. C·V² per cycle gives "
        f"{microjoules(energy.capacitive_fj):.3f} µJ for the call: residual "
        f"{100 * energy.residual:+.1f} %."
    ]


def sum_sentence(one: Explanation, conditions: Conditions) -> str:
    """How the call adds up to what is measured."""
    empty = "" if one.by_pair else f" - {one.empty_call_cycles:,} for the empty call"
    beside = f" {one.beside_cycles:+,} {beside_words(one.by_pair)}" if one.beside_cycles else ""
    net_us = microseconds(one.net_cycles, conditions.core_hz)
    return (
        f"{one.call_cycles:,}{empty}{beside} = "
        f"{one.net_cycles:,} net cycles ({net_us:.2f} µs), as measured: raw {one.raw_cycles:,} - "
        f"overhead {one.overhead_cycles:,}{' of a start/stop pair' if one.by_pair else ''}"
    )


def beside_words(by_pair: bool) -> str:
    """Names the cycles between the probes that are not in the calls."""
    return "for arguments, jump and return" if by_pair else "beside the calls"


def interrupts_sentence(one: Explanation, conditions: Conditions) -> str:
    """How long the call keeps interrupts off, and where."""
    off = one.interrupts_off
    if not off.longest_cycles:
        return "interrupts off: never in this call"
    cut = [text for text, is_cut in (("began", off.entered_off), ("returned", off.returned_off))
           if is_cut]  # fmt: skip
    said = f"; the call {' and '.join(cut)} with interrupts off" if cut else ""
    off_us = microseconds(off.longest_cycles, conditions.core_hz)
    return (
        f"interrupts off: longest {off.longest_cycles:,} cycles ({off_us:.2f} µs), from "
        f"{off.begin_at} to {off.end_at}{said}"
    )


def _listing(function: FunctionCost) -> Table:
    kinds = _shown(function.spent)
    table = Table(box=None, padding=(0, 2, 0, 0), title_justify="left")
    table.title = Text(f"{function.name}: {function.spent.total:,} cycles", style="bold")
    table.add_column("address")
    table.add_column("instruction", overflow="fold")
    for name in ("times", "cycles", *(HEADINGS[kind] for kind in kinds)):
        table.add_column(name, justify="right", no_wrap=True)
    if function.energy_fj is not None:
        table.add_column("nJ", justify="right", no_wrap=True)
    for one in function.code:
        counts = [one.executions, one.spent.total, *(getattr(one.spent, kind) for kind in kinds)]
        figures = [f"{count:,}" if count else "" for count in counts]
        figures += nanojoules(one.energy_fj)
        style = "" if one.executions else "dim"
        table.add_row(f"{one.address:08x}", Text(one.text), *figures, style=style)
    return table
