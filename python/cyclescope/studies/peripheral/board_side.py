"""The board's side of a transfer: a composed Linux whose script runs G-Kermit, and what it says."""

import re
from dataclasses import dataclass

from cyclescope.firmware.linux import System, built, compose
from cyclescope.firmware.linux.system import ARGUMENTS, ROM_DATA
from cyclescope.studies.peripheral.choices import Direction
from cyclescope.studies.peripheral.peer import FILE
from cyclescope.studies.peripheral.setting import TransferSetting

BOARD = "at91x40"
CONSOLE, LINE = "usart0", "usart1"
READY, OVER = "transfer: ready", "transfer: over"
FULL = re.compile(r"Out of memory|deadlocked on memory|No space left|write error")
UPLOADED = f"/etc/{FILE}"
READER = "/bin/memcat"
"""Our program that copies the file to upload from the ROM: in the root archive it would lie in
memory twice at boot."""
PORT = "/dev/ttyS1"


def system(setting: TransferSetting) -> System:
    """Composes the system of a transfer. Raises CyclescopeError if Linux is not built."""
    driver, uploads = setting.driver, setting.direction is Direction.UPLOAD
    directions = {f"{LINE}.rx": driver.receives_by_pdc, f"{LINE}.tx": driver.sends_by_pdc}
    found = built()
    return compose(
        found,
        pdc=[name for name, chosen in directions.items() if chosen],
        arguments=arguments(setting),
        programs={READER: found.program("memcat")} if uploads else {},
        rom_data=setting.file() if uploads else b"",
        script=script(setting),
        rom_waits=setting.rom_waits,
        ram_waits=setting.ram_waits,
    )


def arguments(setting: TransferSetting) -> str:
    """The kernel's command line, with the parameters of the driver's receiver."""
    return (
        f"{ARGUMENTS} atmel_serial.rx_timeout={setting.time_out} "
        f"atmel_serial.rx_bytes={setting.receive_buffer}"
    )


def script(setting: TransferSetting) -> str:
    """The script that the first process runs.

    It keeps the port open, so that no byte is lost before G-Kermit reads it. It opens the port for
    reading and for writing, since G-Kermit sets the descriptor that it reads to non-blocking.
    """
    options = f"-q -i -w -e {setting.packet}{'' if setting.streaming else ' -S'}"
    receives = setting.direction is Direction.DOWNLOAD
    file = FILE if receives else UPLOADED
    prepare = [] if receives else [f"memcat {ROM_DATA:#x} {setting.size} >{UPLOADED}"]
    kermit = f"gkermit {options} {'-r' if receives else f'-s {file}'} <{PORT} >{PORT}"
    run = [kermit, 'echo "transfer: status $?"', f"sha256sum {file}"]
    return "\n".join(
        [
            *prepare,
            f"stty -F {PORT} {setting.baud} raw -echo clocal",
            f"exec 3<{PORT}",
            "cd /tmp",
            f'echo "{READY}"',
            *run,
            "cat /proc/tty/driver/atmel_serial",
            f'echo "{OVER}"',
            "",
        ]
    )


def ran_out_of_memory(console: str) -> bool:
    """Whether the board's memory, which holds its files too, was too small."""
    return FULL.search(console) is not None


@dataclass(frozen=True)
class Said:
    """The report of the board's side at its end; None where it said nothing of the kind."""

    status: int | None
    sha256: str | None
    received: int | None
    sent: int | None
    overruns: int
    framing_errors: int
    is_over: bool
    memory_was_full: bool


def understand(console: str) -> Said:
    """Reads the status, the digest, and the driver's counters of the line."""
    status = re.search(r"transfer: status (\d+)", console)
    digest = re.search(r"^([0-9a-f]{64})\b", console, re.M)
    counters = re.search(r"^1: uart:.*$", console, re.M)
    counts = dict(re.findall(r"\b(tx|rx|fe|oe):(\d+)", counters[0])) if counters else {}
    return Said(
        status=int(status[1]) if status else None,
        sha256=digest[1] if digest else None,
        received=int(counts["rx"]) if "rx" in counts else None,
        sent=int(counts["tx"]) if "tx" in counts else None,
        overruns=int(counts.get("oe", 0)),
        framing_errors=int(counts.get("fe", 0)),
        is_over=OVER in console,
        memory_was_full=ran_out_of_memory(console),
    )
