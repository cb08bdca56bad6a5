"""Conditions and provenance in words, the same in every report: no figure stands without them."""

from cyclescope.conditions import Conditions
from cyclescope.study import Characterization


def headline(found: Characterization) -> list[tuple[str, str]]:
    """What a reader must know before the first figure."""
    lines = under(found.conditions)
    technique = ("technique", f"{found.technique}: {found.technique_sentence}")
    return [*lines[:-1], technique, lines[-1]]


def under(conditions: Conditions) -> list[tuple[str, str]]:
    """The conditions that tell most; the image last."""
    return [
        ("board", _board(conditions)),
        ("clock", _clock(conditions)),
        ("memory", _memory(conditions)),
        ("compiler", _compiler(conditions)),
        ("kernel", f"{conditions.kernel} {conditions.kernel_version}"),
        ("image", f"SHA-256 {conditions.image_sha256[:16]}…"),
    ]


def _board(conditions: Conditions) -> str:
    declared = "" if conditions.real else ", declared: there is no such hardware"
    extra = (
        f"; not on the part: {', '.join(conditions.not_on_part)}" if conditions.not_on_part else ""
    )
    return f"{conditions.board} ({conditions.target}){declared}{extra}"


def _clock(conditions: Conditions) -> str:
    return (
        f"core {_megahertz(conditions.core_hz)}, peripherals {_megahertz(conditions.pclk_hz)}; "
        f"timer {conditions.timer} at {_megahertz(conditions.timer_hz)}"
    )


def _megahertz(frequency_hz: int) -> str:
    return f"{frequency_hz / 1e6:g} MHz"


def _memory(conditions: Conditions) -> str:
    settings = [f"{name.upper()} {value}" for name, value in conditions.memory.items()]
    return ", ".join([f"code in {conditions.code}", conditions.isa, *settings])


def _compiler(conditions: Conditions) -> str:
    telling = [flag for flag in conditions.flags if flag.startswith(("-O", "-m", "-f"))]
    return " ".join([conditions.compiler, conditions.compiler_version, *telling])


def among(found: Characterization, names: tuple[str, ...]) -> str:
    """The cases something concerns, in as few words as they allow."""
    return "every case" if len(names) == len(found.cases) else ", ".join(names)


MEANING = (
    "Net cycles are the mean of the real calls less the mean of the empty calls. The interval "
    "covers that mean over the samples of this one image; another layout of the same code may "
    "differ. The maximum is the longest seen: it bounds nothing."
)
