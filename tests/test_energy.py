"""Energy beside time: it adds up whoever is asked, and asking changes nothing else."""

import io
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from fake_target import CASES, CONDITIONS, FakeTarget
from firmware_session import Session
from refusals import refused, told_code
from rich.console import Console

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration
from cyclescope.results import storage
from cyclescope.results.whole_files import ResultsError
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.report import structured, terminal
from cyclescope.studies.characterize.report.rows import rows
from cyclescope.studies.characterize.result_type import CharacterizationAnalysis
from cyclescope.studies.explain.measure import LENGTH, explain, find
from cyclescope.target.energy import EnergyCoefficient, EnergyModel
from cyclescope.target.target import Selection
from cyclescope.targets import open_target, replay
from cyclescope.targets.virtual.target import VirtualBoard

if TYPE_CHECKING:
    from cyclescope._engine import Account

PLAIN = Selection("lpc2148", "freertos")
METERED = Selection("lpc2148", "freertos", energy=True)
SLOW = Selection("lpc2148", "freertos", settings={"clock": 12}, energy=True)
AVR = Selection("atmega2560", "freertos", energy=True)
"""Its probes read 16 bits of the timer, a byte at a time."""
CALLS = (
    "semaphore_give.wakes_higher",
    "semaphore_give_from_isr.wakes_higher",
    "semaphore_take.blocks",
    "queue_send.room",
)

IRQ, SUPERVISOR, SYSTEM = 0x12, 0x13, 0x1F
"""Modes of the ARM7TDMI."""

MODEL = EnergyModel(
    supply="regulator",
    nominal_mv=3300,
    operating_point="O5",
    supply_mv=3300,
    capacitance_ff=202_020,
    coefficients=(EnergyCoefficient(of="active cycle", value=7, unit="fJ", rule="energy-current"),),
)
METERED_CONDITIONS = CONDITIONS.model_copy(update={"energy": MODEL})


@cache
def target(selection: Selection) -> VirtualBoard:
    opened = open_target(selection)
    assert isinstance(opened, VirtualBoard)
    return opened


def fake_metered() -> FakeTarget:
    return FakeTarget(CASES, under=METERED_CONDITIONS, fj_per_cycle=2_200_000)


def metered_run(skipping: bool) -> "tuple[int, list[Account]]":
    """A series with every cycle metered by mode, task and function, and how many there were."""
    session = Session(Configuration())
    board = session.board
    board.set_skipping(skipping)
    places = [function.address for function in target(PLAIN).program().functions]
    board.meter(places=places, current_task=target(PLAIN).program().symbols["pxCurrentTCB"])
    began, skipped = board.cycle, board.skipped_cycles
    index = session.cases["semaphore_give_from_isr.wakes_higher"].index
    assert len(session.link.run(index, 10, 0)) == 10
    assert (board.skipped_cycles > skipped) == skipping
    return board.cycle - began, board.spent()


def test_every_cycle_of_a_kernels_image_is_somebodys_and_something() -> None:
    program = target(PLAIN).program()
    cycles, accounts = metered_run(skipping=True)
    assert sum(spent[0] for _, spent in accounts) == cycles
    by_mode: Counter[int] = Counter()
    by_task: Counter[int] = Counter()
    by_place: Counter[int] = Counter()
    by_part = [0] * len(target(PLAIN).board.energy_parts())
    for (mode, task, place), (_, _, parts) in accounts:
        by_mode[mode] += sum(parts)
        by_task[task] += sum(parts)
        by_place[place] += sum(parts)
        by_part = [total + part for total, part in zip(by_part, parts, strict=True)]
    assert sum(by_part) == by_place.total() == by_task.total() == by_mode.total() > 0
    assert by_place.keys() <= {0, *(function.address for function in program.functions)}
    assert by_place[program.symbols["vTaskSwitchContext"] & ~1] > 0
    assert {IRQ, SUPERVISOR, SYSTEM} <= by_mode.keys()
    assert len(by_task) == 2, "the agent, and the task that the case wakes"


def test_skipping_of_waiting_loops_changes_no_account() -> None:
    assert metered_run(skipping=True) == metered_run(skipping=False)


