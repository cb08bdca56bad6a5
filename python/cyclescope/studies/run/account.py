"""Where the energy of a whole run goes: by part of the board, by task or mode, by function."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from cyclescope.firmware.architecture import of_board
from cyclescope.firmware.program import Program
from cyclescope.firmware.structures import structures
from cyclescope.targets.virtual.board import Board

CURRENT_TASK = "pxCurrentTCB"
"""Where FreeRTOS keeps the address of the running task's control block."""
TASK_CONTROL_BLOCK, TASK_NAME = "tskTaskControlBlock", "pcTaskName"
LONGEST_NAME_BYTES = 32


class Account:
    """A power meter over a run, and what it shows in the end; `elf` names functions and tasks."""

    def __init__(self, board: Board, elf: bytes | None) -> None:
        self._board = board
        self._elf = elf
        self._program = Program(elf) if elf else None
        self._architecture = of_board(board)
        functions = self._program.functions if self._program else []
        symbols = self._program.symbols if self._program else {}
        board.meter(
            places=[function.address for function in functions],
            current_task=symbols.get(CURRENT_TASK),
        )

    def document(self) -> dict[str, Any]:
        """All of it in femtojoules; parts, spenders and functions each add up to the total."""
        accounts = self._board.spent()
        parts = [sum(column) for column in zip(*(what[2] for _, what in accounts), strict=True)]
        named = zip(self._board.energy_parts(), parts, strict=True)
        return {
            "total_fj": sum(parts),
            "capacitive_fj": sum(what[1] for _, what in accounts),
            "parts_fj": {name: energy_fj for name, energy_fj in named if energy_fj},
            "spenders": _shares(
                (self._spender(mode, task), what) for (mode, task, _), what in accounts
            ),
            "functions": _shares((self._place(place), what) for (_, _, place), what in accounts),
        }

    def _place(self, address: int) -> str:
        return self._program.function_at(address).name if self._program else "the program"

    def _spender(self, mode: int, task: int) -> str:
        known = self._architecture
        if known and mode in known.task_modes and task:
            return f"task {self._task_name(task) or f'at {task:#010x}'}"
        return known.modes.get(mode, f"mode {mode:#x}") if known else f"mode {mode:#x}"

    @cached_property
    def _name_offset(self) -> int | None:
        """Where in a task's control block its name is, from the image's debugging information."""
        known = structures(self._elf, "tasks.c", [TASK_CONTROL_BLOCK]) if self._elf else {}
        block = known.get(TASK_CONTROL_BLOCK)
        return block.fields.get(TASK_NAME) if block else None

    def _task_name(self, block: int) -> str:
        if self._name_offset is None:
            return ""
        at = block + self._name_offset
        name = self._board.read_memory(at, LONGEST_NAME_BYTES).split(b"\0")[0]
        return name.decode("ascii", errors="replace")


def _shares(spent: Iterable[tuple[str, tuple[int, int, list[int]]]]) -> list[dict[str, Any]]:
    """By name, the greatest first."""
    cycles: Counter[str] = Counter()
    energies_fj: Counter[str] = Counter()
    for name, (some_cycles, _, parts) in spent:
        cycles[name] += some_cycles
        energies_fj[name] += sum(parts)
    return [
        {"name": name, "cycles": cycles[name], "energy_fj": energy_fj}
        for name, energy_fj in energies_fj.most_common()
    ]
