"""Direct timing: the timer is read just before and just after the call.

Brandolese and Fornaciari, section 2.2. What reading the timer costs is measured by the same probes
around an empty call of the same signature, in the same conditions, and subtracted as a mean. A
sample inside which the kernel's tick fell is kept and rejected by the rule `tick`.

Of a fragment it is one execution between two readings of the clock, with nothing subtracted
(Moreno and Fischmeister, section 1): T_e + epsilon stands where T_e should.
"""

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from cyclescope.case import Case
from cyclescope.fragment import Estimated, Observations, Plan, Point, solve
from cyclescope.results import Refused, Run, reject
from cyclescope.series import Series
from cyclescope.stats.summary import Summary, summarise
from cyclescope.target import Capability, DoesNotFit, Target, TurnedDown
from cyclescope.technique import FragmentTechnique, Taken, Technique

TICK_RULE = "tick"


class Direct(Technique):
    """Timer start and stop around the call."""

    name = "direct"
    sentence = "timer read before and after each call; overhead by an empty call"
    requires = frozenset({Capability.CYCLE_COUNTER})

    def take(
        self, target: Target, case: Case, parameter: int | None, lengths: Sequence[int]
    ) -> Taken:
        target.reset()
        unfit: dict[int, DoesNotFit | TurnedDown] = {}
        try:
            series = tuple(_series(target, case, parameter, lengths, unfit))
        except TurnedDown as error:
            series, unfit = (), dict.fromkeys(lengths, error)
        return Taken(
            layout=target.conditions().layout,
            parameter=parameter,
            series=series,
            cycles_per_count=target.conditions().cycles_per_count,
            findings=target.findings(),
            refused=_refused(target, case, parameter, unfit),
        )

    def rejected(self, samples: pa.Table) -> pa.Table:
        return reject(samples, samples["tick_hit"], TICK_RULE)

    def overhead(self, run: Run) -> Summary | None:
        empty = run.probed_cycles("empty")
        return summarise(empty) if empty.size else None


def _series(
    target: Target,
    case: Case,
    parameter: int | None,
    lengths: Sequence[int],
    unfit: dict[int, DoesNotFit | TurnedDown],
) -> Iterable[Series]:
    """The series that fit, one by one; `unfit` takes why the others do not."""
    if Capability.EXACT_TRUTH in target.capabilities:
        if brief := _steady(target, case, parameter, lengths):
            return brief
        target.reset()
    return _all(target, case, parameter, lengths, unfit)


def _steady(
    target: Target, case: Case, parameter: int | None, lengths: Sequence[int]
) -> list[Series]:
    """The shortest and the longest series, if every call in them is the same to a target that sees
    all: then those between, and more empty calls, would repeat it. Else none."""
    ends = dict.fromkeys([lengths[0], lengths[-1]])
    try:
        real = [target.run_series(case, parameter, length, False) for length in ends]
    except DoesNotFit:
        return []
    firsts = [one.samples[0]._replace(start=0, stop=one.samples.first_elapsed) for one in real]
    if len(set(firsts)) > 1 or not all(one.samples.steady for one in real):
        return []
    return [*real, target.run_series(case, parameter, lengths[0], True)]


def _all(
    target: Target,
    case: Case,
    parameter: int | None,
    lengths: Sequence[int],
    unfit: dict[int, DoesNotFit | TurnedDown],
) -> Iterator[Series]:
    for length, empty in _order(lengths, target.conditions().noisy):
        if length in unfit:
            continue
        try:
            yield target.run_series(case, parameter, length, empty)
        except DoesNotFit as error:
            unfit[length] = error


def _order(lengths: Sequence[int], drifts: bool) -> list[tuple[int, bool]]:
    """Lengths, and whether calls are empty: real ones first; where the machine drifts, each series
    just before the empty one that is taken from it."""
    if drifts:
        return [(length, empty) for length in lengths for empty in (False, True)]
    return [(length, empty) for empty in (False, True) for length in lengths]


def _refused(
    target: Target, case: Case, parameter: int | None, unfit: dict[int, DoesNotFit | TurnedDown]
) -> Refused | None:
    if not unfit:
        return None
    refused = Refused(
        layout_number=target.conditions().layout_number,
        case=case.name,
        parameter=parameter,
        lengths=tuple(unfit),
    )
    larger = [error for error in unfit.values() if isinstance(error, DoesNotFit)]
    if not larger:
        reasons = (error.reason for error in unfit.values() if isinstance(error, TurnedDown))
        return refused.model_copy(update={"reason": next(reasons)})
    largest = max(larger, key=lambda error: error.needs_bytes)
    update = {name: getattr(largest, name) for name in ("needs_bytes", "has_bytes", "where")}
    return refused.model_copy(update=update)


class DirectFragment(FragmentTechnique):
    """The mean of single executions."""

    name = "direct"
    sentence = "one execution between two readings of the clock, their cost included"
    equation = "Moreno and Fischmeister, section 1; equation 2 with N = 1 and epsilon taken for 0"
    removes_overhead = False

    def plan(self, points: int, period: int = 1) -> Plan:
        return (Point(1),)

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: epsilon, whole. Uncertainty: of the mean only; it cannot see epsilon."""
        return solve(observed, overhead=False)


TECHNIQUE = Direct()
FRAGMENT_TECHNIQUE = DirectFragment()
