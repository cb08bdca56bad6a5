"""The example of a device with two drivers: its files, its output, and what a byte costs."""

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pages.excerpts import block
from pages.runs import PROGRAM, PageError, once, today

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "peripheral"
IMAGES = ROOT / "build" / "examples" / "peripheral"
VARIANTS = {"byte": "an interrupt per byte", "block": "per block of 8"}
DATA = bytes((37 * n + n // 7) & 0xFF for n in range(500))
OWN_FILES = ("main.c", "uart.c", "player.c", "interrupts.c")
SOURCES = ("uart0.interrupt", "player.interrupt")
INSTRUMENTS = ("--profile", "--accesses", "--interrupts")
LEFT_OUT = ("start", "prvIdleTask", "vApplicationIdleHook")


def peripheral_file(name: str) -> str:
    """A file of the example, as it stands."""
    return block((EXAMPLE / name).read_text().splitlines())


@once
def _image(variant: str) -> Path:
    done = subprocess.run(["make", "--silent", "-C", EXAMPLE], capture_output=True, text=True)
    if done.returncode:
        raise PageError(done.stderr.strip().rpartition("\n")[2])
    return IMAGES / variant / "image.elf"


@once
def _run(variant: str, *more: str) -> str:
    command = [PROGRAM, "run", "--board", EXAMPLE / "board.toml", "--image", _image(variant)]
    command += ["--uart", "0=stdio", "--until", "symbol=finished", *more]
    done = subprocess.run(command, input=DATA, capture_output=True)
    if done.returncode:
        raise PageError(done.stderr.decode().strip())
    return done.stdout.decode()


def _counted(variant: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_run(variant, *INSTRUMENTS, "--json"))
    return found


def peripheral_run(variant: str) -> str:
    """The output of the run, without the rules that it was charged by."""
    lines = _run(variant).splitlines()
    return block(line for line in lines if not line.startswith("unverified"))


def peripheral_registers(variant: str) -> str:
    """The registers of the player in the output of `run --accesses`."""
    lines = _run(variant, "--accesses").splitlines()
    begun = lines.index("registers:") + 1
    wanted = [line for line in lines[begun + 1 :] if "  player." in line]
    return block([lines[begun], *wanted])


def peripheral_costs() -> str:
    """Interrupts, instructions and cycles for each byte of both drivers."""
    found = {one: _counted(one) for one in VARIANTS}
    taken = {
        one: {source["source"]: source["taken"] for source in found[one]["interrupts"]["sources"]}
        for one in VARIANTS
    }

    def row(what: str, value: Callable[[str], str]) -> str:
        return f"| {what} | {' | '.join(value(one) for one in VARIANTS)} |"

    def sums(one: str, column: str, wanted: Callable[[dict[str, Any]], bool]) -> float:
        """Of the functions that are wanted, for each byte; the start and the sleep are left out."""
        functions = [
            line
            for line in found[one]["profile"]["functions"]
            if line["function"] not in LEFT_OUT and wanted(line)
        ]
        return float(sum(line[column] for line in functions) / len(DATA))

    def kinds(one: str, kind: str) -> float:
        return float(found[one]["profile"]["kinds"][kind] / len(DATA))

    rows = [row("", lambda one: VARIANTS[one]), "|---|--:|--:|"]
    rows += [row(f"`{name}`", lambda one, name=name: f"{taken[one][name]}") for name in SOURCES]
    rows.append(
        row(
            "interrupts per byte",
            lambda one: f"{sum(taken[one][name] for name in SOURCES) / len(DATA):.2f}",
        )
    )
    rows.append(
        row(
            "instructions per byte",
            lambda one: f"{sums(one, 'instructions', lambda line: True):,.0f}",
        )
    )
    rows.append(
        row(
            "**cycles per byte**",
            lambda one: f"**{sums(one, 'cycles', lambda _: True) + kinds(one, 'entries'):,.0f}**",
        )
    )
    for name in OWN_FILES:
        rows.append(
            row(
                f"… `{name}`",
                lambda one, name=name: (
                    f"{sums(one, 'cycles', lambda line: _name(line) == name):,.0f}"
                ),
            )
        )
    rows.append(
        row(
            "… FreeRTOS and the C library",
            lambda one: f"{sums(one, 'cycles', lambda line: _name(line) not in OWN_FILES):,.0f}",
        )
    )
    rows.append(row("… entries of interrupts", lambda one: f"{kinds(one, 'entries'):,.0f}"))
    digests = (hashlib.sha256(_image(one).read_bytes()).hexdigest()[:16] for one in VARIANTS)
    images = " and ".join(f"`{one}…`" for one in digests)
    shares = " and ".join(
        f"{found[one]['profile']['unattributed']['share']:.1%}" for one in VARIANTS
    )
    return "\n".join(
        [
            *rows,
            "",
            f"For {len(DATA)} bytes; without the start-up and the idle task, in which the core "
            f"sleeps. Not attributed: {shares} of all cycles. Made by `make pages` on {today()}; "
            f"images {images}.",
        ]
    )


def _name(line: dict[str, Any]) -> str:
    return Path(line["file"] or "").name
