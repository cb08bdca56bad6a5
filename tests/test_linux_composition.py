"""Linux composed from its parts: judged by cpio, dtc, readelf, patch and the board."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.firmware.linux import LinuxBuild, archive, built, device_tree
from cyclescope.firmware.linux.built import KERNELS, STRUCTURES
from cyclescope.firmware.linux.keys import KEY, part_keys
from cyclescope.firmware.linux.stub import Stub, stub
from cyclescope.targets.virtual.board import make_board

LINUX = Path(__file__).resolve().parents[1] / "linux"
TREE, KERNEL = 0x0130_0000, 0x0100_8000


def test_cpio_unpacks_the_archive(tmp_path: Path) -> None:
    """Debian's cpio is the judge."""
    data = archive.archive(
        {
            "/bin/odd": archive.file(b"odd", 0o755),
            "/bin/sh": archive.link("odd"),
            "/tmp": archive.folder(),
            "/etc/a/b": archive.file(b""),
        }
    )
    command = ["cpio", "-i", "--quiet", "--no-absolute-filenames"]
    subprocess.run(command, input=data, cwd=tmp_path, check=True)
    assert (tmp_path / "bin" / "sh").read_bytes() == b"odd"
    assert (tmp_path / "bin" / "odd").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "tmp").is_dir()
    assert (tmp_path / "etc" / "a" / "b").read_bytes() == b""


def test_cpio_lists_the_device() -> None:
    """The console has the numbers that Linux gives it."""
    data = archive.archive({"/dev/console": archive.device(5, 1)})
    listed = subprocess.run(["cpio", "-itv", "--quiet"], input=data, capture_output=True)
    assert b"5,   1" in listed.stdout
    assert b"crw-------" in listed.stdout


@pytest.mark.parametrize("path", ["bin/sh", "/", "/a/../b", ""])
def test_unclear_path_is_refused(path: str) -> None:
    """A path is absolute and stays inside."""
    with refused("linux-path-unclear"):
        archive.archive({path: archive.folder()})


def test_program_keeps_its_segments(assemble: Callable[..., Path], tmp_path: Path) -> None:
    """readelf finds the same segments, and no symbols."""
    whole = assemble(".arm\n.globl _start\n_start: b _start\n.data\n.word 7\n")
    bare = tmp_path / "bare"
    bare.write_bytes(archive.loaded(whole.read_bytes()))
    segments = [
        [line for line in _readelf("-lW", path).splitlines() if "LOAD" in line]
        for path in (whole, bare)
    ]
    assert segments[0] == segments[1] != []
    assert "no sections" in _readelf("-SW", bare)
    assert bare.stat().st_size < whole.stat().st_size


def test_text_is_no_program() -> None:
    """A script is refused where a program is expected."""
    with refused("linux-program-not-elf"):
        archive.program(b"#!/bin/sh\n")


def test_dtc_reads_the_tree_back() -> None:
    """The blob has the additions of the run, each at its node."""
    text = device_tree.source('say="x"', (0x100, 0x200), ["usart1.rx"])
    blob = device_tree.compiled("dtc", text)
    back = subprocess.run(
        ["dtc", "-q", "-I", "dtb", "-O", "dts"], input=blob, capture_output=True, check=True
    ).stdout.decode()
    chosen = back.partition("chosen {")[2].partition("};")[0]
    assert r'bootargs = "say=\"x\"";' in chosen
    assert "linux,initrd-start = <0x100>;" in chosen
    assert "linux,initrd-end = <0x200>;" in chosen
    line = back.partition("serial@fffcc000 {")[2].partition("};")[0]
    assert "atmel,use-dma-rx;" in line
    assert "atmel,use-dma-tx;" not in line
    assert back.count("use-dma") == 1


def test_errors_of_a_tree_are_one_sentence() -> None:
    """A direction that is none, and source that does not compile."""
    with refused("linux-pdc-unknown"):
        device_tree.source("", (0, 0), ["usart2.rx"])
    with refused("linux-device-tree-refused"):
        device_tree.compiled("dtc", device_tree.source("", (0, 0), [], "&nowhere {};"))


@pytest.fixture
def assembled(tmp_path: Path) -> bytes:
    """The stub, assembled as `make linux` does it."""
    out = tmp_path / "boot.elf"
    command = ["arm-none-eabi-gcc", "-mcpu=arm7tdmi", "-nostdlib", "-T", "boot.ld", "boot.S"]
    subprocess.run([*command, "-o", out], cwd=LINUX / "boot", check=True)
    return out.read_bytes()


