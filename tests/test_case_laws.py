"""From samples to law or refusal: significance, hidden parameters, the four behaviours."""

import json
from pathlib import Path

import pytest
from fake_target import BYTES, MANY_BYTES, FakeTarget, chance, fake
from refusals import refused

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.report.plotted import Figure
from cyclescope.results import Results, result_type
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Behaviour, CaseAnalysis, Characterization
from cyclescope.studies.characterize.report import figures, structured
from cyclescope.target.case import Parameter

TASKS = Parameter(name="tasks", unit="task", values=(1, 2, 3))


def results(folder: Path, *fakes: object) -> Results:
    return collect([FakeTarget(fakes)], TECHNIQUE, Plan(), folder)  # type: ignore[arg-type]


def only(folder: Path, *fakes: object) -> CaseAnalysis:
    (one,) = analyse(results(folder, *fakes)).cases
    return one


def test_constant_and_numerical(tmp_path: Path) -> None:
    steady = fake("steady", lambda x, n, i: 300)
    copy = fake("copy", lambda x, n, i: 90 + 3 * x, parameter=BYTES)
    flat = fake("flat", lambda x, n, i: 90, parameter=BYTES)
    found = analyse(results(tmp_path, steady, copy, flat))
    assert [one.behaviour for one in found.cases] == [
        Behaviour.CONSTANT, Behaviour.NUMERICAL, Behaviour.CONSTANT,
    ]  # fmt: skip
    assert all(one.significant and one.law and not one.law_refused for one in found.cases)


def test_a_knee_is_found_in_samples(tmp_path: Path) -> None:
    bent = fake("bent", lambda x, n, i: 400 + 10 * min(x, 16) + 2 * max(x - 16, 0) + i % 2,
                parameter=MANY_BYTES)  # fmt: skip
    one = only(tmp_path, bent)
    assert one.law is not None
    assert [(round(s.m, 6), round(s.begin), round(s.end)) for s in one.law.segments] == [
        (10, 1, 16), (2, 16, 128),
    ]  # fmt: skip
    assert one.behaviour is Behaviour.NUMERICAL
    assert one.law.predict_new(40).half_width > one.law.predict(40).half_width


def test_what_no_form_describes_is_refused_with_the_worst_x(tmp_path: Path) -> None:
    saw = fake("saw", lambda x, n, i: 500 + 300 * (x.bit_length() % 2), parameter=BYTES)
    one = only(tmp_path, saw)
    assert one.law is None
    assert one.law_refused is not None
    assert one.law_refused.startswith("no constant, no line and no line with the knees that 8")
    assert "at x = " in one.law_refused


def test_two_values_of_x_make_no_line(tmp_path: Path) -> None:
    two = Parameter(name="size", unit="byte", values=(1, 100))
    found = analyse(
        results(
            tmp_path,
            fake("grows", lambda x, n, i: 500 + x, parameter=two),
            fake("stays", lambda x, n, i: 500, parameter=two),
        )
    )
    grows, stays = found.cases
    assert grows.law is None
    assert grows.law_refused == "two values of x make no line, and their times differ"
    assert stays.law is not None


def test_peaks_that_nothing_explains_are_enumerated(tmp_path: Path) -> None:
    one = only(tmp_path, fake("kill", lambda x, n, i: 400 if chance(n, i) < 50 else 700))
    assert one.behaviour is Behaviour.ENUMERATED
    assert [cluster.law.at(0) for cluster in one.clusters] == [400, 700]
    assert sum(cluster.n for cluster in one.clusters) == 260
    assert one.law is None
    assert one.hidden is not None
    assert one.hidden.startswith("hidden parameter: 2 clusters of times: ")
    assert one.hidden.endswith("neither series, index nor load explains it")


