"""A noisy target: medians for means, quartiles for deviations, and what reports say of it."""

from io import StringIO
from pathlib import Path

from fake_target import BYTES, CONDITIONS, OVERHEAD, FakeTarget, fake
from rich.console import Console

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.results import Results
from cyclescope.stats.net import NetVerdict
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Behaviour, Characterization
from cyclescope.studies.characterize.report import structured, terminal
from cyclescope.studies.characterize.result_type import CharacterizationAnalysis

NOISY = CONDITIONS.model_copy(update={"machine": {"cpu": "some", "virtual_machine": "yes"}})


def interrupted(net: int, n: int, i: int) -> int:
    """Every seventh call is interrupted, for longer and longer."""
    return net + (1000 + 300 * n + 77 * i) * (i % 7 == 3)


def results(folder: Path, *fakes: object) -> Results:
    return collect([FakeTarget(list(fakes), under=NOISY)], TECHNIQUE, Plan(), folder)  # type: ignore[arg-type]


def characterize(folder: Path, *fakes: object) -> Characterization:
    return analyse(results(folder, *fakes))


def test_interrupted_calls_do_not_move_the_net_time(tmp_path: Path) -> None:
    found = characterize(tmp_path, fake("call", lambda x, n, i: interrupted(300, n, i)))
    ((run,),) = (one.runs for one in found.cases[0].measured)
    assert (run.net.estimate.value, run.net.verdict) == (300, NetVerdict.MEASURED)
    assert run.call.mean > 400
    assert run.medians is not None
    assert (run.medians.call.median, run.medians.call.spread) == (300 + OVERHEAD, 0)
    assert run.observed_maximum > 30_000


def test_a_quiet_target_keeps_its_means(tmp_path: Path) -> None:
    quiet = FakeTarget([fake("call", lambda x, n, i: interrupted(300, n, i))])
    found = analyse(collect([quiet], TECHNIQUE, Plan(), tmp_path))
    ((run,),) = (one.runs for one in found.cases[0].measured)
    assert run.medians is None
    assert run.net.estimate.value == run.call.mean - run.empty.mean > 400


def test_a_law_goes_through_the_medians(tmp_path: Path) -> None:
    send = fake("send", lambda x, n, i: interrupted(410 + 2 * x, n, i), parameter=BYTES)
    law = characterize(tmp_path, send).cases[0].law
    assert law is not None
    m, q = (one.estimate.value for one in law.coefficients)
    assert (round(m, 6), round(q, 6)) == (2, 410)


def test_noise_that_would_hide_a_law_elsewhere_leaves_that_of_the_medians(tmp_path: Path) -> None:
    def noisy(x: int, n: int, i: int) -> int:
        return interrupted(410 + 2 * x + (7919 * (i + n) % 181 - 90), n, i)

    (send,) = characterize(tmp_path, fake("send", noisy, parameter=BYTES)).cases
    assert send.law is not None and send.hidden is None
    m, q = (one.estimate.value for one in send.law.coefficients)
    assert round(m, 6) == 2
    assert 390 < q < 430
    assert send.behaviour is Behaviour.NUMERICAL


def test_medians_that_follow_no_law_are_told(tmp_path: Path) -> None:
    odd = fake("odd", lambda x, n, i: 400 + 300 * (x in (2, 8, 32, 128)), parameter=BYTES)
    (found,) = characterize(tmp_path, odd).cases
    assert found.law is None
    assert found.law_refused is not None
    assert found.law_refused.startswith("no law describes the medians: the best, ")


def test_each_real_series_stands_beside_its_own_empty_one(tmp_path: Path) -> None:
    asked: list[int] = []
    target = FakeTarget(
        [fake("call", lambda x, n, i: 300)],
        under=NOISY,
        before_series=lambda case, length: asked.append(length),
    )
    collect([target], TECHNIQUE, Plan(), tmp_path)
    assert asked == [10, 10, 25, 25, 50, 50, 75, 75, 100, 100]


def test_below_zero_is_an_error_in_medians(tmp_path: Path) -> None:
    odd = fake("odd", lambda x, n, i: interrupted(1, n, i), empty=60)
    (problem,) = characterize(tmp_path, odd).problems
    assert problem.startswith("odd: the net time is -50 ±")
    assert "the empty call took 60 (n 260) and the real one 10 (n 260)" in problem


def test_reports_say_medians_quartiles_machine_and_nothing_of_maxima(tmp_path: Path) -> None:
    kept = results(tmp_path, fake("call", lambda x, n, i: interrupted(300, n, i)))
    found = analyse(kept)
    console = Console(width=80, record=True, file=StringIO())
    terminal.show(found, console)
    text = " ".join(console.export_text().split())
    page = CharacterizationAnalysis(kept).page()
    for shown in (text, page):
        assert "IQR" in shown
        assert "median of the real calls less the median of the empty calls" in shown
        assert "it bounds nothing and says little of the call" in shown
        assert "virtual machine: yes" in shown
    measured = structured.document(found)["cases"][0]["measured"][0]
    assert measured["quartile_range_cycles"] == 0
    assert measured["runs"][0]["medians_cycles"]["call"]["median"] == 300 + OVERHEAD
