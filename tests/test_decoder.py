"""The ARM7TDMI's decoders against capstone: instruction, condition and registers of an opcode.

capstone decodes later architectures and refuses opcodes whose should-be-zero bits are set. Each
such difference is listed here with its reason. An opcode that neither agrees nor is listed fails,
as does an entry that fits no opcode.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import capstone
import pytest

from cyclescope._engine import decode_arm7tdmi

SEED = 20261122
ARM_OPCODES, PARTS = 1_000_000, 4
ALWAYS, NEVER = 0xE, 0xF
CONDITIONS = ["eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"]
NUMBERS = {f"r{n}": str(n) for n in range(13)}
NUMBERS |= {"sb": "9", "sl": "10", "fp": "11", "ip": "12", "sp": "13", "lr": "14", "pc": "15"}
REGISTER = re.compile(r"\b(?:r\d+|sb|sl|fp|ip|sp|lr|pc)\b")

FLAGS_OPTIONAL = [
    "and",
    "eor",
    "sub",
    "rsb",
    "add",
    "adc",
    "sbc",
    "rsc",
    "orr",
    "mov",
    "bic",
    "mvn",
    "mul",
    "mla",
    "umull",
    "umlal",
    "smull",
    "smlal",
]
FLAGS_ALWAYS = ["tst", "teq", "cmp", "cmn"]
FLAGS_NEVER = [
    "ldr",
    "ldrb",
    "ldrh",
    "ldrsb",
    "ldrsh",
    "str",
    "strb",
    "strh",
    "swp",
    "swpb",
    "mrs",
    "msr",
    "b",
    "bl",
    "bx",
]
SHIFTS = ["lsl", "lsr", "asr", "ror"]
# Names of the assembler for the same operation.
ALIASES = {"svc": "swi", "push": "stm", "pop": "ldm"}
ALIASES |= {
    f"{name}t": name for name in ["ldr", "ldrb", "ldrh", "ldrsb", "ldrsh", "str", "strb", "strh"]
}
ALIASES |= {f"{name}{mode}": name for name in ("ldm", "stm") for mode in ("", "ib", "da", "db")}


class Listed(NamedTuple):
    """Opcodes for which `opcode & mask == value`, which the decoder calls `operation`."""

    mask: int
    value: int
    operation: str
    reason: str


class Agreement(NamedTuple):
    """Returns an opcode by the decoder and by capstone, and capstone's name for it."""

    opcode: int
    ours: str
    theirs: str
    name: str


LATER = "an instruction of a later architecture; undefined on ARMv4T"
UNPREDICTABLE = "unpredictable; the core does what was seen on silicon"

ARM_LISTED = [
    Listed(0x0E000000, 0x0C000000, "undefined", "coprocessor transfers; there is no coprocessor"),
    Listed(0x0F000000, 0x0E000000, "undefined", "coprocessor operations; there is no coprocessor"),
    Listed(0x0E000010, 0x06000010, "undefined", "the undefined instruction; later media"),
    Listed(0x0FB00000, 0x03000000, "undefined", f"MOVW, MOVT: {LATER}"),
    Listed(0x0F900090, 0x01000080, "undefined", f"SMLAxy and the like: {LATER}"),
    Listed(0x0F900090, 0x01000010, "undefined", f"CLZ, BLX, QADD, BKPT: {LATER}"),
    Listed(0x0F9000F0, 0x01000020, "undefined", f"BXJ: {LATER}"),
    Listed(0x0F9000D0, 0x01000040, "undefined", f"CRC32 and the like: {LATER}"),
    Listed(0x0FC000F0, 0x00400090, "undefined", f"UMAAL, MLS: {LATER}"),
    Listed(0x0F8000F0, 0x01800090, "undefined", f"LDREX, STREX: {LATER}"),
    Listed(0x0FB000F0, 0x01200090, "undefined", LATER),
    Listed(0x0F9000F0, 0x01100090, "undefined", LATER),
    Listed(0x0E1000D0, 0x000000D0, "movebase", f"LDRD, STRD: {UNPREDICTABLE}"),
    Listed(0x0FBF0000, 0x03200000, "msr", "MSR without a field; hints of later architectures"),
    Listed(0x0FBF00F0, 0x01200000, "msr", "MSR without a field"),
    Listed(0x0E10FFFF, 0x08000000, "stm", f"an empty list: {UNPREDICTABLE}"),
    Listed(0x0E10FFFF, 0x08100000, "ldm", f"an empty list: {UNPREDICTABLE}"),
]

