"""Two characterizations beside each other, on targets whose truth is a formula."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_target import BYTES, CONDITIONS, FakeCase, FakeTarget, fake
from scipy import stats

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.stats.fieller import Mean, interval, p_above, p_different
from cyclescope.stats.holm import adjust
from cyclescope.stats.replicates import enough, least_difference
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.compare.analyse import compare, platform_ratio
from cyclescope.studies.compare.findings import ALPHA, Change, IntervalSource, TimeUnit
from cyclescope.studies.compare.gate import Outcome, parse
from cyclescope.studies.compare.judge import judge
from cyclescope.studies.compare.report.wording import meaning
from cyclescope.target.case import Parameter
from cyclescope.target.conditions import Conditions

Measure = Callable[..., Characterization]


@pytest.fixture
def measure(tmp_path: Path) -> Measure:
    """Measures fake cases, on several layouts if several lists of them are given."""
    count = 0

    def measured(
        *layouts: Sequence[FakeCase], image: int = 0, **changes: object
    ) -> Characterization:
        nonlocal count
        count += 1
        under = Conditions.model_validate({**CONDITIONS.model_dump(), **changes})
        targets = [
            FakeTarget(
                cases,
                under.model_copy(
                    update={"layout_number": 4 * i, "image_sha256": f"{image:02x}{i:02x}" * 16}
                ),
            )
            for i, cases in enumerate(layouts)
        ]
        seed = 1 if len(layouts) > 1 else None
        plan = Plan(layout_seed=seed)
        return analyse(collect(targets, TECHNIQUE, plan, tmp_path / str(count)))

    return measured


def constant(name: str, cycles: int, **options: object) -> FakeCase:
    return fake(name, lambda x, n, i: cycles, **options)


def swept(name: str, m: int, q: int, **options: object) -> FakeCase:
    return fake(name, lambda x, n, i: q + m * x, parameter=BYTES, **options)


def test_the_same_twice_has_no_difference(measure: Measure) -> None:
    cases = [constant("give", 200, function_class="semaphores"), swept("send", 2, 400)]
    found = compare(measure(cases), measure(cases))
    assert found.differences == () and found.warnings == ()
    assert [pair.change for pair in found.pairs] == [Change.NONE, Change.NONE]
    assert [pair.ratio.value for pair in found.pairs] == [1.0, 1.0]
    assert found.platform.means.k == 1.0 and found.platform.means.sigma == 0.0
    assert [facts.unchanged for facts in found.classes] == [("give",), ("send",)]


def test_one_layout_is_exact_and_no_claim_about_others(measure: Measure) -> None:
    found = compare(measure([constant("give", 200)]), measure([constant("give", 201)]))
    (pair,) = found.pairs
    (point,) = pair.points
    assert (point.basis, point.change, point.ratio.value) == (
        IntervalSource.ONE_LAYOUT, Change.SLOWER, 1.005,
    )  # fmt: skip
    assert math.isnan(point.ratio.low) and math.isnan(point.p_value) and found.tests == 0
    assert point.difference.value == 1 and point.difference.half_width == math.inf


@pytest.mark.parametrize(
    ("more", "change"),
    [(-5, Change.FASTER), (-4, Change.NONE), (4, Change.NONE), (5, Change.SLOWER)],
)
def test_where_instructions_overlap_neighbours_may_make_a_difference(
    measure: Measure, more: int, change: Change
) -> None:
    sides = [
        measure([constant("give", cycles)], image=cycles, fetches={"overlap_cycles": 2})
        for cycles in (200, 200 + more)
    ]
    found = compare(*sides)
    assert [pair.change for pair in found.pairs] == [change]
    assert "up to 4 cycles of a difference" in meaning(found)
    assert "up to 4" not in meaning(compare(sides[0], sides[0]))
    rule = parse("slower:0cycles", TimeUnit.CYCLES)
    assert [one.outcome for one in judge(found, [rule]).judgements] == [
        Outcome.FAILED if change is Change.SLOWER else Outcome.PASSED
    ]


def test_layouts_are_the_replicates(measure: Measure) -> None:
    nets = [100, 103, 104, 107, 101], [105, 104, 111, 108, 109]
    found = compare(*(measure(*([constant("give", net)] for net in side)) for side in nets))
    (point,) = found.pairs[0].points
    expected = stats.ttest_ind(*nets, equal_var=False)
    assert point.basis is IntervalSource.LAYOUTS
    assert point.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert point.adjusted == point.p_value < ALPHA and point.change is Change.SLOWER
    assert point.ratio.value == pytest.approx(537 / 515)
    assert 1 < point.ratio.low < 537 / 515 < point.ratio.high


def test_among_many_cases_chance_is_no_difference(measure: Measure) -> None:
    nets = [100, 103, 104, 107, 101], [105, 104, 111, 108, 109]
    beside = [constant(f"other{i}", 50) for i in range(9)]
    found = compare(
        *(measure(*([constant("give", net), *beside] for net in side)) for side in nets)
    )
    (point,) = found.pairs[0].points
    assert found.tests == 10 and point.adjusted == pytest.approx(10 * point.p_value)
    assert point.p_value < ALPHA < point.adjusted and point.change is Change.NONE


def test_too_few_layouts_are_told_with_how_many_would_do(measure: Measure) -> None:
    beside = [constant(f"other{i}", 50) for i in range(225)]
    sides = [[100, 103], [150, 153]]
    found = compare(
        *(measure(*([constant("give", net), *beside] for net in side)) for side in sides)
    )
    assert found.tests == 226 and found.pairs[0].change is Change.NONE, (
        "a distance of 23 σ and no verdict"
    )
    (warning,) = found.warnings
    assert warning == (
        "2 and 2 layouts are few for 226 tests (Holm): a difference becomes a verdict only beyond "
        "67 σ of the layouts. Measure both with --layouts 5 or more"
    )
    alone = compare(*(measure(*([constant("give", net)] for net in side)) for side in sides))
    assert alone.warnings == () and alone.pairs[0].change is Change.SLOWER
    same = [constant(f"other{i}", 50) for i in range(226)]
    assert compare(measure(same, same), measure(same, same)).warnings == (), "nothing varies"


def test_the_least_difference_is_that_of_the_test() -> None:
    n, tests = 4, 226
    apart = least_difference(n, n, tests, ALPHA)
    error = 1 / math.sqrt(n)
    for factor, verdict in ((0.999, False), (1.001, True)):
        p_value = p_different(Mean(100, error, n - 1), Mean(100 + factor * apart, error, n - 1))
        assert (tests * p_value < ALPHA) is verdict
    needed = enough(5, tests, ALPHA)
    assert least_difference(needed, needed, tests, ALPHA) <= 5
    assert least_difference(needed - 1, needed - 1, tests, ALPHA) > 5


def test_interval_is_the_inversion_of_the_test_and_holds() -> None:
    first, second = Mean(100, 4, 9), Mean(130, 3, 9)
    found = interval(first, second)
    # The degrees of freedom are those at the estimate: at the ends they move a little.
    assert p_above(first, second, factor=found.low) == pytest.approx(0.025, abs=0.002)
    assert p_above(second, first, factor=1 / found.high) == pytest.approx(0.025, abs=0.002)
    random = np.random.default_rng(7)
    covered = 0
    for _ in range(1000):
        sides = random.normal(50, 4, 8), random.normal(60, 6, 8)
        means = [Mean(s.mean(), s.std(ddof=1) / math.sqrt(8), 7) for s in sides]
        ratio = interval(*means)
        covered += ratio.low <= 1.2 <= ratio.high
    assert 930 <= covered <= 970


def test_p_values_of_one_side_and_of_both() -> None:
    first, second = Mean(100, 4, 9), Mean(112, 3, 9)
    assert p_different(first, second) == pytest.approx(2 * p_above(first, second))
    assert p_above(first, second, factor=1.12) == pytest.approx(0.5)
    assert p_above(first, second, offset=12) == pytest.approx(0.5)
    assert p_above(first, second, factor=1.2) > 0.5 and math.isnan(
        p_above(Mean(1, math.inf, 1), second)
    )


def test_holm_is_stepwise_and_ignores_what_is_no_test() -> None:
    assert adjust([0.01, math.nan, 0.02, 0.9])[0] == pytest.approx(0.03)
    assert adjust([0.01, 0.011])[1] == pytest.approx(0.02)
    assert adjust([0.7, 0.9]) == [1.0, 1.0]


def test_conditions_that_differ_are_told_option_by_option(measure: Measure) -> None:
    options = {"configTICK_RATE_HZ": 10, "configUSE_TRACE_FACILITY": 1}
    found = compare(
        measure([constant("give", 200)]),
        measure([constant("give", 200)], kernel_configuration=options, flags=("-O2", "-mthumb"),
                memory={"mam": 0, "mamtim": 3}),
    )  # fmt: skip
    assert [(one.name, one.first, one.second) for one in found.differences] == [
        ("memory.mam", "2", "0"),
        ("flags", "-Os", "-O2"),
        ("kernel_configuration.configSTACK_DEPTH_TYPE", "uint16_t", "–"),
        ("kernel_configuration.configUSE_TRACE_FACILITY", "–", "1"),
    ]


def test_what_only_one_has_is_listed_with_the_reason(measure: Measure) -> None:
    big = fake("big", lambda x, n, i: 5, needs_bytes=lambda length: 50_000)
    found = compare(
        measure([constant("give", 200), constant("take", 100), constant("big", 5)]),
        measure([constant("give", 200), constant("send", 100), big]),
    )
    assert [(one.name, one.reason) for one in found.only_first] == [
        ("take", "not measured there"), ("big", "does not fit there"),
    ]  # fmt: skip
    assert [one.name for one in found.only_second] == ["send"]


def test_under_two_kernels_name_and_class_must_agree(measure: Measure) -> None:
    found = compare(
        measure([constant("open", 200, function_class="files"),
                 constant("give", 100, function_class="semaphores")]),
        measure([constant("open", 300, function_class="files"),
                 constant("give", 100, function_class="signals")], kernel="bare"),
    )  # fmt: skip
    assert [pair.case.name for pair in found.pairs] == ["open"]
    assert "another class of functions: signals" in found.only_first[0].reason
    assert found.platform.means.n == len(found.pairs)
    assert ("kernel", "freertos", "bare") in [
        (one.name, one.first, one.second) for one in found.differences
    ]


def test_forms_and_load_and_classes(measure: Measure) -> None:
    first = [
        constant("fork", 900, function_class="tasks"),
        fake("seek", lambda x, n, i: 400, parameter=BYTES, function_class="files"),
        swept("read", 2, 100, function_class="files"),
    ]
    second = [
        fake("fork", lambda x, n, i: 900 + 3 * n, load=True, function_class="tasks"),
        swept("seek", 3, 400, function_class="files"),
        swept("read", 1, 50, function_class="files"),
    ]
    tasks, files = (found := compare(measure(first), measure(second))).classes
    assert tasks.load_dependent == ((), ("fork",)) and tasks.form_changes == ("fork",)
    assert files.form_changes == ("seek",) and files.load_dependent == ((), ())
    assert (files.slower, files.faster) == (("seek",), ("read",))
    ratios = [pair.ratio.value for pair in found.pairs if pair.case.function_class == "files"]
    assert files.geometric_mean == pytest.approx(math.sqrt(math.prod(ratios)))
    assert found.pairs[0].forms == ("constant", "linear in the load")
    assert tasks.state_dependent == files.state_dependent == ((), ())


def test_slower_here_and_faster_there_is_told_so(measure: Measure) -> None:
    found = compare(measure([swept("send", 2, 400)]), measure([swept("send", 4, 300)]))
    assert found.pairs[0].change is Change.MIXED


def test_figures_that_must_not_be_used_are_not_compared(measure: Measure) -> None:
    bad = fake("give", lambda x, n, i: 1, empty=14)
    found = compare(measure([bad]), measure([constant("give", 200)]))
    (pair,) = found.pairs
    assert pair.change is Change.UNKNOWN and pair.points == ()
    assert pair.problem is not None and "in the first: the net time is -4" in pair.problem
    assert found.platform.means.n == 0 and math.isnan(found.platform.means.k)


def test_times_near_zero_have_a_difference_and_no_ratio(measure: Measure) -> None:
    found = compare(measure([constant("nothing", 0)]), measure([constant("nothing", 7)]))
    (point,) = found.pairs[0].points
    assert math.isnan(point.ratio.value) and point.change is Change.SLOWER


def test_a_noisy_target_compares_its_samples(measure: Measure) -> None:
    def noisy(cycles: int) -> FakeCase:
        return fake("give", lambda x, n, i: cycles + (i * 7 + n) % 5)

    found = compare(*(measure([noisy(c)], target="host") for c in (200, 203)))
    (point,) = found.pairs[0].points
    assert point.basis is IntervalSource.SAMPLES and point.change is Change.SLOWER
    assert point.ratio.low < point.ratio.value < point.ratio.high and found.tests == 1
    assert "do not cover what differs from run to run" in found.warnings[0]


def test_clocks_that_differ_are_warned_of_and_times_are_told_in_either(measure: Measure) -> None:
    sides = (
        measure([constant("give", 200)]),
        measure([constant("give", 100)], core_hz=12_000_000, timer_hz=12_000_000),
    )
    cycles, us = (compare(*sides, unit) for unit in TimeUnit)
    assert cycles.pairs[0].ratio.value == 0.5 and us.pairs[0].ratio.value == pytest.approx(2.5)
    assert us.platform.means.k == pytest.approx(2.5)
    assert "60 and 12 MHz" in cycles.warnings[0] and "--in us" in cycles.warnings[0]
    assert us.pairs[0].change is Change.SLOWER and cycles.pairs[0].change is Change.FASTER


def test_platform_ratio_of_means_and_coefficients(measure: Measure) -> None:
    first = [constant("give", 200), swept("send", 2, 400), swept("copy", 4, 100)]
    second = [constant("give", 300), swept("send", 3, 800), constant("copy", 150, parameter=BYTES)]
    found = platform_ratio(measure(first), measure(second))
    assert (found.m.n, found.m.k, found.m.max_case) == (1, pytest.approx(1.5), "send")
    assert (found.q.n, found.q.k) == (2, pytest.approx((1.5 + 2) / 2))
    assert (found.q.max_case, found.q.min_case) == ("send", "give")
    assert found.q.sigma == pytest.approx(np.std([1.5, 2], ddof=1))
    assert found.q.sigma_percent == pytest.approx(100 * found.q.sigma / 1.75)
    assert found.m.left_out == ("copy: linear in the first and constant in the second",)
    mean_x = sum(BYTES.values) / len(BYTES.values)
    sent = (800 + 3 * mean_x) / (400 + 2 * mean_x)
    ratios = [1.5, sent, 150 / (100 + 4 * mean_x)]
    assert found.means.n == 3 and found.means.k == pytest.approx(np.mean(ratios))
    assert (found.means.k_max, found.means.max_case) == (pytest.approx(sent), "send")


def test_only_x_of_both_are_compared(measure: Measure) -> None:
    more = Parameter(name="size", unit="byte", values=(4, 8, 16, 999))
    other = replace(
        swept("send", 2, 400),
        case=swept("send", 2, 400).case.model_copy(update={"parameter": more}),
    )
    (pair,) = compare(measure([swept("send", 2, 400)]), measure([other])).pairs
    assert [point.parameter for point in pair.points] == [4, 8, 16]
    assert pair.change is Change.NONE and pair.ratio.value == 1.0
    assert "only the second was measured at x = 999" in pair.remarks


def test_segments_have_an_m_each_and_one_q(measure: Measure) -> None:
    sizes = Parameter(name="size", unit="byte", values=tuple(range(0, 160, 10)))

    def bent(q: int, m: int, then: int) -> FakeCase:
        def net(x: int, n: int, i: int) -> int:
            return q + m * min(x, 80) + then * max(x - 80, 0)

        return fake("copy", net, parameter=sizes)

    sides = measure([bent(100, 2, 6)]), measure([bent(150, 4, 9)])
    found = platform_ratio(*sides)
    assert (found.m.n, found.m.k) == (1, pytest.approx((2 + 9 / 6) / 2))
    assert (found.m.max_case, found.m.cases) == ("copy", 1)
    assert (found.q.n, found.q.k) == (1, pytest.approx(1.5))
    (pair,) = compare(*sides).pairs
    assert pair.forms == ("piecewise linear of 2 segments",) * 2
    (pair,) = compare(sides[0], measure([bent(100, 2, 2)])).pairs
    assert pair.forms[1] == "linear" and pair.changes_form
