"""The same program on this machine, as it stands: what it has to give on a board."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.application.source import Application, quoted
from cyclescope.firmware.build import LANGUAGE, ROOT

TIMEOUT_S = 600
KERNEL = ROOT / "build/packages/freertos-next/FreeRTOS-Kernel"
POSIX_PORT = KERNEL / "portable/ThirdParty/GCC/Posix"
CONFIGURATION = ROOT / "firmware/kernels/freertos/application/host"
KERNEL_SOURCES = (
    *(KERNEL / one for one in ("tasks.c", "queue.c", "list.c", "timers.c", "event_groups.c")),
    KERNEL / "stream_buffer.c",
    KERNEL / "portable/MemMang/heap_3.c",
    POSIX_PORT / "port.c",
    POSIX_PORT / "utils/wait_for_event.c",
)


@dataclass(frozen=True)
class HostRun:
    """The status of a program, the text it printed, and every file of its folder."""

    status: int
    console: bytes
    files: dict[str, bytes]


def run_on_host(
    application: Application,
    arguments: Sequence[str],
    inputs: Mapping[str, bytes],
    *,
    kernel: str = "bare",
    compiler: str = "cc",
) -> HostRun:
    """Builds the program for this machine and runs it in a scratch folder with its inputs.

    A program of FreeRTOS runs on that kernel's own port for POSIX, once its sources are there.
    """
    with TemporaryDirectory() as scratch:
        program, folder = Path(scratch) / "program", Path(scratch) / "files"
        _build(application, program, kernel, compiler)
        for name, content in inputs.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        folder.mkdir(exist_ok=True)
        try:
            done = subprocess.run(
                [program, *arguments[1:]],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired as error:
            raise CyclescopeError(
                f"{arguments[0]} does not end on this machine within {TIMEOUT_S} s",
                code="host-run-does-not-end",
            ) from error
        return HostRun(
            done.returncode,
            done.stdout + done.stderr,
            {
                str(one.relative_to(folder)): one.read_bytes()
                for one in sorted(folder.rglob("*"))
                if one.is_file()
            },
        )


def _build(application: Application, program: Path, kernel: str, compiler: str) -> None:
    options = ["-std=gnu99", "-w"]
    libraries = ["-lm"]
    sources = list(application.sources)
    if kernel != "bare":
        folders = (CONFIGURATION, KERNEL / "include", POSIX_PORT, POSIX_PORT / "utils")
        options += ["-pthread", *(f"-I{one}" for one in folders)]
        sources += KERNEL_SOURCES
    objects = []
    for number, source in enumerate(sources):
        response = program.with_name(f"{number}.options")
        response.write_text(quoted(application.arguments(source)))
        objects.append(program.with_name(f"{number}.o"))
        _compile([compiler, *options, f"@{response}", "-c", "-o", str(objects[-1])])
    _compile([compiler, *options, *map(str, objects), *libraries, "-o", str(program)])


def _compile(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **LANGUAGE})
    if done.returncode:
        lines = done.stderr.splitlines() or ["the compiler said nothing"]
        first = next((one for one in lines if "error" in one or "undefined" in one), lines[0])
        raise CyclescopeError(
            f"the program did not build for this machine: {first}", code="host-build-failed"
        )
