"""Control-flow graphs recovered from C as GCC compiles it, against the shapes it was written in."""

import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.firmware.cfg.flow import FlowKind
from cyclescope.firmware.cfg.graph import Graph, recover
from cyclescope.firmware.program import Program

SOURCE = """
#define PART __attribute__((noipa))
volatile int left, right;
PART int leaf(int x) { return x * x; }
PART int straight(int x) { left = x; return x + 1; }
PART int diamond(int x) { if (x > 3) left = x; else right = leaf(x); return left + 1; }
PART int loop(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += leaf(i); return sum; }
PART int choice(int x, int y) {
    switch (x) {
    case 0: return y + leaf(1);
    case 1: left = y; return 3;
    case 2: right = y; return y - 7;
    case 3: return leaf(y) + 2;
    case 4: y += leaf(y) * 2; return y;
    case 5: left = 3; return y ^ 3;
    case 6: return leaf(4) - y;
    default: return 0;
    }
}
PART int tail(int x) { left = x; return leaf(x + 1); }
PART int pointer(int (*f)(int)) { return f(3) + 1; }
int (*volatile chosen)(int);
PART __attribute__((optimize("optimize-sibling-calls"))) int by_variable(int x, int y) {
    if (x == 100) return y;
    left = x;
    return chosen(y);
}
PART int recursive(int n) { if (n == 0) return 1; return n * recursive(n - 1); }
void _start(void) {
    diamond(1); loop(2); choice(1, 2); straight(1); tail(2); pointer(leaf); recursive(3);
    by_variable(1, 2);
}
"""

ARM = "arm-none-eabi-gcc -mcpu=arm7tdmi -mthumb-interwork"
COMPILERS = {
    "arm": f"{ARM} -marm -O2",
    "thumb": f"{ARM} -mthumb -O2",
    "thumb-plain": f"{ARM} -mthumb -O0",
    "high": f"{ARM} -marm -O2 -Wl,-Ttext=0x80000000",
    "thumb-size": f"{ARM} -mthumb -Os",
    "x86": "gcc -fcf-protection=full -O2 -fno-pic -no-pie",
    "x86-pic": "gcc -O2 -fpic -static-pie -fno-optimize-sibling-calls",
}
MACHINES = pytest.mark.parametrize("machine", COMPILERS)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Program]:
    folder = tmp_path_factory.mktemp("cfg")
    source = folder / "source.c"
    source.write_text(SOURCE)
    found = {}
    for machine, command in COMPILERS.items():
        image = folder / machine
        options = ["-fno-stack-protector", "-fno-optimize-sibling-calls", "-nostdlib"]
        subprocess.run([*command.split(), *options, "-o", image, source, "-lgcc"], check=True)
        found[machine] = Program(image.read_bytes())
    return found


def graph(program: Program, function: str) -> Graph:
    return recover(program, program.address(program.symbols[function]))


def shape(found: Graph) -> dict[str, set[str]]:
    """Where each block of the root's function leads to within it, calls taken as steps over."""
    return {
        found.name(leader): {
            found.name(edge.target) if edge.target in found.blocks else edge.kind.value
            for edge in block.edges
            if edge.kind is not FlowKind.CALL
        }
        | {found.name(resumed) for resumed in block.resumes}
        for leader, block in found.blocks.items()
        if ":" not in found.name(leader)
    }


def condensed(found: Graph) -> dict[str, set[str]]:
    """The same, without blocks that only lead on to one other."""
    arrows = shape(found)
    steps = {name: next(iter(to)) for name, to in arrows.items() if len(to) == 1}

    def behind(name: str) -> str:
        return behind(steps[name]) if name in steps else name

    return {name: {behind(one) for one in to} for name, to in arrows.items() if name not in steps}


@MACHINES
def test_straight_code_is_one_block_that_returns(
    programs: dict[str, Program], machine: str
) -> None:
    assert shape(graph(programs[machine], "straight")) == {"B0": {"return"}}


@MACHINES
def test_a_diamond_forks_once_and_holds_the_block_of_its_callee(
    programs: dict[str, Program], machine: str
) -> None:
    found = graph(programs[machine], "diamond")
    assert condensed(found) == {"B0": {"return"}}
    assert len(shape(found)["B0"]) == 2
    assert [name for name in map(found.name, found.blocks) if ":" in name] == ["leaf:B0"]
    calls = [edge for edge in found.edges if edge.kind is FlowKind.CALL]
    assert [found.name(edge.target or 0) for edge in calls] == ["leaf:B0"]


