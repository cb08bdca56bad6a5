"""Edges of a pin from a sound alone: their times, their uncertainty, and what is refused."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from recorded_pin import EXECUTION_S, OVERHEAD_S, PinProgram, pin_program, record
from refusals import refused
from scipy.io import wavfile

from cyclescope.recordings.edges import Edges
from cyclescope.recordings.program_recording import Pulses, Reference, read_program
from cyclescope.recordings.read import read_channels
from cyclescope.recordings.sound_card import SoundCard
from cyclescope.recordings.sound_edges import find_edges, is_silent
from cyclescope.recordings.wave_files import Sound, read_wave

needs_sox = pytest.mark.skipif(shutil.which("sox") is None, reason="sox is not installed")


def read(path: Path, program: PinProgram) -> tuple[Reference, Pulses]:
    return read_program(read_channels(path), len(program.executions), str(path))


def line(found: tuple[Reference, Pulses], program: PinProgram) -> tuple[float, float]:
    """Slope and intercept of the pulses' lengths, in µs."""
    (lengths_s,) = found[1].lengths_s
    slope, intercept = np.polyfit(program.executions, lengths_s * 1e6, 1)
    return float(slope), float(intercept)


def test_every_edge_is_found_in_the_wav_alone(tmp_path: Path) -> None:
    program = pin_program(1_000)
    card = SoundCard(clock_ppm=80)
    edges = read_channels(record(program, card, tmp_path / "pin.wav"))["left"]
    assert np.array_equal(edges.rising, program.rising)
    for way, late_us in ((True, 1.44), (False, 0.99)):
        errors_us = (edges.times_s / (1 + 80e-6) - program.times_s)[program.rising == way] * 1e6
        assert errors_us.mean() == pytest.approx(late_us, abs=0.02)
        assert np.ptp(errors_us) < 0.05


def test_times_are_those_of_the_boards_clock(tmp_path: Path) -> None:
    """Without the reference 1,000 µs would be 0.08 µs too long."""
    program = pin_program(400)
    found = read(record(program, SoundCard(clock_ppm=80), tmp_path / "pin.wav"), program)
    assert found[0].clock_ppm == pytest.approx(80, abs=0.01)
    assert found[0].seconds == 5
    slope, intercept = line(found, program)
    assert slope == pytest.approx(EXECUTION_S * 1e6, abs=2e-3)
    # The fall lies 0.45 µs less behind its edge than the rise, which is a part of the overhead.
    assert intercept == pytest.approx(OVERHEAD_S * 1e6 - 0.45, abs=0.01)


@pytest.mark.parametrize("noise", [0.003, 0.02, 0.04])
def test_the_stated_uncertainty_is_that_of_the_edges(tmp_path: Path, noise: float) -> None:
    program = pin_program(2_000)
    edges = read_channels(record(program, SoundCard(noise=noise), tmp_path / "pin.wav"))["left"]
    errors = edges.times_s - program.times_s
    seen = max(float(np.std(errors[program.rising == way])) for way in (True, False))
    assert edges.deviation_s == pytest.approx(seen, rel=0.1)


def test_the_stated_uncertainty_of_the_reference_covers_it(tmp_path: Path) -> None:
    off = []
    for seed in range(12):
        card = SoundCard(clock_ppm=-120, noise=0.02, jitter_s=5e-7, seed=seed)
        program = pin_program(20, seed=seed)
        found, _ = read(record(program, card, tmp_path / "pin.wav"), program)
        off.append((found.clock_ppm + 120) / found.deviation_ppm)
    assert 0.4 < np.sqrt(np.mean(np.square(off))) < 1.8


def test_an_input_that_inverts_is_noticed(tmp_path: Path) -> None:
    program = pin_program(100)
    found = read(record(program, SoundCard(inverts=True), tmp_path / "pin.wav"), program)
    assert found[1].inverted
    assert line(found, program)[0] == pytest.approx(EXECUTION_S * 1e6, abs=0.01)


def test_either_channel_may_be_the_pin(tmp_path: Path) -> None:
    program = pin_program(50)
    path = record(program, SoundCard(), tmp_path / "pin.wav")
    rate, samples = wavfile.read(path)
    other = tmp_path / "other.wav"
    wavfile.write(other, rate, samples[:, ::-1].copy())
    assert line(read(other, program), program) == line(read(path, program), program)
    wavfile.write(other, rate, samples[:, 0].copy())
    with refused("recording-without-reference", naming=["other.wav"]):
        read(other, program)
    wavfile.write(other, rate, samples * np.array([1, 0], np.int32))
    with refused("recording-without-reference"):
        read(other, program)


@pytest.mark.parametrize(
    ("kind", "scale"), [("int16", 2**15), ("int32", 2**31), ("float32", 1), ("float64", 1)]
)
def test_a_wav_of_scipy_is_read(tmp_path: Path, kind: str, scale: int) -> None:
    program = pin_program(200)
    _, samples = wavfile.read(record(program, SoundCard(), tmp_path / "pin.wav"))
    path = tmp_path / f"{kind}.wav"
    wavfile.write(path, 192_000, (samples / 2.0**31 * scale * 0.999).astype(kind))
    assert line(read(path, program), program)[0] == pytest.approx(100, abs=0.01)


