"""A recording's parts: the reference, its pauses and the pulses, wherever it was cut off."""

from pathlib import Path

import numpy as np
import pytest
from recorded_pin import EXECUTION_S, PinProgram, pin_program
from refusals import refused

from cyclescope.recordings.edges import Edges
from cyclescope.recordings.program_recording import ProgramRecording, read_program

IT = Path("it.wav")


def edges(program: PinProgram, first: int = 0, last: int | None = None) -> Edges:
    whole = Edges(program.times_s, program.rising, 1e-7, program.length_s)
    return whole.between(first, len(whole) if last is None else last)


def pulses(found: ProgramRecording) -> np.ndarray:
    return np.concatenate([one.lengths_s for parts in found.repetitions for one in parts])


def test_every_pulse_begins_with_the_rising_edge() -> None:
    """Delays of 1 µs for a rise and 4 for a fall: each pulse is 3 µs longer, none is shorter."""
    program = pin_program(40)
    late = np.where(program.rising, 1e-6, 4e-6)
    plain = read_program(edges(program), IT)
    found = read_program(Edges(program.times_s + late, program.rising, 0, 20), IT)
    assert pulses(found) - pulses(plain) == pytest.approx(3e-6, abs=1e-12)


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 4, 5])
def test_a_reference_may_be_cut_off_at_its_beginning(cut: int) -> None:
    program = pin_program(40, seconds=5)
    found = read_program(edges(program, first=cut), IT)
    assert not found.inverted
    assert found.reference.second_s == pytest.approx(1, abs=1e-12)
    assert found.reference.seconds == 5 - (cut + 1) // 2
    assert len(pulses(found)) == 40


@pytest.mark.parametrize("cut", [0, 1])
def test_an_inverted_recording_is_noticed_wherever_it_begins(cut: int) -> None:
    program = pin_program(40)
    found = read_program(edges(program, first=cut).inverted(), IT)
    assert found.inverted
    assert pulses(found)[0] == pytest.approx(EXECUTION_S + 8.5e-6)


def test_a_pulse_without_its_end_is_left_out() -> None:
    program = pin_program(40)
    assert len(pulses(read_program(edges(program, last=-1), IT))) == 39


def test_repetitions_are_kept_apart() -> None:
    program = pin_program(40)
    again = program.times_s + program.length_s
    twice = np.concatenate([program.times_s, again])
    found = read_program(Edges(twice, np.arange(len(twice)) % 2 == 0, 0, 40), IT)
    assert [len(parts) for parts in found.repetitions] == [1, 1]
    assert found.reference.seconds == 10
    assert len(pulses(found)) == 80


def test_the_mean_second_rests_on_its_ends() -> None:
    """Half as uncertain with twice the seconds, not by the root of two."""
    few, many = (read_program(edges(pin_program(9, seconds=n)), IT).reference for n in (5, 10))
    assert few.deviation_s == pytest.approx(2 * many.deviation_s)
    assert few.deviation_s == pytest.approx(2**0.5 * 1e-7 / 5)


def test_recordings_without_their_parts_are_refused() -> None:
    program = pin_program(40, seconds=5)
    with refused("recording-without-reference", naming=["it.wav"]):
        read_program(edges(program, first=12), IT)
    with refused("recording-without-reference"):
        read_program(edges(program, first=9), IT)
    with refused("recording-without-pulses", naming=["it.wav"]):
        read_program(edges(program, last=12), IT)
    with refused("recording-without-reference"):
        read_program(edges(program, last=0), IT)
    wrong = Edges(program.times_s * 1.01, program.rising, 0, 20)
    with refused("recording-without-reference"):
        read_program(wrong, IT)
