"""Objects of a running Linux: what an address belongs to, by the kernel's own structures.

A copy of the RAM at one cycle answers. It is read beside the run and costs no cycle.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from cyclescope.firmware.linux.built import RAM, RAM_END
from cyclescope.firmware.linux.layout import ElfSymbols, KernelLayout
from cyclescope.firmware.linux.ram_copy import LONGEST_LIST, GuestObject, RamCopy
from cyclescope.firmware.linux.serial_buffers import serial_buffers

PAGE = 4096
ALLOCATED = "allocated memory"
KERNEL_STACK_BYTES = 8192
MOST_SEGMENTS = 8
BLOCK_TO_STACK, ONE_TO_STACK = (0x0E1F_0000, 0x080D_0000), (0x0FFF_0000, 0x052D_0000)
"""Masks and values of opcodes: STM with base r13, and STR of one register that moves r13 down."""
ENTRIES = ("__irq_svc", "__irq_usr", "vector_swi", "__und_svc", "__und_usr")
POINTER_FLAGS = 3
"""Low bits of a page's mapping: with one set it is of no file."""


@dataclass(frozen=True)
class LoadedSegment:
    """A segment of a program where the kernel has put it."""

    start: int
    end: int
    linked_at: int


@dataclass(frozen=True)
class GuestProcess:
    """A process: name, kernel stack, segments, and its stack with the heap below it."""

    name: str
    kernel_stack: int
    segments: tuple[LoadedSegment, ...]
    stack: tuple[int, int]