@pytest.mark.parametrize(("rom_waits", "ram_waits"), [(0, 0), (3, 1), (8, 8)])
def test_stub_enters_the_kernel(assembled: bytes, rom_waits: int, ram_waits: int) -> None:
    """The board arrives at the kernel with its registers set, and its memories have their waits."""
    made = stub(assembled, rom_waits, ram_waits, TREE, KERNEL)
    board = make_board("at91x40")
    board.load_bytes(made.address, made.data)
    board.load_bytes(KERNEL, (0xE1A0_0000).to_bytes(4, "little") * 4)
    board.reset(0)
    assert board.run(pcs=[made.enter_kernel], cycles=5000)["reason"] == "pc"
    assert board.run(pcs=[KERNEL], cycles=5000)["reason"] == "pc"
    registers = board.registers()
    assert [registers[name] for name in ("r0", "r1", "r2")] == [0, 0xFFFF_FFFF, TREE]
    before = board.cycle
    board.run(instructions=board.instructions + 1)
    # An instruction is two half-words; both wait.
    assert board.cycle - before == 2 * (1 + ram_waits)
    assert _waits(made, 0) == rom_waits


def _waits(made: Stub, number: int) -> int:
    settings = made.data.index((0x8C0).to_bytes(4, "little")) - 12
    select = int.from_bytes(made.data[settings + 4 * number :][:4], "little")
    return (select >> 2 & 7) + 1 if select & 1 << 5 else 0


def test_nine_waits_are_refused(assembled: bytes) -> None:
    """The chip select counts up to eight."""
    with refused("linux-wait-states"):
        stub(assembled, 9, 0, TREE, KERNEL)


def test_memcat_writes_memory(tmp_path: Path) -> None:
    """Compiled for this machine: its first page is the head of its own file."""
    made = tmp_path / "memcat"
    source = LINUX / "programs" / "memcat.c"
    subprocess.run(["gcc", "-static", "-no-pie", "-Wall", "-o", made, source], check=True)
    for line in _readelf("-lW", made).splitlines():
        if line.split()[:2] == ["LOAD", "0x000000"]:
            address, length = line.split()[2], int(line.split()[4], 16)
            break
    command = [made, address, str(length)]
    ran = subprocess.run(command, capture_output=True, check=True)
    assert len(ran.stdout) == length > 100
    assert ran.stdout == made.read_bytes()[:length]
    assert subprocess.run([made, address], capture_output=True).returncode == 2
    unmapped = subprocess.run([made, "0x10", "8"], capture_output=True)
    assert unmapped.returncode == 1 and b"write error" in unmapped.stderr


def test_missing_build_names_its_command(tmp_path: Path) -> None:
    """Without a build, and with half of one."""
    with refused("linux-not-built"):
        built(tmp_path)
    (tmp_path / "versions.json").write_text("{}")
    with refused("linux-not-built", naming=["make linux"]):
        built(tmp_path)


@pytest.fixture
def keyed(tmp_path: Path) -> LinuxBuild:
    """The keys of a build, made from a copy of the sources; nothing else of it."""
    sources, out = tmp_path / "linux", tmp_path / "out"
    shutil.copytree(LINUX, sources)
    for part, key in part_keys(sources, "a compiler", KERNELS, STRUCTURES).items():
        (out / part).mkdir(parents=True)
        (out / part / KEY).write_text(key)
    (out / "versions.json").write_text('{"compiler": "a compiler"}')
    return built(out, sources)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("kernel/threads.patch", ["headers", "libc", "programs/init", "kernels/none"]),
        ("config/kernel.config", ["headers", "libc", "programs/busybox", "kernels/none"]),
        ("config/busybox.config", ["programs/busybox"]),
        ("musl/nommu.patch", ["libc", "programs/gkermit"]),
        ("programs/init.c", ["programs/init"]),
        ("programs/memcat.c", ["programs/memcat"]),
        ("programs/timeouts.h", ["programs/gkermit"]),
        ("programs/cc", ["libc", "programs/gkermit"]),
        ("boot/boot.S", ["boot"]),
        ("build/kernel.py", ["kernels/none"]),
        ("build/userland.py", ["libc"]),
        ("build/symbols.py", ["symbols/none"]),
    ],
)
def test_build_of_other_sources_is_refused(keyed: LinuxBuild, name: str, parts: list[str]) -> None:
    """One more blank in a source; the build is good again without it."""
    path = keyed.sources / name
    before = path.read_text()
    path.write_text(before + " ")
    with refused("linux-built-from-other-sources", naming=["make linux", *parts]):
        built(keyed.folder, keyed.sources)
    path.write_text(before)
    built(keyed.folder, keyed.sources)


