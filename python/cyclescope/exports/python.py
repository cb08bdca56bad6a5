"""Laws as a typed Python module that needs nothing but Python."""

import json
from collections.abc import Sequence
from pprint import pformat

from cyclescope.export import Export, Exporter, Function
from cyclescope.model import Segment
from cyclescope.reports import exported
from cyclescope.reports.structured import plain

WIDTH = 100


class PythonExporter(Exporter):
    """One module: CONDITIONS, a function for each law, OMITTED."""

    def render(self, export: Export) -> str:
        conditions = plain(export.found.conditions)
        reasons = {one.case: one.reason for one in export.omitted}
        parts = [
            _docstring([*exported.title(export), "A function refuses an x that was not measured."]),
            f"CONDITIONS: dict[str, object] = {pformat(conditions, width=WIDTH, sort_dicts=False)}",
            f"OMITTED: dict[str, str] = {pformat(reasons, width=WIDTH, sort_dicts=False)}",
            *(_function(one) for one in export.functions),
        ]
        return "\n\n\n".join(parts) + "\n"


def _docstring(lines: Sequence[str], indent: str = "") -> str:
    safe = (line.replace("\\", "\\\\").replace('"""', "'''") for line in lines)
    return f'{indent}"""' + f"\n{indent}".join(safe) + f'\n{indent}"""'


def _function(one: Function) -> str:
    argument = "x: float" if one.argument else ""
    head = f"def {one.identifier}({argument}) -> float:"
    body = [*_check(one), *_body(one.law.segments)]
    indented = (f"    {line}" for line in body)
    return "\n".join([head, _docstring(exported.figures(one), "    "), *indented])


def _check(one: Function) -> list[str]:
    if one.argument is None:
        return []
    low, high = one.law.domain
    what = json.dumps(f"x was measured from {low:g} to {high:g} {one.argument.unit}")
    return [f"if not {low!r} <= x <= {high!r}:", f"    raise ValueError({what})"]


def _body(segments: Sequence[Segment]) -> list[str]:
    *firsts, last = segments
    lines: list[str] = []
    for segment in firsts:
        lines += [f"if x <= {segment.end!r}:", f"    return {exported.line(segment)}"]
    return [*lines, f"return {exported.line(last)}"]


EXPORTER = PythonExporter()
