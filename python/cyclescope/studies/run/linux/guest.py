"""Reads the structures of the guest's kernel."""

from dataclasses import dataclass

from cyclescope.firmware.linux import Kernel
from cyclescope.targets.virtual.board import Board

WORD = 4
LONGEST_NAME = 256
DEEPEST = 64


@dataclass(frozen=True)
class LoadedModule:
    """A module as the kernel has placed it: where its code begins, its size, and where that code
    begins which the kernel drops after it has run once."""

    name: str
    core: int
    code_bytes: int
    init: int


class Guest:
    """Reads the memory of a board on which a kernel runs."""

    def __init__(self, board: Board, kernel: Kernel, current: int) -> None:
        """`current` is the address of the kernel's pointer to the task that runs."""
        self._board = board
        self._places = kernel.structures
        self._current = current

    def program(self, binprm: int) -> str:
        """The path of the file that is executed, links resolved; by its `linux_binprm`."""
        file = self._pointer(binprm, "linux_binprm.file")
        entry = self._pointer(file, "file.f_path", "path.dentry")
        names: list[str] = []
        while len(names) < DEEPEST:
            parent = self._pointer(entry, "dentry.d_parent")
            if parent == entry:
                break
            names.append(self._text(self._pointer(entry, "dentry.d_name", "qstr.name")))
            entry = parent
        return "/" + "/".join(reversed(names))

    def code(self) -> tuple[int, int]:
        """First address of the running process's code, and the first behind it."""
        memory = self._pointer(self._word(self._current), "task_struct.mm")
        start = self._pointer(memory, "mm_struct.start_code")
        return start, self._pointer(memory, "mm_struct.end_code")

    def module(self, module: int) -> LoadedModule:
        """A module by its `struct module`."""
        return LoadedModule(
            self._text(module + self._place("module.name")),
            self._pointer(module, "module.core_layout", "module_layout.base"),
            self._pointer(module, "module.core_layout", "module_layout.text_size"),
            self._pointer(module, "module.init_layout", "module_layout.base"),
        )

    def _pointer(self, structure: int, *fields: str) -> int:
        return self._word(structure + sum(self._place(field) for field in fields))

    def _place(self, field: str) -> int:
        structure, _, name = field.partition(".")
        return self._places[structure][name]

    def _word(self, address: int) -> int:
        return int.from_bytes(self._board.read_memory(address, WORD), "little")

    def _text(self, address: int) -> str:
        found = b""
        while b"\0" not in found and len(found) < LONGEST_NAME:
            found += self._board.read_memory(address + len(found), WORD)
        return found.partition(b"\0")[0].decode(errors="replace")
