"""Results on disk: whole after every run, the same bytes for the same samples, else refused."""

import errno
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fake_target import CASES, CONDITIONS, FakeTarget
from refusals import refused

from cyclescope import plugins
from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.errors import Interrupted, unwritable
from cyclescope.results import Results, files, seal, storage
from cyclescope.target.target import Target
from cyclescope.targets.replay import Replay

FEW = Plan("semaphore*")


def measure(folder: Path, plan: Plan = FEW, target: Target | None = None) -> Results:
    return collect([target or FakeTarget()], TECHNIQUE, plan, folder)


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_what_was_measured_is_read_back(tmp_path: Path) -> None:
    measure(tmp_path)
    results = storage.load(tmp_path)
    assert [run.key for run in results.runs] == [
        (0, "semaphore-take", None), (0, "semaphore-give", None),
    ]  # fmt: skip
    take, give = results.runs
    assert take.samples.num_rows == 520
    assert set(take.cycles("call")) == {312 + 9}
    assert set(take.cycles("empty")) == {9}
    assert [take.cycles("call", n).size for n in take.lengths()] == [10, 25, 50, 75, 100]
    assert give.rejected() == {"tick": 5}
    assert give.cycles("call").size == 255
    assert max(give.samples["elapsed"].to_pylist()) > 900  # the rejected ones are still there


def test_counts_that_wrap_are_kept_raw(tmp_path: Path) -> None:
    rows = measure(tmp_path).runs[0].samples.to_pylist()
    wrapped = [row for row in rows if row["stop"] < row["start"]]
    assert wrapped
    assert all(row["elapsed"] in (9, 321) for row in wrapped)


def test_same_samples_same_bytes_in_any_order(tmp_path: Path) -> None:
    measure(tmp_path / "once", Plan("*e-*"))
    for pattern in ("queue*", "*e-*", "semaphore-give"):
        measure(tmp_path / "bits", Plan(pattern))
    manifests = [tmp_path / name / "manifest.json" for name in ("once", "bits")]
    assert manifests[0].read_bytes() == manifests[1].read_bytes()
    assert content(tmp_path / "once") == content(tmp_path / "bits")


def test_a_replayed_recording_gives_the_same_bytes(tmp_path: Path) -> None:
    recorded = measure(tmp_path / "recorded", Plan())
    measure(tmp_path / "replayed", Plan(), Replay(recorded, recorded.conditions.layout))
    assert content(tmp_path / "recorded") == content(tmp_path / "replayed")


def test_other_conditions_are_refused_until_replaced(tmp_path: Path) -> None:
    measure(tmp_path)
    lab = FakeTarget(under=CONDITIONS.model_copy(update={"board": "lpc2148-lab"}))
    with refused("other-conditions"):
        measure(tmp_path, FEW, lab)
    assert storage.load(tmp_path).conditions.board == "lpc2148"
    measure(tmp_path, Plan("semaphore-take", replace=True), lab)
    assert storage.load(tmp_path).conditions.board == "lpc2148-lab"
    assert len(list((tmp_path / "runs").glob("*/*"))) == 1


def test_a_file_from_another_campaign_is_refused(tmp_path: Path) -> None:
    measure(tmp_path / "a")
    lab = FakeTarget(under=CONDITIONS.model_copy(update={"board": "lpc2148-lab"}))
    measure(tmp_path / "b", FEW, lab)
    name = storage.file_name(0, "semaphore-take", None)
    (tmp_path / "a" / name).write_bytes((tmp_path / "b" / name).read_bytes())
    with refused("samples-of-other-conditions"):
        storage.load(tmp_path / "a")


def cut_parquet(folder: Path) -> None:
    path = folder / storage.file_name(0, "semaphore-take", None)
    path.write_bytes(path.read_bytes()[:-100])


def misname_column(folder: Path) -> None:
    path = folder / storage.file_name(0, "semaphore-take", None)
    path.write_bytes(path.read_bytes().replace(b"parameter", b"par\xe1meter"))


def remove_parquet(folder: Path) -> None:
    (folder / storage.file_name(0, "semaphore-take", None)).unlink()


