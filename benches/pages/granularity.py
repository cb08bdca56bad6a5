"""Granularity under Linux, for docs/explanation/proposals.md: buffers and time-outs of the PDC."""

from collections.abc import Callable, Mapping
from typing import Any

from cyclescope.studies.peripheral import paper
from pages.proposals import NAME
from pages.runs import GRANULARITY, ROOT, PageError, campaign
from pages.serial_line import Transfer, active, outcome, transfers
from pages.values import table
from svg import Axis, Trace, write

PICTURE = ROOT / "docs" / "pictures" / "granularity.svg"
HEADINGS = (
    *("bytes, bits", "file", "interactions", "bytes received in one", "instructions", "cycles"),
    *("control accesses", "line to reader, ms", "nJ"),
)


def granularity_table(line: str) -> str:
    """The costs of a download of 1,000 bytes by buffer and time-out of the receiving PDC."""
    rows = [
        " | ".join((f"{buffer}, {time_out}", outcome(one), *_costs(one)))
        for (buffer, time_out), one in _measured(line).items()
    ]
    return table(" | ".join(HEADINGS), *rows)


def _costs(one: Transfer) -> tuple[str, ...]:
    """Cells of the steady state; a transfer without data has none."""
    if not one["analyses"]:
        return ("–",) * (len(HEADINGS) - 2)
    return (
        f"{_interactions(one)}",
        f"{_received(one)['mean_bytes']:.1f}",
        f"{active(one):,.1f}",
        f"{active(one, 'cycles'):,.0f}",
        f"{one['analyses']['accesses']['control_accesses_per_interaction']:.1f}",
        _waited(one),
        f"{one['analyses']['energy']['total']['nj_per_byte']:,.0f}",
    )


def granularity_whole(line: str) -> str:
    """Whether every file arrived identical, in a sentence."""
    found = _measured(line)
    lost = [
        f"{buffer} bytes and {time_out} bits"
        for (buffer, time_out), one in found.items()
        if not one["outcome"]["identical"]
    ]
    if not lost:
        return f"All {len(found)} files arrive identical."
    return f"Of {len(found)} files {len(lost)} do not arrive identical: {'; '.join(lost)}."


def granularity_picture() -> str:
    """Draws interactions against load of all systems, with the paper's points."""
    traces = [
        *(
            _trace(
                f"FreeRTOS, {line}",
                _of_freertos(key),
                lambda one: 1000 / one["bytes_per_interaction"],
                lambda one: one["load"]["active_instructions"]["per_byte"],
            )
            for line, key in (("serial", "granularity"), ("infrared", "infrared-granularity"))
        ),
        *(
            _trace(f"Linux, {line}", _whole(line), _per_1000, active)
            for line in ("serial", "infrared")
        ),
        Trace(
            "paper: serial 222.8, infrared 117.9",
            [1000 / paper.TRANSFER_TOTALS[line][2] for line in ("serial", "infrared")],
            [paper.LOAD["active"], paper.INFRARED_LOAD["active"]],
        ),
    ]
    write(
        PICTURE,
        Axis("interactions per 1,000 bytes on the line", logarithmic=True),
        Axis("active instructions per byte", logarithmic=True),
        traces,
    )
    return f"![Interactions against active instructions](../pictures/{PICTURE.name})"


def _of_freertos(key: str) -> list[Any]:
    """The images of a comparison under FreeRTOS."""
    found = campaign(NAME)
    names = next(one["images"] for one in found["comparisons"] if one["key"] == key)
    return [one for one in found["measured"] if one["name"] in names]


def _trace(
    name: str,
    found: list[Any],
    across: Callable[[Any], float],
    up: Callable[[Any], float],
) -> Trace:
    return Trace(name, [across(one) for one in found], [up(one) for one in found])


def _measured(line: str) -> Mapping[tuple[int, int], Transfer]:
    """The transfer of each buffer, in bytes, and time-out, in bits."""
    return {
        (buffer, time_out): _only(f"granularity_{line}_{buffer}_{time_out}")
        for buffer, time_out in GRANULARITY
    }


def _whole(line: str) -> list[Transfer]:
    return [one for one in _measured(line).values() if one["outcome"]["identical"]]


def _only(name: str) -> Transfer:
    found = transfers(name)
    if len(found) != 1:
        raise PageError(f"the campaign {name} has {len(found)} transfers, not one")
    return found[0]


def _received(one: Transfer) -> Any:
    return one["analyses"]["accesses"]["transfers"][0]


def _interactions(one: Transfer) -> int:
    found: int = one["analyses"]["accesses"]["interactions"]
    return found


def _per_1000(one: Transfer) -> float:
    """Interactions per 1,000 bytes on the wire, in the steady state."""
    moved = one["analyses"]["accesses"]["transfers"]
    return 1000 * _interactions(one) / sum(way["wire_bytes"] for way in moved)


def _waited(one: Transfer) -> str:
    """Median and greatest time from the line to the reader."""
    found = one["analyses"]["latency"]["bytes"]["stages"]["line_to_call_returned"]["us"]
    return f"{found['q50'] / 1000:.2f}, {found['max'] / 1000:.2f}"
