"""A recording's parts: its second, its repetitions and pulses, wherever it was cut off."""

from dataclasses import replace

import numpy as np
import pytest
from recorded_pin import PinProgram, pin_program, ways
from refusals import refused

from cyclescope.recordings.edges import Edges, Times
from cyclescope.recordings.program_recording import Pulses, Reference, read_program

PULSES = 40


def edges(times_s: Times) -> Edges:
    return Edges(times_s, ways(times_s), 1e-7, 20)


def channels(program: PinProgram) -> dict[str, Edges]:
    return {"left": edges(program.times_s), "right": edges(program.reference_s)}


def read(found: dict[str, Edges], pulses: int = PULSES) -> tuple[Reference, Pulses]:
    return read_program(found, pulses, "it.wav")


def test_every_pulse_begins_with_the_rising_edge() -> None:
    """Delays of 1 µs for a rise and 4 for a fall: each pulse is 3 µs longer, none is shorter."""
    program = pin_program(PULSES)
    late = np.where(program.rising, 1e-6, 4e-6)
    plain = read(channels(program))[1].lengths_s
    found = read(channels(replace(program, times_s=program.times_s + late)))[1].lengths_s
    assert found - plain == pytest.approx(3e-6, abs=1e-12)


@pytest.mark.parametrize("cut", [0, 1, 2, 7])
@pytest.mark.parametrize("inverted", [False, True])
def test_repetitions_that_were_cut_off_are_left_out(cut: int, inverted: bool) -> None:
    program = pin_program(PULSES, again=4)
    there = channels(program)
    there["left"] = there["left"].between(cut, len(there["left"]) - 3)
    if inverted:
        there = {name: one.inverted() for name, one in there.items()}
    reference, found = read(there)
    whole = 2 if cut else 3
    assert found.inverted == inverted
    assert found.lengths_s.shape == (whole, PULSES)
    lasting = 100e-6 * program.executions[-PULSES * (whole + 1) : -PULSES] + 8.5e-6
    assert found.lengths_s.ravel() == pytest.approx(lasting, rel=1e-9)
    assert found.left_out > 0 and reference.second_s == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_the_reference_may_begin_with_either_edge(cut: int) -> None:
    """Its edges have different delays: seconds are between edges of one direction."""
    program = pin_program(PULSES)
    late = np.where(ways(program.reference_s), 1e-6, 40e-6)
    there = channels(program)
    there["right"] = replace(there["right"], times_s=program.reference_s + late).between(cut, 6)
    reference = read(there)[0]
    assert reference.second_s == pytest.approx(1, abs=1e-12)
    assert reference.seconds == 5 - cut


def test_the_mean_second_rests_on_its_ends() -> None:
    """About half as uncertain with twice the seconds, not by the root of two."""
    random, off = np.random.default_rng(1), []
    for _ in range(400):
        program = pin_program(2, seconds=11)
        noisy = program.reference_s + 1e-7 * random.standard_normal(12)
        reference = read({"left": edges(program.times_s), "right": edges(noisy)}, 2)[0]
        off.append(reference.second_s - 1)
    assert np.std(off) == pytest.approx(1e-7 / 10, rel=0.1)
    assert reference.deviation_s == pytest.approx(1e-7 / 10, rel=0.8)


def test_recordings_without_their_parts_are_refused() -> None:
    program = pin_program(PULSES)
    there = channels(program)
    with refused("recording-without-reference", naming=["it.wav"]):
        read({"left": there["left"]})
    with refused("recording-without-reference"):
        read({"left": there["left"], "right": there["right"].between(0, 3)})
    with refused("recording-without-reference"):
        read(channels(replace(program, reference_s=program.reference_s * 1.01)))
    with refused("recording-channel-unclear", naming=["a, b, c"]):
        read({"a": there["left"], "b": there["left"], "c": there["right"]})
    with refused("recording-channel-unclear"):
        read({"right": there["right"]})
    with refused("recording-without-repetition", naming=[PULSES + 1]):
        read(there, PULSES + 1)
    with refused("recording-without-repetition"):
        read({**there, "left": there["left"].between(0, 70)})
