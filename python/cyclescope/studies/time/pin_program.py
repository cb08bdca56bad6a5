"""The program of a recording: what a board runs while something records its pin.

It is the program that the virtual board runs too (firmware/workloads/recording): the points of each
plan in their order, again and again. Beside it stands what a recording of it is read by.
"""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from cyclescope.errors import CyclescopeError, unwritable
from cyclescope.firmware import boards, build
from cyclescope.firmware.build import Built
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.record import Record
from cyclescope.results import TimedFragment
from cyclescope.studies.time.experiment_design import (
    MeasuringPlace,
    TimeOptions,
    design_experiment,
)
from cyclescope.target.case import Case
from cyclescope.target.conditions import RECORDED_TARGET, Conditions
from cyclescope.target.target import Selection
from cyclescope.targets.virtual.board import code_fetches, make_board
from cyclescope.targets.virtual.clocks import PIN_TIMER
from cyclescope.targets.virtual.configuration import configuration

WORKLOAD = "recording"
COUNTS_HZ = 1_000_000_000
"""Times of a recording are kept in ns of the board's own second."""
DESCRIPTION, IMAGE, HEX = "program.json", "program.elf", "program.hex"


class PinProgram(Record):
    """A program that was written for a board: its conditions, plans and pins."""

    format: Literal["cyclescope pin program"] = "cyclescope pin program"
    version: Literal[1] = 1
    conditions: Conditions
    fragment: TimedFragment
    cases: tuple[Case, ...]
    pin: str
    reference: str

    @property
    def pulses(self) -> int:
        """Pulses of one repetition: each point of each plan once."""
        return sum(len(plan.points) for plan in self.fragment.plans)


def write_program(
    selection: Selection, source: FragmentSource, options: TimeOptions, folder: Path
) -> PinProgram:
    """Builds the program of a fragment and writes image, HEX file and description into a folder.

    Raises CyclescopeError if the board has no second pin with a reference, or nothing can be built
    or written.
    """
    selection = selection.having({"timer": PIN_TIMER})
    firmware = boards.firmware_of(selection.board)
    if firmware.pin is None or firmware.reference is None:
        raise CyclescopeError(
            f"{selection.board} has no pin with a second of its timer, which a recording needs: "
            "choose --board atmega2560",
            code="board-without-reference-pin",
        )
    fetches = code_fetches(make_board(selection.board), str(selection.value("code")))
    place = MeasuringPlace(noisy=True, fetches=fetches, recorded=True)
    fragment = design_experiment(source, place, options).fragment
    plans = tuple((plan.name, plan.points) for plan in fragment.plans)
    parameters = (("MEASUREMENTS", "_".join(str(len(points)) for _, points in plans)),)
    chosen = configuration(replace(selection, fragment=replace(source, plans=plans)))
    built = build.build(replace(chosen, workload=WORKLOAD, parameters=parameters))
    program = PinProgram(
        conditions=_conditions(selection, built),
        fragment=fragment,
        cases=tuple(
            Case(name=plan.case, call=source.call or "EXECUTE", condition="", library="fragment")
            for plan in fragment.plans
        ),
        pin=firmware.pin,
        reference=firmware.reference,
    )
    _write(program, built, folder)
    return program


def _conditions(selection: Selection, built: Built) -> Conditions:
    board = make_board(selection.board)
    core_hz = built.facts.core_hz
    assert core_hz is not None, "boards with a reference have a fixed clock"
    return Conditions(
        target=RECORDED_TARGET,
        real=bool(board.describe()["real"]),
        core_hz=core_hz,
        timer=PIN_TIMER,
        timer_hz=COUNTS_HZ,
        fetches=code_fetches(board, built.facts.code),
        image_sha256=built.sha256,
        **built.facts.conditions,
    )


def _write(program: PinProgram, built: Built, folder: Path) -> None:
    compiler = built.facts.compiler.partition(" ")[0]
    copy = [compiler.replace("gcc", "objcopy"), "-O", "ihex", str(built.elf), str(folder / HEX)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built.elf, folder / IMAGE)
        (folder / DESCRIPTION).write_text(program.model_dump_json(indent=2) + "\n")
        subprocess.run(copy, check=True, capture_output=True)
    except OSError as error:
        raise CyclescopeError(unwritable(folder, error), code="cannot-write") from None


def read_description(path: Path) -> PinProgram:
    """Reads program.json, or that of a folder. Raises CyclescopeError if there is none."""
    path = path / DESCRIPTION if path.is_dir() else path
    try:
        return PinProgram.model_validate_json(path.read_text())
    except OSError as error:
        raise CyclescopeError(
            f"{path} cannot be read: {error.strerror}", code="cannot-read"
        ) from None
    except (ValidationError, UnicodeDecodeError):
        raise CyclescopeError(
            f"{path} does not describe a program of a recording: give the folder that "
            "cyclescope time --program FOLDER has written",
            code="no-description-of-program",
        ) from None
