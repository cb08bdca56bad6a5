"""The gate against regressions, and what continuous integration reads of it."""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest
from fake_target import BYTES, CONDITIONS, FakeCase, FakeTarget, fake
from refusals import refused, told_code

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.studies.compare.findings import TimeUnit
from cyclescope.studies.compare.gate import EXIT_CODE, Outcome, parse
from cyclescope.target.case import Parameter
from cyclescope.target.conditions import Conditions

Measure = Callable[..., str]


@pytest.fixture
def measure(tmp_path: Path) -> Measure:
    """Measures fake cases on as many layouts as lists are given, and names the folder."""
    count = 0

    def measured(*layouts: Sequence[FakeCase], **changes: object) -> str:
        nonlocal count
        count += 1
        targets = []
        for i, cases in enumerate(layouts):
            layout = {"layout_number": 4 * i, "image_sha256": f"{i:02x}" * 32}
            under = Conditions.model_validate({**CONDITIONS.model_dump(), **changes, **layout})
            targets.append(FakeTarget(cases, under))
        plan = Plan(layout_seed=1 if len(layouts) > 1 else None)
        return str(collect(targets, TECHNIQUE, plan, tmp_path / str(count)).folder)

    return measured


def constant(name: str, cycles: int, **options: object) -> FakeCase:
    return fake(name, lambda x, n, i: cycles, **options)


def judged(
    capsys: pytest.CaptureFixture[str], folders: Sequence[str], *rules: str, code: int = 0
) -> dict[str, tuple[str, str]]:
    """The outcome of each case and its reasons."""
    options = [word for rule in rules for word in ("--fail-if", rule)]
    assert execute(["compare", *folders, *options, "--json"]) == code
    gate = json.loads(capsys.readouterr().out)["gate"]
    assert gate["failed"] == (code == EXIT_CODE)
    return {one["name"]: (one["outcome"], "; ".join(one["reasons"])) for one in gate["cases"]}


def test_rules_are_limits_in_percent_or_time() -> None:
    slower, faster = (
        parse("slower:5%", TimeUnit.CYCLES),
        parse("faster:2.5 us", TimeUnit.MICROSECONDS),
    )
    assert (slower.factor, slower.offset) == (1.05, 0)
    assert (faster.factor, faster.offset) == (1, -2.5)


@pytest.mark.parametrize(
    "text",
    [
        "slower",
        "slower:5",
        "slower:-5%",
        "slower:5 percent",
        "form:1",
        "fast:5%",
        "",
    ],
)
def test_bad_rules_are_refused_in_a_sentence(text: str) -> None:
    with refused("not-a-rule"):
        parse(text, TimeUnit.CYCLES)


def test_a_rule_that_can_never_break_is_refused() -> None:
    with refused("rule-never-breaks"):
        parse("faster:100%", TimeUnit.CYCLES)


