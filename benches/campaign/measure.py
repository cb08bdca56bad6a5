"""Measures a program on this machine: wall time, CPU time, greatest resident memory."""

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Taken:
    """One program with its processes. `peak_mb` is of the largest of them."""

    wall_s: float
    cpu_s: float
    peak_mb: float
    output: str


def measured(command: Sequence[str]) -> Taken:
    """Runs a program to its end; one that fails ends the bench with its own words."""
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {output}")
    return Taken(
        wall_s=time.monotonic() - began,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_mb=usage.ru_maxrss / 1024,
        output=output,
    )
