"""A call of the Cortex-M3 beside other code: how far it may differ from its figure."""

import subprocess
from itertools import product
from pathlib import Path

from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import code_fetches, make_board, read_image

BOARD = "stm32f100rb"
PROBE = "ldr r6, [r5, #4]"
"""A read of CYCCNT, as in front of a measured call and behind it."""

NEIGHBOURS = {
    "nothing": "",
    "arithmetic": "adds r6, r6, #1",
    "wide": "add.w r6, r6, #1",
    "load": "ldr r6, [r4]",
    "store": "str r6, [r4]",
    "indexed store": "str r6, [r4, r8]",
    "list": "ldmia r4, {r6, r7}",
    "literal": "ldr r6, [r9]",
    "quotient": "udiv r6, r7, r6",
    "product": "umull r6, r7, r6, r7",
    "condition": "cmp r6, #0\n it eq\n moveq r6, r7",
    "branch": "b 1f\n nop\n1:",
}
CALLEES = {
    "empty": "bx lr",
    "arithmetic": "adds r0, r0, #1\n bx lr",
    "loads": "ldr r0, [r4]\n ldr r1, [r4, #4]\n bx lr",
    "ends in a load": "adds r0, r0, #1\n ldr r0, [r4]\n bx lr",
    "ends in a store": "adds r0, r0, #1\n str r0, [r4, #8]\n bx lr",
    "begins with a list": "push {r6, lr}\n adds r0, r0, #1\n pop {r6, pc}",
    "product": "umull r0, r1, r0, r1\n bx lr",
    "loop": "movs r0, #3\n2: subs r0, r0, #1\n bne 2b\n bx lr",
}


def program(folder: Path) -> Path:
    """Every callee between every two neighbours, a barrier on either side."""
    lines = [
        ".syntax unified\n.thumb\n.text\n.word 0x20001000, _start + 1\n.thumb_func\n"
        ".global _start\n_start:\n ldr r4, =0x20000100\n ldr r5, =0xE0001000\n movs r8, #4\n"
        " ldr r9, =_start\n ldr r0, =0xE000EDFC\n mov r1, #0x1000000\n str r1, [r0]\n b past\n"
        " .ltorg\npast:"
    ]
    neighbours = {**NEIGHBOURS, "probe": PROBE}
    pairs = [*product(neighbours, neighbours)]
    for (a, before), (b, after) in (((a, neighbours[a]), (b, neighbours[b])) for a, b in pairs):
        for number, _ in enumerate(CALLEES):
            at = f"{list(neighbours).index(a)}_{list(neighbours).index(b)}_{number}"
            lines.append(
                f" movs r6, #3\n movs r7, #9\n isb\nbegin_{at}:\n {before}\n"
                f" bl callee_{number}\n {after}\n isb\nend_{at}:"
            )
    lines.append("over: b over")
    for number, body in enumerate(CALLEES.values()):
        lines.append(f" .balign 4\n.thumb_func\ncallee_{number}:\n {body}")
    source, image = folder / "calls.s", folder / "calls.elf"
    source.write_text("\n".join(lines) + "\n")
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-nostdlib", "-Wl,-n"]
    command += ["-Wl,--build-id=none", "-Wl,-Ttext=0x8000000", "-o", str(image), str(source)]
    subprocess.run(command, check=True)
    return image


def costs(image: Path) -> dict[tuple[str, str, str], int]:
    """Cycles of each callee beyond an empty one, by the neighbours before and behind."""
    board, loaded = make_board(BOARD), read_image(image)
    board.load(loaded)
    board.reset()
    neighbours, found = [*NEIGHBOURS, "probe"], {}
    symbols = Program(image.read_bytes()).symbols
    for before, after in product(neighbours, neighbours):
        for number, callee in enumerate(CALLEES):
            at = f"{neighbours.index(before)}_{neighbours.index(after)}_{number}"
            cycles = []
            for name in ("begin", "end"):
                stop = board.run(pcs=[symbols[f"{name}_{at}"]], cycles=board.cycle + 10_000)
                assert stop["reason"] == "pc"
                cycles.append(board.cycle)
            found[before, after, callee] = cycles[1] - cycles[0]
    return {key: cycles - found[(*key[:2], "empty")] for key, cycles in found.items()}


def test_a_call_differs_beside_other_code_by_what_the_board_states(tmp_path: Path) -> None:
    found = costs(program(tmp_path))
    allowed = code_fetches(make_board(BOARD), "flash").overlap_cycles
    off = {
        key: cycles - found["probe", "probe", key[2]]
        for key, cycles in found.items()
        if key[2] != "empty"
    }
    assert len(off) == 13 * 13 * 7
    assert {key: cycles for key, cycles in off.items() if abs(cycles) > allowed} == {}
    assert {abs(cycles) for cycles in off.values()} >= {0, 1}, "a doubt that has a reason"
