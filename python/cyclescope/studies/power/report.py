"""Windows of a recorded measurement as text, and for programs."""

from dataclasses import asdict
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cyclescope.quantity import format_estimate, format_number
from cyclescope.report.terminal import heading
from cyclescope.stats.summary import Summary
from cyclescope.studies.power.recording import Recording
from cyclescope.studies.power.windows import Windows

ENERGY_DECIMALS = 3
MEANING = (
    "A window goes from the first sample at which the trigger is high to the next at which it is "
    "not. ±: 95 % over the windows, never less than one sample, as no edge is known better. The "
    "observed maximum bounds nothing. The interval does not cover errors of the instrument's "
    "own offset and gain."
)


def show(taken: Recording, found: Windows, console: Console) -> None:
    """Prints the conditions, and energy and duration of the windows."""
    console.print(heading(_conditions(taken, found)))
    console.print()
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("", "n", "mean ± 95 %", "σ", "min", "max"):
        table.add_column(name, justify="left" if not name else "right", no_wrap=True)
    estimates = (found.energy_estimate, found.duration_estimate)
    for name, one, estimate in zip(
        ("energy, µJ", "duration, µs"), (found.energy, found.duration), estimates, strict=True
    ):
        figures = (one.sigma, one.minimum, one.maximum)
        shown = (format_number(figure, ENERGY_DECIMALS) for figure in figures)
        table.add_row(name, str(one.n), format_estimate(estimate, ENERGY_DECIMALS), *shown)
    console.print(table)
    console.print(Text(f"mean power in the windows {found.mean_power_mw:,.3f} mW"))
    if found.cut:
        console.print(Text(f"cut by an end of the recording and not counted: {found.cut}"))
    console.print()
    console.print(Text(MEANING, style="dim"))


def _conditions(taken: Recording, found: Windows) -> list[tuple[str, str]]:
    low, high = float(taken.voltage_v.min()), float(taken.voltage_v.max())
    volts = f"{low:.3f} V" if np.isclose(low, high) else f"{low:.3f} … {high:.3f} V"
    length_s = taken.period_s * taken.time_s.size
    return [
        ("instrument", f"{taken.instrument}, a sample each {found.period_us:g} µs"),
        ("recording", f"{taken.time_s.size:,} samples, {length_s:g} s"),
        ("supply", volts),
        ("resolution", f"one sample, {found.resolution_uj:.4g} µJ in the windows"),
    ]


def document(taken: Recording, found: Windows) -> dict[str, Any]:
    """The same for programs."""
    return {
        "instrument": taken.instrument,
        "samples": int(taken.time_s.size),
        "period_us": found.period_us,
        "resolution_uj": found.resolution_uj,
        "energy_uj": {**_summary(found.energy), "estimate": _known(asdict(found.energy_estimate))},
        "duration_us": {
            **_summary(found.duration),
            "estimate": _known(asdict(found.duration_estimate)),
        },
        "mean_power_mw": found.mean_power_mw,
        "cut": found.cut,
    }


def _summary(one: Summary) -> dict[str, Any]:
    return _known(asdict(one))


def _known(values: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinities: what is not known is null."""
    return {name: value if np.isfinite(value) else None for name, value in values.items()}
