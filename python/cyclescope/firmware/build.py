"""Images of the firmware: builds them with make and reads the facts of the build."""

import errno
import fcntl
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from cyclescope.errors import READ_ONLY, unwritable
from cyclescope.firmware import boards, kernels, own_work
from cyclescope.firmware.configuration import ALL_CASES, Configuration, FirmwareError
from cyclescope.firmware.fragment import messages, written
from cyclescope.firmware.fragment.facts import FragmentFacts
from cyclescope.record import Record

ROOT = Path(__file__).resolve().parents[3]
LANGUAGE = {"LC_ALL": "C"}
"""The compiler's messages are read: they must be in one language."""
ELSEWHERE = "build in a copy of the checkout"
PASSED_ON = re.compile(
    r"PATH|HOME|USER|TMPDIR|LD_LIBRARY_PATH|(CARGO|RUSTUP|SSL|NIX)_\w+|(https?|all|no)_proxy", re.I
)
"""Of the environment, what the tools of a build need to work. Nothing else has a say in an image:
not MAKEFLAGS (-n builds nothing, -k goes on), not CPATH, not a variable of the Makefile."""


FLAGS = {
    "BOARD": "--board",
    "KERNEL": "--kernel",
    "CASES": "--class",
    "LIBRARY": "--library",
    "OPTIMISE": "--optimise",
}
"""Names of make's variables on the command line, beside those of a board's settings."""
WRITING = r"(\*\*\* (open|write)|mkdir|touch|mv|can't create|dependency file|output file|writing)"
"""Messages of make and its tools when they cannot write, before the system's own text."""
CHOICE = re.compile(r"There is no (\w+)=(.*) here: choose one of: (.*)")


OF_CONDITIONS = (
    *("board", "memory", "pclk_hz", "code", "isa", "c_library"),
    *("kernel", "kernel_version", "kernel_configuration", "kernel_options", "fragment"),
)
"""Facts of a build that are conditions as they are."""


class BuildFacts(Record):
    """Inputs and purpose of an image, as the build itself found them (image.json).

    A rate is None where it is known only when the image runs, or there is none. `settings` are the
    board's own, beside those that the lab knows of every board.
    """

    board: str
    kernel: str
    code: str
    isa: str
    timer: str
    memory: dict[str, int] = Field(default_factory=dict)
    settings: dict[str, int | str] = Field(default_factory=dict)
    cases: str
    kernel_options: dict[str, int] = Field(default_factory=dict)
    core_hz: int | None
    pclk_hz: int | None
    wire_baud: int | None
    sample_capacity: int
    compiler: str
    compile_flags: tuple[str, ...]
    defines: tuple[str, ...]
    link_flags: tuple[str, ...]
    c_library: str
    kernel_version: str
    kernel_configuration: dict[str, int | str]
    fragment: FragmentFacts | None = None

    @model_validator(mode="before")
    @classmethod
    def _gather_settings(cls, facts: dict[str, Any]) -> dict[str, Any]:
        """Takes facts that the lab has no name for as the board's own settings."""
        own = {name: value for name, value in facts.items() if name not in cls.model_fields}
        rest = {name: value for name, value in facts.items() if name not in own}
        return {**rest, "settings": {**own, **facts.get("settings", {})}}

    @property
    def conditions(self) -> dict[str, Any]:
        """Returns the part of a measurement's conditions that the build determines."""
        compiler, _, compiler_version = self.compiler.partition(" ")
        return {
            **{name: getattr(self, name) for name in OF_CONDITIONS},
            "compiler": compiler,
            "compiler_version": compiler_version,
            "flags": (*self.compile_flags, *self.defines, *self.link_flags),
        }


@dataclass(frozen=True)
class Built:
    """An image on disk; `messages` are the compiler's warnings about the user's own code."""

    elf: Path
    sha256: str
    facts: BuildFacts
    messages: tuple[str, ...] = ()


def build(configuration: Configuration, root: Path = ROOT) -> Built:
    """Builds the image of a configuration, or finds it built; `root` is the clone to build in."""
    return build_layouts(configuration, [configuration.layout], root)[0]


