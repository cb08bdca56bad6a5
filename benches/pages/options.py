"""Costs of a kernel's options (docs/how-to/options.md)."""

from typing import Any

from cyclescope.target.footprint import Footprint
from pages.runs import answer, campaign, today
from pages.values import number


def option_costs(name: str = "options", *, footprint: bool = False) -> str:
    """A row for each value of each option: how many cases it changes, and by how much.

    With `footprint` also the bytes of flash and of RAM that its image has beyond the base's.
    """
    found = campaign(name)
    what = {one["option"]: one["what it does"] for one in answer("list options")}
    base = next(one for one in found["configurations"] if one["name"] == found["base"])
    bytes_ = (" flash | RAM |", "--:|--:|") if footprint else ("", "")
    rows = [
        f"| option | calls | from … to |{bytes_[0]} what it does |",
        f"|---|--:|--:|{bytes_[1]}---|",
    ]
    for one in found["configurations"]:
        if one is base:
            continue
        changed, costs = _changes(found["calls"], one["name"])
        least, greatest = min(costs, default=0.0), max(costs, default=0.0)
        span = _signed(least) if least == greatest else f"{_signed(least)} … {_signed(greatest)}"
        takes = f" {_beyond(one, base)} |" if footprint else ""
        rows.append(f"| `{one['name']}` | {changed} | {span} |{takes} {what[_option(one)]} |")
    count = len({one["case"] for one in found["calls"]})
    return "\n".join([*rows, "", f"Of {count} cases. {_image(found)}"])


def _beyond(one: dict[str, Any], base: dict[str, Any]) -> str:
    """Bytes of flash and of RAM beyond the base's: two cells."""
    its, usual = (Footprint.model_validate(each["footprint"]) for each in (one, base))
    return " | ".join(_signed(bytes_) for bytes_ in its.beyond(usual))


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
