"""Conditions: everything that must agree before two runs may stand in the same results."""

import hashlib
import json
from typing import Self

from pydantic import AliasChoices, Field

from cyclescope.firmware.fragment.facts import FragmentFacts
from cyclescope.record import Record
from cyclescope.target.code_fetches import CodeFetches, of_older
from cyclescope.target.energy import EnergyModel
from cyclescope.target.footprint import Footprint

LATER = ("fragment", "machine", "kernel_options")
"""Fields that older results do not have; where they are empty, results old and new agree."""

DERIVED = ("fetches", "footprint")
"""Fields that follow from others: they distinguish no results, and older ones do not have them."""

EXACT_TARGET, RECORDED_TARGET = "virtual", "recording"
OLD_LAYOUT = "layout_offset_bytes"
"""Former name of a layout's number, kept in fingerprints."""


class Layout(Record):
    """One of the images that differ in nothing but where their code lies; 0 is the plain link.

    Older results number them by the offset at which all their code was linked.
    """

    number: int = Field(ge=0, validation_alias=AliasChoices("number", "offset_bytes"))
    image_sha256: str = Field(pattern="^[0-9a-f]{64}$")


class Conditions(Record):
    """Everything that figures depend on: board, clock, compiler … (docs/reference/results.md).

    `target` is the kind of target; `real` says whether a board of this name exists as hardware, and
    `not_on_part` names what this one has beyond it. `memory` holds the board's own settings,
    `kernel_options` those options of the kernel that have not their usual value. `fragment` is
    there if the timed code is the user's own. `machine` is there if the machine has more to do:
    what it is, and what it allowed. `pclk_hz` is the clock of the devices, where there is such a
    thing. `energy` is there where energy was metered, `fetches` where the target knows how code is
    fetched, `footprint` where the image is for a part alone.
    """

    target: str
    board: str
    real: bool
    not_on_part: tuple[str, ...] = ()
    core_hz: int = Field(gt=0)
    pclk_hz: int | None = Field(default=None, gt=0)
    timer: str
    timer_hz: int = Field(gt=0)
    memory: dict[str, int]
    code: str
    isa: str
    layout_number: int = Field(
        default=0, ge=0, validation_alias=AliasChoices("layout_number", OLD_LAYOUT)
    )
    compiler: str
    compiler_version: str
    flags: tuple[str, ...]
    c_library: str = ""
    kernel: str
    kernel_version: str
    kernel_configuration: dict[str, int | str]
    kernel_options: dict[str, int] = Field(default_factory=dict)
    fragment: FragmentFacts | None = None
    machine: dict[str, str] = Field(default_factory=dict)
    energy: EnergyModel | None = Field(default=None, exclude_if=lambda model: model is None)
    fetches: CodeFetches | None = Field(default=None, exclude_if=lambda one: one is None)
    footprint: Footprint | None = Field(default=None, exclude_if=lambda one: one is None)
    image_sha256: str = Field(pattern="^[0-9a-f]{64}$")

    @property
    def code_fetches(self) -> CodeFetches:
        """How the code is fetched, as recorded or else as older results imply."""
        return self.fetches or of_older(self.code, self.memory)

    @property
    def overlap_cycles(self) -> int:
        """Cycles by which a call may take more or less where other code is around it."""
        return self.code_fetches.overlap_cycles

    @property
    def cycles_per_count(self) -> float:
        """Core cycles in one count of the measuring timer."""
        return self.core_hz / self.timer_hz

    @property
    def resolution_cycles(self) -> float:
        """Cycles that rounding to counts can hide; 0 if the timer runs at the core clock."""
        return self.cycles_per_count if self.timer_hz < self.core_hz else 0.0

    @property
    def noisy(self) -> bool:
        """Whether samples also meet what else a machine does: then medians stand for means."""
        return bool(self.machine)

    @property
    def exact(self) -> bool:
        """Whether the target repeats itself to the cycle, so that samples of one image say nothing
        of chance."""
        return self.target == EXACT_TARGET

    @property
    def layout(self) -> Layout:
        """The part in which the layouts of one results folder differ."""
        return Layout(number=self.layout_number, image_sha256=self.image_sha256)

    def of(self, layout: Layout) -> Self:
        """The same conditions with another layout."""
        update = {
            "layout_number": layout.number,
            "image_sha256": layout.image_sha256,
        }
        return self.model_copy(update=update)

    def fingerprint(self) -> str:
        """SHA-256 of the conditions in canonical JSON: equal if and only if they agree."""
        there = self.model_dump(mode="json")
        there = {
            name: value
            for name, value in there.items()
            if name not in DERIVED and (name not in LATER or value)
        }
        there[OLD_LAYOUT] = there.pop("layout_number")
        text = json.dumps(there, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def differences(self, other: Self) -> list[str]:
        """The names of the fields in which the two differ."""
        return [
            name
            for name in type(self).model_fields
            if name not in DERIVED and getattr(self, name) != getattr(other, name)
        ]
