"""Results: the runs of one folder, which agree in their conditions and are read when asked for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import overload

from cyclescope.results.manifest import Key, Manifest, RunRecord
from cyclescope.results.run import Run
from cyclescope.results.sweep import Sweep, SweepRecord
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Findings

Reader = Callable[[RunRecord], Run]
SweepReader = Callable[[SweepRecord], Sweep]


class Runs(Sequence[Run]):
    """Runs on disk. Each is read when it is taken and belongs to who took it: nothing is kept."""

    def __init__(self, records: Sequence[RunRecord], read: Reader) -> None:
        self._records, self._read = records, read

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> "Runs": ...
    def __getitem__(self, index: int | slice) -> "Run | Runs":
        if isinstance(index, slice):
            return Runs(self._records[index], self._read)
        return self._read(self._records[index])


@dataclass(frozen=True)
class Results:
    """Runs as they stand in one folder; `read` reads one of them, `read_sweep` a sweep."""

    folder: Path
    manifest: Manifest
    read: Reader
    read_sweep: SweepReader

    @property
    def conditions(self) -> Conditions:
        return self.manifest.conditions

    @property
    def runs(self) -> Runs:
        """All runs, in the manifest's order."""
        return Runs(self.manifest.runs, self.read)

    def of_case(self, name: str) -> Runs:
        """The runs of one case by layout, then by rising parameter."""
        return Runs(self._records.get(name, ()), self.read)

    @cached_property
    def _records(self) -> dict[str, list[RunRecord]]:
        found: dict[str, list[RunRecord]] = {}
        for one in self.manifest.runs:
            found.setdefault(one.case, []).append(one)
        return found

    def run(self, key: Key) -> Run | None:
        """One run, if there is such."""
        found = (one for one in self.manifest.runs if one.key == key)
        return next(map(self.read, found), None)

    def sweep(self, case: str) -> Sweep | None:
        """The sweep of one case, if it was swept."""
        found = (one for one in self.manifest.sweeps if one.case == case)
        return next(map(self.read_sweep, found), None)

    def findings(self) -> Iterator[tuple[str, Findings]]:
        """Limits that the target reported, by case, without a look at the samples."""
        for record in self.manifest.runs:
            yield record.case, self.manifest.findings(record)
