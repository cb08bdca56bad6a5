"""All code of a running Linux has names: judged by /proc, by memory, and by other instruments."""

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from linux_session import Shell, built_or_skip
from refusals import told_code

from cyclescope.cli import execute
from cyclescope.firmware.architecture import of_machine
from cyclescope.firmware.linux import Kernel, compose
from cyclescope.firmware.linux.archive import loaded
from cyclescope.studies.run.instruments.profile import Profile
from cyclescope.studies.run.instruments.symbols import Named, Symbols
from cyclescope.studies.run.linux.follower import Follower
from cyclescope.studies.run.linux.guest import Guest
from cyclescope.targets.virtual.board import Board, make_board

HEADERS = 0x100
"""The file in the guest has no sections: its headers differ."""
SCRIPT = "ls /bin; ps; free; md5sum /bin/busybox; gkermit -h; echo x > /dev/ttynull\n"


@pytest.fixture(scope="module")
def shell() -> Shell:
    """A shell after a script, profiled from power-on."""
    found = built_or_skip()
    profiles = []

    def attach(board: Board, follower: Follower) -> None:
        profile = Profile(board, follower.symbols)
        profile.attach()
        follower.changed.append(profile.divide)
        profiles.append(profile)

    made = Shell(compose(found, modules=["ttynull"], script=SCRIPT), attach)
    made.profile = profiles[0].document()  # type: ignore[attr-defined]
    return made


def test_next_to_nothing_is_without_name(shell: Shell) -> None:
    """At most 1 % of the cycles in which the core does not sleep."""
    profile = shell.profile  # type: ignore[attr-defined]
    awake = profile["cycles"] - profile["kinds"]["asleep"]
    assert profile["unattributed"]["cycles"] <= 0.01 * awake
    images = {one["image"] for one in profile["functions"]}
    assert images >= {"vmlinux", "busybox", "gkermit", "init", "ttynull.ko", "boot.elf"}
    assert sum(one["instructions"] for one in profile["functions"]) == (
        profile["instructions"] - profile["unattributed"]["instructions"]
    )


def test_names_are_those_of_nm(shell: Shell) -> None:
    """Each busy function of busybox is in nm's list, and the vectors' code is counted."""
    profile = shell.profile  # type: ignore[attr-defined]
    path = shell.follower.loaded[-1].file
    listed = subprocess.run(["arm-none-eabi-nm", path], capture_output=True, text=True, check=True)
    names = {line.split()[-1] for line in listed.stdout.splitlines()}
    busy = {one["function"] for one in profile["functions"] if one["image"] == "busybox"}
    assert len(busy) > 100
    assert busy <= names
    assert any(one["function"] == "vector_irq" for one in profile["functions"])


def test_guest_has_programs_where_the_lab_has_them(shell: Shell) -> None:
    """/proc/self/maps of a process equals what was read when it was executed."""
    maps = shell.run("cat /proc/self/maps").splitlines()
    loaded = shell.follower.loaded[-1]
    spans = [line.split()[0].split("-") for line in maps]
    ends = {int(start, 16): int(end, 16) for start, end in spans}
    assert loaded.name == "/bin/busybox"
    assert loaded.end <= ends[loaded.start]


def test_memory_has_the_code_of_the_file(shell: Shell) -> None:
    """The shell's code lies where it is said to, byte by byte; so does the module's."""
    last = [one for one in shell.follower.loaded if one.name == "/bin/busybox"][-1]
    assert last.file is not None
    elf = ELFFile(io.BytesIO(last.file.read_bytes()))
    code = next(one for one in elf.iter_segments("PT_LOAD") if one["p_flags"] & 1).data()
    assert shell.board.read_memory(last.start + HEADERS, 4096) == code[HEADERS:][:4096]
    module = next(one for one in shell.follower.loaded if one.name == "ttynull")
    assert module.file is not None
    ko = ELFFile(io.BytesIO(module.file.read_bytes()))
    text = ko.get_section_by_name(".text")
    relocated = {one["r_offset"] for one in ko.get_section_by_name(".rel.text").iter_relocations()}
    there = shell.board.read_memory(module.start, text["sh_size"])
    same = [at for at in range(0, len(there), 4) if there[at : at + 4] == text.data()[at : at + 4]]
    assert {*range(0, len(there), 4)} - {*same} <= relocated
    assert len(same) > 10


def test_each_name_lies_on_its_code(shell: Shell) -> None:
    """In the guest's memory each function of the shell begins as in the file, bar relocations."""
    last = [one for one in shell.follower.loaded if one.name == "/bin/busybox"][-1]
    assert last.file is not None
    elf = ELFFile(io.BytesIO(last.file.read_bytes()))
    code = next(one for one in elf.iter_segments("PT_LOAD") if one["p_flags"] & 1)
    data, linked = code.data(), code["p_vaddr"]
    named = [
        one
        for one in shell.follower.symbols().functions
        if last.start <= one.start < last.end and one.image == "busybox"
    ]
    assert len(named) > 500
    for one in named:
        at = one.as_linked.start - linked
        assert shell.board.read_memory(one.start, 4) == data[at : at + 4], one


