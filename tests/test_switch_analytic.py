"""The analytic way: its rules, and that it equals the board at every instruction, to the cycle and
to the femtojoule."""

import pytest
from refusals import refused

from cyclescope.studies.switch.analytic import Evaluation, evaluate
from cyclescope.studies.switch.coefficients import coefficients
from cyclescope.studies.switch.cores.arm7tdmi.instructions import Activity, activity, holds
from cyclescope.studies.switch.link import WindowRequest
from cyclescope.studies.switch.path import Operands, Window
from cyclescope.studies.switch.targets.virtual import open_target
from cyclescope.target.target import Selection

CASES = {
    "bare": Selection(board="lpc2148", kernel="bare"),
    "freertos": Selection(board="lpc2148", kernel="freertos"),
    "slowest": Selection(board="lpc2148", kernel="freertos", settings={"clock": 12}),
    "partial": Selection(board="lpc2148", kernel="bare", settings={"clock": 48, "mam": 1}),
    "off": Selection(board="lpc2148", kernel="bare", settings={"clock": 24, "mam": 0}),
    "lab": Selection(board="lpc2148-lab", kernel="bare", settings={"code": "lab"}),
    "in SRAM": Selection(
        board="lpc2148", kernel="freertos", settings={"clock": 36, "code": "sram"}
    ),
    "at91x40": Selection(board="at91x40", kernel="freertos"),
    "at91x40, 0 waits": Selection(board="at91x40", kernel="bare", settings={"romwaits": 0}),
    "at91x40, in RAM": Selection(
        board="at91x40", kernel="bare", settings={"code": "ram", "ramwaits": 2}
    ),
    "Cortex-M3": Selection(board="stm32f100rb", kernel="bare"),
    "Cortex-M3, FreeRTOS": Selection(board="stm32f100rb", kernel="freertos"),
    "Cortex-M3, lab": Selection(board="stm32f100-lab", kernel="freertos"),
}


def both(selection: Selection, order: WindowRequest) -> tuple[Window, Evaluation]:
    target = open_target(selection)
    window = target.window(order, whole=True)
    rates = coefficients(selection.board, target.conditions().core_hz, target.clocked)
    return window, evaluate(window.path, target.rules, rates)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("by_interrupt", [False, True])
def test_it_equals_the_board_at_every_instruction(name: str, by_interrupt: bool) -> None:
    selection = CASES[name]
    delay = 110 * int(selection.value("clock") or 0) or 7_000
    order = WindowRequest(True, by_interrupt, 3, 4, delay)
    window, found = both(selection, order)
    seen, known = window.path, found.known
    begins_known = selection.board == "at91x40"
    assert (known == 0) == begins_known and known < 50 and len(seen) > 1_000
    cycles = [moment.cycle - seen[known].cycle for moment in seen[known:]]
    assert cycles == [found.between(known, index) for index in range(known, len(seen))]
    spent = [moment.spent_fj - seen[known].spent_fj for moment in seen[known:]]
    assert spent == [found.energy_fj(known, index) for index in range(known, len(seen))]


def registers(**values: int) -> Operands:
    found = [0] * 16
    for name, value in values.items():
        found[int(name[1:])] = value
    return Operands(tuple(found), 0x6000_0010)  # Z and C


def test_each_class_of_instruction_does_what_the_manual_s_table_says() -> None:
    at = registers(r0=0x4000_0100, r1=8, r13=0x4000_0200)
    base, stack = 0x4000_0100, 0x4000_0200
    expected = {
        0xE080_0001: Activity(),  # add r0, r0, r1
        0xE1A0_0110: Activity(internal=1),  # lsl r0, r0, r1
        0xE1A0_F00E: Activity(breaks_flow=True),  # mov pc, lr
        0xE590_2004: Activity((base + 4,), internal=1),  # ldr r2, [r0, #4]
        0xE590_F004: Activity((base + 4,), internal=1, breaks_flow=True),  # ldr pc, [r0, #4]
        0xE500_2004: Activity((base - 4,), is_store=True),  # str r2, [r0, #-4]
        0xE790_2101: Activity((base + 32,), internal=1),  # ldr r2, [r0, r1, lsl #2]
        0xE490_2004: Activity((base,), internal=1),  # ldr r2, [r0], #4
        0xE1D0_20B6: Activity((base + 6,), internal=1, size_bytes=2),  # ldrh r2, [r0, #6]
        0xE1D0_20D6: Activity((base + 6,), internal=1, size_bytes=1),  # ldrsb r2, [r0, #6]
        0xE5C0_2004: Activity((base + 4,), is_store=True, size_bytes=1),  # strb r2, [r0, #4]
        0xE92D_0003: Activity((stack - 8, stack - 4), is_store=True),  # push {r0, r1}
        0xE8BD_8002: Activity((stack, stack + 4), internal=1, breaks_flow=True),  # pop {r1, pc}
        0xE002_0190: Activity(internal=1),  # mul r2, r0, r1: one byte in r1
        0xE022_3091: Activity(internal=5),  # mla r2, r1, r0, r3: four bytes in r0
        0xE082_3190: Activity(internal=2),  # umull r3, r2, r0, r1
        0xEF00_0000: Activity(breaks_flow=True),  # svc
        0x1590_2004: Activity(),  # ldrne, Z set
    }
    assert {opcode: activity(opcode, at) for opcode in expected} == expected


def test_conditions() -> None:
    z_and_c = 0x6000_0010
    names = [
        "eq",
        "ne",
        "cs",
        "cc",
        "mi",
        "pl",
        "vs",
        "vc",
        "hi",
        "ls",
        "ge",
        "lt",
        "gt",
        "le",
        "al",
        "nv",
    ]
    true = {name for number, name in enumerate(names) if holds(number, z_and_c)}
    assert true == {"eq", "cs", "pl", "vc", "ls", "ge", "le", "al"}


def test_the_analytic_way_takes_no_cycle_from_the_path() -> None:
    target = open_target(CASES["bare"])
    window = target.window(WindowRequest(True, False, 1, 4, 3_000), whole=True)
    rules, rates = target.rules, coefficients("lpc2148", 60_000_000)
    blind = [moment._replace(cycle=0, spent_fj=0) for moment in window.path]
    seen = evaluate(window.path, rules, rates)
    assert evaluate(blind, rules, rates) == seen


def test_wait_states_that_the_pipeline_does_not_see_are_refused() -> None:
    settings = {"code": "flash", "flashwaits": 1}
    target = open_target(Selection(board="stm32f100-lab", kernel="bare", settings=settings))
    with refused("switch-with-wait-states", naming=["stm32f100-lab", "no wait states"]):
        target.rules.walk()