THUMB_LISTED = [
    Listed(0xFF80, 0x4780, "bx", f"BLX of a register: {UNPREDICTABLE}"),
    Listed(0xFF84, 0x4704, "bx", "BXNS of a later architecture; bits 2:0 should be zero"),
    Listed(0xFFFF, 0xB400, "stm", f"an empty list: {UNPREDICTABLE}"),
    Listed(0xFFFF, 0xBC00, "ldm", f"an empty list: {UNPREDICTABLE}"),
    Listed(0xF8FF, 0xC000, "stm", f"an empty list: {UNPREDICTABLE}"),
    Listed(0xF8FF, 0xC800, "ldm", f"an empty list: {UNPREDICTABLE}"),
    Listed(0xF500, 0xB100, "undefined", f"CBZ, CBNZ: {LATER}"),
    Listed(0xFF00, 0xB200, "undefined", f"SXTH and the like: {LATER}"),
    Listed(0xFE00, 0xB600, "undefined", f"SETEND, CPS: {LATER}"),
    Listed(0xFF00, 0xB800, "undefined", LATER),
    Listed(0xFF00, 0xBA00, "undefined", f"REV and the like: {LATER}"),
    Listed(0xFE00, 0xBE00, "undefined", f"BKPT, IT, hints: {LATER}"),
    Listed(0xFF00, 0xDE00, "undefined", "UDF: undefined by name"),
    Listed(0xF800, 0xE800, "undefined", f"32-bit Thumb: {LATER}"),
]

# Bits that the architecture fixes and the core ignores: to clear, then to set, for capstone.
FIXED = {
    "mov": (0xF0000, 0),
    "mvn": (0xF0000, 0),
    "mul": (0xF000, 0),
    "swp": (0xF00, 0),
    "swpb": (0xF00, 0),
    "mrs": (0xFFF, 0xF0000),
    "bx": (0, 0xFFF00),
    **dict.fromkeys(FLAGS_ALWAYS, (0xF000, 0)),
}
FIXED_IN_REGISTER_FORM = {
    "msr": (0xFF0, 0xF000),
    **dict.fromkeys(["ldrh", "ldrsb", "ldrsh", "strh"], (0xF00, 0)),
}

# Fixed bits and their values: opcodes with all of them right are too rare to be drawn.
RARE = [
    (0x0FFFFFF0, 0x012FFF10),  # BX
    (0x0FBF0FFF, 0x010F0000),  # MRS
    (0x0FB0FFF0, 0x0120F000),  # MSR
    (0x0FB0F000, 0x0320F000),  # MSR of an immediate
    (0x0FB00FF0, 0x01000090),  # SWP
    (0x0FE0F0F0, 0x00000090),  # MUL
    (0x0E400FF0, 0x000000B0),  # LDRH, STRH
    (0x0E500FF0, 0x001000D0),  # LDRSB
    (0x0E00FFFF, 0x08000000),  # LDM, STM of an empty list
]


def names(thumb: bool) -> dict[str, str]:
    """The decoder's answers, registers left out, by capstone's names of ARMv4T's instructions."""
    suffixes = ["", *CONDITIONS]
    table = {}

    def add(name: str, operation: str, flags: str, suffix: str = "") -> None:
        for condition in suffixes:
            table[f"{name}{suffix}{condition}"] = f"{operation} {condition or 'al'} {flags}"

    for name in [*FLAGS_OPTIONAL, *SHIFTS]:
        operation = "mov" if name in SHIFTS and not thumb else name
        add(name, operation, "-")
        add(name, operation, "s", suffix="s")
    if not thumb:
        add("rrx", "mov", "-")
        add("rrx", "mov", "s", suffix="s")
    for name in FLAGS_ALWAYS:
        add(name, name, "s")
    for name in FLAGS_NEVER:
        add(name, name, "-")
    for name, operation in ALIASES.items():
        add(name, operation, "-")
    return table


def said(name: str, operands: str, table: dict[str, str]) -> str:
    """The decoder's expected answer to an instruction of capstone's."""
    if (operation := table.get(name)) is None:
        return f"no instruction of ARMv4T: {name}"
    registers = [NUMBERS[register] for register in REGISTER.findall(operands)]
    if name.startswith(("push", "pop")):
        registers = ["13", *registers]
    return " ".join([operation, *registers])


def fixed(opcode: int, ours: str) -> int:
    """The ARM opcode with the bits that the core ignores as they should be, and AL for NV."""
    operation = ours.partition(" ")[0]
    if opcode >> 28 == NEVER:
        opcode = opcode & 0x0FFFFFFF | ALWAYS << 28
    clear, put = FIXED.get(operation, (0, 0))
    register_form = opcode & (1 << 25 if operation == "msr" else 1 << 22) == 0
    if register_form and operation in FIXED_IN_REGISTER_FORM:
        clear, put = FIXED_IN_REGISTER_FORM[operation]
    elif operation == "msr":
        put = 0xF000
    return opcode & ~clear | put


