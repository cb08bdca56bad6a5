"""Replay: a target that gives back the samples of a results folder (`--board replay:FOLDER`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from cyclescope import storage
from cyclescope.case import Case
from cyclescope.conditions import Conditions, Layout
from cyclescope.errors import CyclescopeError
from cyclescope.results import Key, Results, Run
from cyclescope.target import (
    Capability,
    DoesNotFit,
    Findings,
    Opener,
    RawSample,
    Selection,
    Series,
    Target,
)


class Replay(Target):
    """A recording as a target: same samples, same conditions, no board."""

    capabilities = frozenset({Capability.CYCLE_COUNTER})

    def __init__(self, results: Results, layout: Layout) -> None:
        self._results = results
        self._layout = layout
        self._findings = Findings()

    def conditions(self) -> Conditions:
        return self._results.conditions.of(self._layout)

    def cases(self) -> Sequence[Case]:
        return self._results.manifest.cases

    def reset(self) -> None:
        self._findings = Findings()

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        self._check_fit(case, parameter, length)
        run = self._recorded(case, parameter)
        kind = "empty" if empty else "call"
        rows = run.samples.filter(
            pc.and_(pc.equal(run.samples["kind"], kind), pc.equal(run.samples["length"], length))
        ).to_pylist()
        if not rows:
            raise CyclescopeError(
                f"{self._results.folder} has no series of {length} {kind} samples of {case.name}"
            )
        self._findings = run.findings
        samples = (
            RawSample(row["start"], row["stop"], row["tick_hit"], row["interrupts_off_cycles"])
            for row in rows
        )
        return Series(length, empty, tuple(samples))

    def findings(self) -> Findings:
        return self._findings

    def opener(self) -> Opener:
        return Recording(self._results.folder, self._layout.offset_bytes)

    def _check_fit(self, case: Case, parameter: int | None, length: int) -> None:
        for one in self._results.manifest.refused:
            if one.key == self._key(case, parameter) and length in one.lengths:
                raise DoesNotFit(case.name, one.needs_bytes, one.has_bytes, one.where)

    def _key(self, case: Case, parameter: int | None) -> Key:
        return (self._layout.offset_bytes, case.name, parameter)

    def _recorded(self, case: Case, parameter: int | None) -> Run:
        for run in self._results.runs:
            if run.key == self._key(case, parameter):
                return run
        at = "" if parameter is None else f" at {parameter}"
        raise CyclescopeError(f"{self._results.folder} has no run of {case.name}{at}")


@dataclass(frozen=True)
class Recording:
    """One layout of a results folder, to be opened as a target."""

    folder: Path
    offset_bytes: int = 0

    def __call__(self) -> Replay:
        results = storage.load(self.folder)
        offsets = {layout.offset_bytes: layout for layout in results.manifest.layouts}
        if self.offset_bytes not in offsets:
            raise CyclescopeError(
                f"{self.folder} has no layout at offset {self.offset_bytes}; it has: "
                f"{', '.join(map(str, offsets))}"
            )
        return Replay(results, offsets[self.offset_bytes])


def open_target(selection: Selection) -> Replay:
    """Opens the recording that the board's name points to."""
    return Recording(Path(selection.board.partition(":")[2]), selection.offset_bytes)()
