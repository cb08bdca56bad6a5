"""Layouts: the same code linked at several offsets; spread within and between told apart."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from fake_target import BYTES, CONDITIONS, FakeCase, FakeTarget, fake
from rich.console import Console

from cyclescope import storage
from cyclescope.campaign import Plan, collect
from cyclescope.cli import execute
from cyclescope.conditions import Layout
from cyclescope.errors import CyclescopeError
from cyclescope.kinds.characterization import CharacterizationAnalysis
from cyclescope.layouts import MOST, offsets_bytes
from cyclescope.reports import structured, terminal
from cyclescope.stats.net import Verdict
from cyclescope.studies.characterize import analyse
from cyclescope.study import Characterization
from cyclescope.techniques.direct import TECHNIQUE

OFFSETS = (0, 44, 8)


def layout(number: int, sha: str = "") -> Layout:
    return Layout(number=number, image_sha256=sha or f"{number:02x}" * 32)


def targets(*fakes: FakeCase, offsets: tuple[int, ...] = OFFSETS) -> list[FakeTarget]:
    """Each case takes as many cycles more as its layout's offset in bytes."""

    def moved(one: FakeCase, by: int) -> FakeCase:
        return replace(one, net=lambda x, n, i: one.net(x, n, i) + by)

    return [
        FakeTarget([moved(one, offset) for one in fakes], under=CONDITIONS.of(layout(offset)))
        for offset in offsets
    ]


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def characterize(folder: Path, *fakes: FakeCase) -> Characterization:
    return analyse(collect(targets(*fakes), TECHNIQUE, Plan(layout_seed=7), folder))


def test_spread_within_and_between_layouts_stand_apart(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("take", lambda x, n, i: 100 + (3 if i % 2 else -3)))
    (one,) = found.cases[0].measured
    assert [run.layout_number for run in one.runs] == [0, 8, 44]
    assert one.n == 3 * 260
    # Layout means: 100, 108 and 144 and what an odd length of series leaves; by hand:
    first = one.runs[0].net.estimate.value
    assert one.net.estimate.value == pytest.approx(first + (0 + 8 + 44) / 3)
    assert one.sigma_between == pytest.approx(23.4378, abs=1e-4)
    assert one.net.estimate.half_width == pytest.approx(4.302653 * 23.4378 / 3**0.5, rel=1e-5)
    assert one.sigma_within == pytest.approx(3.005, abs=0.01)
    assert one.observed_maximum == 147


def test_intervals_of_a_law_cover_the_layouts(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("copy", lambda x, n, i: 90 + 3 * x, parameter=BYTES))
    case = found.cases[0]
    law = case.law
    assert law is not None and law.model == "linear"
    m, q = (one.estimate for one in law.coefficients)
    # The layouts move q by 0, 8 and 44 cycles and m by none: as the net time, by hand.
    assert (m.value, q.value) == pytest.approx((3, 90 + 52 / 3))
    assert m.half_width == pytest.approx(0, abs=1e-6)
    assert q.half_width == pytest.approx(4.302653 * 23.4378 / 3**0.5, rel=1e-5)
    x = case.measured[0].parameter or 0
    assert law.predict(x).half_width == pytest.approx(q.half_width)
    new = law.predict_new(x).half_width
    assert new == pytest.approx(4.302653 * 23.4378 * (4 / 3) ** 0.5, rel=1e-5)


def test_one_call_more_may_lie_in_any_layout(tmp_path: Path) -> None:
    law = characterize(tmp_path, fake("take", lambda x, n, i: 100)).cases[0].law
    assert law is not None
    assert law.predict(0).half_width == pytest.approx(4.302653 * 23.4378 / 3**0.5, rel=1e-5)
    new = law.predict_new(0).half_width
    assert new == pytest.approx(4.302653 * 23.4378 * (4 / 3) ** 0.5, rel=1e-5)


def test_intervals_of_a_law_over_the_load_cover_the_layouts(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("create", lambda x, n, i: 100 + 9 * n, load=True))
    law = found.cases[0].load_law
    assert law is not None and law.model == "linear"
    m, q = (one.estimate for one in law.coefficients)
    assert m.half_width == pytest.approx(0, abs=1e-6)
    assert q.half_width == pytest.approx(4.302653 * 23.4378 / 3**0.5, rel=1e-5)


def test_intervals_of_each_cluster_cover_the_layouts(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("take", lambda x, n, i: 700 if i % 2 else 400))
    clusters = found.cases[0].clusters
    assert len(clusters) == 2 and sum(cluster.n for cluster in clusters) == 3 * 260
    for cluster in clusters:
        (q,) = (one.estimate for one in cluster.law.coefficients)
        assert q.half_width == pytest.approx(4.302653 * 23.4378 / 3**0.5, rel=1e-5)


def test_one_layout_has_no_spread_and_says_so(tmp_path: Path) -> None:
    alone = targets(fake("take", lambda x, n, i: 9), offsets=(0,))
    found = analyse(collect(alone, TECHNIQUE, Plan(), tmp_path))
    (measured,) = found.cases[0].measured
    assert measured.between is None
    assert "another layout of the same code may differ" in table(found)


