"""FreeRTOS on this machine for counted programs: the kernel's own sources on a port that counts."""

import hashlib
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cyclescope.sources.host_compiler import RUNTIME, HostCompiler
from cyclescope.sources.kernel_calls import MACROS, NAMES, SPECIAL

PORT = RUNTIME / "freertos"
FILES = ("tasks.c", "queue.c", "list.c", "timers.c", "event_groups.c", "stream_buffer.c")
OWN = ("port.c", "heap.c", "clock.c")
POINT = re.compile(r"#\s*define traceENTER_(\w+)\(")
UNTRACED = ("vList", "uxList", "xTaskIncrementTick", "vTaskSwitchContext")
"""The kernel's own parts, which it calls most."""
PARTS = 16
"""Parts of a cycle that the clock counts (runtime/freertos/counted_kernel.h)."""
USUAL_REGION_CYCLES = 20
USUAL_PASSAGE_CYCLES = 400
USUAL_TICK_CYCLES = 60_000


@dataclass(frozen=True)
class KernelPrices:
    """The clock of a counted program: cycles of a tick's period, of regions and passagees.

    Regions and passagees that are not named take what is usual. It is the clock of a first run.
    """

    tick_cycles: int = USUAL_TICK_CYCLES
    regions: Mapping[int, float] = field(default_factory=dict)
    passagees: Mapping[tuple[int, ...], float] = field(default_factory=dict)

    def written(self, regions: int) -> str:
        """The file that runtime/freertos/clock.c reads, of a program with so many regions."""
        lines = [self.tick_cycles * PARTS, USUAL_PASSAGE_CYCLES * PARTS, regions]
        lines += [round(self.regions.get(at, USUAL_REGION_CYCLES) * PARTS) for at in range(regions)]
        lines.append(len(self.passagees))
        for values, cycles in sorted(self.passagees.items()):
            lines += [*values, round(cycles * PARTS)]
        return "\n".join(map(str, lines)) + "\n"


@dataclass(frozen=True)
class HostKernel:
    """FreeRTOS: its sources, its configuration's file and what the board's build defines.

    `objects` is a folder where built objects are kept.
    """

    sources: Path
    configuration: Path
    includes: tuple[Path, ...]
    defines: tuple[str, ...]
    objects: Path

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All that is recorded, by its number."""
        text = (self.sources / "include/FreeRTOS.h").read_text()
        found = [one for one in POINT.findall(text) if not one.startswith(UNTRACED)]
        return (*NAMES, *sorted(set(found) - set(NAMES)))

    @property
    def _traced(self) -> tuple[str, ...]:
        return self.names[len(SPECIAL) + len(MACROS) :]

    @cached_property
    def calls(self) -> frozenset[str]:
        """The functions whose calls the kernel records itself."""
        return frozenset((*self._traced, *MACROS.values()))

    @property
    def options(self) -> tuple[str, ...]:
        """Options of the compiler for each file of the program."""
        folders = (PORT, self.sources / "include", *self.includes)
        return (
            *(f"-I{one}" for one in folders),
            f'-DBOARD_CONFIGURATION="{self.configuration}"',
            *(f"-D{one}" for one in self.defines),
            f"-I{self._trace.parent}",
        )

    @cached_property
    def _trace(self) -> Path:
        """The header that makes the kernel's trace points record."""
        lines = ["#ifndef KERNEL_TRACE_H", "#define KERNEL_TRACE_H", "enum {"]
        lines += [f"KERNEL_{name} = {number}," for number, name in enumerate(self.names)]
        lines += ["};", '#include "kernel_state.h"']
        for name in self._traced:
            enter, leave = f"traceENTER_{name}", f"traceRETURN_{name}"
            lines += [f"#ifndef {enter}"]
            lines += [f"#define {enter}(...) cyclescope_kernel_enter(KERNEL_{name}, 0, 0)"]
            lines += ["#endif"]
            lines += [f"#define {leave}(...) cyclescope_kernel_leave((long)(0, ##__VA_ARGS__))"]
        text = "\n".join([*lines, "#endif", ""])
        place = self.objects / hashlib.sha256(text.encode()).hexdigest()[:16] / "kernel_trace.h"
        _written(place, text.encode())
        return place

    def built(self, compiler: HostCompiler) -> list[Path]:
        """Objects of the kernel and its port for this machine; built if they are not there."""
        own = [PORT / one for one in OWN]
        sources = [*own, *(self.sources / one for one in FILES)]
        headers = [*PORT.glob("*.h"), RUNTIME / "counted.h", self.configuration, self._trace]
        headers += [one for folder in self.includes for one in folder.glob("*.h")]
        state = hashlib.sha256(repr((self.options, compiler)).encode())
        for one in (*sources, *sorted(headers)):
            state.update(one.read_bytes())
        folder = self.objects / state.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        options = (*self.options, f"-I{RUNTIME}", f"-I{self.sources / 'portable/MemMang'}")

        def one_built(source: Path) -> Path:
            to = folder / f"{source.stem}.o"
            if not to.exists():
                compiler.compiled(source, part := to.with_suffix(".part"), options)
                part.rename(to)
            return to

        with ThreadPoolExecutor() as pool:
            return list(pool.map(one_built, sources))


def _written(place: Path, content: bytes) -> None:
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(".part")
        part.write_bytes(content)
        part.rename(place)
