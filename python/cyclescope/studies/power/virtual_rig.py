"""A power analyser on a virtual board: samples as an instrument exports them, without noise."""

from fractions import Fraction
from math import ceil

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.studies.power.recording import Recording
from cyclescope.targets.virtual.board import Board
from cyclescope.targets.virtual.energy import energy_model


def record(board: Board, rate_hz: int, duration_s: float, trigger: str) -> Recording:
    """Samples supply current, voltage and an output of the board at equal distances from now on.

    Each sample is the mean over the time up to the next. Energies are the power meter's; where a
    sample's end falls into an instruction they are interpolated, so that their sum is the total.
    It takes the place of whatever watched the board.
    """
    core_hz, began = board.core_hz, board.cycle
    count = int(duration_s * rate_hz)
    if not 0 < rate_hz <= core_hz or count < 2:
        raise CyclescopeError(
            "the rig takes at least two samples, at most one for each core cycle",
            code="rig-needs-two-samples",
        )
    supply_v = energy_model(board, core_hz).supply_mv / 1000
    board.watch()
    board.meter(places=())
    due = [Fraction(k * core_hz, rate_hz) for k in range(count + 1)]
    seen_cycles: list[int] = []
    seen_fj: list[int] = []
    levels: list[bool] = []
    for at in due:
        stop = board.run(cycles=began + ceil(at))
        if stop["reason"] != "cycles":
            raise CyclescopeError(
                f"the recording ended early: {stop['sentence']}", code="recording-ended-early"
            )
        levels.append(board.level(trigger) != 0)
        seen_cycles.append(board.cycle - began)
        seen_fj.append(sum(sum(parts) for _, (_, _, parts) in board.spent()))
    if board.core_hz != core_hz:
        raise CyclescopeError(
            "the core's clock changed while the rig recorded: begin behind that",
            code="clock-changed-while-recording",
        )
    board.watch()
    total_fj = np.interp(np.array(due, dtype=np.float64), seen_cycles, seen_fj)
    power_w = np.diff(total_fj) * 1e-15 * rate_hz
    return Recording(
        instrument="virtual rig",
        time_s=np.arange(count) / rate_hz,
        current_a=np.asarray(power_w / supply_v),
        voltage_v=np.full(count, supply_v),
        triggers={trigger: np.array(levels[:count])},
    )
