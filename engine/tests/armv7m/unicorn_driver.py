"""Executes cases in unicorn's Cortex-M3.

Reads cases from the standard input and writes a record for each: see `cases.rs`.
"""

import struct
import sys
import zlib

import unicorn as uc
import unicorn.arm_const as arm

FLASH, FLASH_BYTES = 0x0000_0000, 0x8000
RAM, RAM_BYTES = 0x2000_0000, 0x1_0000
CODE = 0x4000
GENERAL = [getattr(arm, f"UC_ARM_REG_R{n}") for n in range(13)]
OTHERS = [arm.UC_ARM_REG_SP, arm.UC_ARM_REG_LR, arm.UC_ARM_REG_PC, arm.UC_ARM_REG_XPSR]
SPECIAL = [
    arm.UC_ARM_REG_MSP,
    arm.UC_ARM_REG_PSP,
    arm.UC_ARM_REG_CONTROL,
    arm.UC_ARM_REG_PRIMASK,
    arm.UC_ARM_REG_BASEPRI,
    arm.UC_ARM_REG_FAULTMASK,
]
CASE = struct.Struct("<16I")
RECORD = struct.Struct("<25I")
UNDEFINED = (uc.UC_ERR_INSN_INVALID, uc.UC_ERR_EXCEPTION)
PATTERN = bytes(37 * at & 0xFF for at in range(RAM_BYTES + 0x100))


class Machine:
    """One emulator, used again for each case."""

    def __init__(self) -> None:
        self.uc = uc.Uc(uc.UC_ARCH_ARM, uc.UC_MODE_THUMB | uc.UC_MODE_MCLASS)
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M3)
        self.uc.mem_map(FLASH, FLASH_BYTES)
        self.uc.mem_map(RAM, RAM_BYTES)

    def run(self, fields: tuple[int, ...], code: bytes, seed: int) -> bytes:
        """Executes a case to the end of its code. Returns its record."""
        machine = self.uc
        machine.mem_write(RAM, PATTERN[seed : seed + RAM_BYTES])
        machine.mem_write(FLASH, PATTERN[:CODE])
        machine.mem_write(CODE, code + PATTERN[: FLASH_BYTES - CODE - len(code)])
        machine.ctl_remove_cache(FLASH, FLASH + FLASH_BYTES)
        for register, value in zip(SPECIAL[2:], [0, 0, 0, 0], strict=True):
            machine.reg_write(register, value)
        machine.reg_write(arm.UC_ARM_REG_PSP, RAM + 0x4000)
        for register, value in zip([*GENERAL, *OTHERS[:2]], fields[:15], strict=True):
            machine.reg_write(register, value)
        machine.reg_write(arm.UC_ARM_REG_XPSR, fields[15] | 1 << 24)
        error = 0
        try:
            machine.emu_start(CODE | 1, CODE + len(code), count=0)
        except uc.UcError as failed:
            error = failed.errno
        found = [machine.reg_read(one) & 0xFFFF_FFFF for one in [*GENERAL, *OTHERS, *SPECIAL]]
        return RECORD.pack(*found, zlib.adler32(machine.mem_read(RAM, RAM_BYTES)), error)

    def is_defined(self, opcode: bytes) -> bool:
        """Whether an opcode executes, or fails for another reason than that it is none."""
        machine = self.uc
        machine.mem_write(CODE, opcode)
        machine.ctl_remove_cache(CODE, CODE + 8)
        for register in [*GENERAL, *OTHERS[:2]]:
            machine.reg_write(register, RAM + 0x8000)
        machine.reg_write(arm.UC_ARM_REG_XPSR, 1 << 24)
        try:
            machine.emu_start(CODE | 1, CODE + 8, count=1)
        except uc.UcError as failed:
            return failed.errno not in UNDEFINED
        return True


def main() -> None:
    machine = Machine()
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    if sys.argv[1:] == ["opcodes"]:
        while opcode := source.read(4):
            defined = machine.is_defined(opcode)
            sink.write(bytes([defined]))
            if not defined:
                # The state that an exception leaves changes all that follows.
                machine = Machine()
        sink.flush()
        return
    while header := source.read(CASE.size + 8):
        *fields, length, seed = struct.unpack("<18I", header)
        sink.write(machine.run(tuple(fields), source.read(length), seed))
    sink.flush()


if __name__ == "__main__":
    main()