@MACHINES
def test_a_loop_leads_back_and_out(programs: dict[str, Program], machine: str) -> None:
    found = graph(programs[machine], "loop")
    arrows = condensed(found)
    heads = [name for name, to in arrows.items() if len(to) == 2 and name in to]
    assert len(heads) == 1, arrows
    assert arrows[heads[0]] == {heads[0], "return"}


@MACHINES
def test_a_switch_leads_to_every_case(programs: dict[str, Program], machine: str) -> None:
    found = graph(programs[machine], "choice")
    arms = {
        edge.target for edge in found.edges if edge.kind is FlowKind.COMPUTED
    } or {resumed for block in found.blocks.values() if len(block.resumes) > 1
          for resumed in block.resumes}  # fmt: skip
    assert len(arms) == 7
    callers = [edge for edge in found.edges if edge.kind is FlowKind.CALL
               and found.name(edge.target or 0) == "leaf:B0"]  # fmt: skip
    assert len(callers) == 4
    assert all(to for to in shape(found).values()), "a block that leads nowhere"


@pytest.mark.parametrize("machine", ["arm", "high"])
def test_a_pointer_to_a_function_is_no_switch(programs: dict[str, Program], machine: str) -> None:
    """A call at the end of a function, and a comparison that has nothing to do with it."""
    with refused("targets-not-known", naming=["other functions"]):
        graph(programs[machine], "by_variable")


@MACHINES
def test_blocks_neither_overlap_nor_leave_out_what_executes(
    programs: dict[str, Program], machine: str
) -> None:
    program = programs[machine]
    found = graph(program, "choice")
    reached = sorted(found.blocks.values(), key=lambda block: block.start)
    for block, following in pairwise(reached):
        assert block.end <= following.start
    for block in reached:
        assert sum(one.size for one in block.instructions) == block.end - block.start


@MACHINES
def test_recursion_is_a_call_like_any_other(programs: dict[str, Program], machine: str) -> None:
    found = graph(programs[machine], "recursive")
    assert {found.name(leader).partition(":")[0][0] for leader in found.blocks} == {"B"}
    assert any(edge.kind is FlowKind.RETURN for edge in found.edges)


@pytest.mark.parametrize("machine", ["arm", "thumb", "x86"])
def test_a_call_of_what_a_register_holds_is_refused(
    programs: dict[str, Program], machine: str
) -> None:
    with refused("targets-not-known"):
        graph(programs[machine], "pointer")


def test_tail_calls_veneers_and_predicated_returns(assemble: Callable[..., Path]) -> None:
    source = """
    .type begin, %function
begin:
    cmp r0, #0
    bxeq lr
    muleq r1, r2, r3
    addne r1, r2, r3
    addne r1, r2, r3, lsl r4
    bl veneer
    b elsewhere
    .size begin, . - begin
    .type veneer, %function
veneer:
    ldr ip, [pc]
    bx ip
    .word narrow + 1
    .size veneer, . - veneer
    .type elsewhere, %function
elsewhere:
    cmp r0, #2
    popne {r4, pc}
    ldr pc, [sp], #4
    .size elsewhere, . - elsewhere
    .thumb
    .type narrow, %function
narrow:
    bx pc
    nop
    .arm
    mov pc, lr
    .size narrow, . - narrow
"""
    program = Program(assemble(source).read_bytes())
    found = graph(program, "begin")
    arrows = {
        found.name(leader): [
            (edge.kind.value, edge.target and found.name(edge.target), edge.optional)
            for edge in block.edges
        ]
        for leader, block in found.blocks.items()
    }
    assert arrows == {
        "B0": [("next", "B1", True), ("return", None, True)],
        "B1": [("call", "veneer:B0", False)],
        "B2": [("taken", "elsewhere:B0", False)],
        "veneer:B0": [("computed", "narrow:B0", False)],
        "elsewhere:B0": [("next", "elsewhere:B1", True), ("return", None, True)],
        "elsewhere:B1": [("return", None, False)],
        "narrow:B0": [("computed", "narrow:B1", False)],
        "narrow:B1": [("return", None, False)],
    }
    (block,) = (one for one in found.blocks.values() if one.varies)
    assert block.varies == ("muleq r1, r2, r3", "addne r1, r2, r3, lsl r4")
