"""Why these transfers differ from the paper's, and where the paper contradicts itself."""

from collections.abc import Sequence

from cyclescope.quantity import format_number
from cyclescope.studies.peripheral import recomputed
from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, of_line


def reasons(transfers: Sequence[MeasuredTransfer]) -> list[str]:
    """The differences from the paper, in one sentence each."""
    found = [
        "The kernel is Linux 6.1 and the C library is musl; the paper has uClinux with Linux 2.4. "
        "Interrupts, tty and timers of 6.1 pass through more layers.",
        "The driver is Linux's atmel_serial: the PDC or its interrupt fills a ring, and a tasklet "
        "passes the bytes on. The paper's driver is of its time, with receive_chars and rs_write.",
    ]
    serial = of_line(transfers, LineType.SERIAL)
    if transfers:
        setting = transfers[0].setting
        found.append(
            f"Memories have wait states here (ROM {setting.rom_waits}, RAM {setting.ram_waits}, "
            "16 bits wide). The paper's memory is flat, and it assumes 1.9 cycles an instruction."
        )
    if serial:
        found.append(
            f"Packets have up to {serial[0].setting.packet} characters. The paper names neither "
            "its packets' length nor its file's content, on which prefixes depend."
        )
    if of_line(transfers, LineType.INFRARED):
        found.append(
            "The infrared stack is ours, in a program of Linux or in an image of FreeRTOS. The "
            "paper's is a part of the kernel of Linux 2.4, which newer kernels have not."
        )
    return [
        *found,
        "A byte on the line has ten bits, with its start and stop bit; the paper counts eight.",
        "The steady state begins with the first data packet and ends with the answer to the last; "
        "the paper names no such rule.",
        "The paper assumes an unreliable link, but states no errors. Lines with bit errors are "
        "rows of their own here.",
    ]


def misprints() -> list[tuple[str, str, str, str]]:
    """Numbers of the paper that its other numbers do not give: where, what, stated, recomputed."""
    return [
        (one.where, one.what, format_number(one.stated, 2), format_number(one.recomputed, 2))
        for one in recomputed.not_following()
    ]
