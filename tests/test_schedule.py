"""Task sets: schedules against a simulation tick by tick, and against response-time analysis."""

import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
from refusals import refused, told_code

from cyclescope.cli import execute
from cyclescope.studies.schedule.analyse import MOST_JOBS, analyse
from cyclescope.studies.schedule.exact import NO_COST, Speed, schedule
from cyclescope.studies.schedule.points import points_of
from cyclescope.studies.schedule.response import responses_us
from cyclescope.studies.schedule.task_set import PreemptionCost, SwitchCosts, Task, TaskSet, read
from cyclescope.studies.switch.measure import SwitchPlan, gather, measure, preemptions
from cyclescope.studies.switch.points import choose
from cyclescope.studies.switch.results import save
from cyclescope.studies.switch.rig import RigSettings
from cyclescope.target.target import Selection

EXAMPLE = Path(__file__).parent.parent / "examples" / "tasks" / "two_tasks.toml"
MHZ = 1_000_000
COSTS = PreemptionCost(into_cycles=2, back_cycles=1)


OWN = {
    "slow": Speed(MHZ, COSTS, "slow"),
    "fast": Speed(3 * MHZ, PreemptionCost(into_cycles=4, back_cycles=5), "fast"),
}
"""Operating points of jobs; a tick is a third of a microsecond."""


def task_set(
    *tasks: tuple[int, int, int | None],
    switch: PreemptionCost = COSTS,
    points: tuple[str, ...] = (),
) -> TaskSet:
    """(C, T, D) in cycles and microseconds, the highest priority first; the second has `points`."""
    made = (
        Task(
            name=f"t{i}",
            execution_cycles=c,
            period_us=t,
            deadline_us=d,
            points=points if i == 1 else (),
        )
        for i, (c, t, d) in enumerate(tasks)
    )
    costs = SwitchCosts(**switch.model_dump())
    return TaskSet(board="lpc2148", switch=costs, task=tuple(made))


def by_ticks(tasks: TaskSet, base: Speed, own: dict[str, Speed]) -> tuple[list[int], int, int]:
    """Tick by tick: who had the core in each (-1: none), preemptions, late jobs."""
    per_us = 3 if own else 1
    jobs: list[dict[str, int]] = []
    had, running, preemptions, late = [], None, 0, 0
    for now in range(tasks.hyperperiod_us * per_us):
        for index, task in enumerate(tasks.task):
            number, rest = divmod(now, task.period_us * per_us)
            if rest == 0:
                point = task.points[number % len(task.points)] if task.points else ""
                speed = own.get(point, base)
                ticks = per_us * MHZ // speed.core_hz
                jobs.append({"task": index, "left": task.execution_cycles * ticks, "paused": 0,
                             "due": now + task.due_us * per_us, "release": now,
                             "into": speed.switch.into_cycles * ticks,
                             "back": speed.switch.back_cycles * ticks})  # fmt: skip
        if not jobs:
            had.append(-1)
            running = None
            continue
        first = min(jobs, key=lambda job: (job["task"], job["release"]))
        if running is not None and running is not first:
            preemptions += 1
            running["paused"] = 1
            first["left"] += first["into"]
        if first is not running and first["paused"]:
            first["paused"] = 0
            first["left"] += first["back"]
        running = first
        had.append(first["task"])
        first["left"] -= 1
        if first["left"] == 0:
            late += now + 1 > first["due"]
            jobs.remove(first)
            running = None
    return had, preemptions, late + len(jobs)


