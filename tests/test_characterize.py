"""The study: from samples to net times, laws, notes and problems."""

from pathlib import Path

import pytest
from fake_target import BYTES, CONDITIONS, FakeTarget, fake
from refusals import refused

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.results.storage import load
from cyclescope.stats.net import NetVerdict
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.target.case import matching
from cyclescope.targets.replay import Replay


def characterize(folder: Path, target: FakeTarget | None = None) -> Characterization:
    return analyse(collect([target or FakeTarget()], TECHNIQUE, Plan(), folder))


def case(found: Characterization, name: str) -> CaseAnalysis:
    return next(one for one in found.cases if one.case.name == name)


def test_net_time_is_raw_less_overhead(tmp_path: Path) -> None:
    found = characterize(tmp_path)
    ((take,),) = (one.runs for one in case(found, "semaphore-take").measured)
    assert (take.call.mean, take.empty.mean) == (321, 9)
    assert (take.net.estimate.value, take.net.estimate.half_width) == (312, 0)
    assert take.observed_maximum == 312


def test_a_tick_is_flagged_and_left_out(tmp_path: Path) -> None:
    give = case(characterize(tmp_path), "semaphore-give")
    assert give.n == 255
    assert give.measured[0].rejected == {"tick": 5}
    assert give.measured[0].observed_maximum < 300
    assert give.notes == ("samples rejected: 5 by tick",)


def test_laws_of_swept_cases(tmp_path: Path) -> None:
    found = characterize(tmp_path)
    send, malloc = case(found, "queue-send").law, case(found, "malloc").law
    assert send is not None
    assert malloc is not None
    m, q = (one.estimate for one in send.coefficients)
    assert (m.value, q.value) == pytest.approx((2, 410))
    assert (m.half_width, q.half_width) == pytest.approx((0, 0), abs=1e-9)
    assert (malloc.model, malloc.predict(0).value) == ("constant", 220)
    take = case(found, "semaphore-take").law
    assert take is not None
    assert (take.model, take.domain, take.predict_new(0).value) == ("constant", (0, 0), 312)


def test_dependence_on_load_is_told_and_fitted(tmp_path: Path) -> None:
    create = case(characterize(tmp_path), "task-create")
    assert "state dependent" in create.notes[0]
    assert create.load_law is not None
    m, q = (one.estimate.value for one in create.load_law.coefficients)
    assert (m, q) == pytest.approx((3, 1500))


def test_differing_series_without_load_hint_at_a_hidden_parameter(tmp_path: Path) -> None:
    odd = fake("odd", lambda x, n, i: 100 + n)
    assert "hidden parameter" in case(characterize(tmp_path, FakeTarget([odd])), "odd").notes[0]


def test_below_zero_is_an_error_with_its_cause_and_stays_below_zero(tmp_path: Path) -> None:
    found = characterize(tmp_path, FakeTarget([fake("odd", lambda x, n, i: 1, empty=14)]))
    assert found.cases[0].measured[0].net.estimate.value == -4
    (problem,) = found.problems
    assert problem.startswith("odd: the net time is -4 cycles, below zero: the empty call took")


def test_zero_reads_indistinguishable_from_zero(tmp_path: Path) -> None:
    nothing = fake("nothing", lambda x, n, i: 0)
    noise = fake("noise", lambda x, n, i: (1, -1)[i % 2])
    found = characterize(tmp_path, FakeTarget([nothing, noise]))
    for one in found.cases:
        assert one.measured[0].net.verdict is NetVerdict.INDISTINGUISHABLE
        assert one.notes[0].endswith(" cycles: indistinguishable from zero")
        assert one.problem is None
    assert (
        found.cases[1].measured[0].runs[0].call.minimum == 8
    )  # negative net samples are not cut off


