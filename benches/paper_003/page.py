"""The page of table 1, and its pictures."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from instrument import Instrument, phase_errors_us
from table import Batch, Entry

sys.path.insert(0, str(Path(__file__).parent.parent))
import svg

WITHIN_US = 0.001
"""The whole interval of a line fit's bias must lie within this."""

HEAD = Path(__file__).with_name("page.md").read_text()


def text(
    instrument: Instrument,
    batches: Sequence[Batch],
    found: Sequence[Entry],
    count: int,
    seed: int,
) -> str:
    """The whole page."""
    card, pin = instrument.card, instrument.pin
    overhead, direct = instrument.overhead_us(), _direct(found).row.paper[1]
    _, errors = phase_errors_us(instrument)
    clocks = [one.clock_ppm for one in batches]
    return HEAD.format(
        count=count,
        executions=sum(one.executions for one in batches),
        cycles=sum(one.cycles for one in batches),
        overhead=overhead,
        before=pin.before_cycles,
        after=pin.after_cycles,
        rise_ns=pin.rise_ns,
        fall_ns=pin.fall_ns,
        rise=card.rise_s * 1e6,
        fall=card.fall_s * 1e6,
        ppm=card.clock_ppm,
        clock=f"{min(clocks):.3f} … {max(clocks):.3f}",
        jitter=card.jitter_s * 1e6,
        noise=card.noise,
        step=card.step,
        seed=seed,
        rate=card.rate_hz,
        direct=direct,
        rows="\n".join(_row(one, overhead, direct) for one in found),
        verdict=_verdict(found, overhead),
        phase_rms=float(np.sqrt(np.mean(np.square(errors)))),
        phase_most=float(np.abs(errors).max()),
    )


def _direct(found: Sequence[Entry]) -> Entry:
    return next(one for one in found if one.row.keeps_overhead == 1)


def _row(one: Entry, overhead: float, direct: float) -> str:
    least = one.row.least_sigma
    truth = overhead * one.row.keeps_overhead
    mean, sigma = one.row.paper
    return (
        f"| {one.row.name} | {mean} ± {sigma} | {one.n:,} | {one.mean:.4f} | {one.sigma:.4f} | "
        f"{'' if least is None else f'{least * direct:.4f}'} | "
        f"{one.bias:.5f} ± {one.half_width:.5f} | {truth:.5f} | "
        f"{'holds' if one.holds(truth) else '**misses**'} |"
    )


def _verdict(found: Sequence[Entry], overhead: float) -> str:
    lines = [one for one in found if one.row.technique == "straight_line"]
    inside = all(abs(one.bias) + one.half_width < WITHIN_US for one in lines)
    held = sum(one.holds(overhead * one.row.keeps_overhead) for one in found)
    return (
        f"The intervals of {held} of {len(found)} rows hold the truth. For both line fits the "
        f"whole interval lies {'within' if inside else '**outside**'} ± {WITHIN_US} µs."
    )


def draw(instrument: Instrument, found: Sequence[Entry], folder: Path) -> None:
    """Figure 7 again, and the error of an edge by its phase."""
    kept = [one for one in found if one.row.keeps_overhead]
    n = [1 / one.row.keeps_overhead for one in kept]
    svg.write(
        folder / "table_1.svg",
        svg.Axis("N executions", logarithmic=True),
        svg.Axis("error (µs)", logarithmic=True),
        [
            svg.Trace("ε / N, ε = 8.5 µs", n, [8.5 / one for one in n], dots=False, line=True),
            svg.Trace("the paper's table 1", n, [one.row.paper[0] - 100 for one in kept]),
            svg.Trace("executed here", n, [one.bias for one in kept]),
        ],
    )
    phases, errors = phase_errors_us(instrument)
    svg.write(
        folder / "edge_phase.svg",
        svg.Axis("phase between two samples"),
        svg.Axis("error (ns)"),
        [
            svg.Trace(name, phases, [value * 1e3 for value in values], dots=False, line=True)
            for name, values in zip(("rising", "falling"), errors, strict=True)
        ],
    )
