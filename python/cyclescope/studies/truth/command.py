"""`cyclescope truth`: the target's own figures against what the virtual board's clock saw."""

from cyclescope.cli.options import ALL, Cases, Json
from cyclescope.cli.output import console, print_json, progress
from cyclescope.cli.selection import selecting
from cyclescope.target.target import Selection

MEANING = (
    "Core cycles. raw: stop - start, by the target. overhead: raw of the empty call. entry to "
    "return: the call as the board's clock saw it, and in brackets the empty call. residual: "
    "(raw - overhead) - (call - empty call); 0 where a fetch costs the same in any context "
    "(docs/reference/cases.md)."
)


@selecting
def command(
    selection: Selection,
    case: Cases = None,
    json: Json = False,
) -> None:
    """Compare what the target says a call costs with what the board's clock saw."""
    from rich.table import Table

    from cyclescope.studies.truth.measure import CaseTruth, examine
    from cyclescope.targets import open_target

    found: list[CaseTruth] = []
    with progress(quiet=json) as advance:
        advance(0, 0, "building and loading the firmware")
        with open_target(selection) as target:
            for one in examine(target, case or ALL):
                found.append(one)
                advance(len(found), 0, one.case)
    if json:
        print_json({"findings": [one.document() for one in found]})
        return
    table = Table(box=None, caption=MEANING, caption_justify="left", title_justify="left")
    table.add_column("case")
    for heading in ("x", "raw", "overhead", "entry to return", "residual"):
        table.add_column(heading, justify="right")
    for one in found:
        x = "" if one.x is None else str(one.x)
        seen = f"{_figure(one.call)} ({_figure(one.empty_call)})"
        residual = _figure(one.residual, "+d")
        table.add_row(one.case, x, _figure(one.raw), _figure(one.overhead), seen, residual)
    console().print(table)


def _figure(values: tuple[int, ...], layout: str = "d") -> str:
    """One value, or the least and the greatest."""
    least, greatest = format(values[0], layout), format(values[-1], layout)
    return least if least == greatest else f"{least} … {greatest}"