class GuestMemory:
    """The RAM of a running Linux as it stood at one cycle. `programs` are ELF files with symbols by
    their paths in the root file system."""

    def __init__(self, ram: bytes, kernel: KernelLayout, programs: Mapping[str, ElfSymbols]):
        self._ram, self._kernel = RamCopy(ram), kernel
        self._programs = {PurePosixPath(path).name: one for path, one in programs.items()}

    def symbol(self, address: int) -> tuple[str, str] | None:
        """The image (`kernel`, or a process) and the function or object at an address."""
        found = self._kernel.symbols.at(address)
        if found:
            return "kernel", found.name
        for one in self.processes:
            for segment in one.segments:
                if segment.start <= address < segment.end and one.name in self._programs:
                    linked = address - segment.start + segment.linked_at
                    named = self._programs[one.name].at(linked)
                    return one.name, named.name if named else "(no symbol)"
        return None

    def at(self, address: int) -> GuestObject:
        """The object that an address belongs to."""
        place = bisect_right(self._starts, address) - 1
        if place >= 0 and address < self._named[place].end:
            return self._named[place]
        found = self._by_symbol(address) or self._of_process(address) or self._page(address)
        if found.inode is None and found.name == ALLOCATED:
            return next((one for one in self._mapped if one.start <= address < one.end), found)
        return found

    def saves_register(self, address: int) -> bool:
        """Whether the instruction at an address saves registers on a stack: at the begin of a
        function, or at the entry of an exception."""
        opcode = self._ram.word(address)
        pushes = opcode & BLOCK_TO_STACK[0] == BLOCK_TO_STACK[1]
        pushes |= opcode & ONE_TO_STACK[0] == ONE_TO_STACK[1]
        found = self._kernel.symbols.at(address)
        return pushes or (found is not None and found.name in ENTRIES)

    def file_pages(self, size: int, content: bytes) -> list[GuestObject]:
        """Pages that hold a file of this size and content, in the file's order; none without it."""
        pages = [self._page(address) for address in range(RAM, RAM_END, PAGE)]
        by_inode: dict[int, list[GuestObject]] = {}
        for one in pages:
            if (
                one.inode
                and self._ram.word(one.inode + self._kernel.offset("inode.i_size")) == size
            ):
                by_inode.setdefault(one.inode, []).append(one)
        for found in by_inode.values():
            found.sort(key=lambda one: one.file_at or 0)
            held = b"".join(self._ram.bytes(one.start, PAGE) for one in found)[:size]
            if held == content:
                return found
        return []

    def held_by(self, name: str) -> Callable[[int], bool]:
        """Whether an address lies in the segments or the stack of a process."""
        ranges = [
            span
            for one in self.processes
            if one.name == name
            for span in (*((part.start, part.end) for part in one.segments), one.stack)
        ]
        return lambda address: any(start <= address < end for start, end in ranges)

    @cached_property
    def processes(self) -> list[GuestProcess]:
        """All processes that have memory of their own."""
        tasks, first = (
            self._kernel.offset("task_struct.tasks"),
            self._kernel.symbols.named("init_task").start,
        )
        found = []
        for link in self._ram.linked(first + tasks):
            task = link - tasks
            comm = self._ram.bytes(task + self._kernel.offset("task_struct.comm"), 16)
            name = comm.split(b"\0")[0].decode(errors="replace")
            stack = self._ram.word(task + self._kernel.offset("task_struct.stack"))
            mm = self._ram.word(task + self._kernel.offset("task_struct.mm"))
            found.append(self._process(name, stack, mm))
        return found

    def _process(self, name: str, kernel_stack: int, mm: int) -> GuestProcess:
        if not self._ram.there(mm):
            return GuestProcess(name, kernel_stack, (), (0, 0))
        field = {
            one: self._ram.word(mm + self._kernel.offset(f"mm_struct.{one}"))
            for one in ("start_brk", "start_stack")
        }
        # The map of segments is the second word of the context.
        loadmap = self._ram.word(mm + self._kernel.offset("mm_struct.context") + 4)
        return GuestProcess(
            name,
            kernel_stack,
            tuple(self._segments(loadmap)),
            (field["start_brk"], field["start_stack"] + PAGE & ~(PAGE - 1)),
        )

    def _segments(self, loadmap: int) -> Iterator[LoadedSegment]:
        """The map has its version, a number of segments, and address, linked address and length of
        each (asm/elf.h, linux/elf-fdpic.h)."""
        if not self._ram.there(loadmap):
            return
        count = self._ram.word(loadmap) >> 16
        for number in range(min(count, MOST_SEGMENTS)):
            at = loadmap + 4 + 12 * number
            start, linked_at, length = (self._ram.word(at + 4 * n) for n in range(3))
            yield LoadedSegment(start, start + length, linked_at)

    @cached_property
    def _named(self) -> list[GuestObject]:
        found = [*serial_buffers(self._ram, self._kernel), *self._stacks()]
        found = [one for one in found if one.end > one.start]
        return sorted(found, key=lambda one: one.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self._named]

    def _stacks(self) -> Iterator[GuestObject]:
        for one in self.processes:
            if self._ram.there(one.kernel_stack):
                end = one.kernel_stack + KERNEL_STACK_BYTES
                yield GuestObject(f"kernel stack of {one.name}", one.kernel_stack, end)

    def _by_symbol(self, address: int) -> GuestObject | None:
        found = self._kernel.symbols.at(address)
        if found is None or not found.is_object:
            return None  # code of the kernel's start, whose memory is used again
        return GuestObject(f"kernel: {found.name}", found.start, found.end)

    def _of_process(self, address: int) -> GuestObject | None:
        for one in self.processes:
            for segment in one.segments:
                if segment.start <= address < segment.end:
                    linked = address - segment.start + segment.linked_at
                    symbols = self._programs.get(one.name)
                    named = symbols.at(linked) if symbols else None
                    name = f"{one.name}: {named.name if named else 'data'}"
                    return GuestObject(name, segment.start, segment.end)
            if one.stack[0] <= address < one.stack[1]:
                return GuestObject(f"{one.name}: stack", *one.stack)
        return None

    def _page(self, address: int) -> GuestObject:
        start = address & ~(PAGE - 1)
        pages = self._ram.word(self._kernel.symbols.named("mem_map").start)
        page = pages + (start - RAM) // PAGE * self._kernel.size("page")
        mapping = self._ram.word(page + self._kernel.offset("page.mapping"))
        if mapping & POINTER_FLAGS or not self._ram.there(mapping):
            return GuestObject(ALLOCATED, start, start + PAGE)
        inode = self._ram.word(mapping + self._kernel.offset("address_space.host"))
        # A list of free pieces may stand where other pages have their mapping.
        is_of_file = self._ram.word(inode + self._kernel.offset("inode.i_mapping")) == mapping
        if not self._ram.there(inode) or not is_of_file:
            return GuestObject(ALLOCATED, start, start + PAGE)
        at = self._ram.word(page + self._kernel.offset("page.index")) * PAGE
        return GuestObject("page cache", start, start + PAGE, at, inode)

    @cached_property
    def _mapped(self) -> list[GuestObject]:
        """Memory that programs have mapped, from the kernel's tree of regions."""
        node = self._kernel.symbols.named("nommu_region_tree").start
        found: list[GuestObject] = []
        waiting = [self._ram.word(node)]
        ends = [self._kernel.offset(f"vm_region.{one}") for one in ("vm_start", "vm_end")]
        while waiting and len(found) < LONGEST_LIST:
            node = waiting.pop()
            if self._ram.there(node):
                waiting += [self._ram.word(node + 4), self._ram.word(node + 8)]  # right and left
                region = node - self._kernel.offset("vm_region.vm_rb")
                start, end = (self._ram.word(region + offset) for offset in ends)
                found.append(GuestObject("memory mapped by a program", start, end))
        return found


def symbols_of(programs: Mapping[str, Path]) -> dict[str, ElfSymbols]:
    """The symbols of programs by their paths in the root file system."""
    return {path: ElfSymbols(elf.read_bytes()) for path, elf in programs.items()}
