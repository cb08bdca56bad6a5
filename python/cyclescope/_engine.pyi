"""The engine, as Python sees it. Addresses and cycles are plain ints; bytes are bytes.

Errors of a board file, an image or an argument raise a
`cyclescope.errors.CyclescopeError`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from cyclescope.device import Device
from cyclescope.targets.virtual.gdb_program import GdbProgram
from cyclescope.targets.virtual.infrared import Infrared
from cyclescope.targets.virtual.stop import Ended, Stop

CONTRACT: int
"""Counts the changes of this file that a lab notices; the lab refuses an engine of another one."""
TRANSLATES: bool
"""Whether hot blocks can become code of this host: the feature `translate`."""

Costs = tuple[int, int, int, int, int]
"""All cycles, by cause. Instructions with every access in one cycle; the excess of fetches of code;
the excess of accesses to data in memories and to devices; sleep."""

Account = tuple[tuple[int, int, int], tuple[int, int, list[int]]]
"""A spender with its cycles, its energy by the law C·V² per cycle, and its energy by part, in
femtojoules. A spender is a mode of the core, a current task, and the first address of the place in
the code."""

class InterruptsOff(TypedDict):
    """The longest interval of a call without interrupts; `begin` is the first instruction in it and
    `end` the first after it. `entered_off`, `returned_off`: it was cut at the call's own ends."""

    entered: int
    cycles: int
    longest_cycles: int
    begin: int
    end: int
    entered_off: bool
    returned_off: bool

class Profile:
    """The profile of a call; its lines are made on request."""

    entered: int
    cycles: int
    def lines(self) -> dict[int, tuple[int, Costs]]:
        """By the address of each instruction, in order, how often it executed and what it spent. An
        interrupt's entry is charged to its vector."""

class Image:
    """A program for a board: ELF segments to load, symbols, entry."""

    @staticmethod
    def from_elf(data: bytes, name: str = "image") -> Image: ...
    entry: int
    segments: list[tuple[int, bytes]]  # load (physical) address, bytes
    symbols: dict[str, tuple[int, int]]  # name -> (address with the Thumb bit cleared, size)
    def address_of(self, symbol: str) -> int: ...

class GdbServer:
    """A port at which one gdb at a time controls a board. Port 0 takes a free one."""

    def __init__(self, host: str, port: int) -> None: ...
    port: int
    def serve(
        self,
        board: Board,
        program: GdbProgram,
        *,
        cycles: int | None = None,
        instructions: int | None = None,
        pcs: Sequence[int] = (),
        stop_on_exception: bool = False,
    ) -> Stop | None:
        """Lets gdb control a board that was reset, within the bounds that `Board.run` has; none is
        needed. Returns the end of the run, or None if gdb has left the board to run on. When gdb
        vanishes, the board waits for another. Ctrl-C is honoured."""