def test_lines_of_their_own_make_clusters_over_x(tmp_path: Path) -> None:
    noise = fake("two", lambda x, n, i: (200 + 4 * x) * (1 + chance(n, i) % 2),
                 parameter=BYTES)  # fmt: skip
    one = only(tmp_path, noise)
    laws = [[c.estimate.value for c in cluster.law.coefficients] for cluster in one.clusters]
    assert laws[0] == pytest.approx([4, 200])
    assert laws[1] == pytest.approx([8, 400])


def test_growth_with_the_index_is_the_strongest_candidate_factor(tmp_path: Path) -> None:
    one = only(tmp_path, fake("fills", lambda x, n, i: 100 + 9 * i))
    assert not one.significant
    assert one.spread is not None
    assert (one.spread.length, one.spread.limit < one.spread.sigma) == (100, True)
    assert one.candidate_factors[0].name == "index in the series"
    assert one.candidate_factors[0].rho == pytest.approx(1, abs=1e-3)
    assert one.candidate_factors[0].share > 0.99
    assert one.behaviour is Behaviour.STATE_DEPENDENT
    assert one.law is None
    assert one.hidden is not None
    assert "100 cycles at 0, 991 at 99" in one.hidden


def test_objects_that_exist_are_named_where_a_case_makes_them(tmp_path: Path) -> None:
    one = only(tmp_path, fake("create", lambda x, n, i: 100 + 9 * i, load=True))
    assert one.candidate_factors[0].name == "objects made so far (index in the series)"


def test_the_length_of_the_series_is_a_candidate_factor(tmp_path: Path) -> None:
    one = only(tmp_path, fake("odd", lambda x, n, i: 100 + n))
    assert one.candidate_factors[0].name == "length of the series"
    assert (one.candidate_factors[0].low, one.candidate_factors[0].high) == (10, 100)


def test_noise_within_the_limit_is_significant_and_beyond_is_not(tmp_path: Path) -> None:
    calm = fake("calm", lambda x, n, i: 1000 + chance(n, i))
    wild = fake("wild", lambda x, n, i: 1000 + 8 * (chance(n, i)))
    calm_one, wild_one = analyse(results(tmp_path, calm, wild)).cases
    assert calm_one.significant
    assert calm_one.law is not None
    assert not wild_one.significant
    assert wild_one.law_refused is not None
    assert wild_one.law_refused.startswith("σ is ")


def pictures(folder: Path, *fakes: object) -> dict[str, Figure]:
    measured = results(folder, *fakes)
    (one,) = analyse(measured).cases
    return figures.of_case(one, measured.of_case(one.case.name))


def test_histograms_have_the_colours_of_the_clusters(tmp_path: Path) -> None:
    shown = pictures(tmp_path, fake("kill", lambda x, n, i: 400 if chance(n, i) < 50 else 700))
    bars = shown["histogram"]["data"]
    assert [(bar["name"], bar["cluster"]) for bar in bars] == [("cluster 1", 1), ("cluster 2", 2)]
    assert sum(sum(bar["y"]) for bar in bars) == 260
    assert [len(bar["y"]) for bar in bars] == [30, 30]


def test_fits_show_knees_and_both_bands(tmp_path: Path) -> None:
    bent = fake("bent", lambda x, n, i: 400 + 10 * min(x, 16) + 2 * max(x - 16, 0) + i % 2,
                parameter=MANY_BYTES)  # fmt: skip
    shown = pictures(tmp_path, bent)["fit"]
    assert [shape["x0"] for shape in shown["layout"]["shapes"]] == [pytest.approx(16)]
    new, law, line, points = shown["data"]
    assert max(new["y"]) > max(law["y"])
    assert line["name"] == "piecewise linear"
    assert points["x"] == list(MANY_BYTES.values)


def test_clusters_over_x_have_their_own_lines(tmp_path: Path) -> None:
    two = fake("two", lambda x, n, i: (200 + 4 * x) * (1 + chance(n, i) % 2), parameter=BYTES)
    shown = pictures(tmp_path, two)["fit"]["data"]
    assert [trace["cluster"] for trace in shown] == [1, 1, 2, 2]
    assert shown[2]["y"][0] == pytest.approx(400)


