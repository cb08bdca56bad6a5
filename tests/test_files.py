"""Cases of files: littlefs on a disk in RAM, under descriptors and streams."""

import struct
from collections import Counter
from itertools import count, pairwise

import pytest
from firmware_session import Session, Witnessed, line_of, params, session

from cyclescope import wire
from cyclescope.firmware import build as firmware
from cyclescope.firmware import probes
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import read_image

FLASH = Configuration(kernel="bare")
PICOLIBC = Configuration(kernel="bare", library="picolibc")
LAB = Configuration(kernel="bare", board="lpc2148-lab", settings={"code": "lab"})
CASES = sorted(n for n, c in session(FLASH).cases.items() if c.function_class.startswith("files_"))
FEW = ("write.appends", "fputs.file", "fopen.new", "mkdir.full_disk", "lfs_mount.directories")
SECOND = 60_000_000
NUMBERS = count(0x7000)
"""Of requests: two that follow each other have different ones."""
AS_IT_COMES = "fsync.again_and_again"
"""The one case that leaves to each call what the last one left."""


def largest(case: wire.CaseDescription) -> int:
    return (0, *case.values)[-1]


def net(case: str, x: int = 0) -> int:
    this = session(FLASH)
    (real,), (empty,) = this.run(case, 1, x), this.run(case, 1, x, empty=True)
    return real.ticks - empty.ticks


def test_there_are_cases_of_descriptors_streams_and_littlefs_itself() -> None:
    libraries = Counter(session(FLASH).cases[case].library for case in CASES)
    assert set(libraries) == {"POSIX", "C", "littlefs"}
    assert len(CASES) >= 80 and min(libraries.values()) >= 10


def test_the_disk_is_among_the_conditions() -> None:
    disk = firmware.build(FLASH).facts.kernel_configuration
    assert disk["DISK_BLOCK_BYTES"] == 256 and disk["DISK_BLOCK_COUNT"] == 40
    assert disk["DISK_READ_BYTES"] == disk["DISK_PROG_BYTES"] == 16
    assert disk["DISK_WAIT_CYCLES"] == 0
    assert (disk["DISK_LITTLEFS_MAJOR"], disk["DISK_LITTLEFS_MINOR"]) == (2, 9)
    lab = firmware.build(LAB).facts.kernel_configuration
    assert lab["DISK_BLOCK_COUNT"] == 128


def test_real_and_empty_differ_in_nothing_but_the_callee() -> None:
    found = probes.Probes(Program(firmware.build(FLASH).elf.read_bytes())).cases
    for case in CASES:
        real, empty = found[case].real, found[case].empty
        assert real.path == empty.path and real.path[-1].mnemonic == "bl"
        assert real.entry != empty.entry
        assert real.stop == real.returned and empty.stop == empty.returned


def witnessed(configuration: Configuration, case: str) -> tuple[Witnessed, Witnessed]:
    this = session(configuration)
    x = largest(this.cases[case])
    real, empty = (this.witnessed(case, 2, x, empty=empty) for empty in (False, True))
    for series in (real, empty):
        assert series.raw == [truth.raw for truth in series.truths] and min(series.raw) > 0
    return real, empty


@pytest.mark.parametrize("case", params(CASES, daily=CASES[::4]))
def test_raw_minus_overhead_is_the_call_minus_the_empty_call(case: str) -> None:
    real, empty = witnessed(LAB, case)
    (overhead,), (nothing,) = set(empty.raw), {truth.call for truth in empty.truths}
    for raw, truth in zip(real.raw, real.truths, strict=True):
        assert raw - overhead == truth.call - nothing


@pytest.mark.parametrize("case", FEW)
def test_in_flash_a_raw_time_is_the_distance_of_the_two_data_cycles(case: str) -> None:
    witnessed(FLASH, case)


@pytest.mark.parametrize("case", FEW)
def test_a_fresh_target_and_a_used_one_take_the_same_time(case: str) -> None:
    x = largest(session(FLASH).cases[case])
    fresh, used = (this.run(case, 5, x) for this in (Session(FLASH), session(FLASH)))
    assert [sample.ticks for sample in fresh] == [sample.ticks for sample in used]


@pytest.mark.parametrize("configuration", [FLASH, PICOLIBC], ids=["newlib-nano", "picolibc"])
@pytest.mark.parametrize("case", params(CASES, daily=CASES[::4]))
def test_every_call_of_every_series_finds_the_same(configuration: Configuration, case: str) -> None:
    this = session(configuration)
    x = largest(this.cases[case])
    first, later = ([sample.ticks for sample in this.run(case, 4, x)] for _ in range(2))
    assert first == later
    assert (len(set(first)) == 1) == (case != AS_IT_COMES)


def run_to(this: Session, address: int) -> None:
    stop = this.board.run(cycles=this.board.cycle + SECOND, pcs=[address])
    assert stop["reason"] == "pc"


def way(this: Session, case: str, x: int) -> frozenset[tuple[int, int]]:
    """The steps from a call's entry to its return, each once."""
    segments = read_image(firmware.build(LAB).elf).segments
    base, code = max(segments, key=lambda segment: len(segment[1]))
    sites = this.probes.of(case).real
    transport = line_of(this.board)
    body = struct.pack("<HHIBI", this.cases[case].index, 1, x, 0, 0)
    transport.write(wire.encode_frame(wire.Frame(wire.MessageKind.RUN, next(NUMBERS), body)))
    run_to(this, sites.start)
    run_to(this, sites.entry)
    this.board.watch(executed=range(base, base + len(code), 4))
    run_to(this, sites.returned)
    path = [address for _, address in this.board.take_executed()]
    this.board.watch()
    while transport.read(0.2):
        pass
    return frozenset(pairwise(path))


def test_no_two_cases_take_the_same_way() -> None:
    """Where there is a parameter, at its least and its largest value together."""
    this = Session(LAB)
    ways: dict[frozenset[tuple[int, int]], str] = {}
    streams = [name for name, one in this.cases.items() if one.function_class == "streams"]
    for case in streams + CASES:
        values = this.cases[case].values or (0,)
        steps = way(this, case, values[0]) | way(this, case, values[-1])
        assert steps not in ways or case in streams, f"{case} takes the way of {ways[steps]}"
        ways[steps] = case


def test_the_stack_is_deep_enough() -> None:
    this = Session(FLASH)
    for case in CASES:
        this.run(case, 1, largest(this.cases[case]))
    lowest = read_image(firmware.build(FLASH).elf).address_of("svc_stack_end")
    assert this.board.read_memory(lowest, 512) == bytes(512)


def test_every_name_of_a_path_costs_about_the_same() -> None:
    for case in ("open.existing", "fopen.existing", "stat.existing"):
        values = session(FLASH).cases[case].values
        slopes = [(net(case, b) - net(case, a)) / (b - a) for a, b in pairwise(values)]
        assert min(slopes) > 0.9 * max(slopes) > 10_000


def test_unbuffered_streams_pay_for_every_byte_what_a_descriptor_pays_for_a_call() -> None:
    for case in ("fwrite.file_unbuffered", "fputs.file_unbuffered", "fgets.file_unbuffered"):
        assert net(case, 32) - net(case, 16) > 16 * net("read.cached")


def test_a_full_disk_refuses_and_nothing_was_written() -> None:
    this = session(FLASH)
    for case in ("write.full_disk", "fwrite.full_disk", "mkdir.full_disk"):
        assert len(this.run(case, 10)) == 10
