"""A comparison for programs, as JSON."""

from typing import Any

from cyclescope.laws.formula_fit import terms_of
from cyclescope.laws.model import Fitted
from cyclescope.report.structured import plain
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.characterize.report.structured import net_time
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.studies.compare.attribution import Attribution
from cyclescope.studies.compare.findings import (
    ALPHA,
    CasePair,
    Comparison,
    PlatformRatio,
    PointPair,
    SystemClass,
    Systems,
)
from cyclescope.studies.compare.gate import Gate
from cyclescope.studies.compare.report import wording
from cyclescope.studies.compare.report.reasons import Why


def document(
    found: Comparison, folders: tuple[str, str], why: Why | None, gate: Gate | None
) -> dict[str, Any]:
    """Everything that was found, ready for `json.dumps`."""
    content = {
        "first": _side(found.first, folders[0]),
        "second": _side(found.second, folders[1]),
        "unit": found.unit,
        "differences": found.differences,
        "warnings": found.warnings,
        "significance": {"alpha": ALPHA, "adjustment": "Holm", "tests": found.tests},
        "cases": [_pair(pair, found) for pair in found.pairs],
        "only_first": found.only_first,
        "only_second": found.only_second,
        "classes": found.classes,
        "platform_ratio": [_platform(one) for one in found.platform.lines],
        **({"systems": _systems(found.systems)} if found.systems else {}),
        "why": _why(why) if why else None,
        "gate": _gate(gate) if gate else None,
        "meaning": wording.meaning(found),
    }
    made: dict[str, Any] = plain(content)
    return made


def _side(found: Characterization, folder: str) -> dict[str, Any]:
    return {
        "folder": folder,
        "tool": found.tool,
        "technique": found.technique,
        "conditions": found.conditions,
        "layouts": found.layouts,
    }


def _systems(both: Systems) -> dict[str, Any]:
    content = {
        "weighting": "each pair once",
        "classes": [_system_class(one) for one in both.classes],
        "whole": _system_class(both.whole),
        "dependences": both.dependences,
        "kendall_tau": both.kendall_tau,
        "places": both.moves,
    }
    made: dict[str, Any] = plain(content)
    return made


def _system_class(one: SystemClass) -> dict[str, Any]:
    return {
        "name": one.name,
        "pairs": one.pairs,
        "timed": one.timed,
        "means": [mean.value for mean in one.means],
        "ratio": one.ratio,
        "geometric_mean": one.geometric_mean,
        "p_value": one.p_value,
        "adjusted_p_value": one.adjusted,
        "wins": one.wins,
        "forms": one.forms,
        "form_changes": one.form_changes,
        "exchanged": one.exchanged,
        "orders": one.orders,
    }


def _pairing(pair: CasePair) -> dict[str, Any]:
    """Statements of a table on two cases, and the second case; nothing where names matched."""
    if pair.pairing is None:
        return {}
    return {"pairing": pair.pairing, "counterpart": pair.second.case.model_dump(mode="json")}


def _pair(pair: CasePair, found: Comparison) -> dict[str, Any]:
    return {
        **pair.case.model_dump(mode="json"),
        **_pairing(pair),
        "ratio": pair.ratio,
        "change": pair.change,
        "forms": pair.forms,
        "laws": [_law(one) for one in (pair.first, pair.second)],
        "points": [_point(one, found) for one in pair.points],
        "remarks": pair.remarks,
        "problem": pair.problem,
    }


def _law(one: CaseAnalysis) -> dict[str, Any] | None:
    law: Fitted | None = one.load_law or one.law
    if law is None:
        return None
    return {
        "model": law.model,
        "over": "load" if one.load_law else "x",
        "coefficients": law.coefficients,
        "segments": law.segments,
        "terms": terms_of(law),
    }


def _point(one: PointPair, found: Comparison) -> dict[str, Any]:
    return {
        "parameter": one.parameter,
        "first": _measured(one.first, found.first),
        "second": _measured(one.second, found.second),
        "ratio": one.ratio,
        "difference": one.difference,
        "basis": one.basis,
        "p_value": one.p_value,
        "adjusted_p_value": one.adjusted,
        "change": one.change,
    }


def _measured(one: Measured, found: Characterization) -> dict[str, Any]:
    return {
        **net_time(one, found.conditions.core_hz),
        "layouts": len(one.runs),
        "spread_cycles": one.spread,
        "sigma_between_cycles": one.sigma_between,
    }


def _platform(one: PlatformRatio) -> dict[str, Any]:
    return {**plain(one), "sigma_percent": one.sigma_percent}


def _why(why: Why) -> dict[str, Any]:
    return {
        "spent_cycles": why.total,
        "cases": [_attribution(one) for one in why.attributed],
        "unexplained": why.unexplained,
    }


def _attribution(one: Attribution) -> dict[str, Any]:
    return {
        "case": one.case,
        "parameter": one.parameter,
        "call_cycles": one.call,
        "empty_call_cycles": one.empty_call,
        "beside_cycles": one.beside,
        "net_cycles": one.net,
        "spent": one.spent,
        "functions": [
            {
                "name": share.name,
                "entries": share.entries,
                "first": share.first,
                "second": share.second,
                "difference": share.difference,
            }
            for share in one.functions
        ],
    }


def _gate(gate: Gate) -> dict[str, Any]:
    return {
        "failed": gate.failed,
        "rules": [rule.text for rule in gate.rules],
        "tests": gate.tests,
        "remark": gate.remark,
        "cases": gate.judgements,
    }
