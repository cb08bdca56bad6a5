"""This machine as a place to measure on: what it is, what it allows, and what disturbs it."""

import os
import platform
import re
from pathlib import Path
from tempfile import gettempdir

SYSTEM = Path("/sys/devices/system/cpu")
CLOCK_SOURCE = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
MESSAGE_QUEUES = Path("/proc/sys/fs/mqueue")
RAISED_PRIORITY = 1
"""Of SCHED_FIFO: above everything that is scheduled normally."""


def isolated_cpus() -> set[int]:
    """CPUs that the kernel keeps for those who ask for them (isolcpus)."""
    return cpu_list(_read(SYSTEM / "isolated"))


def cpu_list(text: str) -> set[int]:
    """The numbers in a list as the kernel writes it.

    >>> sorted(cpu_list("2-4,7"))
    [2, 3, 4, 7]
    """
    found: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def prepare(pid: int) -> dict[str, str]:
    """Pins a process to the CPU that is disturbed least and raises its priority, as far as that is
    allowed; says what was."""
    cpu, isolated = _pin(pid)
    return {
        "cpu": _cpu_model(),
        "pinned_to": f"CPU {cpu} of {os.cpu_count()}" if cpu is not None else "no CPU: not allowed",
        "isolated": "yes" if isolated else "no",
        "scheduler": _raise_priority(pid),
        "memory_locked": "yes" if _locked(pid) else "no: not allowed",
        "governor": _governor(cpu or 0),
        "virtual_machine": _virtual_machine(),
        "system": f"{platform.system()} {platform.release()}",
    }


def _pin(pid: int) -> tuple[int | None, bool]:
    """The CPU, and whether it is isolated. The last one has the least to do with interrupts."""
    isolated = isolated_cpus()
    for cpu in [*sorted(isolated), max(os.sched_getaffinity(0))]:
        try:
            os.sched_setaffinity(pid, {cpu})
        except OSError:
            continue
        return cpu, cpu in isolated
    return None, False


def _raise_priority(pid: int) -> str:
    try:
        os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(RAISED_PRIORITY))
    except OSError:
        return "SCHED_OTHER: SCHED_FIFO is not allowed"
    return f"SCHED_FIFO {RAISED_PRIORITY}"


def _locked(pid: int) -> bool:
    found = re.search(r"^VmLck:\s+(\d+)", _read(Path(f"/proc/{pid}/status")), re.M)
    return bool(found and int(found[1]))


def _cpu_model() -> str:
    found = re.search(r"^model name\s*: (.*)$", _read(Path("/proc/cpuinfo")), re.M)
    return found[1].strip() if found else platform.machine()


def _governor(cpu: int) -> str:
    return _read(SYSTEM / f"cpu{cpu}" / "cpufreq" / "scaling_governor") or "not visible"


def _virtual_machine() -> str:
    flags = re.search(r"^flags\s*: (.*)$", _read(Path("/proc/cpuinfo")), re.M)
    if not flags:
        return "not known"
    return "yes" if "hypervisor" in flags[1].split() else "no"


def constant_counter() -> bool:
    """Whether the core's counter goes on at one rate, whatever the core does (x86: constant_tsc and
    nonstop_tsc); that of AArch64 always does."""
    flags = re.search(r"^flags\s*: (.*)$", _read(Path("/proc/cpuinfo")), re.M)
    return not flags or {"constant_tsc", "nonstop_tsc"} <= set(flags[1].split())


def folder_for_files() -> Path:
    """Where programs may write while they measure: shared memory, if it is a file system in memory,
    else the folder for temporary files."""
    memory = Path("/dev/shm")
    if file_system(memory) == "tmpfs" and os.access(memory, os.W_OK | os.X_OK):
        return memory
    return Path(gettempdir())


def file_system(folder: Path) -> str:
    """The kind of file system that a folder lies on."""
    mounts = [line.split() for line in _read(Path("/proc/mounts")).splitlines()]
    there = [(Path(place), kind) for _, place, kind, *_ in mounts]
    above = [(place, kind) for place, kind in reversed(there) if folder.is_relative_to(place)]
    return max(above, default=(folder, "not known"), key=lambda one: len(one[0].parts))[1]


def clock_source() -> str:
    """Returns the system's own clock source."""
    return _read(CLOCK_SOURCE) or "not visible"


def message_queues() -> str:
    """The most that an ordinary user may ask of a POSIX message queue."""
    most, size = (_read(MESSAGE_QUEUES / name) for name in ("msg_max", "msgsize_max"))
    return f"up to {most} messages of {size} bytes" if most and size else "none"


def _read(file: Path) -> str:
    """The text of a file of the system, or none where it has no such file."""
    try:
        return file.read_text().strip()
    except OSError:
        return ""
