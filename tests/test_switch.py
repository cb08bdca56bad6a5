"""`cyclescope switch`: three ways that agree, the paper's tables beside ours, and bad input."""

import json
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from refusals import told_code
from rich.console import Console
from typer.testing import CliRunner

from cyclescope.cli.program import application
from cyclescope.results import result_type
from cyclescope.studies.switch import paper
from cyclescope.studies.switch.measure import SwitchPlan, gather, measure
from cyclescope.studies.switch.points import choose
from cyclescope.studies.switch.report import page as html
from cyclescope.studies.switch.report import terminal
from cyclescope.studies.switch.report.tables import contradiction
from cyclescope.studies.switch.results import SwitchResults, load, save
from cyclescope.studies.switch.rig import RigSettings
from cyclescope.target.target import Selection

# As many instants as the verb takes: with fewer the median can miss, by a cycle more than its ±.
ENTRY_CYCLES = 12
"""More than from taking an interrupt to the reading of the VIC's vector."""
PLAN = SwitchPlan((4, 16), 3, 11, 4, 1, RigSettings())


@cache
def measured() -> SwitchResults:
    targets = []
    for kernel, point in (("bare", "O5"), ("freertos", "O1")):
        at = choose("lpc2148", [point])[0]
        selection = Selection("lpc2148", kernel, settings={"clock": at.core_hz // 1_000_000})
        targets.append(measure(selection, at, PLAN))
    return gather(targets, PLAN.characters, PLAN.seed, PLAN.rig)


def test_the_three_ways_agree() -> None:
    for target in measured().targets:
        for row in target.rows:
            assert row.analytic_differences == 0 and row.boundaries > 500
            assert row.analytic == row.simulated
            assert row.measured_cycles.covers(row.median_cycles)
            assert row.measured_pj is not None
            assert row.measured_pj.covers(row.simulated.switch.pj)


def test_operating_points_are_really_set() -> None:
    fast, slow = measured().targets
    assert (fast.conditions.core_hz, slow.conditions.core_hz) == (60_000_000, 12_000_000)
    assert (fast.point.mamtim, slow.point.mamtim) == (3, 1)
    assert (fast.point.supply_mv, slow.point.supply_mv) == (3300, 2900)


def test_the_switch_does_not_depend_on_the_work_and_the_difference_of_totals_does() -> None:
    """Section 4.2.1's ΔN holds the second task's own operations, here as in the paper."""
    rows = [row for row in measured().targets[0].rows if row.uart == "polled"]
    assert len({row.simulated.switch.cycles for row in rows}) == 1
    late = {row.operations: row.at_end.sent_counts - row.sequential.sent_counts for row in rows}
    work = {row.operations: row.simulated.mac.cycles for row in rows}
    assert paper.slope(late) == paper.slope(work)
    both = {row.at_end.ended_counts - row.sequential.ended_counts for row in rows}
    assert len(both) == 1
    # While bits are shifting there is nothing to lose: the MAC task's time is hidden.
    for row in rows:
        hidden = row.preempted.sent_counts - row.sequential.sent_counts
        assert abs(hidden) < row.simulated.switch.cycles < row.simulated.mac.cycles
    theirs = {operations: one.counts for operations, one in paper.TABLES.items()}
    assert theirs == {4: 263, 16: 513, 32: 873}
    assert [round(step, 1) for _, _, step in paper.slope(theirs)] == [20.8, 22.5]


def test_the_instant_matters() -> None:
    for target in measured().targets:
        for sweep in target.sweeps:
            assert len(sweep.paths) == PLAN.steps
            # Below: the core was entering the UART's interrupt when the VIC handed it the alarm.
            least = 2 if sweep.uart == "polled" else -ENTRY_CYCLES
            assert min(one.latency_cycles for one in sweep.paths) >= least
        step, counts = target.sweeps[0].step_counts, target.sweeps[0].character_counts
        assert step * PLAN.steps <= counts and all(step % turn for turn in range(2, 60))
    polled = measured().targets[0].sweeps[0]
    assert len({(one.latency_cycles, one.back.cycles) for one in polled.paths}) > 1


def test_milli_joules_are_thousands_of_times_too_many() -> None:
    assert "0.58 µJ" in contradiction()
    most_pj = max(row.simulated.switch.pj for one in measured().targets for row in one.rows)
    assert most_pj < 10e6  # 10 µJ


def test_what_is_shown_fits_in_80_columns_and_has_both_sides() -> None:
    screen = Console(file=StringIO(), width=80)
    terminal.show(measured(), screen)
    text = screen.file.getvalue()  # type: ignore[attr-defined]
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "…" not in text.split("Operating points")[1]
    aliasing = "freertos V11.2.0 (with -fno-strict-aliasing)"
    for expected in ("186,565", "8.55", "8.43", "n = 11", "mam-prefetch", "± ", aliasing):
        assert expected in text, expected


def test_the_page_stands_alone() -> None:
    page = html.render(measured(), ["a problem"])
    assert "a problem" in page and "Figure 12" in page
    assert "<script src" not in page and "<link" not in page
    assert "{{" not in page.split("<script")[0]


def test_results_survive_the_disk(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    save(folder, measured())
    assert load(folder) == measured()
    found = result_type.of(folder).analyse(folder)
    assert found.problems == [] and found.document()["targets"][0]["kernel"] == "bare"


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(application(), ["switch", *arguments])
    return done.exit_code, done.stdout, str(done.exception or "")


def test_the_verb_writes_results_and_report(tmp_path: Path) -> None:
    few = ["--kernel", "bare", "--point", "O1", "--operations", "4", "--instants", "3"]
    code, output, _ = run(*few, "--sweep", "0", "--out", str(tmp_path / "s"), "--json")
    document = json.loads(output)
    assert code == 0 and document["format"] == "cyclescope switch"
    assert "figure12" in (tmp_path / "s" / "report.html").read_text()
    assert len(document["targets"][0]["rows"]) == 2


def test_a_board_without_clocks_to_choose_has_its_one_point(tmp_path: Path) -> None:
    few = ["--board", "at91x40", "--kernel", "bare", "--operations", "4", "--romwaits", "1"]
    code, output, _ = run(*few, "--sweep", "4", "--full", "--out", str(tmp_path / "s"))
    assert code == 0 and "MAMTIM" not in output and "at 32,000 baud" in output
    (target,) = load(tmp_path / "s").targets
    assert target.point.name == "rated" and target.conditions.memory["romwaits"] == 1
    assert all(row.analytic == row.simulated for row in target.rows)
    assert all(row.measured_cycles.covers(row.median_cycles) for row in target.rows)


@pytest.mark.parametrize(
    ("arguments", "code", "names"),
    [
        (["--board", "at91x40", "--point", "60"], "pll-cannot-reach-clock", ["60 MHz", "32.768"]),
        (["--point", "50"], "pll-cannot-reach-clock", ["50 MHz", "12, 24, 36, 48, 60"]),
        (["--point", "O7"], "no-such-operating-point", ["O7", "O1 (12 MHz)"]),
        (["--kernel", "minix"], "build-failed", ["--kernel minix", "bare, freertos"]),
        (["--board", "nowhere"], "no-such-board", ["nowhere", "lpc2148"]),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path,
    arguments: list[str],
    code: str,
    names: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["switch", *arguments, "--out", str(tmp_path / "s")]
    assert told_code(command, capsys, naming=names) == code
    assert not (tmp_path / "s").exists()


def test_a_set_of_tasks_is_scheduled_and_drawn(tmp_path: Path) -> None:
    example = Path(__file__).parent.parent / "examples" / "tasks" / "two_tasks.toml"
    drawn = tmp_path / "timeline.svg"
    code, output, _ = run("--tasks", str(example), "--out", str(drawn), "--json")
    assert code == 0 and json.loads(output)
    assert drawn.read_text().startswith("<svg")


def test_other_results_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"format": "cyclescope results"}')
    code, _, told = run("--out", str(tmp_path))
    assert code != 0 and "choose another folder" in told
