"""Explorations of times that formulas give: what is found, from how many points, what is not."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import pytest
from fake_target import CONDITIONS, FakeCase, FakeTarget, fake
from refusals import refused

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.laws import exact_law
from cyclescope.laws.exploration import MOST, Explored, explore
from cyclescope.laws.formula import CONSTANT, Formula, TermKind
from cyclescope.results import Results, storage
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import CaseAnalysis
from cyclescope.studies.export import export
from cyclescope.target import design
from cyclescope.target.case import Case, Domain, Parameter
from cyclescope.target.series import Series
from cyclescope.target.target import Capability
from cyclescope.targets.replay import RecordedLayout

Time = Callable[[int], float]

EXACT: Mapping[str, tuple[Domain, Time]] = {
    "constant": (Domain(first=8, last=1024), lambda x: 290),
    "linear": (Domain(first=16, last=1024), lambda x: 12 + 9 * x),
    "step": (Domain(first=0, last=2048), lambda x: 500 + 149 * (x >= 777) + 44 * (x >= 1400)),
    "one x differs": (Domain(first=0, last=1024), lambda x: 900 - 400 * (x == 512)),
    "by residue": (Domain(first=1, last=32), lambda x: 569 + 17 * (x % 2)),
    "by multiples": (Domain(first=8, last=1024), lambda x: 330 - 13 * (x % 8 == 0)),
    "bursts, words, bytes": (
        Domain(first=16, last=1024),
        lambda x: 60 + 27 * (x // 16) + 12 * (x % 16 // 4) + 9 * (x % 4),
    ),
    "blocks": (
        Domain(first=16, last=1024),
        lambda x: 164 + 9 * x + 3970 * ((x + 0) // 256) + 700 * (x >= 512),
    ),
    "bits": (Domain(first=2, last=64), lambda x: 87 + 41 * x.bit_length()),
    "of a lattice": (Domain(first=64, last=4096, step=64), lambda x: 1000 + x // 64 % 2 * 50),
}


@dataclass
class Asked:
    """Answers, and remembers what it was asked."""

    time: Time
    seen: set[int]

    def __call__(self, wanted: Iterable[int]) -> dict[int, float]:
        found = {x: float(self.time(x)) for x in wanted}
        self.seen |= found.keys()
        return found


def fitted(domain: Domain, time: Time) -> tuple[exact_law.Attempt, Explored, Asked]:
    asked = Asked(time, set())
    found = explore(domain, asked, seed=1)
    x = np.array(found.fitted, dtype=np.float64)
    return exact_law.fit(x, np.array([float(time(one)) for one in found.fitted])), found, asked


@pytest.mark.parametrize("name", EXACT)
def test_the_law_of_few_points_is_exact_at_every_x(name: str) -> None:
    domain, time = EXACT[name]
    tried, found, asked = fitted(domain, time)
    assert tried.law is not None
    every = np.array(domain.all, dtype=np.float64)
    assert tried.law.off(every, np.array([float(time(x)) for x in domain.all])).max() < 1e-6
    assert 3 * tried.law.parameters <= len(found.fitted) <= MOST
    assert not set(found.fitted) & set(found.held_out)
    assert asked.seen == {*found.fitted, *found.held_out} and len(asked.seen) < 260
    assert {domain.first, domain.last} <= set(found.fitted)


def test_a_step_is_located_on_both_sides() -> None:
    domain, time = EXACT["step"]
    tried, found, _ = fitted(domain, time)
    assert tried.law is not None
    steps = {term.at for term in tried.law.formula.terms if term.kind is TermKind.STEP}
    assert steps == {777, 1400} and {776, 777, 1399, 1400} <= set(found.fitted)


def test_both_sides_of_every_high_stair_are_measured() -> None:
    """Between two points a step may rise one x early or late, and no third one would show it."""

    def flushed(x: int) -> float:
        blocks = 200 * ((x + 6) // 8) + 760 * ((x + 13) // 16) + 1100 * ((x + 5) // 64)
        return 12_000 + 60 * x + blocks + (x * 2_654_435_761 >> 9) % 40

    domain = Domain(first=16, last=256)
    tried, found, _ = fitted(domain, flushed)
    assert tried.law is not None
    known = {*found.fitted, *found.held_out}
    terms = zip(tried.law.formula.terms, tried.law.formula.coefficients, strict=True)
    stairs = [(term, cycles) for term, cycles in terms if term.kind is TermKind.STAIRS]
    x = np.array(domain.all, dtype=np.float64)
    sides = {
        int(x[at + side])
        for term, cycles in stairs
        for at in np.flatnonzero(np.diff(term.of(x)))
        for side in (0, 1)
        if abs(cycles) > 0.01 * tried.law.formula.at(x[at])
    }
    assert len(sides) > 30 and sides <= known


def test_what_is_no_sum_of_few_terms_gets_no_law() -> None:
    random = Random(5)
    times = [1000 + random.randrange(1000) for _ in range(1025)]
    tried, found, _ = fitted(Domain(first=0, last=1024), lambda x: times[x])
    assert tried.law is None and tried.worst > 0.1 and len(found.fitted) >= MOST


def test_ends_powers_and_every_residue_are_in_the_design() -> None:
    domain = Domain(first=16, last=1024)
    start = design.starting(domain)
    assert {16, 1024, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1023} <= start <= set(domain.all)
    for period in (2, 4, 8, 16):
        for low, high in ((16, 64), (300, 900), (900, 1024)):
            assert {x % period for x in start if low <= x <= high} == set(range(period))
    assert design.starting(Domain(first=1, last=16)) == set(range(1, 17))
    lattice = Domain(first=64, last=4096, step=64)
    assert design.starting(lattice) <= set(lattice.all)


def test_whole_series_are_at_the_ends_and_between() -> None:
    for domain in (Domain(first=4, last=256), Domain(first=0, last=3), Domain(first=32, last=4096)):
        few, many = design.few(domain), design.many(domain)
        assert {domain.first, domain.last} <= set(few) and len(few) <= design.FEW <= 4
        assert set(many) <= set(domain.all) and len(many) == min(design.MANY, domain.size)
        assert not set(design.held_out(many)) & {domain.first, domain.last}


class Repeating(FakeTarget):
    """Formulas that can be asked for any x."""

    capabilities = frozenset({Capability.CYCLE_COUNTER, Capability.REPEATS})

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        known = next(one.case for one in self.fakes if one.case.name == case.name)
        return super().run_series(known, parameter, length, empty)


def swept(name: str, first: int, last: int, time: Callable[[int], int]) -> FakeCase:
    domain = Domain(first=first, last=last)
    parameter = Parameter(name="size", unit="byte", values=design.few(domain), domain=domain)
    return fake(name, lambda x, n, i: time(x), parameter=parameter)


def measured(folder: Path, fakes: Sequence[FakeCase], **plan: object) -> Results:
    return collect([Repeating(fakes, CONDITIONS)], TECHNIQUE, Plan(**plan), folder)  # type: ignore[arg-type]


def law_of(folder: Path, case: FakeCase) -> CaseAnalysis:
    (one,) = analyse(measured(folder, [case])).cases
    return one


def test_a_swept_case_has_a_law_with_its_check(tmp_path: Path) -> None:
    one = law_of(tmp_path, swept("copy", 16, 1024, EXACT["bursts, words, bytes"][1]))
    assert one.law is not None and one.law.domain == (16, 1024) and one.law.step == 1
    assert one.law.model == "linear + periodic" or one.law.model == "periodic"
    assert one.law.check and one.law.check.held_out >= 48 and one.law.check.worst < 1e-6
    assert one.law.check.fitted >= 3 * one.law.parameters


def test_a_constant_has_no_share_of_variation_to_explain(tmp_path: Path) -> None:
    one = law_of(tmp_path, swept("search", 16, 1024, lambda x: 10_000 + x * 2_654_435_761 % 7))
    assert one.law is not None and one.law.model == "constant" and one.law.max_residual > 1
    assert one.law.r_squared is None


def test_a_law_that_is_wrong_at_a_point_held_out_is_refused(tmp_path: Path) -> None:
    results = measured(tmp_path, [swept("copy", 16, 1024, lambda x: 100 + 9 * x)])
    sweep = results.sweep("copy")
    assert sweep is not None
    # As if the board had taken twice as long at a point that no fit has seen.
    column = sweep.samples["elapsed"].to_numpy().copy()
    place = int(np.flatnonzero(sweep.samples["held_out"].to_numpy(zero_copy_only=False))[0])
    x = sweep.samples["x"][place].as_py()
    column[place] *= 2
    index = sweep.samples.schema.get_field_index("elapsed")
    import pyarrow as pa

    spoilt = sweep.samples.set_column(index, "elapsed", pa.array(column, pa.uint32()))
    writer = storage.Writer(tmp_path, results.manifest)
    writer.add_sweep(type(sweep)(sweep.layout, sweep.case, spoilt, sweep.cycles_per_count))
    (one,) = analyse(storage.load(tmp_path)).cases
    assert one.law is None and one.law_refused is not None
    assert f"wrong between its points: at x = {x:,}, of no fit" in one.law_refused


def test_a_small_domain_without_a_law_is_enumerated(tmp_path: Path) -> None:
    times = dict(enumerate((8196, 3720, 4086, 2777, 4486, 3325), 1))
    one = law_of(tmp_path, swept("read", 1, 6, times.__getitem__))
    assert one.law is not None and one.law.model == "enumerated"
    assert {x: one.law.at(x) for x in times} == times
    module: dict[str, object] = {"__name__": "costs"}
    exec(export.find("python").render(export.select(analyse(storage.load(tmp_path)))), module)
    said = module["cycles_read"]
    assert callable(said) and {x: said(x) for x in times} == times
    for outside in (0, 7, 2.5):
        with pytest.raises(ValueError, match="x is 1 to 6 byte by 1"):
            said(outside)


def test_the_domain_ends_where_memory_does(tmp_path: Path) -> None:
    class Small(Repeating):
        def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
            self.fakes[0].needs_bytes = lambda length: 100_000 if (parameter or 0) > 700 else 0
            return super().run_series(case, parameter, length, empty)

    case = swept("malloc", 8, 1024, lambda x: 300 + x)
    results = collect([Small([case], CONDITIONS)], TECHNIQUE, Plan(), tmp_path)
    (one,) = analyse(results).cases
    assert one.law is not None and one.law.domain == (8, 700)


def test_any_x_of_the_domain_can_be_asked_for(tmp_path: Path) -> None:
    cases = [swept("copy", 16, 1024, lambda x: x), swept("short", 1, 15, lambda x: 3 * x)]
    results = measured(tmp_path, cases, at=(15, 63, 200))
    timed = {one.name: set(one.values()) for one in results.manifest.cases}
    assert {63, 200} <= timed["copy"] and 15 in timed["short"] and not {63, 200} & timed["short"]
    assert {run.parameter for run in results.of_case("copy")} == timed["copy"]
    again = measured(tmp_path, cases, resume=True)
    assert {one.name: set(one.values()) for one in again.manifest.cases} == timed
    with refused("no-case-takes-x"):
        measured(tmp_path, cases, at=(9999,))


def test_a_sweep_that_is_whole_is_kept_on_resuming_and_replayed(tmp_path: Path) -> None:
    cases = [swept("copy", 16, 1024, EXACT["blocks"][1])]
    first = measured(tmp_path / "first", cases)
    (record,) = first.manifest.sweeps
    path = tmp_path / "first" / record.file
    before = path.stat().st_mtime_ns
    measured(tmp_path / "first", cases, resume=True)
    assert path.stat().st_mtime_ns == before
    path.unlink()
    measured(tmp_path / "first", cases, resume=True)
    assert path.exists()
    replayed = collect(
        [RecordedLayout(tmp_path / "first")()], TECHNIQUE, Plan(), tmp_path / "again"
    )
    assert replayed.manifest.sweeps == first.manifest.sweeps


def test_a_law_holds_as_far_as_its_tolerance_and_no_further() -> None:
    law = exact_law.ExactLaw(Formula((CONSTANT,), (100.0,)), tolerance=0.01, worst=0.0)
    x = np.array([1.0, 2.0])
    assert law.holds(x, np.array([99.1, 101.0]))
    assert not law.holds(x, np.array([100.0, 101.1]))
    assert not law.holds(x, np.array([98.9, 100.0]))
