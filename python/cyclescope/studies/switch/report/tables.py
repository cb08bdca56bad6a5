"""The tables of `cyclescope switch`, for terminal and page alike; our figures and the paper's."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cyclescope.quantity import format_number, microseconds
from cyclescope.studies.switch import paper
from cyclescope.studies.switch.results import (
    DirectMeasurement,
    InstantSweep,
    SwitchResults,
    SwitchRow,
    TargetFigures,
    Uart,
)

PJ_PER_NJ = 1000
NJ_PER_MJ = 1e6
MHZ = 1e6
MANY_PJ = 1e6
"""From here on tenths of a nanojoule say nothing."""
SHORT: dict[Uart, str] = {"polled": "polled", "interrupt": "irq"}


class Table(NamedTuple):
    """A title, columns, rows, and what to know about them."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()


def tables(found: SwitchResults) -> list[Table]:
    """All of them, in the order of the paper where it has them."""
    return [
        _points(found),
        *(_three_ways(one) for one in _by_kernel(found)),
        *_sweeps(found),
        *_differences(found),
        _table_3(found),
        _energy(found),
    ]


def rated(found: SwitchResults) -> list[TargetFigures]:
    """The fastest operating point of each kernel: the paper's rated one, if it was measured."""
    most = max(one.point.core_hz for one in found.targets)
    return [one for one in found.targets if one.point.core_hz == most]


def _by_kernel(found: SwitchResults) -> Iterator[list[TargetFigures]]:
    for kernel in dict.fromkeys(one.kernel for one in found.targets):
        yield [one for one in found.targets if one.kernel == kernel]


def _points(found: SwitchResults) -> Table:
    points = sorted({one.point for one in found.targets}, key=lambda point: point.core_hz)
    has_mamtim = any(point.mamtim is not None for point in points)
    return Table(
        "Operating points (Table 1)",
        ("point", "MHz", "V", *has_mamtim * ("MAMTIM",)),
        [
            (
                point.name,
                format_number(point.core_hz / MHZ),
                f"{point.supply_mv / 1000:.1f}",
                *has_mamtim * (str(point.mamtim),),
            )
            for point in points
        ],
        (
            "Set by the firmware through the PLL; the supply follows as the board file has it. "
            "2.9 V is below what the data sheet asks for (recalled).",
        )
        if has_mamtim
        else ("The clock and its supply, as the board file has them.",),
    )


def _three_ways(targets: Sequence[TargetFigures]) -> Table:
    rows = [_line(target, row) for target in targets for row in target.rows]
    boundaries = sum(row.boundaries for target in targets for row in target.rows)
    differing = sum(row.analytic_differences for target in targets for row in target.rows)
    first = targets[0].rows[0]
    every = [row for target in targets for row in target.rows]
    in_time = sum(row.measured_cycles.covers(row.median_cycles) for row in every)
    energies = [(row.measured_pj, row.simulated.switch.pj) for row in every if row.measured_pj]
    in_energy = sum(one.covers(truth) for one, truth in energies)
    same = (
        f"Analytic and simulated agree at each of {boundaries:,} instruction boundaries, to the "
        "cycle and the femtojoule."
        if not differing
        else f"Analytic and simulated differ at {differing:,} of {boundaries:,} boundaries."
    )
    return Table(
        f"{targets[0].kernel}: δ_t1 + δ_t2 in three ways",
        (
            "point", "UART", "ops", "δ_t1", "δ_t2", "sum", "µs", "analytic", "direct", "nJ",
            "direct nJ",
        ),
        rows,
        (
            same,
            "Cycles. Columns sum, µs and nJ: simulation, exact, n = 1 window. Direct: the alarm's "
            f"timer, median of n = {len(first.instants)} instants, ± a count and what the UART's "
            "own interrupts leave open. Direct nJ: a rig of each row's own, ± half of a 95 % "
            "interval for the power, widened by the time's. UART irq: its interrupt feeds it.",
            f"The direct intervals hold the simulated value in {in_time} of {len(every)} rows "
            f"(time, median of the same instants) and {in_energy} of {len(energies)} (energy).",
        ),
    )  # fmt: skip