class Board:
    """A virtual board, made from the text of a board file (docs/reference/boards.md)."""

    def __init__(
        self,
        toml: str,
        name: str = "board",
        bases: Mapping[str, str] | None = None,
        make_device: Callable[[Mapping[str, Any]], Device] | None = None,
    ) -> None:
        """`bases` holds the texts of the boards, by name, that this one may extend. `make_device`
        makes a device of the kind `python` from its parameters."""
    name: str
    def describe(self) -> dict[str, Any]:
        """The parsed board file: core, clock, memories, devices, unverified rules."""
    @property
    def elf_machine(self) -> int | None:
        """`e_machine` of the ELF files that its core executes; None if it has none."""
    def fetching(self, memory: str) -> tuple[int | None, int, int]:
        """How code in a memory is fetched, as the memory is set at this moment.

        Returns the bytes of a line (None: it is not read in lines). Then come the cycles by which
        a fetch may differ with those before it, and an instruction with those beside it."""
    # Loading. A loaded image survives reset; `reset` restores every byte as loaded.
    def load(self, image: Image) -> None: ...
    def load_bytes(self, address: int, data: bytes) -> None: ...
    def reset(self, entry: int | None = None) -> None:
        """Power-on state, memories as loaded (zero elsewhere), pipeline filled from `entry`
        (default: the image's entry, else the board's reset address)."""
    # Running.
    def run(
        self,
        *,
        cycles: int | None = None,
        instructions: int | None = None,
        pcs: Sequence[int] = (),
        stop_on_exception: bool = False,
        stop_on_bytes: str | tuple[str, int] | None = None,
    ) -> Stop:
        """Runs until the clock reads `cycles` (absolute) or `instructions` have retired (absolute).
        An address in `pcs` that is about to execute also ends the run. So does a byte that the
        named output has sent (any, or the one that is named beside it). Ctrl-C is honoured."""
    def set_tier(self, tier: Literal["plain", "blocks", "translated"]) -> None:
        """Sets how instructions are executed: one by one, or in decoded blocks. Or, and so it is at
        first, hot blocks run as code of the host, where the engine has such code; else it is as
        blocks. It changes host time and no result."""
    @property
    def instructions_by_tier(self) -> tuple[int, int, int]:
        """How many instructions since the board was made were stepped, ran in blocks, and ran as
        code of the host. Iterations of loops that were skipped are none of them."""
    def set_skipping(self, on: bool) -> None:
        """Sets whether loops that only wait are skipped (they are, unless it is switched off): it
        changes host time and no result."""
    @property
    def skipped_cycles(self) -> int:
        """How many cycles since reset went by in skipped iterations of such loops."""
    @property
    def cycle(self) -> int: ...
    @property
    def instructions(self) -> int: ...
    @property
    def core_hz(self) -> int: ...
    def clock_epochs(self) -> list[tuple[int, int]]:
        """(cycle, core clock in Hz from there on)."""
    def seconds(self, cycle: int) -> float: ...
    # State.
    def registers(self) -> dict[str, int]: ...
    def read_memory(self, address: int, length: int) -> bytes: ...
    def write_memory(self, address: int, data: bytes) -> None: ...
    # Wires: `device.signal`, as in the board file.
    def send(self, input: str, data: bytes) -> None:
        """Queues bytes that a peer sends back to back from now on, at the line's own rate."""
    def waiting(self, input: str) -> int:
        """Bytes that wait to be sent into an input."""
    def receive(self, output: str) -> list[tuple[int, int]]:
        """Takes what the output has sent since: (cycle, value)."""
    def drive(self, input: str, level: int, at: int | None = None) -> None:
        """Sets an input of a device, or `core.irq`/`core.fiq`, from outside, now or at a
        cycle to come."""
    def level(self, output: str) -> int:
        """Level of an output of a device now."""
    def signals(self) -> tuple[list[str], list[str]]:
        """Names of all outputs of devices, then of all inputs of devices and of the board."""
    # Instruments.
    def record(self, signals: Sequence[str]) -> None:
        """Records changes of these outputs and inputs, beside all other instruments; `watch`
        detaches it."""
    def take_recorded(self) -> list[tuple[int, str, int]]:
        """(cycle, signal, level or value sent), in order."""
    def watch(
        self,
        executed: Sequence[int] = (),
        accessed: Sequence[int] = (),
        signals: Sequence[str] = (),
    ) -> None:
        """Attaches the truth: records the cycle at which these addresses execute or are
        accessed and at which these outputs of devices change."""
    def take_executed(self) -> list[tuple[int, int]]:
        """(cycle, address), in order; the cycle is that of the boundary before the instruction."""
    def take_accessed(self) -> list[tuple[int, int, int, bool]]:
        """(cycle, address, value, is_write), in order; the cycle is that at which the
        access completed."""
    def take_changes(self) -> list[tuple[int, str, int]]:
        """(cycle, output, level or value sent), in order."""
    # Instruments that look into calls. A call begins when `entry` executes after `start` has,
    # and ends when `returned` does. They work beside all others; `watch` detaches them.
    def profile(self, start: int, entry: int, returned: int) -> None:
        """Attaches a profiler, which makes the run slower and changes nothing in it."""
    def take_profiles(self) -> list[Profile]:
        """Each call since."""
    def watch_interrupts(self, start: int, entry: int, returned: int) -> None:
        """Attaches an instrument that records intervals without normal interrupts:
        the core masked them, or the interrupt controller would have passed none on."""
    def take_interrupts_off(self) -> list[InterruptsOff]:
        """Each call since."""
    def watch_off_intervals(self) -> None:
        """Attaches an instrument for every such interval, anywhere; an interrupt that gets
        through ends one and begins the next."""
    def take_off_intervals(self) -> list[tuple[int, int, int, int]]:
        """(cycle, address) of its begin, then of its end, of each interval that ended since."""
    # Instruments that count, over all that runs. They are attached at any boundary, beside all
    # others, and have a number; `watch` detaches them. A reset lets them count from 0.
    def attach_histogram(self, functions: Sequence[tuple[int, int, bool]] = ()) -> int:
        """Counts cycles and instructions of every instruction. A function is its first address, the
        first behind it, and whether it is a library, which is charged to its caller."""
    def attach_accesses(self, functions: Sequence[tuple[int, int, bool]] = ()) -> int:
        """Counts accesses by function, target, direction and width."""
    def attach_transfers(self) -> int:
        """Counts transfers that devices make by themselves (DMA)."""
    def attach_interrupts(self) -> int:
        """Follows interrupts from request to return."""
    def attach_follow(
        self,
        registers: Sequence[str] = (),
        devices: Sequence[str] = (),
        memory: Sequence[tuple[int, int]] = (),
        capacity: int = 1 << 22,
    ) -> int:
        """Follows bytes and records their copies. A byte arrives by a read of one of the registers
        (`usart1.US_RHR`: the lowest byte), or by a transfer of one of the devices to memory. Each
        byte of the ranges of memory (first address, first behind) arrives when it is read first.
        At most `capacity` copies are kept until `clear`, which keeps the numbers of bytes and
        copies."""
    def attach_stacks(self, functions: Sequence[tuple[int, int, bool]] = ()) -> int:
        """Counts cycles and instructions by the chain of functions that led to them."""
    def counted(self, number: int) -> dict[str, Any]:
        """Returns the counts up to this boundary.

        A histogram: since, until (cycles), and lines of (charged, address, executions, cycles by
        kind). `charged` is the start of a caller, -1 for one that is not known, None for the
        instruction's own function. Kinds: core, stalls of fetches, waits for data in memories, for
        devices, for transfers, entries of exceptions, sleep. Accesses: lines of (function as
        `charged`, None outside all functions; device of a transfer; target; register; direction;
        bytes; accesses; cycles). Transfers and interrupts: as docs/reference/instruments.md has
        them; durations are pairs of cycles and their number. Followed bytes: `bytes` that arrived,
        `copies` from the number `first` on (the first ever is 1), and how many are `lost`. `moving`
        has (address, executions, cycles) of each instruction that passed on such bytes.

        A copy is (byte, from, by, place, address, cycle, value, value on arrival). `from` is the
        number of the copy it was taken from, 0 of an arrival. `by` is the instruction, None of a
        device's transfer. `place` is the register or device, None of memory.

        Stacks: since, until, and nodes of (number of the parent or None, what it is, address or
        None, instructions, cycles, cycles asleep), without what its callees spent. A node is a
        program, interrupt, call, fault, function or no function."""
    def clear(self, number: int) -> None:
        """Lets an instrument count from 0."""
    def detach(self, number: int) -> None: ...
    # Honesty.
    def energy_parts(self) -> list[str]:
        """The names of the parts of every energy: `active`, `stall`, `idle`, `quiescent`, then
        `memory.<name>`, `bus.<name>`, `device.<name>`, and `transfers` of devices by themselves."""
    def meter(
        self,
        places: Sequence[int] | None = None,
        current_task: int | None = None,
        executed: Sequence[int] = (),
        accessed: Sequence[int] = (),
        call: tuple[int, int, int] | None = None,
        functions: Sequence[tuple[int, int, bool]] | None = None,
    ) -> None:
        """Attaches a power meter beside all other instruments; `watch` detaches it.

        A place in the code goes from each of `places` to the next. With `functions`, as for
        `attach_histogram`, each function is one, and 0 is code outside them or of a library whose
        caller is not known. Without both every instruction is one. `current_task` is where the
        kernel keeps the current task's control block. Addresses in `executed` and `accessed`
        trigger readings; `call` (start, entry, returned, as for `profile`) is a call that gets a
        ledger of its own each time."""
    def spent(self) -> list[Account]:
        """The energy spent since the meter was attached or the board reset: one entry for each
        spender."""
    def take_readings(self) -> list[tuple[int, int, int, int, int]]:
        """Takes the readings since: cycle, address, value accessed, and what was spent so far in
        femtojoules: all, and by the law C·V² per cycle."""
    def take_metered_calls(self) -> list[tuple[int, int, list[Account]]]:
        """Takes the calls that have returned since: cycle of entry, cycles, what was spent."""
    def unmodelled(self) -> list[dict[str, Any]]:
        """Requests that the board does not model: {text, address, pc, cycle}, each
        once; address and pc are None when it was no access."""
    def unverified(self) -> list[dict[str, str]]:
        """Timing rules touched since reset that no source confirms: {rule, text}."""
    # Semihosting.
    def enable_semihosting(
        self,
        root: str | None = None,
        stdin: bytes | None = b"",
        file_bytes: int | None = None,
        files: int | None = None,
    ) -> None:
        """The guest's console reads `stdin`; None is the standard input of this process, read when
        the guest asks for it. Its files may grow by `file_bytes` (64 MiB), and it may make `files`
        of them (1,000)."""
    def semihosting_output(self) -> bytes:
        """Takes what the guest has written since. A run ends with the reason "output" when more
        than 1 MiB waits: take it and run on."""