def swap_parquet(folder: Path) -> None:
    path = folder / storage.file_name(0, "semaphore-take", None)
    path.write_bytes((folder / storage.file_name(0, "semaphore-give", None)).read_bytes())


def cut_manifest(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_bytes(path.read_bytes()[:200])


def edit_manifest(**changes: object) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / "manifest.json"
        edited = {**json.loads(seal.opened(path.read_bytes())), **changes}
        path.write_text(seal.sealed(json.dumps(edited, indent=1) + "\n"))

    return edit


def without_seal(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_bytes(seal.opened(path.read_bytes()))


def edit_samples(count: int) -> Callable[[Path], None]:
    """Says that the last run has so many samples."""

    def edit(folder: Path) -> None:
        runs = json.loads((folder / "manifest.json").read_text())["runs"]
        runs[-1]["samples"] = count
        edit_manifest(runs=runs)(folder)

    return edit


@pytest.mark.parametrize(
    ("damage", "code", "named"),
    [
        (cut_parquet, "samples-damaged", "semaphore-take.parquet"),
        (misname_column, "samples-damaged", "semaphore-take.parquet"),
        (remove_parquet, "samples-missing", "semaphore-take.parquet"),
        (swap_parquet, "samples-changed", "semaphore-take.parquet"),
        (cut_manifest, "not-json", "manifest.json"),
        (edit_manifest(version=1), "format-version-unknown", "reads 2, 3, 4, 5"),
        (edit_manifest(version=99), "format-version-unknown", "version 99"),
        (edit_manifest(format="other"), "manifest-of-another-format", ""),
        (edit_manifest(surprise=1), "file-damaged", "surprise"),
        (edit_manifest(surprise=float("nan")), "not-json", "manifest.json"),
        (edit_manifest(surprise=-float("inf")), "not-json", "manifest.json"),
        (without_seal, "seal-lost", "manifest.json"),
        (edit_samples(-1), "file-damaged", ".samples"),
        (edit_samples(0), "samples-unlike-manifest", "520"),
        (edit_samples(10**30), "samples-unlike-manifest", "520"),
    ],
)
def test_doubtful_folders_are_refused(
    tmp_path: Path, damage: Callable[[Path], None], code: str, named: str
) -> None:
    measure(tmp_path)
    damage(tmp_path)
    with refused(code, naming=[named]) as caught:
        list(storage.load(tmp_path).runs)
    assert "\n" not in caught.value.sentence


def to_version_2(folder: Path) -> None:
    """Makes of a folder what version 2 would have written of the same samples."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for new in ("seal", "fragment", "terms", "like", "repeats_in"):
        del manifest[new]
    conditions = manifest["conditions"]
    conditions["layout_offset_bytes"] = conditions.pop("layout_number")
    manifest["layouts"] = [
        {"offset_bytes": one["number"], "image_sha256": one["image_sha256"]}
        for one in manifest["layouts"]
    ]
    for run in manifest["runs"]:
        del run["steady"]
        run["layout_offset_bytes"] = run.pop("layout_number")
        path = folder / run["file"]
        table = pq.read_table(path)
        pq.write_table(table.select(table.column_names[1:13]), path, compression="zstd")
        run["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps({**manifest, "version": 2}))


def test_a_folder_of_version_2_is_read_and_gone_on_with(tmp_path: Path) -> None:
    new = [run.samples.drop_columns("layout") for run in measure(tmp_path).runs]
    to_version_2(tmp_path)
    old = storage.load(tmp_path)
    assert [run.samples.drop_columns("layout") for run in old.runs] == new
    measure(tmp_path, Plan("queue-send"))
    went_on = storage.load(tmp_path)
    assert went_on.manifest.version == 5
    assert [run.samples.drop_columns("layout") for run in went_on.runs[:2]] == new
    assert len(went_on.runs) == 2 + 8


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with refused("folder-not-empty"):
        measure(tmp_path, Plan(replace=True))
    assert content(tmp_path) == {"thesis.tex": b"precious"}


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with refused("cannot-write"):
        measure(tmp_path / "out")
    with refused("results-folder-is-file"):
        storage.load(tmp_path / "out")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with refused("cannot-write", naming=[os.strerror(errno.EACCES)]):
        measure(tmp_path / "out")


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "free space or choose another --out"),
        (errno.EFBIG, "raise the limit of a file's size (ulimit -f) or choose another --out"),
        (errno.EEXIST, "a file is where a folder should be: choose another --out"),
        (errno.ENOTDIR, "a file is where a folder should be: choose another --out"),
        (errno.EISDIR, "a folder has this name: choose another --out"),
        (errno.ENOENT, "the folder is not there, or was removed meanwhile: choose another --out"),
        (errno.EACCES, "get the right to write there or choose another --out"),
        (errno.EROFS, "get the right to write there or choose another --out"),
        (errno.ENAMETOOLONG, "the name is too long: choose another --out"),
        (errno.EIO, "choose another --out"),
    ],
)
def test_every_cause_has_its_own_remedy(number: int, remedy: str) -> None:
    error = OSError(number, os.strerror(number))
    told = unwritable(Path("out/manifest.json"), error)
    assert told == f"out/manifest.json cannot be written: {os.strerror(number)}; {remedy}"


def test_what_stands_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for way in ("file", "file/below"):
        with refused("cannot-write", naming=[tmp_path / "file", "--out"]) as error:
            measure(tmp_path / way / "out")
        strerrors = [os.strerror(one) for one in (errno.EEXIST, errno.ENOTDIR)]
        assert any(one in error.value.sentence for one in strerrors), error.value.sentence
    with refused("cannot-write", naming=[os.strerror(errno.ENAMETOOLONG)]):
        measure(tmp_path / ("x" * 300))


FULL_DISK = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_storage import measure, Plan
# The growing manifest meets this limit in the middle of the campaign, as it would a full disk.
resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000))
measure(Path(sys.argv[1]), Plan("*"))
"""


def test_a_full_disk_keeps_what_was_measured(tmp_path: Path) -> None:
    script = [sys.executable, "-c", FULL_DISK, str(tmp_path / "out"), str(Path(__file__).parent)]
    found = subprocess.run(script, capture_output=True, text=True, check=False)
    told = re.search(
        r"cannot be written: File too large; .*; (\d+) of 29 runs are kept", found.stderr
    )
    assert told
    assert len(storage.load(tmp_path / "out").runs) == int(told[1]) > 2
    assert not list((tmp_path / "out").rglob("*.draft"))


def test_an_interrupt_keeps_what_was_measured(tmp_path: Path) -> None:
    def interrupt(case: object, length: int) -> None:
        if case == CASES[2].case and length == 50:
            raise KeyboardInterrupt

    with refused("interrupted", Interrupted, naming=["2 of 29", tmp_path]) as caught:
        measure(tmp_path, Plan(), FakeTarget(before_series=interrupt))
    assert caught.value.exit_code == 130
    results = storage.load(tmp_path)
    assert len(results.runs) == 2
    assert len(results.manifest.missing()) == 27


OTHERS = {
    "cyclescope option costs": "options",
    "cyclescope real-time results": "realtime",
    "cyclescope times": "time",
}
"""The verb that writes each format of a manifest."""


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("format_name", OTHERS)
def test_results_of_another_kind_are_told_and_never_replaced(
    format_name: str, replace: bool, tmp_path: Path
) -> None:
    before = json.dumps({"format": format_name, "version": 4})
    (tmp_path / files.MANIFEST).write_text(before)
    named = [tmp_path, f"cyclescope {OTHERS[format_name]}", "cyclescope characterize"]
    with refused("results-of-another-verb", naming=named):
        measure(tmp_path, Plan(replace=replace))
    assert (tmp_path / files.MANIFEST).read_text() == before


def test_every_kind_of_results_is_known_by_the_verb_that_makes_it() -> None:
    there = {
        plugins.load_entry(question, "result_type").RESULT_TYPE.format
        for question in plugins.questions("result_type")
    }
    assert there == files.MADE_BY.keys()
