"""The kernel of a program on this machine, configured as the board's build has it."""

from pathlib import Path

from cyclescope.firmware import kernel_options
from cyclescope.firmware.build import ROOT
from cyclescope.sources.host_kernel import HostKernel

KERNEL = "build/packages/freertos-next/FreeRTOS-Kernel"
FIRMWARE = "firmware/kernels/freertos"


def counted_kernel(heap_kib: int, tick_hz: int = 1000, root: Path = ROOT) -> HostKernel:
    """FreeRTOS for counted programs; `heap_kib` is the kernel's heap on the board."""
    options = [f"{one.name}={one.values[0]}" for one in kernel_options.of("freertos")]
    return HostKernel(
        sources=root / KERNEL,
        configuration=root / FIRMWARE / "application/FreeRTOSConfig.h",
        includes=(root / FIRMWARE / "arch/arm",),
        defines=(f"HEAP_BYTES={heap_kib * 1024}", f"TICK_HZ={tick_hz}", *options),
        objects=root / "build/host-kernel",
    )
