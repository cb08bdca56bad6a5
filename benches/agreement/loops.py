"""Loops that a real LPC2148 was timed with in flash, replayed through the engine's flash."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from agreement.data import About, Agreement, Case, load
from cyclescope.errors import CyclescopeError
from cyclescope.targets.virtual.board import FlashBench

NAME = "lpc2148-flash"
FILE = "loops.json.gz"
ABOUT = About(
    "ARM7TDMI-S", "lpc2148", "the authors of a kernel, on an LPC2148 at 48 MHz",
    "cycles of an iteration of a loop in flash, by published scores",
)  # fmt: skip
TOLERANCE_CYCLES = 0.3
LEAST_SHARE = 26 / 36
MOST_ITERATIONS = 1000

Event = tuple[str, int, int, int]
"""Of one bus cycle: c, d or x; address; 1 for the first fetch after a break in flow; 1 for S."""


class Flash(Protocol):
    """A model of the flash; `FlashBench` is the engine's."""

    def fetch(self, address: int, *, sequential: bool, after_break: bool) -> int: ...
    def read(self, address: int) -> int: ...
    def wait(self, cycles: int) -> None: ...
    def state(self) -> int: ...


def compare(folder: Path, make: Callable[[int, int], Flash] | None = None) -> Agreement:
    """Cycles of each loop beside those of a model, which `make` makes of MAMCR and MAMTIM."""
    cases = []
    for loop in load(folder / FILE):
        flash = (make or engine)(loop["mamcr"], loop["mamtim"])
        cycles = steady_cycles(loop["name"], loop["events"], flash)
        cases.append(Case(loop["name"], loop["measured_cycles"], cycles))
    return Agreement(NAME, cases, TOLERANCE_CYCLES, LEAST_SHARE)


def engine(mamcr: int, mamtim: int) -> Flash:
    """The flash of the virtual boards."""
    return FlashBench(mamcr=mamcr, mamtim=mamtim)


def steady_cycles(name: str, events: Iterable[Event], flash: Flash) -> float:
    """Cycles of an iteration, on average, once the state of the flash repeats."""
    events = list(events)
    begun: dict[int, tuple[int, int]] = {}
    cycles = 0
    for iteration in range(MOST_ITERATIONS):
        state = flash.state()
        if state in begun:
            first, before = begun[state]
            return (cycles - before) / (iteration - first)
        begun[state] = iteration, cycles
        cycles += sum(spend(event, flash) for event in events)
    raise CyclescopeError(f"loop {name} reaches no steady state in {MOST_ITERATIONS} iterations")


def spend(event: Event, flash: Flash) -> int:
    """Cycles of one event."""
    kind, address, after_break, sequential = event
    if kind == "c":
        return flash.fetch(address, sequential=bool(sequential), after_break=bool(after_break))
    if kind == "d":
        return flash.read(address)
    flash.wait(1)
    return 1