@pytest.mark.parametrize("name", CALLS)
def test_functions_instructions_and_parts_add_up_to_the_call(name: str) -> None:
    case, x = find(target(METERED), name, None)[0]
    one = explain(target(METERED), case, x)
    energy = one.energy
    assert energy is not None
    assert sum(energy.parts_fj.values()) == energy.call_fj
    assert sum(function.energy_fj or 0 for function in one.functions) == energy.call_fj
    for function in one.functions:
        assert sum(line.energy_fj or 0 for line in function.code) == function.energy_fj
        assert all(line.executions or not line.energy_fj or not line.text for line in function.code)
    # 202.02 pF at 3.3 V.
    assert energy.capacitive_fj == one.call_cycles * 2_199_998
    assert energy.net_fj == energy.raw_fj - energy.overhead_fj > 0
    assert energy.raw_fj > energy.call_fj > energy.overhead_fj


def test_metering_changes_no_sample_and_no_explanation() -> None:
    for name in CALLS:
        case, x = find(target(PLAIN), name, None)[0]
        plain, metered = (explain(target(one), case, x) for one in (PLAIN, METERED))
        document = metered.model_dump(mode="json", exclude={"energy", "conditions"})
        for function in document["functions"]:
            del function["energy_fj"]
            for line in function["code"]:
                del line["energy_fj"]
        assert document == plain.model_dump(mode="json", exclude={"conditions"})
        for empty in (False, True):
            series = []
            for one in (PLAIN, METERED):
                target(one).reset()
                series.append(target(one).run_series(case, x, LENGTH, empty))
            assert all(sample.energy_fj for sample in series[1].samples)
            bare = tuple(sample._replace(energy_fj=None) for sample in series[1].samples)
            assert bare == tuple(series[0].samples)


@pytest.mark.parametrize("selection", [METERED, AVR], ids=lambda one: one.board)
def test_a_call_with_the_same_cycles_takes_what_its_explanation_says(
    selection: Selection, tmp_path: Path
) -> None:
    name = "semaphore_take.binary_full"
    results = collect([target(selection)], TECHNIQUE, Plan(name, lengths=(10,)), tmp_path)
    (one,) = analyse(results).cases
    energy = one.measured[0].energy
    assert energy is not None and energy.estimate.half_width == 0
    case, x = find(target(selection), name, None)[0]
    explained = explain(target(selection), case, x).energy
    assert explained is not None
    assert energy.estimate.value == pytest.approx(explained.net_fj / 1e9, rel=1e-12)
    assert {"energy-current", "energy-split"} <= results.manifest.unverified.keys()


def test_a_regulator_fed_core_loses_by_a_slower_clock_though_the_simple_law_says_it_gains() -> None:
    found = {}
    for selection in (METERED, SLOW):
        this = target(selection)
        case, x = find(this, "semaphore_take.binary_full", None)[0]
        found[selection] = this.conditions().energy, explain(this, case, x).energy
    (fast_model, fast), (slow_model, slow) = found[METERED], found[SLOW]
    assert fast_model and slow_model and fast and slow
    assert (fast_model.operating_point, fast_model.supply_mv) == ("O5", 3300)
    assert (slow_model.operating_point, slow_model.supply_mv) == ("O1", 2900)
    assert slow.call_fj > fast.call_fj
    assert slow.capacitive_fj < fast.capacitive_fj


@pytest.mark.matrix
@pytest.mark.parametrize(
    ("mhz", "point", "supply_mv"),
    [(12, "O1", 2900), (24, "O2", 3000), (36, "O3", 3100), (48, "O4", 3200), (60, "O5", 3300)],
)
def test_every_operating_point_is_set_by_the_firmwares_pll(
    mhz: int, point: str, supply_mv: int
) -> None:
    this = target(Selection("lpc2148", "freertos", settings={"clock": mhz}, energy=True))
    # Pillai and Isha, Table 1; the engine's own clock has been changed by the PLL, not the file's.
    assert this.board.core_hz == mhz * 1_000_000
    assert this.board.clock_epochs()[0] == (0, 12_000_000)
    model = this.conditions().energy
    assert model is not None
    assert (model.operating_point, model.supply_mv) == (point, supply_mv)
    case, x = find(this, "semaphore_give.wakes_higher", None)[0]
    one = explain(this, case, x)
    assert one.energy is not None
    assert one.energy.capacitive_fj == one.call_cycles * round(0.20202 * supply_mv**2)
    quiescent = one.energy.parts_fj["quiescent"]
    exact = 10e-3 * supply_mv * 1e-3 * one.call_cycles / (mhz * 1e6)
    assert quiescent == pytest.approx(exact * 1e15, rel=1e-6)


