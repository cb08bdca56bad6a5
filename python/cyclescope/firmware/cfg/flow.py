"""Where control goes behind one instruction, and the code around it that shows this."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import Decoded
from cyclescope.firmware.program import Function

LOOK_BACK = 12
"""Instructions before a computed jump in which a compiler sets it up."""


class FlowKind(StrEnum):
    """How control leaves a block: it falls through, branches, jumps by table, calls, returns."""

    NEXT = "next"
    TAKEN = "taken"
    COMPUTED = "computed"
    CALL = "call"
    RETURN = "return"


@dataclass(frozen=True)
class Flow:
    """The control transfer of an instruction; `conditional`: else the next one executes.

    `resumes`: where a call comes back to, if not to the instruction behind it.
    """

    kind: FlowKind
    targets: tuple[int, ...] = ()
    conditional: bool = False
    resumes: tuple[int, ...] = ()


class Listing:
    """The instructions of one function by address."""

    def __init__(self, function: Function, code: dict[int, Decoded]) -> None:
        self.function = function
        self._code = code
        self._order = list(code)

    def at(self, address: int) -> Any:
        """The instruction there, as its architecture has decoded it."""
        if address not in self._code:
            raise CyclescopeError(
                f"control goes to {self.place(address)}, where the image has no instruction: "
                "is it data between code? Without --blocks the whole can be timed",
                code="flow-leaves-instructions",
            )
        return self._code[address]

    def goes_on(self, address: int, pads: Callable[[Decoded], bool]) -> bool:
        """Whether code that a call can come back to lies there, and no padding before data."""
        while address in self._code and pads(one := self._code[address]):
            address += one.size
        return address in self._code

    def before(self, one: Decoded) -> Iterator[Any]:
        """The instructions in front of it, nearest first."""
        index = self._order.index(one.address)
        for address in reversed(self._order[max(0, index - LOOK_BACK) : index]):
            yield self._code[address]

    def all(self) -> Iterator[Any]:
        """All instructions, by address."""
        yield from self._code.values()

    def __contains__(self, address: int) -> bool:
        return address in self._code

    def place(self, address: int) -> str:
        """An address as FUNCTION+OFFSET."""
        return f"{self.function.name}+{address - self.function.address:#x}"

    def refuse_table(self, one: Decoded) -> CyclescopeError:
        """Returns the error for a jump by a table of unknown length."""
        return CyclescopeError(
            f"{self.place(one.address)}: a jump by a table whose length no comparison in front of "
            "it shows: time a part of the function without it, or the whole without --blocks",
            code="jump-table-unbounded",
        )

    def refuse(self, one: Decoded, why: str) -> CyclescopeError:
        """Returns the error for code that does not show where control goes."""
        return CyclescopeError(
            f"{self.place(one.address)}: {one.mnemonic} {one.op_str} {why}, so its targets are not "
            "known from the code: time a part of the function without it, or the whole without "
            "--blocks",
            code="targets-not-known",
        )
