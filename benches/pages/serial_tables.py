"""Tables of docs/explanation/peripheral.md: the serial line's costs, beside the paper's numbers."""

from collections.abc import Sequence
from typing import Any

from cyclescope.studies.peripheral import paper
from pages.runs import SERIAL_BAUDS, SERIAL_WAITS
from pages.serial_line import Transfer, active, download, outcome, transfer
from pages.values import table

CHAR = ("n_tty", "driver", "tty", "random")
KERNEL = ("irq", "time", "sched", "signal")
DRIVERS = (
    ("PDC, 115,200 baud", "serial_1000", "pdc"),
    ("PDC for receiving alone", "serial_drivers", "pdc-receive"),
    ("PDC for sending alone", "serial_drivers", "pdc-send"),
    ("PIO, 115,200 baud", "serial_drivers", "pio"),
    ("PIO, 9,600 baud", "serial_slow", "pio"),
)
RECEIVERS = {
    "polled": "serial_polled",
    "time-out": "serial_1000",
    "buffers of 16 bytes": "serial_16",
}
"""Ways to take what the PDC received, and their campaigns."""
LARGE = ("serial_polled_16000", "serial_sizes", "serial_16_16000")
"""The same, with a download of 16,000 bytes."""


def serial_sizes() -> str:
    """Downloads by PDC: bytes, overhead and load by the file's size."""
    rows = []
    for one in _sizes("download"):
        found = one["analyses"]["overhead"]
        rows.append(
            f"{one['setting']['size']:,} | {found['wire_bytes']:,} | "
            f"{found['overhead_share']:.1%} | {outcome(one)} | {active(one):.1f} | "
            f"{active(one, 'cycles'):,.0f}"
        )
    heads = "bytes of the file | on the wire | overhead | file | active instructions per byte"
    return table(f"{heads} | active cycles per byte", *rows)


def serial_uploads() -> str:
    """Bytes of uploads on the wire, beside the downloads."""
    sent = [
        [one["analyses"]["overhead"]["wire_bytes"] for one in _sizes(way)]
        for way in ("download", "upload")
    ]
    whole = all(one["outcome"]["identical"] for one in _sizes("upload"))
    same = "the same bytes" if sent[0] == sent[1] else f"{', '.join(map('{:,}'.format, sent[1]))}"
    return f"Uploads have {same} on the wire, and {'all' if whole else 'not all'} arrive whole."


def _sizes(direction: str) -> list[Transfer]:
    sizes = (100, 250, 500, 1000, 2000, 4000, 8000, 16_000)
    return [
        transfer("serial_sizes", driver="pdc", direction=direction, size=size) for size in sizes
    ]


def serial_drivers() -> str:
    """How 1,000 bytes arrive by each driver, both ways."""
    rows = []
    for text, name, driver in DRIVERS:
        both = (
            outcome(transfer(name, driver=driver, direction=way, size=1000))
            for way in ("download", "upload")
        )
        rows.append(f"{text} | {' | '.join(both)}")
    return table("1,000 bytes | download | upload", *rows)


def serial_rates() -> str:
    """How a download of 1,000 bytes arrives by PIO, by speed and wait states."""
    rows = []
    for baud in SERIAL_BAUDS:
        cells = (
            outcome(transfer(f"serial_pio_{baud}_{waits}", driver="pio", size=1000))
            for waits in SERIAL_WAITS
        )
        rows.append(f"{baud:,} | {' | '.join(cells)}")
    heads = (f"{waits} wait state{'s' * (waits != 1)}" for waits in SERIAL_WAITS)
    return table(f"baud | {' | '.join(heads)}", *rows)


def serial_receivers() -> str:
    """Ways to take received bytes from the PDC: interactions, transfers, latency, load."""
    found = [download(name) for name in RECEIVERS.values()]
    large = [transfer(name, direction="download", size=16_000) for name in LARGE]
    stated = paper.TRANSFERS["serial"]
    rows = [
        _row("file of 16,000 bytes", large, outcome, "–"),
        _row("file of 1,000 bytes", found, outcome, "–"),
        _row("transfers of the PDC to memory", found, lambda one: _moved(one, 0, "number"),
             _text(stated["to memory"][1])),
        _row("… mean bytes", found, lambda one: _moved(one, 0, "mean_bytes"),
             _text(stated["to memory"][2])),
        _row("transfers of the PDC from memory", found, lambda one: _moved(one, 1, "number"),
             _text(stated["from memory"][1])),
        _row("… mean bytes", found, lambda one: _moved(one, 1, "mean_bytes"),
             _text(stated["from memory"][2])),
        _row("interactions, both ways", found, _interactions,
             _text(paper.STATED["interactions"].value)),
        _row("control accesses per interaction", found,
             lambda one: _text(_accesses(one)["control_accesses_per_interaction"]),
             _text(paper.STATED["control_accesses"].value)),
        _row("interrupts of the USART, steady state", found,
             lambda one: _text(_accesses(one)["interrupts"]), "–"),
        _row("line to reader, median", found, lambda one: _waited(one, "q50"), "–"),
        _row("… most that was observed", found, lambda one: _waited(one, "max"), "–"),
        _row("active instructions per byte", found, lambda one: f"{active(one):.1f}",
             _text(paper.LOAD["active"])),
        _row("active cycles per byte", found, lambda one: f"{active(one, 'cycles'):,.0f}", "–"),
        _row("transfer", found, lambda one: f"{one['outcome']['seconds']:.3f} s", "–"),
    ]  # fmt: skip
    return table(f" | {' | '.join(RECEIVERS)} | paper", *rows)


