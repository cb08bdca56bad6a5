"""The kernel of a program on this machine, configured as the board's build has it."""

from collections.abc import Mapping
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import kernel_options
from cyclescope.firmware.application.build import BuiltApplication
from cyclescope.firmware.build import ROOT
from cyclescope.sources.host_kernel import HostKernel

KERNEL = "build/packages/freertos-next/FreeRTOS-Kernel"
FIRMWARE = "firmware/kernels/freertos"
TICK_HZ = 1000
"""Of the kernel in all images of users' programs."""
HEAP = "ucHeap"
"""The symbol of the kernel's heap."""


def counted_kernel(
    heap_kib: int,
    tick_hz: int = TICK_HZ,
    root: Path = ROOT,
    chosen: Mapping[str, int] | None = None,
) -> HostKernel:
    """FreeRTOS for counted programs; `heap_kib` is the kernel's heap on the board, `chosen` are
    its options that are not the usual ones."""
    usual = {one.name: one.values[0] for one in kernel_options.of("freertos")}
    options = [f"{name}={value}" for name, value in (usual | dict(chosen or {})).items()]
    return HostKernel(
        sources=root / KERNEL,
        configuration=root / FIRMWARE / "application/FreeRTOSConfig.h",
        includes=(root / FIRMWARE / "arch/arm",),
        defines=(f"HEAP_BYTES={heap_kib * 1024}", f"TICK_HZ={tick_hz}", *options),
        objects=root / "build/host-kernel",
    )


def kernel_of(built: BuiltApplication) -> HostKernel:
    """The kernel of a program's image for its counted copy: the same heap and options."""
    chosen = built.configuration
    if chosen.kernel != "freertos":
        raise CyclescopeError(
            f"programs with the kernel {chosen.kernel} cannot be counted on this machine: choose "
            "--kernel freertos or bare, or let the board run them by --way run",
            code="kernel-not-counted",
        )
    with built.image.elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        heap_bytes = sum(one["st_size"] for one in table.get_symbol_by_name(HEAP) or ())
    return counted_kernel(heap_bytes // 1024, chosen=dict(chosen.options))
