"""Programs that are interrupted and sleep, beside simavr: every instruction at its cycle.

simavr's response to interrupts is not that of the data sheet, and neither are its timers. The host
program corrects the response, and takes the causes from here. The last tests show what simavr does
without that; docs/timing/avr.md has the table.
"""

import random
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, pairwise, takewhile
from pathlib import Path

import pytest
from chip import Chip

HERE = Path(__file__).parent
INSTRUCTIONS = 50_000
EDGES = 600
# Edges of one pin: far enough for the handlers of the last to have begun.
LEAST_CYCLES = 700
# Port, bit, and cycles from an edge until a boundary sees its flag (docs/timing/ports_atmega.md).
PINS = (("D", 0, 3), ("D", 1, 3), ("D", 2, 3), ("B", 0, 4))
# Those from a match to its boundary, and the vector.
MATCH_SEEN = 1
COMPARE_VECTOR = 21
# Timer/Counter0 at clk/8.
CLOCK, DIVISION, TOP = 2, 8, 99
RAM = (0x80_0200, 0x2000)
HANDLERS = 6
# Cycles of an instruction and of a response behind it, at most: what takes longer was a sleep.
LONGEST_STEP = 10
RESPONSES = 60
# Bytes before the RAM in a state: r0 to r31, SP, SREG.
REGISTERS = 35

pytestmark = pytest.mark.skipif(
    not shutil.which("simavr") or not Path("/usr/include/simavr/sim_avr.h").exists(),
    reason="simavr and its library are not installed",
)


@dataclass(frozen=True)
class Edge:
    """A change of a pin from outside."""

    cycle: int
    port: str
    bit: int
    delay: int
    level: int


@dataclass(frozen=True)
class Flow:
    """(cycle, address) of each instruction, then cycle, address and state behind the last."""

    executed: list[tuple[int, int]]
    end: tuple[int, int, str]


def edges(seed: int) -> list[Edge]:
    """Edges of all pins at random cycles, in order."""
    chosen = random.Random(seed)
    made: list[Edge] = []
    last = {pin: (-LEAST_CYCLES, 0) for pin in PINS}
    cycle = 1000
    for _ in range(EDGES):
        cycle += chosen.choice((1, 2, 5, 20, 100, 300, 1000))
        pin = chosen.choice(PINS)
        before, level = last[pin]
        if cycle - before >= LEAST_CYCLES:
            last[pin] = (cycle, 1 - level)
            made.append(Edge(cycle, *pin, 1 - level))
    return made


def ours(image: Path, given: list[Edge], instructions: int, tier: str = "plain") -> Flow:
    """The flow on the board; decoded blocks report no single instructions."""
    chip = Chip(image)
    chip.board.set_tier("blocks" if tier == "blocks" else "plain")
    if tier == "plain":
        (code,) = [part for address, part in chip.image.segments if address == 0]
        chip.board.watch(range(0, len(code), 2))
    for edge in given:
        pin = f"ports.in_p{edge.port.lower()}{edge.bit}"
        chip.board.drive(pin, edge.level, at=edge.cycle)
    chip.board.run(instructions=instructions, cycles=10_000_000)
    assert chip.reports() == []
    registers = chip.board.registers()
    state = bytes(registers[f"r{number}"] for number in range(32))
    state += registers["sp"].to_bytes(2, "little") + bytes([registers["sreg"]])
    state += chip.board.read_memory(*RAM)
    return Flow(chip.executed(), (chip.board.cycle, registers["pc"], state.hex()))


def left(flow: Flow, image: Path, symbol: str, index: int = 0) -> int:
    """Returns a variable of 16 bits as the last instruction left it."""
    state = bytes.fromhex(flow.end[2])
    at = REGISTERS + Chip(image).address(symbol) - RAM[0] + 2 * index
    return int.from_bytes(state[at : at + 2], "little")


@pytest.fixture(scope="module")
def simavr(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Flow]:
    """The flow in simavr, with these causes."""
    tracer = tmp_path_factory.mktemp("simavr") / "flow_trace"
    source = HERE / "programs" / "flow_trace.c"
    command = ["gcc", "-O1", "-Wall", "-Werror", "-o", tracer, source, "-lsimavr", "-lelf"]
    subprocess.run(command, check=True)

    def run(image: Path, causes: list[str], instructions: int, *, corrected: bool = True) -> Flow:
        ran = subprocess.run(
            [tracer, image, str(instructions), str(int(corrected))],
            input="\n".join(causes), capture_output=True, text=True, check=True,
        )  # fmt: skip
        # simavr itself writes lines, too.
        lines = [line for line in ran.stdout.splitlines() if re.match(r"\d|state", line)]
        *executed, state = [line.split() for line in lines]
        return Flow(
            [(int(cycle), int(address, 16)) for cycle, address in executed],
            (int(state[1]), int(state[2], 16), state[3]),
        )

    return run