def test_energies_are_kept_read_back_and_replayed(tmp_path: Path) -> None:
    results = collect([fake_metered()], TECHNIQUE, Plan("semaphore-*"), tmp_path / "first")
    run = results.of_case("semaphore-give")[0]
    energies = run.energies_uj("call")
    assert energies is not None and energies.size == run.cycles("call").size
    assert energies[0] == pytest.approx(run.cycles("call")[0] * 0.0022)
    again = replay.RecordedLayout(tmp_path / "first")()
    collect([again], TECHNIQUE, Plan("semaphore-*"), tmp_path / "second")
    first, second = (storage.read_manifest(tmp_path / name) for name in ("first", "second"))
    assert first == second


def test_without_a_meter_nothing_of_it_is_written(tmp_path: Path) -> None:
    results = collect([FakeTarget()], TECHNIQUE, Plan("semaphore-*"), tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert "energy" not in manifest["conditions"]
    for record in results.manifest.runs:
        assert "energy_fj" not in pq.read_schema(tmp_path / record.file).names
    assert results.runs[0].energies_uj("call") is None
    assert analyse(results).cases[0].measured[0].energy is None
    with refused("other-conditions", ResultsError, naming=["energy"]):
        collect([fake_metered()], TECHNIQUE, Plan("semaphore-*"), tmp_path)


def test_reports_show_energy_beside_time_under_its_model(tmp_path: Path) -> None:
    results = collect([fake_metered()], TECHNIQUE, Plan(), tmp_path)
    found = analyse(results)
    out = io.StringIO()
    terminal.show(found, Console(file=out, width=80))
    text = out.getvalue()
    assert max(len(line) for line in text.splitlines()) <= 80
    before, _, after = text.partition("µJ")
    assert "operating point O5, 3.3 V, regulator" in before
    assert "unverified: energy-current" in " ".join(before.split())
    # 312 cycles at 2.2 nJ; queue-send from 412 to 666.
    assert "5.200        0.686" in after
    (send,) = [row.energy for row in rows(found) if row.name == "queue-send"]
    assert send == "0.906 … 1.465"
    take = structured.document(found)["cases"][0]
    assert take["measured"][0]["net_uj"] == {
        "value": pytest.approx(0.6864),
        "half_width": None,
        "interval": "exact, this image",
    }
    page = CharacterizationAnalysis(results).page()
    assert "µJ (exact, this image)" in page and ">0.686<" in page


def test_a_target_without_a_meter_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collect([FakeTarget()], TECHNIQUE, Plan("semaphore-*"), tmp_path / "old")
    asked = ["characterize", "--board", f"replay:{tmp_path / 'old'}", "--energy"]
    told = told_code([*asked, "--out", str(tmp_path / "new")], capsys)
    assert told == "target-has-no-power-meter"
    assert not (tmp_path / "new").exists()


def test_the_models_coefficients_all_say_where_they_come_from() -> None:
    model = target(METERED).conditions().energy
    assert model is not None
    assert all((one.source is None) != (one.rule is None) for one in model.coefficients)
    names = [one.of for one in model.coefficients]
    assert len(set(names)) == len(names) >= 20


def test_a_run_tells_parts_tasks_and_functions(capsys: pytest.CaptureFixture[str]) -> None:
    elf = firmware.build(Configuration()).elf
    asked = ["run", "--image", str(elf), "--until", "cycles=400000", "--energy"]
    assert execute([*asked, "--json"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    energy = outcome["energy"]
    assert sum(energy["parts_fj"].values()) == energy["total_fj"]
    for kind in ("spenders", "functions"):
        assert sum(one["energy_fj"] for one in energy[kind]) == energy["total_fj"]
        assert sum(one["cycles"] for one in energy[kind]) == outcome["cycle"]
    assert {"task harness", "supervisor mode"} <= {one["name"] for one in energy["spenders"]}
    assert {"start", "board_start"} <= {one["name"] for one in energy["functions"]}
    assert execute(asked) == 0
    text = capsys.readouterr().out
    assert "task harness" in text and "residual" in text


def test_a_run_without_symbols_or_without_a_model(
    plain_board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = tmp_path / "loop.bin"
    code.write_bytes(bytes.fromhex("feffffea"))
    raw = ["run", "--load", f"{code}@0x200", "--entry", "0x200"]
    bounded = [*raw, "--until", "cycles=3002", "--energy", "--json"]
    assert execute(bounded) == 0
    energy = json.loads(capsys.readouterr().out)["energy"]
    assert [one["name"] for one in energy["functions"]] == ["the program"]
    assert execute([*bounded, "--board", str(plain_board)]) == 1
    assert "plain has no energy model" in capsys.readouterr().err