def test_a_case_that_does_not_fit_is_told_with_its_bytes(tmp_path: Path) -> None:
    big = fake("big", lambda x, n, i: 1, needs_bytes=lambda length: 51_200, parameter=BYTES)
    found = characterize(tmp_path, FakeTarget([big, fake("small", lambda x, n, i: 5)]))
    assert [one.case.name for one in found.cases] == ["small"]
    assert len(found.refused) == 8
    assert (found.refused[0].needs_bytes, found.refused[0].has_bytes) == (51_200, 32_768)
    assert found.refused[0].where == "on lpc2148-lab"
    assert found.missing == ()


def test_series_that_fit_are_kept_where_longer_ones_do_not(tmp_path: Path) -> None:
    tasks = fake("tasks", lambda x, n, i: 7, needs_bytes=lambda length: 600 * length, load=True)
    found = characterize(tmp_path / "first", FakeTarget([tasks]))
    assert found.cases[0].n == 10 + 25 + 50
    (refused,) = found.refused
    assert (refused.lengths, refused.needs_bytes) == ((75, 100), 60_000)
    recorded = load(tmp_path / "first")
    replay = Replay(recorded, recorded.conditions.layout)
    replayed = collect([replay], TECHNIQUE, Plan(), tmp_path / "second")
    assert replayed.manifest == load(tmp_path / "first").manifest


def test_nothing_left_after_ticks_is_a_problem(tmp_path: Path) -> None:
    always = fake("always", lambda x, n, i: 5, ticks=frozenset(range(100)))
    found = characterize(tmp_path, FakeTarget([always]))
    assert found.problems == [
        "always: no real call is left: all samples were rejected by tick; slow the tick down"
    ]


def test_counts_of_a_slow_timer_become_core_cycles(tmp_path: Path) -> None:
    slow = CONDITIONS.model_copy(update={"timer": "timer1", "timer_hz": 15_000_000})
    target = FakeTarget([fake("call", lambda x, n, i: 100)], under=slow)
    (one,) = characterize(tmp_path, target).cases[0].measured
    assert one.net.estimate.value == 400
    assert one.net.estimate.half_width == 4  # one count of the timer


def test_every_run_starts_from_reset(tmp_path: Path) -> None:
    target = FakeTarget()
    characterize(tmp_path, target)
    assert target.resets == 5 + 3 * 8


def test_unverified_rules_name_their_cases(tmp_path: Path) -> None:
    (rule,) = characterize(tmp_path).unverified
    assert rule.sentence.startswith("vpb-access: ")
    assert len(rule.cases) == 8


def test_an_unknown_case_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with refused("no-such-case", naming=["x?", "semaphore-take"]):
        collect([FakeTarget()], TECHNIQUE, Plan("x?"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_several_globs_add_up_in_the_order_of_the_catalogue() -> None:
    there = [fake(name, lambda x, n, i: 100).case for name in ("give", "send", "take")]
    assert [one.name for one in matching(there, ["t*", "give", "give"])] == ["give", "take"]
    with refused("no-such-case", naming=["'x'", "give, send, take"]):
        matching(there, ["give", "x"])
    with refused("no-such-case", naming=["none"]):
        matching([], "x")


def test_two_cases_of_one_name_are_refused(tmp_path: Path) -> None:
    twins = [fake("take", lambda x, n, i: 100), fake("take", lambda x, n, i: 200)]
    with refused("two-cases-of-one-name", naming=["take"]):
        collect([FakeTarget(twins)], TECHNIQUE, Plan("*"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_of_many_cases_a_few_are_named() -> None:
    many = [fake(f"call.{i}", lambda x, n, i: 100).case for i in range(200)]
    with refused("no-such-case", naming=["call.9, …", 200, "cyclescope list cases"]):
        matching(many, "x?")


def test_load_is_not_blamed_for_what_does_not_follow_it(tmp_path: Path) -> None:
    erratic = fake("erratic", lambda x, n, i: {10: 140, 50: 90}.get(n, 100), load=True)
    found = case(characterize(tmp_path, FakeTarget([erratic])), "erratic")
    assert found.load_law is None
    assert found.notes[0].startswith("hidden parameter")