def causes(image: Path, given: list[Edge], until: int) -> list[str]:
    """Lists when boundaries see the edges, and the matches of the timer up to a cycle."""
    seen = [(edge.cycle + edge.delay, f"{edge.port} {edge.bit} {edge.level}") for edge in given]
    chip = Chip(image)
    started = chip.finish("started")
    # The prescaler has run since the reset. A match is over with the count that follows it.
    first = started // DIVISION + 1 + TOP
    matches = (DIVISION * at for at in count(first, TOP + 1))
    seen += [
        (match + MATCH_SEEN, f"V {COMPARE_VECTOR} 1")
        for match in takewhile(lambda match: match < until, matches)
    ]
    return [f"{cycle} {what}" for cycle, what in sorted(seen)]


@pytest.mark.parametrize("level", ["-Os", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("seed", range(3))
def test_programs_are_interrupted_as_in_simavr_cycle_for_cycle(
    build: Callable[..., Path], simavr: Callable[..., Flow], level: str, seed: int
) -> None:
    image = build("traffic.c", level=level, CLOCK=CLOCK, TOP=TOP)
    given = edges(seed)
    here = ours(image, given, INSTRUCTIONS)
    there = simavr(image, causes(image, given, here.end[0]), INSTRUCTIONS)
    pairs = zip(here.executed, there.executed, strict=True)
    assert next((pair for pair in pairs if pair[0] != pair[1]), None) is None
    assert (len(here.executed), here.end) == (INSTRUCTIONS, there.end)
    assert ours(image, given, INSTRUCTIONS, "blocks").end == here.end
    # Each handler ran, and one within another. The core slept.
    assert all(left(here, image, "taken", n) for n in range(HANDLERS))
    assert left(here, image, "deepest") > 1
    assert sum(later - cycle > LONGEST_STEP for (cycle, _), (later, _) in pairwise(here.executed))


@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_a_request_around_a_sleep_wakes_as_in_simavr_at_every_phase(
    build: Callable[..., Path], simavr: Callable[..., Flow], level: str
) -> None:
    image = build("traffic.c", level=level, CLOCK=0, TOP=TOP)
    asleep = ours(image, [], INSTRUCTIONS)
    last = asleep.executed[-1][0]
    instructions = len(asleep.executed) + 40
    for cycle in range(last - 60, last + 20):
        given = [Edge(cycle, "D", 2, 3, 1)]
        here = ours(image, given, instructions)
        there = simavr(image, causes(image, given, 0), instructions)
        assert here.executed[: len(there.executed)] == there.executed, cycle
        assert len(here.executed) == len(there.executed)


def test_simavr_has_another_response_to_interrupts(
    build: Callable[..., Path], simavr: Callable[..., Flow]
) -> None:
    """The manual and the data sheet have one instruction and five cycles."""
    image = build("response.S")
    symbols = Chip(image).address
    vectors = {symbols("vector6"), symbols("vector7")}
    flows = ours(image, [], RESPONSES), simavr(image, [], RESPONSES, corrected=False)

    def response(flow: Flow, label: str) -> tuple[int, int]:
        """Instructions between this one and the next vector, the last a NOP; cycles behind it."""
        places = [address for _, address in flow.executed]
        begins = places.index(symbols(label))
        taken = next(at for at, place in enumerate(places) if at > begins and place in vectors)
        (nop, _), (vector, _) = flow.executed[taken - 1 : taken + 1]
        return taken - begins - 1, vector - nop - 1

    for label in ("behind_sei", "behind_reti", "behind_sreg"):
        assert [response(flow, label) for flow in flows] == [(1, 5), (2, 0)], label


def test_simavr_sets_a_compare_flag_a_count_early_and_takes_it_at_once(
    build: Callable[..., Path], simavr: Callable[..., Flow]
) -> None:
    image = build("latency.S", SLEEPS=0)
    handler = Chip(image).address("handler")
    here, there = (
        dict((address, cycle) for cycle, address in flow.executed)
        for flow in (ours(image, [], 120), simavr(image, [], 120, corrected=False))
    )
    started = 12
    # The hundredth count leaves 99. A boundary sees that one cycle later. The response takes 5.
    assert here[handler] == started + 100 + 1 + 5
    assert there[handler] == started + 99
