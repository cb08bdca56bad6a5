"""Functions over their conditions: which conditions are different models, and which are one?

Brandolese and Fornaciari, section 3. A dependence on an enumerated parameter is eliminated by a
model for each of its values, as for a signal to oneself, to another task, to none.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from cyclescope.laws.model import Fitted
from cyclescope.studies.characterize.findings import Behaviour, CaseAnalysis, FunctionAnalysis


def by_function(cases: Sequence[CaseAnalysis], resolution: float) -> tuple[FunctionAnalysis, ...]:
    """Every function, its conditions by model."""
    functions: dict[str, list[CaseAnalysis]] = {}
    for one in cases:
        functions.setdefault(one.case.function, []).append(one)
    return tuple(_function(name, own, resolution) for name, own in functions.items())


def _function(name: str, cases: Sequence[CaseAnalysis], resolution: float) -> FunctionAnalysis:
    models: list[list[CaseAnalysis]] = []
    for one in cases:
        alike = next((own for own in models if _same(own[0], one, resolution)), None)
        if alike is None:
            models.append([one])
        else:
            alike.append(one)
    behaviour = Behaviour.ENUMERATED if len(models) > 1 else cases[0].behaviour
    return FunctionAnalysis(
        name, behaviour, tuple(tuple(one.case.name for one in own) for own in models)
    )


def _same(one: CaseAnalysis, other: CaseAnalysis, resolution: float) -> bool:
    """True if two laws do not differ at any x at which both were measured.

    They can where their means differ by a count of the timer or more and by more than their
    intervals together allow. Laws over different parameters are different models.
    """
    first, second = one.law, other.law
    if first is None or second is None or _argument(one) != _argument(other):
        return False
    for x in _places(first.domain, second.domain, _inner(first)):
        a, b = first.predict(x), second.predict(x)
        apart = abs(a.value - b.value)
        if apart >= resolution and apart > math.hypot(a.half_width, b.half_width):
            return False
    return True


def _argument(one: CaseAnalysis) -> tuple[str, str] | None:
    parameter = one.case.parameter
    return (parameter.name, parameter.unit) if parameter else None


def _inner(law: Fitted) -> list[float]:
    """Where a law may part from another between its ends: its knees, and every x of a formula."""
    knees = [segment.end for segment in law.segments[:-1]]
    low, high = map(int, law.domain)
    return knees if law.segments else [float(x) for x in range(low, high + 1, law.step)]


def _places(
    first: tuple[float, float], second: tuple[float, float], knees: Iterable[float]
) -> list[float]:
    low, high = max(first[0], second[0]), min(first[1], second[1])
    inside = [knee for knee in knees if low < knee < high]
    return sorted({low, *inside, high}) if low <= high else list(np.unique([*first, *second]))
