"""Where each case's probes and calls are in an image, read from its ELF (docs/cases.md)."""

from __future__ import annotations

from dataclasses import dataclass

from cyclescope.errors import CyclescopeError
from cyclescope.program import Program

CALLS = {"bl", "svc"}
PREFIX = "probe."
PAIR = "probe.pair."


@dataclass(frozen=True)
class Instruction:
    """One instruction of the timed path, without its address."""

    mnemonic: str
    operands: str


@dataclass(frozen=True)
class Sites:
    """The addresses of one variant of a case, real or empty, and the code between its probes.

    `entry` is where the callee begins, or the instruction itself when the call enters no function;
    `returned` is where the call returns to, in the task it returns in. `path` is what executes from
    the starting probe to the call, both included; the call's operand is left out.
    """

    start: int
    entry: int
    returned: int
    stop: int
    path: tuple[Instruction, ...]


@dataclass(frozen=True)
class CaseProbes:
    """Both variants of a case."""

    real: Sites
    empty: Sites


@dataclass(frozen=True)
class Probes:
    """The register that all probes read, the probes of each case by its name, and those of the pair
    without a call."""

    timer: int
    cases: dict[str, CaseProbes]
    pair: Sites


def read_probes(program: Program) -> Probes:
    """The probes of an image."""
    code = _Code(program)
    timer = code.probes.pop(f"{PREFIX}timer", None)
    if timer is None:
        raise CyclescopeError("the image has no probes: it is no image of the firmware")
    ends = code.probes.keys() - {PAIR + "start", PAIR + "stop"}
    names = sorted({name.removeprefix(PREFIX).rsplit(".", 2)[0] for name in ends})
    return Probes(
        timer,
        {
            name: CaseProbes(*(code.sites(f"{PREFIX}{name}.{kind}.") for kind in ("real", "empty")))
            for name in names
        },
        code.sites(PAIR),
    )


class _Code:
    """The program of an image and its probe symbols."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.probes = {
            name: value for name, value in program.symbols.items() if name.startswith(PREFIX)
        }

    def sites(self, prefix: str) -> Sites:
        """Follows the code of one variant from its starting probe to its call."""
        start = self.probes[prefix + "start"]
        stop = self.probes.get(prefix + "moved", self.probes[prefix + "stop"])
        inline = self.probes[prefix + "stop"]
        path: list[Instruction] = []
        entry = returned = inline
        for at, size, mnemonic, operands in self._program.instructions(start, inline):
            if mnemonic in CALLS:
                path.append(Instruction(mnemonic, ""))
                entry = int(operands.lstrip("#"), 0) if mnemonic == "bl" else at
                returned = at + size
            else:
                path.append(Instruction(mnemonic, _relative(operands)))
        if prefix + "moved" in self.probes:
            returned = self._return_before(stop)
        return Sites(start, entry, returned, stop, tuple(path))

    def _return_before(self, stop: int) -> int:
        """`stop`, if the instruction in front of it is a call: then that call returns there."""
        for size in (4, 2):
            found = list(self._program.instructions(stop - size, stop))
            if len(found) == 1 and found[0][2] in CALLS:
                return stop
        raise CyclescopeError(f"no call in front of the probe at {stop:#x}: rebuild the firmware")


def _relative(operands: str) -> str:
    """Operands without the distance to a literal: it differs from function to function."""
    return operands.split("[pc")[0] + "[pc]" if "[pc" in operands else operands
