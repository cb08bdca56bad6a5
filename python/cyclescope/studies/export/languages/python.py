"""Laws as a typed Python module that needs nothing but Python."""

import json
from collections.abc import Sequence
from pprint import pformat

from cyclescope.laws.formula import Formula, Term, TermKind
from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.laws.model import Fitted
from cyclescope.report.structured import plain
from cyclescope.studies.export import comments
from cyclescope.studies.export.export import Export, ExportedLaw, Exporter

WIDTH = 100


class PythonExporter(Exporter):
    """One module: CONDITIONS, a function for each law, OMITTED."""

    def render(self, export: Export) -> str:
        conditions = plain(export.found.conditions)
        reasons = {one.case: one.reason for one in export.omitted}
        parts = [
            _docstring([*comments.title(export), "A function refuses an x that was not measured."]),
            f"CONDITIONS: dict[str, object] = {pformat(conditions, width=WIDTH, sort_dicts=False)}",
            f"OMITTED: dict[str, str] = {pformat(reasons, width=WIDTH, sort_dicts=False)}",
            *(_function(one) for one in export.functions),
        ]
        return "\n\n\n".join(parts) + "\n"


def _docstring(lines: Sequence[str], indent: str = "") -> str:
    safe = (line.replace("\\", "\\\\").replace('"""', "'''") for line in lines)
    return f'{indent}"""' + f"\n{indent}".join(safe) + f'\n{indent}"""'


def _function(one: ExportedLaw) -> str:
    argument = "x: float" if one.argument else ""
    head = f"def {one.identifier}({argument}) -> float:"
    body = [*_check(one), *_body(one.law)]
    indented = (f"    {line}" for line in body)
    return "\n".join([head, _docstring(comments.figures(one), "    "), *indented])


def _check(one: ExportedLaw) -> list[str]:
    if one.argument is None:
        return []
    low, high = one.law.domain
    what = json.dumps(f"x is {low:g} to {high:g} {one.argument.unit} by {one.law.step}")
    outside = f"if not {low!r} <= x <= {high!r}"
    if one.law.check:
        outside += f" or (x - {low!r}) % {one.law.step}"
    return [f"{outside}:", f"    raise ValueError({what})"]


def _body(law: Fitted) -> list[str]:
    if isinstance(law, FormulaFit):
        return _sum(law.formula)
    *firsts, last = law.segments
    lines: list[str] = []
    for segment in firsts:
        lines += [f"if x <= {segment.end!r}:", f"    return {comments.line(segment)}"]
    return [*lines, f"return {comments.line(last)}"]


def _sum(formula: Formula) -> list[str]:
    """The summands, one on each line."""
    first, *others = map(_part, formula.terms, formula.coefficients)
    return [f"t = {first}", *(f"t += {other}" for other in others), "return t"]


def _part(term: Term, c: float) -> str:
    return {
        TermKind.CONSTANT: f"{c!r}",
        TermKind.LINE: f"{c!r} * x",
        TermKind.STEP: f"{c!r} if x >= {term.at} else 0.0",
        TermKind.KNEE: f"{c!r} * max(x - {term.at}, 0.0)",
        TermKind.RESIDUE: f"{c!r} if x % {term.period} == {term.at} else 0.0",
        TermKind.STAIRS: f"{c!r} * ((x + {term.at}) // {term.period})",
        TermKind.VALUE: f"{c!r} if x == {term.at} else 0.0",
    }[term.kind]


EXPORTER = PythonExporter()
