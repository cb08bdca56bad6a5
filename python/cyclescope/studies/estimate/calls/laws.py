"""Laws that price calls: of a results folder, or as shipped for a board."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.laws.formula import Formula, Term, TermKind
from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.results import Results, storage
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import CaseAnalysis
from cyclescope.studies.estimate.calls import parts
from cyclescope.studies.estimate.estimated import Amount
from cyclescope.studies.export.export import ExportedLaw, select
from cyclescope.target.conditions import Conditions

FORMAT = "cyclescope laws of calls"
RETURN_CYCLES = 3.0
"""Of `bx lr` in memory without wait states, where no target saw its empty call from outside."""

Segment = tuple[float, float, float]
"""The last x, slope and intercept of a straight piece."""


@dataclass(frozen=True)
class CaseLaw:
    """The time of a case's call from its entry to its return, in cycles.

    One of `segments`, `formula` and `points` (x and cycles, which no law describes) says it.
    `ends` are the least and greatest x, None where the time depends on nothing. `off_cycles` are
    half-widths of the 95 % interval at both. `uj_per_cycle` is there if energy was metered.
    """

    case: str
    ends: tuple[float, float] | None
    off_cycles: tuple[float, float]
    segments: tuple[Segment, ...] = ()
    formula: Formula | None = None
    points: tuple[tuple[float, float], ...] = ()
    uj_per_cycle: float | None = None

    def holds(self, x: float | None) -> bool:
        """Whether x was measured, or the time does not depend on it."""
        return self.ends is None or (x is not None and self.ends[0] <= x <= self.ends[1])

    def at(self, x: float | None) -> Amount:
        """The time at x; beyond its ends the law is continued."""
        at = 0.0 if self.ends is None else self.ends[0] if x is None else float(x)
        cycles = max(self._cycles(at), 0.0)
        off = self._off(at)
        return Amount(cycles, max(cycles - off, 0.0), cycles + off)

    def _off(self, x: float) -> float:
        low, high = self.off_cycles
        if self.ends is None or self.ends[0] == self.ends[1]:
            return max(low, high)
        share = (x - self.ends[0]) / (self.ends[1] - self.ends[0])
        return max(low + share * (high - low), min(low, high))

    def _cycles(self, x: float) -> float:
        if self.points:
            return self._between(x)
        if self.formula is None:
            _, slope, intercept = next(
                (one for one in self.segments if x <= one[0]), self.segments[-1]
            )
            return slope * x + intercept
        if self.formula.terms[0].kind is TermKind.VALUE:
            x = min((term.at for term in self.formula.terms), key=lambda at: abs(at - x))
        return self.formula.at(x)

    def _between(self, x: float) -> float:
        """Between two points the straight line; beyond all, on with the mean slope."""
        xs, cycles = zip(*self.points, strict=True)
        (first, begun), (last, ended) = self.points[0], self.points[-1]
        slope = (ended - begun) / (last - first) if last > first else 0.0
        beyond = min(x - first, 0.0) + max(x - last, 0.0)
        return float(np.interp(x, xs, cycles)) + slope * beyond

    def document(self) -> dict[str, Any]:
        """As compact JSON."""
        found: dict[str, Any] = {"off": [_short(one) for one in self.off_cycles]}
        if self.ends is not None:
            found["x"] = list(self.ends)
        if self.segments:
            found["segments"] = [[_short(one) for one in piece] for piece in self.segments]
        if self.formula is not None:
            pairs = zip(self.formula.terms, self.formula.coefficients, strict=True)
            found["terms"] = [
                [term.kind.value, term.at, term.period, _short(value)] for term, value in pairs
            ]
        if self.points:
            found["points"] = [[x, _short(cycles)] for x, cycles in self.points]
        if self.uj_per_cycle is not None:
            found["uj_per_cycle"] = float(f"{self.uj_per_cycle:.6g}")
        return found

    @classmethod
    def of_document(cls, case: str, found: Mapping[str, Any]) -> "CaseLaw":
        """The reverse of `document`."""
        terms = [Term(TermKind(kind), at, period) for kind, at, period, _ in found.get("terms", ())]
        values = tuple(float(one[3]) for one in found.get("terms", ()))
        return cls(
            case,
            tuple(found["x"]) if "x" in found else None,
            tuple(found["off"]),
            tuple(tuple(one) for one in found.get("segments", ())),
            Formula(tuple(terms), values) if terms else None,
            tuple(tuple(one) for one in found.get("points", ())),
            found.get("uj_per_cycle"),
        )


def _short(value: float) -> float:
    """Rounded to a ten thousandth of a cycle."""
    return round(value, 4)


@dataclass(frozen=True)
class Laws:
    """Laws by case. `name` says whose they are, `conditions` under which they were measured,
    `omitted` why a case has none."""

    name: str
    conditions: Mapping[str, Any]
    cases: Mapping[str, CaseLaw]
    omitted: Mapping[str, str] = field(default_factory=dict)
    _known: dict[tuple[str, int | None], Amount | None] = field(
        default_factory=dict, repr=False, compare=False
    )

    def of(self, case: str, x: int | None = None) -> Amount | None:
        """A call's time from entry to return at x; None outside what was measured."""
        key = case, x
        if key not in self._known:
            law = self.cases.get(case)
            self._known[key] = law.at(x) if law is not None and law.holds(x) else None
        return self._known[key]

    def beyond(self, case: str, x: int | None = None) -> Amount | None:
        """The same, with the law continued where nothing was measured."""
        law = self.cases.get(case)
        return law.at(x) if law is not None else None

    def of_function(self, function: str) -> list[CaseLaw]:
        """All cases of a function."""
        return self._functions.get(function, [])

    def with_library(self, library: "Laws") -> "Laws":
        """These laws of a kernel, and those of the C library, measured without a kernel."""
        conditions = {
            **self.conditions,
            "library_image_sha256": library.conditions.get("image_sha256"),
        }
        omitted = {**library.omitted, **self.omitted}
        return Laws(self.name, conditions, {**library.cases, **self.cases}, omitted)

    @cached_property
    def _functions(self) -> dict[str, list[CaseLaw]]:
        found: dict[str, list[CaseLaw]] = {}
        for case, law in self.cases.items():
            found.setdefault(case.partition(".")[0], []).append(law)
        return found

    def document(self) -> dict[str, Any]:
        """As JSON, the whole of what pricing needs."""
        return {
            "format": FORMAT,
            "conditions": dict(self.conditions),
            "laws": {case: law.document() for case, law in sorted(self.cases.items())},
            "omitted": dict(sorted(self.omitted.items())),
        }


