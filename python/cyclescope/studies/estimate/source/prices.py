"""Costs of each kind of work on a board: coefficients that were fitted once, and how sure."""

from collections.abc import Mapping
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.configuration import Configuration
from cyclescope.record import Record

FOLDER = Path(__file__).parent / "coefficients"
IN_RAM = {"lab": "ram"}
"""Settings of `code` whose memory is RAM without waits."""


class SourcePrices(Record):
    """Cycles of each kind of work in one configuration."""

    configuration: str
    """Board, memory, instruction set and level."""
    compiler: str
    """The compiler of the target that the training programs were built with."""
    programs: tuple[str, ...]
    equations: int
    """Functions of these programs, whose true cycles were fitted."""
    mean_error: float
    greatest_error: float
    """Of own cycles of programs whose family was left out of the fit; parts of the truth."""
    left_out: Mapping[str, float]
    """Cycles of each of these programs, by prices that were fitted without its family."""
    interval: float
    """The factor on own cycles so that nine of ten estimates hold the whole truth.

    It comes from training programs, each without its family, and from opened ones that fit nothing.
    """
    cycles: Mapping[str, float]
    trained: tuple[str, ...]
    """The kinds of work that a training program had; the others cost what is expected of them."""
    nanojoules_a_cycle: float
    nanojoules_spread: float
    """The greatest deviation of a training program from this mean, as a part of it."""

    @property
    def isa(self) -> str:
        """The instruction set: `arm` or `thumb`."""
        return self.configuration.split()[-2]

    def priced(self, work: Mapping[str, float]) -> float:
        """The cycles of some work."""
        return sum(times * self.cycles.get(kind, 0.0) for kind, times in work.items())

    def unseen(self, work: Mapping[str, float]) -> list[str]:
        """The kinds of work that no training program had."""
        return sorted(kind for kind in work if kind not in self.trained)


def name_of(configuration: Configuration, level: str) -> str:
    """The name of a configuration's coefficients: `lpc2148-lab flash mam2 thumb O2`."""
    code = str(configuration.value("code"))
    parts = [boards.name_of(configuration.board), IN_RAM.get(code, code)]
    if code == "flash" and configuration.value("mam") is not None:
        parts.append(f"mam{configuration.value('mam')}")
    return " ".join((*parts, str(configuration.value("isa")), level))


def file_of(configuration: str) -> Path:
    """Where the coefficients of a configuration are."""
    return FOLDER / f"{configuration.replace(' ', '-')}.json"


def prices(configuration: str) -> SourcePrices:
    """The coefficients shipped for a configuration: `lpc2148-lab ram arm O2`."""
    file = file_of(configuration)
    if not file.is_file():
        raise CyclescopeError(
            f"no coefficients are shipped for {configuration}: estimate by --way blocks, or fit "
            "them (make source-prices)",
            code="no-source-prices",
        )
    return SourcePrices.model_validate_json(file.read_text())
