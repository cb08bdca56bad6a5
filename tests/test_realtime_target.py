"""Real-time figures on the virtual LPC2148: what the firmware measured against what the engine saw."""

from functools import cache

import numpy as np
import pytest

from cyclescope.errors import CyclescopeError
from cyclescope.realtime import (
    PAPERS,
    Batch,
    Indicator,
    Placement,
    RealtimeTarget,
    Settings,
    TooManyTasks,
    Unit,
)
from cyclescope.realtime_link import RealtimeLink, Topic
from cyclescope.realtime_targets.virtual import VirtualRealtime
from cyclescope.target import Selection
from cyclescope.targets import open_realtime
from cyclescope.targets.virtual import UartTransport
from cyclescope.wire import Sample

FLASH = Selection(board="lpc2148", kernel="freertos")
LAB = Selection(board="lpc2148-lab", kernel="freertos", code="lab")
SLOW = Selection(board="lpc2148", kernel="freertos", isa="thumb", mam=0, clock_mhz=24, vpbdiv=4)
BY_TIMER1 = Selection(board="lpc2148", kernel="freertos", timer="timer1", vpbdiv=2)
MEASURED = (*PAPERS, Indicator.HARDWARE)

opened = cache(open_realtime)


def measure(target: RealtimeTarget, indicator: Indicator, n: int = 64, **changes: object) -> Batch:
    return target.measure(Settings(indicator=indicator, **changes), n)  # type: ignore[arg-type]


@pytest.mark.parametrize("selection", [FLASH, LAB, SLOW, BY_TIMER1], ids=["flash", "lab", "slow", "timer1"])
@pytest.mark.parametrize("indicator", PAPERS)
def test_every_sample_is_what_passed(selection: Selection, indicator: Indicator) -> None:
    target = opened(selection)
    batch = measure(target, indicator, load_percent=30)
    cycles_per_count = target.conditions().core_hz // batch.timer_hz
    assert batch.shortfall is None and len(batch.samples) >= 64
    assert batch.truth_cycles is not None
    # A count read from a slower timer is of its clock's last edge.
    rest = batch.truth_cycles - batch.samples.counts.astype(np.int64) * cycles_per_count
    assert np.all(np.abs(rest) < cycles_per_count)
