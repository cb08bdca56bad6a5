"""A user's program on boards: its true time, its files and console, and how it fails."""

import os
import zlib
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.firmware.application import (
    Application,
    BuiltApplication,
    Memory,
    build_application,
    run_on_host,
)
from cyclescope.firmware.configuration import Configuration, FirmwareError
from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.application import TrueRun, run_on_board

PROGRAMS = Path(__file__).parent.parent / "examples" / "programs"
CRC = Application((PROGRAMS / "checksum" / "crc32.c",))
COMMAND = ("crc32", "sums", "a/data", "text")
FILES = {"a/data": bytes(range(256)) * 3, "text": b"The quick brown fox\n"}
RAM = Configuration("lpc2148-lab", "bare", {"code": "lab"})
HOST_TEXT = """
#include <stdio.h>
#include <stdlib.h>
static int deep(int n) {
    volatile char part[64];
    part[0] = n;
    return n ? deep(n - 1) + part[0] : 0;
}
int main(int argc, char **argv) {
    switch (argv[1][0]) {
    case 'r': return 7;
    case 'e': puts("leaving"); exit(9);
    case 'a': abort();
    case 'm': return malloc(1 << 30) == NULL;
    case 'i': return getchar() == EOF ? 3 : 4;
    case 'w': *(volatile int *)0xA0000000 = 1; return 0;
    case 's': return deep(1200);
    }
    for (;;)
        ;
}
"""


def built(source: str, tmp_path: Path, configuration: Configuration = RAM) -> BuiltApplication:
    file = tmp_path / "program.c"
    file.write_text(source)
    return build_application(Application((file,)), configuration)


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> BuiltApplication:
    """A program that ends in the way its argument says."""
    return built(HOST_TEXT, tmp_path_factory.mktemp("ways"))


@pytest.fixture(scope="module")
def crc() -> TrueRun:
    return run_on_board(build_application(CRC, RAM), COMMAND, FILES, profile=True)


def test_a_program_gives_on_the_board_what_it_gives_here(crc: TrueRun) -> None:
    here = run_on_host(CRC, COMMAND, FILES)
    assert (crc.status, crc.console, crc.files) == (here.status, here.console, here.files)
    sums = [line.split()[0] for line in crc.files["sums"].decode().splitlines()]
    assert sums == [f"{zlib.crc32(one):08X}" for one in FILES.values()]


def test_every_cycle_has_an_owner(crc: TrueRun) -> None:
    assert crc.by_owner is not None
    assert sum(crc.by_owner.values()) == crc.cycles
    assert crc.share_of_calls == crc.by_owner["calls"] / crc.cycles > 0.5
    # The table takes 8 x 256 iterations, each byte one.
    assert crc.by_owner["program"] > 4 * 8 * 256


def test_a_metered_run_takes_as_long_and_its_parts_add_up(crc: TrueRun) -> None:
    """Energy of flash and stalls is there where code lies in flash; calls have the same cycles."""
    flash = Configuration("lpc2148-lab", "bare", {"code": "flash", "mam": 0})
    energies = []
    for where in (RAM, flash):
        there = build_application(CRC, where)
        plain = run_on_board(there, COMMAND, FILES, profile=True)
        true = run_on_board(there, COMMAND, FILES, energy=True)
        assert plain.by_owner is not None and true.energy is not None
        assert true.cycles == plain.cycles
        assert true.energy.calls_cycles == plain.by_owner["calls"]
        assert 0 < true.energy.calls_uj < true.energy.total_uj
        energies.append(true.energy.parts_uj)
    assert "memory.flash" not in energies[0] and "stall" not in energies[0]
    # An active cycle takes 1.65 nJ at 3.3 V.
    assert energies[0]["active"] == pytest.approx(1.65e-3 * crc.cycles)
    assert energies[1]["memory.flash"] > 0 and energies[1]["stall"] > 0


def test_veneers_belong_to_the_functions_behind_them(tmp_path: Path) -> None:
    """A division from Thumb code goes through a veneer to libgcc: it is no call."""
    text = """
    int main(int argc, char **argv) {
        unsigned sum = 0;
        for (unsigned i = 1; i < 200; i++)
            sum += 1000000u / (i + argc);
        return sum & 1;
    }
    """
    shares = []
    for isa in ("arm", "thumb"):
        where = Configuration("lpc2148-lab", "bare", {"code": "lab", "isa": isa})
        true = run_on_board(built(text, tmp_path, where), ("divide",), {}, profile=True)
        assert true.by_owner is not None
        shares.append(true.by_owner)
    assert [one["calls"] for one in shares] == [0, 0]
    assert shares[1]["compiler"] >= shares[0]["compiler"] > 5_000


