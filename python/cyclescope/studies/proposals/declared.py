"""Boards of this study that declare something no AT91x40 has."""

from pathlib import Path

from cyclescope.studies.proposals.setting import Setting

REAL = "at91x40"
FOLDER = Path(__file__).parent / "boards"

DECLARED = {
    "fast_interrupt": "the request of USART 1 is also at the source of the FIQ",
    "framing": "USART 1 is a device that stuffs and checks octets, and hands over whole frames",
    "register_contexts": "IRQ mode has r0 to r12 of its own",
    "register_io": "MRC and MCR of coprocessor 7 reach the registers of USART 1, in a cycle each",
}
"""The deviation of each board file, as results name it."""


def board_of(image: Setting) -> str:
    """The board that an image runs on: a name, or the path of a file with a deviation."""
    return str(FOLDER / f"{image.deviation}.toml") if image.deviation else REAL


def sentence(image: Setting) -> str:
    """The part of the board that is not real; empty if all of it is."""
    return DECLARED[image.deviation] if image.deviation else ""
