"""Measurements of a fragment's blocks, on disk: blocks.json (docs/how-to/blocks.md).

Each equation says how often every edge of the control-flow graph was taken in one measurement. Each
of its times says how long that took (Moreno and Fischmeister, equation 9).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from cyclescope.firmware.cfg.flow import FlowKind
from cyclescope.record import Record
from cyclescope.results import files
from cyclescope.target.conditions import Conditions

NAME = "blocks.json"
FORMAT_NAME: Literal["cyclescope blocks"] = "cyclescope blocks"
FORMAT_VERSION: Literal[1] = 1


class ExactCycles(Record):
    """Times by a virtual board's own clock of code that executed several times."""

    executions: int
    total_cycles: int
    shortest_cycles: int
    longest_cycles: int

    @property
    def mean_cycles(self) -> float:
        return self.total_cycles / self.executions

    @classmethod
    def of(cls, seen: Mapping[int, int]) -> "ExactCycles | None":
        """Of how often it took each number of cycles; None if it never executed."""
        if not seen:
            return None
        return cls(
            executions=sum(seen.values()),
            total_cycles=sum(cycles * times for cycles, times in seen.items()),
            shortest_cycles=min(seen),
            longest_cycles=max(seen),
        )


class MeasuredBlock(Record):
    """A block of the graph (python/cyclescope/firmware/cfg/graph.py)."""

    leader: int
    name: str
    function: str
    listing: tuple[str, ...]
    varies: tuple[str, ...]
    resumes: tuple[int, ...]


class MeasuredEdge(Record):
    """A way out of a block; `exact` where the target can see it."""

    source: int
    kind: FlowKind
    target: int | None
    optional: bool
    label: str
    exact: ExactCycles | None


class PossibleExit(Record):
    """Where an execution could be left early: at a leader, or behind its end.

    `rows` spans all the counts of edges with which it is first come to, over the inputs; with one
    that never comes there, those of its whole execution.
    """

    at: int
    name: str
    rows: tuple[tuple[int, ...], ...]


class Equations(Record):
    """Measurements of the same kind, one for each input and point.

    `left_at` is where each was left early, by its name; None: they are whole executions, as many as
    `executions` says. `counts` has a number for each edge, `times_cycles` a row for each repetition
    of all the measurements.
    """

    left_at: str | None
    executions: tuple[int, ...]
    counts: tuple[tuple[int, ...], ...]
    times_cycles: tuple[tuple[float, ...], ...]


class RefusedExit(Record):
    """Where an execution could not be left, and why."""

    at: str
    why: str


class BlockMeasurements(Record):
    """All that was measured of one fragment's blocks."""

    format: Literal["cyclescope blocks"] = FORMAT_NAME
    version: Literal[1] = FORMAT_VERSION
    conditions: Conditions
    call: str
    model: Literal["blocks", "edges"]
    blocks: tuple[MeasuredBlock, ...]
    edges: tuple[MeasuredEdge, ...]
    call_exact: ExactCycles | None
    equations: tuple[Equations, ...]
    exits: tuple[PossibleExit, ...]
    refused: tuple[RefusedExit, ...] = ()


def save(folder: Path, measured: BlockMeasurements) -> Path:
    """Puts the measurements into a results folder, whole or not at all."""
    path = folder / NAME
    files.save(path, measured)
    return path


def load(folder: Path) -> BlockMeasurements | None:
    """The measurements in a results folder, or None if there are none."""
    return files.read_record(folder / NAME, BlockMeasurements, "measure again")