class Pricer:
    """Exact prices of code on the memories of a board file (docs/explanation/prices.md).

    It executes no program and makes no board. Each instruction makes the accesses that its core
    makes. The caller gives what follows from a program's values. Addresses of code have bit 0 set
    in Thumb state. A state is a number for all that the memories remember; 0 is that of memories
    nobody has accessed.
    """

    def __init__(
        self, toml: str, name: str = "board", bases: Mapping[str, str] | None = None, data: int = 0
    ) -> None:
        """Data lie at `data` if their place is not given."""
    def load(self, address: int, data: bytes) -> None:
        """Puts bytes of an image where they are executed and read."""
    def set_register(self, address: int, value: int) -> None:
        """Writes a register of a device, as a program's start does. States but 0 are void then."""
    def place_data(self, instruction: int, address: int, *, around: bool = False) -> None:
        """States where an instruction finds its data: at an address, or near it and never where the
        last such access was."""
    def set_multiplication(self, instruction: int, cycles: int) -> None:
        """States the cycles of the multiplication at an address, 1 to 4; else they are 2."""
    def price(
        self,
        state: int,
        begin: int,
        end: int,
        skipped: Sequence[int] = (),
        target: int | None = None,
    ) -> tuple[int, int]:
        """Cycles of the code from `begin` up to `end`, and the state that it leaves.

        The conditions of the instructions in `skipped` fail, all others hold. `target` is where the
        last instruction branches to, if that is not in its opcode.
        """

