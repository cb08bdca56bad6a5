"""Task sets: schedules against a simulation tick by tick, and against response-time analysis."""

import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cyclescope.cli import execute
from cyclescope.errors import CyclescopeError
from cyclescope.schedule.exact import NO_COST, schedule
from cyclescope.schedule.points import points_of
from cyclescope.schedule.response import responses_us
from cyclescope.schedule.task_set import Switch, Task, TaskSet, read
from cyclescope.studies.schedule import MOST_JOBS, analyse

EXAMPLE = Path(__file__).parent.parent / "examples" / "tasks" / "two_tasks.toml"
MHZ = 1_000_000
COSTS = Switch(into_cycles=2, back_cycles=1)


def task_set(*tasks: tuple[int, int, int | None], switch: Switch = COSTS) -> TaskSet:
    """(C, T, D) in cycles and microseconds, the highest priority first."""
    made = (
        Task(name=f"t{i}", execution_cycles=c, period_us=t, deadline_us=d)
        for i, (c, t, d) in enumerate(tasks)
    )
    return TaskSet(board="lpc2148", switch=switch, task=tuple(made))


def by_ticks(tasks: TaskSet, switch: Switch) -> tuple[list[int], int, int]:
    """At 1 MHz, cycle by cycle: who had the core in each (-1: none), preemptions, late jobs."""
    jobs: list[dict[str, int]] = []
    had, running, preemptions, late = [], None, 0, 0
    for now in range(tasks.hyperperiod_us):
        for index, task in enumerate(tasks.task):
            if now % task.period_us == 0:
                jobs.append({"task": index, "left": task.execution_cycles, "paused": 0,
                             "due": now + task.due_us, "release": now})  # fmt: skip
        if not jobs:
            had.append(-1)
            running = None
            continue
        first = min(jobs, key=lambda job: (job["task"], job["release"]))
        if running is not None and running is not first:
            preemptions += 1
            running["paused"] = 1
            first["left"] += switch.into_cycles
        if first is not running and first["paused"]:
            first["paused"] = 0
            first["left"] += switch.back_cycles
        running = first
        had.append(first["task"])
        first["left"] -= 1
        if first["left"] == 0:
            late += now + 1 > first["due"]
            jobs.remove(first)
            running = None
    return had, preemptions, late + len(jobs)


