"""Memories and buses of a board, as the analytic way times them.

Places and cycles come from the board's file, what its user sets from the image's conditions. Names
of parts are those of the file's energy table: `memory.<name>`, `bus.<name>`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.program import Program

WORD_BYTES = 4
VECTORS = "vectors"
"""The symbol of the image's vectors, and the name of the window that shows them at address 0."""
ACCELERATOR = "mam_lpc2000"


class Accelerator(NamedTuple):
    """How the accelerator before a flash is set: MAMCR and MAMTIM."""

    mode: int
    read_cycles: int


class Region(NamedTuple):
    """Addresses from `base` to before `end`. A transfer of up to `transfer_bytes` takes
    `cycles`; a memory with an accelerator is timed by that."""

    part: str
    base: int
    end: int
    cycles: int = 1
    transfer_bytes: int = WORD_BYTES
    accelerator: Accelerator | None = None

    def access_cycles(self, size_bytes: int) -> int:
        """Of an access of so many bytes."""
        return self.cycles * -(-size_bytes // self.transfer_bytes)


NOTHING = Region("", 0, 0)


@dataclass(frozen=True)
class MemoryMap:
    """The regions of a board, those that lie over others first."""

    regions: Sequence[Region]
    linked_at: int = 0
    """Where the image has what is shown from address 0 on."""
    shown_bytes: int = 0
    _found: dict[int, Region] = field(default_factory=dict, compare=False)

    def at(self, address: int) -> Region:
        """The region of an address."""
        there = self._found.get(address)
        if there is None:
            inside = (one for one in self.regions if one.base <= address < one.end)
            there = self._found[address] = next(inside, NOTHING)
        return there

    def linked(self, address: int) -> int:
        """The address at which the image has what the core sees at this one."""
        return address + self.linked_at if address < self.shown_bytes else address

    @property
    def accelerator(self) -> Accelerator | None:
        """That of the board's flash, if there is one."""
        return next((one.accelerator for one in self.regions if one.accelerator), None)


def memory_map(
    described: Mapping[str, Any], settings: Mapping[str, int], program: Program
) -> MemoryMap:
    """The map of a board's file; `settings` are the conditions' own of the board."""
    memories = [_memory(one, settings, described["name"]) for one in described["memory"]]
    linked_at = program.symbols[VECTORS]
    shown = _shown(described, memories, linked_at)
    return MemoryMap(
        (*shown, *memories, *_buses(described)),
        linked_at if shown and linked_at >= shown[0].end else 0,
        shown[0].end if shown else 0,
    )


def _shown(
    described: Mapping[str, Any], memories: Sequence[Region], linked_at: int
) -> list[Region]:
    """The memory in the window at address 0: that which the vectors are linked into. Where no
    memory lies there the window itself is meant, at its last level."""
    window = next((one for one in described.get("remap", ()) if one["base"] == 0), None)
    if window is None:
        return []
    last = f"memory.{max(window['select'], key=lambda one: one['level'])['memory']}"
    linked = [one for one in memories if one.base <= linked_at < one.end]
    there = linked or [one for one in memories if one.part == last]
    end = min(window["size"], there[0].end - there[0].base)
    return [there[0]._replace(base=0, end=end)]


def _memory(memory: Mapping[str, Any], settings: Mapping[str, int], board: str) -> Region:
    name, timing = memory["name"], memory.get("timing", {})
    plain = Region(f"memory.{name}", memory["base"], memory["base"] + memory["size"])
    if timing.get("kind") == ACCELERATOR:
        if not {"mam", "mamtim"} <= settings.keys():
            raise _no_rule(board, name, "settings mam and mamtim")
        return plain._replace(accelerator=Accelerator(settings["mam"], settings["mamtim"]))
    waits = settings.get(f"{name}waits", memory["s_wait"])
    if f"{name}waits" not in settings and (timing or memory["n_wait"] != waits):
        raise _no_rule(board, name, f"setting {name}waits")
    width = timing.get("width", memory["width"])
    return plain._replace(cycles=memory.get("cycles", 1) + waits, transfer_bytes=width // 8)


def _no_rule(board: str, memory: str, lacking: str) -> CyclescopeError:
    return CyclescopeError(
        f"the analytic model of a switch cannot time the memory {memory} of {board} without the "
        f"{lacking}: add that to its board file, or choose another board",
        code="switch-of-other-chip",
    )


def _buses(described: Mapping[str, Any]) -> Iterator[Region]:
    """The devices, each as far as its bus; the peripheral clock is that of the core."""
    cycles = {one["name"]: one["cycles"] + one["pclk_cycles"] for one in described["bus"]}
    for device in described["device"]:
        for place in device["maps"]:
            base, bus = place["base"], place["bus"]
            yield Region(f"bus.{bus}", base, base + place["size"], cycles[bus])
