"""Layouts: links in which every function has another place; what they say of a new link."""

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_target import BYTES, CONDITIONS, FakeCase, FakeTarget, chance, fake
from refusals import refused
from rich.console import Console

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.quantity import Estimate
from cyclescope.results import storage
from cyclescope.stats.net import Basis, Net, NetVerdict, net_of_new_link
from cyclescope.stats.summary import student
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.characterize.placement import alike
from cyclescope.studies.characterize.report import structured, terminal
from cyclescope.studies.characterize.result_type import CharacterizationAnalysis
from cyclescope.studies.estimate.calls import laws
from cyclescope.target import design
from cyclescope.target.case import Case, Domain, Parameter
from cyclescope.target.code_fetches import CodeFetches
from cyclescope.target.conditions import Layout
from cyclescope.target.series import Series
from cyclescope.target.target import Capability, Selection, Target
from cyclescope.targets import open_target

NUMBERS = (0, 44, 8)


def layout(number: int, sha: str = "") -> Layout:
    return Layout(number=number, image_sha256=sha or f"{number:02x}" * 32)


def targets(*fakes: FakeCase, numbers: tuple[int, ...] = NUMBERS) -> list[FakeTarget]:
    """Each case takes as many cycles more as its layout's number."""

    def moved(one: FakeCase, by: int) -> FakeCase:
        return replace(one, net=lambda x, n, i: one.net(x, n, i) + by)

    return [
        FakeTarget([moved(one, number) for one in fakes], under=CONDITIONS.of(layout(number)))
        for number in numbers
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
    new_link = 4.302653 * 23.4378 * (4 / 3) ** 0.5
    assert one.net.estimate.half_width == pytest.approx(new_link, rel=1e-5)
    assert one.net.basis is Basis.NEW_LINK and one.net.verdict is NetVerdict.MEASURED
    assert (one.between and one.between.n) == 3
    assert one.sigma_within == pytest.approx(3.005, abs=0.01)
    assert one.observed_maximum == 147


OFF = ((8**2 + 44**2) / 2) ** 0.5
"""How far the two other layouts lie off the plain link; Student's t for two is 4.302653."""


def test_a_law_is_the_plain_links_and_its_interval_a_new_links(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("copy", lambda x, n, i: 90 + 3 * x, parameter=BYTES))
    case = found.cases[0]
    law = case.law
    assert law is not None and law.model == "linear"
    m, q = (one.estimate for one in law.coefficients)
    assert (m.value, q.value) == pytest.approx((3, 90))
    assert m.half_width == 0, "rounding is no interval"
    assert q.half_width == pytest.approx(4.302653 * OFF, rel=1e-5)
    assert law.predict(64).half_width == pytest.approx(q.half_width)
    assert law.predict_new(64).half_width == pytest.approx(q.half_width, rel=1e-5)
    measured = {one.parameter: one.between is not None for one in case.measured}
    assert [x for x, over_layouts in measured.items() if over_layouts] == [1, 16, 128]


def test_intervals_of_a_law_over_the_load_cover_the_layouts(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("create", lambda x, n, i: 100 + 9 * n, load=True))
    law = found.cases[0].load_law
    assert law is not None and law.model == "linear"
    m, q = (one.estimate for one in law.coefficients)
    assert (m.value, q.value) == pytest.approx((9, 100))
    assert m.half_width == pytest.approx(0, abs=1e-6)
    assert q.half_width == pytest.approx(4.302653 * OFF, rel=1e-5)


class Repeating(FakeTarget):
    """Formulas that can be asked for any x."""

    capabilities = frozenset({Capability.CYCLE_COUNTER, Capability.REPEATS})

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        known = next(one.case for one in self.fakes if one.case.name == case.name)
        return super().run_series(known, parameter, length, empty)


def stretched(x: int, number: int) -> int:
    """Blocks of a copy that take longer in some layouts."""
    return 90 + (20 + number // 4) * (x // 8)


def test_a_law_of_stairs_covers_a_layout_that_stretches_it(tmp_path: Path) -> None:
    """No term of it is a constant slope, and a new link may move its greatest x most."""
    domain = Domain(first=16, last=1024)
    size = Parameter(name="size", unit="byte", values=design.few(domain), domain=domain)
    numbers = (0, 44, 8, 24, 16, 32)
    sides = [
        Repeating(
            [fake("copy", lambda x, n, i, by=by: stretched(x, by), parameter=size)],
            CONDITIONS.of(layout(by)),
        )
        for by in numbers
    ]
    (one,) = analyse(collect(sides, TECHNIQUE, Plan(layout_seed=7), tmp_path)).cases
    assert one.law is not None and one.law.model == "periodic"
    for measured in (each for each in one.measured if each.between):
        x = measured.parameter or 0
        off = [stretched(x, by) - stretched(x, 0) for by in numbers[1:]]
        rms = float(np.sqrt(np.mean(np.square(off))))
        assert one.law.predict(x).half_width == pytest.approx(student(5) * rms, rel=0.1)
    document = structured.document(analyse(storage.load(tmp_path)))
    last = document["cases"][0]["measured"][-1]["law_cycles"]
    assert last["value"] == stretched(1024, 0) and last["half_width"] > 10


def test_what_no_coefficient_follows_is_in_the_interval_too(tmp_path: Path) -> None:
    """A layout that lengthens the middle alone leaves a line where it was."""
    bulge = 12

    def bent(x: int, number: int) -> int:
        return 90 + 3 * x + (bulge if x == BYTES.values[4] and number else 0)

    sides = [
        FakeTarget(
            [fake("copy", lambda x, n, i, by=by: bent(x, by), parameter=BYTES)],
            under=CONDITIONS.of(layout(by)),
        )
        for by in NUMBERS
    ]
    (one,) = analyse(collect(sides, TECHNIQUE, Plan(layout_seed=7), tmp_path)).cases
    assert one.law is not None and one.law.predict(BYTES.values[4]).half_width > bulge


def test_an_x_asked_for_later_leaves_no_run_of_another_middle(tmp_path: Path) -> None:
    """The runs of other layouts share a file: what of it is made anew is listed anew."""
    sides = targets(fake("copy", lambda x, n, i: 100 + x, parameter=BYTES))
    for plan in (Plan(layout_seed=7), Plan(at=(3, 5), layout_seed=7), Plan(layout_seed=7)):
        results = collect(sides, TECHNIQUE, plan, tmp_path)
        assert storage.load(tmp_path).manifest.missing() == []
    (case,) = results.manifest.cases
    for number in NUMBERS:
        runs = [run for run in results.of_case("copy") if run.layout.number == number]
        assert tuple(run.parameter for run in runs) == case.values(number)


def test_clusters_are_of_the_plain_link(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("take", lambda x, n, i: 700 if chance(n, i) % 2 else 400))
    clusters = found.cases[0].clusters
    assert [round(one.law.at(0)) for one in clusters] == [400, 700]
    assert sum(cluster.n for cluster in clusters) == 260


def test_one_layout_has_no_spread_and_says_so(tmp_path: Path) -> None:
    alone = targets(fake("take", lambda x, n, i: 9), numbers=(0,))
    found = analyse(collect(alone, TECHNIQUE, Plan(), tmp_path))
    (measured,) = found.cases[0].measured
    assert measured.between is None
    assert "Another link of the same code may differ" in table(found)


def table(found: Characterization) -> str:
    out = io.StringIO()
    terminal.show(found, Console(file=out, width=80))
    assert max(len(line) for line in out.getvalue().splitlines()) <= 80
    return " ".join(out.getvalue().split())


def test_reports_tell_layouts(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("take", lambda x, n, i: 100))
    text = table(found)
    assert "780 117.3 ± 116.4 0 100 … 144 144 – 1.956" in text
    assert "2 other layouts of it, seed 7" in text
    assert "net cycles ± 95 %" in text and "of a new link" in text
    content = json.loads(json.dumps(structured.document(found), allow_nan=False))
    case = content["cases"][0]
    measured = case["measured"][0]
    assert [run["layout_number"] for run in measured["runs"]] == [0, 8, 44]
    assert measured["between_layouts_cycles"]["n"] == case["distinct_layouts"] == 3
    assert measured["net_cycles"]["interval"] == "95 %, of a new link"
    assert measured["runs"][0]["net_cycles"]["half_width"] is None
    page = CharacterizationAnalysis(storage.load(tmp_path)).page()
    assert "take:layouts" in page and "± 95 % of a new link" in page


def test_a_call_beside_other_code_is_in_doubt_where_instructions_overlap(tmp_path: Path) -> None:
    overlapping = [
        FakeTarget(
            [fake("copy", lambda x, n, i: 20 + 3 * x, parameter=BYTES)],
            CONDITIONS.model_copy(update={"fetches": CodeFetches(overlap_cycles=2)}),
        )
    ]
    found = analyse(collect(overlapping, TECHNIQUE, Plan(), tmp_path))
    content = structured.document(found)
    assert content["overlap_cycles"] == 2
    said = [one["law_cycles"]["half_width"] for one in content["cases"][0]["measured"]]
    assert set(said) == {2}, "exact for the image, and the law is for other code"
    assert "up to 2 cycles more or less" in table(found).replace("\n", " ")
    page = CharacterizationAnalysis(storage.load(tmp_path)).page()
    assert "up to 2 cycles more or less" in page
    law = laws.measured(tmp_path).cases["copy"]
    amount = law.at(law.ends[0])
    assert amount.high_cycles - amount.cycles == amount.cycles - amount.low_cycles == 2


def test_one_image_is_exact_and_has_no_interval(tmp_path: Path) -> None:
    alone = targets(
        fake("take", lambda x, n, i: 100), fake("copy", lambda x, n, i: x, parameter=BYTES),
        numbers=(0,),
    )  # fmt: skip
    found = analyse(collect(alone, TECHNIQUE, Plan(), tmp_path))
    content = structured.document(found)
    assert content["interval"] == "exact, this image"
    (net,) = (one["net_cycles"] for one in content["cases"][0]["measured"])
    assert net == {"value": 100, "half_width": None, "interval": "exact, this image"}
    for text in (
        table(found), json.dumps(content), CharacterizationAnalysis(storage.load(tmp_path)).page()
    ):  # fmt: skip
        assert "exact, this image" in text.replace("\n", " ")
        assert "± 0" not in text and '"half_width": 0' not in text


def test_layouts_that_are_alike_count_once(tmp_path: Path) -> None:
    collect(targets(fake("take", lambda x, n, i: 100)), TECHNIQUE, Plan(layout_seed=7), tmp_path)
    storage.annotate(tmp_path, {"take": (0, 8, 8)}, {})
    (one,) = analyse(storage.load(tmp_path)).cases
    assert one.distinct_layouts == 2
    between = one.measured[0].between
    assert between and (between.n, between.minimum, between.maximum) == (2, 100, 108)


def test_below_zero_in_one_layout_is_a_problem_of_the_case(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("odd", lambda x, n, i: -5, empty=14))
    assert found.cases[0].measured[0].net.verdict is NetVerdict.INDISTINGUISHABLE
    (problem,) = found.problems
    assert "the net time is -10 cycles" in problem
    assert "the net time in layout 8 is -2 cycles" in problem


def test_each_file_says_its_layout(tmp_path: Path) -> None:
    characterize(tmp_path, fake("take", lambda x, n, i: 100))
    manifest = storage.read_manifest(tmp_path)
    assert manifest.layouts == (layout(0), layout(8), layout(44))
    assert manifest.layout_seed == 7
    there = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.glob("runs/*/*"))
    assert there == ["runs/0/take.parquet", "runs/layouts/take.parquet"]
    (tmp_path / there[0]).write_bytes((tmp_path / there[1]).read_bytes())
    with refused("samples-of-other-conditions"):
        storage.load(tmp_path)


def test_more_layouts_complete_a_folder_to_the_same_bytes(tmp_path: Path) -> None:
    take = fake("take", lambda x, n, i: 100)
    collect(targets(take), TECHNIQUE, Plan(layout_seed=7), tmp_path / "once")
    collect(targets(take, numbers=(0,)), TECHNIQUE, Plan(), tmp_path / "bits")
    more = targets(take)
    collect(more, TECHNIQUE, Plan(layout_seed=7, resume=True), tmp_path / "bits")
    assert [target.resets for target in more] == [0, 1, 1]
    assert content(tmp_path / "bits") == content(tmp_path / "once")


def test_layouts_of_other_images_or_seeds_do_not_mix(tmp_path: Path) -> None:
    take = fake("take", lambda x, n, i: 100)
    collect(targets(take), TECHNIQUE, Plan(layout_seed=7), tmp_path)
    with refused("other-conditions"):
        collect(targets(take), TECHNIQUE, Plan(layout_seed=8), tmp_path)
    other = FakeTarget([take], under=CONDITIONS.of(layout(8, "cd" * 32)))
    with refused("other-conditions"):
        collect([other], TECHNIQUE, Plan(), tmp_path)
    other = FakeTarget([take], under=CONDITIONS.model_copy(update={"isa": "arm"}))
    with refused("layouts-differ"):
        collect([*targets(take, numbers=(8,)), other], TECHNIQUE, Plan(), tmp_path / "new")


def test_the_same_layouts_give_the_same_bytes_however_many_processes(tmp_path: Path) -> None:
    """Flash, where code that moves meets other lines of the accelerator."""
    choice = ["characterize", "--case", "semaphore_give.b*", "--layouts", "3", "--seed", "3"]
    for jobs in ("1", "2"):
        assert execute([*choice, "--jobs", jobs, "--out", str(tmp_path / jobs)]) == 0
    assert len(content(tmp_path / "1")) == 2 + 3  # and manifest, report, explanation
    assert content(tmp_path / "1") == content(tmp_path / "2")
    (measured,) = analyse(storage.load(tmp_path / "1")).cases[0].measured
    assert len({run.call.mean for run in measured.runs}) > 1, "where code lies moved no time"
    assert measured.interrupts_off is not None
    assert 0 < measured.interrupts_off < measured.observed_maximum


CASES = ["queue_length.four", "semaphore_take.binary_full", "queue_send.room", "yield.equals"]


def nets(board: Target, name: str) -> float:
    """Entry to return of a call at its greatest x less that of the empty call, in one image."""
    case = next(one for one in board.cases() if one.name == name)
    board.reset()
    call, empty = (board.run_series(case, case.values()[-1], 2, kind) for kind in (False, True))
    assert call.samples.exact_cycles is not None and empty.samples.exact_cycles is not None
    return float(call.samples.exact_cycles.mean() - empty.samples.exact_cycles.mean())


@pytest.mark.parametrize("kernel", ["freertos", pytest.param("bare", marks=pytest.mark.matrix)])
def test_links_of_another_seed_fall_inside_the_interval(kernel: str) -> None:
    """Held-out relinks, of a seed that no interval has seen."""
    asked = Selection("lpc2148", kernel)
    plain = open_target(asked)
    whole = kernel == "bare"
    names = [one.name for one in plain.cases()][:: 7 if whole else 9]
    seen = {name: [nets(plain, name)] for name in names}
    held: dict[str, list[float]] = {name: [] for name in names}
    for found, seed, count in ((seen, 1, 8), (held, 20260101, 32 if whole else 8)):
        links = plain.relinked(replace(asked, layout_seed=seed), range(1, count + 1))
        for board in (one.opener()() for one in links):
            for name, times in found.items():
                times.append(nets(board, name))
    inside = []
    for name in names:
        of_image = [
            Net(Estimate(value, 0.0), NetVerdict.MEASURED, Basis.IMAGE) for value in seen[name]
        ]
        estimate = net_of_new_link(of_image)[0].estimate
        inside += [estimate.low <= value <= estimate.high for value in held[name]]
    assert sum(inside) / len(inside) >= 0.9, f"{sum(inside)} of {len(inside)}"


@pytest.mark.parametrize(("code", "isa"), [("rom", "arm"), ("internal", "thumb")])
def test_where_code_has_no_lines_every_layout_takes_the_same(code: str, isa: str) -> None:
    asked = Selection(
        "at91x40", "freertos", settings={"code": code, "isa": isa}, cases="semaphores"
    )
    plain = open_target(asked)
    links = [one.opener()() for one in plain.relinked(asked, (1, 2))]
    moved = [board.symbols()["xQueueGenericSend"] for board in (plain, *links)]
    times = [nets(board, "semaphore_give.wakes_lower") for board in (plain, *links)]
    assert len(set(moved)) == 3 and len(set(times)) == 1


def test_no_two_layouts_are_alike_to_any_case(tmp_path: Path) -> None:
    """Of the default nine at least eight are distinct to each, also to one that is a few
    instructions long."""
    out = tmp_path / "out"
    assert execute(["characterize", "--case", "*length*", "--out", str(out)]) == 0
    found = analyse(storage.load(out))
    assert len(found.layouts) == 9 and found.layout_seed == 1
    assert found.cases and all(one.distinct_layouts >= 8 for one in found.cases)


def test_layouts_are_alike_where_places_in_lines_and_order_are() -> None:
    start = "probe.give.real.start"
    layouts = [
        (0, {start: 0x100, "give": 0x204, "unused": 0x300}),
        (4, {start: 0x150, "give": 0x264, "unused": 0x30C}),  # other lines, the same places in them
        (8, {start: 0x100, "give": 0x208, "unused": 0x300}),  # another place in its line
        (12, {start: 0x300, "give": 0x204, "unused": 0x100}),  # another order
    ]
    assert alike("give", ["give"], layouts) == (0, 0, 8, 12)
    assert alike("give", ["give", "unused"], layouts) == (0, 4, 8, 12)
