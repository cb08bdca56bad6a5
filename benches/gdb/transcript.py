"""Writes the session of docs/how-to/debug.md anew: a real gdb, the harness on the LPC2148.

usage: benches/gdb/transcript.py
"""

import re
import subprocess
import sys
from pathlib import Path

from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "debug.md"
BEGIN, END = "<!-- session -->\n", "<!-- /session -->"
COMMANDS = [
    "break main",
    "continue",
    "next",
    "tbreak vTaskSwitchContext",
    "continue",
    "watch pxCurrentTCB",
    "continue",
    "info threads",
    "delete",
    "break agent_serve",
    "continue",
    "info threads",
    "thread 3",
    "bt 2",
    "print $sp",
    "thread 2",
    "monitor profile on",
    "monitor accesses on",
    "stepi 1000",
    "monitor cycles",
    "monitor profile print",
    "monitor accesses print",
    "monitor profile off",
    "info registers pc cpsr r13_irq spsr_irq r13_svc",
    "x/2xw 0xe0008000",
    "kill",
]
SOURCES = re.compile(r"\.\./build/packages/[\w-]+/")


def session() -> str:
    """The commands and gdb's answers, as a person would see them."""
    image = firmware.build(Configuration()).elf
    run = subprocess.Popen(
        [sys.executable, "-m", "cyclescope", "run", "--image", str(image), "--gdb", "0"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert run.stderr is not None
        (port,) = re.findall(r":(\d+)", run.stderr.readline())
        settings = ["set pagination off", "set confirm off", "set width 0", "set listsize 1"]
        start = [*settings, f"target remote :{port}", "set trace-commands on", *COMMANDS]
        executed = [part for command in start for part in ("-ex", command)]
        done = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", *executed, str(image)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True, timeout=60,
        )  # fmt: skip
    finally:
        run.kill()
    shown = done.stdout[done.stdout.index("+break main") :]
    kept = (line for line in shown.splitlines() if "more recent than executable" not in line)
    lines = (re.sub(r"^\+", "(gdb) ", SOURCES.sub("", line)) for line in kept)
    return "".join(f"    {line}".rstrip() + "\n" for line in lines)


def main() -> None:
    """Replaces the session in the page."""
    before, rest = PAGE.read_text().split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(f"{before}{BEGIN}\n{session()}\n{END}{after}")


if __name__ == "__main__":
    main()
