"""Which cases of two results are the same: of one name, under two kernels also of one class."""

from collections.abc import Iterable

from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.compare.findings import Unmatched


def matches(
    first: Characterization, second: Characterization
) -> Iterable[tuple[CaseAnalysis, CaseAnalysis]]:
    """The cases that both have, in the order of the first's catalogue."""
    others = {one.case.name: one for one in second.cases}
    for one in first.cases:
        other = others.get(one.case.name)
        if other and _agree(one, other, first, second):
            yield one, other


def _agree(
    one: CaseAnalysis, other: CaseAnalysis, first: Characterization, second: Characterization
) -> bool:
    """Under two kernels a name alone is not enough: the class of functions must be the same."""
    same_kernel = first.conditions.kernel == second.conditions.kernel
    return same_kernel or one.case.function_class == other.case.function_class


def unmatched(own: Characterization, other: Characterization) -> tuple[Unmatched, ...]:
    """The cases of `own` that `other` has not, and why."""
    theirs = {one.case.name: one for one in other.cases}
    refused = {one.case for one in other.refused}
    failed = {one.case: one.reason for one in other.failed}
    missing = {case for _, case, _ in other.missing}
    found = []
    for one in own.cases:
        name = one.case.name
        if name not in theirs:
            reason = "not measured there"
            if name in refused:
                reason = "does not fit there"
            elif name in failed:
                reason = f"failed there: {failed[name]}"
            elif name in missing:
                reason = "planned there and not measured yet"
            found.append(Unmatched(name, reason))
        elif not _agree(one, theirs[name], own, other):
            of = theirs[name].case.function_class or "none"
            reason = f"a case of that name there is of another class of functions: {of}"
            found.append(Unmatched(name, reason))
    return tuple(found)
