"""Numbers that the text of Sauer, Gries, Kulkarni and Keutzer states (UCB/ERL M03/26, 2003).

"Performance Analysis of the Peripheral - Processor Interaction in Embedded Systems": uClinux 2.4 on
an AT91x40 without wait states. It receives a file of 1,000 bytes, by serial line and by infrared.
Its figures print no numbers in the text that is at hand, so none of their points is here. Table 2
is damaged there; its entries that cannot be assigned to a row are left out.
"""

from typing import NamedTuple

LINE_BITS_PER_S = 115_200
FILE_BYTES = 1000
"""Of the file that its tables are of."""
CYCLES_PER_INSTRUCTION = 1.9


class Stated(NamedTuple):
    """A number of the text: `value` in `unit`, where it stands, and what it counts."""

    value: float
    unit: str
    where: str
    counts: str


INSTRUCTIONS = "instructions per byte through the UART"

LOAD = {
    "char": 35.8,
    "char/n_tty": 17.2,
    "char/driver": 15.3,
    "char/tty": 3.3,
    "kernel": 31.2,
    "kernel/irq": 12.8,
    "kernel/time": 7.4,
    "kernel/sched": 3.9,
    "kernel/signal": 3.3,
    "fs": 13.1,
    "application": 142.7,
    "active": 222.8,
}
"""Table 1, by class or class/sub-class: instructions per byte. `active` is all but idle."""

FUNCTIONS = {
    "char/n_tty": {"read_chan": 12.4, "n_tty_receive_buf": 2.2, "write_chan": 1.4},
    "char/driver": {
        "receive_chars": 6.2,
        "rs_write": 2.3,
        "rs_interrupt": 1.2,
        "transmit_chars": 0.8,
        "start_rx": 0.7,
    },
    "char/tty": {"tty_read": 1.5},
    "kernel/irq": {"do_IRQ": 4.8, "IRQ": 3.6, "check_irq_lock": 1.5},
    "kernel/sched": {"schedule": 2.6},
    "kernel/signal": {"sys_sigaction": 1.7, "do_sigaction": 1.1},
    "fs": {"sys_read": 2.7, "sys_write": 1.5},
}
"""Table 1's largest functions: instructions per byte."""

INFRARED_LOAD = {
    "char": 14.4,
    "char/random": 4.3,
    "char/n_tty": 2.5,
    "char/driver": 6.5,
    "irda": 56.0,
    "irda/protocol": 34.2,
    "irda/irtty": 11.9,
    "kernel": 29.6,
    "kernel/sys_arm": 13.3,
    "kernel/softirq": 3.0,
    "fs": 5.0,
    "application": 12.9,
    "active": 117.9,
}
"""Table 2 likewise. Section 4.2 states char, irtty and, rounded, the protocol again. Of irda 9.9
are left, which are the network's functions."""

LOADS = {"serial": LOAD, "infrared": INFRARED_LOAD}
"""By the line."""

BUDGET = {10: 361, 40: 1460}
"""Section 3.2: instructions per transferred byte, by MHz."""

DEVICES = {
    "serial": {"aic": (294, 364, 658), "tc": (18, 0, 18), "usart": (200, 1135, 1335)},
    "infrared": {"aic": (507, 507, 1014), "tc": (102, 0, 102), "usart": (107, 450, 557)},
}
"""Table 3, by the line: reads, writes and all accesses of each device."""
DEVICE_TOTALS = {"serial": (512, 1499, 2011), "infrared": (716, 957, 1673)}

REGISTERS = {
    "serial": {
        "receive pointer": (0, 74, 74),
        "receive counter": (91, 148, 239),
        "transmit pointer": (0, 18, 18),
        "transmit counter": (0, 127, 127),
        "control": (0, 364, 364),
        "interrupt enable": (0, 91 + 165, 256),
        "channel status": (109, 0, 109),
        "receive timeout": (0, 148, 148),
    },
    "infrared": {
        "receive pointer": (0, 23, 23),
        "receive counter": (46, 23, 69),
        "transmit pointer": (0, 15, 15),
        "transmit counter": (0, 75, 75),
        "control": (0, 166, 166),
        "interrupt enable": (0, 46 + 58, 104),
        "channel status": (61, 0, 61),
        "receive timeout": (0, 44, 45),
    },
}
"""Table 4, by the line: reads, writes and all accesses of groups of the UART's registers."""
REGISTER_TOTALS = {"serial": (200, 1135, 1335), "infrared": (107, 450, 559)}

TRANSFERS = {
    "serial": {"to memory": (1385, 91, 15.2), "from memory": (141, 18, 7.8)},
    "infrared": {"to memory": (2159, 23, 93.9), "from memory": (926, 15, 61.7)},
}
"""Table 5, by the line: bytes, number and mean length of the DMA's transfers."""
TRANSFER_TOTALS = {"serial": (1526, 109, 14.0), "infrared": (3085, 38, 81.2)}