def random_set(seed: int) -> TaskSet:
    random_ = random.Random(seed)
    periods = sorted(random_.sample([6, 8, 10, 12, 15, 20, 24, 30, 40, 60, 120], 3))
    deadlines = ((t, random_.randint(1, 1 + t // 4), random_.choice([None, t])) for t in periods)
    return task_set(*((c, t, d) for t, c, d in deadlines))


@pytest.mark.parametrize("switch", [NO_COST, COSTS], ids=["free", "paid"])
def test_random_sets_are_scheduled_as_cycle_by_cycle(switch: Switch) -> None:
    preempted = 0
    for seed in range(300):
        tasks = random_set(seed)
        made = schedule(tasks, MHZ, switch)
        had = [-1] * tasks.hyperperiod_us
        for one in made.stretches:
            for cycle in range(one.begin // MHZ, one.end // MHZ):
                assert had[cycle] == -1
                had[cycle] = one.task
        ticks, preemptions, late = by_ticks(tasks, switch)
        assert (had, made.preemptions, len(made.misses)) == (ticks, preemptions, late), (
            f"seed {seed}"
        )
        busy = made.cycles(is_switch=False) + made.cycles(is_switch=True)
        assert busy + made.idle_cycles == tasks.hyperperiod_us
        preempted += made.preemptions
    assert preempted > 500


def test_response_times_agree_with_the_schedule_and_bound_it_with_costs() -> None:
    compared = 0
    for seed in range(300):
        tasks = random_set(seed)
        free, paid = (schedule(tasks, MHZ, switch) for switch in (NO_COST, COSTS))
        bounds = responses_us(tasks, MHZ, COSTS)
        for index, exact in enumerate(responses_us(tasks, MHZ, NO_COST)):
            if exact is not None:
                assert exact == free.response_us(index), f"seed {seed}"
                compared += 1
            if (bound := bounds[index]) is not None:
                longest = paid.response_us(index)
                assert longest is not None and longest <= bound, f"seed {seed}"
        assert (None not in responses_us(tasks, MHZ, NO_COST)) == free.is_feasible
        assert None in bounds or paid.is_feasible
    assert compared > 500


def test_the_example_by_hand() -> None:
    made = schedule(read(EXAMPLE), 12 * MHZ, read(EXAMPLE).switch)
    # mac: 125 µs, and 25 µs more where it preempts. uart: 1,000 µs, preempted at 500 and 1,000,
    # each time 290 cycles more: 125 + 1,000 + 2 · (150 + 24.17) µs.
    assert (made.preemptions, made.is_feasible) == (2, True)
    assert made.response_us(0) == 150
    assert made.response_us(1) == pytest.approx(125 + 1000 + 2 * (150 + 290 / 12))
    assert (made.cycles(is_switch=False), made.cycles(is_switch=True)) == (18_000, 2 * 590)


def test_energies_by_hand_and_the_cheapest_point() -> None:
    found = analyse(read(EXAMPLE))
    slowest = found.at[0]
    assert (slowest.point.name, slowest.point.supply_mv) == ("O1", 2900)
    busy, cycles = 18_000 + 1_180, 24_000
    assert slowest.costly.capacitive_uj == pytest.approx(202.02e-12 * 2.9**2 * busy * 1e6)
    dynamic_uj = (busy * 1.65e-3 + (cycles - busy) * 0.183333e-3) * 2.9 / 3.3
    assert slowest.costly.by_kind_uj == pytest.approx(dynamic_uj + 2.9 * 10e-3 * 2e-3 * 1e6)
    best = found.cheapest("capacitive_uj")
    assert best is not None and best.point.name == "O1"
    cost = slowest.switches
    assert cost is not None and (cost.preemptions, cost.cycles) == (2, 1_180)
    assert cost.us == pytest.approx(1_180 / 12)
    assert cost.capacitive_uj == pytest.approx(202.02e-12 * 2.9**2 * 1_180 * 1e6)
    assert cost.by_kind_uj == pytest.approx(1_180 * 2.9 / 3.3 * 1.65e-3 + 2.9 * 10e-3 * cost.us)


def test_switches_can_make_a_set_infeasible() -> None:
    tight = task_set((50, 100, None), (90, 200, None), switch=Switch(into_cycles=6, back_cycles=6))
    free, paid = (schedule(tight, MHZ, switch) for switch in (NO_COST, tight.switch))
    assert free.is_feasible and not paid.is_feasible
    assert [(miss.task, miss.release_us) for miss in paid.misses] == [("t1", 0)]


def test_hyperperiods_too_long_are_bounded_and_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "long.toml"
    periods = (997, 1009, 1013)
    text = 'board = "lpc2148"\nswitch = { into_cycles = 300, back_cycles = 290 }\n'
    text += "".join(
        f'[[task]]\nname = "p{p}"\nexecution_cycles = 2000\nperiod_us = {p}\n' for p in periods
    )
    path.write_text(text)
    assert read(path).jobs > MOST_JOBS
    assert execute(["schedule", str(path)]) == 0
    out = capsys.readouterr().out
    assert "energies are exact" not in out and "preemptions  " not in out
    assert "too many to enumerate" in out and "fixed-point iteration" in " ".join(out.split())
    assert execute(["schedule", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["enumerated"] is False
    assert document["points"][0]["with_switches"]["capacitive_uj"] is None


def test_the_verb_shows_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "timeline.svg"
    assert execute(["schedule", str(EXAMPLE), "--out", str(drawn)]) == 0
    out = capsys.readouterr().out
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "Feasible at O1, O2, O3, O4, O5." in out and "█" in out and "▒" in out
    shapes = ElementTree.parse(drawn).getroot()
    assert len(shapes.findall("{http://www.w3.org/2000/svg}rect")) > 6
    assert execute(["schedule", str(EXAMPLE), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["points"][0]["with_switches"]["preemptions"] == 2
    assert document["points"][0]["switches"]["cycles"] == 1_180
    assert [one["deadline_us"] for one in document["tasks"]["task"]] == [500, 1_800]
    assert document["cheapest"]["capacitive_uj"] == "O1"


def test_an_infeasible_set_has_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "heavy.toml"
    path.write_text(EXAMPLE.read_text().replace("12_000", "200_000"))
    assert execute(["schedule", str(path)]) == 1
    assert "Infeasible at every operating point" in capsys.readouterr().out


BAD = {
    ("period_us = 500", "period_us = 0"): "greater than 0",
    ("deadline_us = 1_800", "deadline_us = 0"): "greater than 0",
    ("deadline_us = 1_800", "deadline_us = 2_001"): "has a deadline behind its period",
    ('name = "uart"', 'name = "mac"'): "two tasks have the same name",
    ("into_cycles", "in_cycles"): "switch.into_cycles",
    ("[switch]", "[switch"): "is no TOML file",
    ('"lpc2148"', '"lpc9"'): "there is no board named lpc9",
}


@pytest.mark.parametrize("change", BAD, ids=lambda change: change[1])
def test_doubtful_files_are_refused_in_a_sentence(
    change: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    assert change[0] in EXAMPLE.read_text()
    path.write_text(EXAMPLE.read_text().replace(*change))
    assert execute(["schedule", str(path)]) == 1
    assert BAD[change] in capsys.readouterr().err


def test_a_board_without_energy_is_refused(tmp_path: Path) -> None:
    board = tmp_path / "bare.toml"
    board.write_text('name = "bare"\n[core]\nkind = "arm7tdmi"\n')
    with pytest.raises(CyclescopeError, match="has no energy model with operating points"):
        points_of(str(board))
    assert [point.name for point in points_of("lpc2148-lab")] == ["O1", "O2", "O3", "O4", "O5"]
