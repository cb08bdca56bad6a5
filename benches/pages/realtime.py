"""Figures of docs/explanation/realtime.md: Linux beside FreeRTOS on the AT91x40; and of FreeRTOS on
the STM32F100 (docs/reference/stm32f100rb.md)."""

import math
from typing import Any

from pages.runs import answer, campaign, made_folder, today
from pages.values import table

SYSTEMS = {
    "FreeRTOS": "realtime_freertos",
    "Linux, none": "realtime_none",
    "Linux, voluntary": "realtime_voluntary",
    "Linux, full": "realtime_full",
}
"""The systems by what a table calls them, each with its campaign."""
INDICATORS = ("switching", "preemption", "interrupt", "shuffling", "hardware", "wake_up")


def realtime_table() -> str:
    """Each indicator of each system: n, score, quantiles, the longest time, the load."""
    rows = [
        f"{indicator.replace('_', '-')} | {name} | {_row(found)}"
        for indicator in INDICATORS
        for name, found in _runs(indicator)
    ]
    head = "indicator | system | n | score | median | p99 | longest seen | load, measured | true"
    return table(head, *rows)


STM32F100 = "realtime_stm32f100"


def stm32f100_realtime() -> str:
    """Each indicator of FreeRTOS on the STM32F100, and of which image."""
    found = campaign(STM32F100)
    ordered = {one["trial"]["indicator"]: one for one in found["runs"]}
    rows = [
        f"{indicator.replace('_', '-')} | {_row(ordered[indicator])}"
        for indicator in INDICATORS
        if indicator in ordered
    ]
    head = "indicator | n | score | median | p99 | longest seen | load, measured | true"
    image = found["conditions"]["image_sha256"][:16]
    return table(head, *rows) + f"\n\nMade by `make pages` on {today()}; image `{image}…`."


def _runs(indicator: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        (name, one)
        for name, folder in SYSTEMS.items()
        for one in campaign(folder)["runs"]
        if one["trial"]["indicator"] == indicator
    ]


def _row(one: dict[str, Any]) -> str:
    times, score = one["times"], one["kept"]
    median, p99, _ = (quantile["value"] for quantile in times["quantiles"])
    cells = (
        f"{times['summary']['n']:,}",
        _score(score["value"], score["half_width"]),
        f"{median:,.0f}",
        f"{p99:,.0f}",
        f"{times['summary']['maximum']:,.0f}",
        f"{one['measured_load_percent']:.1f}",
        f"{one['true_load_percent']:.1f}",
    )
    return " | ".join(cells)


def _score(value: float, half_width: float | None) -> str:
    """As many digits as the interval has, and one more."""
    if half_width is None or half_width == 0:
        return f"{value:.3f}"
    digits = max(0, 1 - math.floor(math.log10(half_width)))
    return f"{value:.{digits}f} ± {half_width:.{digits}f}"


def realtime_units() -> str:
    """The unit of each system, T_standard, and the frame that every time has."""
    rows = []
    for name, folder in SYSTEMS.items():
        raw, empty = (campaign(folder)["units"][0][which] for which in ("raw", "empty"))
        cells = raw["n"], raw["mean"], raw["sigma"], raw["maximum"], empty["mean"]
        rows.append(f"{name} | {cells[0]} | " + " | ".join(f"{one:,.0f}" for one in cells[1:]))
    return table("system | n | mean | σ | longest | empty frame", *rows)


def realtime_ratios() -> str:
    """Linux by FreeRTOS of each indicator that both have: longest times, medians."""
    rows = []
    for name in list(SYSTEMS)[1:]:
        made_folder(SYSTEMS["FreeRTOS"])
        made_folder(SYSTEMS[name])
        found = answer(f"compare {SYSTEMS[name]} {SYSTEMS['FreeRTOS']}")
        for one in found["rows"]:
            ratios = " | ".join(_ratio(one[which]) for which in ("maxima", "median"))
            rows.append(f"{one['trial']['indicator']} | {name} | {ratios}")
    return table("indicator | system | longest times | medians", *sorted(rows, key=_place))


def _place(row: str) -> int:
    return INDICATORS.index(row.partition(" |")[0])


def _ratio(one: dict[str, Any]) -> str:
    value, low, high = (one[which] for which in ("value", "low", "high"))
    return "–" if value is None else f"{value:.2f} ({low:.2f} … {high:.2f})"


def realtime_made() -> str:
    """Which images, and of which day."""
    images = (
        f"{name} `{campaign(folder)['conditions']['image_sha256'][:16]}…`"
        for name, folder in SYSTEMS.items()
    )
    return f"Made by `make pages` on {today()}; images by SHA-256: {', '.join(images)}."


def realtime_rejected(indicator: str, system: str) -> str:
    """How many samples the rules rejected, and the two most frequent causes of these."""
    causes = [one for one in _run(indicator, system)["causes"] if one["rejected"]]
    causes.sort(key=lambda one: one["rejected"], reverse=True)
    most = (f"{one['rejected']:,} by “{one['name']}”" for one in causes[:2])
    return f"{sum(one['rejected'] for one in causes):,}, {' and '.join(most)}"


def realtime_p99(indicator: str, system: str) -> str:
    """The 99 % quantile of an indicator's samples, in cycles."""
    return f"{_run(indicator, system)['times']['quantiles'][1]['value']:,.0f}"


def _run(indicator: str, system: str) -> dict[str, Any]:
    return next(one for name, one in _runs(indicator) if name == system)
