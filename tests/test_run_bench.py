"""`cyclescope run --bench`: boards over wires, host peers, recordings; `--vcd`, read by vcdvcd."""

import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from vcdvcd import VCDVCD

from cyclescope.errors import CyclescopeError
from cyclescope.targets.virtual.board import Bench, Board, make_board, read_image

# vcdvcd restores the default on import: then a write to a closed pipe would end the tests.
signal.signal(signal.SIGPIPE, signal.SIG_IGN)

EXAMPLES = Path(__file__).parents[1] / "examples" / "bench"
IMAGES = "../../build/players"
SECOND_AS = 10**18


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the examples, with the images built in `IMAGES` from there."""
    folder = tmp_path_factory.mktemp("bench") / "examples" / "bench"
    shutil.copytree(EXAMPLES, folder)
    subprocess.run([folder / "build.sh"], check=True)
    return folder


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "cyclescope", "run", *map(str, arguments)]


def run(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL
    )
    assert done.returncode == code, done.stderr
    return done


def outcome(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    return found


def placed(players: Path, name: str, image: str) -> Board:
    board = make_board(name)
    board.load(read_image(players / IMAGES / f"{image}.elf"))
    board.reset()
    return board


@pytest.mark.parametrize("example", ["two_at91x40", "lpc2148_at91x40"])
def test_the_examples_play_to_the_end(players: Path, example: str) -> None:
    file = players / f"{example}.toml"
    found = outcome("--bench", file)
    by = {"two_at91x40": "b", "lpc2148_at91x40": "l"}[example]
    assert (found["by"], found["boards"][by]["reason"]) == (by, "pc")
    assert (found["boards"]["a"]["reason"], found["remarks"]) == ("held", [])
    assert outcome("--bench", file) == found
    told = run("--bench", file).stdout
    assert f"{by}, which ended the run:" in told and "Another board ended the run." in told


def test_the_order_of_boards_and_wires_changes_nothing(players: Path) -> None:
    file = players / "lpc2148_at91x40.toml"
    parts = file.read_text().split("\n[[")
    turned = players / "turned.toml"
    turned.write_text("\n[[".join([parts[0], *reversed(parts[1:])]) + "\n")
    assert outcome("--bench", turned) == outcome("--bench", file)


def test_the_module_runs_a_bench_beside_other_threads(players: Path) -> None:
    a, b = (placed(players, "at91x40", name) for name in ("serves", "answers"))
    wires = [("a.usart0.txd", "b.usart0.rxd", 7), ("b.usart0.txd", "a.usart0.rxd", 0)]
    bench = Bench([("a", a), ("b", b)], wires)
    for board, heard in ((b, "usart0.rxd"), (a, "usart0.rxd")):
        board.record([heard])
    ticks, over = [0], threading.Event()

    def count() -> None:
        while not over.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    ended = bench.run(until_as=SECOND_AS // 5)  # tenths of a second of this machine
    over.set()
    thread.join()
    assert ticks[0] > 2, "the interpreter was held while the boards ran"
    assert ended["by"] is None and {stop["reason"] for stop in ended["stops"].values()} == {
        "cycles"
    }
    sent, answered = a.receive("usart0.txd"), b.receive("usart0.txd")
    assert [value for _, value in sent[:3]] == [1, 3, 5]
    heard_by_b = [(cycle, value) for cycle, _, value in b.take_recorded()]
    assert heard_by_b == [(cycle + 7, value) for cycle, value in sent][: len(heard_by_b)]
    heard_by_a = [(cycle, value) for cycle, _, value in a.take_recorded()]
    assert heard_by_a == answered[: len(heard_by_a)]
    for refused, said in (
        (lambda: a.run(cycles=10**9), "run its bench"),
        (lambda: bench.run(cycles={"c": 1}), "no board c"),
    ):
        with pytest.raises(CyclescopeError) as caught:
            refused()
        assert said in caught.value.sentence
    bench.reset()
    bench.run(until_as=SECOND_AS // 5)
    assert a.receive("usart0.txd") == sent


def test_a_wrong_speed_is_said_once_for_each_wire(players: Path, tmp_path: Path) -> None:
    slow = tmp_path / "examples" / "bench"
    shutil.copytree(players, slow)
    text = (slow / "player.c").read_text()
    (slow / "player.c").write_text(text.replace("(0x20) = 18", "(0x20) = 36"))
    subprocess.run([slow / "build.sh"], check=True)
    shutil.copy(players / IMAGES / "serves.elf", slow / IMAGES)
    done = run("--bench", slow / "two_at91x40.toml", "--until", "cycles=1000000")
    said = [line for line in done.stdout.splitlines() if "bit/s" in line]
    assert len(said) == 2, "one sentence for each wire"
    assert said[1].startswith("b.usart0.rxd hears a.usart0.txd wrongly from cycle ")
    assert "one sends 113777 bit/s and the other expects 56888" in said[1]


def test_a_peer_of_a_bench_is_recorded_and_replayed(players: Path, tmp_path: Path) -> None:
    script = tmp_path / "peer.py"
    script.write_text(
        "import sys\nsys.stdout.buffer.write(bytes([1])); sys.stdout.flush()\n"
        "while (one := sys.stdin.buffer.read(1)):\n"
        "    sys.stdout.buffer.write(bytes([(one[0] + 1) % 256])); sys.stdout.flush()\n"
    )
    file, recording = players / "peer.toml", tmp_path / "recording"
    file.write_text(
        "[[board]]\nname = 'a'\nboard = 'at91x40'\nimage = '../../build/players/answers.elf'\n"
        "until = ['symbol=game_over']\n"
        f"[[peer]]\nline = 'a.usart0'\nwhere = 'program:{sys.executable} {script}'\n"
    )
    first = outcome("--bench", file, "--record", recording)
    assert (first["by"], len(first["uart"]["a.usart0"])) == ("a", 100)
    text = file.read_text()
    file.write_text(text[: text.index("where =")] + "where = 'stdio'\n")
    replayed = outcome("--bench", file, "--replay", recording)
    assert replayed == first


def test_ctrl_c_ends_a_bench(players: Path) -> None:
    endless = players / "endless.toml"
    endless.write_text(
        (players / "two_at91x40.toml").read_text().replace("symbol=game_over", "exit")
    )
    program = subprocess.Popen(
        command("--bench", endless, "--until", "cycles=1_000_000_000_000"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(3)
    program.send_signal(signal.SIGINT)
    _, told = program.communicate(timeout=60)
    assert (program.returncode, told) == (130, "cyclescope: interrupted\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "board: Field required"),
        ("[[board]]\nname = 'a'\nimgae = 'x'", "board.0.imgae: Extra inputs"),
        ("x", "is not a bench file"),
        ("[[board]]\nname = 'a'", "there is nothing to run"),
        ("BOARD\n[[wire]]\nfrom = 'a.usart0.txd'", "wire 1 needs from and to"),
        ("BOARD\n[[infrared]]\nlines = ['a.usart0']", "infrared 1 needs two lines or more"),
        ("BOARD\n[[infrared]]\nlines = []\necho = 'yes'", "infrared.0.echo"),
        ("BOARD\n[[wire]]\nfrom = 'a.usart0.txd'\nto = 'b.x'", "there is no board b"),
        ("BOARD\n[[wire]]\nfrom = 'a.aic.irq'\nto = 'a.pio.p0'", "delay of a cycle or more"),
        ("BOARD\n[[peer]]\nline = 'a.usart7'\nwhere = 'pty'", "no serial line a.usart7"),
        (
            "BOARD\n[[peer]]\nline = 'a.usart1'\nwhere = 'pty'\n"
            "[[wire]]\nbetween = ['a.usart0', 'a.usart1']",
            "a.usart1 has a peer and a wire",
        ),
    ],
)
def test_a_bench_file_is_checked(players: Path, text: str, said: str) -> None:
    file = players / "checked.toml"
    board = "[[board]]\nname = 'a'\nboard = 'at91x40'\nimage = '../../build/players/answers.elf'"
    file.write_text(text.replace("BOARD", board))
    done = run("--bench", file, code=1)
    assert said in done.stderr and done.stderr.count("\n") == 1 and not done.stdout


def test_options_that_the_file_has_keys_for_are_refused(players: Path) -> None:
    file = players / "two_at91x40.toml"
    for option in (("--image", file), ("--uart", "0=pty"), ("--energy",), ("--profile",)):
        done = run("--bench", file, *option, code=2)
        assert option[0] in done.stderr and done.stderr.count("\n") == 1


def picoseconds(board: Board, cycle: int) -> int:
    """The time of a cycle in exact fractions, rounded down."""
    epochs = board.clock_epochs()
    ends = [*(at for at, _ in epochs[1:]), cycle]
    spans = ((min(end, cycle) - at, hz) for (at, hz), end in zip(epochs, ends, strict=True))
    return int(sum(Fraction(max(0, span) * 10**12, hz) for span, hz in spans))


def test_a_dump_holds_what_the_recorder_saw(players: Path, tmp_path: Path) -> None:
    file, dump = players / "lpc2148_at91x40.toml", tmp_path / "waves.vcd"
    run("--bench", file, "--vcd", dump)
    waves = VCDVCD(str(dump))
    assert waves.timescale["timescale"] * 10**12 == 1

    a, lpc = placed(players, "at91x40", "serves"), placed(players, "lpc2148", "lpc2148")
    wires = [("a.usart0.txd", "l.uart0.rxd", 33), ("l.uart0.txd", "a.usart0.rxd", 12)]
    bench = Bench([("a", a), ("l", lpc)], wires)
    outputs = {"a": ["usart0.txd", "usart0.interrupt"], "l": ["uart0.txd", "uart0.interrupt"]}
    boards = {"a": a, "l": lpc}
    for name, board in boards.items():
        board.watch(signals=outputs[name])
    over = read_image(players / IMAGES / "lpc2148.elf").address_of("game_over")
    bench.run(pcs={"l": [over]})
    for name, board in boards.items():
        changes = board.take_changes()
        for signal_name in outputs[name]:
            seen = [(c, v) for c, s, v in changes if s == signal_name]
            expected = [(picoseconds(board, cycle), value) for cycle, value in seen]
            variable = waves[f"{name}.{signal_name}"]
            found = [(at, int(value, 2)) for at, value in variable.tv if "x" not in value]
            if signal_name.endswith("txd"):
                assert len(found) > 90 and found == expected
                assert [at for at, _ in waves[f"{name}.{signal_name}_sent"].tv] == [
                    at for at, _ in expected
                ]
            else:
                assert found == [(0, 0), *expected]
    assert "a.pio.p3" in waves.signals and "l.uart0.rxd" in waves.signals


def test_signals_of_a_dump_are_chosen_and_checked(players: Path, tmp_path: Path) -> None:
    image, dump = players / IMAGES / "answers.elf", tmp_path / "waves.vcd"
    arguments = ("--board", "at91x40", "--image", image, "--until", "cycles=10000", "--vcd")
    run(*arguments, dump, "--vcd-signals", "usart?.frame_cycles")
    waves = VCDVCD(str(dump))
    assert waves.signals == ["at91x40.usart0.frame_cycles", "at91x40.usart1.frame_cycles"]
    assert [int(value, 2) for _, value in waves["at91x40.usart0.frame_cycles"].tv] == [0, 2880]
    alone = run(*arguments[:-1], "--vcd-signals", "usart*", code=2)
    assert "give both, or neither" in alone.stderr
    unknown = run(*arguments, dump, "--vcd-signals", "usart9.*", code=1)
    assert "--vcd-signals usart9.*: at91x40 has no such signal" in unknown.stderr
    nowhere = run(*arguments, tmp_path / "no" / "waves.vcd", code=1)
    assert "cannot be written" in nowhere.stderr
