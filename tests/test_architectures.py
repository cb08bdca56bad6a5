"""A tiny instruction set in a package outside: the lab finds it by the machine of ELF files."""

import struct
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.firmware import architecture
from cyclescope.firmware.cfg.flow import FlowKind
from cyclescope.firmware.cfg.graph import recover
from cyclescope.firmware.program import Program

MACHINE = 0xB0B
TINY = '''
from typing import NamedTuple

from cyclescope.firmware.architecture import Architecture, Instruction
from cyclescope.firmware.cfg.flow import Flow, FlowKind


class Decoded(NamedTuple):
    address: int
    size: int
    mnemonic: str
    op_str: str
    number: int


class Tiny(Architecture):
    """Each instruction is two bytes: what it does, and a number of instructions to jump by."""

    name = "tiny"
    machine = 0xB0B
    calls = {"call"}
    call_sizes = (2,)
    words = {0: "nop", 1: "add", 2: "call", 3: "skip", 4: "back"}

    def decoded(self, code, address, kind):
        for at in range(0, len(code), 2):
            mnemonic, number = self.words[code[at]], code[at + 1]
            operand = hex(address + 2 * number) if mnemonic in ("call", "skip") else str(number)
            yield Decoded(address + at, 2, mnemonic, operand, number)

    def instructions(self, code, address, kind):
        for one in self.decoded(code, address, kind):
            yield Instruction(*one[:4])

    def target(self, one):
        return int(one.operands, 0) if one.mnemonic in ("call", "skip") else None

    def flow_of(self, program, listing, one):
        target = self.target(Instruction(*one[:4]))
        if one.mnemonic == "call":
            return Flow(FlowKind.CALL, (target,))
        if one.mnemonic == "skip":
            return Flow(FlowKind.TAKEN, (target,), conditional=True)
        return Flow(FlowKind.RETURN) if one.mnemonic == "back" else None


ARCHITECTURE = Tiny()
'''
BASE = 0x100
# begin: skip to 4; call leaf; add 7; back. leaf: nop; back.
CODE = bytes([3, 3, 2, 4, 1, 7, 4, 0, 0, 0, 4, 0])


def elf(machine: int) -> bytes:
    """A 32-bit ELF file with CODE at BASE and the functions `begin` and `leaf`."""
    names = b"\0.text\0.symtab\0.strtab\0begin\0leaf\0"
    at = {name: names.index(name) for name in (b".text", b".symtab", b".strtab", b"begin", b"leaf")}
    symbols = bytes(16) + b"".join(
        struct.pack("<IIIBBH", at[name], address, size, 2, 0, 1)
        for name, address, size in ((b"begin", BASE, 8), (b"leaf", BASE + 8, 4))
    )
    parts, offsets = bytes(52), []
    for part in (CODE, symbols, names):
        offsets.append(len(parts))
        parts += part
    sections = bytes(40)
    sections += struct.pack("<10I", at[b".text"], 1, 6, BASE, offsets[0], len(CODE), 0, 0, 2, 0)
    sections += struct.pack("<10I", at[b".symtab"], 2, 0, 0, offsets[1], len(symbols), 3, 1, 4, 16)
    sections += struct.pack("<10I", at[b".strtab"], 3, 0, 0, offsets[2], len(names), 0, 0, 1, 0)
    header = b"\x7fELF\x01\x01\x01" + bytes(9)
    header += struct.pack(
        "<HHIIIIIHHHHHH", 2, machine, 1, BASE, 0, len(parts), 0, 52, 0, 0, 40, 4, 3
    )
    return header + parts[52:] + sections


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program for the instruction set of a package that was installed beside the lab."""
    (tmp_path / "tiny_set.py").write_text(TINY)
    facts = tmp_path / "tiny_set-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-set\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(
        f"[{architecture.GROUP}]\ntiny = tiny_set:ARCHITECTURE\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return Program(elf(MACHINE))


def test_it_is_found_by_the_machine_of_the_file(tiny: Program) -> None:
    assert tiny.architecture.name == "tiny" and tiny.architecture.call_bytes == 2
    listing = [(one.mnemonic, one.operands) for one in tiny.instructions(BASE, BASE + 8)]
    assert listing == [("skip", "0x106"), ("call", "0x108"), ("add", "7"), ("back", "0")]
    assert tiny.place(0x10A) == "leaf+0x2"
    # A pointer to code has no bit for anything, and there are no vectors.
    assert tiny.address(0x101) == 0x101 and tiny.function_at(0x10).name == "0x00000010"


def test_control_flow_is_recovered_from_its_code(tiny: Program) -> None:
    graph = recover(tiny, BASE)
    assert [graph.name(leader) for leader in graph.blocks] == ["B0", "B1", "B2", "B3", "leaf:B0"]
    ways = {(graph.name(one.source), one.kind) for one in graph.edges}
    assert ways == {
        ("B0", FlowKind.NEXT), ("B0", FlowKind.TAKEN), ("B1", FlowKind.CALL),
        ("B2", FlowKind.NEXT), ("B3", FlowKind.RETURN), ("leaf:B0", FlowKind.RETURN),
    }  # fmt: skip


def test_without_the_package_the_file_is_refused(tmp_path: Path) -> None:
    program = Program(elf(MACHINE))
    with refused("machine-not-disassembled", naming=["ARM", "x86-64"]):
        list(program.instructions(BASE, BASE + 8))
    assert [one.name for one in program.functions] == ["begin", "leaf"]
