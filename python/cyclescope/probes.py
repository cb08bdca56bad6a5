"""Where each case's probes and calls are in an image, read from its ELF (docs/cases.md)."""

from __future__ import annotations

import io
from dataclasses import dataclass

import capstone
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cyclescope.errors import CyclescopeError

CALLS = {"bl", "svc"}


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
    """The register that all probes read, and the probes of each case by its name."""

    timer: int
    cases: dict[str, CaseProbes]


def read_probes(data: bytes) -> Probes:
    """The probes of an image."""
    code = _Code(data)
    timer = code.probes.pop("probe.timer", None)
    if timer is None:
        raise CyclescopeError("the image has no probes: it is no image of the firmware")
    names = sorted({name.split(".", 1)[1].rsplit(".", 2)[0] for name in code.probes})
    return Probes(
        timer,
        {name: CaseProbes(code.sites(name, "real"), code.sites(name, "empty")) for name in names},
    )


class _Code:
    """The executable sections of an ELF file and its probe symbols."""

    def __init__(self, data: bytes) -> None:
        try:
            elf = ELFFile(io.BytesIO(data))
            table = elf.get_section_by_name(".symtab")
            if not isinstance(table, SymbolTableSection):
                raise CyclescopeError("the image has no symbols: build it without stripping it")
            symbols = [(s.name, s["st_value"], s["st_info"]["type"]) for s in table.iter_symbols()]
            self._sections = [
                (section["sh_addr"], section.data())
                for section in elf.iter_sections()
                if section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & 4
            ]
        except ELFError as error:
            raise CyclescopeError(f"the image is not a readable ELF file: {error}") from error
        self.probes = {name: value for name, value, _ in symbols if name.startswith("probe.")}
        self._states = sorted((at, name) for name, at, _ in symbols if name[:2] in ("$a", "$t"))

    def sites(self, case: str, variant: str) -> Sites:
        """Follows the code of one variant from its starting probe to its call."""
        prefix = f"probe.{case}.{variant}."
        start = self.probes[prefix + "start"]
        stop = self.probes.get(prefix + "moved", self.probes[prefix + "stop"])
        inline = self.probes[prefix + "stop"]
        path: list[Instruction] = []
        entry = returned = inline
        for at, size, mnemonic, operands in self._disassemble(start, inline):
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
            found = list(self._disassemble(stop - size, stop))
            if len(found) == 1 and found[0][2] in CALLS:
                return stop
        raise CyclescopeError(f"no call in front of the probe at {stop:#x}: rebuild the firmware")

    def _disassemble(self, start: int, end: int) -> list[tuple[int, int, str, str]]:
        """(address, size, mnemonic, operands) of the instructions from `start` up to `end`."""
        for base, data in self._sections:
            if base <= start < end <= base + len(data):
                state = [name for at, name in self._states if at <= start][-1]
                thumb = state.startswith("$t")
                mode = capstone.CS_MODE_THUMB if thumb else capstone.CS_MODE_ARM
                return list(
                    capstone.Cs(capstone.CS_ARCH_ARM, mode).disasm_lite(
                        data[start - base : end - base], start
                    )
                )
        raise CyclescopeError(f"the image has no code at {start:#x}")


def _relative(operands: str) -> str:
    """Operands without the distance to a literal: it differs from function to function."""
    return operands.split("[pc")[0] + "[pc]" if "[pc" in operands else operands
