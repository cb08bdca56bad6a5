"""How many times faster than real time two AT91x40 with IrDA run in lock step; run as a module.

Prints for each load the boards' seconds, the host's, and their ratio: the best of five rounds.
"""

import struct
import subprocess
import time
from pathlib import Path

from cyclescope.targets.virtual.board import Bench, Board, Image, make_board, read_image
from cyclescope.targets.virtual.infrared import Infrared

ROOT = Path(__file__).parents[2]
MAKE = ("make", "-s", "-C", str(ROOT / "firmware"), "BOARD=at91x40", "WORKLOAD=irda", "TICK_HZ=64")
ROUNDS = 5
WAITING_AS = 20 * 10**18
LONGEST_AS = 200 * 10**18
SPEEDS = {9_600: 0x02, 115_200: 0x20}
FILE_OCTETS = 16_000


def station(image: Image, sends: bool, baud: int) -> Board:
    """A board with the image, reset, as sender or receiver."""
    board = make_board("at91x40")
    board.load(image)
    setting = (int(sends), 1 + sends, FILE_OCTETS, 7, SPEEDS[baud], 0x7F, 0x0F, 0x01)
    board.load_bytes(image.symbols["station_setting"][0], struct.pack("<8I", *setting))
    board.reset()
    return board


def measure(image: Image, sends: bool, baud: int) -> tuple[float, float]:
    """Seconds of the boards and of the host, for a transfer or for two that wait."""
    boards = [("a", station(image, sends, baud)), ("b", station(image, False, baud))]
    light = Infrared(
        lines=["a.usart1", "b.usart1"], delay_cycles=64, echo=True, bit_error_rate=0, seed=1,
        directions=[],
    )  # fmt: skip
    bench = Bench(boards, [], 115_200, [light])
    end = {"a": [image.symbols["station_transfer_ended"][0]]}
    began = time.perf_counter()
    ended = bench.run(until_as=LONGEST_AS if sends else WAITING_AS, pcs=end)
    took_s = time.perf_counter() - began
    return ended["stops"]["a"]["cycle"] / 32_768_000, took_s


def main() -> None:
    """Measures and prints."""
    built = subprocess.run(MAKE, capture_output=True, text=True, check=True).stdout
    image = read_image(ROOT / "firmware" / built.splitlines()[-1])
    loads = {
        "both wait": (False, 9_600),
        f"{FILE_OCTETS} octets at 9,600 bit/s": (True, 9_600),
        f"{FILE_OCTETS} octets at 115,200 bit/s": (True, 115_200),
    }
    for name, (sends, baud) in loads.items():
        rounds = [measure(image, sends, baud) for _ in range(ROUNDS)]
        boards_s, host_s = min(rounds, key=lambda one: one[1])
        ratios = sorted(one[0] / one[1] for one in rounds)
        print(
            f"{name}: {boards_s:.3f} s of the boards in {host_s:.3f} s, {ratios[-1]:.1f} times real"
            f" time (n = {ROUNDS}, from {ratios[0]:.1f})"
        )


if __name__ == "__main__":
    main()
