"""Conditions of an infrared transfer, for docs/explanation/infrared.md: drivers, wait states, and
what should not matter."""

from collections.abc import Callable, Sequence
from statistics import median

from cyclescope.studies.peripheral.report.measured import MeasuredTransfer
from pages.infrared_campaigns import BAUDS, FILE_SEEDS, OFFSETS_US, PIO_OFFSETS_US, WAITS
from pages.infrared_transfers import (
    accesses,
    active,
    came,
    needed_mhz,
    steady,
    transfer,
    transfers,
    waited,
)
from pages.runs import today
from pages.values import table

VARIED = {
    "serial, Linux: content": [f"serial_seed_{seed}" for seed in FILE_SEEDS],
    "infrared, Linux: content": [f"infrared_linux_seed_{seed}" for seed in FILE_SEEDS],
    "infrared, Linux: start": [f"infrared_linux_offset_{one}" for one in OFFSETS_US],
    "infrared, FreeRTOS: content": [f"infrared_freertos_seed_{seed}" for seed in FILE_SEEDS],
    "infrared, FreeRTOS: start": [f"infrared_freertos_offset_{one}" for one in OFFSETS_US],
}
"""Campaigns by the quantity in which they differ."""
Row = tuple[str, Callable[[MeasuredTransfer], str]]
"""A quantity, and its cell of a transfer."""


def infrared_pio() -> str:
    """How the file of 1,000 bytes arrives by PIO, by speed and wait states: of some starts."""
    rows = []
    for baud in BAUDS:
        cells = [_of_starts(baud, waits) for waits in WAITS]
        rows.append(f"{baud:,} | {' | '.join(cells)}")
    return table(f"bit/s, at most | {_waits()}", *rows)


def _of_starts(baud: int, waits: int) -> str:
    """How many files are whole, and the overruns that the driver reports of these."""
    found = [transfer(f"infrared_pio_{baud}_{waits}_{one}").outcome for one in PIO_OFFSETS_US]
    whole = [one for one in found if one.identical]
    text = f"{len(whole)} of {len(found)}"
    return f"{text}: {', '.join(f'{one.overruns:,}' for one in whole)}" if whole else text


def infrared_halves() -> str:
    """How many files arrive with the PDC for one way alone, in a sentence."""
    counts = {}
    for driver in ("pdc-receive", "pdc-send"):
        found = [transfer(f"infrared_half_{one}", driver=driver) for one in PIO_OFFSETS_US]
        counts[driver] = f"{sum(one.outcome.identical for one in found)} of {len(found)}"
    return (
        f"With the PDC for receiving alone {counts['pdc-receive']} files arrive at 9,600 bit/s "
        f"without wait states, with it for sending alone {counts['pdc-send']}."
    )


def infrared_octets() -> str:
    """FreeRTOS, with an interrupt for each received octet, at 115,200 bit/s."""
    found = [transfer(f"infrared_octets_{waits}") for waits in WAITS]
    return _table(f"FreeRTOS by octets | {_waits()}", COSTS, found)


def infrared_pdc() -> str:
    """The file of 1,000 bytes by PDC at 115,200 bit/s, by wait states."""
    found = [transfer(f"infrared_pdc_{waits}") for waits in WAITS]
    needed = ("clock that the line needs, MHz", lambda one: f"{needed_mhz(one):.1f}")
    return _table(f"PDC | {_waits()}", (*COSTS[:4], needed, *COSTS[4:]), found)


def infrared_slow() -> str:
    """The file of 1,000 bytes at 9,600 bit/s by PIO and by PDC."""
    found = [transfer("infrared_slow", driver=driver) for driver in ("pio", "pdc")]
    return _table("9,600 bit/s | PIO | PDC", COSTS, found)


def _table(head: str, rows: Sequence[Row], found: Sequence[MeasuredTransfer]) -> str:
    """A row for each quantity, and a column for each transfer."""
    return table(head, *(f"{text} | {' | '.join(map(of, found))}" for text, of in rows))


COSTS: tuple[Row, ...] = (
    ("file", came),
    ("active instructions per byte on the wire", active),
    ("active cycles per byte on the wire", lambda one: f"{steady(one, 'cycles_per_byte'):,.0f}"),
    ("data accesses per byte on the wire", lambda one: f"{accesses(one):,.1f}"),
    ("line to reader, ms: median, greatest", waited),
    ("transfer, s", lambda one: f"{one.outcome.seconds:.3f}"),
)


def _waits() -> str:
    return " | ".join(f"{waits} wait state{'s' * (waits != 1)}" for waits in WAITS)


def infrared_spread() -> str:
    """Median, least and greatest of a column over contents of the file, and over later starts."""
    rows = []
    for text, names in VARIED.items():
        found = [one for name in names for one in transfers(name)]
        whole = [one for one in found if one.outcome.identical]
        cells = (
            _range([one.outcome.bytes_to_board + one.outcome.bytes_from_board for one in whole], 0),
            _range([one.outcome.seconds for one in whole], 3),
            _range([steady(one, "instructions_per_byte") for one in whole], 1),
            _range([accesses(one) for one in whole], 1),
        )
        rows.append(f"{text} | {len(whole)} of {len(found)} | {' | '.join(cells)}")
    head = "varied | whole | bytes on the wire | transfer, s | instructions per byte"
    return table(f"{head} | data accesses per byte", *rows)


def _range(values: list[float], digits: int) -> str:
    least, middle, most = (
        f"{one:,.{digits}f}" for one in (min(values), median(values), max(values))
    )
    return middle if least == most else f"{middle} ({least} … {most})"


def infrared_made() -> str:
    """Of which day the page's figures are."""
    return f"Made by `make pages` on {today()}."
