"""Runs an ELF file in unicorn until an address, and prints the processor's seconds for it."""

import struct
import sys
import time
from pathlib import Path

import unicorn

RAM, BYTES = 0x0300_0000, 0x8000
PT_LOAD = 1

elf = Path(sys.argv[1]).read_bytes()
entry, headers = struct.unpack_from("<II", elf, 24)
size, count = struct.unpack_from("<HH", elf, 42)
machine = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM)
machine.ctl_set_cpu_model(unicorn.arm_const.UC_CPU_ARM_926)
machine.mem_map(RAM, BYTES)
for n in range(count):
    kind, offset, _, address, length = struct.unpack_from("<5I", elf, headers + n * size)
    if kind == PT_LOAD:
        machine.mem_write(address, elf[offset : offset + length])
begun = time.process_time()
machine.emu_start(entry, int(sys.argv[2], 0))
print(time.process_time() - begun)
