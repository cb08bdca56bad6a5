"""A characterization for programs: the same facts as the table, as JSON."""

from typing import Any

from cyclescope.laws.clustering import Cluster
from cyclescope.laws.formula_fit import terms_of
from cyclescope.laws.model import Coefficient, Fitted
from cyclescope.quantity import microseconds
from cyclescope.report.structured import plain
from cyclescope.stats.net import Basis, Net
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.characterize.run_figures import Measured, RunFigures
from cyclescope.target.conditions import Conditions


def document(found: Characterization) -> dict[str, Any]:
    """Everything the analysis found, ready for `json.dumps`."""
    content = {
        "tool": found.tool,
        "technique": found.technique,
        "overhead": "pair" if found.by_pair else "call",
        "conditions": found.conditions,
        "layouts": found.layouts,
        "layout_seed": found.layout_seed,
        "interval": found.basis,
        "overlap_cycles": found.conditions.overlap_cycles,
        "terms": found.terms,
        "cases": [_case(one, found.conditions) for one in found.cases],
        "functions": found.functions,
        "refused": found.refused,
        "failed": found.failed,
        "missing": [
            {"layout_number": number, "case": case, "parameter": value}
            for number, case, value in found.missing
        ],
        "unverified": found.unverified,
        "unmodelled": found.unmodelled,
        "problems": found.problems,
    }
    made: dict[str, Any] = plain(content)
    return made


def _case(one: CaseAnalysis, conditions: Conditions) -> dict[str, Any]:
    return {
        **one.case.model_dump(mode="json"),
        "n": one.n,
        "distinct_layouts": one.distinct_layouts,
        "truth_difference_cycles": one.truth_difference,
        "measured": [
            {
                **_measured(measured, conditions.core_hz),
                **_said(one.law, measured.parameter, conditions.overlap_cycles),
            }
            for measured in one.measured
        ],
        "behaviour": one.behaviour,
        "law": _law(one.law),
        "law_refused": one.law_refused,
        "load_law": _law(one.load_law),
        "significant": one.significant,
        "widest_series": one.spread,
        "clusters": [_cluster(cluster) for cluster in one.clusters],
        "samples_apart": one.apart,
        "hidden_parameter": one.hidden,
        "suspects": one.candidate_factors,
        "positions": one.positions,
        "notes": one.notes,
        "problem": one.problem,
    }


def interval(net: Net) -> dict[str, Any]:
    """A figure, the half-width of its interval if it has one, and what that is of."""
    half_width = None if net.basis is Basis.IMAGE else net.estimate.half_width
    return {"value": net.estimate.value, "half_width": half_width, "interval": net.basis}


def net_time(one: Measured, core_hz: int) -> dict[str, Any]:
    """Returns the net time of a call at one x, as every document has it."""
    return {
        "net_cycles": interval(one.net),
        "net_us": microseconds(one.net.estimate.value, core_hz),
        "n": one.n,
        "sigma_within_cycles": one.sigma_within,
    }


def _measured(one: Measured, core_hz: int) -> dict[str, Any]:
    return {
        "parameter": one.parameter,
        **net_time(one, core_hz),
        "verdict": one.net.verdict,
        **({} if one.quartile_range is None else {"quartile_range_cycles": one.quartile_range}),
        "between_layouts_cycles": one.between,
        "observed_maximum_cycles": one.observed_maximum,
        "interrupts_off_cycles": one.interrupts_off,
        **_energy(one.energy),
        "runs": [_run(run) for run in one.runs],
    }


def _said(law: Fitted | None, x: int | None, overlap_cycles: int) -> dict[str, Any]:
    """The law's time there; its interval is that of the page: of a law of many summands the
    coefficients alone give none. A law is used beside other code, so that overlaps widen it."""
    if law is None or x is None:
        return {}
    said = law.predict(x)
    half_width = said.half_width + overlap_cycles
    return {"law_cycles": {"value": said.value, "half_width": half_width or None}}


def _run(one: RunFigures) -> dict[str, Any]:
    return {
        "layout_number": one.layout_number,
        "net_cycles": interval(one.net),
        "verdict": one.net.verdict,
        "raw_cycles": one.probed.call,
        "overhead_cycles": one.probed.empty,
        **_truth(one),
        **({"medians_cycles": one.medians} if one.medians else {}),
        "rejected": one.rejected,
        "series": one.series,
        "interrupts_off_cycles": one.interrupts_off,
        **_energy(one.energy),
    }


def _truth(one: RunFigures) -> dict[str, Any]:
    """The truth, and the error of the probes' own net time."""
    if one.seen is None:
        return {}
    if not one.exact:
        return {"exact_call_cycles": one.seen, "set_up_cycles": one.set_up}
    return {
        "exact_call_cycles": one.call,
        "exact_empty_cycles": one.empty,
        "truth_difference_cycles": one.truth_difference,
    }


def _energy(energy: Net | None) -> dict[str, Any]:
    return {"net_uj": interval(energy), "energy_verdict": energy.verdict} if energy else {}


def _cluster(one: Cluster) -> dict[str, Any]:
    return {"n": one.n, "share": one.share, "sigma_cycles": one.sigma, "law": _law(one.law)}


def _law(law: Fitted | None) -> dict[str, Any] | None:
    if law is None:
        return None
    return {
        "model": law.model,
        "coefficients": [_coefficient(one) for one in law.coefficients],
        "domain": law.domain,
        "step": law.step,
        "segments": law.segments,
        "terms": terms_of(law),
        "check": law.check,
        "residual_sigma_cycles": law.residual_sigma,
        "max_residual_cycles": law.max_residual,
        "sample_sigma_cycles": law.sample_sigma,
        "r_squared": law.r_squared,
        "lack_of_fit_p": law.lack_of_fit,
        "n": law.n,
    }


def _coefficient(one: Coefficient) -> dict[str, Any]:
    """A law that meets every point has no interval of its coefficients."""
    made: dict[str, Any] = plain(one)
    made["estimate"]["half_width"] = made["estimate"]["half_width"] or None
    return made
