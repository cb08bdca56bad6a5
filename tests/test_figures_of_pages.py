"""Measured figures on the pages come from marks, and a mark that fails harms no other."""

import ast
import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benches"))

from pages import catalogues, excerpts, figures, realtime, runs, threads, values  # noqa: E402

program = importlib.import_module("pages.__main__")

MADE = re.compile(r"^(Made|Written) by `make [\w-]+`", re.M)
"""The sentence of a page that a program writes whole."""

WRITTEN = re.compile(r"<!-- begin of what make .*?<!-- end of it -->", re.S)
FIGURE = re.compile(r"\d ± \d|\b[0-9a-f]{16}…|\b\d+ cases in \d+ classes")
"""A figure with its interval, an image's digest, the size of a catalogue."""


def unmarked(text: str) -> list[str]:
    """The figures that no mark and no program wrote."""
    head = "\n".join(text.splitlines()[:4])
    if MADE.search(head):
        return []
    return FIGURE.findall(WRITTEN.sub("", program.MARK.sub("", text)))


@pytest.mark.parametrize("page", program.documents(), ids=lambda page: page.name)
def test_no_measured_figure_stands_outside_a_mark(page: Path) -> None:
    assert not unmarked(page.read_text())


@pytest.mark.parametrize(
    "text", ["| `open` | 1,982 ± 40 |", "images: `72bb80bde8d13dac…`", "252 cases in 33 classes"]
)
def test_a_figure_typed_by_hand_is_found(text: str) -> None:
    assert unmarked(f"# Page\n\n{text}\n") and not unmarked(f"<!--= made() -->{text}<!--/-->")


def expressions() -> list[str]:
    texts = [page.read_text() for page in program.documents()]
    return [found["expression"] for text in texts for found in program.MARK.finditer(text)]


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_an_expression_calls_only_what_there_is(expression: str) -> None:
    nested = re.findall(r"\{(.*?)\}", expression)
    for text in [expression, *nested]:
        tree = ast.parse(text.strip(), mode="eval")
        names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
        assert names <= figures.FUNCTIONS.keys()
    for name in re.findall(r"""(?:net|mean|call|slope|both|made)\(['"](\w+)['"]""", expression):
        assert name in runs.CAMPAIGNS


def test_a_mark_that_fails_is_named_and_loses_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def net(name: str) -> str:
        if name == "lost":
            raise runs.PageError("there is no such campaign")
        return "12 ± 1"

    monkeypatch.setitem(figures.FUNCTIONS, "net", net)
    text = 'a <!--= net("lost") -->7<!--/--> b <!--= net("there") -->8<!--/--> c'
    after, failed = program.renew(text)
    assert after == text.replace("8<", "12 ± 1<")
    assert failed == ['net("lost"): there is no such campaign']


def test_a_command_that_failed_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    @runs.once
    def run(command: str) -> str:
        begun.append(command)
        raise runs.PageError("no")

    for _ in range(2):
        with pytest.raises(runs.PageError):
            run("show x")
    assert begun == ["show x"]


def test_options_of_a_campaign_say_where_it_was_made() -> None:
    assert runs.options("newlib_thumb") == "--kernel bare --isa thumb"
    assert runs.options("O2") == "" and runs.options("Os") == "--optimise Os"


def test_figures_have_three_digits() -> None:
    assert [values.number(one) for one in (1655.4, 100, 16.16, 5.0)] == [
        "1,655",
        "100",
        "16.2",
        "5",
    ]
    assert values.estimate({"value": 120.0, "half_width": None}) == "120"


def test_scores_have_as_many_digits_as_their_interval() -> None:
    assert realtime._score(1.33612, 0.1179) == "1.34 ± 0.12"
    assert realtime._score(26.31, 4.27) == "26.3 ± 4.3"
    assert realtime._score(120.7, 14.2) == "121 ± 14"
    assert realtime._score(1.28631, 0.0) == realtime._score(1.28631, None) == "1.286"


def test_times_between_two_addresses_are_of_neighbours() -> None:
    executed = [(10, 1), (12, 1), (20, 2), (30, 2), (40, 1), (47, 2)]
    assert list(threads._times(executed, 1, 2)) == [8, 7]


def test_shares_are_of_all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def of(n: int, ticked: int, difference: float) -> dict[str, object]:
        run = {"raw_cycles": {"n": n}, "rejected": {"tick": ticked}}
        return {"runs": [run | {"truth_difference_cycles": difference}]}

    found = {"cases": [{"measured": [of(90, 10, 0.0), of(99, 1, -0.5)]}]}
    monkeypatch.setattr(catalogues, "campaign", lambda name: found)
    assert catalogues.exact_share("linux") == "94.5 %"
    assert catalogues.exact_truth("linux") == "at most 0.5 cycles in 2 runs"


def test_rows_of_a_table_go_to_their_case() -> None:
    lines = [
        "open.existing  open: there",
        "   190    12 ± 1",
        "       3",
        "close.file  close",
        " 1",
    ]
    found = excerpts.rows(lines, ["open.existing", "close.file"])
    assert found == {"open.existing": lines[:3], "close.file": lines[3:]}
