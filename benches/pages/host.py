"""Figures of this machine: POSIX calls, and what campaigns take. They name machine and day."""

import os
import platform
from pathlib import Path
from typing import Any

from pages.runs import PageError, campaign, made_folder, today
from pages.values import estimate, number

CASES = "| case | condition | n | net cycles ± 95 % | IQR |\n|---|---|--:|--:|--:|"
LAWS = "| case | x | law |\n|---|---|---|"


def conditions(name: str) -> str:
    """The machine on which a campaign of the host was made, and what it allowed."""
    found = campaign(name)["conditions"]
    machine = found["machine"]
    virtual = "yes" in machine["virtual_machine"]
    allowed = f"isolated: {machine['isolated']}; {machine['scheduler']}"
    memory = f"memory locked: {machine['memory_locked']}, files on {machine['files']}"
    clock = f"counter at {found['timer_hz'] / 1e6:.1f} MHz, clock source {machine['clock_source']}"
    return (
        f"{machine['cpu']}{' under a hypervisor (a **virtual machine**)' if virtual else ''}, "
        f"{machine['system']}, {found['c_library']}, gcc {found['compiler_version']} -O2; "
        f"pinned to {machine['pinned_to']}, {allowed}, {memory}, {clock}. Made by `make pages` on "
        f"{today()}; image `{found['image_sha256'][:16]}…`."
    )


def calls(name: str) -> str:
    """A table of the cases of each class."""
    by_class: dict[str, list[str]] = {}
    for one in campaign(name)["cases"]:
        if one["measured"]:
            by_class.setdefault(one["function_class"], []).append(_call(one))
    parts = ["\n".join([f"### {name}", "", CASES, *rows]) for name, rows in by_class.items()]
    return "\n" + "\n\n".join(parts) + "\n"


def _call(one: dict[str, Any]) -> str:
    measured, parameter = one["measured"], one["parameter"]
    where, net = one["condition"], estimate(measured[0]["net_cycles"])
    if parameter:
        first, last = parameter["domain"]["first"], parameter["domain"]["last"]
        where += f"; x = {first:,} … {last:,}"
        net = f"{net} … {estimate(measured[-1]['net_cycles'])}"
    spread = max(at["quartile_range_cycles"] for at in measured)
    return f"| `{one['name']}` | {where} | {one['n']:,} | {net} | {number(spread)} |"


def swept(name: str) -> str:
    """The laws of the cases with a parameter, or why there is none."""
    rows = [LAWS]
    for one in campaign(name)["cases"]:
        parameter, law = one["parameter"], one["law"]
        if not parameter:
            continue
        if law is None:
            said = f"none: {one['law_refused'] or one['hidden_parameter']}"
        else:
            named = (f"{at['name']} = {_coefficient(at['estimate'])}" for at in law["coefficients"])
            said = f"{law['model']}: {', '.join(named)}"
        rows.append(f"| `{one['name']}` | {parameter['name']} ({parameter['unit']}) | {said} |")
    return "\n".join(rows)


def _coefficient(found: dict[str, float]) -> str:
    width = found["half_width"]
    digits = 3 if abs(found["value"]) < 10 else 0
    return f"{found['value']:,.{digits}f} ± {width:,.{digits}f}"


def takes(**catalogues: str) -> str:
    """Time and memory of campaigns, each with its command on the page; each measured once."""
    rows = [
        "| catalogue | cases | layouts | runs | samples | wall s | CPU s | largest process, MB |",
        "|---|" + "--:|" * 7,
    ]
    for name, title in catalogues.items():
        done, found = made_folder(name), campaign(name)
        if done is None:
            raise PageError(f"{name} was kept, so what it takes is not known: run without --keep")
        made = [run for one in found["cases"] for at in one["measured"] for run in at["runs"]]
        samples = sum(run["raw_cycles"]["n"] + run["overhead_cycles"]["n"] for run in made)
        rows.append(
            f"| `{title}` | {len(found['cases'])} | {len(found['layouts'])} | {len(made):,} | "
            f"{samples:,} | {done.wall_s:.0f} | {done.cpu_s:.0f} | {done.peak_mb:.0f} |"
        )
    return "\n".join([*rows, "", f"{computer()} n = 1. Made by `make pages` on {today()}."])


def computer() -> str:
    """The machine that makes the pages, and how busy it is."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    load = os.getloadavg()[0]
    return (
        f"{models[0] if models else platform.machine()}, {os.cpu_count()} CPUs, "
        f"{platform.system()} {platform.release()}, load {load:.1f}."
    )
