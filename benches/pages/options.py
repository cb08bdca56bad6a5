"""Costs of a kernel's options (docs/how-to/options.md)."""

from typing import Any

from pages.runs import answer, campaign, today
from pages.values import number


def option_costs(name: str = "options") -> str:
    """A row for each value of each option: how many cases it changes, and by how much."""
    found = campaign(name)
    what = {one["option"]: one["what it does"] for one in answer("list options")}
    rows = ["| option | calls | from … to | what it does |", "|---|--:|--:|---|"]
    for one in found["configurations"]:
        if one["name"] == found["base"]:
            continue
        changed, costs = _changes(found["calls"], one["name"])
        least, greatest = min(costs, default=0.0), max(costs, default=0.0)
        span = _signed(least) if least == greatest else f"{_signed(least)} … {_signed(greatest)}"
        rows.append(f"| `{one['name']}` | {changed} | {span} | {what[_option(one)]} |")
    count = len({one["case"] for one in found["calls"]})
    return "\n".join([*rows, "", f"Of {count} cases. {_image(found)}"])


def _changes(calls: list[dict[str, Any]], name: str) -> tuple[int, list[float]]:
    """How many cases a configuration changes at any x, and its costs where there are any."""
    cases: set[str] = set()
    costs: list[float] = []
    for one in calls:
        cost = one["costs_cycles"].get(name)
        if cost is not None and cost["cycles"]["value"] != 0:
            cases.add(one["case"])
            costs.append(cost["cycles"]["value"])
    return len(cases), costs


def _option(one: dict[str, Any]) -> str:
    """The option that a configuration changes, which names it."""
    return str(one["name"]).partition("=")[0]


def _signed(cycles: float) -> str:
    return f"{'+' if cycles > 0 else '−' if cycles < 0 else ''}{number(abs(cycles))}"


def _image(found: dict[str, Any]) -> str:
    digest = found["conditions"]["image_sha256"][:16]
    return f"Made by `make pages` on {today()}; the base's image `{digest}…`."