def test_instructions_of_a_digest_are_those_of_its_blocks(shell: Shell) -> None:
    """The same path for each block of 64 bytes of the file that md5sum has read."""
    profile = shell.profile  # type: ignore[attr-defined]
    found = [one for one in profile["functions"] if one["function"] == "md5_process_block64"]
    file = shell.follower.loaded[-1].file
    assert file is not None
    size = len(loaded(file.read_bytes()))
    blocks = (size + 1 + 8 + 63) // 64
    assert sum(one["instructions"] for one in found) % blocks == 0


def test_boot_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verb: first user instruction and call, and a profile that ends at a symbol."""
    built_or_skip()
    command = ["run", "--board", "at91x40", "--linux", "--profile", "--json"]
    assert execute([*command, "--until", "symbol=vector_swi"]) == 0
    found = json.loads(capsys.readouterr().out)
    linux = found["linux"]
    assert linux["loaded"][0]["name"] == "/init"
    assert linux["first_system_call"]["cycle"] == found["cycle"]
    assert linux["first_user_instruction"]["cycle"] < found["cycle"]
    assert linux["loaded"][0]["start"] <= linux["first_user_instruction"]["address"]
    assert linux["settings"]["packages"]["linux-source-6.1"]["version"].startswith("6.1.")


def test_errors_of_the_verb(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Options that mean nothing, a board without the memory, and a file without a place."""
    assert told_code(["run", "--pdc", "usart1.rx"], capsys, 2) == "linux-options-without-linux"
    on_board = ["run", "--linux", "--board"]
    assert told_code([*on_board, "lpc2148"], capsys) == "linux-does-not-fit-board"
    on_board.append("at91x40")
    placed = [*on_board, "--root-file", "here"]
    assert told_code(placed, capsys, 2) == "root-file-without-place"
    built_or_skip()
    missing = [*on_board, "--root-file", f"{tmp_path}/none@/etc/none"]
    assert told_code(missing, capsys, naming=["none"]) == "cyclescope-error"
    assert told_code([*on_board, "--image", "x.elf"], capsys, 2) == "linux-beside-image"


def test_counts_keep_the_names_of_their_time(
    plain_board: Path, assemble: Callable[..., Path]
) -> None:
    """Two programs at one place, one after the other: each has its own instructions."""
    board = make_board(str(plain_board))
    board.load_bytes(0x100, (0xE1A0_0000).to_bytes(4, "little") * 64)
    board.reset(0x100)
    names = ["first"]
    profile = Profile(
        board,
        lambda: Symbols([Named(names[-1], None, names[-1], 0x100, 0x200, False)], of_machine(40)),
    )
    profile.attach()
    board.run(instructions=5)
    names.append("second")
    profile.divide()
    board.run(instructions=12)
    found = {one["function"]: one["instructions"] for one in profile.document()["functions"]}
    assert found == {"first": 5, "second": 7}
    assert profile.document()["until"] == board.cycle
    profile.clear()
    assert profile.document()["instructions"] == 0


class Memory:
    """Memory of a guest, word by word."""

    def __init__(self, words: dict[int, int], texts: dict[int, bytes]) -> None:
        self.bytes = {at + i: one for at, word in words.items()
                      for i, one in enumerate(word.to_bytes(4, "little"))}  # fmt: skip
        self.bytes |= {at + i: one for at, text in texts.items() for i, one in enumerate(text)}

    def read_memory(self, address: int, length: int) -> bytes:
        return bytes(self.bytes.get(address + i, 0) for i in range(length))


def test_path_of_a_program_is_read_from_the_guest(tmp_path: Path) -> None:
    """From the file over its entries up to the root, which is its own parent."""
    places = {
        "linux_binprm": {"file": 4}, "file": {"f_path": 8}, "path": {"dentry": 4},
        "dentry": {"d_parent": 12, "d_name": 16}, "qstr": {"name": 4},
        "task_struct": {"mm": 8}, "mm_struct": {"start_code": 4, "end_code": 8},
    }  # fmt: skip
    (tmp_path / "structures.json").write_text(json.dumps(places))
    memory = Memory(
        {
            0x104: 0x200, 0x20C: 0x300, 0x30C: 0x400, 0x314: 0x600,
            0x40C: 0x500, 0x414: 0x700, 0x50C: 0x500,
            0x900: 0xA00, 0xA08: 0xB00, 0xB04: 0x1000, 0xB08: 0x1234,
        },
        {0x600: b"busybox\0", 0x700: b"bin\0"},
    )  # fmt: skip
    guest = Guest(memory, Kernel(tmp_path, tmp_path), 0x900)  # type: ignore[arg-type]
    assert guest.program(0x100) == "/bin/busybox"
    assert guest.code() == (0x1000, 0x1234)
