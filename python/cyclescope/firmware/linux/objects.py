"""Objects of a running Linux: what an address belongs to, by the kernel's own structures.

A copy of the RAM at one cycle answers. It is read beside the run and costs no cycle.
"""

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from cyclescope.firmware.linux.built import RAM, RAM_END
from cyclescope.firmware.linux.layout import ElfSymbols, KernelLayout

PAGE = 4096
ALLOCATED = "allocated memory"
KERNEL_STACK_BYTES = 8192
LONGEST_LIST = 1000
"""A list in a copy of memory that is longer was changed while it was copied."""
MOST_SEGMENTS = 8
BLOCK_TO_STACK, ONE_TO_STACK = (0x0E1F_0000, 0x080D_0000), (0x0FFF_0000, 0x052D_0000)
"""Masks and values of opcodes: STM with base r13, and STR of one register that moves r13 down."""
ENTRIES = ("__irq_svc", "__irq_usr", "vector_swi", "__und_svc", "__und_usr")
POINTER_FLAGS = 3
"""Low bits of a page's mapping: with one set it is of no file."""


@dataclass(frozen=True)
class GuestObject:
    """A piece of memory with a name. `file_at` is where a page of a file lies in that file."""

    name: str
    start: int
    end: int
    file_at: int | None = None
    inode: int | None = None


@dataclass(frozen=True)
class LoadedSegment:
    """A segment of a program where the kernel has put it."""

    start: int
    end: int
    linked_at: int


@dataclass(frozen=True)
class Process:
    """A process: name, kernel stack, segments, and its stack with the heap below it."""

    name: str
    kernel_stack: int
    segments: tuple[LoadedSegment, ...]
    stack: tuple[int, int]


