"""Laws as a C99 header of `static inline` functions in double, which ask for no library."""

from collections.abc import Sequence

from cyclescope.laws.formula import PERIODIC, Formula, Term, TermKind
from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.studies.export import comments
from cyclescope.studies.export.export import Export, ExportedLaw, Exporter

USE = (
    "Arithmetic is in double; under optimisation a call with a constant x is a constant. The",
    "domain is …_X_MIN to …_X_MAX by …_X_STEP; what a function gives outside was not measured.",
)


class CExporter(Exporter):
    """One header; its guard is made of the conditions."""

    def render(self, export: Export) -> str:
        guard = f"CYCLESCOPE_LAWS_{export.found.conditions.fingerprint()[:16].upper()}_H"
        parts = [
            _comment([*comments.title(export), *USE]),
            f"#ifndef {guard}\n#define {guard}",
            *(_function(one) for one in export.functions),
        ]
        if export.omitted:
            parts.append(_comment(["Left out:", *comments.omitted(export)]))
        return "\n\n".join([*parts, "#endif"]) + "\n"


def _comment(lines: Sequence[str]) -> str:
    safe = (line.replace("*/", "* /").replace("/*", "/ *") for line in lines)
    return "/* " + "\n * ".join(safe) + " */"


def _function(one: ExportedLaw) -> str:
    lines = [_comment(comments.figures(one))]
    upper = one.identifier.upper()
    lines.append(f"#define {upper}_EMPTY_CALL {one.empty_call!r}")
    if one.argument:
        low, high = one.law.domain
        lines += [f"#define {upper}_X_MIN {low!r}", f"#define {upper}_X_MAX {high!r}"]
        lines.append(f"#define {upper}_X_STEP {float(one.law.step)!r}")
    lines.append(f"static inline double {one.identifier}({'double x' if one.argument else 'void'})")
    return "\n".join([*lines, "{", *(f"    {line}" for line in _body(one)), "}"])


def _body(one: ExportedLaw) -> list[str]:
    if isinstance(one.law, FormulaFit):
        return _sum(one.law.formula)
    *firsts, last = one.law.segments
    lines = [f"if (x <= {segment.end!r}) return {comments.line(segment)};" for segment in firsts]
    if one.argument and not firsts and last.m == 0:
        lines.append("(void)x;")
    return [*lines, f"return {comments.line(last)};"]


def _sum(formula: Formula) -> list[str]:
    """The summands, one on each line; periodic ones are of whole numbers."""
    whole = any(term.kind in PERIODIC for term in formula.terms)
    pairs = list(zip(formula.terms, formula.coefficients, strict=True))
    lines = [f"double t = {_part(*pairs[0])};", *(f"t += {_part(*pair)};" for pair in pairs[1:])]
    return [*(["const unsigned long n = (unsigned long)x;"] if whole else []), *lines, "return t;"]


def _part(term: Term, c: float) -> str:
    return {
        TermKind.CONSTANT: f"{c!r}",
        TermKind.LINE: f"{c!r} * x",
        TermKind.STEP: f"x >= {term.at} ? {c!r} : 0.0",
        TermKind.KNEE: f"x > {term.at} ? {c!r} * (x - {term.at}) : 0.0",
        TermKind.RESIDUE: f"n % {term.period} == {term.at} ? {c!r} : 0.0",
        TermKind.STAIRS: f"{c!r} * (double)((n + {term.at}) / {term.period})",
        TermKind.VALUE: f"x == {term.at} ? {c!r} : 0.0",
    }[term.kind]


EXPORTER = CExporter()