def _line(target: TargetFigures, row: SwitchRow) -> list[str]:
    simulated, analytic = row.simulated, row.analytic
    cycles = simulated.switch.cycles
    return [
        target.point.name,
        SHORT[row.uart],
        str(row.operations),
        f"{simulated.out.cycles:,}",
        f"{simulated.back.cycles:,}",
        f"{cycles:,}",
        f"{microseconds(cycles, target.point.core_hz):.2f}",
        f"{analytic.switch.cycles:,}",
        measured(row.measured_cycles, 1, 0),
        f"{simulated.switch.pj / PJ_PER_NJ:,.1f}",
        measured(row.measured_pj, PJ_PER_NJ, 1 if simulated.switch.pj < MANY_PJ else 0),
    ]


def measured(one: DirectMeasurement | None, unit: float, decimals: int) -> str:
    """A measurement with the half-width of its interval."""
    if one is None:
        return "–"
    return f"{one.value / unit:,.{decimals}f} ± {one.half_width / unit:,.{decimals}f}"


def _sweeps(found: SwitchResults) -> Iterator[Table]:
    swept = [(target, sweep) for target in found.targets for sweep in target.sweeps]
    if not swept:
        return
    yield Table(
        "The instant swept over a character's time",
        ("kernel", "point", "UART", "n", "latency", "δ_t1", "δ_t2", "UART's own"),
        [_swept(target, sweep) for target, sweep in swept],
        (
            "Least to most, in cycles, over n instants. latency: from the timer's request until "
            "the interrupt is taken. UART's own: cycles of its interrupts in the switch, "
            "and are in neither δ. Steps: "
            + ", ".join(f"{sweep.step_counts} counts" for _, sweep in swept[:1])
            + f" of {swept[0][1].character_counts:,}.",
        ),
    )


def _swept(target: TargetFigures, sweep: InstantSweep) -> list[str]:
    paths = sweep.paths
    return [
        target.kernel,
        target.point.name,
        SHORT[sweep.uart],
        str(len(paths)),
        _range([one.latency_cycles for one in paths]),
        _range([one.out.cycles for one in paths]),
        _range([one.back.cycles for one in paths]),
        _range([one.foreign_cycles for one in paths]),
    ]


def _range(values: Sequence[int]) -> str:
    least, most = min(values), max(values)
    return f"{least:,}" if least == most else f"{least:,} – {most:,}"


def _differences(found: SwitchResults) -> Iterator[Table]:
    theirs = paper.tables(own_tasks=found.work is not None)
    for target in rated(found):
        rows = [_difference(row) for row in target.rows if row.uart == "polled"]
        if target.kernel == "bare":
            rows += [
                [f"paper {operations}", f"{one.without_counts:,}", f"{one.with_counts:,}",
                 f"{one.counts:,}", "", "", "", ""]
                for operations, one in theirs.items()
            ]  # fmt: skip
        yield Table(
            f"Differences of totals, {target.kernel}, polled, {target.point.name} (Table 2)",
            ("ops", "without", "with", "ΔN", "ΔN hidden", "both done", "hidden", "δ_t1+δ_t2"),
            rows,
            list(_evidence(target, theirs)),
        )


def _difference(row: SwitchRow) -> list[str]:
    without, late, early = row.sequential, row.at_end, row.preempted
    return [
        str(row.operations),
        f"{without.sent_counts:,}",
        f"{late.sent_counts:,}",
        f"{late.sent_counts - without.sent_counts:+,}",
        f"{early.sent_counts - without.sent_counts:+,}",
        f"{late.ended_counts - without.ended_counts:+,}",
        f"{early.ended_counts - without.ended_counts:+,}",
        f"{row.simulated.switch.cycles:,}",
    ]


