"""Laws as a C99 header of `static inline` functions in double, which ask for no library."""

from collections.abc import Sequence

from cyclescope.export import Export, Exporter, Function
from cyclescope.reports import exported

USE = (
    "Arithmetic is in double; under optimisation a call with a constant x is a constant. Outside",
    "the measured x, from …_X_MIN to …_X_MAX, a function goes on along its outermost line: what",
    "that gives was not measured.",
)


class CExporter(Exporter):
    """One header; its guard is made of the conditions."""

    def render(self, export: Export) -> str:
        guard = f"CYCLESCOPE_LAWS_{export.found.conditions.fingerprint()[:16].upper()}_H"
        parts = [
            _comment([*exported.title(export), *USE]),
            f"#ifndef {guard}\n#define {guard}",
            *(_function(one) for one in export.functions),
        ]
        if export.omitted:
            parts.append(_comment(["Left out:", *exported.omitted(export)]))
        return "\n\n".join([*parts, "#endif"]) + "\n"


def _comment(lines: Sequence[str]) -> str:
    safe = (line.replace("*/", "* /").replace("/*", "/ *") for line in lines)
    return "/* " + "\n * ".join(safe) + " */"


def _function(one: Function) -> str:
    lines = [_comment(exported.figures(one))]
    upper = one.identifier.upper()
    lines.append(f"#define {upper}_EMPTY_CALL {one.empty_call!r}")
    if one.argument:
        low, high = one.law.domain
        lines += [f"#define {upper}_X_MIN {low!r}", f"#define {upper}_X_MAX {high!r}"]
    lines.append(f"static inline double {one.identifier}({'double x' if one.argument else 'void'})")
    return "\n".join([*lines, "{", *(f"    {line}" for line in _body(one)), "}"])


def _body(one: Function) -> list[str]:
    *firsts, last = one.law.segments
    lines = [f"if (x <= {segment.end!r}) return {exported.line(segment)};" for segment in firsts]
    if one.argument and not firsts and last.m == 0:
        lines.append("(void)x;")
    return [*lines, f"return {exported.line(last)};"]


EXPORTER = CExporter()
