"""Context switches (docs/explanation/switch.md) and energy (docs/explanation/energy.md)."""

from typing import Any

from pages.runs import answer, campaign, today
from pages.values import number, table


def switches(name: str = "switch") -> dict[tuple[str, str], dict[str, Any]]:
    """Costs of context switches, by kernel and operating point."""
    targets = campaign(name)["targets"]
    return {(one["kernel"], one["point"]["name"]): one for one in targets}


def switch_row(
    kernel: str, point: str, operations: int = 4, name: str = "switch"
) -> dict[str, Any]:
    """One workload, with the UART polled."""
    rows: list[dict[str, Any]] = switches(name)[kernel, point]["rows"]
    return next(one for one in rows if (one["uart"], one["operations"]) == ("polled", operations))


def switch_nj(kernel: str, point: str) -> str:
    """The energy of a switch by simulation."""
    simulated = switch_row(kernel, point)["simulated"]
    return number(round((simulated["out"]["pj"] + simulated["back"]["pj"]) / 1000))


def switch_residual(kernel: str, point: str) -> str:
    """How far C·V² is off for a switch, of the energy by kind."""
    row = switch_row(kernel, point)
    spent = sum(row["simulated"][part]["pj"] for part in ("out", "back"))
    return f"{100 * (spent - row['capacitive_pj']) / spent:.0f}"


def switch_costs(name: str = "switch", point: str = "O5") -> str:
    """Both kernels at one point, by simulation and by direct measurement."""
    rows = []
    for kernel in ("bare", "freertos"):
        row = switch_row(kernel, point, name=name)
        mhz = switches(name)[kernel, point]["point"]["core_hz"] / 1_000_000
        parts = [row["simulated"][part] for part in ("out", "back")]
        out, back = (part["cycles"] for part in parts)
        nj = number(round(sum(part["pj"] for part in parts) / 1000))
        time, energy = row["measured_cycles"], row["measured_pj"]
        rows.append(
            f"{kernel} | {out} | {back} | {out + back:,} | {(out + back) / mhz:.2f} | "
            f"{nj} | {time['value']:,.0f} ± {time['half_width']:.0f} | "
            f"{energy['value'] / 1000:,.0f} ± {energy['half_width'] / 1000:.0f}"
        )
    return table(" | δ_t1 | δ_t2 | sum | µs | nJ | direct | direct nJ", *rows)


def switch_differences(operations: int, what: str) -> int:
    """By how much the totals of a window with the preemption are greater: `sent` or `ended`."""
    row = switch_row("bare", "O5", operations)
    key = f"{what}_counts"
    return int(row["at_end"][key] - row["sequential"][key])


def switch_totals() -> str:
    """Differences of totals beside the paper's, without a kernel."""
    papers, rows = {4: 263, 16: 513, 32: 873}, []
    for operations, theirs in papers.items():
        parts = switch_row("bare", "O5", operations)["simulated"]
        cycles = parts["out"]["cycles"] + parts["back"]["cycles"]
        sent, ended = (switch_differences(operations, what) for what in ("sent", "ended"))
        rows.append(f"{operations} | {sent} | {theirs} | {cycles} | {ended}")
    heads = ("MAC operations", "ΔN here, bare", "ΔN in Table 2", "δ_t1 + δ_t2 here")
    return table(" | ".join([*heads, "both tasks done later by"]), *rows)


def switch_per_operation() -> str:
    """By how much our ΔN grows with an operation."""
    return f"{(switch_differences(32, 'sent') - switch_differences(4, 'sent')) / 28:.1f}"


def switch_range(part: str) -> str:
    """Least to most of a part of bare switches over a character's time, with the UART polled."""
    sweeps = switches()["bare", "O5"]["sweeps"]
    paths = next(one["paths"] for one in sweeps if one["uart"] == "polled")
    found = [one[part]["cycles"] if part != "latency" else one["latency_cycles"] for one in paths]
    return f"{min(found)} to {max(found)}" if min(found) < max(found) else str(found[0])


def switch_image(name: str = "switch", point: str = "O5") -> str:
    """Which images, and of which day."""
    there = switches(name)
    found = {kernel: there[kernel, point]["conditions"] for kernel in ("bare", "freertos")}
    shown = ", ".join(f"{name} `{one['image_sha256'][:16]}…`" for name, one in found.items())
    return f"Made by `make pages` on {today()}; images by SHA-256: {shown}."


def energy_points(case_name: str) -> str:
    """Energy of a call at each operating point of the LPC2148 (docs/explanation/energy.md)."""
    points = {12: "2.9", 24: "3.0", 36: "3.1", 48: "3.2", 60: "3.3"}
    rows = []
    for point, (mhz, volts) in enumerate(points.items(), start=1):
        found = answer(f"explain {case_name} --energy --clock {mhz}")
        one, energy = found["explanations"][0], found["explanations"][0]["energy"]
        net, call = energy["raw_fj"] - energy["overhead_fj"], energy["call_fj"]
        residual = (call - energy["capacitive_fj"]) / call
        rows.append(
            f"O{point} | {mhz}, {volts} | {found['conditions']['memory']['mamtim']} | "
            f"{one['net_cycles']} | {one['net_cycles'] / mhz:.2f} | {net / 1e9:.3f} | "
            f"{energy['capacitive_fj'] / 1e9:.3f} | {100 * residual:+.1f} %"
        )
    heads = ("point", "MHz, V", "MAMTIM", "net cycles", "net µs", "net µJ")
    return table(" | ".join([*heads, "C·V² of the call, µJ", "residual"]), *rows)
