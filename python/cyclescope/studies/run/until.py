"""Conditions that end a run, and the exit code when one of them did."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cyclescope.errors import CyclescopeError, shortened
from cyclescope.studies.run.addresses import address
from cyclescope.targets.virtual.board import Image, Stop

DEFAULT_BOUND_CYCLES = 1_000_000_000
LARGEST_COUNT = 2**63 - 1

EXIT_BOUND = 124  # as timeout(1)
EXIT_FAULT = 125


@dataclass
class Until:
    """Where a run ends: parsed `--until` conditions, all bounded."""

    cycles: int = DEFAULT_BOUND_CYCLES
    cycles_given: bool = False
    instructions: int | None = None
    pcs: dict[int, str] = field(default_factory=dict)
    exit: bool = False

    @property
    def has_condition(self) -> bool:
        """Whether something besides the number of cycles is to end the run."""
        return bool(self.pcs or self.instructions is not None or self.exit)


def parse(conditions: Iterable[str], image: Image | None) -> Until:
    """Parses `--until`; symbols are those of the image."""
    until = Until()
    for condition in conditions:
        kind, _, value = condition.partition("=")
        if kind == "pc":
            until.pcs[address(value, "--until pc")] = condition
        elif kind == "symbol":
            until.pcs[_symbol(image, value)] = condition
        elif kind == "cycles":
            until.cycles, until.cycles_given = _count(kind, value), True
        elif kind == "instructions":
            until.instructions = _count(kind, value)
        elif condition == "exit":
            until.exit = True
        else:
            raise CyclescopeError(
                f"--until {shortened(condition)} is not a condition: use pc=ADDRESS, symbol=NAME, "
                "cycles=N, instructions=N or exit",
                code="not-a-condition",
            )
    return until


def _count(kind: str, value: str) -> int:
    digits = value.replace("_", "").lstrip("0") or value[:1]
    too_long = len(digits) > len(str(LARGEST_COUNT))
    if too_long or not digits.isdecimal() or int(digits) > LARGEST_COUNT:
        raise CyclescopeError(
            f"--until {kind}={shortened(value)} is not a count: write a whole number from 0 to "
            f"{LARGEST_COUNT}",
            code="not-a-count",
        )
    return int(digits)


def _symbol(image: Image | None, name: str) -> int:
    if image is None:
        raise CyclescopeError(
            "--until symbol=… needs an image with symbols: give --image FILE.elf",
            code="image-without-symbols",
        )
    if name not in image.symbols:
        raise CyclescopeError(
            f"the image has no symbol {name}: list them with nm", code="no-such-symbol"
        )
    return image.symbols[name][0]


def exit_code(stop: Stop, until: Until) -> int:
    """Of the program: the guest's own after an exit, else by what ended the run."""
    if stop["reason"] == "semihosting-exit":
        return (stop["exit_code"] or 0) & 0xFF
    if stop["reason"] in ("exception", "no-handler", "asleep", "device-failed"):
        return EXIT_FAULT
    if stop["reason"] == "cycles" and until.has_condition and not until.cycles_given:
        return EXIT_BOUND
    return 0
