"""A fragment's study for programs: the same facts as the table, as JSON."""

from typing import Any

import numpy as np

from cyclescope.report.structured import plain
from cyclescope.studies.time.findings import FragmentStudy, TechniqueFigures, unit_of
from cyclescope.studies.time.report.wording import answer, warnings


def document(found: FragmentStudy) -> dict[str, Any]:
    """Everything the analysis found, ready for `json.dumps`."""
    chosen, unit = found.answer, unit_of(found.conditions)
    content: dict[str, Any] = plain(
        {
            "tool": found.tool,
            "conditions": found.conditions,
            "fragment": found.fragment,
            "unit": unit.name,
            "answer": answer(found),
            "kind": chosen.kind if chosen else None,
            "execution": chosen.estimated.execution if chosen else None,
            "execution_us": 1e6 * chosen.estimated.execution.value / unit.per_second
            if chosen
            else None,
            "techniques": [_technique(one) for one in found.techniques],
            "steps": found.steps,
            "truth": found.truth,
            "warnings": warnings(found),
            "missing": found.missing,
            "unverified": found.unverified,
            "unmodelled": found.unmodelled,
        }
    )
    return content


def _technique(one: TechniqueFigures) -> dict[str, Any]:
    estimated = one.estimated
    return {
        "technique": one.name,
        "kind": one.kind,
        "turns": one.turns,
        "equation": one.equation,
        "execution": estimated.execution,
        "by_process": estimated.by_process,
        "sigma": estimated.sigma,
        "least_sigma": estimated.least_sigma,
        "overhead": estimated.overhead,
        "initialisation": estimated.initialisation,
        "beside": dict(estimated.beside),
        "n": estimated.n,
        "rejected": int(estimated.rejected.sum()),
        "rule": estimated.rule,
        "bias": one.bias,
        "exact_overhead": one.overhead,
        "points": [
            {**point._asdict(), "mean": mean}
            for point, mean in zip(one.observed.plan, _means(one), strict=True)
        ],
        "signs": one.signs,
    }


def _means(one: TechniqueFigures) -> list[float]:
    """Of each point's times that were used; not a number where all were rejected."""
    used = ~one.estimated.rejected
    counts = used.sum(axis=0)
    sums = np.where(used, one.observed.times, 0.0).sum(axis=0)
    means = np.where(counts, sums / np.maximum(counts, 1), np.nan)
    return [float(mean) for mean in means]
