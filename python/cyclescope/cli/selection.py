"""The options that choose what is measured, shared by the verbs that open a target.

A verb whose function begins with the parameter `selection` and is wrapped in `selecting` has them
all.
"""

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import wraps
from typing import Annotated, Any

import typer

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import kernel_options
from cyclescope.target.target import Selection


class Code(StrEnum):
    """Where the code lies."""

    FLASH = "flash"
    SRAM = "sram"
    LAB = "lab"


class Isa(StrEnum):
    """The instruction set that the firmware is compiled to."""

    ARM = "arm"
    THUMB = "thumb"


class Optimise(StrEnum):
    """How the compiler optimises what is timed."""

    O0 = "O0"
    O1 = "O1"
    O2 = "O2"
    O3 = "O3"
    OS = "Os"
    OG = "Og"


class Timer(StrEnum):
    """The timer that the firmware reads."""

    MEASUREMENT = "measurement"
    TIMER1 = "timer1"
    CYCLE_COUNTER = "cycle_counter"
    CLOCK_GETTIME = "clock_gettime"


BoardOption = Annotated[
    str, typer.Option("--board", help="A board's name, or replay:FOLDER for a recording.")
]
KernelOption = Annotated[str, typer.Option("--kernel", help="The kernel under test.")]
CodeOption = Annotated[Code, typer.Option("--code", help="Memory that holds the code.")]
IsaOption = Annotated[Isa, typer.Option("--isa", help="Instruction set of the firmware.")]
MamOption = Annotated[
    int | None,
    typer.Option("--mam", min=0, max=2, help="Flash accelerator: 0 off, 1 partial, 2 full."),
]
MamtimOption = Annotated[
    int | None,
    typer.Option("--mamtim", min=1, max=7, help="Cycles of a flash read; default: by the clock."),
]
ClockOption = Annotated[
    int, typer.Option("--clock", metavar="MHZ", help="Core clock: 12, 24, 36, 48 or 60 MHz.")
]
VpbdivOption = Annotated[
    int, typer.Option("--vpbdiv", help="Core clock by peripheral clock: 1, 2 or 4.")
]
TimerOption = Annotated[
    Timer, typer.Option("--timer", help="The timer behind the probes; the last two on the host.")
]
ClassOption = Annotated[
    str,
    typer.Option(
        "--class", help="Build the cases of one class only, into an image that is smaller."
    ),
]

LibraryOption = Annotated[
    str,
    typer.Option("--library", help="The C library; on an LPC2148 newlib-nano or picolibc."),
]


OptimiseOption = Annotated[
    Optimise,
    typer.Option("--optimise", help="How the kernel is compiled; cases and harness: O2 always."),
]
KernelOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the kernel, of `cyclescope list options`; may be given again.",
    ),
]


def _select(
    board: BoardOption = "lpc2148",
    kernel: KernelOption = "freertos",
    code: CodeOption = Code.FLASH,
    isa: IsaOption = Isa.ARM,
    mam: MamOption = None,
    mamtim: MamtimOption = None,
    clock_mhz: ClockOption = 60,
    vpbdiv: VpbdivOption = 1,
    timer: TimerOption = Timer.MEASUREMENT,
    cases: ClassOption = "all",
    library: LibraryOption = "",
    optimise: OptimiseOption = Optimise.O2,
    options: KernelOptions = None,
) -> Selection:
    return Selection(
        board=board,
        kernel=kernel,
        code=code.value,
        isa=isa.value,
        mam=mam,
        mamtim=mamtim,
        clock_mhz=clock_mhz,
        vpbdiv=vpbdiv,
        timer=timer.value,
        cases=cases,
        library=library,
        optimise=optimise.value,
        options=kernel_options.parse(kernel, options or ()),
    )


def selecting(
    command: Callable[..., None], usual: Mapping[str, Any] | None = None
) -> Callable[..., None]:
    """The command with the options of `_select` in place of its first parameter, `selection`.

    `usual` are the verb's own defaults for some of them.
    """
    options = {
        name: one.replace(default=(usual or {}).get(name, one.default))
        for name, one in inspect.signature(_select).parameters.items()
    }
    own = list(inspect.signature(command).parameters.values())[1:]

    @wraps(command)
    def selected(**arguments: Any) -> None:
        chosen = {name: arguments.pop(name) for name in options}
        command(_select(**chosen), **arguments)

    parameters = sorted([*options.values(), *own], key=lambda one: one.default is not one.empty)
    selected.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    selected.__annotations__ = {one.name: one.annotation for one in parameters}
    return selected


def reselect(selection: Selection, settings: Mapping[str, str]) -> Selection:
    """The selection with other values of some options, by the options' own names and rules."""
    program = typer.Typer(add_completion=False)
    program.command()(_select)
    parser = typer.main.get_command(program)
    fields = {flag.removeprefix("--"): one.name for one in parser.params for flag in one.opts}
    arguments = [] if "kernel" in settings else [f"--kernel={selection.kernel}"]
    changed = set()
    for key, value in settings.items():
        flag, _, option = key.partition(":")
        if (flag == "option") != bool(option) or flag not in fields or flag == "help":
            known = ", ".join(sorted(fields.keys() - {"help", "option"}))
            raise CyclescopeError(
                f"there is no key {key} of configurations: choose one of {known}, or option:NAME"
            )
        arguments.append(f"--{flag}={option}={value}" if option else f"--{flag}={value}")
        changed.add(fields[flag])
    parsed = parser(arguments, standalone_mode=False)
    values = {name: getattr(parsed, name) for name in changed if name}
    if "options" in values:
        values["options"] = tuple(
            sorted({**dict(selection.options), **dict(parsed.options)}.items())
        )
    return dataclasses.replace(selection, **values)
