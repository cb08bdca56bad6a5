"""The example of a device with its driver: bytes arrive, interrupts are those counted by hand."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from cyclescope.cli import execute
from cyclescope.targets.virtual.board import make_board, read_image

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "peripheral"
DATA = bytes((37 * n + n // 7) & 0xFF for n in range(500))
REPORT_BYTES = 54
"""Characters of the report, which the UART's driver sends."""
BLOCK_BYTES, SEND_FIFO_BYTES = 8, 16
MOST_CYCLES = 30_000_000

HAND_COUNTS = {
    # Each byte that comes and each that leaves; each sample, and the end.
    "byte": {"uart_interrupt": 500 + REPORT_BYTES, "player_interrupt": 500 + 1},
    # 62 blocks of 8, then a time-out for the last 4 bytes, and as many refills.
    "block": {
        "uart_interrupt": 500 // BLOCK_BYTES + 1 + -(-REPORT_BYTES // SEND_FIFO_BYTES),
        "player_interrupt": 500 // BLOCK_BYTES + 1 + 1,
    },
}


class Played(NamedTuple):
    """The effects of a run of the example, seen from outside."""

    samples: bytes
    report: str
    interrupts: dict[str, int]
    cycles: int
    unmodelled: list[str]


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE by long division, unlike player.py and main.c, which shift bytes in."""
    dividend = int.from_bytes(data, "big") << 16
    dividend ^= 0xFFFF << (8 * len(data))
    for bit in range(8 * len(data) + 15, 15, -1):
        if dividend >> bit & 1:
            dividend ^= 0x11021 << (bit - 16)
    return dividend


def build(folder: Path, example: Path = EXAMPLE, *variants: str) -> Path:
    """Builds these variants as the page says, or both, into a folder."""
    command = ["make", "--silent", "-C", str(example), f"ROOT={ROOT}", f"OUT={folder}"]
    done = subprocess.run(
        [*command, *(str(folder / variant / "image.elf") for variant in variants)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return folder


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("peripheral"))


def played(image: Path, data: bytes = DATA, example: Path = EXAMPLE) -> Played:
    """Runs an image, with data on the line once it listens."""
    board = make_board(str(example / "board.toml"))
    program = read_image(image)
    board.load(program)
    board.reset()
    names = {program.address_of(one): one for one in ("uart_interrupt", "player_interrupt")}
    board.watch(executed=list(names))
    board.run(cycles=1_000_000)
    board.send("uart0.rxd", data)
    finished = program.address_of("finished")
    stop = board.run(cycles=MOST_CYCLES, pcs=[finished])
    assert stop["reason"] in ("pc", "cycles"), stop["sentence"]
    return Played(
        bytes(value for _, value in board.receive("player.sample")),
        bytes(value for _, value in board.receive("uart0.txd")).decode(),
        dict(Counter(names[address] for _, address in board.take_executed())),
        stop["cycle"],
        [one["text"] for one in board.unmodelled()],
    )


def check(found: Played, variant: str) -> None:
    """Compares a run with that of a driver that works."""
    crc = f"{crc16(DATA):04X}"
    assert found.samples == DATA
    assert found.report == f"played 500, crc {crc} of {crc}, underruns 000, lost 000\n"
    assert len(found.report) == REPORT_BYTES
    assert found.interrupts == HAND_COUNTS[variant]
    assert found.unmodelled == []


def test_the_long_division_gives_the_published_check_value() -> None:
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize("variant", ["byte", "block"])
def test_bytes_arrive_and_interrupts_are_those_counted_by_hand(images: Path, variant: str) -> None:
    found = played(images / variant / "image.elf")
    check(found, variant)
    assert played(images / variant / "image.elf") == found


def test_samples_leave_at_the_period_of_the_player(images: Path) -> None:
    program = read_image(images / "block" / "image.elf")
    board = make_board(str(EXAMPLE / "board.toml"))
    board.load(program)
    board.reset()
    board.run(cycles=1_000_000)
    board.send("uart0.rxd", DATA)
    board.run(cycles=MOST_CYCLES, pcs=[program.address_of("finished")])
    cycles = [cycle for cycle, _ in board.receive("player.sample")]
    assert {later - earlier for earlier, later in pairwise(cycles)} == {6_000}


FAULTS = {
    "a block is read as one byte": (
        "block",
        "uart.c",
        "while (count < DEPTH && UART0",
        "if (UART0",
    ),
    "the first byte of a block is lost": (
        "block",
        "uart.c",
        "    size_t count = 0;\n",
        "    size_t count = 0;\n    (void)UART0->rbr;\n",
    ),
    "the interrupt is not withdrawn": (
        "byte",
        "player.c",
        "PLAYER->control = play;\n    vTask",
        "vTask",
    ),
    "nobody waits for space": ("block", "player.c", "        wait_for(INTERRUPT_ON_SPACE);\n", ""),
    "the period is shorter than a byte": (
        "byte",
        "main.c",
        "PERIOD_PCLK = 6000",
        "PERIOD_PCLK = 5000",
    ),
    "the wrong trigger": ("block", "uart.c", "1 : FCR_TRIGGER_8", "1 : 1 << 6"),
    "a sample is changed": (
        "byte",
        "player.c",
        "PLAYER->data = *samples++",
        "PLAYER->data = *samples++ | 1",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_driver_is_noticed(fault: str, tmp_path: Path) -> None:
    broken = tmp_path / "peripheral"
    shutil.copytree(EXAMPLE, broken)
    variant, file, there, instead = FAULTS[fault]
    text = (broken / file).read_text()
    assert text.count(there) == 1
    (broken / file).write_text(text.replace(there, instead))
    image = build(tmp_path / "out", broken, variant) / variant / "image.elf"
    with pytest.raises(AssertionError):
        check(played(image, example=broken), variant)


def test_the_command_of_the_page_runs_it(
    images: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "samples"
    data.write_bytes(DATA)
    with data.open("rb") as source:
        monkeypatch.setattr("sys.stdin", source)
        command = ["run", "--board", str(EXAMPLE / "board.toml"), "--uart", "0=stdio"]
        command += ["--image", str(images / "block" / "image.elf"), "--until", "symbol=finished"]
        assert execute(command) == 0
    assert f"played 500, crc {crc16(DATA):04X} of" in capfd.readouterr().out


# Reads and writes of the player's registers. Each block sets CONTROL to wait, and its interrupt
# sets it back; so does the end. Playing is started twice. STATUS is read until the first start.
REGISTERS = {
    variant: {
        "CONTROL": (0, 2 * blocks + 4),
        "STATUS": (until_start + 1, 0),
        "DATA": (0, 500),
        "PERIOD": (0, 1),
        "TRIGGER": (0, 1),
        "LENGTH": (0, 1),
        "CRC": (1, 0),
    }
    for variant, blocks, until_start in (("byte", 500, 8), ("block", 63, 1))
}


@pytest.mark.parametrize("variant", ["byte", "block"])
def test_the_instruments_of_a_run_count_the_same(images: Path, variant: str) -> None:
    command = [sys.executable, "-m", "cyclescope", "run", "--board", EXAMPLE / "board.toml"]
    command += ["--image", images / variant / "image.elf", "--until", "symbol=finished", "--json"]
    command += ["--uart", "0=stdio", "--profile", "--accesses", "--interrupts"]
    done = subprocess.run(command, input=DATA, capture_output=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    taken = {one["source"]: one["taken"] for one in found["interrupts"]["sources"]}
    by_hand = HAND_COUNTS[variant]
    assert taken["uart0.interrupt"] == by_hand["uart_interrupt"]
    assert taken["player.interrupt"] == by_hand["player_interrupt"]
    registers = {
        one["register"]: (one["reads"], one["writes"])
        for one in found["accesses"]["registers"]
        if one["target"] == "player"
    }
    assert registers == REGISTERS[variant]
    assert found["profile"]["unattributed"]["share"] < 0.01
    assert found["profile"]["cycles"] == found["cycle"]
