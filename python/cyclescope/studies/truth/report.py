"""The table of `cyclescope truth` in a terminal."""

from collections.abc import Sequence

from rich.table import Table

from cyclescope.studies.truth.measure import CaseTruth

MEANING = (
    "Core cycles. Raw: stop - start, by the target. Overhead: raw of the empty call. Entry to "
    "return: the call as the board's clock saw it, and in brackets the empty call. Residual: "
    "(raw - overhead) - (call - empty call); 0 where a fetch costs the same in any context "
    "(docs/reference/cases.md)."
)


def table(found: Sequence[CaseTruth]) -> Table:
    """A row for each case at each x."""
    shown = Table(box=None, caption=MEANING, caption_justify="left", title_justify="left")
    shown.add_column("case", overflow="fold")
    for heading in ("x", "raw", "overhead", "entry to return", "residual"):
        shown.add_column(heading, justify="right")
    for one in found:
        x = "" if one.x is None else str(one.x)
        seen = f"{_figure(one.call)} ({_figure(one.empty_call)})"
        residual = _figure(one.residual, "+d")
        shown.add_row(one.case, x, _figure(one.raw), _figure(one.overhead), seen, residual)
    return shown


def _figure(values: tuple[int, ...], layout: str = "d") -> str:
    """One value, or the least and the greatest."""
    least, greatest = format(values[0], layout), format(values[-1], layout)
    return least if least == greatest else f"{least} … {greatest}"
