"""Writes a recording as instruments' software exports one (docs/how-to/power.md)."""

import numpy as np

from cyclescope.studies.power.recording import Recording

DEVICE = "JS220-virtual"


def joulescope_csv(recording: Recording) -> str:
    """As the user interface of Joulescope, version 1, does; its first trigger is input 0."""
    names = ["time", f"{DEVICE}.i", f"{DEVICE}.v"]
    columns = [recording.time_s, recording.current_a, recording.voltage_v]
    for number, bits in enumerate(recording.triggers.values()):
        names.append(f"{DEVICE}.{number}")
        columns.append(bits.astype(np.float64))
    rows = [",".join(f"{value:.18e}" for value in row) for row in zip(*columns, strict=True)]
    return "\n".join([f"# {','.join(names)}", *rows]) + "\n"


def ppk2_csv(recording: Recording) -> str:
    """As the software of PPK2 does; its first trigger is D0. No voltage."""
    first = next(iter(recording.triggers.values()), np.zeros(recording.time_s.size, dtype=bool))
    lines = ["Timestamp(ms),Current(uA),D0-D7"]
    samples = zip(recording.time_s, recording.current_a, first, strict=True)
    lines += [f"{t * 1e3:.6f},{i * 1e6:.3f},{int(d)}0000000" for t, i, d in samples]
    return "\n".join(lines) + "\n"
