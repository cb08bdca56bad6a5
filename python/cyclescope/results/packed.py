"""Runs as they go on disk: the bytes of their file, and what the manifest says of each."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from cyclescope.results import Key, Overhead, Refused, Run, RunRecord, table_files
from cyclescope.results.names import file_name, of_file


@dataclass(frozen=True)
class Packed:
    """Runs that share a file. It has no name if nothing fitted of any of them: `refused` says so.

    `rules` are the texts of the unverified rules that they touched, by name.
    """

    keys: frozenset[Key]
    name: str = ""
    content: bytes = b""
    records: tuple[RunRecord, ...] = ()
    refused: tuple[Refused, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict)


def pack(runs: Sequence[tuple[Run, Overhead | None]], fingerprints: Mapping[int, str]) -> Packed:
    """The runs of one file, in the manifest's order; of their layouts the fingerprints."""
    keys = frozenset(run.key for run, _ in runs)
    refused = tuple(run.refused for run, _ in runs if run.refused)
    sound = [(run, overhead) for run, overhead in runs if run.samples.num_rows]
    if not sound:
        return Packed(keys, refused=refused)
    name = file_name(*sound[0][0].key)
    numbers = sorted({run.layout.number for run, _ in sound})
    table = pa.concat_tables([run.samples for run, _ in sound])
    content = table_files.parquet(table, of_file(fingerprints[number] for number in numbers))
    digest = hashlib.sha256(content).hexdigest()
    rules = {rule.rule: rule.text for run, _ in sound for rule in run.findings.unverified}
    records = tuple(_record(name, digest, run, overhead) for run, overhead in sound)
    return Packed(keys, name, content, records, refused, rules)


def _record(name: str, digest: str, run: Run, overhead: Overhead | None) -> RunRecord:
    return RunRecord(
        layout_number=run.layout.number,
        case=run.case.name,
        parameter=run.parameter,
        file=name,
        sha256=digest,
        samples=run.samples.num_rows,
        rejected=run.rejected("call"),
        overhead=overhead,
        steady=run.is_steady,
        unverified=tuple(one.rule for one in run.findings.unverified),
        unmodelled=run.findings.unmodelled,
    )
