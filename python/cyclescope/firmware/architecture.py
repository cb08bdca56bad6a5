"""Architecture: what the lab knows of an instruction set, found by the machine of an ELF file.

A folder of `firmware/architectures/` offers ARCHITECTURE. A package outside offers one by an entry
point of the group `cyclescope.architectures`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cyclescope import plugins
from cyclescope.errors import CyclescopeError

if TYPE_CHECKING:
    from cyclescope.firmware.cfg.flow import Flow, Listing
    from cyclescope.firmware.program import Program

GROUP = "cyclescope.architectures"


class Instruction(NamedTuple):
    """One instruction as the disassembler writes it."""

    address: int
    size: int
    mnemonic: str
    operands: str


class Decoded(Protocol):
    """One instruction with its operands; what these are only its architecture knows."""

    @property
    def address(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def mnemonic(self) -> str: ...
    @property
    def op_str(self) -> str: ...


class Architecture(ABC):
    """An instruction set. A kind of code is a name for an encoding, such as Thumb."""

    name: str
    """For people."""
    machine: int
    """`e_machine` in the header of its ELF files."""
    calls: Collection[str]
    """Mnemonics of direct calls."""
    call_sizes: tuple[int, ...]
    """Bytes of a direct call, then those of instructions that enter the kernel."""
    cores: Collection[str] = ()
    """The engine's kinds of cores that execute it, if others have its machine too."""

    traps: Collection[str] = ()
    """Mnemonics that enter the kernel."""
    plain: str = "code"
    """The kind of code where no mapping symbol stands before."""
    marks: Mapping[str, str | None] = {}
    """Mapping symbols: the kind of code from there on; None: data."""
    vectors_end: int = 0
    """Behind the exception vectors at address 0, which the board may show from somewhere else."""
    interrupt_vector: int | None = None
    """Where an interrupt begins, if it begins in the vectors."""
    modes: Mapping[int, str] = {}
    """The processor's modes by number, as the engine's power meter counts them."""
    task_modes: Collection[int] = ()
    """Modes in which tasks execute."""
    runtime: Collection[str] = ()
    """Patterns of names of functions that compilers and linkers put in by themselves."""
    debugger: str = "gdb-multiarch"
    """The gdb that knows it."""
    preserved: str = ""
    """Registers that a call must preserve, for a hint."""

    def owns(self, attributes: bytes | None) -> bool:
        """Whether an ELF file of its machine is for it, by its section of attributes, if any."""
        return True

    @property
    def call_bytes(self) -> int:
        """Bytes of a direct call."""
        return self.call_sizes[0]

    def address(self, value: int) -> int:
        """The address of the code that a symbol's value or a pointer means."""
        return value

    @abstractmethod
    def instructions(self, code: bytes, address: int, kind: str) -> Iterator[Instruction]:
        """The instructions of a piece of code that lies at `address`."""

    @abstractmethod
    def decoded(self, code: bytes, address: int, kind: str) -> Iterator[Decoded]:
        """The same with every operand."""

    @abstractmethod
    def target(self, one: Instruction) -> int | None:
        """The address that a direct jump or call names; None if it names none."""

    @abstractmethod
    def flow_of(self, program: Program, listing: Listing, one: Decoded) -> Flow | None:
        """The control transfer of an instruction; None if execution just goes on."""

    def varies(self, one: Decoded) -> bool:
        """Whether the instruction may be skipped and then costs other than when it executes."""
        return False

    def has_condition(self, one: Decoded) -> bool:
        """Whether the instruction may be skipped by its own condition."""
        return False

    def condition(self, one: Decoded) -> str:
        """The condition by which an instruction executes, as its flags are named; or nothing."""
        return ""

    def is_far_if_taken(self, code: Sequence[Decoded]) -> bool | None:
        """Of code that ends in the branch of a shift of two words: whether it is taken where the
        shift is by a word or more. None of other code."""
        return None

    def stores(self, one: Decoded) -> bool:
        """Whether the instruction writes memory that is not the stack, whenever it is reached."""
        return False

    def multiplies(self, one: Decoded) -> bool:
        """Whether the instruction takes as long as a factor is."""
        return False

    def factor(self, program: Program, before: Iterable[Decoded], one: Decoded) -> int | None:
        """The factor that decides how long a multiplication takes, if it is a constant.

        `before` are the instructions in front of it, nearest first.
        """
        return None

    def argument(self, program: Program, before: Iterable[Decoded], number: int) -> int | None:
        """An argument of a call, 0 for the first, if it is a constant; `before` as in `factor`."""
        return None

    def data_places(self, program: Program, code: Iterable[Decoded]) -> Iterator[tuple[int, int]]:
        """Instructions of a function that access data whose address, or that of its beginning, the
        code holds as a constant: the instruction's address and the data's."""
        return iter(())

    def factor_bytes(self, factor: int) -> int:
        """The significant bytes of a factor, at least 1."""
        return 1

    def pads(self, one: Decoded) -> bool:
        """Whether a compiler fills up with the instruction between code and data."""
        return (one.mnemonic, one.op_str) == ("nop", "")

    def leave(self, program: Program, at: int) -> bytes:
        """The instruction that leaves an execution early, in the place of the one at `at`."""
        raise CyclescopeError(
            f"an execution cannot be left early in code of {self.name}: leave --blocks out",
            code="architecture-leaves-nothing-early",
        )

    def ends_interrupt(self, one: Instruction) -> bool:
        """Whether the instruction returns from an interrupt."""
        return False

    def is_call(self, one: Instruction) -> bool:
        """Whether the instruction calls a function, or enters the kernel."""
        return one.mnemonic in self.calls or one.mnemonic in self.traps


class Described(Protocol):
    """A board, by what it says of its core."""

    @property
    def elf_machine(self) -> int | None: ...
    def describe(self) -> dict[str, Any]: ...


def of_machine(number: int, attributes: bytes | None = None) -> Architecture | None:
    """The architecture of an ELF file of this machine with these attributes; None: no one's."""
    for some in (_own(), _others()):
        for one in some:
            if one.machine == number and one.owns(attributes):
                return one
    return None


def of_board(board: Described) -> Architecture | None:
    """The architecture of the programs that a board's core executes; None if there is none."""
    if board.elf_machine is None:
        return None
    kind = board.describe()["core"]["kind"]
    named = next((one for one in _own() if kind in one.cores), None)
    return named or of_machine(board.elf_machine)


def known() -> list[str]:
    """The names of all architectures."""
    return [one.name for one in (*_own(), *_others())]


@cache
def _own() -> tuple[Architecture, ...]:
    names = plugins.names("cyclescope.firmware.architectures")
    return tuple(
        plugins.load("cyclescope.firmware.architectures", name).ARCHITECTURE for name in names
    )


def _others() -> Iterator[Architecture]:
    """Those of other packages; looked for only where none of the lab's own fits."""
    from importlib.metadata import entry_points  # reads the metadata of all packages

    for point in entry_points(group=GROUP):
        found = point.load()
        if not isinstance(found, Architecture):
            raise TypeError(f"{point.value} of {GROUP} is no Architecture")
        yield found
