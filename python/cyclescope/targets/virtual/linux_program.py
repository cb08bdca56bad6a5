"""A program of Linux on a virtual board: the system that starts it, as one image for the board."""

from functools import lru_cache
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.linux import System, built, compose
from cyclescope.firmware.linux.whole_image import whole_image
from cyclescope.target.target import Selection
from cyclescope.targets.virtual.board import Board, make_board, read_file

KERNEL = "posix"
"""The firmware's kernel, and the kernel of Linux that has all its calls."""
REALTIME = "realtime"
"""The workload that has kernels of its own."""
PREEMPTION, REALTIME_KERNELS = "CONFIG_PREEMPT", ("realtime", "voluntary", "full")
"""The kernel's option for its model of preemption, and the kernels that its values mean."""
START_S = 30.0
"""Longest wait of the board's time for the first program; it comes within 3 s."""
TREE = """
/ { aliases { /delete-property/ serial1; serial0 = &usart1; }; };
&usart0 { status = "disabled"; };
"""
"""The wire's line is left to the program; the console has the other one."""
INTERRUPT = """
/ {
    interrupt-response@3fff8000 {
        compatible = "cyclescope,interrupt-response";
        reg = <0x3fff8000 8>;
        interrupts = <1 1 7>;
    };
};
"""
"""The interrupt of software, by its rising edge and of highest priority, and the timer to note."""
VARIABLES = {"SYSTEM_TICKS": "jiffies"}
REALTIME_VARIABLES = {
    "SYSTEM_TICK_TIME": "last_jiffies_update",
    "SYSTEM_INTERRUPT": "at91x40_interrupt",
}
"""The kernel's variables whose addresses the program finds in its environment."""
PAGE = 4096
USER_MODE, MODES = 0x10, 0x1F
LOOK_INSTRUCTIONS, LOOKS = 20, 100_000


def configuration(selection: Selection) -> Selection:
    """Returns the selection with its code in RAM, where Linux loads programs.

    Refuses layouts, fragments and options, which a built system does not have; real-time figures
    have the options.
    """
    options = selection.options if selection.workload != REALTIME else ()
    if selection.fragment or selection.layout or options:
        raise CyclescopeError(
            "programs of Linux have no fragments, layouts or options of the kernel: leave "
            "--layouts and --option out, and time code of your own with --kernel bare",
            code="linux-has-no-such-image",
        )
    return selection if "code" in selection.settings else selection.having({"code": "ram"})


def system_image(chosen: Configuration, elf: Path) -> bytes:
    """Returns the image, an ELF file, of a system whose first program is `elf`.

    It has the code and the symbols of kernel and program where they run.
    """
    rom_waits, ram_waits = (int(chosen.value(one) or 0) for one in ("romwaits", "ramwaits"))
    system = system_of(elf, rom_waits, ram_waits, kernel_of(chosen))
    base = _base(_started(chosen.board, system), elf)
    vmlinux, program = read_file(system.kernel.vmlinux), read_file(elf)
    return whole_image(system.loads, vmlinux, program, base)


def kernel_of(chosen: Configuration) -> str:
    """The kernel of Linux that a selection means."""
    if chosen.workload != REALTIME:
        return KERNEL
    return REALTIME_KERNELS[dict(chosen.options).get(PREEMPTION, 0)]


def system_of(elf: Path, rom_waits: int, ram_waits: int, kernel: str = KERNEL) -> System:
    """Composes the system. Its program finds addresses of the kernel's variables in the
    environment."""
    found = built()
    vmlinux = found.kernel(kernel).vmlinux
    realtime = kernel != KERNEL
    wanted = VARIABLES | (REALTIME_VARIABLES if realtime else {})
    variables = [f"{name}={_address_of(it, vmlinux):x}" for name, it in wanted.items()]
    return compose(
        found,
        preemption=kernel,
        arguments=" ".join(["console=ttyS0,115200 quiet", *variables]),
        programs={"/init": elf},
        folders=("/dev/shm",),
        tree=TREE + (INTERRUPT if realtime else ""),
        rom_waits=rom_waits,
        ram_waits=ram_waits,
        alone=True,
    )


@lru_cache
def _address_of(symbol: str, elf: Path) -> int:
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        found = table.get_symbol_by_name(symbol)
    if not found:
        raise CyclescopeError(
            f"the kernel {elf.parent.name} has no {symbol}: run make linux, then this again",
            code="linux-kernel-too-old",
        )
    return int(found[0]["st_value"])


def _started(board: str, system: System) -> Board:
    """A board on which the program has begun to listen and executes its own code."""
    made = make_board(board)
    system.load(made)
    wire = boards.require(boards.firmware_of(board).wire, board, "wire")
    made.run(cycles=round(START_S * made.core_hz), stop_on_bytes=wire.by)
    if made.receive(wire.by):
        for _ in range(LOOKS):
            if made.registers()["cpsr"] & MODES == USER_MODE:
                return made
            made.run(instructions=made.instructions + LOOK_INSTRUCTIONS)
    said = bytes(value & 0xFF for _, value in made.receive("usart1.txd"))
    lines = said.decode(errors="replace").strip().splitlines()
    raise CyclescopeError(
        f"the program never began to listen under Linux ({lines[-1] if lines else 'no message'}): "
        "run make linux, then this again",
        code="linux-program-not-started",
    )


def _base(board: Board, elf: Path) -> int:
    """Where the system has put address 0 of the program that executes now."""
    with elf.open("rb") as file:
        text = ELFFile(file).get_section_by_name(".text")
        assert text is not None
        begin, code = int(text["sh_addr"]), text.data()
    at = board.registers()["r15"]
    for base in range(at - at % PAGE, at - len(code) - begin - PAGE, -PAGE):
        if board.read_memory(base + begin, len(code)) == code:
            return base
    raise CyclescopeError(
        "the program is not where it executes: it changes its own code", code="linux-program-lost"
    )
