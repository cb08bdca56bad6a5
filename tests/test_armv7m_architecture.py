"""Thumb-2 in the lab: its files, what it reads in code, and its control flow beside objdump's."""

import re
import subprocess
from pathlib import Path

import pytest
from choices import configured

from cyclescope.firmware.build import build
from cyclescope.firmware.cfg.flow import FlowKind
from cyclescope.firmware.cfg.graph import recover
from cyclescope.firmware.program import Program

OBJDUMP = "arm-none-eabi-objdump"
SWITCH = """
volatile int seen;
int chosen(int x) {
    switch (x) {
        case 0: return seen + 3;
        case 1: seen = 9; return 1;
        case 2: return seen * 7;
        case 3: seen++; return 8;
        case 4: return seen / 3;
        case 5: seen = x; return 77;
        default: return 0;
    }
}
int bounded(int x) { return x > 7 ? 7 : x < 0 ? -x : x; }
int searched(const int *of, int n) { while (n--) if (!*of++) return n; return -1; }
"""


def compiled(folder: Path, *flags: str, source: str = SWITCH) -> Program:
    """A program of these functions, linked at 0x8000000."""
    (folder / "code.c").write_text(source)
    image = folder / "code.elf"
    command = ["arm-none-eabi-gcc", *flags, "-nostdlib", "-Wl,-Ttext=0x8000000,--entry=0"]
    subprocess.run([*command, "-o", image, folder / "code.c", "-lgcc"], check=True)
    return Program(image.read_bytes())


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        (("-mcpu=cortex-m3", "-mthumb"), "ARMv7-M"),
        (("-mcpu=cortex-m0", "-mthumb"), "ARMv7-M"),
        (("-mcpu=arm7tdmi", "-mthumb"), "ARM"),
        (("-mcpu=arm7tdmi",), "ARM"),
        (("-mcpu=cortex-a8",), "ARM"),
    ],
)
def test_a_file_is_known_by_its_attributes(
    flags: tuple[str, ...], name: str, tmp_path: Path
) -> None:
    assert compiled(tmp_path, *flags).architecture.name == name


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-Os"])
def test_a_switch_leads_to_each_of_its_cases(level: str, tmp_path: Path) -> None:
    program = compiled(tmp_path, "-mcpu=cortex-m3", "-mthumb", level)
    graph = recover(program, program.address(program.symbols["chosen"]))
    targets = {one.target for one in graph.edges if one.kind is FlowKind.COMPUTED}
    assert len(targets) >= 6
    branches = {one.kind for one in graph.edges}
    assert FlowKind.RETURN in branches and FlowKind.TAKEN in branches


def transfers(image: Path) -> dict[int, tuple[str, int]]:
    """Branches to fixed places in the words of objdump: mnemonic and target, by address."""
    ran = subprocess.run([OBJDUMP, "-d", image], capture_output=True, text=True, check=True)
    pattern = r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(b\w*|cbn?z)(?:\.[nw])?\t(?:r\d+, )?([0-9a-f]+) <"
    return {
        int(at, 16): (mnemonic, int(target, 16))
        for at, mnemonic, target in re.findall(pattern, ran.stdout, re.M)
    }


def test_every_branch_of_the_kernels_image_is_that_of_objdump() -> None:
    image = build(configured({"board": "stm32f100rb"})).elf
    program = Program(image.read_bytes())
    theirs = transfers(image)
    found = {
        one.address: (one.mnemonic.partition(".")[0], target)
        for function in program.functions
        for one in program.instructions(function.address, function.end)
        if (target := program.architecture.target(one)) is not None
    }
    same = {"bhs": "bcs", "blo": "bcc"}  # two names of one condition
    known = {
        at: (same.get(found[at][0], found[at][0]), found[at][1])
        for at in theirs.keys() & found.keys()
    }
    assert len(known) > 2500
    assert known == {at: theirs[at] for at in known}
    assert not theirs.keys() - found.keys()


def test_control_flow_of_the_kernel_is_known() -> None:
    program = Program(build(configured({"board": "stm32f100rb"})).elf.read_bytes())
    for name in (
        "xQueueGenericSend",
        "xQueueReceive",
        "vTaskDelay",
        "xTimerGenericCommandFromTask",
    ):
        graph = recover(program, program.address(program.symbols[name]))
        assert len(graph.blocks) > 5, name
