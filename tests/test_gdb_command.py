"""`cyclescope run --gdb` as a program: the port, the end of a run, clients that vanish."""

import json
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gdb_session import GDB, SOURCES
from refusals import told_code

COMMAND = [sys.executable, "-m", "cyclescope", "run"]
HELLO = """
    mov r0, #4
    adr r1, text
    swi 0x123456
    mov r5, #5
    mov r0, #0x18
    ldr r1, =0x20026
    swi 0x123456
text:
    .asciz "hello\\n"
    .align
    .ltorg
"""


class Running:
    """The command, waiting for gdb."""

    def __init__(self, image: Path, *further: object) -> None:
        self.program = subprocess.Popen(
            [*COMMAND, "--image", image, "--gdb", "0", *map(str, further)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.program.stderr is not None
        self.line = self.program.stderr.readline()
        (port,) = re.findall(r":(\d+)", self.line)
        self.port = int(port)

    def gdb(self, *commands: str) -> str:
        """Has gdb execute these commands, started as the line says; returns what it printed."""
        words = shlex.split(self.line)
        assert words[0] == GDB[0]
        executed = [part for command in commands for part in ("-ex", command)]
        done = subprocess.run(
            [*GDB, *words[1:], *executed], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=60,
        )  # fmt: skip
        print(done.stdout)
        return done.stdout

    def end(self) -> tuple[int, str, str]:
        """Waits for the command: its status, and what it printed."""
        out, err = self.program.communicate(timeout=60)
        return self.program.returncode, out, err


@pytest.fixture
def running(assemble: Callable[..., Path]) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def run(*further: object, source: str | None = None) -> Running:
        program, base, _ = SOURCES["lpc2148"]
        started.append(Running(assemble(source or program, base), *further))
        return started[-1]

    yield run
    for one in started:
        one.program.kill()
        one.program.communicate()


def free(assemble: Callable[..., Path], *further: str) -> dict[str, Any]:
    """The outcome of the run without gdb."""
    source, base, _ = SOURCES["lpc2148"]
    image = assemble(source, base)
    done = subprocess.run(
        [*COMMAND, "--image", image, *further, "--json"], capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_run_under_gdb_has_the_outcome_of_the_free_run(running, assemble):
    bounds = ["--until", "cycles=300_000", "--dump", "registers", "--dump", "0x40000000:0x1000"]
    under = running(*bounds, "--json")
    printed = under.gdb("break irq", "continue", "continue", "stepi 50", "delete", "continue")
    assert "exited normally" in printed
    status, out, _ = under.end()
    assert (status, json.loads(out)) == (0, free(assemble, *bounds))


def test_a_detached_board_runs_on_to_the_end_of_the_free_run(running, assemble):
    under = running("--until", "instructions=5000", "--json")
    under.gdb("break leaf", "continue", "detach")
    _, out, _ = under.end()
    assert json.loads(out) == free(assemble, "--until", "instructions=5000")


def test_kill_ends_the_run_where_it_stands(running):
    under = running("--json")
    printed = under.gdb("stepi 12", "monitor cycles", "kill")
    assert "[Inferior 1 (process 1) killed]" in printed
    status, out, _ = under.end()
    outcome = json.loads(out)
    assert (status, outcome["reason"], outcome["instructions"]) == (0, "debugger", 12)
    assert f"{outcome['cycle']} cycles, 12 instructions" in printed


def test_semihosting_is_served_and_its_exit_code_reaches_both(running):
    under = running("--semihosting", source=HELLO)
    printed = under.gdb("stepi 4", "print $r5", "continue")
    status, out, _ = under.end()
    assert "$1 = 5" in printed and "exited normally" in printed
    assert status == 0 and out.startswith("hello\nThe program ended with exit code 0.")


def test_ctrl_c_in_gdb_stops_the_program(running):
    under = running("--until", "cycles=100_000_000_000")
    press = "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()"
    pressed = f"python import threading, os, signal; {press}"
    printed = under.gdb(pressed, "continue", "monitor cycles", "kill")
    assert "received signal SIGINT" in printed
    (cycles,) = re.findall(r"^([\d,]+) cycles", printed, re.M)
    assert int(cycles.replace(",", "")) > 100_000
    assert under.end()[0] == 0


@pytest.mark.parametrize("connected", [False, True])
def test_ctrl_c_in_the_terminal_ends_the_command(running, connected):
    under = running()
    if connected:
        client = socket.create_connection(("127.0.0.1", under.port))
        client.sendall(b"+$vCont;c#a8")
        client.recv(1)
    under.program.send_signal(signal.SIGINT)
    assert under.end()[0] == 130


def test_after_a_client_that_vanishes_the_board_waits_where_it_stood(running):
    under = running("--json")
    under.gdb("stepi 20", "python import os; os._exit(1)")
    with socket.create_connection(("127.0.0.1", under.port)) as stranger:
        stranger.sendall(b"GET / HTTP/1.0\r\n\r\n$nonsense#00")
    printed = under.gdb("monitor cycles", "stepi", "monitor cycles", "kill")
    assert re.findall(r", (\d+) instructions", printed) == ["20", "21"]
    status, out, err = under.end()
    assert (status, json.loads(out)["instructions"]) == (0, 21)
    gone = [line for line in err.splitlines() if "gdb is gone" in line]
    assert len(gone) == 2 and all("waits" in line for line in gone)


def test_a_port_that_is_taken_or_none_is_refused(running, assemble, capsys):
    under = running()
    image = str(assemble(HELLO))
    command = ["run", "--image", image, "--gdb"]
    assert told_code([*command, str(under.port)], capsys, naming=[under.port]) == "cyclescope-error"
    for text in ("70000", "x", ":", "-1", "1" * 40):
        assert told_code([*command[:-1], f"--gdb={text}"], capsys) == "not-a-port"


def test_monitor_reset_and_run_begin_anew(running, assemble):
    bounds = ["--until", "cycles=100_000", "--dump", "registers", "--dump", "0x40000000:0x1000"]
    under = running(*bounds, "--json")
    printed = under.gdb(
        "stepi 3000", "set *(int*)0x40000800 = 7", "monitor reset",
        "maintenance flush register-cache", "print $pc", "continue",
    )  # fmt: skip
    assert "$1 = (void (*)()) 0x0 <_start>" in printed
    assert json.loads(under.end()[1]) == free(assemble, *bounds)


def test_gdb_loads_another_program(running, tmp_path, assemble):
    under = running("--json")
    other = assemble("mov r3, #77\nmov r4, #78\nb .", base=0x200, name="other")
    printed = under.gdb(f"file {other}", "load", "stepi 2", "print $r3 + $r4", "kill")
    assert "$1 = 155" in printed
    assert under.end()[0] == 0
