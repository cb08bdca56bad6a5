"""The example of a device with two drivers: its files, its output, and what a byte costs."""

import hashlib
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from cyclescope.targets.virtual.board import make_board, read_image
from pages.excerpts import block
from pages.runs import PROGRAM, PageError, once, today

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "peripheral"
IMAGES = ROOT / "build" / "examples" / "peripheral"
VARIANTS = {"byte": "an interrupt per byte", "block": "per block of 8"}
DATA = bytes((37 * n + n // 7) & 0xFF for n in range(500))
SHOWN_FUNCTIONS = 10
IDLE, START = "vApplicationIdleHook", "start"


def peripheral_file(name: str) -> str:
    """A file of the example, as it stands."""
    return block((EXAMPLE / name).read_text().splitlines())


@once
def _image(variant: str) -> Path:
    done = subprocess.run(["make", "--silent", "-C", EXAMPLE], capture_output=True, text=True)
    if done.returncode:
        raise PageError(done.stderr.strip().rpartition("\n")[2])
    return IMAGES / variant / "image.elf"


def _run(variant: str, *more: str) -> str:
    command = [PROGRAM, "run", "--board", EXAMPLE / "board.toml", "--image", _image(variant)]
    command += ["--uart", "0=stdio", "--until", "symbol=finished", *more]
    done = subprocess.run(command, input=DATA, capture_output=True)
    if done.returncode:
        raise PageError(done.stderr.decode().strip())
    return done.stdout.decode()


def peripheral_run(variant: str) -> str:
    """The output of the run, without the rules that it was charged by."""
    lines = _run(variant).splitlines()
    return block(line for line in lines if not line.startswith("unverified"))


def _interrupts(variant: str) -> Counter[str]:
    """How often each interrupt was entered, seen from outside."""
    board, program = make_board(str(EXAMPLE / "board.toml")), read_image(_image(variant))
    board.load(program)
    board.reset()
    names = {program.address_of(one): one for one in ("uart_interrupt", "player_interrupt")}
    board.watch(executed=list(names))
    board.run(cycles=1_000_000)
    board.send("uart0.rxd", DATA)
    board.run(cycles=100_000_000, pcs=[program.address_of("finished")])
    return Counter(names[address] for _, address in board.take_executed())


def peripheral_costs() -> str:
    """Interrupts and cycles for each byte of both drivers, and where the cycles go."""
    interrupts = {one: _interrupts(one) for one in VARIANTS}
    found: dict[str, Any] = {one: json.loads(_run(one, "--energy", "--json")) for one in VARIANTS}
    cycles = {
        one: {line["name"]: line["cycles"] for line in found[one]["energy"]["functions"]}
        for one in VARIANTS
    }
    awake = {
        one: sum(spent for name, spent in cycles[one].items() if name not in (IDLE, START))
        for one in VARIANTS
    }

    def row(what: str, values: list[str]) -> str:
        return f"| {what} | {' | '.join(values)} |"

    rows = [row("", list(VARIANTS.values())), "|---|--:|--:|"]
    for name, what in (("uart_interrupt", "UART0"), ("player_interrupt", "player")):
        rows.append(row(f"interrupts, {what}", [str(interrupts[one][name]) for one in VARIANTS]))
    count = len(DATA)
    each = [f"{sum(interrupts[one].values()) / count:.2f}" for one in VARIANTS]
    rows.append(row("interrupts per byte", each))
    each = [f"{found[one]['instructions'] / count:,.0f}" for one in VARIANTS]
    rows.append(row("instructions per byte", each))
    rows.append(row("**cycles per byte**", [f"**{awake[one] / count:,.0f}**" for one in VARIANTS]))
    largest = Counter(cycles["byte"])
    shown = [name for name, _ in largest.most_common() if name not in (IDLE, START)]
    for name in shown[:SHOWN_FUNCTIONS]:
        each = [f"{cycles[one].get(name, 0) / count:,.1f}" for one in VARIANTS]
        rows.append(row(f"… in `{name}`", each))
    digests = (hashlib.sha256(_image(one).read_bytes()).hexdigest()[:16] for one in VARIANTS)
    images = " and ".join(f"`{one}…`" for one in digests)
    return "\n".join(
        [
            *rows,
            "",
            f"Of {count} bytes each; cycles without the sleep of the idle task and without the "
            f"start-up. Made by `make pages` on {today()}; images {images}.",
        ]
    )
