"""Peers of a serial line: a TCP port, a program's pipes; recorded and replayed."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Assemble = Callable[..., Path]

# Counts while it waits for a character and answers with the character plus that count: the answers
# depend on the cycle at which each character came.
ANSWERS = """
    ldr r0, =0xE000C000
    ldr r1, =0xE01FC100
    mov r2, #1
    str r2, [r1]
    ldr r1, =0xE002C000
    mov r2, #5
    str r2, [r1]        @ TXD0, RXD0
    mov r2, #0x83
    str r2, [r0, #12]
    mov r2, #8
    str r2, [r0]
    mov r2, #3
    str r2, [r0, #12]
    mov r2, #7
    str r2, [r0, #8]
again:
    mov r4, #0
poll:
    add r4, r4, #1
    ldr r3, [r0, #20]
    tst r3, #1
    beq poll
    ldr r5, [r0]
    add r5, r5, r4
    str r5, [r0]
    b again
    .ltorg
"""

LAST = "cycles=20_000_000"


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "cyclescope", "run", *map(str, arguments)]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )


def outcome(*arguments: object) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def started(*arguments: object) -> tuple[subprocess.Popen[str], tuple[str, int]]:
    """A run with a TCP port, and its address."""
    program = subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert program.stderr is not None
    told = re.fullmatch(r"uart0 is at (\S+) port (\d+)\n", program.stderr.readline())
    assert told is not None
    return program, (told[1], int(told[2]))


def test_a_conversation_over_tcp_replays_to_the_cycle(assemble: Assemble, tmp_path: Path) -> None:
    image, recording = assemble(ANSWERS), tmp_path / "recording"
    arguments = ("--image", image, "--until", "cycles=150_000_000", "--json")
    program, address = started(*arguments, "--uart", "0=tcp:0", "--record", recording)
    heard = b""
    with socket.create_connection(address) as peer:
        for n in range(30):
            peer.sendall(bytes([n, 255 - n]))
            while len(heard) < 2 * n + 2:
                heard += peer.recv(100)
        told, errors = program.communicate(timeout=120)
    assert program.returncode == 0, errors
    first = json.loads(told)
    assert first["uart"]["0"].encode("latin-1") == heard
    replayed = outcome(*arguments[:-1], "--uart", "0=stdio", "--replay", recording)
    assert replayed == first
    assert len(set(heard)) > 30, "the answers depend on when the characters came"

    lines = recording.read_text().splitlines()
    late = json.loads(lines[5])
    lines[5] = json.dumps({**late, "at": late["at"] + 40})
    recording.write_text("\n".join(lines))
    changed = outcome(*arguments[:-1], "--uart", "0=stdio", "--replay", recording)
    assert changed["uart"] != first["uart"]


def test_a_silent_peer_is_waited_for_in_real_time(assemble: Assemble) -> None:
    talker = f"{sys.executable} -c 'import time; time.sleep(0.5); print(end=chr(65))'"
    bound = ("--until", "cycles=120_000_000")
    done = outcome("--image", assemble(ANSWERS), *bound, "--uart", f"0=program:{talker}")
    assert len(done["uart"]["0"]) == 1, "2 s of the board, and an answer after half a second"


# Sleeps until a character comes, and ends after the answer.
SLEEPS = """
    ldr r6, =0xFFFFF010
    mov r2, #0x40
    str r2, [r6]        @ UART0 wakes
    mov r2, #1
    str r2, [r0, #4]
    ldr r6, =0xE01FC0C0
    strb r2, [r6]
    nop
"""


def test_a_board_that_sleeps_waits_for_its_peer(assemble: Assemble) -> None:
    image = assemble(ANSWERS.replace("again:", f"{SLEEPS}again:"))
    talker = f"{sys.executable} -c 'import time; time.sleep(0.5); print(end=chr(65))'"
    bound = ("--until", "cycles=2_000_000")
    done = outcome("--image", image, *bound, "--uart", f"0=program:{talker}")
    assert len(done["uart"]["0"]) == 1 and done["reason"] == "cycles"
    alone = json.loads(run("--image", image, *bound, "--uart", "0=stdio", "--json").stdout)
    assert alone["reason"] == "asleep"


def test_a_port_is_on_loopback_and_a_taken_one_is_refused(assemble: Assemble) -> None:
    image = assemble(ANSWERS)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = run("--image", image, "--uart", f"0=tcp:{port}", "--until", LAST)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"cyclescope: --uart 0: cannot listen at 127.0.0.1 port {port} (Address already in use): "
        "choose another port\n"
    )
    for where, address in {"tcp:0": "127.0.0.1", "tcp:127.0.0.2:0": "127.0.0.2"}.items():
        done = run("--image", image, "--uart", f"0={where}", "--until", "cycles=1000")
        assert done.stderr.startswith(f"uart0 is at {address} port ")


@pytest.mark.parametrize("where", ["tcp:", "tcp:x", "tcp:1.2.3.4:"])
def test_a_port_is_a_number(assemble: Assemble, where: str) -> None:
    done = run("--image", assemble(ANSWERS), "--uart", f"0={where}")
    assert "names no port" in done.stderr


def test_a_peer_that_hangs_up_is_told_and_the_next_takes_its_place(assemble: Assemble) -> None:
    bound = ("--until", "cycles=120_000_000", "--json")
    program, address = started("--image", assemble(ANSWERS), "--uart", "0=tcp:0", *bound)
    for byte in (b"a", b"b"):
        with socket.create_connection(address) as peer:
            peer.sendall(byte)
            assert len(peer.recv(1)) == 1
        time.sleep(0.2)
    told, _ = program.communicate(timeout=120)
    found = json.loads(told)
    assert len(found["uart"]["0"]) == 2
    assert found["remarks"] == ["uart0: its peer hung up 2 times before the end of the run"]


def test_what_is_sent_before_a_peer_connects_waits_for_it(assemble: Assemble) -> None:
    hello = ANSWERS.replace("again:", "mov r5, #'h'\nstr r5, [r0]\nagain:", 1)
    bound = ("--until", "cycles=1_500_000_000")
    program, address = started("--image", assemble(hello), "--uart", "0=tcp:0", *bound)
    time.sleep(0.5)
    with socket.create_connection(address) as peer:
        assert peer.recv(1) == b"h"
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=60)


TALKER = """
import sys
for n in range(20):
    sys.stdout.buffer.write(bytes([n])); sys.stdout.flush()
    print(sys.stdin.buffer.read(1)[0], file=open({log!r}, "a"))
"""


def test_a_program_talks_over_its_pipes_and_replays(assemble: Assemble, tmp_path: Path) -> None:
    image, recording, log = assemble(ANSWERS), tmp_path / "recording", tmp_path / "log"
    script = tmp_path / "talker.py"
    script.write_text(TALKER.format(log=str(log)))
    arguments = ("--image", image, "--until", "cycles=1_000_000_000")
    peer = f"0=program:{sys.executable} {script}"
    first = outcome(*arguments, "--uart", peer, "--record", recording)
    heard = [int(line) for line in log.read_text().split()]
    assert len(heard) == 20
    assert list(first["uart"]["0"].encode("latin-1")) == heard
    replayed = outcome(*arguments, "--uart", "0=stdio", "--replay", recording)
    assert (replayed["uart"], replayed["cycle"]) == (first["uart"], first["cycle"])


def test_a_program_that_ends_early_costs_nothing_but_what_it_did_not_read(
    assemble: Assemble,
) -> None:
    image, last = assemble(ANSWERS), ("--until", LAST)
    done = outcome("--image", image, *last, "--uart", "0=program:sh -c 'printf abc; exit 3'")
    assert len(done["uart"]["0"]) == 3
    assert done["remarks"][0] == "uart0: its program ended with status 3"
    missing = run("--image", image, *last, "--uart", "0=program:/no/such/program")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "cannot be started: No such file" in missing.stderr


def test_recordings_are_checked(assemble: Assemble, tmp_path: Path) -> None:
    image, file = assemble(ANSWERS), tmp_path / "file"
    arguments = ("--image", image, "--until", LAST)
    head = '{"format": "cyclescope-recording", "version": 1, "unit": "cycles"}'
    late = [
        f'{head}\n{{"at": {at}, "to": "uart0.rxd", "data": "41"}}'
        for at in ("-5", "1.5", "true", "1e99", 1 << 63)
    ]
    for text in (
        *late,
        "",
        "{}",
        "x",
        '{"format": "cyclescope-recording", "version": 1, "unit": "as"}',
    ):
        file.write_text(text)
        done = run(*arguments, "--replay", file)
        assert done.returncode == 1 and "name a file that --record has written" in done.stderr
    entry = {"at": 1, "to": "uart9.rxd", "data": "00"}
    file.write_text(f"{head}\n{json.dumps(entry)}\n")
    assert "nothing here has an input uart9.rxd" in run(*arguments, "--replay", file).stderr
    both = run(*arguments, "--replay", file, "--record", file)
    assert (both.returncode, "give one of them" in both.stderr) == (2, True)
    nowhere = run(*arguments, "--record", tmp_path / "no" / "file")
    assert nowhere.returncode == 1 and "cannot be written" in nowhere.stderr