def table(found: Characterization) -> str:
    out = io.StringIO()
    terminal.show(found, Console(file=out, width=80))
    assert max(len(line) for line in out.getvalue().splitlines()) <= 80
    return " ".join(out.getvalue().split())


def test_reports_tell_layouts(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("take", lambda x, n, i: 100))
    text = table(found)
    assert "780 117.3 ± 58.2 0 23.4 144 – 1.956" in text
    assert "2 other layouts at offsets up to 44 bytes, seed 7" in text
    assert "Mean and interval are over 3 layouts" in text
    content = json.loads(json.dumps(structured.document(found), allow_nan=False))
    measured = content["cases"][0]["measured"][0]
    assert [run["layout_number"] for run in measured["runs"]] == [0, 8, 44]
    assert measured["between_layouts_cycles"]["n"] == 3
    assert "take:layouts" in CharacterizationAnalysis(storage.load(tmp_path)).page()


def test_a_law_goes_through_the_means_over_layouts(tmp_path: Path) -> None:
    sent = fake("send", lambda x, n, i: 50 + 2 * x, parameter=BYTES)
    law = characterize(tmp_path, sent).cases[0].law
    assert law is not None
    m, q = (one.estimate.value for one in law.coefficients)
    assert (m, q) == pytest.approx((2, 50 + (8 + 44) / 3))


def test_below_zero_in_one_layout_is_a_problem_of_the_case(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("odd", lambda x, n, i: -5, empty=14))
    assert found.cases[0].measured[0].net.verdict is Verdict.INDISTINGUISHABLE
    (problem,) = found.problems
    assert "the net time is -10 ± 0 cycles" in problem
    assert "the net time in the layout at offset 8 is -2 ± 0 cycles" in problem


def test_each_file_says_its_layout(tmp_path: Path) -> None:
    characterize(tmp_path, fake("take", lambda x, n, i: 100))
    manifest = storage.read_manifest(tmp_path)
    assert manifest.layouts == (layout(0), layout(8), layout(44))
    assert manifest.layout_seed == 7
    there = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.glob("runs/*/*"))
    assert there == ["runs/0/take.parquet", "runs/44/take.parquet", "runs/8/take.parquet"]
    (tmp_path / there[0]).write_bytes((tmp_path / there[1]).read_bytes())
    with pytest.raises(CyclescopeError, match="was measured under other conditions"):
        storage.load(tmp_path)


def test_more_layouts_complete_a_folder_to_the_same_bytes(tmp_path: Path) -> None:
    take = fake("take", lambda x, n, i: 100)
    collect(targets(take), TECHNIQUE, Plan(layout_seed=7), tmp_path / "once")
    collect(targets(take, offsets=(0,)), TECHNIQUE, Plan(), tmp_path / "bits")
    more = targets(take)
    collect(more, TECHNIQUE, Plan(layout_seed=7, resume=True), tmp_path / "bits")
    assert [target.resets for target in more] == [0, 1, 1]
    assert content(tmp_path / "bits") == content(tmp_path / "once")


def test_layouts_of_other_images_or_seeds_do_not_mix(tmp_path: Path) -> None:
    take = fake("take", lambda x, n, i: 100)
    collect(targets(take), TECHNIQUE, Plan(layout_seed=7), tmp_path)
    with pytest.raises(CyclescopeError, match=r"other conditions \(layout_seed differ\)"):
        collect(targets(take), TECHNIQUE, Plan(layout_seed=8), tmp_path)
    other = FakeTarget([take], under=CONDITIONS.of(layout(8, "cd" * 32)))
    with pytest.raises(CyclescopeError, match=r"other conditions \(image_sha256 differ\)"):
        collect([other], TECHNIQUE, Plan(), tmp_path)
    other = FakeTarget([take], under=CONDITIONS.model_copy(update={"isa": "arm"}))
    with pytest.raises(CyclescopeError, match="the layouts differ also in isa"):
        collect([*targets(take, offsets=(8,)), other], TECHNIQUE, Plan(), tmp_path / "new")


def test_offsets_are_drawn_from_the_seed() -> None:
    drawn = offsets_bytes(16, seed=3)
    assert drawn[0] == 0
    assert drawn == offsets_bytes(40, seed=3)[:16]
    assert drawn != offsets_bytes(16, seed=4)
    assert len(set(offsets_bytes(MOST, seed=1))) == MOST
    assert all(offset % 4 == 0 and offset <= 4096 for offset in drawn)


def test_the_same_layouts_give_the_same_bytes_however_many_processes(tmp_path: Path) -> None:
    """Flash, where code that moves meets other lines of the accelerator."""
    choice = ["characterize", "--case", "semaphore_give.b*", "--layouts", "3", "--seed", "3"]
    for jobs in ("1", "2"):
        assert execute([*choice, "--jobs", jobs, "--out", str(tmp_path / jobs)]) == 0
    assert len(content(tmp_path / "1")) == 3 + 3  # and manifest, report, explanation
    assert content(tmp_path / "1") == content(tmp_path / "2")
    (measured,) = analyse(storage.load(tmp_path / "1")).cases[0].measured
    assert len({run.call.mean for run in measured.runs}) > 1, "where code lies moved no time"
    assert measured.interrupts_off is not None
    assert 0 < measured.interrupts_off < measured.observed_maximum