def test_new_patch_makes_a_build_old(keyed: LinuxBuild) -> None:
    """A file that the build did not know."""
    (keyed.sources / "kernel" / "another.patch").write_text("")
    with refused("linux-built-from-other-sources", naming=["kernels/none"]):
        built(keyed.folder, keyed.sources)


def test_kernel_of_other_sources_is_refused_when_asked_for(keyed: LinuxBuild) -> None:
    """The build serves still, but not that kernel."""
    path = keyed.sources / "config" / "full.config"
    path.write_text(path.read_text() + "\n")
    found = built(keyed.folder, keyed.sources)
    assert found.kernel("voluntary").folder == keyed.folder / "kernels" / "voluntary"
    with refused("linux-built-from-other-sources", naming=["kernels/full"]):
        found.kernel("full")


def test_lab_without_its_checkout_says_so(keyed: LinuxBuild) -> None:
    """Installed from a wheel, the lab has no folder linux."""
    with refused("linux-needs-checkout", naming=["checkout", "make linux"]):
        built(keyed.folder, keyed.sources / "none")


def _readelf(option: str, path: Path) -> str:
    command = ["arm-none-eabi-readelf", option, path]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


sys.path[:0] = [str(LINUX / "build"), str(LINUX.parent / "scripts" / "debian")]
import packages  # noqa: E402
from steps import Steps  # noqa: E402


def test_patch_fits_or_leaves_the_tree(tmp_path: Path) -> None:
    """The kernel's patch: a tree with its context takes it, one without is refused, untouched."""
    patch = LINUX / "kernel" / "at91x40.patch"
    tree = tmp_path / "tree"
    _before(patch, tree)
    config = tree / "arch" / "arm" / "Kconfig"
    original = config.read_text()
    packages.apply(tree, patch)
    assert "config ARCH_AT91X40" in config.read_text()
    assert (tree / "arch" / "arm" / "mach-at91x40" / "at91x40.c").is_file()

    other = tmp_path / "other"
    _before(patch, other)
    serial = other / "drivers" / "tty" / "serial" / "atmel_serial.c"
    serial.write_text(serial.read_text().replace("uart_timer", "uart_time"))
    with refused("linux-patch-does-not-fit"):
        packages.apply(other, patch)
    assert (other / "arch" / "arm" / "Kconfig").read_text() == original


def _before(patch: Path, tree: Path) -> None:
    """Writes the lines that a diff removes or keeps at their numbers, with blank ones between."""
    lines: list[str] = []
    path, at = tree, 0
    for line in [*patch.read_text().splitlines(), "--- end"]:
        if line.startswith("--- "):
            if lines:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join(lines) + "\n")
            path, lines, at = tree / line.partition("/")[2], [], 0
        elif line.startswith("@@ "):
            at = max(int(line.split()[1].partition(",")[0].lstrip("-")) - 1, 0)
        elif at is not None and line[:1] in (" ", "-") and path != tree:
            lines += [""] * (at + 1 - len(lines))
            lines[at] = line[1:]
            at += 1


def test_steps_make_what_changed_and_nothing_half(tmp_path: Path) -> None:
    """A step is made once per key; one that fails leaves the folder as it was."""
    made = []

    def build(folder: Path) -> None:
        made.append(folder)
        (folder / "result").write_text(str(len(made)))

    def fail(folder: Path) -> None:
        (folder / "result").write_text("half")
        raise KeyboardInterrupt

    first, other = {"part": "1"}, {"part": "2"}
    Steps(tmp_path, first).make("part", build)
    Steps(tmp_path, first).make("part", build)
    assert len(made) == 1
    with pytest.raises(KeyboardInterrupt):
        Steps(tmp_path, other).make("part", fail)
    assert (tmp_path / "part" / "result").read_text() == "1"
    Steps(tmp_path, other).make("part", build)
    assert (tmp_path / "part" / "result").read_text() == "2"


def test_no_network_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """apt fails at a proxy that is not there."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with refused("linux-packages-not-fetched", naming=["network", tmp_path / "log"]):
        packages.fetch(tmp_path, tmp_path / "log")


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All of them, by Debian's packages."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with refused("linux-tools-missing", naming=["flex", "bison", "gcc-arm-none-eabi"]):
        packages.require_tools()