def random_set(seed: int, points: tuple[str, ...] = ()) -> TaskSet:
    random_ = random.Random(seed)
    periods = sorted(random_.sample([6, 8, 10, 12, 15, 20, 24, 30, 40, 60, 120], 3))
    deadlines = ((t, random_.randint(1, 1 + t // 4), random_.choice([None, t])) for t in periods)
    return task_set(*((c, t, d) for t, c, d in deadlines), points=points)


@pytest.mark.parametrize(
    ("switch", "points"),
    [(NO_COST, ()), (COSTS, ()), (COSTS, ("fast",)), (COSTS, ("slow", "fast", "fast"))],
    ids=["free", "paid", "one point", "points in turn"],
)
def test_random_sets_are_scheduled_as_tick_by_tick(
    switch: PreemptionCost, points: tuple[str, ...]
) -> None:
    preempted = 0
    own = {name: OWN[name] for name in points}
    for seed in range(300 if not points else 100):
        tasks, base = random_set(seed, points), Speed(MHZ, switch)
        made = schedule(tasks, base, own)
        had = [-1] * (made.end * (3 if own else 1) * MHZ // made.per_second)
        unit = made.end // len(had)
        for one in made.stretches:
            for tick in range(one.begin // unit, one.end // unit):
                assert had[tick] == -1
                had[tick] = one.task
        ticks, preemptions, late = by_ticks(tasks, base, own)
        assert (had, made.preemptions, len(made.misses)) == (ticks, preemptions, late), (
            f"seed {seed}"
        )
        assert made.idle_s == pytest.approx(ticks.count(-1) * unit / made.per_second)
        preempted += made.preemptions
    assert preempted > 150


def test_response_times_agree_with_the_schedule_and_bound_it_with_costs() -> None:
    compared = 0
    for seed in range(300):
        tasks = random_set(seed)
        free, paid = Speed(MHZ), Speed(MHZ, COSTS)
        made = {speed: schedule(tasks, speed) for speed in (free, paid)}
        bounds = responses_us(tasks, paid)
        for index, exact in enumerate(responses_us(tasks, free)):
            if exact is not None:
                assert exact == made[free].response_us(index), f"seed {seed}"
                compared += 1
            if (bound := bounds[index]) is not None:
                longest = made[paid].response_us(index)
                assert longest is not None and longest <= bound, f"seed {seed}"
        assert (None not in responses_us(tasks, free)) == made[free].is_feasible
        assert None in bounds or made[paid].is_feasible
    assert compared > 500


def test_response_times_bound_jobs_with_points_of_their_own() -> None:
    compared = 0
    for seed in range(150):
        tasks = random_set(seed, ("slow", "fast"))
        made = schedule(tasks, Speed(2 * MHZ, COSTS), OWN)
        for index, bound in enumerate(responses_us(tasks, Speed(2 * MHZ, COSTS), OWN)):
            if bound is not None:
                longest = made.response_us(index)
                assert longest is not None and longest <= bound, f"seed {seed}"
                compared += 1
    assert compared > 200


HAND = SwitchCosts(into_cycles=300, back_cycles=290)


def test_the_example_by_hand() -> None:
    tasks = read(EXAMPLE).model_copy(update={"switch": HAND})
    made = schedule(tasks, Speed(12 * MHZ, PreemptionCost(into_cycles=300, back_cycles=290)))
    # mac: 125 µs, and 25 µs more where it preempts. Then uart: 1,000 µs, preempted at 500 and
    # 1,000, each time 290 cycles more. In all 125 + 1,000 + 2 · (150 + 24.17) µs.
    assert (made.preemptions, made.is_feasible) == (2, True)
    assert made.response_us(0) == 150
    assert made.response_us(1) == pytest.approx(125 + 1000 + 2 * (150 + 290 / 12))
    assert (made.cycles(is_switch=False), made.cycles(is_switch=True)) == (18_000, 2 * 590)


def test_energies_by_hand_and_the_cheapest_point() -> None:
    found = analyse(read(EXAMPLE).model_copy(update={"switch": HAND}))
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
    assert cost.by_kind_uj == pytest.approx(1_180 * 2.9 / 3.3 * (1.65e-3 - 0.183333e-3))


MIXED = ("O5", "O1")


@pytest.mark.parametrize("points", [((), ()), ((), ("O1",)), (MIXED, ("O1",))])
def test_switches_are_charged_what_they_add(points: tuple[tuple[str, ...], ...]) -> None:
    """By either law: the energy with switches less that without, all jobs being over."""
    tasks = read(EXAMPLE)
    own = [
        task.model_copy(update={"points": names})
        for task, names in zip(tasks.task, points, strict=True)
    ]
    found = analyse(tasks.model_copy(update={"switch": HAND, "task": tuple(own)}))
    for at in found.at[: None if points[1] else 1]:
        added = at.switches
        assert added is not None and added.preemptions > 1 and at.costly.is_feasible
        for law in ("capacitive_uj", "by_kind_uj"):
            more = getattr(at.costly, law) - getattr(at.without, law)
            assert getattr(added, law) == pytest.approx(more, abs=1e-9), (at.point.name, law)


def test_each_job_has_its_power_and_its_time() -> None:
    """Equation 1 with equation 2, by hand: E = Σ C_eff · V_ij² · f_ij · C_ij, C_ij in time."""
    tasks = read(EXAMPLE)
    first = tasks.task[0].model_copy(update={"points": MIXED})
    mixed = tasks.model_copy(update={"switch": HAND, "task": (first, tasks.task[1])})
    at = analyse(mixed).at[2]
    assert at.point.name == "O3" and at.without.schedule is not None
    expected, c_eff = 0.0, 202.02e-12
    for volts, mhz, cycles in [(3.3, 60, 1_500), (2.9, 12, 1_500)] * 2 + [(3.1, 36, 12_000)]:
        seconds = cycles / (mhz * 1e6)
        expected += c_eff * volts**2 * mhz * 1e6 * seconds
    assert at.without.capacitive_uj == pytest.approx(expected * 1e6)
    busy_us = 2 * (1_500 / 60 + 1_500 / 12) + 12_000 / 36
    assert at.without.schedule.idle_s * 1e6 == pytest.approx(2_000 - busy_us)
    nj = {"O1": 2.9 / 3.3, "O3": 3.1 / 3.3, "O5": 1.0}
    active = 1.65 * (3_000 * nj["O1"] + 3_000 * nj["O5"] + 12_000 * nj["O3"])
    idle = 0.183333 * nj["O3"] * (2_000 - busy_us) * 36
    quiescent = 10 * (2.9 * 250 + 3.3 * 50 + 3.1 * (2_000 - 300))
    assert at.without.by_kind_uj == pytest.approx((active + idle + quiescent) / 1e3, rel=1e-5)


def test_costs_are_those_of_the_preemptions_at_each_point(tmp_path: Path) -> None:
    """The example's are simulated; results of the switch study at the same instants agree."""
    plan = SwitchPlan((4,), 3, 11, 0, 1, RigSettings())
    points = choose("lpc2148", ["O1", "O5"])
    kinds = [
        Selection("lpc2148", "freertos", settings={"clock": at.core_hz // MHZ}) for at in points
    ]
    measured = [measure(kind, at, plan) for kind, at in zip(kinds, points, strict=True)]
    save(tmp_path, gather(measured, 3, 1, plan.rig))
    for one, figures in zip((analyse(read(EXAMPLE)).at[k] for k in (0, 4)), measured, strict=True):
        polled = figures.rows[0]
        assert one.switch.into_cycles == max(path.out.cycles for path in polled.instants)
        assert one.switch.back_cycles == max(path.back.cycles for path in polled.instants)
        assert one.switch.into_cycles > 400
    text = EXAMPLE.read_text().replace('kernel = "freertos"', 'kernel = "freertos"\nresults = "."')
    (tmp_path / "tasks.toml").write_text(text)
    with refused("no-switch-measured-at-point"):
        analyse(read(tmp_path / "tasks.toml"))


def test_simulated_costs_hold_at_other_instants_of_a_board_with_one_point(tmp_path: Path) -> None:
    text = EXAMPLE.read_text().replace('board = "lpc2148"', 'board = "at91x40"')
    (tmp_path / "tasks.toml").write_text(text.replace("12_000", "6_000"))
    (at,) = analyse(read(tmp_path / "tasks.toml")).at
    seen = preemptions(Selection("at91x40", "freertos"), 5, 77)
    # Without buffers between core and memory each switch takes the same.
    assert {(one.out.cycles, one.back.cycles) for one in seen} == {
        (at.switch.into_cycles, at.switch.back_cycles)
    }
    assert at.point.name == "rated" and at.costly.is_feasible


def test_costs_are_written_for_each_point(tmp_path: Path) -> None:
    path = tmp_path / "tasks.toml"
    costs = "[switch]\ninto_cycles = 7\nback_cycles = 8\n"
    costs += '[[switch.at]]\npoint = "O4"\ninto_cycles = 9\nback_cycles = 10\n'
    path.write_text(EXAMPLE.read_text().replace('[switch]\nkernel = "freertos"\n', costs))
    found = [(one.switch.into_cycles, one.switch.back_cycles) for one in analyse(read(path)).at]
    assert found == [(7, 8)] * 3 + [(9, 10), (7, 8)]
    path.write_text(path.read_text().replace("into_cycles = 7\nback_cycles = 8\n", ""))
    with refused("no-switch-costs-at-point"):
        analyse(read(path))


def test_switches_can_make_a_set_infeasible() -> None:
    costs = PreemptionCost(into_cycles=6, back_cycles=6)
    tight = task_set((50, 100, None), (90, 200, None), switch=costs)
    free, paid = (schedule(tight, Speed(MHZ, switch)) for switch in (NO_COST, costs))
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
    slowest = document["points"][0]
    preemptions = slowest["with_switches"]["preemptions"]
    assert preemptions == slowest["switches"]["preemptions"] > 0
    assert slowest["switches"]["cycles"] == preemptions * sum(slowest["switch"].values())
    assert [one["deadline_us"] for one in document["tasks"]["task"]] == [500, 1_800]
    assert set(document["cheapest"]) == {"capacitive_uj", "by_kind_uj"}


def test_an_infeasible_set_has_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "heavy.toml"
    path.write_text(EXAMPLE.read_text().replace("12_000", "200_000"))
    assert execute(["schedule", str(path)]) == 1
    assert "Infeasible at every operating point" in capsys.readouterr().out


WRONG = "task-set-wrong"
SWITCH = ["at switch:", "kernel", "results", "into_cycles", "back_cycles", "[[switch.at]]"]
BAD = {
    ("period_us = 500", "period_us = 0"): (WRONG, ["task.0.period_us", "0"]),
    ("deadline_us = 1_800", "deadline_us = 0"): (WRONG, ["task.1.deadline_us", "0"]),
    ("deadline_us = 1_800", "deadline_us = 2_001"): (WRONG, ["task.1:", "uart"]),
    ('name = "uart"', 'name = "mac"'): (WRONG, ["bad.toml: ", "name"]),
    ('kernel = "freertos"', "in_cycles = 3"): (WRONG, ["switch.in_cycles"]),
    ('kernel = "freertos"', "into_cycles = 3"): (WRONG, ["into_cycles and back_cycles"]),
    ('kernel = "freertos"', ""): (WRONG, SWITCH),
    ('kernel = "freertos"', 'kernel = "minix"'): ("build-failed", ["minix", "bare, freertos"]),
    ('kernel = "freertos"', 'results = "r"'): (WRONG, SWITCH),
    ("period_us = 500", 'period_us = 500\npoints = ["O9"]'): (
        "task-asks-for-unknown-point",
        ["mac", "O9", "lpc2148", "O1, O2, O3, O4, O5"],
    ),
    ("[switch]", "[switch"): ("task-set-not-toml", ["bad.toml", "line 6"]),
    ('"lpc2148"', '"lpc9"'): ("no-such-board", ["lpc9", "lpc2148"]),
}


@pytest.mark.parametrize("change", BAD, ids=lambda change: change[1])
def test_doubtful_files_are_refused_in_a_sentence(
    change: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    assert change[0] in EXAMPLE.read_text()
    path.write_text(EXAMPLE.read_text().replace(*change))
    code, names = BAD[change]
    assert told_code(["schedule", str(path)], capsys, naming=names) == code


def test_a_board_without_energy_is_refused(tmp_path: Path) -> None:
    board = tmp_path / "bare.toml"
    board.write_text('name = "bare"\n[core]\nkind = "arm7tdmi"\n')
    with refused("no-operating-points"):
        points_of(str(board))
    assert [point.name for point in points_of("lpc2148-lab")] == ["O1", "O2", "O3", "O4", "O5"]
