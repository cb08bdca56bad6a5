"""Call stacks, accesses and energy by class: on counts summed by hand, and on a real board."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cyclescope.firmware.architecture import of_machine
from cyclescope.studies.peripheral.analyses import access_tables, energy, stacks
from cyclescope.studies.peripheral.analyses.by_class import Bytes
from cyclescope.studies.peripheral.analyses.classes import Classes, read_classes
from cyclescope.studies.run.instruments import symbols
from cyclescope.studies.run.instruments.symbols import Named, Symbols
from cyclescope.target.energy import EnergyCoefficient, EnergyModel
from cyclescope.targets.virtual.board import make_board, read_image

ARM = of_machine(40)
CALLS = """
    mov sp, #0x8000
again:
    bl work
    swi 1
    b again
    .type work, %function
work:
    push {lr}
    bl leaf
    bl leaf
    pop {pc}
    .size work, . - work
    .type leaf, %function
leaf:
    mov r0, #1
    bx lr
    .size leaf, . - leaf
"""
SWI_RETURNS = 0xE1B0_F00E  # movs pc, lr
SETUP, WORK, LEAF, ROUND = 1, 4, 2, 2
"""Instructions: before the loop, of `work`, of a `leaf`, and of a round itself with its `swi`."""


def named(name: str, start: int, file: str, image: str = "vmlinux") -> Named:
    return Named(name, file, image, start, start + 0x100, False)


SYMBOLS = Symbols(
    [
        named("atmel_interrupt", 0x100, "drivers/tty/serial/atmel_serial.c"),
        named("n_tty_read", 0x200, "drivers/tty/n_tty.c"),
        named("do_idle", 0x300, "kernel/sched/idle.c"),
        named("handle", 0x400, "kernel/irq/handle.c"),
        named("spack", 0x500, "gproto.c", "gkermit"),
        named("vector_swi", 0x600, "entry-common.S"),
    ],
    ARM,
)


@pytest.fixture
def classes() -> Classes:
    return read_classes()


NODES = [
    (None, "program", None, 1, 2, 0),
    (0, "function", 0x500, 10, 20, 0),
    (1, "call", 8, 0, 3, 0),
    (2, "function", 0x600, 4, 8, 0),
    (3, "function", 0x200, 5, 10, 0),
    (None, "interrupt", 0x18, 0, 3, 0),
    (5, "function", 0x400, 2, 4, 0),
    (6, "function", 0x100, 3, 6, 0),
    (0, "function", 0x300, 1, 2, 40),
    (8, "call", 8, 0, 3, 0),
    (9, "function", 0x600, 1, 2, 0),
    (0, "no function", None, 1, 1, 0),
]
CHAINS = {"since": 100, "until": 204, "nodes": NODES}


def test_each_entry_point_has_its_tree_and_the_trees_add_up(classes: Classes) -> None:
    found = stacks.stacks(CHAINS, SYMBOLS, classes)
    entries = {one["entry"]: one for one in found["entries"]}
    inclusive = {name: one["inclusive_cycles"] for name, one in entries.items()}
    assert inclusive == {"program": 25, "call": 26, "interrupt": 13, "fault": 0}
    slept = sum(one["inclusive_asleep_cycles"] for one in entries.values())
    assert sum(inclusive.values()) + slept == found["cycles"] == 104
    assert sum(one["inclusive_instructions"] for one in entries.values()) == 28
    (service,) = entries["call"]["children"]
    assert (service["name"], service["cycles"], service["inclusive_cycles"]) == (
        "vector_swi", 10, 20,
    )  # fmt: skip
    assert [one["name"] for one in service["children"]] == ["n_tty_read"]
    assert (service["children"][0]["class"], service["children"][0]["subclass"]) == (
        "char",
        "n_tty",
    )
    assert {one["name"] for one in entries["program"]["children"]} == {
        "spack", "do_idle", stacks.NO_SYMBOL,
    }  # fmt: skip
    text = "\n".join(stacks.lines(found))
    assert "atmel_interrupt" in text and "a fault" not in text


def test_folded_stacks_add_up_to_all_cycles() -> None:
    folded = dict(line.rsplit(" ", 1) for line in stacks.folded(CHAINS, SYMBOLS).splitlines())
    assert sum(map(int, folded.values())) == 104
    assert folded["[program];spack;[call];vector_swi;n_tty_read"] == "10"
    assert folded["[program];do_idle;(asleep)"] == "40"


def test_stacks_of_a_real_run_are_those_counted_by_hand(
    plain_board: Path, assemble: Any, classes: Classes
) -> None:
    board = make_board(str(plain_board))
    image = assemble(CALLS)
    board.load(read_image(image))
    board.load_bytes(8, SWI_RETURNS.to_bytes(4, "little"))
    board.reset()
    known = symbols.read([(image, None)], False, [], ARM)
    number = board.attach_stacks(known.ranges)
    rounds = 7
    per_round = ROUND + 1 + 1 + WORK + 2 * LEAF
    board.run(instructions=SETUP + rounds * per_round)
    found = stacks.stacks(board.counted(number), known, classes)
    assert found["interval_cycles"][1] == board.cycle
    entries = {one["entry"]: one for one in found["entries"]}
    assert entries["call"]["inclusive_instructions"] == rounds
    program = entries["program"]
    assert program["inclusive_instructions"] == board.instructions - rounds
    nodes = {one["name"]: one for one in program["children"]}
    chain = [node for one in nodes.values() for node in _walk(one)]
    assert [one["name"] for one in chain].count("work") == 1
    work = next(one for one in chain if one["name"] == "work")
    assert (work["instructions"], work["inclusive_instructions"]) == (28, 56)
    assert [one["name"] for one in work["children"]] == ["leaf"]
    cycles = sum(
        one["inclusive_cycles"] + one["inclusive_asleep_cycles"] for one in entries.values()
    )
    assert cycles == found["cycles"]


def _walk(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(below for child in node["children"] for below in _walk(child))]


LINES = [
    # function, device, target, register, direction, bytes, accesses, cycles
    (0x100, None, "usart1", "US_CSR", "read", 4, 3, 6),
    (0x100, None, "usart1", "US_RPR", "write", 4, 2, 4),
    (0x100, None, "usart1", "US_BRGR", "write", 4, 1, 2),
    (0x100, None, "ram", None, "write", 1, 6, 12),
    (0x100, None, "ram", None, "fetch", 4, 1000, 2000),
    (0x200, None, "ram", None, "read", 1, 8, 16),
    (0x400, None, "aic", "AIC_IVR", "read", 4, 5, 10),
    (0x500, None, "ram", None, "read", 4, 30, 60),
    (0x300, None, "ps", "PS_CR", "write", 4, 9, 18),
    (None, None, "ram", None, "read", 2, 5, 10),
    (None, "usart1", "ram", None, "write", 1, 20, 0),
]
MOVED = {
    "lines": [
        {
            "device": "usart1", "direction": "to memory", "bytes": 20, "stolen_cycles": 7,
            "blocks": [[0, 3], [8, 2]], "open_transfers": 4,
        },
        {
            "device": "usart0", "direction": "from memory", "bytes": 99, "stolen_cycles": 1,
            "blocks": [[99, 1]], "open_transfers": 0,
        },
    ],
}  # fmt: skip


def test_accesses_are_counted_by_class_width_device_and_register(classes: Classes) -> None:
    wire = Bytes(20, 5, 10)
    found = access_tables.accesses({"lines": LINES}, MOVED, SYMBOLS, classes, "usart1", 120, wire)
    assert found["data_accesses"] == 60, "without fetches, idle code and the PDC"
    assert found["per_active_instruction"] == 0.5
    counted = {name: one["accesses"] for name, one in found["widths"].items()}
    assert counted == {"words": 41, "half-words": 5, "bytes": 14}
    by_class: Counter[str] = Counter()
    for one in found["classes"]:
        by_class[one["class"]] += one["accesses"]
    assert by_class == {"char": 20, "kernel": 5, "application": 30, "other": 5}
    assert found["driver_io_share"] == 6 / 12
    assert found["char_share"] == 20 / 60
    assert found["three_of_system"] == 25 / 30
    devices = {one["device"]: (one["reads"], one["writes"]) for one in found["devices"]}
    assert devices == {"usart1": (3, 3), "aic": (5, 0), "ps": (0, 9)}
    groups = {one["group"]: one["accesses"] for one in found["registers"] if one["accesses"]}
    assert groups == {"receive pointer": 2, "channel status": 3, "settings": 1}
    received, sent = found["transfers"]
    assert (received["bytes"], received["number"]) == (20, 3), "empty blocks are none"
    assert received["bytes"] == received["wire_bytes"]
    assert (sent["bytes"], sent["mean_bytes"]) == (0, None), "those of another line"
    assert found["interactions"] == 3
    assert found["control_accesses_per_interaction"] == 6 / 3


def test_transfers_of_intervals_that_follow_each_other_are_summed() -> None:
    """A block counts where it ends: one begun in the first interval ends in the second."""
    first = MOVED["lines"][0]
    second = {**first, "bytes": 14, "stolen_cycles": 2, "blocks": [[8, 1], [10, 1]],
              "open_transfers": 0}  # fmt: skip
    moved = {"lines": [first, second]}
    received, sent = access_tables.pdc_transfers(moved, "usart1", Bytes(34, 5, 10))
    assert (received["bytes"], received["number"], received["stolen_cycles"]) == (34, 4, 9)
    assert received["lengths"] == [(8, 3), (10, 1)]
    assert sum(length * count for length, count in received["lengths"]) == received["bytes"]
    assert received["mean_bytes"] == 34 / 4
    assert (sent["bytes"], sent["number"], sent["wire_bytes"]) == (0, 0, 5)


def test_a_direction_without_pdc_has_an_interaction_for_each_byte(classes: Classes) -> None:
    lines = [*LINES, (0x100, None, "usart1", "US_THR", "write", 4, 5, 10)]
    wire = Bytes(20, 5, 10)
    found = access_tables.accesses({"lines": lines}, MOVED, SYMBOLS, classes, "usart1", 120, wire)
    assert found["interactions"] == 3 + 5
    assert found["control_accesses"] == 6, "data are no control"


PARTS = ["active", "stall", "idle", "quiescent", "memory.ram", "bus.apb", "transfers"]
MODEL = EnergyModel(
    supply="direct", nominal_mv=3300, operating_point=None, supply_mv=3300, capacitance_ff=1,
    coefficients=(
        EnergyCoefficient(of="x", value=1, unit="fJ", rule="guessed"),
        EnergyCoefficient(of="y", value=1, unit="fJ", source="a page"),
    ),
)  # fmt: skip


def test_energy_has_every_femtojoule_in_one_class_and_one_term(classes: Classes) -> None:
    accounts = [
        ((1, 0, 0x100), (10, 0, [100, 20, 0, 5, 30, 40, 7])),
        ((2, 0, 0x100), (1, 0, [1, 0, 0, 0, 0, 0, 0])),
        ((1, 0, 0x300), (50, 0, [3, 0, 200, 6, 0, 0, 0])),
        ((1, 0, 0), (1, 0, [2, 0, 0, 0, 0, 0, 0])),
    ]
    found = energy.energy(accounts, PARTS, SYMBOLS, classes, Bytes(3, 1, 2), MODEL)
    assert found["total_fj"] == 414
    terms = {
        "core": 126, "sleep": 200, "memory": 30, "device": 40, "transfers": 7, "quiescent": 11,
    }  # fmt: skip
    assert found["terms_fj"] == terms
    rows = {one["class"]: one for one in found["classes"]}
    assert {name: one["energy_fj"] for name, one in rows.items()} == {
        "char": 203, "idle": 209, "other": 2,
    }  # fmt: skip
    assert found["active"]["energy_fj"] == 205
    assert rows["char"]["nj_per_byte"] == 203 / 4 / 1e6
    assert rows["char"]["nj_per_payload_byte"] == 203 / 2 / 1e6
    assert found["unverified_rules"] == ["guessed"]
    assert "sleep" in energy.lines(found)[1]


def test_a_meter_of_functions_charges_a_library_to_its_caller(assemble: Any) -> None:
    board = make_board("at91x40")
    image = assemble(CALLS, base=0x0030_0000)
    board.load(read_image(image))
    board.reset(0x0030_0000)
    known = symbols.read([(image, None)], True, ["leaf"], ARM)
    board.meter(functions=known.ranges)
    number = board.attach_histogram(known.ranges)
    board.run(instructions=SETUP + 1 + WORK + 2 * LEAF)
    metered: Counter[str] = Counter()
    for (_, _, place), (cycles, _, _) in board.spent():
        metered[found.name if (found := known.at(place)) else "none"] += cycles
    counted: Counter[str] = Counter()
    for payer, where, _, costs in board.counted(number)["lines"]:
        start = where if payer is None else payer
        one = None if start is None else known.at(start)
        counted[one.name if one else "none"] += sum(costs)
    assert metered == counted
    assert "leaf" not in metered and metered["work"] > 0
