"""The rules of benches/cortex_m3_rules: each can be switched off, and the page has them all."""

import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
BENCH = runpy.run_path(str(ROOT / "benches" / "cortex_m3_rules" / "__main__.py"))
RULES = BENCH["RULES"]
PAGE = (ROOT / "docs" / "timing" / "cortex-m3.md").read_text()


def test_the_changes_stand_once_each_with_those_before_it() -> None:
    """As the command makes them, in order: a change may alter what the next one looks for."""
    texts: dict[str, str] = {}
    for rule in RULES:
        text = texts.get(rule.path) or (ROOT / BENCH["PIPELINE"] / rule.path).read_text()
        for before, after in filter(None, ((rule.before, rule.after), rule.also)):
            assert text.count(before) == 1, rule.name
            assert "OFF" in after or rule.also, rule.name
            text = text.replace(before, after)
        texts[rule.path] = text
    assert len({rule.name for rule in RULES}) == len(RULES) > 30


def test_the_judge_can_be_asked_for_each_counter() -> None:
    assert (ROOT / BENCH["JUDGE"]).read_text().count(BENCH["SHOWN"]) == 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_page_has_the_groups_that_a_rule_was_found_in(rule: Any) -> None:
    rows = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
    named = ", ".join(f"`{group}`" for group in rule.found) or "cmemu"
    assert any(len(row) > 4 and row[2] == named for row in rows)


def test_an_unknown_rule_is_refused_by_name() -> None:
    with pytest.raises(SystemExit) as refused:
        BENCH["main"](["no-such-rule"])
    assert "no-such-rule is no rule" in str(refused.value)
