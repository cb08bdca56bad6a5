"""Reports of a comparison: conditions first, 80 columns, a page that works, parts that add up."""

import io
import json
from pathlib import Path

import pytest
from fake_target import CASES, CONDITIONS, FakeCase, FakeTarget, fake
from playwright.sync_api import Browser, expect
from refusals import refused
from rich.console import Console
from visit import Visit

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.results import storage
from cyclescope.results.result_type import Asked
from cyclescope.studies.compare.attribution import attribute
from cyclescope.studies.compare.comparing import CharacterizationsCompared
from cyclescope.studies.explain import explanation
from cyclescope.studies.explain.explanation import (
    KINDS,
    ExplainedInterruptsOff,
    Explanation,
    FunctionCost,
    Spent,
)
from cyclescope.target.conditions import Conditions

OFF = ExplainedInterruptsOff(
    longest_cycles=0, begin=0, end=0, begin_at="", end_at="", entered_off=False,
    returned_off=False, longest_of_series_cycles=0,
)  # fmt: skip


def slower(one: FakeCase) -> FakeCase:
    name = one.case.name
    return FakeCase(one.case, lambda x, n, i: one.net(x, n, i) * (3 if name == "malloc" else 1) + 2)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    base, new = tmp_path / "base", tmp_path / "new"
    collect([FakeTarget()], TECHNIQUE, Plan(), base)
    under = Conditions.model_validate({**CONDITIONS.model_dump(), "flags": ("-O2", "-mthumb")})
    only = fake("only-new", lambda x, n, i: 5)
    cases = [*map(slower, CASES), only]
    collect([FakeTarget(cases, under)], TECHNIQUE, Plan(), new)
    return base, new


def explained(folder: Path, case: str, empty: int, **functions: dict[str, int]) -> Explanation:
    """A made-up explanation whose functions spend so much of each kind."""
    costs = tuple(
        FunctionCost(name=name.replace("__", "."), address=16 * i, entries=1, code=(),
                     spent=Spent(**spent))
        for i, (name, spent) in enumerate(functions.items())
    )  # fmt: skip
    spent = sum((one.spent for one in costs), Spent())
    made = Explanation(
        conditions=storage.read_manifest(folder).conditions.fingerprint(), case=case,
        parameter=None, length=10, index=0, raw_cycles=0, overhead_cycles=0,
        net_cycles=spent.total - empty + 1, call_cycles=spent.total, empty_call_cycles=empty,
        beside_cycles=1, spent=spent, functions=costs, interrupts_off=OFF,
    )  # fmt: skip
    explanation.save(folder, made)
    return made


def text(compared: CharacterizationsCompared) -> str:
    out = io.StringIO()
    compared.show(Console(file=out, width=80))
    return out.getvalue()


def test_conditions_that_differ_stand_before_the_first_figure(folders: tuple[Path, Path]) -> None:
    told = text(CharacterizationsCompared(*folders, Asked(fail_if=("slower:5%", "form"))))
    assert max(map(len, told.splitlines())) <= 80
    before, _, after = told.partition("B / A (95 %)")
    assert "Conditions that differ" in before and "-Os" in before and "-O2" in before
    words = " ".join(after.split())
    assert "malloc pvPortMalloc: x bytes; n 2,080" in words
    assert "220 662 3.009, one layout slower" in words
    assert "law: A constant 220; B constant 662" in words
    assert "only in B, not measured there: only-new" in words
    assert "claims nothing about another layout" in words
    assert "gate FAILED (slower:5%, form)" in words


def test_nothing_differs_is_said(folders: tuple[Path, Path]) -> None:
    told = text(CharacterizationsCompared(folders[0], folders[0], Asked()))
    assert "The conditions agree in everything that was recorded, the image too." in told