def read(path: Path) -> Laws:
    """Laws of a file that `document` made."""
    try:
        found = json.loads(path.read_text())
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise CyclescopeError(
            f"{path} holds no laws of calls: give a folder of characterize",
            code="no-laws-of-calls",
        )
    cases = {case: CaseLaw.of_document(case, one) for case, one in found["laws"].items()}
    return Laws(path.stem, found["conditions"], cases, found["omitted"])


def measured(folder: Path) -> Laws:
    """The laws of a results folder of `characterize`."""
    results = storage.load(folder)
    found = analyse(results)
    export = select(found)
    beside = float(found.conditions.overlap_cycles)
    cases = {one.analysis.case.name: _of_law(one, beside) for one in export.functions}
    omitted: dict[str, str] = {}
    analyses = {one.case.name: one for one in found.cases}
    for one in export.omitted:
        points = _points(results, analyses.get(one.case), beside)
        if points is None:
            omitted[one.case] = one.reason
        else:
            cases[one.case] = points
    cases |= parts_of(cases)
    return Laws(str(folder), _conditions(found.conditions, found.tool), cases, omitted)


def parts_of(cases: Mapping[str, CaseLaw]) -> dict[str, CaseLaw]:
    """Laws of the parts of streams and files, by those of their cases."""

    def law(case: str, x: int) -> Amount | None:
        return cases[case].at(x) if case in cases else None

    energies = [one.uj_per_cycle for one in cases.values() if one.uj_per_cycle is not None]
    energy = fmean(energies) if energies else None
    return {
        parts.PREFIX + one.name: CaseLaw(
            parts.PREFIX + one.name,
            None,
            (one.off_cycles, one.off_cycles),
            ((0.0, 0.0, one.cycles),),
            uj_per_cycle=energy,
        )
        for one in parts.found(law)
    }


