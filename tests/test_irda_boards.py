"""Two AT91x40 under FreeRTOS move files over an infrared channel by the stack of firmware/irda."""

import fcntl
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from cyclescope.targets.virtual.board import Bench, Board, Image, make_board, read_image
from cyclescope.targets.virtual.infrared import Infrared
from cyclescope.wire.infrared import SentOctet, frames, packets
from cyclescope.wire.infrared.tshark import installed, judge

ROOT = Path(__file__).parents[1]
SECOND_AS = 10**18
SPEEDS = {9_600: 0x02, 115_200: 0x20}
UP_TO_512 = 0x0F
UP_TO_256 = 0x07


@pytest.fixture(scope="module")
def image() -> Image:
    lock = ROOT / "build" / ".lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        return built()


def built() -> Image:
    done = subprocess.run(
        ["make", "-s", "-C", ROOT / "firmware", "BOARD=at91x40", "KERNEL=freertos", "CODE=rom",
         "WORKLOAD=irda", "TICK_HZ=64"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return read_image(ROOT / "firmware" / done.stdout.splitlines()[-1])


@dataclass
class Moved:
    """A transfer: what arrived, how it ended at both stations, and all that the channel carried."""

    content: bytes
    results: list[int]
    carried: list[tuple[int, str, int, int, int, bool]]
    cycles: int


def content(octets: int, seed: int) -> bytes:
    made = bytearray()
    for _ in range(octets):
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
        made.append(seed >> 24)
    return bytes(made)


def station(image: Image, sends: bool, octets: int, baud: int, sizes: int) -> Board:
    board = make_board("at91x40")
    board.load(image)
    setting = (int(sends), 1 + sends, octets, 7, SPEEDS[baud], 0x7F, sizes, 0x01)
    board.load_bytes(image.symbols["station_setting"][0], struct.pack("<8I", *setting))
    board.reset()
    return board


def move(
    image: Image, octets: int, baud: int, rate: float, sizes: int = UP_TO_512, turned: bool = False
) -> Moved:
    one, other = (station(image, sends, octets, baud, sizes) for sends in (True, False))
    light = Infrared(
        lines=["a.usart1", "b.usart1"], delay_cycles=64, echo=True, bit_error_rate=rate, seed=1,
        directions=[],
    )  # fmt: skip
    boards = [("a", one), ("b", other)]
    bench = Bench(boards[::-1] if turned else boards, [], 115_200, [light])
    end = {"a": [image.symbols["station_transfer_ended"][0]]}
    ended = bench.run(until_as=200 * SECOND_AS, pcs=end)
    assert ended["by"] == "a", ended
    outcomes = [
        struct.unpack("<3I", board.read_memory(image.symbols["station_outcome"][0], 12))
        for board in (one, other)
    ]
    assert [outcome[0] for outcome in outcomes] == [1, 1]
    return Moved(
        bytes(other.read_memory(image.symbols["station_file"][0], octets)),
        [outcome[1] for outcome in outcomes],
        bench.take_carried(),
        ended["stops"]["a"]["cycle"],
    )


def is_moved(moved: Moved, octets: int) -> bool:
    return moved.results == [0, 0] and moved.content == content(octets, 7)


@pytest.mark.parametrize("baud", SPEEDS)
def test_a_clean_channel_moves_files_and_damages_nothing(image: Image, baud: int) -> None:
    for octets in (100, 3_000):
        moved = move(image, octets, baud, 0)
        assert is_moved(moved, octets)
        assert not any(one[5] for one in moved.carried)


@pytest.mark.parametrize("baud", SPEEDS)
def test_bit_errors_are_repaired(image: Image, baud: int) -> None:
    moved = move(image, 4_000, baud, 1e-4, UP_TO_256)
    assert is_moved(moved, 4_000)
    assert any(one[5] for one in moved.carried)


def test_a_large_file_in_any_order_of_boards(image: Image) -> None:
    moved = move(image, 16_000, 115_200, 0)
    assert is_moved(moved, 16_000)
    assert move(image, 16_000, 115_200, 0, turned=True) == moved


@pytest.mark.skipif(not installed(), reason="tshark is not fetched: make tshark")
def test_tshark_reads_the_frames_of_the_boards_as_we_do(image: Image, tmp_path: Path) -> None:
    moved = move(image, 3_000, 115_200, 0)
    senders = {"a.usart1": 0, "b.usart1": 1}
    octets = [
        SentOctet(began * 10**9 // 32_768_000, senders[line], value & 0xFF)
        for _, line, began, _, value, _ in moved.carried
    ]
    found = judge(packets(frames(octets)), tmp_path)
    assert (found.malformed, found.differences) == ((), ())
    assert found.frames > 15
