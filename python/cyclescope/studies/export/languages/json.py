"""Laws as one JSON document, for any program."""

import json
from typing import Any

from cyclescope.laws.formula_fit import terms_of
from cyclescope.report.structured import plain
from cyclescope.studies.export.export import Export, ExportedLaw, Exporter


class JsonExporter(Exporter):
    """Conditions once, then each law with its segments or summands, coefficients and figures."""

    def render(self, export: Export) -> str:
        found = export.found
        document = {
            "format": "cyclescope laws",
            "unit": "cycles",
            "tool": found.tool,
            "technique": found.technique,
            "conditions": found.conditions,
            "layouts": found.layouts,
            "statistic": "median" if found.conditions.noisy else "mean",
            "functions": [_function(one) for one in export.functions],
            "omitted": export.omitted,
        }
        return json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _function(one: ExportedLaw) -> dict[str, Any]:
    case, law = one.analysis.case, one.law
    return {
        "name": one.identifier,
        "case": case.name,
        "call": case.call,
        "condition": case.condition,
        "library": case.library,
        "argument": one.argument,
        "model": law.model,
        "domain": law.domain if one.argument else None,
        "step": law.step if one.argument else None,
        "segments": law.segments,
        "terms": terms_of(law),
        "check": law.check,
        "coefficients": law.coefficients,
        "n": one.analysis.n,
        "sample_sigma": law.sample_sigma,
        "residual_sigma": law.residual_sigma,
        "max_residual": law.max_residual,
        "observed_maximum": one.observed_maximum,
        "empty_call": one.empty_call,
        "notes": one.analysis.notes,
    }


EXPORTER = JsonExporter()
