"""Boards on an infrared channel, from Python and from a bench file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cyclescope.errors import CyclescopeError
from cyclescope.targets.virtual.board import Bench, Board, make_board
from cyclescope.targets.virtual.infrared import Infrared

USART1 = 0xFFFCC000
END_AS = 10**16
PROGRAM = (
    0xE28F1020,  # add r1, pc, #32
    0xE8910031,  # ldm r1, {r0, r4, r5}
    0xE3A020C0,  # mov r2, #0xc0; 8 bits, even parity
    0xE5802004,  # str r2, [r0, #4]
    0xE3A02012,  # mov r2, #18
    0xE5802020,  # str r2, [r0, #0x20]
    0xE3A02050,  # mov r2, #0x50
    0xE5802000,  # str r2, [r0]
    0xE580401C,  # str r4, [r0, #0x1c]
    0xEAFFFFFE,  # b .
    USART1,
)


def sender(octet: int) -> Board:
    """A board that sends one octet on USART1 and waits."""
    board = make_board("at91x40")
    words = (*PROGRAM, octet, 0)
    board.load_bytes(0x300400, b"".join(word.to_bytes(4, "little") for word in words))
    board.reset(0x300400)
    return board


def channel(**changed: object) -> Infrared:
    usual: dict[str, object] = {
        "lines": ["a.usart1", "b.usart1"], "delay_cycles": 64, "echo": True,
        "bit_error_rate": 0.0, "seed": 1, "directions": [],
    }  # fmt: skip
    return Infrared(**{**usual, **changed})  # type: ignore[typeddict-item]


def carried(light: Infrared, turned: bool = False) -> list[tuple[int, str, int, int, int, bool]]:
    boards = [("a", sender(0x55)), ("b", sender(0x33))]
    bench = Bench(boards[::-1] if turned else boards, [], 115_200, [light])
    bench.run(until_as=END_AS)
    return bench.take_carried()


def test_two_that_send_at_once_damage_each_other_in_any_order() -> None:
    found = carried(channel())
    assert carried(channel(), turned=True) == found
    frames = [(0, "a.usart1", 0x55, True), (0, "b.usart1", 0x33, True)]
    assert [(one[0], one[1], one[4], one[5]) for one in found] == frames
    assert {one[3] - one[2] for one in found} == {11 * 288}
    assert not any(one[5] for one in carried(channel(echo=False)))


def test_directions_have_errors_of_their_own() -> None:
    one_way = channel(echo=False, directions=[("a.usart1", "b.usart1", 1.0)])
    assert [(one[1], one[5]) for one in carried(one_way)] == [
        ("a.usart1", True),
        ("b.usart1", False),
    ]


def test_what_is_no_line_is_refused() -> None:
    with pytest.raises(CyclescopeError) as refused:
        carried(channel(lines=["a.usart1", "b.usart9"]))
    assert "usart9.txd" in str(refused.value)


def test_a_bench_file_names_channels(tmp_path: Path) -> None:
    (tmp_path / "program").write_bytes(
        b"".join(word.to_bytes(4, "little") for word in (*PROGRAM, 0x41, 0))
    )
    board = '[[board]]\nname = "{}"\nboard = "at91x40"\nload = ["program@0x300400"]\nentry = "{}"\n'
    file = tmp_path / "bench.toml"
    parts = ["baud = 115200\n", board.format("a", "0x300400"), board.format("b", "0x300400")]
    light = '[[infrared]]\nlines = ["a.usart1", "b.usart1"]\nbit_error_rate = {}\n'

    def run(rate: str) -> subprocess.CompletedProcess[str]:
        file.write_text("".join([*parts, light.format(rate)]))
        command = [sys.executable, "-m", "cyclescope", "run", "--bench", file, "--json"]
        command += ["--until", "cycles=20000"]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    done = run("1e-4")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["boards"]["a"]["cycle"] >= 19_000
    refused = run("2")
    assert refused.returncode != 0
    assert "bit_error_rate" in refused.stderr
