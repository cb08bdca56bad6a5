"""Direct timing: the timer is read just before and just after the call.

Brandolese and Fornaciari, section 2.2. What reading the timer costs is measured by the same probes
around an empty call of the same signature, in the same conditions, and subtracted as a mean. A
sample inside which the kernel's tick fell is kept and rejected by the rule `tick`.
"""

from collections.abc import Sequence

from cyclescope.case import Case
from cyclescope.results import Run, reject, tabulate
from cyclescope.stats.summary import Summary, summarise
from cyclescope.target import Capability, Target
from cyclescope.technique import Technique

TICK_RULE = "tick"


class Direct(Technique):
    """Timer start and stop around the call."""

    name = "direct"
    sentence = "timer read before and after each call; overhead by an empty call"
    requires = frozenset({Capability.CYCLE_COUNTER})

    def measure(
        self, target: Target, case: Case, parameter: int | None, lengths: Sequence[int]
    ) -> Run:
        target.reset()
        series = [
            target.run_series(case, parameter, length, empty)
            for empty in (False, True)
            for length in lengths
        ]
        samples = tabulate(case, parameter, series)
        return Run(
            case=case,
            parameter=parameter,
            samples=reject(samples, samples["tick_hit"], TICK_RULE),
            cycles_per_count=target.conditions().cycles_per_count,
            findings=target.findings(),
        )

    def overhead(self, run: Run) -> Summary | None:
        empty = run.cycles("empty")
        return summarise(empty) if empty.size else None


TECHNIQUE = Direct()
