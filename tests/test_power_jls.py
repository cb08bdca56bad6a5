"""Recordings in JLS files, made with their maker's own package."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyjls import DataType, SignalType, Writer
from refusals import told_code

from cyclescope.cli import execute
from cyclescope.studies.power.files import read
from cyclescope.studies.power.windows import find, trigger_of

RATE_HZ = 100_000
SECOND = 2**30
"""Of JLS timestamps."""
CURRENT_A, VOLTAGE_V = 0.02, 3.0
HIGH = (300, 420), (700, 740)


def level(samples: Any) -> Any:
    """Of input 0, at these samples of the current."""
    return np.logical_or.reduce([(begin <= samples) & (samples < end) for begin, end in HIGH])


def write(
    path: Path,
    count: int = 1_000,
    *,
    devices: int = 1,
    skip: dict[str, int] | None = None,
    rates: dict[str, int] | None = None,
    utc: bool = True,
    lost: int | None = None,
) -> Path:
    """As the user interface exports one: current, voltage and input 0 of a JS220. `skip`: a signal
    that was recorded so many samples later, of its own; `lost`: a sample that is none."""
    skip, rates = skip or {}, rates or {}
    with Writer(str(path)) as writer:
        for device in range(1, devices + 1):
            writer.source_def(device, name=f"JS220-{device}", vendor="Jetperch", model="JS220")
            for index, (name, units) in enumerate(
                (("current", "A"), ("voltage", "V"), ("gpi[0]", "")), start=3 * device - 2
            ):
                rate, begin = rates.get(name, RATE_HZ), skip.get(name, 0)
                samples = np.arange(begin, count * rate // RATE_HZ)
                kind = DataType.U1 if name.startswith("gpi") else DataType.F32
                writer.signal_def(
                    index,
                    device,
                    signal_type=SignalType.FSR,
                    data_type=kind,
                    sample_rate=rate,
                    name=name,
                    units=units,
                )
                if utc:
                    writer.utc(index, 0, begin * SECOND // rate)
                if name == "current":
                    data = np.full(samples.size, CURRENT_A, np.float32)
                    data[level(samples)] *= 2
                    if lost is not None:
                        data[lost] = np.nan
                elif name == "voltage":
                    data = np.full(samples.size, VOLTAGE_V, np.float32)
                else:
                    data = np.packbits(level(samples * RATE_HZ / rate), bitorder="little")
                if data.size:
                    writer.fsr(index, 0, data)
    return path


@pytest.mark.parametrize(
    ("name", "utc"),
    [(None, True), (None, False), ("current", True), ("voltage", True), ("gpi[0]", True)],
)
def test_windows_are_where_they_were_recorded(name: str | None, utc: bool, tmp_path: Path) -> None:
    """Also where one signal begins later than the others, as the timestamps say."""
    skip = {name: 37} if name else {}
    recording = read(write(tmp_path / "a.jls", skip=skip, utc=utc), None)
    if name == "gpi[0]":
        assert not recording.triggers, "it was not recorded throughout"
        return
    assert recording.time_s.size == 1_000 - (37 if name else 0)
    found = find(recording, trigger_of(recording, None, None))
    assert found.durations_us == pytest.approx([1_200, 400])
    power_w = 2 * CURRENT_A * VOLTAGE_V
    assert found.energies_uj == pytest.approx([power_w * 1_200, power_w * 400], rel=1e-5)


@pytest.mark.parametrize("rate_hz", [50_000, 200_000, 1_000_000])
def test_inputs_may_have_another_rate(rate_hz: int, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jls", rates={"gpi[0]": rate_hz})
    recording = read(path, None)
    found = find(recording, trigger_of(recording, "in0", None))
    assert found.durations_us == pytest.approx([1_200, 400], abs=10.1)


def test_the_verb_reads_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["power", str(write(tmp_path / "a.jls"))]) == 0
    shown = capfd.readouterr().out
    assert "Joulescope, a sample each 10 µs" in shown and "3.000 V" in shown


def left_alone(path: Path, capfd: pytest.CaptureFixture[str], *names: object) -> str:
    """Returns the code for a refused file: one sentence names these; the file stays as it is."""
    before = path.read_bytes()
    assert execute(["power", str(path)]) == 1
    told = capfd.readouterr()
    assert told.out == "" and told.err.count("\n") == 1, told.err
    code = told_code(["power", str(path)], capfd, naming=[path, *names])
    assert path.read_bytes() == before
    return code


def test_what_cannot_be_right_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jls"
    expected: list[tuple[str, list[str], dict[str, Any]]] = [
        ("jls-of-several-devices", ["2", "current"], {"devices": 2}),
        ("jls-rates-differ", ["100,000", "50,000"], {"rates": {"voltage": 50_000}}),
        ("sample-missing", ["sample 123"], {"lost": 123}),
        ("jls-without-current", ["current"], {"skip": {"current": 1_000}}),
    ]
    for code, names, wrong in expected:
        assert left_alone(write(path, **wrong), capfd, *names) == code
    path.write_bytes(b"\xd3tagfmt \r\n \n  \x1a\x1c" + bytes(100))
    assert left_alone(path, capfd, "version 1", "Joulescope") == "jls-version-1"


def test_damaged_files_are_refused_and_left_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.jls")
    whole = path.read_bytes()
    for length in (8, 20, 40, 400, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        told = left_alone(path, capfd)
        assert told in ("jls-not-closed", "jls-damaged", "jls-head-damaged"), (length, told)
    for at in range(24, len(whole), len(whole) // 40):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        before = path.read_bytes()
        code = execute(["power", str(path)])
        told = capfd.readouterr().err
        assert (code == 1 and told.count("\n") == 1) or (code == 0 and not told), (at, told)
        assert path.read_bytes() == before
