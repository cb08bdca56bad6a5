"""The comparison as a page of docs/, and figures 2 and 3 of the paper from our own data."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cyclescope.firmware.fragment.plan import Estimated, Observations
from cyclescope.quantity import Estimate
from cyclescope.stats.least_squares import fit
from cyclescope.stats.summary import Values
from svg import Axis, Trace, write

if TYPE_CHECKING:
    from host.compare import Collected
    from host.ours import Ours

Shares = Mapping[int, Mapping[str, tuple[float, float]]]

TITLE = """# On the host: our techniques beside long loops, Google Benchmark and criterion

For readers who ask whether the techniques are right on a computer that overlaps calls.
Made by `make bench-host`.

Code: `benches/host/`.

"""
HEAD = """
## Beside Google Benchmark and criterion

Fragments are chains of n multiplications. Each multiplication waits for the one before, on from
call to call. So a call of n takes n times one link and nothing else (`benches/host/chains.h`).
Every tool timed every chain {repetitions} times, in turn, for
{budget:g} ms at a time, with the same clock (`CLOCK_MONOTONIC`), on the same CPU, at the same
priority. One link took {link:.3f} ns (median of {references} references; 5th to 95th percentile
{low:.3f} to {high:.3f}: the core's clock is not constant). Each estimate is divided by the mean of
the references just before and after it: it is given in links, whose truth is known. The reference
is a median: what interrupts now and then is not in it, and is in what averages.

{machine}

* **at {first} links ({shortest:.0f} ns)** and **at {longest} links**: how far estimates lie off the
  truth; median ± standard deviation of the {repetitions} estimates.
* **intercept** and **slope** of the line through the estimates of all lengths, with 95 %
  intervals: nothing and 1 if there is no systematic error.
* **timed**: what was between the readings of the clock for each estimate of the shortest chain;
  of ours less than the budget where a series holds no more samples.

| tool | at {first} links | at {longest} links | intercept (ns) | slope | timed (ms) | rejected |
|---|--:|--:|--:|--:|--:|--:|
"""


def page(
    arguments: argparse.Namespace,
    machine: Mapping[str, str],
    collected: "Collected",
    shares: Shares,
    overlap: str,
) -> str:
    link_ns = np.array(collected.link_ns)
    low, link, high = np.percentile(link_ns, [5, 50, 95])
    head = HEAD.format(
        repetitions=arguments.repetitions,
        budget=arguments.budget_ms,
        link=link,
        low=low,
        high=high,
        references=link_ns.size,
        shortest=link * min(shares),
        first=min(shares),
        longest=max(shares),
        machine="\n".join(f"    {key.replace('_', ' ')}: {text}" for key, text in machine.items()),
    )
    rows = [
        _row(tool, by_length, float(link), shares, arguments.budget_ms)
        for tool, by_length in sorted(collected.links.items(), key=lambda item: _spread(item[1]))
    ]
    return TITLE + overlap + head + "\n".join(rows) + "\n"


def _row(
    tool: str, by_length: Mapping[int, list[float]], link_ns: float, shares: Shares, budget: float
) -> str:
    lengths = np.array(sorted(by_length), np.float64)
    estimates = np.column_stack([by_length[int(length)] for length in lengths])
    solved = fit(np.column_stack([lengths, np.ones(lengths.size)]), estimates)
    slope, intercept = solved.estimate([1, 0]), solved.estimate([0, 1])
    timed, rejected = shares[int(lengths[0])].get(tool, (budget, None))
    cells = [
        tool,
        _off(estimates[:, 0] / lengths[0]),
        _off(estimates[:, -1] / lengths[-1]),
        _plus_minus(Estimate(intercept.value * link_ns, intercept.half_width * link_ns), 2),
        _plus_minus(slope, 4),
        f"{timed:.1f}",
        "" if rejected is None else f"{100 * rejected:.1f} %",
    ]
    return f"| {' | '.join(cells)} |"


def _spread(by_length: Mapping[int, list[float]]) -> float:
    return float(np.std(by_length[min(by_length)]))


def _off(ratios: Values) -> str:
    return f"{100 * (np.median(ratios) - 1):+.2f} ± {100 * np.std(ratios, ddof=1):.2f} %"


def _plus_minus(estimate: Estimate, decimals: int) -> str:
    return f"{estimate.value:.{decimals}f} ± {estimate.half_width:.{decimals}f}"


def figures(ours: "Ours", folder: Path) -> None:
    """Figure 2: a round with nothing rejected; figure 3: one with a single far time."""
    folder.mkdir(exist_ok=True)
    rounds = [
        (observed, found, index)
        for observed, found in ours.robust()
        for index in range(len(observed.times))
    ]
    whole = next(one for one in rounds if not one[1].rejected[one[2]].any())
    far = max(
        (one for one in rounds if one[1].rejected[one[2]].sum() == 1),
        key=lambda one: _deviation(*one),
    )
    _figure(folder / "straight_line.svg", *whole)
    _figure(folder / "robust_line.svg", *far)


def _deviation(observed: Observations, found: Estimated, index: int) -> float:
    """How visible the one far time is: best where it is neither lost nor squeezes the others."""
    times, far = observed.times[index], found.rejected[index]
    return -abs(float(times[far][0] - np.median(times)) - float(np.ptp(times[~far])))


def _figure(path: Path, observed: Observations, found: Estimated, index: int) -> None:
    times, kept = observed.times[index], ~found.rejected[index]
    executions = observed.executions
    ends = np.array([0.0, executions.max()])
    traces = [Trace("measured", executions.tolist(), times.tolist())]
    for name, chosen in (("all points", kept | True), ("without the far one", kept)):
        slope, intercept = np.polyfit(executions[chosen], times[chosen], 1)
        label = f"{name}: {slope:.2f} N + {intercept:.1f} ns"
        if name == "all points" or not kept.all():
            traces.append(
                Trace(label, ends.tolist(), (slope * ends + intercept).tolist(), False, True)
            )
    write(path, Axis("executions N"), Axis("T(N) (ns)"), traces)
