"""Conditions and provenance as text, the same in every report: no figure stands without them."""

from cyclescope.target.conditions import RECORDED_TARGET, Conditions


def machine_text(conditions: Conditions) -> str:
    """Describes the machine and its permissions, in the order of the conditions."""
    named = ((name.replace("_", " "), value) for name, value in conditions.machine.items())
    return "; ".join(f"{name}: {value}" for name, value in named)


def brief(conditions: Conditions) -> str:
    """The conditions in one line: board, clock, memory, compiler."""
    levels = [flag for flag in conditions.flags if flag.startswith("-O")]
    return "; ".join(
        [
            f"{conditions.board} ({conditions.target}) at {_megahertz(conditions.core_hz)}",
            _memory(conditions),
            " ".join([conditions.compiler, *levels[-1:]]),
            f"image {conditions.image_sha256[:8]}…",
        ]
    )


def under(conditions: Conditions) -> list[tuple[str, str]]:
    """The most important conditions; the image last."""
    return [
        ("board", _board(conditions)),
        ("clock", _clock(conditions)),
        ("memory", _memory(conditions)),
        ("compiler", _compiler(conditions)),
        ("kernel", _kernel(conditions)),
        *([("library", conditions.c_library)] if _has_library_cases(conditions) else []),
        *([("energy", conditions.energy.sentence)] if conditions.energy else []),
        *([("footprint", conditions.footprint.sentence)] if conditions.footprint else []),
        ("image", f"SHA-256 {conditions.image_sha256[:16]}…"),
    ]


def brief_lines(conditions: Conditions) -> list[tuple[str, str]]:
    """Conditions in a line each, with the compiler's optimisation as its only option."""
    level = [flag for flag in conditions.flags if flag.startswith("-O")]
    compiler = " ".join([conditions.compiler, conditions.compiler_version, *level])
    return [(name, compiler if name == "compiler" else text) for name, text in under(conditions)]


def _board(conditions: Conditions) -> str:
    declared = "" if conditions.real else ", declared: there is no such hardware"
    extra = (
        f"; not on the part: {', '.join(conditions.not_on_part)}" if conditions.not_on_part else ""
    )
    return f"{conditions.board} ({conditions.target}){declared}{extra}"


def _clock(conditions: Conditions) -> str:
    devices = f", peripherals {_megahertz(conditions.pclk_hz)}" if conditions.pclk_hz else ""
    timer = f"timer {conditions.timer} at {_megahertz(conditions.timer_hz)}"
    if conditions.target == RECORDED_TARGET:
        timer = f"{conditions.timer} timed by its recording, in seconds of the board's own timer"
    return f"core {_megahertz(conditions.core_hz)}{devices}; {timer}"


def _kernel(conditions: Conditions) -> str:
    options = (f"{name}={value}" for name, value in conditions.kernel_options.items())
    return ", ".join([f"{conditions.kernel} {conditions.kernel_version}", *options])


def _has_library_cases(conditions: Conditions) -> bool:
    return conditions.kernel == "bare" and conditions.fragment is None


def _megahertz(frequency_hz: int) -> str:
    return f"{frequency_hz / 1e6:g} MHz"


def _memory(conditions: Conditions) -> str:
    settings = [f"{name.upper()} {value}" for name, value in conditions.memory.items()]
    return ", ".join([f"code in {conditions.code}", conditions.isa, *settings])


def _compiler(conditions: Conditions) -> str:
    return " ".join([conditions.compiler, conditions.compiler_version, *flags(conditions)])


def flags(conditions: Conditions) -> list[str]:
    """The compiler's options that make other code."""
    return [flag for flag in conditions.flags if flag.startswith(("-O", "-m", "-f"))]
