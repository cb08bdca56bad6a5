"""Replay: a target that gives back the samples of a results folder (`--board replay:FOLDER`)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from cyclescope.campaign.sweeping import calls_of
from cyclescope.errors import CyclescopeError
from cyclescope.results import ENERGY, Key, Results, Run, storage
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions, Layout
from cyclescope.target.findings import Findings
from cyclescope.target.series import Kind, RawSample, RawSamples, Series, kind_of
from cyclescope.target.target import (
    Capability,
    CaseFailed,
    DoesNotFit,
    FragmentTruth,
    Opener,
    Selection,
    Target,
    TurnedDown,
)

Row = dict[str, Any]

SAMPLE_BYTES = 8


class Replay(Target):
    """A recording as a target: same samples, same conditions, no board.

    Series of one length come in the order of the recording, from the first again after the last.
    """

    def __init__(self, results: Results, layout: Layout) -> None:
        self._results = results
        self._layout = layout
        self._findings = Findings()
        self._run: Run | None = None
        self._given: Counter[tuple[str, int | None, int, str]] = Counter()
        seen = any(run.samples["exact_cycles"].null_count == 0 for run in results.runs)
        self._seen = seen
        more = {Capability.EXACT_TRUTH} if seen else set()
        more |= {Capability.REPEATS} if results.manifest.sweeps else set()
        self.capabilities = frozenset({Capability.CYCLE_COUNTER, *more})

    @property
    def pairs(self) -> "Replay":
        return self

    @property
    def fragment_witness(self) -> "Replay | None":
        return self if self._seen else None

    def conditions(self) -> Conditions:
        return self._results.conditions.of(self._layout)

    def cases(self) -> Sequence[Case]:
        return self._results.manifest.cases

    def reset(self) -> None:
        self._findings = Findings()
        self._given.clear()

    def restart(self) -> None:
        """The next process comes next in the recording."""

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        kind = kind_of(empty)
        return _series(length, kind, self._next(case, parameter, length, kind))

    def run_pairs(self, case: Case, parameter: int | None, length: int) -> Series:
        return _series(length, "pair", self._next(case, parameter, length, "pair"))

    def witness_fragment(self, case: Case, length: int) -> tuple[Series, tuple[FragmentTruth, ...]]:
        rows = self._next(case, None, length, "call")
        truths = (
            FragmentTruth(
                row["exact_cycles"],
                tuple(row["executions_cycles"]),
                tuple(row["initialisations_cycles"]),
            )
            for row in rows
        )
        return _series(length, "call", rows), tuple(truths)

    def _next(self, case: Case, parameter: int | None, length: int, kind: Kind) -> list[Row]:
        """The samples of the next series that is asked for."""
        self._check_there(case, parameter, length)
        if swept := self._swept(case, parameter, length, kind):
            return swept
        run = self._recorded(case, parameter)
        samples = run.samples.filter(pc.equal(run.samples["kind"], kind))
        there = samples.filter(pc.equal(samples["length"], length))
        if not there.num_rows:
            raise self._absent(case, length, kind, max(samples["length"].to_pylist(), default=0))
        numbers = pc.unique(there["series"]).to_pylist()
        key = (case.name, parameter, length, kind)
        number = numbers[self._given[key] % len(numbers)]
        self._given[key] += 1
        self._findings = run.findings
        return list(there.filter(pc.equal(there["series"], number)).to_pylist())

    def _swept(
        self, case: Case, parameter: int | None, length: int, kind: Kind
    ) -> list[Row] | None:
        """The samples of a sweep at this x, if the series is one of its."""
        sweep = self._results.sweep(case.name) if length == calls_of(case) else None
        if sweep is None:
            return None
        wanted = pc.equal(sweep.samples["kind"], kind)
        here = sweep.samples.filter(pc.and_(wanted, pc.equal(sweep.samples["x"], parameter or 0)))
        return [{**row, "interrupts_off_cycles": None} for row in here.to_pylist()] or None

    def _absent(self, case: Case, length: int, kind: str, longest: int) -> CyclescopeError:
        if self._results.manifest.fragment and length > longest:
            # As the target did that was recorded: its rounds came in shorter series.
            sizes = (SAMPLE_BYTES * length, SAMPLE_BYTES * longest)
            return DoesNotFit(case.name, *sizes, "in a longer recording")
        folder = self._results.folder
        return CyclescopeError(
            f"{folder} has no series of {length} {kind} samples of {case.name}",
            code="recording-has-no-such-series",
        )

    def findings(self) -> Findings:
        return self._findings

    def opener(self) -> Opener:
        return RecordedLayout(self._results.folder, self._layout.number)

    def _check_there(self, case: Case, parameter: int | None, length: int) -> None:
        for failed in self._results.manifest.failed:
            if failed.key == self._key(case, parameter):
                raise CaseFailed(case.name, failed.reason)
        for one in self._results.manifest.refused:
            if one.key == self._key(case, parameter) and length in one.lengths:
                if one.reason:
                    raise TurnedDown(case.name, one.reason)
                raise DoesNotFit(case.name, one.needs_bytes, one.has_bytes, one.where)

    def _key(self, case: Case, parameter: int | None) -> Key:
        return (self._layout.number, case.name, parameter)

    def _recorded(self, case: Case, parameter: int | None) -> Run:
        key = self._key(case, parameter)
        if self._run is None or self._run.key != key:
            self._run = self._results.run(key)
        if self._run is not None:
            return self._run
        at = "" if parameter is None else f" at {parameter}"
        raise CyclescopeError(
            f"{self._results.folder} has no run of {case.name}{at}",
            code="recording-has-no-such-run",
        )


def _series(length: int, kind: Kind, rows: list[Row]) -> Series:
    samples = (
        RawSample(
            row["start"],
            row["stop"],
            row["tick_hit"],
            row["interrupts_off_cycles"],
            row.get(ENERGY.name),
            row["exact_cycles"],
        )
        for row in rows
    )
    return Series(length, kind, RawSamples.of(samples))


@dataclass(frozen=True)
class RecordedLayout:
    """One layout of a results folder, to be opened as a target."""

    folder: Path
    number: int = 0

    def __call__(self) -> Replay:
        results = storage.load(self.folder)
        numbers = {layout.number: layout for layout in results.manifest.layouts}
        if self.number not in numbers:
            raise CyclescopeError(
                f"{self.folder} has no layout {self.number}; it has: "
                f"{', '.join(map(str, numbers))}",
                code="recording-has-no-such-layout",
            )
        return Replay(results, numbers[self.number])


def open_target(selection: Selection) -> Replay:
    """Opens the recording that the board's name points to; refuses any other conditions."""
    asked = replace(selection, layout=0, energy=False)
    if asked != Selection(selection.board, selection.kernel):
        raise CyclescopeError(
            "a recording has the conditions that it was measured under: leave out the options that "
            "choose others, or measure again",
            code="recording-has-its-conditions",
        )
    return RecordedLayout(Path(selection.board.partition(":")[2]), selection.layout)()