def build_layouts(
    configuration: Configuration, numbers: Sequence[int], root: Path = ROOT
) -> list[Built]:
    """The same, of several layouts: what is linked again is compiled once."""
    command = ["make", "--silent", f"--jobs={os.cpu_count() or 1}", "-C", "firmware"]
    command.append(f"PYTHON={sys.executable}")
    command += configuration.variables()
    if any(numbers):
        chosen = " ".join(str(number) for number in numbers if number)
        command += [f"LAYOUTS={chosen}", f"SEED={configuration.layout_seed}"]
    fragment, work = configuration.fragment, configuration.work
    application = configuration.application
    passed = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}
    try:
        with alone(root / "build") as held:
            if fragment:
                home = written.write(fragment, root / "build" / "fragments")
                command.append(f"FRAGMENT=../build/fragments/{home.name}")
            if work:
                home = own_work.write(work, root / "build" / "work")
                command.append(f"WORK=../build/work/{home.name}")
            if application:
                home = application.write(root / "build" / "applications")
                command.append(f"APPLICATION=../build/applications/{home.name}")
            done = subprocess.run(
                command,
                cwd=root,
                env={**passed, **LANGUAGE},
                capture_output=True,
                text=True,
                errors="replace",
                pass_fds=held,
            )
    except FileNotFoundError as error:
        raise FirmwareError(
            "make is missing: install it with: sudo apt-get install make",
            code="make-missing",
        ) from error
    except OSError as error:
        raise FirmwareError(
            unwritable(root / "build", error, ELSEWHERE), code="cannot-write-build"
        ) from error
    if done.returncode != 0:
        told = None
        if fragment:
            code = str(configuration.value("code"))
            larger = boards.larger_code(configuration.board, code)
            room = _roomier(configuration)
            told = messages.cause(done.stderr, fragment, code, larger, room)
        if told is None and work is not None:
            told = own_work.cause(done.stderr, work)
        if told is None and application is not None:
            code = str(configuration.value("code"))
            told = application.cause(done.stderr, code)
        raise FirmwareError(told or _cause(done.stderr, configuration), code="build-failed")
    plain = (root / "firmware" / done.stdout.split()[-1]).resolve()
    facts = BuildFacts.model_validate_json(plain.with_suffix(".json").read_text())
    warnings = messages.warnings(plain.parent / "messages", fragment) if fragment else ()
    images = (_image(plain, number, configuration.layout_seed) for number in numbers)
    return [
        Built(elf, hashlib.sha256(elf.read_bytes()).hexdigest(), facts, warnings) for elf in images
    ]


def _image(plain: Path, number: int, seed: int) -> Path:
    """Where the build puts a layout."""
    return plain.parent / f"layout-{seed}-{number}" / plain.name if number else plain


@contextmanager
def alone(folder: Path) -> Iterator[tuple[int, ...]]:
    """Builds share objects, so one runs at a time; where nothing can be written nothing is shared.

    Gives the lock's descriptors to hand on: make outlives a process that is killed, and holds the
    lock as long.
    """
    held: tuple[int, ...] = ()
    with ExitStack() as stack:
        try:
            folder.mkdir(exist_ok=True)
            lock = stack.enter_context((folder / ".lock").open("a"))
            fcntl.flock(lock, fcntl.LOCK_EX)
            held = (lock.fileno(),)
        except OSError as error:
            if error.errno not in READ_ONLY or not folder.is_dir():
                raise
        yield held


def _cause(errors: str, configuration: Configuration) -> str:
    """The build's error in a sentence: make's `*** sentence.  Stop.`, else the first error."""
    lines = errors.strip().splitlines()
    for number in (*READ_ONLY, errno.ENOSPC, errno.EDQUOT):
        if re.search(rf"^.*{WRITING}.*: {os.strerror(number)}", errors, re.MULTILINE):
            return unwritable(ROOT / "build", OSError(number, os.strerror(number)), ELSEWHERE)
    for line in lines:
        if "*** " in line and line.endswith("  Stop."):
            sentence = line.split("*** ", 1)[1].removesuffix(".  Stop.")
            return _in_words(sentence, configuration.board)
    if lacking := messages.OVERFLOW.search(errors):
        where = f"{lacking[1]} lacks {lacking[2]} bytes"
        return f"the image does not fit: {where}; choose {_room(configuration)}"
    wanted = (line for line in lines if "error:" in line or "undefined reference" in line)
    first = next(wanted, lines[0] if lines else "make said nothing")
    return f"the firmware did not build: {first.removeprefix('error: ')}"


def _room(configuration: Configuration) -> str:
    """Where an image would fit that does not."""
    there = boards.firmware_of(configuration.board)
    ways = []
    if configuration.cases == ALL_CASES:
        ways.append("the cases of one class (--class)")
    if larger := boards.larger_code(configuration.board, str(configuration.value("code"))):
        ways.append(f"--code {larger}")
    if there.roomier:
        ways.append(f"{'or ' if ways else ''}{there.roomier.options}, which has space for all")
    return ", ".join(ways) or "a board with more memory"


def _roomier(configuration: Configuration) -> str:
    roomier = boards.firmware_of(configuration.board).roomier
    return roomier.options if roomier else ""


def _in_words(sentence: str, board: str) -> str:
    """A sentence of make in the command line's own words."""
    choice = CHOICE.fullmatch(sentence)
    flags = dict(FLAGS)
    if choice and choice[1] != "BOARD":
        settings = boards.firmware_of(board).settings.values()
        flags |= {one.variable: f"--{one.name}" for one in settings}
    if choice is None or choice[1] not in flags:
        return sentence
    there = kernels.of_boards() if choice[1] == "KERNEL" else choice[3].split()
    return f"there is no {flags[choice[1]]} {choice[2]} here: choose one of {', '.join(there)}"
