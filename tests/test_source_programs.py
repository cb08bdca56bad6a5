"""Programs of the benchmark count as gcov counts them, and do what they do without counters."""

import sys
from pathlib import Path

import pytest
from counted_programs import lines_of, plain

from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit

sys.path.insert(0, str(Path(__file__).parents[1] / "benches" / "paper_000"))
from benchmark import programs


@pytest.mark.parametrize(
    "name", ["crc32", "qsort-points", "dijkstra", "spell", "grep", "queens", "calculate", "json"]
)
def test_programs_count_as_gcov_counts_them(name: str, tmp_path: Path) -> None:
    program = programs()[name]
    application = program.application()
    folders = [tmp_path / "plain", tmp_path / "counted"]
    for folder in folders:
        for path, content in program.files().items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        folder.mkdir(exist_ok=True)
    files = list(application.sources)
    options = ("-std=gnu99", *(f"-I{one}" for one in application.includes))
    truth = plain(files, folders[0], program.arguments, options)
    units = [SourceUnit(file, options) for file in files]
    ours = count(units, program.arguments, folders[1], libraries=("-lm",))
    assert (ours.run.status, ours.run.output) == (truth.status, truth.output)
    for path in folders[1].rglob("*"):
        assert path.read_bytes() == (folders[0] / path.relative_to(folders[1])).read_bytes()
    found = lines_of(ours.counts)
    both = found.keys() & truth.lines.keys()
    assert {at: found[at] for at in both} == {at: truth.lines[at] for at in both}
    assert len(both) > 0.6 * len(truth.lines)
