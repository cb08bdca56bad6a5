"""The budget of a byte: what a processor executes while one is on the line, and needs."""

from collections.abc import Mapping
from typing import Any

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.analyses.tables import left_and_numbers
from cyclescope.studies.peripheral.recomputed import FRAME_BITS as PAPER_BITS

CLOCKS_MHZ = (10.0, 20.0, 30.0, 32.768, 40.0)
"""Up to the fastest AT91x40; 32.768 MHz is the board's own."""
FRAME_BITS = 10
"""Eight bits of data, a start and a stop bit."""


def budget(
    load: Mapping[str, Any], bits_per_s: int = paper.LINE_BITS_PER_S, line: str = "serial"
) -> dict[str, Any]:
    """The budget twice: the paper's way, and by the measured cycles of a load with whole frames.

    The paper counts eight bits a byte and 1.9 cycles an instruction. Measured cycles are those of
    this board's memories; a processor with another clock has them only with the same wait states.
    """
    active = load["active"]
    instructions = active["instructions_per_byte"]
    cycles = _busy_cycles(load) / load["bytes"]["wire"]
    each = cycles / instructions
    return {
        "bits_per_s": bits_per_s,
        "paper_way": _way(PAPER_BITS, paper.CYCLES_PER_INSTRUCTION, instructions, bits_per_s),
        "paper_numbers": _way(
            PAPER_BITS, paper.CYCLES_PER_INSTRUCTION, paper.LOADS[line]["active"], bits_per_s
        ),
        "measured": _way(FRAME_BITS, each, instructions, bits_per_s),
        "stated": {
            "instructions_per_byte": {str(mhz): value for mhz, value in paper.BUDGET.items()},
            **{
                key: stated.value
                for key in ("needed_mhz", "factor", "occupation_least", "occupation_most")
                if (stated := paper.stated(key, line))
            },
        },
    }


def _busy_cycles(load: Mapping[str, Any]) -> int:
    """Cycles that the processor cannot give to other work: all but idle loop and sleep."""
    active: int = load["active"]["cycles"]
    return active + int(load["entry_cycles"]) + int(load["transfer_wait_cycles"])


def _way(
    frame_bits: int, cycles_per_instruction: float, per_byte: float, bits_per_s: int
) -> dict[str, Any]:
    """Budgets by clock, and the clock at which the active instructions of a byte just fit."""
    bytes_per_s = bits_per_s / frame_bits
    needed_hz = per_byte * cycles_per_instruction * bytes_per_s
    clocks = []
    for mhz in CLOCKS_MHZ:
        cycles = mhz * 1e6 / bytes_per_s
        fits = cycles / cycles_per_instruction
        clocks.append(
            {
                "mhz": mhz,
                "cycles_per_byte": cycles,
                "instructions_per_byte": fits,
                "occupation": per_byte / fits,
            }
        )
    return {
        "frame_bits": frame_bits,
        "cycles_per_instruction": cycles_per_instruction,
        "active_instructions_per_byte": per_byte,
        "needed_mhz": needed_hz / 1e6,
        "factor": needed_hz / bits_per_s,
        "clocks": clocks,
    }


def lines(document: Mapping[str, Any]) -> list[str]:
    """The budget as text: one line for each clock, then what is needed."""
    ways = [document[key] for key in ("paper_numbers", "paper_way", "measured")]
    header = ("MHz", "paper's program", "used", "here, paper's way", "used", "here", "used")
    rows = []
    for clocks in zip(*(way["clocks"] for way in ways), strict=True):
        cells = [f"{clocks[0]['mhz']:g}"]
        for one in clocks:
            cells += [f"{one['instructions_per_byte']:,.0f}", f"{one['occupation']:.0%}"]
        rows.append(tuple(cells))
    needed = [
        f"{name} needs {way['needed_mhz']:.1f} MHz, {way['factor']:.0f} times the line's rate"
        for name, way in zip(
            ("the paper's program", "here, the paper's way", "here, measured"), ways, strict=True
        )
    ]
    last = ways[-1]
    return [
        f"Instructions in the time of a byte at {document['bits_per_s']:,} bit/s:",
        *left_and_numbers(header, rows),
        *needed,
        f"paper's way: {ways[0]['frame_bits']} bits a byte, "
        f"{ways[0]['cycles_per_instruction']:g} cycles an instruction",
        f"measured: {last['frame_bits']} bits, {last['cycles_per_instruction']:.2f} cycles, "
        "wait states of this board included",
    ]
