"""Follows Linux as it loads programs and modules, so that all code has a name."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from cyclescope.firmware.architecture import of_board
from cyclescope.firmware.linux import System
from cyclescope.studies.run.instruments.symbols import Named, Symbols, functions, library_rule
from cyclescope.studies.run.linux.guest import Guest
from cyclescope.studies.run.linux.modules import module_functions
from cyclescope.targets.virtual.board import Board, read_file, read_image

EXECUTED, INITIALISES, SYSTEM_CALL = "finalize_exec", "do_init_module", "vector_swi"
VECTORS = 0xFFFF_0000
VECTORS_BYTES = 0x2000
HELPER, HELPERS_END = "__kuser_", 0x1000
"""Code that vmlinux has at VECTORS is copied to 0, where the processor looks for it; helpers of
programs to the end of the first page there."""


@dataclass(frozen=True)
class LoadedCode:
    """A program or a module from the cycle on at which it was in place; `end` is of its code."""

    name: str
    start: int
    end: int
    cycle: int
    file: Path | None
    """The file with its symbols, if the lab has it."""


@dataclass(frozen=True)
class BootMoment:
    """When something happened; `detail` is the address, or the number of a system call."""

    cycle: int
    instructions: int
    detail: int


class Follower:
    """Names the code of a composed system on a board.

    A run has to stop at `pcs` and to call `stopped`; `run_to` does both. `changed` are called
    when code has come to a place, and `symbols` has its names.
    """

    def __init__(
        self, board: Board, system: System, libraries: Sequence[str] | None = None
    ) -> None:
        """With patterns `libraries`, functions of libraries are charged to their callers."""
        self._board = board
        self._system = system
        self._libraries = libraries
        self._is_library = library_rule(of_board(board), libraries)
        image = read_image(system.kernel.vmlinux)
        self._executed, self._initialises, self._first_call = (
            image.address_of(name) for name in (EXECUTED, INITIALISES, SYSTEM_CALL)
        )
        self._guest = Guest(board, system.kernel, image.address_of("__current"))
        self._entry: int | None = None
        self.pcs = {self._executed, self._initialises, self._first_call}
        self.changed: list[Callable[[], None]] = []
        self.loaded: list[LoadedCode] = []
        self.first_instruction: BootMoment | None = None
        self.first_call: BootMoment | None = None
        self._named = self._of_kernel()
        self._known: dict[str, list[Named]] = {}
        self._symbols: Symbols | None = None

    def symbols(self) -> Symbols:
        """All functions as they lie in memory at this moment."""
        if self._symbols is None:
            self._symbols = Symbols(self._named, of_board(self._board))
        return self._symbols

    def run_to(self, cycle: int) -> None:
        """Runs the board to the first boundary at or past a cycle."""
        while self._board.cycle < cycle:
            stop = self._board.run(cycles=cycle, pcs=sorted(self.pcs))
            if stop["reason"] == "pc":
                self.stopped(stop["pc"])
            elif stop["reason"] != "cycles":
                return

    def stopped(self, pc: int) -> None:
        """Takes notice of a stop at one of `pcs`, whose instruction is about to execute."""
        now = BootMoment(self._board.cycle, self._board.instructions, pc)
        if pc == self._entry and self.first_instruction is None:
            self.first_instruction = now
            self.pcs.discard(pc)
        elif pc == self._first_call:
            registers = self._board.registers()
            self.first_call = BootMoment(now.cycle, now.instructions, registers["r7"])
            self.pcs.discard(pc)
        elif pc == self._executed:
            self._take_program(self._board.registers()["r0"])
        elif pc == self._initialises:
            self._take_module(self._board.registers()["r0"])

    def _take_program(self, binprm: int) -> None:
        name = self._guest.program(binprm)
        start, end = self._guest.code()
        path = self._system.programs.get(name)
        # Without a file of symbols a program is one function.
        found = [Named(name, None, name, start, end, False)]
        if path is not None:
            elf = ELFFile(io.BytesIO(read_file(path)))
            code = next(one for one in elf.iter_segments("PT_LOAD") if one["p_flags"] & 1)
            bias = start - int(code["p_vaddr"])
            if name not in self._known:
                self._known[name] = functions(path, None, self._libraries)
            found = [one.at(bias) for one in self._known[name]]
            if self.first_instruction is None:
                self._entry = int(elf["e_entry"]) + bias
                self.pcs.add(self._entry)
        self._place(LoadedCode(name, start, end, self._board.cycle, path), found)

    def _take_module(self, address: int) -> None:
        module = self._guest.module(address)
        path = self._system.modules.get(module.name)
        found: list[Named] = []
        if path is not None:
            found = module_functions(path, module, self._is_library)
        end = module.core + module.code_bytes
        self._place(LoadedCode(module.name, module.core, end, self._board.cycle, path), found)

    def _place(self, loaded: LoadedCode, found: list[Named]) -> None:
        self.loaded.append(loaded)
        spans = [(loaded.start, loaded.end)]
        spans += [(one.start, one.end) for one in found if not _meets(one, spans[:1])]
        self._named = [one for one in self._named if not _meets(one, spans)] + found
        self._symbols = None
        for one in self.changed:
            one()

    def _of_kernel(self) -> list[Named]:
        kernel = self._system.kernel
        found = [
            Named(name, file, kernel.vmlinux.name, start, end, self._is_library(name, file))
            for name, file, start, end in kernel.functions
        ]
        helpers = [one for one in found if one.name.startswith(HELPER)]
        behind = max((one.end for one in helpers), default=0)
        vectors = [one.at(HELPERS_END - behind) for one in helpers]
        vectors += [
            one.at(-VECTORS) for one in found if VECTORS <= one.start < VECTORS + VECTORS_BYTES
        ]
        return [*found, *vectors, *functions(self._system.built.stub)]


def _meets(one: Named, spans: Sequence[tuple[int, int]]) -> bool:
    return any(one.start < end and start < one.end for start, end in spans)