def arm_agreements(opcodes: list[int]) -> Iterator[Agreement]:
    """Holds the ARM decoder against capstone."""
    table = names(thumb=False)
    spoken = decode_arm7tdmi(packed(opcodes, 4), thumb=False)
    # Never executed: later architectures have other instructions there.
    ours = [line.replace(" nv ", " al ") for line in spoken]
    for opcode, line in zip(opcodes, spoken, strict=True):
        assert (opcode >> 28 == NEVER) == (" nv " in line), f"{opcode:08X}: {line}"
    disassembler = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_ARM)
    disassembler.skipdata = True
    given = packed(map(fixed, opcodes, ours), 4)
    for opcode, line, theirs in zip(opcodes, ours, disassembler.disasm_lite(given, 0), strict=True):
        yield Agreement(opcode, line, said(theirs[2], theirs[3], table), theirs[2])


def thumb_agreements() -> Iterator[Agreement]:
    """Holds the Thumb decoder against capstone; half of a BL is completed with the other half."""
    table = names(thumb=True)
    disassembler = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB)
    for opcode, ours in enumerate(decode_arm7tdmi(packed(range(1 << 16), 2), thumb=True)):
        if opcode >> 12 == 0xF:
            pair = [opcode, 0xF800] if opcode < 0xF800 else [0xF000, opcode]
            half = "blprefix" if opcode < 0xF800 else "blsuffix"
            found = list(disassembler.disasm_lite(packed(pair, 2), 0, 1))
            theirs = f"{half} al -" if [name for _, _, name, _ in found] == ["bl"] else "no bl"
            yield Agreement(opcode, ours, theirs, "bl")
            continue
        found = list(disassembler.disasm_lite(packed([opcode, 0], 2), 0, 1))
        name, operands = found[0][2:] if found and found[0][1] == 2 else ("", "")
        yield Agreement(opcode, ours, thumb_said(opcode, name, operands, table), name)


def thumb_said(opcode: int, name: str, operands: str, table: dict[str, str]) -> str:
    """As `said`, where capstone has another name or names an operand twice."""
    line = said(name, operands, table)
    if name == "adr":  # ADD Rd, pc, #
        return f"{said('add', operands, table)} 15"
    if opcode >> 6 == 0:  # LSL #0
        return line.replace("mov", "lsl")
    if opcode & 0xFFC0 == 0x4340:  # MUL Rd, Rm, Rd
        return line.rpartition(" ")[0] if line.endswith(f" {opcode & 7}") else line
    if opcode & 0xFF78 == 0x4468:  # ADD Rd, sp, Rd
        return line.rpartition(" ")[0] if line.split()[3] == line.split()[5] else line
    return line


def packed(opcodes: Iterable[int], length: int) -> bytes:
    """The opcodes as they lie in memory, `length` bytes each."""
    return b"".join(opcode.to_bytes(length, "little") for opcode in opcodes)


def disagreements(
    agreements: Iterable[Agreement], listed: list[Listed], thumb: bool
) -> Counter[Listed]:
    """Counts the opcodes that fit each entry; fails on one that neither agrees nor is listed."""
    known = names(thumb)
    fitting: Counter[Listed] = Counter()
    failures = []
    for opcode, ours, theirs, name in agreements:
        if ours == theirs:
            continue
        operation = ours.partition(" ")[0]
        entries = [
            entry
            for entry in listed
            if opcode & entry.mask == entry.value and operation == entry.operation
        ]
        # An instruction of ARMv4T by capstone is one, listed or not.
        if entries and name not in known:
            fitting[entries[0]] += 1
        else:
            failures.append(f"{opcode:08X}: {ours!r}, capstone: {theirs!r}")
    assert not failures, f"{len(failures)} opcodes, such as\n" + "\n".join(failures[:20])
    return fitting


@pytest.mark.parametrize("part", range(PARTS))
def test_arm_opcodes_are_what_capstone_says(part: int) -> None:
    draw = random.Random(SEED + part)
    opcodes = [draw.getrandbits(32) for _ in range(ARM_OPCODES // PARTS)]
    opcodes += [draw.getrandbits(32) & ~mask | value for mask, value in RARE for _ in range(100)]
    fitting = disagreements(arm_agreements(opcodes), ARM_LISTED, thumb=False)
    assert [entry.reason for entry in ARM_LISTED if not fitting[entry]] == []


def test_every_thumb_opcode_is_what_capstone_says() -> None:
    fitting = disagreements(thumb_agreements(), THUMB_LISTED, thumb=True)
    assert [entry.reason for entry in THUMB_LISTED if not fitting[entry]] == []
