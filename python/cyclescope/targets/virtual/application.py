"""Runs a user's program on the exact board: its true time, and what it left."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.application import BuiltApplication
from cyclescope.firmware.application.build import Owner
from cyclescope.firmware.program import Program
from cyclescope.target.energy import microjoules
from cyclescope.targets.virtual.board import Board, Image, Stop, make_board

ARGUMENT_BYTES = 1020
ARGUMENTS_MAX = 32
"""The space that the image has for them (firmware/application/runtime.h)."""
STANDARD = 3
"""Descriptors below it are of the console."""
LONGEST_CYCLES = 20_000_000_000


@dataclass(frozen=True)
class TrueEnergy:
    """The power meter's figures of a run: by part of the board, and what calls took of it.

    Functions that the compiler calls for the program count as the program's.
    """

    parts_uj: dict[str, float]
    calls_uj: float
    calls_cycles: int

    @property
    def total_uj(self) -> float:
        return sum(self.parts_uj.values())


@dataclass(frozen=True)
class TrueRun:
    """A run of a whole program on the exact board.

    `cycles` and `instructions` are from the first instruction of main() to its return, or to the
    call that ends the program within it. `by_owner` are the cycles in the user's code, in what
    the compiler calls for it and in calls, if it was profiled. Interrupts count as calls.
    """

    cycles: int
    instructions: int
    core_hz: int
    status: int
    console: bytes
    files: dict[str, bytes]
    by_owner: dict[Owner, int] | None = None
    energy: TrueEnergy | None = None

    @property
    def share_of_calls(self) -> float | None:
        """The part of its time that the program spends in calls, if it was profiled."""
        return self.by_owner["calls"] / self.cycles if self.by_owner is not None else None


class ApplicationBoard:
    """A board with a program in it, at the first instruction of main().

    `board` may be given instruments there; `finish` runs the program to its end.
    """

    def __init__(
        self, built: BuiltApplication, arguments: Sequence[str], inputs: Mapping[str, bytes]
    ) -> None:
        content = built.image.elf.read_bytes()
        self._built = built
        self._program = Program(content)
        self.board: Board = make_board(built.configuration.board)
        self.board.load(Image.from_elf(content, built.image.elf.name))
        disk, text = built.disk.made(inputs), _arguments(arguments)
        self.board.reset()
        self._console = bytearray()
        self._ended, self._faulted = self._symbol("application_ended"), self._symbol("wire_fault")
        self._write, self._exit = self._symbol("_write"), self._symbols().get("exit")
        # The memories lie where the image has them once start.S is done.
        self._run_to(self._symbol("__wrap_main"))
        self.board.write_memory(self._symbol("application_disk"), disk)
        self.board.write_memory(self._symbol("application_arguments"), text)
        self._run_to(self._symbol("main"))
        self.begun_cycle, self.begun_instructions = self.board.cycle, self.board.instructions
        self.returned = self._program.address(self.board.registers()["r14"])

    def finish(self) -> tuple[int, int]:
        """Runs to the end of main(); returns its cycles and instructions."""
        ends = [self.returned, *([self._exit] if self._exit is not None else [])]
        self._run_to(*ends)
        return (
            self.board.cycle - self.begun_cycle,
            self.board.instructions - self.begun_instructions,
        )

    def leave(self) -> tuple[int, bytes, dict[str, bytes]]:
        """Ends the program after main(); returns status, what it printed, and its files."""
        if self.board.registers()["r15"] != self._ended:
            self._run_to(self._ended)
        status = self.board.registers()["r0"] & 0xFF
        disk = self.board.read_memory(self._symbol("application_disk"), self._built.disk.size_bytes)
        return status, bytes(self._console), self._built.disk.files(disk)

    def _symbols(self) -> dict[str, int]:
        return {name: self._program.address(at) for name, at in self._program.symbols.items()}

    def _symbol(self, name: str) -> int:
        found = self._program.symbols.get(name)
        if found is None:
            return -1 if name == "_write" else _lacking(name)
        return self._program.address(found)

    def _run_to(self, *ends: int) -> None:
        """Runs to one of these addresses, and takes what the program prints on the way."""
        pcs = [*ends, self._ended, self._faulted, *([self._write] if self._write >= 0 else [])]
        while True:
            stop: Stop = self.board.run(cycles=LONGEST_CYCLES, pcs=pcs)
            if stop["reason"] != "pc":
                raise CyclescopeError(
                    f"the program does not end on the board: {stop['sentence']}",
                    code="application-does-not-end",
                )
            if stop["pc"] == self._faulted:
                self._refuse_fault()
            if stop["pc"] in ends or stop["pc"] == self._ended:
                return
            registers = self.board.registers()
            if registers["r0"] < STANDARD:
                self._console += self.board.read_memory(registers["r1"], registers["r2"])

    def _refuse_fault(self) -> None:
        registers = self.board.registers()
        text = self.board.read_memory(registers["r2"], 64).partition(b"\0")[0].decode("ascii")
        at = self._program.address(registers["r1"])
        where = f" at {self._program.place(at)}" if at else ""
        raise CyclescopeError(
            f"the program failed on the board: {text}{where}; more stack or heap may help",
            code="application-failed",
        )


def run_on_board(
    built: BuiltApplication,
    arguments: Sequence[str],
    inputs: Mapping[str, bytes],
    *,
    profile: bool = False,
    energy: bool = False,
) -> TrueRun:
    """Runs a program to its end. `arguments` begin with its name; `inputs` are files by path."""
    on = ApplicationBoard(built, arguments, inputs)
    histogram = on.board.attach_histogram(_charges(built)) if profile else None
    if energy:
        on.board.meter(functions=_charges(built))
    cycles, instructions = on.finish()
    owners = None if histogram is None else _by_owner(built, on.board.counted(histogram)["lines"])
    spent = _spent(built, on.board) if energy else None
    status, console, files = on.leave()
    return TrueRun(cycles, instructions, on.board.core_hz, status, console, files, owners, spent)


def _spent(built: BuiltApplication, board: Board) -> TrueEnergy:
    """Reads the meter, by the owners of places in the code."""
    program = {start for start, _, owner in built.owners if owner == "program"}
    accounts = board.spent()
    parts = [sum(column) for column in zip(*(what[2] for _, what in accounts), strict=True)]
    of_calls = [what for (_, _, place), what in accounts if place not in program]
    return TrueEnergy(
        {
            name: microjoules(part_fj)
            for name, part_fj in zip(board.energy_parts(), parts, strict=True)
            if part_fj
        },
        microjoules(sum(sum(what[2]) for what in of_calls)),
        sum(what[0] for what in of_calls),
    )


def _charges(built: BuiltApplication) -> list[tuple[int, int, bool]]:
    """Pieces of code for a histogram; the compiler's own are charged to their callers."""
    return [(start, end, owner == "compiler") for start, end, owner in built.owners]


def _by_owner(
    built: BuiltApplication, lines: Sequence[tuple[int | None, int, int, Sequence[int]]]
) -> dict[Owner, int]:
    pieces = built.owners
    starts = [start for start, _, _ in pieces]
    found: dict[Owner, int] = {"program": 0, "compiler": 0, "calls": 0}
    for charged, address, _, costs in lines:
        at = address if charged is None else charged
        index = bisect_right(starts, at) - 1
        owner = pieces[index][2] if index >= 0 and at < pieces[index][1] else "calls"
        found["compiler" if charged is not None and owner == "program" else owner] += sum(costs)
    return found


def _arguments(arguments: Sequence[str]) -> bytes:
    text = b"".join(one.encode() + b"\0" for one in arguments)
    if len(text) > ARGUMENT_BYTES or len(arguments) > ARGUMENTS_MAX:
        raise CyclescopeError(
            f"a program on a board takes at most {ARGUMENTS_MAX} arguments of {ARGUMENT_BYTES} "
            "bytes together: give fewer",
            code="arguments-too-long",
        )
    return len(arguments).to_bytes(4, "little") + text


def _lacking(name: str) -> int:
    raise CyclescopeError(
        f"the image has no {name}: it is not one of a user's program", code="not-an-application"
    )
