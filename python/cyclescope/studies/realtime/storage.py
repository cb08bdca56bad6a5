"""Real-time results on disk: written run by run so that nothing finished is lost."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cyclescope.results import files, table_files, whole_files
from cyclescope.results.files import MANIFEST
from cyclescope.results.folder_writer import (
    FolderWriter,
    other_conditions,
    refuse_other_conditions,
)
from cyclescope.results.whole_files import ResultsError
from cyclescope.stats.summary import Values
from cyclescope.studies.realtime.indicators import Indicator, ScoreUnit
from cyclescope.studies.realtime.results import (
    FORMAT_NAME,
    FORMAT_VERSION,
    BatchRecord,
    Beside,
    CalibrationRecord,
    RealtimeManifest,
    RealtimeResults,
    RefusedTrial,
    Trial,
    TrialRecord,
    TrialRun,
    UnitTimes,
    Worst,
)
from cyclescope.studies.realtime.tables import Measured, tabulate, tabulate_calibration
from cyclescope.studies.realtime.target import Batch, Calibration, Cyclictest
from cyclescope.target.conditions import Conditions

RUNS = "runs"
CALIBRATION = "calibration"


class RealtimeWriter(FolderWriter[RealtimeManifest]):
    """Adds runs and units to a folder."""

    tables = (f"{RUNS}/*.parquet", f"{CALIBRATION}/*.parquet")
    drafts = (".", RUNS, CALIBRATION)
    growing = ("runs", "refused", "calibrations", "cyclictest")

    @classmethod
    def begin(
        cls,
        folder: Path,
        conditions: Conditions,
        capacity: int,
        planned: Sequence[Trial],
        remarks: Sequence[str] = (),
        unavailable: Mapping[Indicator, str] | None = None,
        replace: bool = False,
    ) -> "RealtimeWriter":
        """Starts a folder, or goes on with one measured under the same conditions."""
        manifest = RealtimeManifest(
            tool=version("cyclescope"),
            conditions=conditions,
            capacity=capacity,
            planned=tuple(sorted(planned, key=lambda one: one.order)),
            remarks=tuple(remarks),
            unavailable=dict(unavailable or {}),
        )
        return cls.start(folder, manifest, replace)

    @classmethod
    def continued(cls, folder: Path, manifest: RealtimeManifest) -> RealtimeManifest:
        old = read_manifest(folder)
        differing = other_conditions(old.conditions, manifest.conditions)
        differing += ["tool"] if old.tool != manifest.tool else []
        refuse_other_conditions(folder, differing)
        planned = sorted({*old.planned, *manifest.planned}, key=lambda one: one.order)
        update = {
            "planned": tuple(planned),
            "remarks": tuple(dict.fromkeys((*old.remarks, *manifest.remarks))),
            "unavailable": manifest.unavailable,
        }
        return old.model_copy(update=update)

    def listed(self) -> Iterable[str]:
        runs, units = self.manifest.runs, self.manifest.calibrations
        return [*(one.file for one in runs), *(one.file for one in units)]

    def place(self, one: Any) -> Any:
        return one.unit if isinstance(one, CalibrationRecord) else one.trial.order

    def finished(
        self, trial: Trial, replicates: int, samples: int | None, seconds: float | None
    ) -> bool:
        """Whether a run is on disk as the manifest has it, and as long as is asked for now."""
        for one in self.manifest.runs:
            if one.trial == trial:
                sound = whole_files.sha256(self.folder / one.file) == one.sha256
                asked = one.model_copy(
                    update={
                        "replicates": replicates,
                        "asked_samples": samples,
                        "asked_s": seconds,
                    }
                )
                return sound and asked.whole
        return any(one.trial == trial for one in self.manifest.refused)

    def has_unit(self, unit: ScoreUnit) -> bool:
        """Whether the folder has the unit: all its scores have the same."""
        return any(one.unit is unit for one in self.manifest.calibrations)

    def calibrate(self, calibration: Calibration) -> None:
        """Puts one unit on disk."""
        name = f"{CALIBRATION}/{calibration.unit}.parquet"
        table = tabulate_calibration(calibration)
        record = CalibrationRecord(
            unit=calibration.unit,
            arithmetic=calibration.arithmetic,
            timer_hz=calibration.timer_hz,
            file=name,
            sha256=self.put(name, table, self.manifest.conditions.fingerprint()),
        )
        before = [one for one in self.manifest.calibrations if one.unit is calibration.unit]
        self.change([("calibrations", one) for one in before], [("calibrations", record)])

    def add(
        self,
        trial: Trial,
        measured: Sequence[Measured],
        replicates: int,
        samples: int | None,
        seconds: float | None,
    ) -> None:
        """Puts one run on disk; an earlier run of the same trial gives way to it."""
        self._forget(trial)
        table = tabulate(trial, measured)
        batches = [batch for _, batch in measured]
        name = f"{RUNS}/{trial.name}.parquet"
        rejected = Counter(filter(None, table["rejected_by"].to_pylist()))
        findings = [one.findings for one in batches]
        rules = {one.rule: one.text for found in findings for one in found.unverified}
        record = TrialRecord(
            trial=trial,
            file=name,
            sha256=self.put(name, table, self.manifest.conditions.fingerprint()),
            samples=table.num_rows,
            rejected=dict(sorted(rejected.items())),
            requested_load_percent=trial.load_percent,
            measured_load_percent=mean_load(
                [one.measured_load_percent for one in batches], batches
            ),
            true_load_percent=_true_load(batches),
            replicates=replicates,
            timer_hz=batches[0].timer_hz,
            asked_samples=samples,
            asked_s=seconds,
            batches=tuple(_record(replicate, batch) for replicate, batch in measured),
            worst=_worst(batches),
            unverified=tuple(sorted(rules)),
            unmodelled=tuple(dict.fromkeys(one for found in findings for one in found.unmodelled)),
        )
        self.change(enter=[("runs", record)], rules=rules)

    def refuse(self, trial: Trial, sentence: str) -> None:
        """Notes what the target refused."""
        self._forget(trial)
        self.change(enter=[("refused", RefusedTrial(trial=trial, sentence=sentence))])

    def keep_cyclictest(self, trial: Trial, seen: Cyclictest) -> None:
        """Keeps what cyclictest saw while the trial was measured."""
        before = [one for one in self.manifest.cyclictest if one.trial == trial]
        self.change(
            [("cyclictest", one) for one in before],
            [("cyclictest", Beside(trial=trial, seen=seen))],
        )

    def _forget(self, trial: Trial) -> None:
        # First out of the manifest, then off the disk: at no moment does one contradict the other.
        notes = (("runs", self.manifest.runs), ("refused", self.manifest.refused))
        self.change([(name, one) for name, listed in notes for one in listed if one.trial == trial])


def mean_load(percents: Sequence[float], batches: Sequence[Batch]) -> float:
    """Shares of the processor over all batches together."""
    whole = sum(one.duration_s for one in batches)
    if whole == 0:
        return 0.0
    parts = zip(percents, batches, strict=True)
    return sum(percent * one.duration_s for percent, one in parts) / whole


def _true_load(batches: Sequence[Batch]) -> float | None:
    percents = [one.true_load_percent for one in batches]
    known = [one for one in percents if one is not None]
    return mean_load(known, batches) if len(known) == len(batches) else None


def _record(replicate: int, batch: Batch) -> BatchRecord:
    return BatchRecord(
        seed=batch.settings.seed,
        replicate=replicate,
        samples=len(batch.samples),
        duration_s=batch.duration_s,
        measured_load_percent=batch.measured_load_percent,
        true_load_percent=batch.true_load_percent,
        shortfall=batch.shortfall,
        lost=batch.lost,
        load=batch.load,
        masked=batch.masked,
    )


def _worst(batches: Sequence[Batch]) -> Worst | None:
    """The timeline of the batch that has the longest sample, if the target drew it."""
    longest = [int(one.samples.counts.max()) if len(one.samples) else -1 for one in batches]
    number = int(np.argmax(longest))
    timeline = batches[number].timeline
    return None if timeline is None else Worst(batch=number, timeline=timeline)


def read_manifest(folder: Path) -> RealtimeManifest:
    """Reads and checks the manifest alone."""
    return files.parse(folder, RealtimeManifest, FORMAT_NAME, (FORMAT_VERSION,))


def load(folder: Path) -> RealtimeResults:
    """Reads a folder; refuses what is missing, damaged, foreign or mixed."""
    manifest = read_manifest(folder)
    fingerprint, core_hz = manifest.conditions.fingerprint(), manifest.conditions.core_hz
    runs = []
    for one in manifest.runs:
        if one.file != f"{RUNS}/{one.trial.name}.parquet":
            raise ResultsError(
                f"{folder / MANIFEST} is damaged: it misplaces {one.trial.name}",
                code="manifest-misplaces-trial",
            )
        if not manifest.unverified.keys() >= set(one.unverified):
            raise ResultsError(
                f"{folder / MANIFEST} is damaged: a rule of {one.file} has no text",
                code="manifest-lacks-rule-text",
            )
        table = table_files.read_table(folder, one.file, one.sha256, fingerprint)
        runs.append(TrialRun(one, table, core_hz))
    units = []
    for unit in manifest.calibrations:
        if unit.file != f"{CALIBRATION}/{unit.unit}.parquet":
            raise ResultsError(
                f"{folder / MANIFEST} is damaged: it misplaces {unit.unit}",
                code="manifest-misplaces-unit",
            )
        table = table_files.read_table(folder, unit.file, unit.sha256, fingerprint)
        scale = core_hz / unit.timer_hz
        units.append(
            UnitTimes(unit, _of_kind(table, "operation") * scale, _of_kind(table, "empty") * scale)
        )
    return RealtimeResults(folder, manifest, tuple(runs), tuple(units))


def _of_kind(table: pa.Table, kind: str) -> Values:
    counts = table.filter(pc.equal(table["kind"], kind))["elapsed"].to_numpy()
    return np.asarray(counts, dtype=np.float64)
