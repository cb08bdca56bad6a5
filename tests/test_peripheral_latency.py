"""Stages of interrupts and of received bytes, from moments that were written by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from cyclescope.studies.peripheral.analyses import latency
from cyclescope.studies.peripheral.analyses.followed import CopiedByte
from cyclescope.studies.peripheral.analyses.latency import Observed, TakenInterrupt

HZ = 1_000_000
KERNEL, PROGRAM = 0x1000, 0x9000
BY_DRIVER, BY_COPY = 0x100, 0x200


def copies(byte: int, arrived: int, stored: int, own: int | None, source: int) -> list[CopiedByte]:
    """A byte of the PDC: its arrival is copy number `source`, the kernel's copy the next."""
    found = [
        CopiedByte(byte, 0, None, None, 0x500, arrived, 65, 65),
        CopiedByte(byte, source, BY_DRIVER, None, KERNEL, stored, 65, 65),
    ]
    if own is not None:
        found.append(CopiedByte(byte, source + 1, BY_COPY, None, PROGRAM, own, 65, 65))
    return found


OBSERVED = Observed(
    interrupts=[
        TakenInterrupt(latency.REQUEST, 1000, 1010, 1020),
        TakenInterrupt("tc.interrupt0", 1500, 1505, 1512),
        TakenInterrupt(latency.REQUEST, 2000, 2100, 2130),
    ],
    handlers=[1100, 2330],
    returns=[1450, 2900, 4000],
    sleep=[(900, 0), (1600, 1), (2095, 0)],
    copies=[
        *copies(0, 960, 1210, 1310, source=1),
        *copies(1, 1905, 2400, 2600, source=4),
        *copies(2, 1990, 2410, None, source=7),
    ],
    in_program=lambda address: address == PROGRAM,
)
"""Two interrupts of the line, the second out of sleep, one of the timer; of three bytes the last is
not read."""


def durations(stages: dict[str, Any]) -> dict[str, list[int]]:
    """Every duration of each stage."""
    return {
        name: [value for value, count in one["counts"] for _ in range(count)]
        for name, one in stages.items()
    }


def test_stages_of_an_interrupt_are_between_its_moments() -> None:
    found = latency._interrupts(latency.REQUEST, OBSERVED, HZ)
    assert (found["taken"], found["taken_asleep"]) == (2, 1)
    assert durations(found["stages"]) == {
        "asserted_to_entry_awake": [10],
        "asserted_to_entry_asleep": [100],
        "entry_to_vector": [10, 30],
        "vector_to_handler": [80, 200],
        "asserted_to_handler": [100, 330],
    }
    assert found["stages"]["vector_to_handler"]["us"]["max"] == 200
    timer = latency._interrupts("tc.interrupt0", OBSERVED, HZ)
    assert durations(timer["stages"]) == {
        "asserted_to_entry_awake": [5], "asserted_to_entry_asleep": [], "entry_to_vector": [7],
    }  # fmt: skip


def test_stages_of_a_byte_are_between_its_moments() -> None:
    ends: Any = SimpleNamespace(heard=SimpleNamespace(cycles=np.array([950, 1900, 1985])))
    found = latency._bytes(ends, OBSERVED, HZ)
    assert (found["n"], found["unread"]) == (2, 1)
    assert found["announced_by"] == {latency.REQUEST: 2}
    assert durations(found["stages"]) == {
        "line_to_handed_over": [5, 10],
        "handed_over_to_kernel_copy": [250, 495],
        "kernel_copy_to_program": [100, 200],
        "program_to_call_returned": [140, 300],
        "line_to_call_returned": [500, 1000],
        "asserted_to_call_returned": [450, 900],
    }


def test_a_byte_is_announced_by_the_last_interrupt_before_its_copy() -> None:
    """With the timer between request and copy, by the timer."""
    ends: Any = SimpleNamespace(heard=SimpleNamespace(cycles=np.array([950])))
    late = Observed(
        OBSERVED.interrupts, OBSERVED.handlers, OBSERVED.returns,
        copies=copies(0, 960, 1550, 1600, source=1), in_program=OBSERVED.in_program,
    )  # fmt: skip
    found = latency._bytes(ends, late, HZ)
    assert found["announced_by"] == {"tc.interrupt0": 1}
    assert durations(found["stages"])["asserted_to_call_returned"] == [2900 - 1500]
