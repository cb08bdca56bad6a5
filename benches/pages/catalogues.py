"""Catalogues of exact boards, case by case: docs/reference/posix-at91x40.md."""

from typing import Any

from pages.runs import campaign
from pages.values import estimate

CASES = "| case | condition | n | net cycles |\n|---|---|--:|--:|"
REASONS = "| case | reason |\n|---|---|"


def exact_calls(name: str) -> str:
    """A table of the cases of each class; of swept cases the figures at both ends of x."""
    by_class: dict[str, list[str]] = {}
    for one in campaign(name)["cases"]:
        if one["measured"]:
            by_class.setdefault(one["function_class"], []).append(_call(one))
    parts = ["\n".join([f"### {title}", "", CASES, *rows]) for title, rows in by_class.items()]
    return "\n" + "\n\n".join(parts) + "\n"


def _call(one: dict[str, Any]) -> str:
    measured, parameter = one["measured"], one["parameter"]
    where, net = one["condition"], estimate(measured[0]["net_cycles"])
    if parameter:
        first, last = measured[0]["parameter"], measured[-1]["parameter"]
        where += f"; x = {first:,} … {last:,}"
        net = f"{net} … {estimate(measured[-1]['net_cycles'])}"
    return f"| `{one['name']}` | {where} | {one['n']:,} | {net} |"


def exact_share(name: str) -> str:
    """The share of samples that no tick hit, in percent, of all runs of a campaign."""
    runs = _runs(name)
    kept = sum(one["raw_cycles"]["n"] for one in runs)
    ticked = sum(one["rejected"].get("tick", 0) for one in runs)
    return f"{100 * kept / (kept + ticked):.1f} %"


def exact_truth(name: str) -> str:
    """The greatest difference of a run's mean to the truth, and the number of runs."""
    differences = [abs(one["truth_difference_cycles"]) for one in _runs(name)]
    return f"at most {max(differences):g} cycles in {len(differences)} runs"


def _runs(name: str) -> list[dict[str, Any]]:
    return [
        run
        for one in campaign(name)["cases"]
        for measured in one["measured"]
        for run in measured["runs"]
    ]


def not_measured(name: str) -> str:
    """Cases that the board refused or that failed, each with its reason."""
    found = campaign(name)
    rows = [
        f"| `{one['case']}` | {one['reason']} |" for one in (*found["refused"], *found["failed"])
    ]
    return "\n".join([REASONS, *rows])