def test_the_strongest_candidate_factor_is_drawn(tmp_path: Path) -> None:
    shown = pictures(tmp_path, fake("fills", lambda x, n, i: 100 + 9 * i))["candidate_factor"]
    (trace,) = shown["data"]
    assert shown["layout"]["xaxis"]["title"]["text"] == "index in the series"
    assert trace["y"] == [100 + 9 * index for index in trace["x"]]


def kills(folder: Path) -> Characterization:
    conditions = {"self": 500, "other": 700, "other_again": 700, "nobody": 200}
    return analyse(
        results(
            folder,
            *(
                fake(f"kill.{name}", lambda x, n, i, t=net: t, call="kill(…)", condition=name)
                for name, net in conditions.items()
            ),
            fake("raise.self", lambda x, n, i: 500, call="raise(…)"),
        )
    )


def test_conditions_of_a_function_are_models_of_their_own_or_one(tmp_path: Path) -> None:
    kill, alone = kills(tmp_path).functions
    assert (kill.function, kill.behaviour) == ("kill", Behaviour.ENUMERATED)
    assert kill.models == (("kill.self",), ("kill.other", "kill.other_again"), ("kill.nobody",))
    assert alone.behaviour is Behaviour.CONSTANT


def test_lines_over_the_same_parameter_are_compared_where_both_were_measured(
    tmp_path: Path,
) -> None:
    found = analyse(
        results(
            tmp_path,
            fake("copy.near", lambda x, n, i: 90 + 3 * x, call="copy()", parameter=BYTES),
            fake("copy.far", lambda x, n, i: 90 + 3 * x, call="copy()", parameter=BYTES),
            fake("copy.slow", lambda x, n, i: 90 + 5 * x, call="copy()", parameter=BYTES),
            fake("copy.tasks", lambda x, n, i: 90 + 3 * x, call="copy()", parameter=TASKS),
        )
    )
    assert found.functions[0].models == (
        ("copy.near", "copy.far"), ("copy.slow",), ("copy.tasks",),
    )  # fmt: skip


def test_the_document_has_thresholds_origin_and_everything_found(tmp_path: Path) -> None:
    copy = fake("copy", lambda x, n, i: 90 + 3 * x, parameter=BYTES)
    measured = results(tmp_path, copy, fake("fills", lambda x, n, i: 100 + 9 * i))
    document = json.loads(json.dumps(structured.document(analyse(measured)), allow_nan=False))
    assert document["terms"]["relative_sigma"] == measured.manifest.terms.relative_sigma == 0.05
    assert document["terms"]["origin"] == 0
    law = document["cases"][0]["law"]
    assert law["domain"] == [1, 128]
    assert [(s["m"], s["q"]) for s in law["segments"]] == [pytest.approx((3, 90))]
    assert law["coefficients"][0]["unit"] == "cycles/byte"
    assert document["cases"][1]["suspects"][0]["name"] == "index in the series"
    assert document["cases"][1]["significant"] is False
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["version"], manifest["terms"]["clustering"]) == (5, "peaks")


def test_the_papers_procedure_is_asked_for_by_its_name(tmp_path: Path) -> None:
    results(tmp_path, fake("copy", lambda x, n, i: 90 + 3 * x, parameter=BYTES))
    default = result_type.of(tmp_path).analyse(tmp_path)
    literal = default.by_clustering("paper_literal").document()
    assert default.document()["cases"][0]["law"]["model"] == "linear"
    assert default.by_clustering("paper").document()["cases"][0]["law"]["model"] == "linear"
    assert len(literal["cases"][0]["clusters"]) > 3
    assert literal["terms"]["clustering"] == "paper_literal"
    with refused("no-such-plugin"):
        default.by_clustering("k-means")