def _row(text: str, found: Sequence[Transfer], value: Any, stated: str) -> str:
    return f"{text} | {' | '.join(value(one) for one in found)} | {stated}"


def _accesses(one: Transfer) -> Any:
    return one["analyses"]["accesses"]


def _moved(one: Transfer, place: int, key: str) -> str:
    return _text(_accesses(one)["whole_transfers"][place][key])


def _interactions(one: Transfer) -> str:
    return f"{sum(way['number'] for way in _accesses(one)['whole_transfers'])}"


def _waited(one: Transfer, key: str) -> str:
    stage = one["analyses"]["latency"]["bytes"]["stages"]["line_to_call_returned"]
    return f"{stage['us'][key] / 1000:.2f} ms"


def _text(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def serial_beside_paper() -> str:
    """Load and accesses of a download of 1,000 bytes, beside the paper's."""
    one, fast = download("serial_1000"), download("serial_no_wait")
    found = _accesses(one)
    steady, quick = (each["analyses"]["load"]["steady"] for each in (one, fast))
    budgets = [each["analyses"]["load"]["budget"] for each in (one, fast)]
    classes = {row["class"]: row for row in steady["classes"]}
    subs = {
        (row["class"], sub["subclass"]): sub["instructions_per_byte"]
        for row in steady["classes"]
        for sub in row["subclasses"]
    }

    def of(name: str) -> float:
        value: float = classes[name]["instructions_per_byte"]
        return value

    def parts(name: str, wanted: Sequence[str]) -> list[float]:
        return [subs.get((name, sub), 0.0) for sub in wanted]

    char_share = classes["char"]["share_of_active_instructions"]
    char, kernel = parts("char", CHAR), parts("kernel", KERNEL)
    others = of("kernel") - sum(kernel)
    stated, load = paper.STATED, paper.LOAD
    moved = [_moved_text(row) for row in found["whole_transfers"][::-1]]
    ways = paper.TRANSFERS["serial"]
    needed = [each["measured"]["needed_mhz"] for each in budgets]
    by_instruction = [each["active_cycles_per_instruction"] for each in (steady, quick)]
    rows = [
        f"active instructions per byte through the USART | {active(one):.1f} | {load['active']}",
        f"application | {of('application'):.1f} | {load['application']}",
        f"char: {', '.join(CHAR)} | {of('char'):.1f}: {_list(char)} | "
        f"{load['char']}: {_list([load[f'char/{sub}'] for sub in CHAR[:3]])}, –",
        f"kernel: {', '.join(KERNEL)}, others | {of('kernel'):.1f}: {_list([*kernel, others])} | "
        f"{load['kernel']}: {_list([load[f'kernel/{sub}'] for sub in KERNEL])}, –",
        f"fs | {of('fs'):.1f} | {load['fs']}",
        f"char of the active instructions | {char_share:.1%} | {stated['char_share'].value:.0%}",
        f"cycles per active instruction: RAM with 1 wait, with none | {_list(by_instruction)} | "
        f"{paper.CYCLES_PER_INSTRUCTION}",
        "clock needed for the line, 8 bits a byte and 1.9 cycles | "
        f"{budgets[0]['paper_way']['needed_mhz']:.1f} MHz | "
        f"{stated['needed_mhz'].value:.0f} MHz",
        "clock needed, 10 bits and measured cycles: RAM with 1 wait, with none | "
        f"{_list(needed)} MHz | –",
        f"data accesses | {found['data_accesses']:,} | {stated['data_accesses'].value:,.0f}",
        f"data accesses per active instruction | {found['per_active_instruction']:.2f} | "
        f"{stated['accesses_per_instruction'].value}",
        f"words, bytes of the data accesses | {found['widths']['words']['share']:.0%}, "
        f"{found['widths']['bytes']['share']:.0%} | {stated['words'].value:.0%}, "
        f"{stated['bytes'].value:.0%}",
        f"registers of the driver's data accesses | {found['driver_io_share']:.0%} | "
        f"{stated['driver_io_share'].value:.0%}",
        "control accesses per interaction; per interrupt of the USART | "
        f"{found['control_accesses_per_interaction']:.1f}; "
        f"{found['control_accesses_per_interrupt']:.1f} | {stated['control_accesses'].value}; –",
        f"PDC from memory: bytes, number, mean | {moved[0]} | {_list(ways['from memory'])}",
        f"PDC to memory: bytes, number, mean | {moved[1]} | {_list(ways['to memory'])}",
    ]
    return table(" | here | paper", *rows)


def _moved_text(row: dict[str, Any]) -> str:
    return f"{row['bytes']:,}, {row['number']}, {_text(row['mean_bytes'])}"


def _list(values: Sequence[float]) -> str:
    return ", ".join(f"{value:,}" if isinstance(value, int) else f"{value:.1f}" for value in values)
