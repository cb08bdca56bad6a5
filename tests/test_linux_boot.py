"""Linux boots to a shell on the board."""

import re
import subprocess
from pathlib import Path

import pytest
from gdb_session import control
from linux_session import Shell, built_or_skip

from cyclescope.firmware.linux import compose
from cyclescope.firmware.linux.built import MODELS
from cyclescope.studies.run.linux.follower import Follower
from cyclescope.targets.virtual.board import make_board

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "linux.md"


@pytest.mark.parametrize("preemption", MODELS)
def test_shell_runs_programs(preemption: str) -> None:
    """Files, arguments, a script before the shell, a module, and the kernel that was asked for."""
    found = built_or_skip(preemption)
    shell = Shell(
        compose(
            found,
            preemption=preemption,
            arguments="console=ttyS0,115200 quiet PLACE=here",
            files={"/etc/word": b"fish\n"},
            modules=["ttynull"],
            script="echo script of $PLACE\n",
        )
    )
    assert "script of here\r\n" in shell.boot
    assert shell.run("cat /etc/word") == "fish"
    assert "armv4tl" in shell.run("uname -a")
    assert ("PREEMPT" in shell.run("uname -v")) == (preemption == "full")
    assert "ttynull" in shell.run("lsmod")
    assert shell.run("echo lost > /dev/ttynull; echo $?") == "0"


def test_gkermit_is_debians_on_both_ends() -> None:
    """Both ends name the same version."""
    found = built_or_skip()
    host = subprocess.run(
        [found.host_gkermit, "-h"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    version = next(line for line in host.stdout.splitlines() if line.startswith("G-Kermit"))
    version = version.partition(":")[0]
    assert version.startswith("G-Kermit 2.01,")
    assert version in Shell(compose(found)).run("gkermit -h")


def test_gdb_has_the_symbols_of_a_program_where_a_run_had_it() -> None:
    """A breakpoint in G-Kermit, at the place that a run without gdb has reported."""
    system = compose(built_or_skip(), script="gkermit -h\n")
    first, second = make_board("at91x40"), make_board("at91x40")
    follower = Follower(first, system)
    system.load(first)
    follower.run_to(36_000_000)
    (start,) = (one.start for one in follower.loaded if one.name == "/bin/gkermit")
    system.load(second)
    add = f"add-symbol-file {system.programs['/bin/gkermit']} -o {start:#x}"
    commands = [add, "break usage", "continue", "backtrace", "kill"]
    output, _ = control(second, commands, system.kernel.vmlinux, cycles=50_000_000)
    assert "Breakpoint 1, usage ()" in output
    assert "in main (argc=2" in output


@pytest.mark.parametrize("preemption", MODELS)
def test_page_has_the_figures_of_its_image(preemption: str) -> None:
    """The table of a boot; another image has other figures."""
    (row,) = re.findall(rf"^\| {preemption} \| (.*) \|$", PAGE.read_text(), re.M)
    sha256, *figures = row.split(" | ")
    system = compose(built_or_skip(), preemption=preemption)
    if not system.settings["sha256"]["kernel"].startswith(sha256.strip("`")):
        pytest.skip("the page is of another image")
    board = make_board("at91x40")
    follower = Follower(board, system)
    system.load(board)
    while follower.first_call is None:
        follower.run_to(board.cycle + 1_000_000)
    first, call = follower.first_instruction, follower.first_call
    assert first is not None
    found = [first.cycle, first.instructions, call.cycle, call.instructions]
    assert [f"{one:,}" for one in found] == figures