class GuestMemory:
    """The RAM of a running Linux as it stood at one cycle. `programs` are ELF files with symbols by
    their paths in the root file system."""

    def __init__(self, ram: bytes, kernel: KernelLayout, programs: Mapping[str, ElfSymbols]):
        self._ram, self._kernel = ram, kernel
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
        opcode = self._word(address)
        pushes = opcode & BLOCK_TO_STACK[0] == BLOCK_TO_STACK[1]
        pushes |= opcode & ONE_TO_STACK[0] == ONE_TO_STACK[1]
        found = self._kernel.symbols.at(address)
        return pushes or (found is not None and found.name in ENTRIES)

    def file_pages(self, size: int, content: bytes) -> list[GuestObject]:
        """Pages that hold a file of this size and content, in the file's order; none without it."""
        pages = [self._page(address) for address in range(RAM, RAM_END, PAGE)]
        by_inode: dict[int, list[GuestObject]] = {}
        for one in pages:
            if one.inode and self._word(one.inode + self._at("inode.i_size")) == size:
                by_inode.setdefault(one.inode, []).append(one)
        for found in by_inode.values():
            found.sort(key=lambda one: one.file_at or 0)
            held = b"".join(self._bytes(one.start, PAGE) for one in found)[:size]
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
    def processes(self) -> list[Process]:
        """All processes that have memory of their own."""
        tasks, first = self._at("task_struct.tasks"), self._kernel.symbols.named("init_task").start
        found = []
        for link in self._list(first + tasks):
            task = link - tasks
            comm = self._bytes(task + self._at("task_struct.comm"), 16)
            name = comm.split(b"\0")[0].decode(errors="replace")
            stack = self._word(task + self._at("task_struct.stack"))
            found.append(self._process(name, stack, self._word(task + self._at("task_struct.mm"))))
        return found

    def _process(self, name: str, kernel_stack: int, mm: int) -> Process:
        if not self._there(mm):
            return Process(name, kernel_stack, (), (0, 0))
        field = {
            one: self._word(mm + self._at(f"mm_struct.{one}"))
            for one in ("start_brk", "start_stack")
        }
        # The map of segments is the first of three words in the context.
        loadmap = self._word(mm + self._at("mm_struct.context") + 4)
        return Process(
            name,
            kernel_stack,
            tuple(self._segments(loadmap)),
            (field["start_brk"], field["start_stack"] + PAGE & ~(PAGE - 1)),
        )

    def _segments(self, loadmap: int) -> Iterator[LoadedSegment]:
        """The map has its version, a number of segments, and address, linked address and length of
        each (asm/elf.h, linux/elf-fdpic.h)."""
        if not self._there(loadmap):
            return
        count = self._word(loadmap) >> 16
        for number in range(min(count, MOST_SEGMENTS)):
            at = loadmap + 4 + 12 * number
            start, linked_at, length = (self._word(at + 4 * n) for n in range(3))
            yield LoadedSegment(start, start + length, linked_at)

    @cached_property
    def _named(self) -> list[GuestObject]:
        found = [*self._of_lines(), *self._stacks()]
        found = [one for one in found if one.end > one.start]
        return sorted(found, key=lambda one: one.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self._named]

    def _stacks(self) -> Iterator[GuestObject]:
        for one in self.processes:
            if self._there(one.kernel_stack):
                end = one.kernel_stack + KERNEL_STACK_BYTES
                yield GuestObject(f"kernel stack of {one.name}", one.kernel_stack, end)

    def _of_lines(self) -> Iterator[GuestObject]:
        """Buffers of the serial lines, from the driver's table of them."""
        table = self._kernel.symbols.named("atmel_ports")
        size = self._kernel.size("atmel_uart_port")
        for number in range((table.end - table.start) // size):
            port = table.start + number * size
            state = self._word(port + self._at("uart_port.state"))
            if self._there(state):
                yield from self._of_line(port, state, f"ttyS{number}")

    def _of_line(self, port: int, state: int, name: str) -> Iterator[GuestObject]:
        at = self._at
        for number in (0, 1):
            buffer = port + at("atmel_uart_port.pdc_rx")
            buffer += number * self._kernel.size("atmel_dma_buffer")
            length = self._word(buffer + at("atmel_dma_buffer.dma_size"))
            start = self._word(buffer + at("atmel_dma_buffer.buf"))
            yield from self._piece(f"{name}: receive buffer of the PDC", start, length)
        ring = self._word(port + at("atmel_uart_port.rx_ring") + at("circ_buf.buf"))
        yield from self._piece(f"{name}: receive ring of the driver", ring, 4 * 1024)
        sent = self._word(state + at("uart_state.xmit") + at("circ_buf.buf"))
        yield from self._piece(f"{name}: transmit ring of the driver", sent, PAGE)
        tty_port = state + at("uart_state.port")
        buffers = tty_port + at("tty_port.buf")
        first = (self._word(buffers + at(f"tty_bufhead.{one}")) for one in ("head", "free"))
        for head in first:
            for buffer in self._chain(head):
                length = self._word(buffer + at("tty_buffer.size"))
                start = buffer + at("tty_buffer.data")
                yield from self._piece(f"{name}: flip buffer", start, 2 * length)
        tty = self._word(tty_port + at("tty_port.tty"))
        if self._there(tty):
            data = self._word(tty + at("tty_struct.disc_data"))
            size = self._kernel.size("n_tty_data")
            yield from self._piece(f"{name}: buffer of n_tty", data, size)
            write = self._word(tty + at("tty_struct.write_buf"))
            length = self._word(tty + at("tty_struct.write_cnt"))
            yield from self._piece(f"{name}: write buffer of the tty", write, length)

    def _piece(self, name: str, start: int, length: int) -> Iterator[GuestObject]:
        if self._there(start) and 0 < length < RAM_END - RAM:
            yield GuestObject(name, start, start + length)

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
        pages = self._word(self._kernel.symbols.named("mem_map").start)
        page = pages + (start - RAM) // PAGE * self._kernel.size("page")
        mapping = self._word(page + self._at("page.mapping"))
        if mapping & POINTER_FLAGS or not self._there(mapping):
            return GuestObject(ALLOCATED, start, start + PAGE)
        inode = self._word(mapping + self._at("address_space.host"))
        # A list of free pieces may stand where other pages have their mapping.
        if not self._there(inode) or self._word(inode + self._at("inode.i_mapping")) != mapping:
            return GuestObject(ALLOCATED, start, start + PAGE)
        at = self._word(page + self._at("page.index")) * PAGE
        return GuestObject("page cache", start, start + PAGE, at, inode)

    @cached_property
    def _mapped(self) -> list[GuestObject]:
        """Memory that programs have mapped, from the kernel's tree of regions."""
        node = self._kernel.symbols.named("nommu_region_tree").start
        waiting, found = [self._word(node)], []
        start, end = self._at("vm_region.vm_start"), self._at("vm_region.vm_end")
        while waiting and len(found) < LONGEST_LIST:
            node = waiting.pop()
            if self._there(node):
                waiting += [self._word(node + 4), self._word(node + 8)]  # right and left
                region = node - self._at("vm_region.vm_rb")
                ends = (self._word(region + start), self._word(region + end))
                found.append(GuestObject("memory mapped by a program", *ends))
        return found

    def _list(self, head: int) -> Iterator[int]:
        link = self._word(head)
        for _ in range(LONGEST_LIST):
            if link == head or not self._there(link):
                return
            yield link
            link = self._word(link)

    def _chain(self, first: int) -> Iterator[int]:
        """A list that ends with a null pointer, linked by its first words."""
        for _ in range(LONGEST_LIST):
            if not self._there(first):
                return
            yield first
            first = self._word(first)

    def _at(self, path: str) -> int:
        return self._kernel.offset(path)

    def _there(self, address: int) -> bool:
        return RAM <= address < RAM_END - 3 and address % 4 == 0

    def _word(self, address: int) -> int:
        if not RAM <= address <= RAM_END - 4:
            return 0
        (word,) = struct.unpack_from("<I", self._ram, address - RAM)
        return int(word)

    def _bytes(self, address: int, length: int) -> bytes:
        return self._ram[address - RAM : address - RAM + length]


def symbols_of(programs: Mapping[str, Path]) -> dict[str, ElfSymbols]:
    """The symbols of programs by their paths in the root file system."""
    return {path: ElfSymbols(elf.read_bytes()) for path, elf in programs.items()}
