"""Figures of docs/explanation/platform-ratio.md: one campaign of configurations and K."""

from datetime import date
from functools import cache
from statistics import fmean, stdev
from typing import Any

from pages.runs import answer, campaign
from pages.values import table

PLATFORMS = {
    "mam=0": "MAM 0, accelerator off",
    "mam=1": "MAM 1, partial",
    "code=lab": "code in RAM without wait states",
    "isa=thumb": "Thumb",
    "optimise=Os": "-Os",
    "clock=24": "24 MHz (MAMTIM 2)",
    "clock=12": "12 MHz (MAMTIM 1)",
}
"""The page's name of each configuration of the campaign `platform`."""

LONG_CYCLES = 100
"""A function whose cases take so long in the base is no short one."""


def platform(name: str) -> dict[str, Any]:
    """One configuration of the campaign `platform`."""
    return next(one for one in campaign("platform")["configurations"] if one["name"] == name)


def platform_ratios() -> str:
    """K of each configuration to the base: over functions, and over those that are not short."""
    rows = []
    for name in PLATFORMS:
        for ratios in platform(name)["platform_ratios"]:
            of = [("means", "means"), ("m", "m"), ("q", "q")]
            unit = "" if ratios["unit"] == "cycles" else ", in µs"
            for key, shown in of[:1] if unit else of:
                one = ratios[key]
                ends = " … ".join(f"{end:.3f}" for end in one["without_one"])
                label = f"{PLATFORMS[name]}{unit}" if key == "means" else ""
                rows.append(
                    f"{label} | {shown} | {one['n']} | {one['cases']} | {one['k']:.3f} | "
                    f"{one['half_width']:.3f} | {ends} | {one['another']:.3f} | "
                    f"{one['held_percent']:.0f} % | {one['k_max']:.3f} | {one['k_min']:.3f} | "
                    f"{one['sigma_percent']:.2f}"
                )
            if not unit:
                rows.append(_platform_long(name))
    heads = ("configuration", "of", "functions", "cases", "K", "± 95 %", "without one", "another ±")
    return table(" | ".join([*heads, "within it", "K_max", "K_min", "σ %"]), *rows)


def _platform_long(name: str) -> str:
    ratios = long_functions(name)
    mean, n = fmean(ratios), len(ratios)
    of = f"means ≥ {LONG_CYCLES} cycles"
    ends = f"{max(ratios):.3f} | {min(ratios):.3f} | {100 * stdev(ratios) / mean:.2f}"
    return f" | {of} | {n} |  | {mean:.3f} |  |  |  |  | {ends}"


@cache
def _platform_base() -> dict[str, Any]:
    campaign("platform")
    return {one["name"]: one for one in answer("show platform/base")["cases"]}


def long_functions(name: str) -> list[float]:
    """The ratio of each function all of whose cases take LONG_CYCLES or more in the base."""
    base, ratios, short = _platform_base(), {}, set()
    for one in platform(name)["cases"]:
        case = base[one["name"]]
        function = case["call"].partition("(")[0].strip()
        ratios.setdefault(function, []).append(one["ratio"]["value"])
        if fmean(at["net_cycles"]["value"] for at in case["measured"]) < LONG_CYCLES:
            short.add(function)
    return [fmean(each) for function, each in ratios.items() if function not in short]


def platform_spent() -> str:
    """Where the cycles of one call of each case go."""
    rows = []
    for name, words in {"base": "base", **PLATFORMS}.items():
        spent = platform(name)["spent_cycles"]
        total = sum(spent.values())
        waits = [spent[kind] for kind in ("instructions", "fetch_stalls", "data_waits")]
        shares = " | ".join(f"{100 * one / total:.1f} %" for one in waits)
        rows.append(f"{words} | {total:,} | {shares}")
    heads = ("configuration", "cycles", "instructions", "waits for instructions", "waits for data")
    return table(" | ".join(heads), *rows)


def platform_extremes(name: str, of: str = "means") -> str:
    """The functions with the greatest and the least ratio."""
    one = platform(name)["platform_ratios"][0][of]
    return (
        f"most `{one['max_case']}` ({one['k_max']:.2f}), "
        f"least `{one['min_case']}` ({one['k_min']:.2f})"
    )


def platform_k(name: str, of: str = "means") -> str:
    """K alone."""
    return f"{platform(name)['platform_ratios'][0][of]['k']:.2f}"


def platform_made() -> str:
    """Which images, and of which day."""
    image = platform("base")["conditions"]["image_sha256"][:16]
    cases = len(_platform_base())
    return (
        f"Made by `make pages` on {date.today().isoformat()}: {cases} cases, one layout; the "
        f"base's image has SHA-256 `{image}…`."
    )
