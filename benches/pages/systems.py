"""Figures of docs/how-to/compare-systems.md: FreeRTOS and Linux on the AT91x40."""

from typing import Any

from pages.runs import answer, made_folder, today
from pages.values import table

FIRST, SECOND = "at91_ram", "linux"
"""FreeRTOS with its code in the memory that Linux runs in, and Linux."""


def system_classes() -> str:
    """The classes: means, wins, forms of law, order."""
    both = _compared()["systems"]
    rows = [_class_row(one) for one in (*both["classes"], both["whole"])]
    heads = "class | pairs | FreeRTOS, cycles | Linux, cycles | ratio | geometric"
    return table(f"{heads} | FreeRTOS wins | Linux wins | other form | exchanged", *rows)


def _class_row(one: dict[str, Any]) -> str:
    timed, pairs = len(one["timed"]), len(one["pairs"])
    count = str(timed) if timed == pairs else f"{timed} of {pairs}"
    first, second = one["means"]
    first_wins, second_wins = (len(names) for names in one["wins"])
    order = f"{100 * one['exchanged'] / one['orders']:.0f} %" if one["orders"] else "–"
    return (
        f"{one['name']} | {count} | {first:,.0f} | {second:,.0f} | {one['ratio']['value']:.2f} | "
        f"{one['geometric_mean']:.2f} | {first_wins} | {second_wins} | "
        f"{len(one['form_changes'])} | {order}"
    )


def system_pairs() -> str:
    """Every pair with its times at the first and the last x of both."""
    rows = []
    for one in _compared()["cases"]:
        names = f"`{one['name']}` | `{one['counterpart']['name']}`"
        ends = one["points"][:1] + one["points"][1:][-1:]
        if not ends:
            rows.append(f"{names} | – | – | {'nearly' if one['pairing']['nearly'] else 'same'} | –")
            continue
        sides = (" … ".join(_cycles(point[side]) for point in ends) for side in ("first", "second"))
        alike = "nearly" if one["pairing"]["nearly"] else "same"
        rows.append(f"{names} | {' | '.join(sides)} | {alike} | {_ratio(one)}")
    return table("FreeRTOS | POSIX | FreeRTOS, cycles | Linux, cycles | alike | ratio", *rows)


def _cycles(one: dict[str, Any]) -> str:
    return f"{one['net_cycles']['value']:,.0f}"


def _ratio(one: dict[str, Any]) -> str:
    value = one["ratio"]["value"]
    return "–" if value is None else f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def system_ratio(name: str) -> str:
    """Linux by FreeRTOS of the pair with this case of FreeRTOS."""
    return _ratio(next(one for one in _compared()["cases"] if one["name"] == name))


def system_ratio_range() -> str:
    """The least and the greatest ratio of a class's means."""
    ratios = [one["ratio"]["value"] for one in _compared()["systems"]["classes"]]
    return f"{min(ratios):.1f} to {max(ratios):.0f}"


def system_growth(name: str) -> str:
    """Cycles for one more unit of x, in FreeRTOS and in Linux, of such a pair."""
    dependences = _compared()["systems"]["dependences"]
    found = next(one for one in dependences if one["name"].startswith(f"{name} ~"))
    return " and ".join(f"{growth:,.1f}".removesuffix(".0") for growth in found["growth"])


def system_sigma(name: str) -> str:
    """σ of Linux's samples in such a pair, in cycles."""
    found = next(one for one in _compared()["cases"] if one["name"] == name)
    return f"{found['points'][-1]['second']['sigma_within_cycles']:,.0f}"


def systems_that_vary() -> str:
    """How many pairs have samples under Linux that differ, of those with a time."""
    timed = [one for one in _compared()["cases"] if one["points"]]
    vary = [one for one in timed if one["points"][-1]["second"]["sigma_within_cycles"] > 0]
    return f"{len(vary)} of {len(timed)}"


def system_order() -> str:
    """Kendall's τ of all calls."""
    return f"{_compared()['systems']['kendall_tau']:.2f}"


def systems_made() -> str:
    """Which images, and of which day."""
    sides = (_compared()[side]["conditions"] for side in ("first", "second"))
    images = (f"{one['kernel']} `{one['image_sha256'][:16]}…`" for one in sides)
    return f"Made by `make pages` on {today()}; images by SHA-256: {', '.join(images)}."


def _compared() -> dict[str, Any]:
    for one in (FIRST, SECOND):
        made_folder(one)
    found: dict[str, Any] = answer(f"compare {FIRST} {SECOND}")
    return found
