"""Linux boots to a shell on the board."""

import subprocess

import pytest
from linux_session import Shell, built_or_skip

from cyclescope.firmware.linux import compose


@pytest.mark.parametrize("preemption", ["none", "voluntary", "full"])
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