def test_wrong_usage_has_its_own_exit_code(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = measure([constant("give", 200)])
    for wrong in (
        ["--fail-if", "slower:abc"],
        ["--fail-if", "slwer:5%"],
        ["--fail-if", "slower:2us"],
        ["--in", "hours"],
        ["--junit", "gate.xml"],
    ):
        assert execute(["compare", folder, folder, *wrong]) == 2
        assert wrong[0] in capsys.readouterr().err


def test_a_limit_in_the_other_unit_is_refused(measure: Measure) -> None:
    with refused("rule-in-another-unit"):
        parse("slower:2us", TimeUnit.CYCLES)


def test_one_layout_is_judged_exactly(measure: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    base = measure([constant("at", 200), constant("beyond", 200), constant("faster", 200)])
    new = measure([constant("at", 210), constant("beyond", 211), constant("faster", 100)])
    found = judged(capsys, (base, new), "slower:5%", code=EXIT_CODE)
    assert [one[0] for one in found.values()] == ["passed", "failed", "passed"]
    assert "200 → 211 cycles, 1.055 times (exact, one layout)" in found["beyond"][1]
    assert judged(capsys, (base, new), "slower:11cycles")["beyond"][0] == "passed"
    assert judged(capsys, (base, new), "slower:10cycles", code=3)["beyond"][0] == "failed"
    assert judged(capsys, (base, new), "faster:50%")["faster"][0] == "passed"
    assert judged(capsys, (base, new), "faster:49%", code=3)["faster"][0] == "failed"


def test_over_layouts_only_what_lies_beyond_the_limit_for_sure_fails(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    nets = [200, 203, 204, 207, 201, 199]
    base = measure(*([constant("give", net), constant("take", net)] for net in nets))
    new = measure(*([constant("give", net + 13), constant("take", net + 40)] for net in nets))
    found = judged(capsys, (base, new), "slower:5%", code=EXIT_CODE)
    # 13 of 202.3 cycles are 6.4 %: more than 5 % in the mean, but not beyond what layouts differ.
    assert found["give"][0] == "passed" and found["take"][0] == "failed"
    assert "p " in found["take"][1] and "95 %" in found["take"][1]
    assert judged(capsys, (base, base), "slower:0%", "faster:0%")["give"][0] == "passed"


def test_the_worst_x_stands_for_a_swept_case(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    base = measure([fake("send", lambda x, n, i: 400 + 2 * x, parameter=BYTES)])
    new = measure([fake("send", lambda x, n, i: 400 + 3 * x, parameter=BYTES)])
    outcome, reason = judged(capsys, (base, new), "slower:5%", code=EXIT_CODE)["send"]
    assert outcome == "failed" and reason.count("slower:5%") == 1
    # Beyond 5 % from x = 32 on: 32 > 0.05 (400 + 64).
    assert "656 → 784 cycles at x = 128" in reason and "at 3 of 8 x" in reason


def test_form_and_missing(measure: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    base = measure([fake("seek", lambda x, n, i: 400, parameter=BYTES), constant("give", 5)])
    new = measure([fake("seek", lambda x, n, i: 400 + x, parameter=BYTES)])
    found = judged(capsys, (base, new), "form", "missing", code=EXIT_CODE)
    assert found["seek"] == ("failed", "form: the law was constant and is linear")
    assert found["give"] == ("failed", "missing: not measured there")
    assert judged(capsys, (base, new), "slower:90%")["give"][0] == Outcome.NOT_JUDGED
    fewer = Parameter(name="size", unit="byte", values=BYTES.values[:-2])
    new = measure([fake("seek", lambda x, n, i: 400, parameter=fewer), constant("give", 5)])
    found = judged(capsys, (base, new), "missing", code=EXIT_CODE)
    assert found["seek"] == ("failed", "missing: no time at x = 64, 128")
    assert found["give"][0] == "passed"


def test_unusable_figures_never_pass(measure: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    base = measure([constant("give", 200), constant("nothing", 0)])
    new = measure([fake("give", lambda x, n, i: 1, empty=14), constant("nothing", 9)])
    found = judged(capsys, (base, new), "slower:5%", code=1)
    assert found["give"][0] == "not judged" and "below zero" in found["give"][1]
    assert found["nothing"][0] == "not judged" and "no percent" in found["nothing"][1]
    assert judged(capsys, (base, new), "slower:5cycles", code=3)["nothing"][0] == "failed"


def test_nothing_in_common_is_an_error(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = measure([constant("give", 200)]), measure([constant("take", 200)])
    command = ["compare", *folders]
    assert told_code([*command, "--fail-if", "slower:5%"], capsys) == "no-case-in-both"
    assert execute([*command, "--fail-if", "missing"]) == EXIT_CODE
    for cases in (["--case", "no*"], ["--case", "no*", "--case", "give"]):
        assert told_code([*command, *cases], capsys, naming=["'no*'"]) == "no-case-of-either"


def test_repeated_options_add_up(measure: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    folder = measure([constant(name, 200) for name in ("give", "send", "take")])
    assert execute(["compare", folder, folder, "--case", "give", "--case", "t*", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "give" in str(told) and "take" in str(told) and "send" not in str(told)


def test_junit_is_what_continuous_integration_reads(
    measure: Measure, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = measure([constant("give", 200, function_class="semaphores"), constant("nothing", 0),
                    constant("take", 9)])  # fmt: skip
    new = measure([constant("give", 400, function_class="semaphores"), constant("nothing", 9),
                   constant("take", 9)], kernel_configuration={"configODD<&\x01": "]]>"},
                   )  # fmt: skip
    path = tmp_path / "junit.xml"
    rules = ["--fail-if", "slower:5%", "--junit", str(path)]
    assert execute(["compare", base, new, *rules]) == EXIT_CODE
    root = Tree.parse(path).getroot()
    (suite,) = root
    cases = suite.findall("testcase")
    assert root.tag == "testsuites" and suite.tag == "testsuite"
    for element in (root, suite):
        assert {"name", "tests", "failures", "errors", "skipped", "time"} == set(element.attrib)
    assert suite.get("tests") == str(len(cases)) == "3"
    assert suite.get("failures") == str(len(suite.findall("testcase/failure"))) == "1"
    assert suite.get("skipped") == str(len(suite.findall("testcase/skipped"))) == "1"
    assert all({"classname", "name", "time"} == set(one.attrib) for one in cases)
    (failure,) = suite.findall("testcase[@name='give']/failure")
    assert cases[0].get("classname") == "cyclescope.semaphores"
    assert failure.get("type") == "regression" and "200 → 400" in str(failure.get("message"))
    names = [one.get("name") for one in suite.findall("properties/property")]
    assert "differs: kernel_configuration.configODD<&\ufffd" in names
    told = told_code(
        ["compare", base, new, "--junit", str(path)], capsys, 2, naming=["--junit", "--fail-if"]
    )
    assert told == "junit-without-rule"


def test_markdown_begins_with_verdict_and_conditions(measure: Measure, tmp_path: Path) -> None:
    base = measure([constant("give_one", 200), constant("take", 9)])
    new = measure([constant("give_one", 400), constant("take", 9)], flags=("-O2|3", "-mthumb"))
    path = tmp_path / "comment.md"
    assert execute(["compare", base, new, "--fail-if", "slower:5%", "--markdown", str(path)]) == 3
    text = path.read_text()
    order = ["**FAILED", "200 → 400", "conditions that differ", "-O2\\|3", "All 2 cases"]
    places = [text.index(one) for one in order]
    assert places == sorted(places)
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert "| give\\_one | 260 | 200 | 400 | 2.000, one layout | slower |" in text
    for line, after in pairwise(tables):
        if after.startswith("| ---"):
            assert line.replace("\\|", "").count("|") == after.count("|")