def _evidence(target: TargetFigures, tables: Mapping[int, paper.Difference]) -> Iterator[str]:
    yield (
        "Counts of the alarm's timer until the transmission is over, without and with the "
        "preemption. ΔN: the last bits are leaving when it comes; hidden: it comes in the middle "
        "of the transmission. "
        "Both done: the same until both tasks are."
    )
    rows = [row for row in target.rows if row.uart == "polled"]
    if len(rows) > 1 and tables:
        late = {r.operations: r.at_end.sent_counts - r.sequential.sent_counts for r in rows}
        early = {r.operations: r.preempted.ended_counts - r.sequential.ended_counts for r in rows}
        theirs = {operations: one.counts for operations, one in tables.items()}
        yield (
            f"Per MAC operation ΔN grows by {_slopes(late)} cycles here, by {_slopes(theirs)} in "
            "the paper's Table 2: the MAC task's own work is in it. The switch path itself does "
            "not depend on the operations (last column). The paper's totals themselves grow by "
            f"{_slopes(_totals())} per operation: what else is in them is not known."
        )
        yield (
            "While bits are shifting the polling task has nothing to do: preempted there, it loses "
            f"almost nothing, and both tasks are done earlier, by {_slopes(early)} cycles per "
            "operation. So no difference of totals is the cost of the switch."
        )


def _totals() -> dict[int, int]:
    """The paper's, without a switch."""
    return {operations: one.without_counts for operations, one in paper.TABLES.items()}


def _slopes(values: dict[int, int]) -> str:
    found = [abs(value) for _, _, value in paper.slope(values)]
    least, most = min(found), max(found)
    if round(least, 1) == round(most, 1):
        return f"{least:.1f}"
    return f"{least:,.1f} to {most:,.1f}"


def _table_3(found: SwitchResults) -> Table:
    rows = []
    papers = paper.tables(own_tasks=found.work is not None)
    for target in rated(found):
        for row in target.rows:
            theirs = papers.get(row.operations)
            cycles, hz = row.simulated.switch.cycles, target.point.core_hz
            difference = row.at_end.sent_counts - row.sequential.sent_counts
            rows.append([
                target.kernel,
                SHORT[row.uart],
                str(row.operations),
                f"{microseconds(cycles, hz):.2f}",
                f"{microseconds(row.measured_cycles.value, hz):.2f}",
                f"{microseconds(difference, hz):.2f}",
                f"{theirs.simulated_us:.2f}" if theirs else "–",
                f"{theirs.us:.2f}" if theirs else "–",
            ])  # fmt: skip
    return Table(
        f"Time of a switch in µs at {rated(found)[0].point.name} (Table 3, Figure 11)",
        ("kernel", "UART", "ops", "simulated", "direct", "as ΔN", "paper sim.", "paper direct"),
        rows,
        (
            "simulated, direct: δ_t1 + δ_t2. as ΔN: the difference of totals above, which is what "
            "the paper's columns are. The paper's program, compiler and flash settings are not "
            "known; it had no RTOS in this experiment.",
        ),
    )


def _energy(found: SwitchResults) -> Table:
    rows = []
    for target in found.targets:
        for row in target.rows:
            spent, capacitive = row.simulated.switch.pj, row.capacitive_pj
            rows.append([
                target.kernel,
                target.point.name,
                SHORT[row.uart],
                str(row.operations),
                f"{spent / PJ_PER_NJ:,.1f}",
                f"{capacitive / PJ_PER_NJ:,.1f}",
                f"{(spent - capacitive) / spent:+.1%}",
                measured(row.measured_pj, PJ_PER_NJ, 1),
                f"{spent / PJ_PER_NJ / NJ_PER_MJ:.1e}",
            ])  # fmt: skip
    return Table(
        "Energy of a switch (Figures 10 and 12)",
        ("kernel", "point", "UART", "ops", "nJ", "C·V² nJ", "residual", "direct nJ", "mJ"),
        rows,
        (contradiction(),),
    )


def contradiction() -> str:
    """Why the paper's energy cannot be."""
    us = paper.TABLES[4].us
    return (
        f"The paper calls a switch's energy “{paper.ENERGY_CLAIM}”. Its own {us:.2f} µs at the "
        f"part's 40 mA and 3.3 V are {us * 40 * 3.3 / 1000:.2f} µJ, thousands of times less; a "
        f"milliwatt-second would need {1e3 / (40 * 3.3):.1f} ms at that power."
    )
