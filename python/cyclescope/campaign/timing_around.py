"""Timing around a call: what direct techniques share, whatever they take for the overhead.

The timer is read just before and just after each call. The cost of that is measured by the same
probes, in the same conditions, and subtracted as a mean. A sample inside which the kernel's tick
fell is kept and rejected by the rule `tick`.
"""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from cyclescope.campaign.technique import Taken, Technique
from cyclescope.results import Refused, Run, reject
from cyclescope.stats.summary import Summary, summarise
from cyclescope.target.case import Case
from cyclescope.target.series import Series
from cyclescope.target.target import Capability, DoesNotFit, Target, TurnedDown

TICK_RULE = "tick"
REPEATED = 3
"""So many calls in a layout of what is always the same in another."""


class TimingAround(Technique):
    """Timer start and stop around the call; `empty` is left to the techniques."""

    requires = frozenset({Capability.CYCLE_COUNTER})

    def take(
        self,
        target: Target,
        case: Case,
        parameter: int | None,
        lengths: Sequence[int],
        steady: bool = False,
    ) -> Taken:
        target.reset()
        unfit: dict[int, DoesNotFit | TurnedDown] = {}
        try:
            brief = self._brief(target, case, parameter, lengths, steady)
            series = tuple(brief or self._all(target, case, parameter, lengths, unfit))
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

    def _brief(
        self,
        target: Target,
        case: Case,
        parameter: int | None,
        lengths: Sequence[int],
        steady: bool,
    ) -> list[Series]:
        """The shortest and the longest series, or what repeats a `steady` case, if these say all
        there is to say. Else none, and the target as it was after reset."""
        if Capability.EXACT_TRUTH not in target.capabilities:
            return []
        ends = [min(REPEATED, lengths[0])] if steady else [lengths[0], lengths[-1]]
        try:
            real = [
                target.run_series(case, parameter, length, False) for length in dict.fromkeys(ends)
            ]
            if _steady(real):
                return [*real, self.empty(target, case, parameter, ends[0])]
        except DoesNotFit:
            pass  # all series are tried, one by one
        target.reset()
        return []

    def _all(
        self,
        target: Target,
        case: Case,
        parameter: int | None,
        lengths: Sequence[int],
        unfit: dict[int, DoesNotFit | TurnedDown],
    ) -> Iterator[Series]:
        """The series that fit, one by one; `unfit` takes why the others do not."""
        for length, empty in _order(lengths, target.conditions().noisy):
            if length in unfit:
                continue
            try:
                if empty:
                    yield self.empty(target, case, parameter, length)
                else:
                    yield target.run_series(case, parameter, length, False)
            except DoesNotFit as error:
                unfit[length] = error


def _steady(real: Sequence[Series]) -> bool:
    """Whether every call in them is the same to a target that sees all: then the series between,
    and more empty calls, would repeat it."""
    firsts = [one.samples[0]._replace(start=0, stop=one.samples.first_elapsed) for one in real]
    return len(set(firsts)) == 1 and all(one.samples.steady for one in real)


def _order(lengths: Sequence[int], drifts: bool) -> list[tuple[int, bool]]:
    """Lengths, and whether calls are empty: real ones first; where the machine drifts, each series
    just before the empty one that is subtracted from it."""
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