class Retrace:
    """The instructions of a path, executed by the core of a board file, without a board.

    The caller states the registers before each, so that no value that a device answered matters.
    Memories and buses answer at once, but where the caller says that they wait.
    """

    def __init__(
        self, toml: str, name: str = "board", bases: Mapping[str, str] | None = None
    ) -> None: ...
    def load(self, address: int, data: bytes) -> None:
        """Puts bytes of the image into memory."""
    def set_waits(self, begin: int, end: int, cycles: int) -> None:
        """Accesses to data from `begin` to before `end` wait so many core cycles. The first of
        overlapping places counts."""
    def flush(self) -> None:
        """The pipeline is empty, as behind an exception's entry or return."""
    def copy(self) -> Retrace:
        """A copy that goes on by itself."""
    def step(
        self, registers: Sequence[int], status: int, following: int
    ) -> tuple[int, list[tuple[int, int, int, bool]], Literal["next", "return", "call"]]:
        """Executes the instruction at register 15; `following` is the next one's address.

        Returns its cycles up to the next boundary, its accesses to data (cycle from the boundary,
        address, bytes, whether it writes), and how it ends.
        """

class Bench:
    """Several boards in lock step over wires and infrared channels (docs/reference/bench.md). They
    share time from their reset on. A wire is (output, input, delay in cycles of the sender); both
    are named `board.device.signal`. No serial wire or channel carries more bits a second than
    `baud`: the slower, the faster the bench runs."""

    def __init__(
        self,
        boards: Sequence[tuple[str, Board]],
        wires: Sequence[tuple[str, str, int]],
        baud: int | None = None,
        infrared: Sequence[Infrared] = (),
    ) -> None: ...
    def reset(self) -> None:
        """Power-on of all boards; nothing is on its way."""
    def run(
        self,
        *,
        until_as: int | None = None,
        cycles: Mapping[str, int] | None = None,
        instructions: Mapping[str, int] | None = None,
        pcs: Mapping[str, Sequence[int]] | None = None,
        stop_on_exception: bool = False,
    ) -> Ended:
        """Runs until all boards have come to a time in attoseconds, or one of them has met a
        condition that is given for it by name. The others then wait where they depend on it. Other
        threads of Python run meanwhile. Ctrl-C is honoured."""
    def positions(self) -> dict[str, int]:
        """Attoseconds since reset of each board at the end of the last run."""
    def take_carried(self) -> list[tuple[int, str, int, int, int, bool]]:
        """Characters that infrared channels carried since the last call and all lines have heard,
        in the order of their beginnings. Each has the channel's index, the line that sent it, and
        the sender's cycles at which it began and ended. Then its value (as `Board.receive`), and
        whether another line heard something else."""
    def remarks(self) -> list[str]:
        """A sentence for each wire whose receiver is set otherwise than its sender."""

