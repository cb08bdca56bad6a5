"""The study of a peripheral without Linux: its plan, its folder, and how results are shown."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from kermit_wires import recorded, sides
from refusals import refused, told_code

from cyclescope.cli import execute
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.firmware import linux
from cyclescope.firmware.linux.system import ROM_DATA
from cyclescope.results import files
from cyclescope.studies.peripheral import analysis, lines, peer, results, transfer
from cyclescope.studies.peripheral.board_side import arguments, script, understand
from cyclescope.studies.peripheral.campaign import PeripheralPlan, collect
from cyclescope.studies.peripheral.choices import Direction, LineDriver, LineType
from cyclescope.studies.peripheral.kermit.origins import follow
from cyclescope.studies.peripheral.outcome import outcome
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer, TransferRecord
from cyclescope.studies.peripheral.wire_bytes import WireBytes

HASHES = {"kernel": "0" * 64}
SETTINGS = tuple(TransferSetting(size=300, driver=one) for one in LineDriver)
CORE_HZ, FRAME_CYCLES = 32_768_000, 2880
CONSOLE = """transfer: ready
transfer: status 0
{digest}  file.bin
serinfo:1.0 driver revision:
0: uart:ATMEL_SERIAL mmio:0xFFFD0000 irq:17 tx:1284 rx:0 RTS|CTS|DTR|DSR|CD|RI
1: uart:ATMEL_SERIAL mmio:0xFFFCC000 irq:18 tx:84 rx:172 fe:2 oe:15 RTS|CTS|DTR|DSR|CD|RI
transfer: over
"""


def wire_of(name: str) -> WireBytes:
    """An exchange of two G-Kermits on the host, as if one of them were a board."""
    first, second = sides(recorded()[name])
    ends = np.array([*first.ends, *second.ends], np.int64)
    order = ends.argsort()
    to_board = np.arange(len(ends)) < len(first.sent)
    values = np.frombuffer(first.sent + second.sent, np.uint8).astype(np.uint16)
    flipped = np.zeros(len(ends), np.uint16)
    return WireBytes((ends[order] + 1) * FRAME_CYCLES, to_board[order], values[order], flipped)


def keep(setting: TransferSetting, folder: Path) -> Transfer:
    """Writes a transfer of the exchange "text" as `transfer.record` would."""
    wire = wire_of("text")
    exchange = follow(wire.sent(to_board=True), wire.sent(to_board=False))
    digest = outcome(setting, wire, exchange, understand(""), 0, None, CORE_HZ).sha256
    said = understand(CONSOLE.format(digest=digest))
    kept = TransferRecord(
        setting=setting,
        system={"sha256": HASHES},
        kermit_sha256={"host": "1" * 64, "board": "2" * 64},
        host_is_exact=True,
        core_hz=CORE_HZ,
        frame_cycles=FRAME_CYCLES,
        wire_sha256=wire.sha256,
        ready_cycle=0,
        end_cycle=int(wire.cycles[-1]),
        end_instructions=1000,
        end_registers={},
        steady=exchange.span(FRAME_CYCLES),
        outcome=outcome(setting, wire, exchange, said, 0, None, CORE_HZ),
    )
    folder.mkdir(parents=True, exist_ok=True)
    wire.save(folder / transfer.WIRE)
    files.save(folder / transfer.HEAD, kept)
    return Transfer(folder, kept)


@dataclass
class FakeRecorder:
    """Stands for `transfer.record`; raises `error` in place of transfer number `fails_at`."""

    fails_at: int | None = None
    error: BaseException = field(default_factory=KeyboardInterrupt)
    recorded: list[str] = field(default_factory=list)

    def __call__(self, setting: TransferSetting, folder: Path) -> Transfer:
        if len(self.recorded) == self.fails_at:
            self.fails_at = None
            raise self.error
        self.recorded.append(setting.name)
        return keep(setting, folder)


def seem_built(monkeypatch: pytest.MonkeyPatch, hashes: dict[str, str]) -> None:
    """Lets Linux and G-Kermit seem to be there, with these hashes."""
    composed = SimpleNamespace(settings={"sha256": hashes})
    line = replace(
        lines.LINES[LineType.SERIAL], require=lambda setting: None, system=lambda setting: composed
    )
    monkeypatch.setitem(lines.LINES, LineType.SERIAL, line)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> FakeRecorder:
    """A study for which Linux and G-Kermit seem to be there."""
    fake = FakeRecorder()
    seem_built(monkeypatch, HASHES)
    monkeypatch.setattr(transfer, "record", fake)
    return fake


def plan(settings: Sequence[TransferSetting] = SETTINGS, **options: bool) -> PeripheralPlan:
    """A plan with the analysis that needs no replay."""
    return PeripheralPlan(settings, analysis.chosen(["overhead"]), **options)


def test_a_study_keeps_every_transfer_and_its_analyses(
    recorder: FakeRecorder, tmp_path: Path
) -> None:
    found = collect(plan(), tmp_path / "r")
    assert recorder.recorded == [one.name for one in SETTINGS]
    again = results.load(tmp_path / "r")
    assert again.manifest == found.manifest
    assert [one.setting for one in again.transfers()] == list(SETTINGS)
    assert all(again.documents(one)["overhead"]["payload_bytes"] == 300 for one in SETTINGS)


def test_an_interrupted_study_is_resumed(recorder: FakeRecorder, tmp_path: Path) -> None:
    recorder.fails_at = 2
    with pytest.raises(Interrupted) as caught:
        collect(plan(), tmp_path / "r")
    assert "2 of 4" in caught.value.sentence and "--resume" in caught.value.sentence
    with refused("peripheral-results-there"):
        collect(plan(), tmp_path / "r")
    found = collect(plan(resume=True), tmp_path / "r")
    assert recorder.recorded == [one.name for one in SETTINGS]
    assert len(found.manifest.finished) == len(SETTINGS)


def test_another_plan_is_not_resumed(recorder: FakeRecorder, tmp_path: Path) -> None:
    collect(plan(SETTINGS[:1]), tmp_path / "r")
    with refused("resume-of-another-plan"):
        collect(plan(SETTINGS[:2], resume=True), tmp_path / "r")
    collect(plan(SETTINGS[1:2], replace=True), tmp_path / "r")
    assert [one.name for one in (tmp_path / "r" / "transfers").iterdir()] == [SETTINGS[1].name]
    assert len(recorder.recorded) == 2


def test_a_resumed_transfer_of_another_linux_says_why_not(
    recorder: FakeRecorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collect(plan(SETTINGS[:1]), tmp_path / "r")
    seem_built(monkeypatch, {"kernel": "3" * 64})
    found = collect(plan(SETTINGS[:1], resume=True), tmp_path / "r")
    assert [one.code for one in found.manifest.failed] == ["recorded-with-other-linux"]


def test_a_transfer_that_fails_leaves_the_others(
    recorder: FakeRecorder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder.fails_at = 1
    recorder.error = CyclescopeError("it failed: try again", code="some-cause")
    found = collect(plan(), tmp_path / "r")
    (failed,) = found.manifest.failed
    assert (failed.name, failed.code) == (SETTINGS[1].name, "some-cause")
    assert len(found.manifest.finished) == 3
    assert execute(["show", str(tmp_path / "r")]) == 1
    assert "it failed" in capsys.readouterr().out


def test_results_are_shown_and_reported(
    recorder: FakeRecorder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collect(plan(), tmp_path / "r")
    assert execute(["show", str(tmp_path / "r")]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 40
    assert execute(["show", str(tmp_path / "r"), "--full"]) == 0
    assert "flow control" in capsys.readouterr().out
    assert execute(["show", str(tmp_path / "r"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    first = document["transfers"][0]
    assert first["outcome"]["identical"]
    assert first["analyses"]["overhead"]["wire_bytes"] == len(wire_of("text"))
    assert execute(["report", str(tmp_path / "r")]) == 0
    assert "flow control" in (tmp_path / "r" / "report.html").read_text()


def test_damaged_results_are_refused(recorder: FakeRecorder, tmp_path: Path) -> None:
    collect(plan(SETTINGS[:1]), tmp_path / "r")
    (kept,) = results.load(tmp_path / "r").transfers()
    content = (kept.folder / transfer.WIRE).read_bytes()
    (kept.folder / transfer.WIRE).write_bytes(content[:-40])
    with refused("wire-cannot-be-read"):
        transfer.load(kept.folder).wire_bytes  # noqa: B018
    wire_of("runs").save(kept.folder / transfer.WIRE)
    with refused("wire-cannot-be-read"):
        transfer.load(kept.folder).wire_bytes  # noqa: B018
    head = kept.folder / transfer.HEAD
    head.write_text(head.read_text().replace('"overruns": 15', '"overruns": 0'))
    with refused("seal-of-other-content"):
        transfer.load(kept.folder)
    head.unlink()
    with refused("no-transfer-in-folder"):
        transfer.load(kept.folder)


def test_without_linux_nothing_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer, "built", lambda: linux.built(tmp_path))
    command = ["peripheral", "--out", str(tmp_path / "r")]
    assert told_code(command, capsys, naming=["make linux"]) == "linux-not-built"
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--baud", "100000"], "no-such-baud"),
        (["--analysis", "none"], "no-such-analysis"),
        (["--board", "lpc2148"], "board-without-linux"),
    ],
)
def test_options_that_cannot_be_had(
    options: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["peripheral", "--out", str(tmp_path / "r"), *options]
    assert told_code(command, capsys) == code


@pytest.mark.parametrize(
    ("option", "value", "bound"),
    [("--time-out", 1021, 1020), ("--receive-buffer", 0, 1), ("--receive-buffer", 65_536, 65_535)],
)
def test_time_outs_and_buffers_that_the_chip_cannot_have(
    option: str, value: int, bound: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["peripheral", "--out", str(tmp_path / "r"), option, str(value)]
    told_code(command, capsys, exit_code=2, naming=[option, value, bound])


def test_every_setting_has_a_name_of_its_own() -> None:
    usual = TransferSetting()
    changed = {"size": 7, "seed": 2, "errors": 0.1, "error_seed": 5, "baud": 9600, "packet": 95}
    others = [usual.model_copy(update={name: value}) for name, value in changed.items()]
    others.append(usual.model_copy(update={"streaming": True}))
    others += [usual.model_copy(update={name: 16}) for name in ("time_out", "receive_buffer")]
    others += [usual.model_copy(update={name: 0}) for name in ("rom_waits", "ram_waits")]
    names = sorted(one.name for one in [usual, *others])
    assert not any(first == second for first, second in pairwise(names))


def test_the_script_opens_the_port_for_each_way() -> None:
    receives = script(TransferSetting(packet=200))
    assert "gkermit -q -i -w -e 200 -S -r </dev/ttyS1 >/dev/ttyS1" in receives
    sends = script(TransferSetting(direction=Direction.UPLOAD, streaming=True))
    assert "-e 94 -s /etc/file.bin" in sends
    assert sends.startswith(f"memcat {ROM_DATA:#x} 1000 >/etc/file.bin\n")
    assert "memcat" not in receives


def test_a_file_that_the_rom_cannot_hold_is_named() -> None:
    with refused("linux-rom-too-small", naming=["5,000,000", "--size"]):
        linux.compose(rom_data=bytes(5_000_000))


def test_the_kernel_is_told_of_time_out_and_buffer() -> None:
    told = arguments(TransferSetting(time_out=0, receive_buffer=16)).split()
    assert told[-2:] == ["atmel_serial.rx_timeout=0", "atmel_serial.rx_bytes=16"]
    assert told[0].startswith("console=ttyS0")


def test_results_without_a_time_out_are_refused_until_they_are_replaced(
    recorder: FakeRecorder, tmp_path: Path
) -> None:
    collect(plan(SETTINGS[:1]), tmp_path / "r")
    old = results.load(tmp_path / "r").manifest.model_copy(update={"version": 1})
    files.save(tmp_path / "r" / files.MANIFEST, old)
    for options in ({}, {"resume": True}):
        with refused("format-version-unknown"):
            collect(plan(SETTINGS[:1], **options), tmp_path / "r")
    collect(plan(SETTINGS[:1], replace=True), tmp_path / "r")
    assert len(recorder.recorded) == 2


def test_the_report_of_the_board_is_understood() -> None:
    said = understand(CONSOLE.format(digest="a" * 64))
    assert (said.status, said.sha256) == (0, "a" * 64)
    assert (said.received, said.sent) == (172, 84)
    assert (said.overruns, said.framing_errors) == (15, 2)
    assert said.is_over and not said.memory_was_full
    assert understand("Out of memory: Killed process 20 (gkermit)").memory_was_full
    silent = understand("transfer: ready\n")
    assert (silent.status, silent.sha256, silent.received, silent.overruns) == (None, None, None, 0)
