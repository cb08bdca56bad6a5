"""Transfers of infrared campaigns, as the tables of docs/explanation/infrared.md read them."""

from collections.abc import Mapping

from cyclescope.studies.peripheral import results
from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, measured
from cyclescope.studies.peripheral.report.sections import lines
from pages.runs import FOLDER, PageError, made_folder, once

BOTH, FREERTOS = "infrared", "infrared_freertos"
SIZE = 1000
"""Bytes of the paper's file."""


@once
def transfers(name: str) -> list[MeasuredTransfer]:
    """Every transfer of a campaign."""
    made_folder(name)
    return measured(results.load(FOLDER / name))


def transfer(
    name: str, line: LineType = LineType.INFRARED, size: int = SIZE, **settings: object
) -> MeasuredTransfer:
    """The one transfer of a campaign over a line, of this size and these settings."""
    found = [
        one
        for one in transfers(name)
        if (one.setting.line, one.setting.size) == (line, size)
        and all(getattr(one.setting, key) == value for key, value in settings.items())
    ]
    if len(found) != 1:
        raise PageError(f"the campaign {name} has {len(found)} transfers of {size} bytes on {line}")
    return found[0]


def pair() -> Mapping[LineType, MeasuredTransfer]:
    """The paper's file over both lines."""
    both = lines.pair(transfers(BOTH))
    if both is None:
        raise PageError("the campaign has no file that arrived whole over both lines")
    return both


def steady(one: MeasuredTransfer, key: str) -> float:
    """A quantity of all but idle code, in the steady state."""
    return float(one.documents["load"]["steady"]["active"][key])


def needed_mhz(one: MeasuredTransfer) -> float:
    """The clock that the line needs, by the measured cycles."""
    return float(one.documents["load"]["budget"]["measured"]["needed_mhz"])


def accesses(one: MeasuredTransfer) -> float:
    """Data accesses per byte on the wire."""
    return float(one.documents["accesses"]["per_wire_byte"])


def by_size(name: str) -> dict[str, MeasuredTransfer]:
    """Transfers of a campaign, the smallest file first, each by the begin of its row: bytes of the
    file, bytes on the wire, and overhead."""
    rows = {}
    for one in sorted(transfers(name), key=lambda one: one.setting.size):
        found = one.documents["overhead"]
        cells = (f"{one.setting.size:,}", f"{found['wire_bytes']:,}")
        rows[" | ".join((*cells, f"{found['overhead_share']:.1%}"))] = one
    return rows


def active(one: MeasuredTransfer) -> str:
    """Active instructions per byte on the wire."""
    return f"{steady(one, 'instructions_per_byte'):,.1f}"


def came(one: MeasuredTransfer) -> str:
    """How a transfer came out: the file, and the driver's overruns where the board reports them."""
    outcome = one.outcome
    if not outcome.identical and outcome.board_status is None:
        return "not whole, no end"
    lost = f"{outcome.overruns:,} overrun{'s' * (outcome.overruns != 1)}"
    if not outcome.identical:
        return f"not whole, {lost}"
    return f"whole, {lost}" if outcome.overruns else "whole"


def waited(one: MeasuredTransfer) -> str:
    """Median and greatest time from the line to the reader, in milliseconds."""
    found = one.documents["latency"]["bytes"]["stages"]["line_to_call_returned"]["us"]
    return f"{found['q50'] / 1000:.2f}, {found['max'] / 1000:.2f}"