def test_the_time_is_that_of_main_alone(crc: TrueRun) -> None:
    """The same from memory that takes as long, on another chip; and again."""
    again = run_on_board(build_application(CRC, RAM), COMMAND, FILES)
    internal = Configuration("at91x40", "bare", {"code": "internal"})
    other = run_on_board(build_application(CRC, internal), COMMAND, FILES)
    assert crc.cycles == again.cycles == other.cycles
    assert (crc.core_hz, other.core_hz) == (60_000_000, 32_768_000)


@pytest.mark.parametrize(
    ("settings", "level", "least", "most"),
    [
        ({"code": "lab"}, "O0", 1.1, 2),
        ({"code": "flash", "mam": 0}, "O2", 2, 3),
        ({"code": "flash", "mam": 2, "isa": "thumb"}, "Os", 1.1, 2),
    ],
)
def test_configurations_differ_in_time_alone(
    crc: TrueRun, settings: dict, level: str, least: float, most: float
) -> None:
    application = Application(CRC.sources, level)
    there = build_application(application, Configuration("lpc2148-lab", "bare", settings))
    found = run_on_board(there, COMMAND, FILES)
    assert found.files == crc.files
    assert least < found.cycles / crc.cycles < most


def test_doubles_in_formatted_text_are_written(tmp_path: Path) -> None:
    """newlib-nano leaves them out where the linker is not asked for them."""
    text = '#include <stdio.h>\nint main(void) {{ printf("%{}|", {}); return 0; }}\n'
    consoles = []
    for letter, value in (("6.2f", "2.5"), ("d", "25")):
        (tmp_path / "app.c").write_text(text.format(letter, value))
        there = build_application(Application((tmp_path / "app.c",)), RAM)
        linked = "_printf_float" in Program(there.image.elf.read_bytes()).symbols
        consoles.append((run_on_board(there, ("app",), {}).console, linked))
    assert consoles == [(b"  2.50|", True), (b"25|", False)]


def test_the_commands_say_how_each_file_was_compiled() -> None:
    there = build_application(Application(CRC.sources, "Os", defines=("A=1",)), RAM)
    (command,) = there.commands
    assert command.file == CRC.sources[0].resolve()
    assert {"-g", "-Os", "-DA=1", "-marm", "-mcpu=arm7tdmi"} <= set(command.arguments)


@pytest.mark.parametrize(("way", "status"), [("r", 7), ("e", 9), ("a", 134), ("m", 1), ("i", 3)])
def test_a_program_ends_as_it_likes(ways: BuiltApplication, way: str, status: int) -> None:
    found = run_on_board(ways, ("program", way), {})
    assert found.status == status
    assert found.console == (b"leaving\n" if way == "e" else b"")


@pytest.mark.parametrize(
    ("way", "cause"), [("w", "data abort at main"), ("s", "stack has overflowed")]
)
def test_a_program_that_fails_is_named(ways: BuiltApplication, way: str, cause: str) -> None:
    with refused("application-failed", naming=[cause]):
        run_on_board(ways, ("program", way), {})


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("int f(void) { return 1; }", ["main()"]),
        ("int g(void); int main(void) { return g(); }", ["needs g"]),
        ("int main(void) {\n return x; }", ["program.c:2", "undeclared"]),
        ("char many[5 << 20]; int main(void) { return many[1]; }", ["lab lacks"]),
    ],
)
def test_a_program_that_cannot_be_built_is_named(
    source: str, cause: list[str], tmp_path: Path
) -> None:
    with refused("build-failed", FirmwareError, naming=cause):
        built(source, tmp_path)


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    with refused("no-such-optimisation"):
        Application(CRC.sources, "O9")
    with refused("no-such-source"):
        Application((tmp_path / "none.c",))
    with refused("no-source"):
        Application(())
    small = build_application(Application(CRC.sources, memory=Memory(disk_kib=8)), RAM)
    with refused("disk-unusable"):
        run_on_board(small, COMMAND, {"text": os.urandom(10_000)})
    with refused("arguments-too-long"):
        run_on_board(small, ["crc32"] * 33, {})


def test_tasks_run_on_the_board_and_here() -> None:
    program = Application((PROGRAMS / "pipeline" / "filter_tasks.c",))
    command, files = ("filter", "in", "out"), {"in": bytes(range(256)) * 4}
    kernel = Configuration("lpc2148-lab", "freertos", {"code": "lab"})
    found = run_on_board(build_application(program, kernel), command, files)
    here = run_on_host(program, command, files, kernel="freertos")
    assert (found.status, found.console, found.files) == (0, here.console, here.files)
    assert len(found.files["out"]) == 1024
