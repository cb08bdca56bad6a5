"""Recorded power: what the rig records is what the meter knows, in either instrument's format."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from power_export import joulescope_csv, ppk2_csv
from refusals import refused

from cyclescope.cli import execute
from cyclescope.studies.power.files import read
from cyclescope.studies.power.recording import Recording
from cyclescope.studies.power.virtual_rig import record
from cyclescope.studies.power.windows import find, trigger_of
from cyclescope.targets.virtual.board import Board, make_board, read_image

EXAMPLES = Path(__file__).parent.parent / "examples" / "power"
PIN = "gpio.p0.10"
CORE_HZ = 12_000_000

PULSES = """
    ldr r0, =0xE01FC1A0     @ SCS: fast GPIO
    mov r1, #1
    str r1, [r0]
    ldr r0, =0x3FFFC000     @ FIO0DIR
    mov r1, #0x400
    str r1, [r0]
work:
    str r1, [r0, #0x18]     @ FIO0SET: P0.10 high
high:
    mov r2, #600
1:  ldr r3, [sp]
    mul r4, r3, r3
    subs r2, r2, #1
    bne 1b
    str r1, [r0, #0x1C]     @ FIO0CLR: P0.10 low
low:
    mov r2, #200
2:  subs r2, r2, #1
    bne 2b
    b work
"""


@pytest.fixture
def pulses(assemble: Callable[..., Path]) -> Callable[[], Board]:
    """An LPC2148 at 12 MHz whose P0.10 is high for one piece of work after the other."""
    image = read_image(assemble(PULSES, 0x40000000))

    def board() -> Board:
        made = make_board("lpc2148")
        made.load(image)
        made.reset()
        made.run(cycles=500)
        return made

    return board


def truth(board: Board, cycles: int) -> tuple[list[int], list[float]]:
    """Cycles and microjoules between the stores to the pin, as the power meter has them."""
    board.watch()
    board.meter(places=(), accessed=[0x3FFFC018, 0x3FFFC01C])
    board.run(cycles=board.cycle + cycles)
    readings = board.take_readings()
    while readings[0][1] != 0x3FFFC018:
        readings = readings[1:]
    pairs = list(zip(readings[::2], readings[1::2], strict=False))
    return [b[0] - a[0] for a, b in pairs], [(b[3] - a[3]) / 1e9 for a, b in pairs]


def close(found: Recording, wanted: Recording) -> bool:
    return all(
        np.allclose(getattr(found, name), getattr(wanted, name), rtol=1e-6, atol=1e-9)
        for name in ("time_s", "current_a", "voltage_v")
    )


def test_the_windows_of_a_recording_cover_the_truth(pulses: Callable[[], Board]) -> None:
    for rate_hz in (1_000_000, 130_000):
        recording = record(pulses(), rate_hz, 0.01, PIN)
        found = find(recording, trigger_of(recording, None, None))
        cycles, energies_uj = truth(pulses(), CORE_HZ // 100)
        assert found.energy.n == len(cycles) > 5
        estimate = found.energy_estimate
        assert estimate.low <= float(np.mean(energies_uj)) <= estimate.high
        duration = found.duration_estimate
        assert duration.low <= float(np.mean(cycles)) * 1e6 / CORE_HZ <= duration.high
        assert estimate.half_width < 0.1 * estimate.value, f"a bound that says something: {rate_hz}"
        assert found.duration.sigma < 1e6 / rate_hz


def test_a_recording_loses_no_energy(pulses: Callable[[], Board]) -> None:
    board = pulses()
    recording = record(board, 250_000, 0.005, PIN)
    metered = pulses()
    metered.meter(places=())
    metered.run(cycles=metered.cycle + CORE_HZ // 200)
    total_uj = sum(sum(parts) for _, (_, _, parts) in metered.spent()) / 1e9
    recorded_uj = float(recording.power_w.sum()) * recording.period_s * 1e6
    # The meter stops at an instruction's end, the recording in its middle.
    assert recorded_uj == pytest.approx(total_uj, abs=0.03)
    assert set(recording.voltage_v) == {2.9}, "12 MHz is operating point O1"


def test_both_formats_give_the_same_windows(pulses: Callable[[], Board], tmp_path: Path) -> None:
    recording = record(pulses(), 200_000, 0.004, PIN)
    (tmp_path / "joulescope.csv").write_text(joulescope_csv(recording))
    (tmp_path / "ppk2.csv").write_text(ppk2_csv(recording))
    joulescope = read(tmp_path / "joulescope.csv", None)
    ppk2 = read(tmp_path / "ppk2.csv", 2900)
    assert close(joulescope, recording) and close(ppk2, recording)
    windows = [find(one, trigger_of(one, None, None)) for one in (recording, joulescope, ppk2)]
    for one in windows[1:]:
        assert one.energies_uj == pytest.approx(windows[0].energies_uj, rel=1e-5)
        assert one.durations_us == pytest.approx(windows[0].durations_us, rel=1e-5)


@pytest.mark.parametrize("name", ["joulescope.csv", "ppk2.csv"])
def test_the_sample_files_are_what_the_rig_records(name: str, pulses: Callable[[], Board]) -> None:
    recording = record(pulses(), 100_000, 0.01, PIN)
    written = {"joulescope.csv": joulescope_csv, "ppk2.csv": ppk2_csv}[name](recording)
    assert (EXAMPLES / name).read_text() == written


def test_the_verb_tells_energy_with_n_spread_and_conditions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute(["power", str(EXAMPLES / "joulescope.csv")]) == 0
    text = capsys.readouterr().out
    assert max(len(line) for line in text.splitlines()) <= 80
    for word in (
        "Joulescope",
        "2.900 V",
        "energy, µJ",
        "duration, µs",
        "observed maximum",
        "bounds nothing",
    ):
        assert word in text
    documents = []
    for arguments in (["joulescope.csv"], ["ppk2.csv", "--supply-mv", "2900", "--trigger", "D0"]):
        assert execute(["power", str(EXAMPLES / arguments[0]), *arguments[1:], "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    first, second = documents
    assert first["energy_uj"]["n"] == second["energy_uj"]["n"] > 5
    assert first["energy_uj"]["mean"] == pytest.approx(second["energy_uj"]["mean"], rel=1e-5)


def test_a_current_marks_windows_too(tmp_path: Path) -> None:
    rows = ["#time (s),current (A),voltage (V)"]
    rows += [f"{i / 1000:.3f},{0.020 if 4 <= i % 10 < 7 else 0.001},3.0" for i in range(50)]
    (tmp_path / "plain.csv").write_text("\n".join(rows))
    recording = read(tmp_path / "plain.csv", None)
    found = find(recording, trigger_of(recording, None, 10.0))
    assert found.durations_us == pytest.approx([3000] * 5)
    assert found.energies_uj == pytest.approx([0.020 * 3.0 * 0.003 * 1e6] * 5)
    with refused("trigger-ambiguous"):
        trigger_of(recording, None, None)


EARLY_HEADS = ("#time (s),current (A),voltage (V),in0", "#time,current,voltage,in0")


@pytest.mark.parametrize("head", EARLY_HEADS)
def test_earlier_exports_are_read_too(head: str, tmp_path: Path) -> None:
    rows = [f"{i / 1000:.3f},0.020,3.0,{int(4 <= i % 10 < 7)}" for i in range(50)]
    (tmp_path / "early.csv").write_text("\n".join([head, *rows]))
    recording = read(tmp_path / "early.csv", None)
    assert find(recording, trigger_of(recording, None, None)).durations_us == pytest.approx(
        [3000] * 5
    )


def test_joulescope_columns_come_in_any_order_and_levels_are_averages(tmp_path: Path) -> None:
    """The user interface writes the plots that are shown, in their order, averages all; pyjls
    writes names instead of letters."""
    heads = {
        "ui.csv": "# time,JS220-0004.0,JS220-0004.v,JS220-0004.p,JS220-0004.r,JS220-0004.i",
        "pyjls.csv": "# timestamp,js.gpi[0],js.voltage,js.power,js.current_range,js.current",
    }
    levels = [0, 0, 0.25, 1, 1, 0.5, 0, 0, 0.75, 1, 0]
    for name, head in heads.items():
        rows = [
            ",".join(f"{cell:.18e}" for cell in (i / 1e3, level, 3.0, 0.06, 1, 0.02))
            for i, level in enumerate(levels)
        ]
        (tmp_path / name).write_text("\n".join([head, *rows]) + "\n")
        recording = read(tmp_path / name, None)
        assert list(recording.triggers) == ["in0"], "the range of the current marks nothing"
        found = find(recording, trigger_of(recording, None, None))
        assert found.durations_us == pytest.approx([3000, 1000])
        assert found.energies_uj == pytest.approx([0.06 * 3e-3 * 1e6, 0.06 * 1e-3 * 1e6])


BITS = {
    "together": "D0-D7",
    "apart": "D0,D1,D2,D3,D4,D5,D6,D7",
    "both": "D0-D7,D0,D1,D2,D3,D4,D5,D6,D7",
}


def ppk2(levels: str, bits: str, bom: str = "\ufeff") -> str:
    """As the software of PPK2 writes it: D0 first; an averaged sample has X where the level
    changed, and - where nothing is known."""
    lines = [f"{bom}Timestamp(ms),Current(uA),{BITS[bits]}"]
    for i, level in enumerate(levels):
        every = f"{level}0-X0000"
        cells = {"together": every, "apart": ",".join(every)}
        cells["both"] = f"{every},{cells['apart']}"
        lines.append(f"{i / 10},{20_000:.3f},{cells[bits]}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("bits", BITS)
def test_ppk2_levels_may_change_within_a_sample(bits: str, tmp_path: Path) -> None:
    path = tmp_path / "ppk2.csv"
    path.write_text(ppk2("00X11X00110", bits), encoding="utf-8")
    recording = read(path, 3000)
    assert set(recording.triggers) == {"D0", "D1", "D4", "D5", "D6", "D7"}, "D2 was not recorded"
    found = find(recording, trigger_of(recording, None, None))
    assert found.durations_us == pytest.approx([300, 200])
    for name, code, named in (
        ("D3", "channel-cannot-mark-windows", "line 2"),
        ("D2", "no-such-channel", "D0, D1, D4"),
    ):
        with refused(code, naming=[name, named]):
            trigger_of(recording, name, None)


@pytest.mark.parametrize(
    ("levels", "why"),
    [
        ("00X0110", "changes twice within line 4"),
        ("0011X10", "changes twice within line 6"),
        ("00-1100", "level is not known at line 4"),
        ("00XX110", "keeps changing at line 4"),
    ],
)
def test_edges_that_are_not_known_mark_no_window(levels: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "ppk2.csv"
    path.write_text(ppk2(levels, "together"), encoding="utf-8")
    for name, code in ((None, "trigger-ambiguous"), ("D0", "channel-cannot-mark-windows")):
        with refused(code, naming=["D0", why]):
            trigger_of(read(path, 3000), name, None)


JOULESCOPE = "#time (s),current (A),voltage (V)\n"
PPK2 = "Timestamp(ms),Current(uA),D0-D7\n"
BAD = {
    "Timestamp(ms),Current(mA),D0-D7\n0,1,0\n1,1,0\n2,1,0\n": "must begin with one of",
    JOULESCOPE + "0,1,3\n": "fewer than two samples",
    JOULESCOPE + "0,1,3\n1,x,3\n2,1,3\n": "line 3: 1,x,3 is not 3 numbers",
    JOULESCOPE + "0,1,3\n1,nan,3\n2,1,3\n": "line 3: a sample is missing",
    JOULESCOPE + "0,1,3\n1,1\n2,1,3\n": "line 3: a sample is missing",
    JOULESCOPE + "0,1,3\n1,1,3\n2,1,3\n9,1,3\n": "line 5: 7 s without a sample, where 1 s is usual",
    JOULESCOPE + "0,1,3\n1,1,3\n0,1,3\n": "line 4: time does not go on",
    JOULESCOPE + "0,38,3\n1,38,3\n2,38,3\n": "a current of 38 A is more than the instrument",
    JOULESCOPE + "0,1,3300\n1,1,3300\n2,1,3300\n": "a voltage of 3300 V is more",
    "# time,JS.v\n0,3\n1,3\n": "holds no current (JS.i)",
    "# time,a.i,b.v\n0,1,3\n1,1,3\n": "columns of a, b: export those of one device",
    "# time,i,v\n0,1,3\n1,1,3\n": "no device",
    "# time,a.i\n0,1\n1,1\n": "holds no voltage: say it with --supply-mv",
    "# time,a.i,a.v\n0,1,3\n1,,3\n": "line 3: a sample is missing",
    PPK2 + "0,1,0000000\n1,1,0000000\n": "does not hold eight bits",
    PPK2 + "0,1,0000000?\n1,1,00000000\n": "D7 holds more than 0, 1, X and -",
    "\n": "is empty",
    PPK2 + "0,1,00000000\n1,1,00000000\n": "holds no voltage: say it with --supply-mv",
    JOULESCOPE.strip() + ",in0\n0,1,3,0\n1,1,3,1\n2,1,3,1\n": "marks no whole window",
    "\0": "must begin with one of|fewer than two|no CSV file",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_doubtful_files_are_refused_in_a_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert execute(["power", str(path)]) == 1
    error = capsys.readouterr().err
    assert any(part in error for part in BAD[text].split("|")), error
    assert error.count("\n") == 1


def test_options_that_contradict_the_file_are_refused() -> None:
    recording = read(EXAMPLES / "joulescope.csv", None)
    with refused("no-such-channel"):
        trigger_of(recording, "in7", None)
    with refused("two-triggers"):
        trigger_of(recording, PIN, 3.0)
    with refused("voltage-recorded-already"):
        read(EXAMPLES / "joulescope.csv", 3300)
    with refused("cannot-read"):
        read(EXAMPLES / "none.csv", None)
