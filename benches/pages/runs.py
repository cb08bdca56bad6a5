"""Runs the commands of cyclescope from which the pages take their figures, each once."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from pages.infrared_campaigns import INFRARED

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "pages"
PROGRAM = Path(sys.executable).parent / "cyclescope"

THUMB = " ".join(
    f"--case '{one}.*'"
    for one in ("memcpy", "strlen", "malloc", "realloc", "qsort", "strtoul", "sprintf", "putc",
                "fputs", "setjmp")
)  # fmt: skip
SERIAL_BAUDS, SERIAL_WAITS = (115_200, 57_600, 38_400, 19_200, 9600), (0, 1, 2, 3)
SERIAL = "peripheral --driver pdc --size 1000"
LARGEST = "peripheral --driver pdc --size 16000"
RECEIVER = "--analysis load --analysis accesses --analysis latency"
BOTH_WAYS = "--direction download --direction upload"
GRANULARITY = tuple(
    (buffer, time_out) for time_out in (30, 0, 8, 120) for buffer in (16, 32, 64, 128, 256, 512)
)
"""Buffers of the receiving PDC in bytes, each with every time-out in bits."""
LINUX_REALTIME = "realtime --board at91x40 --kernel posix --load 50"
SAME_CLOCK = "characterize --board lpc2148-lab --clock 24 --layouts 1"
QUEUES = "characterize --case 'queue_*' --layouts 8"

CAMPAIGNS = {
    "freertos": "characterize",
    "freertos_thumb": "characterize --isa thumb",
    "at91_internal": "characterize --board at91x40 --code internal",
    "at91_ram": "characterize --board at91x40 --code ram",
    "at91_rom": "characterize --board at91x40",
    "at91_internal_thumb": "characterize --board at91x40 --code internal --isa thumb",
    "at91_rom_thumb": "characterize --board at91x40 --isa thumb",
    "newlib": "characterize --kernel bare",
    "newlib_thumb": f"characterize --kernel bare --isa thumb {THUMB}",
    "picolibc": "characterize --kernel bare --library picolibc",
    "picolibc_thumb": f"characterize --kernel bare --library picolibc --isa thumb {THUMB}",
    "posix": "characterize --board host --kernel posix",
    "linux": "characterize --board at91x40 --kernel posix --at 4,32,128,256",
    "O2": QUEUES,
    "Os": f"{QUEUES} --optimise Os",
    "options": "options",
    "platform": "characterize --board lpc2148-lab --around --layouts 1 --configurations "
    "'mam=2,0,1 code=flash,lab isa=arm,thumb optimise=O2,Os clock=60,24,12'",
    "cores_arm": f"{SAME_CLOCK} --isa arm",
    "cores_thumb": f"{SAME_CLOCK} --isa thumb",
    "cores_thumb2": "characterize --board stm32f100-lab --layouts 1",
    "switch": "switch --point O1 --point O5",
    "switch_stm32f100": "switch --board stm32f100rb",
    "realtime_stm32f100": "realtime --board stm32f100-lab --load 50 --time 1 --replicates 3",
    "options_stm32f100": "options --board stm32f100-lab",
    "proposals": "proposals",
    "realtime_freertos": "realtime --board at91x40 --code ram --load 50",
    "realtime_none": f"{LINUX_REALTIME} --option CONFIG_PREEMPT=0",
    "realtime_voluntary": f"{LINUX_REALTIME} --option CONFIG_PREEMPT=1",
    "realtime_full": f"{LINUX_REALTIME} --option CONFIG_PREEMPT=2",
    "serial_sizes": f"peripheral --driver pdc {BOTH_WAYS} --analysis load --analysis overhead",
    "serial_1000": f"{SERIAL} {BOTH_WAYS}",
    "serial_16000": f"{LARGEST} --analysis buffers",
    "serial_drivers": "peripheral --driver pio --driver pdc-receive --driver pdc-send --size 1000 "
    f"{BOTH_WAYS} --analysis overhead",
    "serial_slow": f"{SERIAL} --driver pio {BOTH_WAYS} --baud 9600 --analysis load "
    "--analysis buffers --analysis stacks --analysis latency",
    "serial_no_wait": f"{SERIAL} --ramwaits 0 --analysis load",
    "serial_polled": f"{SERIAL} --time-out 0 {RECEIVER}",
    "serial_polled_16000": f"{LARGEST} --time-out 0 --analysis overhead",
    "serial_16": f"{SERIAL} --receive-buffer 16 {RECEIVER}",
    "serial_16_16000": f"{LARGEST} --receive-buffer 16 --analysis overhead",
    "serial_large": f"peripheral --driver pdc --size 1000000 {BOTH_WAYS} --analysis overhead",
} | {
    f"serial_pio_{baud}_{waits}": f"peripheral --driver pio --size 1000 --baud {baud} "
    f"--ramwaits {waits} --analysis overhead"
    for baud in SERIAL_BAUDS
    for waits in SERIAL_WAITS
}
"""Results folders below build/pages by the command that makes them."""
CAMPAIGNS |= INFRARED
CAMPAIGNS |= {
    f"granularity_{line}_{buffer}_{time_out}": f"peripheral --line {line} --driver pdc --size 1000 "
    f"--receive-buffer {buffer} --time-out {time_out} {RECEIVER} --analysis energy"
    for line in ("serial", "infrared")
    for buffer, time_out in GRANULARITY
}

ANSWERS = (0, 3)
"""Exit codes of a command that ended well: a gate that fails (3) is an answer too."""
UNFINISHED = ("infrared_", "granularity_", "serial_pio_")
"""Campaigns in which a transfer that is not whole (exit code 1) is an answer, too."""

T = TypeVar("T")
keep = False
"""Whether campaigns that an earlier run left are taken as they are (`--keep`)."""


class PageError(Exception):
    """A figure cannot be had, in one sentence."""


@dataclass(frozen=True)
class Done:
    """A command that ended well; `peak_mb` is of the largest of its processes."""

    said: str
    wall_s: float
    cpu_s: float
    peak_mb: float


def once(function: Callable[..., T]) -> Callable[..., T]:
    """Remembers what a function gave, and how it failed: what failed is not tried again."""
    known: dict[tuple[Any, ...], T | PageError] = {}

    @wraps(function)
    def remembering(*arguments: Any) -> T:
        if arguments not in known:
            try:
                known[arguments] = function(*arguments)
            except PageError as error:
                known[arguments] = error
        found = known[arguments]
        if isinstance(found, PageError):
            raise found
        return found

    return remembering


@once
def run(command: str, answers: tuple[int, ...] = ANSWERS) -> Done:
    """Runs `cyclescope COMMAND` in build/pages; its exit code is to be one of `answers`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    print(f"cyclescope {command}", file=sys.stderr, flush=True)
    began = time.monotonic()
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(
            [PROGRAM, *shlex.split(command)], cwd=FOLDER, stdout=subprocess.PIPE,
            stderr=complaints, text=True,
        ) as process,
    ):  # fmt: skip
        said = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in answers:
            complaints.seek(0)
            why = complaints.read().strip().rpartition("\n")[2]
            raise PageError(f"cyclescope {command}: exit code {process.returncode}: {why}")
    wall_s = time.monotonic() - began
    return Done(said, wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def answer(command: str, answers: tuple[int, ...] = ANSWERS) -> Any:
    """Returns the output of `cyclescope COMMAND --json`."""
    return json.loads(run(f"{command} --json", answers).said)


def _answers(name: str) -> tuple[int, ...]:
    return (*ANSWERS, 1) if name.startswith(UNFINISHED) else ANSWERS


@once
def made_folder(name: str) -> Done | None:
    """Makes a results folder, once in each run of `make pages`; None if an earlier one is kept."""
    folder = FOLDER / name
    if keep and folder.exists():
        return None
    if folder.exists():
        shutil.rmtree(folder)
    return run(f"{CAMPAIGNS[name]} --out {name} --json", _answers(name))


@once
def campaign(name: str) -> dict[str, Any]:
    """Returns the findings of a campaign."""
    made_folder(name)
    found: dict[str, Any] = answer(f"show {name}", _answers(name))
    return found


def options(name: str) -> str:
    """The options that say where a campaign was made."""
    words = shlex.split(CAMPAIGNS[name])[1:]
    chosen = [at for at, word in enumerate(words) if word not in ("--case", "--layouts")]
    pairs = [words[at] for at in chosen if at == 0 or words[at - 1] not in ("--case", "--layouts")]
    return shlex.join(pairs)


def today() -> str:
    """The day on which the pages are made."""
    return date.today().isoformat()