def _conditions(conditions: Conditions, tool: str) -> dict[str, Any]:
    """The facts that name the laws: board, memory, kernel, library, compiler, image and so on."""
    kept = conditions.model_dump(
        mode="json",
        include={
            *("board", "core_hz", "memory", "code", "isa", "compiler_version", "c_library"),
            *("kernel", "kernel_version", "kernel_configuration", "kernel_options"),
            "image_sha256",
        },
    )
    return {"tool": tool, **kept}


def _of_law(one: ExportedLaw, beside: float) -> CaseLaw:
    """A law, which other code than that of its image may change by `beside` cycles."""
    law, returns = one.law, _return_cycles(one.analysis)
    ends = law.domain if one.argument else None
    first, last = law.domain
    off = tuple(_finite(law.predict(x).half_width) + beside for x in (first, last))
    name, energy = one.analysis.case.name, _energy(one.analysis)
    if isinstance(law, FormulaFit):
        formula = _raised(law.formula, returns)
        return CaseLaw(name, ends, (off[0], off[1]), formula=formula, uj_per_cycle=energy)
    pieces = tuple((piece.end, piece.m, piece.q + returns) for piece in law.segments)
    return CaseLaw(name, ends, (off[0], off[1]), pieces, uj_per_cycle=energy)


def _raised(formula: Formula, cycles: float) -> Formula:
    """The formula with so many cycles more."""
    every = formula.terms[0].kind is TermKind.VALUE
    raised = [
        value + (cycles if every or (place == 0 and term.kind is TermKind.CONSTANT) else 0.0)
        for place, (term, value) in enumerate(zip(formula.terms, formula.coefficients, strict=True))
    ]
    if every or formula.terms[0].kind is TermKind.CONSTANT:
        return Formula(formula.terms, tuple(raised))
    constant = Term(TermKind.CONSTANT)
    return Formula((constant, *formula.terms), (cycles, *formula.coefficients))


def _return_cycles(one: CaseAnalysis) -> float:
    """The time of an empty function: a net time leaves it out, and the callee spends it."""
    seen = [run.empty.mean for run in one.runs if run.exact]
    return fmean(seen) if seen else RETURN_CYCLES


def _energy(one: CaseAnalysis) -> float | None:
    pairs = [
        (there.energy.estimate.value, there.net.estimate.value)
        for there in one.measured
        if there.energy is not None and there.net.estimate.value > 0
    ]
    return sum(e for e, _ in pairs) / sum(c for _, c in pairs) if pairs else None


def _points(results: Results, one: CaseAnalysis | None, beside: float) -> CaseLaw | None:
    """The measured times of a case that no law describes, if they depend on x alone."""
    if one is None or one.problem or not one.significant or one.case.parameter is None:
        return None
    returns = _return_cycles(one)
    found = {
        float(there.parameter): there.net.estimate.value + returns
        for there in one.measured
        if there.parameter is not None
    }
    sweep = results.sweep(one.case.name)
    if sweep is not None:
        for held_out in (False, True):
            x, cycles = sweep.points(held_out=held_out)
            found |= dict(zip(x.tolist(), (cycles + returns).tolist(), strict=True))
    if len(found) < 2:
        return None
    points = tuple(sorted(found.items()))
    off = _between_points(points) + beside
    ends = points[0][0], points[-1][0]
    return CaseLaw(one.case.name, ends, (off, off), points=points, uj_per_cycle=_energy(one))


def _between_points(points: tuple[tuple[float, float], ...]) -> float:
    """How far a point lies from the line between its neighbours: the 95th percentile."""
    if len(points) < 3:
        return 0.0
    xs, cycles = (np.array(one) for one in zip(*points, strict=True))
    middle = np.array(
        [
            np.interp(xs[at], xs[[at - 1, at + 1]], cycles[[at - 1, at + 1]])
            for at in range(1, len(points) - 1)
        ]
    )
    return float(np.percentile(np.abs(cycles[1:-1] - middle), 95))


def _finite(value: float) -> float:
    return value if np.isfinite(value) else 0.0
