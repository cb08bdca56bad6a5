"""What the pages' expressions are made of: campaigns of the command line, and figures of theirs."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "pages"
PROGRAM = Path(sys.executable).parent / "cyclescope"

CAMPAIGNS = {
    "freertos": "characterize",
    "newlib": "characterize --kernel bare",
    "newlib_thumb": "characterize --kernel bare --isa thumb",
    "picolibc": "characterize --kernel bare --library picolibc",
    "picolibc_thumb": "characterize --kernel bare --library picolibc --isa thumb",
    "posix": "characterize --board host --kernel posix",
}
"""Results folders below build/pages by the command that makes them."""


def run(command: str) -> str:
    """What `cyclescope COMMAND` prints; it runs in build/pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    print(f"cyclescope {command}", file=sys.stderr)
    ended = subprocess.run(
        [PROGRAM, *shlex.split(command)], cwd=FOLDER, stdout=subprocess.PIPE, text=True
    )
    if ended.returncode not in (0, 3):
        sys.exit(f"cyclescope {command} ended with exit code {ended.returncode}")
    return ended.stdout


@cache
def campaign(name: str) -> dict[str, Any]:
    """What a campaign found, made anew once in each run of `make pages`."""
    folder = FOLDER / name
    if folder.exists():
        shutil.rmtree(folder)
    run(f"{CAMPAIGNS[name]} --out {name} --json")
    found: dict[str, Any] = json.loads(run(f"show {name} --json"))
    return found


def case(name: str, case: str) -> dict[str, Any]:
    """A case of a campaign."""
    return next(one for one in campaign(name)["cases"] if one["name"] == case)


def value(name: str, case_name: str, x: int | None = None) -> float:
    """Net cycles of a case, at x or at its only condition."""
    for one in case(name, case_name)["measured"]:
        if one["parameter"] == x:
            return float(one["net_cycles"]["value"])
    raise LookupError(f"{case_name} was not measured at x = {x} in the campaign {name}")


def net(name: str, case_name: str, x: int | None = None) -> str:
    """The same in words: whole cycles with separators, or two digits behind the point."""
    return number(value(name, case_name, x))


def both(name: str, case_name: str, x: int | None = None) -> str:
    """Net cycles in ARM, and in Thumb in brackets."""
    return f"{net(name, case_name, x)} ({net(f'{name}_thumb', case_name, x)})"


def number(found: float) -> str:
    """A figure as the pages write them."""
    return f"{found:,.0f}" if abs(found - round(found)) < 0.005 else f"{found:,.2f}"


def made(*names: str) -> str:
    """Which images the figures are of, and of which day."""
    images = {name: campaign(name)["conditions"]["image_sha256"][:16] for name in names}
    shown = ", ".join(f"{name} `{digest}…`" for name, digest in images.items())
    return f"Made by `make pages` on {date.today().isoformat()}; images by SHA-256: {shown}."


def table(head: str, *rows: str) -> str:
    """A table of rows whose cells `|` divides; `{expression}` in a row is evaluated."""
    columns = head.count("|") + 1
    rule = "|---" + "|--:" * (columns - 1) + "|"
    filled = [re.sub(r"\{(.*?)\}", lambda one: str(eval(one[1], globals())), row) for row in rows]
    return "\n".join([f"| {head} |", rule, *(f"| {row} |" for row in filled)])


def libraries(*rows: str) -> str:
    """Two C libraries beside each other; a row is a case, then its x and the unit if it has one."""

    def row(text: str) -> str:
        case_name, _, at = text.partition(" ")
        x, _, unit = at.partition(" ")
        asked = (case_name, int(x) if x else None)
        shown = f"{int(x):,} {unit}" if x else ""
        return f"`{case_name}` | {shown} | {both('newlib', *asked)} | {both('picolibc', *asked)}"

    return table("case | x | newlib-nano | picolibc", *map(row, rows))


@cache
def switches() -> dict[tuple[str, str], dict[str, Any]]:
    """What context switches cost (docs/switch.md), by kernel and operating point."""
    folder = FOLDER / "switch"
    if folder.exists():
        shutil.rmtree(folder)
    found = json.loads(run("switch --point O1 --point O5 --out switch --json"))
    return {(one["kernel"], one["point"]["name"]): one for one in found["targets"]}


def switch_row(kernel: str, point: str, operations: int = 4) -> dict[str, Any]:
    """One workload, with the UART polled."""
    rows: list[dict[str, Any]] = switches()[kernel, point]["rows"]
    return next(one for one in rows if (one["uart"], one["operations"]) == ("polled", operations))


def switch_nj(kernel: str, point: str) -> str:
    """The energy of a switch by simulation."""
    simulated = switch_row(kernel, point)["simulated"]
    return number(round((simulated["out"]["pj"] + simulated["back"]["pj"]) / 1000))


def switch_costs() -> str:
    """Both kernels at 60 MHz, by simulation and by direct measurement."""
    rows = []
    for kernel in ("bare", "freertos"):
        row = switch_row(kernel, "O5")
        out, back = (row["simulated"][part]["cycles"] for part in ("out", "back"))
        time, energy = row["measured_cycles"], row["measured_pj"]
        rows.append(
            f"{kernel} | {out} | {back} | {out + back:,} | {(out + back) / 60:.2f} | "
            f"{switch_nj(kernel, 'O5')} | {time['value']:,.0f} ± {time['half_width']:.0f} | "
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


def switch_image() -> str:
    """Which images, and of which day."""
    found = {kernel: switches()[kernel, "O5"]["conditions"] for kernel in ("bare", "freertos")}
    shown = ", ".join(f"{name} `{one['image_sha256'][:16]}…`" for name, one in found.items())
    return f"Made by `make pages` on {date.today().isoformat()}; images by SHA-256: {shown}."


def energy_points(case_name: str) -> str:
    """What a call takes at each operating point of the LPC2148 (docs/energy.md)."""
    points = {12: "2.9", 24: "3.0", 36: "3.1", 48: "3.2", 60: "3.3"}
    rows = []
    for point, (mhz, volts) in enumerate(points.items(), start=1):
        found = json.loads(run(f"explain {case_name} --energy --clock {mhz} --json"))
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


def excerpt(name: str, *cases: str, law: str) -> str:
    """The head of a campaign's table, some of its cases and one of its laws, as in a terminal."""
    count = len(campaign(name)["cases"])
    lines = [line.rstrip() for line in run(f"show {name}").splitlines()]
    ruled = next(place for place, line in enumerate(lines) if line.startswith("─"))
    table, laws = lines[ruled + 1 :], [line for line in lines if line.startswith("  ")]
    chosen = lines[: ruled + 1]
    for one in cases:
        first = next(place for place, line in enumerate(table) if line.startswith(f"{one}  "))
        rest = table[first + 1 :]
        chosen += table[first : first + 2 + _until_figures(rest)]
    chosen += [f"… ({count} cases), and their laws:", ""]
    begun = next(place for place, line in enumerate(laws) if line.startswith(f"  {law}: "))
    others = (p for p, line in enumerate(laws) if p > begun and re.match(r"  [\w.]+: t = ", line))
    chosen += laws[begun : next(others, len(laws))]
    return "\n" + "\n".join(f"    {line}".rstrip() for line in chosen) + "\n"


def _until_figures(lines: list[str]) -> int:
    """Lines of a case's title that follow the first, before its figures."""
    return next(place for place, line in enumerate(lines) if re.match(r" *[\d,]+  +\d", line))