def test_parts_add_up_whatever_was_inlined(folders: tuple[Path, Path]) -> None:
    first = explained(folders[0], "semaphore-take", 10,
                      take={"instructions": 50, "fetch_stalls": 9},
                      copy={"data_waits": 8})  # fmt: skip
    second = explained(folders[1], "semaphore-take", 12,
                       take__part__0={"instructions": 30, "bus_waits": 2},
                       take={"instructions": 40}, lock={"fetch_stalls": 7})  # fmt: skip
    found = attribute(first, second)
    by_name = {one.name: one for one in found.functions}
    assert set(by_name) == {"take", "copy", "lock"}
    assert by_name["take"].difference.instructions == 20 and by_name["take"].entries == (1, 2)
    assert by_name["copy"].second is None and by_name["lock"].first is None
    assert sum(one.difference.total for one in found.functions) == found.call == 79 - 67
    for kind in KINDS:
        parts = sum(getattr(one.difference, kind) for one in found.functions)
        assert parts == getattr(found.spent, kind)
    assert found.net == found.call - found.empty_call + found.beside
    told = text(CharacterizationsCompared(*folders, Asked(why=True)))
    assert "copy (only in A)" in told and "+12 in the call, less +2" in told
    assert "only virtual boards explain" not in told and "make it with characterize" in " ".join(
        told.split()
    )


def test_explanations_of_other_conditions_do_not_count(folders: tuple[Path, Path]) -> None:
    made = explained(folders[0], "semaphore-take", 10, take={"instructions": 50})
    explanation.save(folders[1], made)
    document = CharacterizationsCompared(*folders, Asked(why=True)).document()
    assert document["why"]["cases"] == []
    assert any(one["name"] == "semaphore-take" for one in document["why"]["unexplained"])


def test_json_has_it_all(folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    base, new = map(str, folders)
    assert execute(["compare", base, new, "--json", "--in", "us"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["first"]["folder"] == base and document["unit"] == "us"
    malloc = next(one for one in document["cases"] if one["name"] == "malloc")
    assert malloc["change"] == "slower" and len(malloc["points"]) == 8
    point = malloc["points"][0]
    assert point["second"]["net_cycles"]["value"] == 662 and point["basis"] == "one layout"
    assert point["difference"]["value"] == pytest.approx(442 / 60) and point["p_value"] is None
    assert [one["of"] for one in document["platform_ratio"]] == ["means", "m", "q"]
    assert execute(["compare", base, new, "--in", "seconds"]) == 2
    assert "choose cycles or us" in capsys.readouterr().err


def test_page_asks_nothing_of_the_network_and_opens_its_rows(
    browser: Browser, folders: tuple[Path, Path]
) -> None:
    base, new = map(str, folders)
    explained(folders[0], "malloc", 10, malloc={"instructions": 50})
    path = folders[0].parent / "page.html"
    rules = ["--fail-if", "slower:5%", "--why", "--report", str(path)]
    assert execute(["compare", base, new, *rules]) == 3
    visit = Visit(browser, path)
    page = visit.page
    expect(page.locator("h2").first).to_have_text("Conditions that differ")
    sides = page.locator("header .sides dd")
    expect(sides.nth(0)).to_contain_text(f"{base}: lpc2148 (virtual) at 60 MHz")
    expect(sides.nth(1)).to_contain_text(f"{new}: lpc2148 (virtual) at 60 MHz")
    answer = page.locator("header .answer")
    expect(answer).to_contain_text("Ratio B / A of their times: greatest 3.009 (malloc)")
    dots = page.locator(".ratios b")
    expect(dots).to_have_count(len(CASES))
    place = "one => parseFloat(one.style.left)"
    far = page.locator(".ratios > div", has_text="malloc").locator("b").evaluate(place)
    assert far == max(dots.nth(i).evaluate(place) for i in range(len(CASES)))
    page.fill("#filter", "malloc")
    expect(page.locator("#cases tbody:visible")).to_have_count(1)
    page.click("#case-malloc th button")
    expect(page.locator("#more-malloc")).to_contain_text("3.009, one layout")
    assert visit.complaints == [] and visit.requests == [path.as_uri()]
    for width in (400, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        assert visit.overflowing() == []


def test_real_time_results_take_no_rules(tmp_path: Path) -> None:
    from cyclescope.studies.realtime.comparing import COMPARISONS
    from cyclescope.studies.realtime.results import FORMAT_NAME

    with refused("option-not-for-realtime"):
        COMPARISONS[FORMAT_NAME](tmp_path, tmp_path, Asked(fail_if=("slower:5%",)))
