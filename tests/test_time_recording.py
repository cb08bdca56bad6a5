"""`cyclescope time --program` and `--recording`: a program, its pins at a card, and its figures."""

import json
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

from cyclescope.cli import execute
from cyclescope.firmware import boards
from cyclescope.firmware.pin_delays import PinDelays
from cyclescope.recordings.edges import Times
from cyclescope.recordings.sound_card import SoundCard
from cyclescope.recordings.wave_files import write_wave
from cyclescope.studies.time.pin_program import PinProgram, read_description
from cyclescope.targets.virtual.board import Image, make_board

HUNDRED = boards.FOLDER.parent / "examples" / "fragments" / "hundred_cycles.c"
CORE_HZ = 1_000_000
SECONDS = 6
DELAYS = PinDelays(before_cycles=7, after_cycles=1, rise_ns=100, fall_ns=3_000)
"""Far more for a fall than for a rise: an estimator that mixed both would be off by µs."""
FUNCTION = ["--function", "hundred_cycles", "--board", "atmega2560", "--clock", "1"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    assert execute(["time", str(HUNDRED), *FUNCTION, "--program", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def pins(program: Path) -> dict[str, Times]:
    """The edges that the very image makes on the virtual board, outside, in seconds."""
    described = read_description(program)
    board = make_board("atmega2560")
    board.load(Image.from_elf((program / "program.elf").read_bytes()))
    board.reset()
    board.record([described.pin, described.reference])
    board.run(cycles=SECONDS * CORE_HZ)
    changes = board.take_recorded()
    cycles = {
        name: np.array([cycle for cycle, signal, _ in changes if signal == name], np.int64)
        for name in (described.pin, described.reference)
    }
    return {
        name: DELAYS.times_s(one, np.arange(len(one)) % 2 == 0, CORE_HZ)
        for name, one in cycles.items()
    }


def record(pins: dict[str, Times], card: SoundCard, path: Path, cut: int = 0) -> Path:
    length = int((SECONDS - cut) * card.samples_per_s)
    channels = [
        card.recording(times_s, np.arange(len(times_s)) % 2 == 0, length, stream)
        for stream, times_s in enumerate(pins.values())
    ]
    write_wave(path, channels, card.rate_hz)
    return path


def timed(program: Path, recording: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> dict:
    capsys.readouterr()
    options = ["--program", str(program), "--recording", str(recording), "--out", str(out)]
    assert execute(["time", *options, "--json", "--replace"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_program_is_written_out(program: Path) -> None:
    described: PinProgram = read_description(program)
    assert (described.pin, described.reference) == ("ports.pl0", "ports.pb5")
    assert described.conditions.core_hz == CORE_HZ and described.conditions.target == "recording"
    assert described.pulses == sum(len(plan.points) for plan in described.fragment.plans) == 20
    assert (program / "program.hex").read_text().startswith(":")
    assert read_description(program / "program.json") == described


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_a_recording_has_the_boards_times(
    program: Path,
    pins: dict[str, Times],
    noise: float,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The estimator never sees the delays: 2.9 µs that a fall takes longer are a part of ε."""
    card = SoundCard(clock_ppm=80, noise=noise, jitter_s=30 * noise * 1e-6)
    found = timed(program, record(pins, card, tmp_path / "pin.wav"), tmp_path / "out", capsys)
    (one,) = found["techniques"]
    execution, overhead = one["execution"], one["overhead"]
    assert abs(execution["value"] - 100) < max(2 * execution["half_width"], 0.002)
    assert execution["half_width"] < 0.1
    assert overhead["value"] == pytest.approx(8 + 2.9 - 0.45, abs=0.02 + 20 * noise)
    assert found["conditions"]["machine"]["clock"].startswith("+80.0" if not noise else "+")
    page = (tmp_path / "out" / "report.html").read_text()
    assert "pin.wav" in page and "against the board" in page
    assert "timed by its recording" in page and "1000 MHz" not in page


def test_a_mono_input_records_one_pin_after_the_other(
    program: Path, pins: dict[str, Times], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second recording begins at another moment of the same card."""
    card, options = SoundCard(clock_ppm=80), ["--program", str(program)]
    length = int(SECONDS * card.samples_per_s)
    for name, (times_s, later_s) in zip(
        ("pin", "reference"), zip(pins.values(), (0.0, 0.123), strict=True), strict=True
    ):
        ways = np.arange(len(times_s)) % 2 == 0
        write_wave(
            tmp_path / f"{name}.wav", [card.recording(times_s + later_s, ways, length)], 192_000
        )
        options += ["--recording", str(tmp_path / f"{name}.wav")]
    capsys.readouterr()
    assert execute(["time", *options, "--out", str(tmp_path / "out"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["techniques"][0]["execution"]["value"] == pytest.approx(100, abs=0.002)
    assert found["conditions"]["machine"]["recording"] == "pin.wav, reference.wav"
    assert found["conditions"]["machine"]["clock"].startswith("+80.0")
    assert execute(["time", *options[:2], *options[-2:]]) == 1
    assert "record the two pins" in capsys.readouterr().err


def test_the_same_times_by_a_logic_analyser(
    program: Path, pins: dict[str, Times], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = sorted((time_s, number) for number, one in enumerate(pins.values()) for time_s in one)
    levels, text = [0, 0], ["Time [s],D0,D1", "0.0,0,0"]
    for time_s, number in rows:
        levels[number] ^= 1
        text.append(f"{np.ceil(time_s * 24e6) / 24e6:.9f},{levels[0]},{levels[1]}")
    (tmp_path / "pin.csv").write_text("\n".join(text) + "\n")
    found = timed(program, tmp_path / "pin.csv", tmp_path / "out", capsys)
    execution = found["techniques"][0]["execution"]
    assert execution["value"] == pytest.approx(100, abs=0.003)


def test_what_does_not_fit_is_refused(
    program: Path, pins: dict[str, Times], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = record(pins, SoundCard(), tmp_path / "pin.wav")
    assert execute(["time", "--recording", str(recording)]) == 2
    assert "--program" in capsys.readouterr().err
    (tmp_path / "program.json").write_text("{}")
    with refused("no-description-of-program", naming=["program.json"]):
        read_description(tmp_path)
    with refused("cannot-read"):
        read_description(tmp_path / "nothing")
    other = json.loads((program / "program.json").read_text())
    other["fragment"]["plans"][0]["points"].append([21, 0, False, False])
    (tmp_path / "program.json").write_text(json.dumps(other))
    options = [
        "--program",
        str(tmp_path),
        "--recording",
        str(recording),
        "--out",
        str(tmp_path / "o"),
    ]
    assert execute(["time", *options]) == 1
    assert "21 pulses" in capsys.readouterr().err
    lpc = ["--board", "lpc2148", "--program", str(tmp_path / "p")]
    assert execute(["time", str(HUNDRED), "--function", "hundred_cycles", *lpc]) == 1
    assert "atmega2560" in capsys.readouterr().err
