"""Tasks of the user's own in `cyclescope switch`: measured as the paper's are, or one sentence."""

from pathlib import Path

import pytest

from cyclescope.cli import execute
from cyclescope.errors import CyclescopeError
from cyclescope.studies.switch.link import WindowRequest
from cyclescope.studies.switch.measure import SwitchPlan, measure
from cyclescope.studies.switch.points import choose
from cyclescope.studies.switch.results import SwitchRow, load
from cyclescope.studies.switch.rig import RigSettings
from cyclescope.studies.switch.targets.virtual import open_target
from cyclescope.target.target import Selection

EXAMPLE = Path(__file__).parent.parent / "examples" / "switch" / "median.c"
HEAD = "#include <stdint.h>\n"
TASK = HEAD + "uint32_t preempting_task(uint32_t operations) { return operations * 3; }\n"
UNEVEN = (
    TASK
    + """
static volatile uint32_t iteration;
void preempted_task(void) {
    uint32_t now = iteration++;
    if (now & 1)
        for (uint32_t i = 0; i < 7; i++)
            iteration = iteration;
}
"""
)


def rows(file: Path, kernel: str) -> tuple[SwitchRow, ...]:
    at = choose("lpc2148", ["O5"])[0]
    selection = Selection("lpc2148", kernel, settings={"clock": 60}, work=file)
    return measure(selection, at, SwitchPlan((2, 5), 3, 11, 0, 1, RigSettings())).rows


@pytest.mark.parametrize(
    ("text", "kernel"),
    [
        pytest.param(None, "freertos", id="example"),
        pytest.param(None, "bare", id="example, bare", marks=pytest.mark.matrix),
        pytest.param(TASK, "bare", id="one task, bare", marks=pytest.mark.matrix),
        pytest.param(TASK, "freertos", id="one task", marks=pytest.mark.matrix),
        pytest.param(UNEVEN, "bare", id="uneven, bare"),
        pytest.param(UNEVEN, "freertos", id="uneven", marks=pytest.mark.matrix),
    ],
)
def test_the_three_ways_agree(text: str | None, kernel: str, tmp_path: Path) -> None:
    file = EXAMPLE if text is None else tmp_path / "own.c"
    if text is not None:
        file.write_text(text)
    found = rows(file, kernel)
    for row in found:
        assert row.analytic_differences == 0 and row.analytic == row.simulated
        assert row.measured_cycles.covers(row.median_cycles)
        # Iterations of two lengths: the timer cannot know which of them was preempted.
        assert (row.measured_cycles.half_width > 10) == (text == UNEVEN)
        assert row.measured_pj is not None and row.measured_pj.covers(row.simulated.switch.pj)
    assert found[1].simulated.mac.cycles >= found[0].simulated.mac.cycles


def test_what_the_user_s_task_returns_comes_back(tmp_path: Path) -> None:
    """Also when the file, or what it includes, was changed; wherever it lies."""
    home = tmp_path / "a folder, é"
    home.mkdir()
    (home / "own.c").write_text(HEAD + '#include "factor.h"\n' + TASK.replace("* 3", "* FACTOR"))
    for factor in (3, 50_000):
        (home / "factor.h").write_text(f"#define FACTOR {factor}\n")
        target = open_target(Selection("lpc2148", "bare", work=home / "own.c"))
        assert target.time(WindowRequest(False, False, 2, 1_000)).sum == 1_000 * factor


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEAD, "own.c defines no uint32_t preempting_task(uint32_t operations)"),
        (TASK + "int main(void) { return 0; }\n", "own.c"),
        (TASK + "oops oops;\n", "own.c:3: "),
        (TASK.replace("operations * 3", "more(operations)") , "own.c"),
        (HEAD + "uint32_t more(uint32_t); uint32_t preempting_task(uint32_t n) { return more(n); }",
         "own.c uses more, which is not defined"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_built_is_one_sentence(
    text: str, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "own.c").write_text(text)
    with pytest.raises(CyclescopeError) as told:
        open_target(Selection("lpc2148", "bare", work=tmp_path / "own.c"))
    assert sentence in told.value.sentence and "\n" not in told.value.sentence


def test_the_verb_says_whose_tasks_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--kernel", "bare", "--point", "O5", "--instants", "2", "--sweep", "0"]
    few += ["--operations", "65"]
    out = tmp_path / "s"
    assert execute(["switch", *few, "--out", str(out), "--work", str(EXAMPLE), "--full"]) == 0
    shown = capsys.readouterr().out
    work = load(out).work
    assert work is not None and f"median.c, SHA-256 {work.sha256[:16]}" in shown
    assert "186,565" not in shown, "the paper's totals are of other tasks"
    assert execute(["switch", *few, "--out", str(tmp_path / "t")]) == 1
    assert "at most 64 multiply-accumulate operations" in capsys.readouterr().err
    missing = ["--work", str(tmp_path / "none.c")]
    assert execute(["switch", *few, "--out", str(tmp_path / "t"), *missing]) == 1
    assert "none.c cannot be read: No such file" in capsys.readouterr().err
