"""The STM32F100RB's board file: its page, its vectors, and what lies where."""

import re
import tomllib
from pathlib import Path

from cyclescope.targets.virtual.board import make_board

ROOT = Path(__file__).parents[1]
BOARD = tomllib.loads((ROOT / "boards" / "stm32f100rb" / "board.toml").read_text())
PAGE = (ROOT / "docs" / "timing" / "bus_stm32f100.md").read_text()
# Numbers of interrupts, as the crate stm32f1 0.15.1 has them from ST's SVD file.
NUMBERS = {
    "rcc.interrupt": 5, "exti.exti0": 6, "exti.exti4": 10, "dma1.interrupt1": 11,
    "dma1.interrupt7": 17, "exti.exti9_5": 23, "timer2.interrupt": 28, "timer3.interrupt": 29,
    "timer4.interrupt": 30, "usart1.interrupt": 37, "usart2.interrupt": 38, "usart3.interrupt": 39,
    "exti.exti15_10": 40, "exti.line17": 41,
}  # fmt: skip


def test_the_page_has_every_device_and_no_other() -> None:
    rows = re.findall(r"^\| 0x(\w{4})_(\w{4}) \| (\w+) \| (\w+) \|", PAGE, re.M)
    listed = {(int(high + low, 16), name, kind) for high, low, name, kind in rows}
    there = {
        (window["base"], one["name"], "refused" if one["kind"] == "unmodelled" else "modelled")
        for one in BOARD["device"]
        for window in one["maps"]
    }
    assert len(there) > 35 and listed == there


def test_interrupts_have_the_numbers_of_the_part() -> None:
    wires = {one["from"]: one["to"] for one in BOARD["connect"]}
    assert {source: wires[source] for source in NUMBERS} == {
        source: f"core.irq{number}" for source, number in NUMBERS.items()
    }


def test_address_0_shows_the_flash() -> None:
    board = make_board("stm32f100rb")
    board.load_bytes(0x0800_0010, b"flash")
    board.reset()
    assert board.read_memory(0x10, 5) == b"flash"


def test_the_labs_board_is_none_of_hardware() -> None:
    lab = make_board("stm32f100-lab").describe()
    assert not lab["real"] and BOARD["real"]
    declared = {one["name"] for one in lab["memory"] if not one.get("real", True)}
    assert declared == {"lab", "lab_ram"}
