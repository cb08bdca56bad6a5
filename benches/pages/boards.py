"""Figures of docs/explanation/platform-ratio.md: K between two real boards."""

from typing import Any

from pages.runs import answer, made_folder
from pages.values import made, table

BASES = {"arm": "freertos", "thumb": "freertos_thumb"}
"""The campaign on the LPC2148, by instruction set."""
PLACES = {
    "at91_internal": "RAM on the chip",
    "at91_ram": "external RAM, 1 wait state",
    "at91_rom": "ROM, 3 wait states",
    "at91_internal_thumb": "RAM on the chip, Thumb",
    "at91_rom_thumb": "ROM, 3 wait states, Thumb",
}
"""Campaigns on the AT91x40, and what the page calls them."""
MICROSECONDS = "us"


def board_ratios() -> str:
    """K of each place of the AT91x40's code to the LPC2148's flash, in cycles and in µs."""
    rows = []
    for name, words in PLACES.items():
        in_us = _ratio(name, "means", MICROSECONDS)["k"]
        for of in ("means", "m", "q"):
            one = _ratio(name, of)
            label, us = (words, f"{in_us:.3f}") if of == "means" else ("", "")
            rows.append(
                f"{label} | {of} | {one['n']} | {one['cases']} | {one['k']:.3f} | "
                f"{one['half_width']:.3f} | {one['another']:.3f} | {one['held_percent']:.0f} % | "
                f"{one['k_max']:.3f} | {one['k_min']:.3f} | {one['sigma_percent']:.2f} | {us}"
            )
    heads = ("AT91x40, code in", "of", "functions", "cases", "K", "± 95 %", "another ±")
    return table(" | ".join([*heads, "within it", "K_max", "K_min", "σ %", "K in µs"]), *rows)


def board_k(name: str, unit: str = "cycles") -> str:
    """K of the means alone."""
    return f"{_ratio(name, 'means', unit)['k']:.2f}"


def boards_made() -> str:
    """Which images, and of which day."""
    return made(*BASES.values(), *PLACES)


def _ratio(name: str, of: str, unit: str = "cycles") -> dict[str, Any]:
    base = BASES["thumb" if name.endswith("thumb") else "arm"]
    for one in (base, name):
        made_folder(one)
    found = answer(f"compare {base} {name} --in {unit}")["platform_ratio"]
    return next(ratio for ratio in found if ratio["of"] == of)
