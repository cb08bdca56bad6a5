"""The clock of a counted program with a kernel: what its code and its kernel take.

Ticks end delays and slices, so the conditions of calls depend on time. A first run has usual
prices; each further one has those that the run before it gave, until they stay.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_kernel import KernelPrices
from cyclescope.sources.kernel_calls import VALUES
from cyclescope.studies.estimate.calls.laws import Laws
from cyclescope.studies.estimate.calls.pricing import condition_cycles, priced

MOST_RUNS = 4
NEAR = 0.001
"""Between two runs whose clocks differ by less, nothing changes that a price would show."""


def prices(
    counts: SourceCounts, own: Mapping[int, float], laws: Laws, tick_cycles: int
) -> KernelPrices:
    """The prices that a counted run gives its clock.

    `own` are the cycles of its regions in the whole run.
    Calls of libraries are charged to the regions that make them.
    """
    of_kernel = {one.id for one in counts.calls if one.parameters == VALUES}
    region = {one.id: one.region for one in counts.calls}
    spent = Counter[int]({at: round(cycles) for at, cycles in own.items()})
    for call in priced(counts, laws):
        if call.call not in of_kernel:
            spent[region[call.call]] += round(call.cycles)
    callee = {one.id: one.callee for one in counts.calls}
    passagees = {
        values: condition_cycles(callee[call], dict(zip(VALUES, values, strict=True)), laws)
        for _, call, values, _ in counts.parameters
        if call in of_kernel
    }
    totals = counts.totals
    regions = {at: cycles / totals[at] for at, cycles in spent.items() if totals[at]}
    return KernelPrices(tick_cycles, regions, passagees)


def settled(
    count: Callable[[KernelPrices], SourceCounts],
    own: Callable[[SourceCounts], Mapping[int, float]],
    laws: Laws,
    tick_cycles: int,
) -> SourceCounts:
    """Counts of a run whose clock has the prices that it gives, or the last of `MOST_RUNS`.

    `count` runs the program on a clock; `own` prices what is the program's own, by region.
    """
    counts = count(KernelPrices(tick_cycles))
    before = 0.0
    for _ in range(MOST_RUNS):
        found = prices(counts, own(counts), laws, tick_cycles)
        total = sum(found.regions.get(at, 0.0) * n for at, n in counts.totals.items())
        total += sum(call.cycles for call in priced(counts, laws))
        if abs(total - before) <= NEAR * total:
            break
        before = total
        counts = count(found)
    return counts
