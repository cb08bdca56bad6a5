"""Where each case's probes and calls are in an image, read from its ELF.

See docs/reference/cases.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.probed_timer import SYMBOL, ProbedTimer
from cyclescope.firmware.program import Program

PREFIX = "probe."
PAIR = "probe.pair."


@dataclass(frozen=True)
class PathInstruction:
    """One instruction of the timed path, without its address."""

    mnemonic: str
    operands: str


@dataclass(frozen=True)
class Sites:
    """The addresses of one variant of a case, real or empty, and the code between its probes.

    `entry` is where the callee begins, or the call's first instruction when it enters no function.
    `returned` is where the call returns to, in the task it returns in. `path` is what executes from
    the starting probe to the call, both included; the call's operand is left out.
    """

    start: int
    entry: int
    returned: int
    stop: int
    path: tuple[PathInstruction, ...]


@dataclass(frozen=True)
class CaseProbes:
    """Both variants of a case."""

    real: Sites
    empty: Sites


class Probes:
    """The probes of an image. Raises CyclescopeError for one that has none.

    `timer` is the register that all probes read.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._symbols = {
            name: value for name, value in program.symbols.items() if name.startswith(PREFIX)
        }
        if SYMBOL not in self._symbols:
            raise CyclescopeError(
                "the image has no probes: it is no image of the firmware",
                code="image-has-no-probes",
            )
        self.timer = ProbedTimer.of(program)
        self._known: dict[str, CaseProbes] = {}

    def of(self, case: str) -> CaseProbes:
        """The probes of a case; its code is followed when it is first asked for."""
        if case not in self._known:
            kinds = (self._sites(f"{PREFIX}{case}.{kind}.") for kind in ("real", "empty"))
            self._known[case] = CaseProbes(*kinds)
        return self._known[case]

    @property
    def cases(self) -> dict[str, CaseProbes]:
        """Those of every case, by its name."""
        ends = self._symbols.keys() - {SYMBOL, PAIR + "start", PAIR + "stop"}
        names = {name.removeprefix(PREFIX).rsplit(".", 2)[0] for name in ends}
        return {name: self.of(name) for name in sorted(names)}

    @cached_property
    def pair(self) -> Sites:
        """Those of the pair without a call."""
        return self._sites(PAIR)

    def _sites(self, prefix: str) -> Sites:
        """Follows the code of one variant from its starting probe to its call."""
        start = self._symbols[prefix + "start"]
        stop = self._symbols.get(prefix + "moved", self._symbols[prefix + "stop"])
        inline = self._symbols[prefix + "stop"]
        path: list[PathInstruction] = []
        entry = self._symbols.get(prefix + "entry", inline)
        returned = self._symbols.get(prefix + "returned", inline)
        architecture = self._program.architecture
        for one in self._program.instructions(start, entry):
            if architecture.is_call(one):
                path.append(PathInstruction(one.mnemonic, ""))
                target = architecture.target(one)
                entry = one.address if target is None else target
                returned = one.address + one.size
            else:
                path.append(PathInstruction(one.mnemonic, _relative(one.operands)))
        if prefix + "moved" in self._symbols:
            returned = self._return_before(stop)
        return Sites(start, entry, returned, stop, tuple(path))

    def _return_before(self, stop: int) -> int:
        """`stop`, if the instruction in front of it is a call: then that call returns there."""
        architecture = self._program.architecture
        for size in architecture.call_sizes:
            found = list(self._program.instructions(stop - size, stop))
            if len(found) == 1 and architecture.is_call(found[0]):
                return stop
        raise CyclescopeError(
            f"no call in front of the probe at {stop:#x}: rebuild the firmware",
            code="probe-without-call",
        )


def _relative(operands: str) -> str:
    """Operands without the distance to a literal: it differs from function to function."""
    return operands.split("[pc")[0] + "[pc]" if "[pc" in operands else operands
