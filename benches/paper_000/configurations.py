"""The configurations in which programs are estimated: board, memory, instruction set, level."""

from collections.abc import Mapping
from dataclasses import dataclass

from cyclescope.firmware.configuration import Configuration

SMALL = ("at91x40 rom", "at91x40 internal")
"""Memories of 256 KiB, which do not hold every program."""
LEVELS = ("O2", "Os", "O0")
MEMORIES: dict[str, tuple[str, dict[str, int | str]]] = {
    "lpc2148-lab ram": ("lpc2148-lab", {"code": "lab"}),
    "lpc2148-lab flash mam0": ("lpc2148-lab", {"code": "flash", "mam": 0}),
    "lpc2148-lab flash mam2": ("lpc2148-lab", {"code": "flash", "mam": 2}),
    "at91x40 ram": ("at91x40", {"code": "ram"}),
    "at91x40 rom": ("at91x40", {"code": "rom"}),
    "at91x40 internal": ("at91x40", {"code": "internal"}),
}


@dataclass(frozen=True)
class BoardConfiguration:
    """A board, as it is set, and the level at which programs are compiled for it."""

    memory: str
    isa: str
    level: str

    @property
    def name(self) -> str:
        return f"{self.memory} {self.isa} {self.level}"

    @property
    def settings(self) -> Mapping[str, int | str]:
        """The board's settings that differ from its file."""
        return {**MEMORIES[self.memory][1], "isa": self.isa}

    def of_kernel(self, kernel: str) -> Configuration:
        """The image's configuration for a program with this kernel."""
        return Configuration(MEMORIES[self.memory][0], kernel, self.settings)


CONFIGURATIONS = tuple(
    BoardConfiguration(memory, isa, level)
    for memory in MEMORIES
    for level in LEVELS
    for isa in ("arm", "thumb")
)
REFERENCE = CONFIGURATIONS[0]
"""Code and data in RAM without wait states, ARM, -O2."""
