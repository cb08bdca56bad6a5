"""The one-instruction bench as a Python program uses it, and the example in its documentation."""

import re
from pathlib import Path
from typing import Any

import pytest

from cyclescope.targets.virtual.board import InstructionBench

CODE_READ, DATA_READ, WRITE, INTERNAL = range(4)
N, S, N_CODE, S_CODE = range(4)
NOP, NOP_THUMB = 0xE1A00000, 0x46C0
SUPERVISOR, THUMB, IRQ_MASK = 0x13, 0x20, 0x80
PAGE = Path(__file__).parent.parent / "docs" / "timing" / "arm7tdmi.md"


def state(opcode: int, cpsr: int = SUPERVISOR, **changes: Any) -> dict[str, Any]:
    """A core that is about to execute `opcode` at 0x1000, all registers zero."""
    thumb = bool(cpsr & THUMB)
    initial = {
        "R": [0] * 15 + [0x1004 if thumb else 0x1008],
        "R_fiq": [0] * 7,
        **{bank: [0, 0] for bank in ("R_svc", "R_abt", "R_irq", "R_und")},
        "CPSR": cpsr,
        "SPSR": [0x10] * 5,
        "pipeline": [opcode, NOP_THUMB if thumb else NOP],
        "access": S_CODE,
    }
    registers = {int(name[1:]): value for name, value in changes.items() if name[0] == "r"}
    initial["R"] = [registers.get(index, value) for index, value in enumerate(initial["R"])]
    return initial


def cycles(stepped: dict[str, Any]) -> list[tuple[int, ...]]:
    """Kind alone of internal cycles; of others kind, size, address, data and access."""
    return [
        (INTERNAL,)
        if cycle["kind"] == INTERNAL
        else tuple(cycle[key] for key in ("kind", "size", "addr", "data", "access"))
        for cycle in stepped["transactions"]
    ]


def test_a_store_is_followed_by_a_nonsequential_fetch():
    stepped = InstructionBench().step(
        state(0xE5810004, r0=0xCAFE, r1=0x2000), {}
    )  # str r0, [r1, #4]
    assert cycles(stepped) == [(CODE_READ, 4, 0x1008, 0, S_CODE), (WRITE, 4, 0x2004, 0xCAFE, N)]
    assert stepped["final"]["access"] == N_CODE
    assert (stepped["memory"][0x2004], stepped["memory"][0x2005]) == (0xFE, 0xCA)


def test_a_multiply_ends_early():
    stepped = InstructionBench().step(state(0xE0020190, r0=3, r1=0x12345), {})  # mul r2, r0, r1
    assert stepped["cycles"] == 1 + 3  # 24 significant bits
    assert stepped["final"]["R"][2] == 3 * 0x12345


def test_a_thumb_branch_refills_the_pipeline():
    memory = {0x1010: 0xC0, 0x1011: 0x46, 0x1012: 0x01, 0x1013: 0x20}
    stepped = InstructionBench().step(state(0xE006, SUPERVISOR | THUMB), memory)  # b 0x1010
    assert cycles(stepped) == [
        (CODE_READ, 2, 0x1004, 0, S_CODE),
        (CODE_READ, 2, 0x1010, 0x46C0, N_CODE),
        (CODE_READ, 2, 0x1012, 0x2001, S_CODE),
    ]
    assert stepped["final"]["pipeline"] == [0x46C0, 0x2001]
    assert stepped["final"]["R"][15] == 0x1014


def test_an_interrupt_takes_the_place_of_the_instruction():
    bench = InstructionBench()
    stepped = bench.step(state(NOP), {}, irq=True)
    assert [cycle["addr"] for cycle in stepped["transactions"]] == [0x1008, 0x18, 0x1C]
    assert stepped["final"]["R_irq"][1] == 0x1004
    assert stepped["final"]["SPSR"][3] == SUPERVISOR
    masked = bench.step(state(NOP, SUPERVISOR | IRQ_MASK), {}, irq=True)
    assert masked["cycles"] == 1


def test_where_nothing_is_mapped_an_access_can_abort():
    code = dict.fromkeys(range(0x1000, 0x1010), 0) | dict.fromkeys(range(0x10, 0x18), 0)
    stepped = InstructionBench().step(state(0xE5910000, r1=0x2000), code, unmapped=None)
    assert [cycle["aborted"] for cycle in stepped["transactions"]][:2] == [False, True]
    assert stepped["final"]["R_abt"][1] == 0x1008


def test_a_state_that_lacks_something_is_refused():
    initial = state(NOP)
    del initial["R_svc"]
    with pytest.raises(KeyError, match="the initial state has no R_svc"):
        InstructionBench().step(initial, {})


def test_the_documented_example_is_true():
    example = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert example is not None
    exec(compile(example[1], str(PAGE), "exec"), {})