class InstructionBench:
    """One instruction on a recording bus, in the words of the public one-instruction vectors.

    `initial` has R (user bank r0-r15, r15 two instructions ahead), R_fiq (r8-r14), R_svc, R_abt,
    R_irq, R_und (r13, r14), CPSR, and SPSR (fiq, svc, abt, irq, und). It has pipeline (two opcodes)
    and access (kind of the next fetch: 1 sequential, 2 code). pipeline_aborted (two flags) may be
    left out.
    """

    def __init__(self, core: str = "arm7tdmi") -> None: ...
    def step(
        self,
        initial: Mapping[str, Any],
        memory: Mapping[int, int],
        *,
        unmapped: int | None = 0,
        irq: bool = False,
        fiq: bool = False,
    ) -> dict[str, Any]:
        """Executes one instruction, or takes the interrupt whose line is set.

        `memory` maps addresses to bytes; where it has none, reads give `unmapped`, or abort if that
        is None. Returns final (as `initial`), transactions, cycles (their number) and memory after
        the instruction. A transaction has kind (0 code read, 1 data read, 2 write, 3 internal),
        size, addr as issued, data and cycle from 1. Then access (1 sequential + 2 code + 8 lock)
        and aborted.
        """

class FlashBench:
    """A flash behind the LPC2000's accelerator, access by access (docs/timing/mam_lpc2000.md).

    Starts with empty buffers. Raises ValueError if `mamcr` is not 0 to 2 or `mamtim` not 1 to 7.
    """

    def __init__(self, *, mamcr: int, mamtim: int) -> None: ...
    def fetch(self, address: int, *, sequential: bool = True, after_break: bool = False) -> int:
        """Cycles of a fetch of an opcode. A fetch `after_break` in the flow is not sequential."""
    def read(self, address: int) -> int:
        """Cycles of a read of data."""
    def wait(self, cycles: int) -> None:
        """Lets cycles go by without an access to the flash."""
    def state(self) -> int:
        """A hash of all that decides the cycles of what follows."""

def decode_arm7tdmi(code: bytes, *, thumb: bool) -> list[str]:
    """Decodes the opcodes of `code`, for tests: each "operation condition flags registers".

    `flags` is "s" or "-"; registers are numbers in the assembler's order, those of a list
    ascending.
    """