@needs_sox
@pytest.mark.parametrize(
    ("options", "least"),
    [
        (["-b", "16"], 1),
        (["-b", "24", "-r", "96000"], 2),
        (["-b", "16", "-r", "48000"], 4),
        (["-b", "24", "-r", "44100"], 4),
        (["-e", "floating-point", "-b", "32"], 1),
    ],
)
def test_a_wav_of_sox_is_read(tmp_path: Path, options: list[str], least: int) -> None:
    """Resampled by its filters, dithered where it cuts off bits."""
    program = pin_program(400, points=8, least=least)
    path = record(program, SoundCard(clock_ppm=80), tmp_path / "pin.wav")
    made = tmp_path / "sox.wav"
    subprocess.run(["sox", str(path), *options, str(made)], check=True)
    found = read(made, program)
    assert found[0].clock_ppm == pytest.approx(80, abs=0.5)
    assert line(found, program)[0] == pytest.approx(100, abs=0.03)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    folder = tmp_path_factory.mktemp("sound")
    return read_wave(record(pin_program(50), SoundCard(noise=0.001), folder / "pin.wav"))["left"]


def find(sound: Sound, samples: np.ndarray) -> Edges:
    return find_edges(Sound(samples, sound.rate_hz), "it.wav").edges


def test_unusable_sounds_are_refused_in_one_sentence(sound: Sound) -> None:
    samples, random = sound.samples, np.random.default_rng(1)
    assert len(find(sound, samples)) == 100
    assert is_silent(Sound(samples * 1e-5, 192_000)) and is_silent(Sound(samples[:0], 192_000))
    with refused("recording-clipped"):
        find(sound, np.clip(samples * 3, -1, 1))
    with refused("recording-too-noisy", naming=["noise"]):
        find(sound, samples + 0.1 * random.standard_normal(len(samples)))
    with refused("recording-not-of-pin"):
        find(sound, np.where(np.arange(len(samples)) > 42_000, -samples, samples))
    with refused("recording-has-no-edges"):
        find(sound, np.arange(200) * 2.0**-9)


def test_noise_alone_and_a_tone_are_no_pin(sound: Sound) -> None:
    random = np.random.default_rng(2)
    with refused("recording-too-noisy"):
        find(sound, 0.1 * random.standard_normal(400_000))
    tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(400_000) / 192_000)
    with refused("recording-without-reference"):
        read_program({"left": find(sound, tone)}, 10, "tone.wav")


def test_edges_that_shift_each_other_are_refused() -> None:
    card, times_s = SoundCard(), np.array([0.1, 0.1 + 9.3 / 192_000])
    samples = card.recording(times_s, np.array([True, False]), 40_000) / 2**23
    with refused("recording-edges-too-close", naming=["it.wav"]):
        find_edges(Sound(samples, 192_000), "it.wav")


def test_a_slow_drift_and_hum_do_no_harm(sound: Sound) -> None:
    seconds = np.arange(len(sound.samples)) / sound.rate_hz
    hum = 0.02 * np.sin(2 * np.pi * 50 * seconds) + 0.1 * np.sin(2 * np.pi * 0.3 * seconds)
    moved = find(sound, sound.samples + hum).times_s - find(sound, sound.samples).times_s
    assert np.abs(moved).max() < 2e-8


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "recording-is-no-wave"),
        (b"RIFF1234WAVEfmt ", "recording-is-no-wave"),
        (b"ID3\x03music", "recording-is-no-wave"),
    ],
)
def test_no_wave_is_refused(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "it.wav"
    path.write_bytes(data)
    with refused(code, naming=["it.wav"]):
        read_wave(path)


def test_a_silent_wave_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "it.wav"
    wavfile.write(path, 192_000, np.zeros(1_000, np.int16))
    with refused("recording-silent", naming=["it.wav"]):
        read_channels(path)


def test_waves_too_coarse_or_too_slow_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "it.wav"
    with refused("cannot-read"):
        read_wave(path)
    wavfile.write(path, 192_000, np.zeros(100, np.uint8))
    with refused("recording-too-coarse"):
        read_wave(path)
    wavfile.write(path, 22_050, np.zeros(100, np.int16))
    with refused("recording-too-slow", naming=[22_050, 44_100]):
        read_wave(path)
    wavfile.write(path, 48_000, np.full(100, np.nan, np.float32))
    with refused("recording-holds-no-numbers"):
        read_wave(path)


@pytest.mark.parametrize("cut", [30_000, 29_998, 29_995])
def test_a_cut_off_wave_keeps_what_is_there(tmp_path: Path, cut: int) -> None:
    """As a recorder leaves it that was stopped, within a frame too: the header counts more."""
    path = record(pin_program(100), SoundCard(), tmp_path / "pin.wav")
    whole = read_wave(path)["left"].samples
    path.write_bytes(path.read_bytes()[:-cut])
    kept = read_wave(path)["left"].samples
    assert 0 < len(whole) - len(kept) <= 5_001
    assert np.array_equal(kept, whole[: len(kept)])
