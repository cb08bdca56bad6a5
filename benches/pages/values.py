"""Single figures of campaigns, and tables of them, as the pages write them."""

import math
import re
from typing import Any

from pages.runs import ROOT, PageError, answer, campaign, options, today


def number(found: float) -> str:
    """Three digits at least, whole numbers whole."""
    if not math.isfinite(found):
        raise PageError(f"{found} is no figure")
    digits = 0 if abs(found) >= 100 or abs(found - round(found)) < 0.005 else 1
    return f"{found:,.{digits}f}"


def estimate(found: dict[str, Any]) -> str:
    """A figure with its interval; without one, as it is exact for its image."""
    width = found["half_width"]
    return number(found["value"]) + (f" ± {number(width)}" if width is not None else "")


def case(name: str, case_name: str) -> dict[str, Any]:
    """A case of a campaign."""
    found = [one for one in campaign(name)["cases"] if one["name"] == case_name]
    if not found:
        raise PageError(f"the campaign {name} has no case {case_name}")
    return found[0]


def measured(name: str, case_name: str, x: int | None = None) -> dict[str, Any]:
    """Returns the figures of a case at x, or at its only condition."""
    for one in case(name, case_name)["measured"]:
        if one["parameter"] == x:
            return dict(one)
    raise PageError(f"{case_name} has no series at x = {x} in the campaign {name}")


def net(name: str, case_name: str, x: int | None = None) -> str:
    """Net cycles: over layouts their mean with the interval of a new link."""
    return estimate(measured(name, case_name, x)["net_cycles"])


def mean(name: str, case_name: str, x: int | None = None) -> str:
    """Net cycles without the interval, for a sentence beside a table that has it."""
    return number(measured(name, case_name, x)["net_cycles"]["value"])


def call(name: str, case_name: str, x: int | None = None) -> str:
    """Cycles of one call in the plain link less the empty call, at any x of the domain."""
    at = "" if x is None else f" --parameter {x}"
    (found,) = answer(f"explain {case_name}{at} {options(name)}")["explanations"]
    return number(found["call_cycles"] - found["empty_call_cycles"])


def slope(name: str, case_name: str, segment: int = 0) -> str:
    """Cycles for each unit of x, by a law of straight pieces."""
    law = case(name, case_name)["law"]
    if law is None or not law["segments"]:
        raise PageError(f"{case_name} has no law of straight pieces in the campaign {name}")
    return number(law["segments"][segment]["m"])


def law(name: str, case_name: str) -> str:
    """A straight law with its intervals."""
    found = case(name, case_name)["law"]
    if found is None or found["model"] != "linear":
        raise PageError(f"{case_name} has no straight law in the campaign {name}")
    m, q = (estimate(one["estimate"]) for one in found["coefficients"])
    return f"t = ({m})·x + ({q})"


def both(name: str, case_name: str, x: int | None = None) -> str:
    """Net cycles in ARM, and in Thumb in brackets."""
    return f"{net(name, case_name, x)} ({net(f'{name}_thumb', case_name, x)})"


def catalogue(where: str) -> list[dict[str, Any]]:
    """The cases of an image, by the options that choose it."""
    found: list[dict[str, Any]] = answer(f"list cases {where}".strip())
    return found


def cases(where: str = "", function_class: str = "*") -> str:
    """How many cases an image has, or one class of them."""
    chosen = [one for one in catalogue(where) if function_class in ("*", one["function_class"])]
    if not chosen:
        raise PageError(f"no case of class {function_class}: cyclescope list cases {where}")
    return str(len(chosen))


def classes(where: str = "") -> str:
    """How many classes of cases an image has."""
    return str(len({one["function_class"] for one in catalogue(where)}))


def made(*names: str) -> str:
    """Which images the figures are of, how many links of each, and of which day."""

    def image(name: str) -> str:
        found = campaign(name)
        links = len(found["layouts"])
        digest = f"`{found['conditions']['image_sha256'][:16]}…`"
        return f"{name} {digest}" + (f" and {links - 1} other layouts" if links > 1 else "")

    return f"Made by `make pages` on {today()}; images by SHA-256: {', '.join(map(image, names))}."


def agreement(board: str, column: str = "equal") -> str:
    """A cell of the table of judges in docs/reference/agreement.md; counts as "N of M"."""
    lines = (ROOT / "docs" / "reference" / "agreement.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if line.startswith("| ")]
    head = rows[0]
    for row in rows:
        if len(row) == len(head) and row[2] == f"`{board}`" and column in head:
            cell = row[head.index(column)]
            cases = row[head.index("cases")]
            return f"{int(cell):,} of {int(cases):,}" if column == "equal" else cell
    raise PageError(f"docs/reference/agreement.md has no {column} of {board}: make agreement")


def table(head: str, *rows: str) -> str:
    """A table of rows whose cells `|` divides; `{expression}` in a row is evaluated."""
    from pages import figures

    columns = head.count("|") + 1
    rule = "|---" + "|--:" * (columns - 1) + "|"
    filled = [
        re.sub(r"\{(.*?)\}", lambda one: str(eval(one[1], dict(figures.FUNCTIONS))), row)
        for row in rows
    ]
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