STATED = {
    "wire_bytes": Stated(1570, "byte", "section 4.1", "through the UART for 1,000 bytes, serial"),
    "wire_bytes_infrared": Stated(3080, "byte", "section 4.1", "the same, infrared"),
    "overhead_least": Stated(0.39, "", "abstract, sections 4.4 and 5", "least overhead, serial"),
    "overhead_large": Stated(0.40, "", "section 4.1", "overhead of large files, serial"),
    "overhead_most": Stated(2.29, "", "section 5", "most overhead, serial"),
    "overhead_large_infrared": Stated(0.47, "", "section 4.1", "overhead of large files, infrared"),
    "overhead_most_infrared": Stated(17.40, "", "section 4.1", "most overhead, infrared"),
    "char_share": Stated(0.16, "", "sections 4.2 and 4.4", "char of the active instructions"),
    "irq_share": Stated(0.07, "", "section 4.2", "irq and softirq of the active instructions"),
    "time_sched_share": Stated(0.05, "", "section 4.2", "timer and scheduler of the same"),
    "application_share": Stated(2 / 3, "", "section 4.2", "the application of the same"),
    "receive_chars": Stated(6, INSTRUCTIONS, "section 4.2", "receive_chars"),
    "irda_share_infrared": Stated(0.47, "", "section 4.2", "irda of the active instructions"),
    "char": Stated(35, INSTRUCTIONS, "sections 4.2 and 4.4", "the char class"),
    "char_infrared": Stated(22, INSTRUCTIONS, "section 4.4", "the char class, infrared"),
    "irtty_infrared": Stated(11.9, INSTRUCTIONS, "section 4.2", "the layer between UART and irda"),
    "protocol_infrared": Stated(34, INSTRUCTIONS, "section 4.2", "the infrared protocol itself"),
    "framing_share_infrared": Stated(
        2 / 3, "", "section 4.2", "frame processing of the infrared protocol"
    ),
    "cycles_per_instruction": Stated(
        CYCLES_PER_INSTRUCTION, "cycle", "section 3.2", "cycles per instruction of the core"
    ),
    "active": Stated(222, INSTRUCTIONS, "section 4.2", "all but idle, serial"),
    "active_infrared": Stated(118, INSTRUCTIONS, "section 4.2", "all but idle, infrared"),
    "occupation_least": Stated(0.15, "", "section 4.2", "of a 40 MHz processor, serial"),
    "occupation_most": Stated(0.61, "", "section 4.2", "of a 10 MHz processor, serial"),
    "occupation_least_infrared": Stated(0.08, "", "section 4.2", "of 40 MHz, infrared"),
    "occupation_most_infrared": Stated(0.33, "", "section 4.2", "of 10 MHz, infrared"),
    "time_by_serial_infrared": Stated(
        2, "", "section 4.2", "at least: time of the infrared transfer by the serial one's"
    ),
    "needed_mhz": Stated(6, "MHz", "section 4.4", "needed for 115 kb/s, serial"),
    "factor": Stated(52, "", "sections 4.4 and 5", "processor clock by line rate, serial"),
    "factor_infrared": Stated(26, "", "section 4.4", "the same, infrared"),
    "data_accesses": Stated(196_000, "access", "section 4.3", "data of the CPU, not idle, serial"),
    "data_accesses_infrared": Stated(218_000, "access", "section 4.3", "the same, infrared"),
    "accesses_per_instruction": Stated(0.56, "", "section 4.3", "data accesses, serial"),
    "accesses_per_instruction_infrared": Stated(0.6, "", "section 4.3", "the same, infrared"),
    "words": Stated(0.88, "", "section 4.3", "of the data accesses, serial"),
    "bytes": Stated(0.12, "", "section 4.3", "of the data accesses, serial"),
    "words_infrared": Stated(0.81, "", "section 4.3", "of the data accesses, infrared"),
    "bytes_infrared": Stated(0.17, "", "section 4.3", "of the data accesses, infrared"),
    "three_of_system": Stated(
        0.55, "", "section 4.3", "driver, n_tty and irq of the operating system's accesses, serial"
    ),
    "char_accesses": Stated(0.18, "", "section 4.4", "char of all data accesses, serial"),
    "irda_accesses_infrared": Stated(
        0.41, "", "section 4.3", "irda of the operating system's accesses, infrared"
    ),
    "peripheral_accesses_infrared": Stated(
        0.66, "", "section 4.4", "char and irda of all data accesses, infrared"
    ),
    "driver_io_share": Stated(0.07, "", "section 4.3", "registers of the driver's accesses"),
    "driver_io_share_infrared": Stated(0.04, "", "section 4.3", "the same, infrared"),
    "control_accesses": Stated(12, "access", "section 4.3", "of the UART per interaction, serial"),
    "interactions": Stated(109, "", "section 4.3", "receive interrupts and transmissions, serial"),
    "interactions_infrared": Stated(38, "", "section 4.3", "one for each packet, infrared"),
    "mean_transfer_infrared": Stated(80, "byte", "section 4.3", "of the DMA, infrared"),
    "buffers": Stated(5, "buffer", "section 4.2", "from the UART to the application"),
    "buffers_saved": Stated(0.50, "", "section 5", "of the OS's buffers and copies"),
    "peripheral_share_least": Stated(0.16, "", "abstract", "of the load is the peripheral's"),
    "peripheral_share_most": Stated(0.60, "", "abstract", "the same, infrared"),
    "peripheral_share_infrared": Stated(
        0.60, "", "section 4.4", "char and irda of the active instructions"
    ),
}
"""Single numbers of the prose, by name; shares as fractions of 1. Those of the infrared case end in
`INFRARED`."""
INFRARED = "_infrared"


def stated(name: str, line: str) -> Stated | None:
    """The number of this name for a line, "serial" or "infrared"; None where the text has none."""
    return STATED.get(name + INFRARED if line == "infrared" else name)
