"""The firmware at work on virtual boards: cases, ticks, refusals, a bad wire, faults."""

import struct
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from firmware_session import CASES, Session, line_of, params, session
from refusals import refused

from cyclescope import wire
from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration
from cyclescope.targets.virtual.board import make_board, read_image
from cyclescope.targets.virtual.session import BUFFER
from cyclescope.targets.virtual.uart import UartTransport

FLASH = Configuration()
LAB = Configuration(board="lpc2148-lab", settings={"code": "lab"})
SRAM = Configuration(settings={"code": "sram"}, cases="tasks")
AT91 = Configuration(board="at91x40", settings={"isa": "thumb"})
ON_BOTH = pytest.mark.parametrize("configuration", [FLASH, AT91], ids=["lpc2148", "at91x40"])
"""Two real boards, with other wires, interrupt controllers and ports of the kernel."""
FEW = (
    "malloc.one_free_block",
    "queue_receive.one_message",
    "semaphore_give.wakes_higher",
    "semaphore_take.binary_full",
    "task_create.ready",
    "yield.equals",
)
LENGTHS = (10, 25, 50, 75, 100)
ENDS = (LENGTHS[0], LENGTHS[-1])
STACK_IN_TCB = 48
"""Offset of pxStack in a task control block of this configuration."""


def word(this: Session, address: int) -> int:
    return int.from_bytes(this.board.read_memory(address, 4), "little")


def ask(this: Session, case: str, length: int, x: int = 0) -> UartTransport:
    """Sends a request to run a series, and does not wait for the answer."""
    transport = line_of(this.board)
    index = this.cases[case].index
    body = struct.pack("<HHIBI", index, length, x, 0, 0)
    transport.write(wire.encode_frame(wire.Frame(wire.MessageKind.RUN, 0x7000 + index, body)))
    return transport


def first_value(case: wire.CaseDescription) -> int:
    return (*case.values, 0)[0]


@ON_BOTH
def test_the_target_says_what_the_build_says(configuration: Configuration) -> None:
    this, facts = session(configuration), firmware.build(configuration).facts
    hello = this.hello
    assert hello.kernel == f"FreeRTOS {facts.kernel_version}"
    assert (hello.board, hello.timer) == (facts.board, facts.timer)
    assert hello.core_hz == facts.core_hz == this.board.core_hz
    assert hello.tick_hz == facts.kernel_configuration["configTICK_RATE_HZ"]
    assert hello.timer_hz == hello.core_hz
    assert hello.capacity == facts.sample_capacity


def test_the_cases_describe_themselves() -> None:
    cases = session(FLASH).cases
    assert set(cases) == set(CASES)
    assert len(CASES) >= 40
    assert sum(bool(case.values) for case in cases.values()) >= 10
    image = read_image(firmware.build(FLASH).elf)
    for case in cases.values():
        sites = session(FLASH).probes.of(case.name)
        if case.callee != "swi":
            assert sites.real.entry == image.address_of(case.callee)
            assert sites.empty.entry == image.address_of("empty_call")
        assert case.library == "kernel" and case.condition
        assert bool(case.values) == bool(case.parameter) == bool(case.unit)
        assert len(case.values) in (0, 4) and case.step in (0, 1)


def executed(case: str) -> list[int]:
    """Addresses of the instructions from the entry of a case's call to its return, in order."""
    this = session(LAB)
    segments = read_image(firmware.build(LAB).elf).segments
    base, code = max(segments, key=lambda segment: len(segment[1]))
    sites = this.probes.of(case).real
    this.board.watch(executed=range(base, base + len(code), 4))
    this.board.take_executed()
    this.run(case, 1, first_value(this.cases[case]))
    path = [address for _, address in this.board.take_executed()]
    entered = path.index(sites.entry, path.index(sites.start))
    return path[entered : path.index(sites.returned, entered + 1)]


def test_no_two_cases_take_the_same_way_through_the_kernel() -> None:
    ways: dict[tuple[frozenset[tuple[int, int]], str], str] = {}
    for case in CASES:
        path = executed(case)
        # The steps that were taken, each once: how often a loop goes round makes no other case. But
        # one and the same loop walks several lists of the kernel: x decides which.
        way = frozenset(pairwise(path)), session(LAB).cases[case].parameter
        assert way not in ways, f"{case} takes the same way as {ways[way]}"
        ways[way] = case


def test_every_case_comes_to_an_end_at_its_largest_x_too() -> None:
    this = session(LAB)
    for case, description in this.cases.items():
        largest = max((0, *description.values))
        assert len(this.run(case, 1, largest)) == 1, case


def test_cases_from_an_interrupt_are_called_in_irq_mode() -> None:
    this = session(FLASH)
    for case, description in this.cases.items():
        interrupt = bool(description.flags & wire.CaseFlag.INTERRUPT)
        assert interrupt == ("_from_isr." in case)
        if interrupt:
            line = ask(this, case, 1, first_value(description))
            stop = this.board.run(
                cycles=this.board.cycle + 60_000_000, pcs=[this.probes.of(case).real.entry]
            )
            assert stop["reason"] == "pc"
            assert this.board.registers()["cpsr"] & 0x9F == 0x92, "IRQ mode, interrupts off"
            while line.read(0.2):
                pass


@pytest.mark.parametrize("lengths", [ENDS, pytest.param(LENGTHS, marks=pytest.mark.matrix)])
@pytest.mark.parametrize("case", params(CASES))
def test_series_fit_in_flash_and_keep_clear_of_ticks(case: str, lengths: tuple[int, ...]) -> None:
    this = session(FLASH)
    for length in lengths:
        samples = this.run(case, length, first_value(this.cases[case]))
        assert len(samples) == length
        assert not any(sample.flags for sample in samples)


@pytest.mark.parametrize("case", ["timer_start.behind_active", "timer_change_period.carried_out"])
def test_a_series_longer_than_a_tick_period_waits_for_the_tick(case: str) -> None:
    this = session(LAB)
    samples = this.run(case, 1000, max(this.cases[case].values))
    gaps = [after.start - before.start for before, after in pairwise(samples)]
    assert max(gaps) > this.hello.timer_hz // this.hello.tick_hz // 10, "a tick was waited for"
    assert not any(sample.flags for sample in samples)


@pytest.mark.parametrize("case", params(CASES))
def test_every_call_of_every_series_meets_the_same_kernel(case: str) -> None:
    this = session(LAB)
    description = this.cases[case]
    for x in {*description.values[:1], *description.values[-1:]} or {0}:
        series = [this.run(case, length, x) for length in (1, 2, 10, 40)]
        times = {sample.ticks for samples in series for sample in samples}
        assert len(times) == 1, f"{case} at x = {x}: first, last and longer series differ: {times}"


def test_messages_cost_more_the_longer_they_are() -> None:
    for case in ("queue_send.room", "queue_receive.one_message"):
        description = session(FLASH).cases[case]
        times = [session(FLASH).run(case, 10, x)[0].ticks for x in description.values]
        assert times == sorted(set(times))


def test_a_series_from_reset_does_not_depend_on_what_was_run_before() -> None:
    fresh = Session(FLASH).run("semaphore_take.binary_full", 25)
    later = Session(FLASH)
    for case in CASES:
        later.run(case, 10, first_value(later.cases[case]))
    later.board.reset()
    line = line_of(later.board)
    line.read(0.1)
    later.link = wire.Link(line)
    later.link.hello()
    later.link.cases()
    assert later.run("semaphore_take.binary_full", 25) == fresh


@pytest.mark.parametrize("case", FEW)
def test_a_provoked_tick_is_kept_flagged_and_still_true(case: str) -> None:
    this = session(LAB)
    x = first_value(this.cases[case])
    clear = max(this.witnessed(case, 10, x).raw)
    period = this.hello.timer_hz // this.hello.tick_hz
    # `delay` counts from just after a tick: somewhere here the next one falls into the call.
    for delay in range(period - 1000, period - 300, 80):
        hit = this.witnessed(case, 1, x, delay=delay)
        assert hit.raw == [truth.raw for truth in hit.truths]
        if hit.raw[0] > clear:
            break
    assert hit.raw[0] > clear + 100, "a tick costs its interrupt"
    assert hit.samples[0].flags == wire.TICK


def test_without_placement_a_series_starts_where_it_is_told() -> None:
    this = session(FLASH)
    starts = [s.start for s in this.run("semaphore_take.binary_full", 3, delay=1_000_000)]
    period = this.hello.timer_hz // this.hello.tick_hz
    # The port programs MR0 = clock / tick: a period is one count longer than that.
    assert [b - a for a, b in pairwise(starts)] == [period + 1] * 2


def test_a_series_too_large_for_the_heap_is_refused_with_its_bytes_and_nothing_changes() -> None:
    this = session(SRAM)
    free = this.hello.free_bytes
    needed: dict[int, int] = {}
    length = 100
    while True:
        try:
            assert len(this.run("task_create.ready", length)) == length
            break
        except wire.SeriesDoesNotFit as refusal:
            assert refusal.available_bytes == free < refusal.needed_bytes
            needed[length] = refusal.needed_bytes
            length -= 1
    assert 10 <= length < 99
    assert this.link.hello().free_bytes == free


def test_the_bytes_a_refusal_names_are_those_the_series_takes() -> None:
    small, large = session(SRAM), session(LAB)
    with pytest.raises(wire.SeriesDoesNotFit) as refusal:
        small.run("task_create.ready", 100)
    image = read_image(firmware.build(LAB).elf)
    ask(large, "task_create.ready", 100)
    stop = large.board.run(
        cycles=large.board.cycle + 60_000_000, pcs=[image.address_of("delete_created")]
    )
    assert stop["reason"] == "pc"
    left = large.board.read_memory(image.address_of("xFreeBytesRemaining"), 4)
    used = large.hello.free_bytes - int.from_bytes(left, "little")
    assert used == refusal.value.needed_bytes


@pytest.mark.parametrize("case", params(CASES))
def test_the_first_series_after_reset_is_like_the_later_ones(case: str) -> None:
    this = Session(LAB)
    x = first_value(this.cases[case])
    series = [[s.ticks for s in this.run(case, 25, x)] for _ in range(3)]
    assert series[0] == series[1] == series[2]
    much_used = session(LAB)
    assert series[0] == [s.ticks for s in much_used.run(case, 25, x)]
    if not this.cases[case].flags & wire.CaseFlag.LENGTH_IS_LOAD:
        assert len(set(series[0])) == 1


@ON_BOTH
def test_every_tear_down_gives_the_whole_heap_back(configuration: Configuration) -> None:
    this = session(configuration)
    free = this.hello.free_bytes
    for case in CASES:
        for empty in (False, True):
            this.run(case, 10, first_value(this.cases[case]), empty=empty)
            assert this.link.hello().free_bytes == free, case


def test_a_series_longer_than_the_buffer_is_refused_with_its_bytes() -> None:
    with refused("series-does-not-fit", naming=[909, 900]):
        session(FLASH).run("yield.equals", 101)


def test_the_lab_has_room_for_a_thousand_samples_and_tasks() -> None:
    samples = session(LAB).run("task_create.ready", 1000)
    assert len(samples) == 1000 and not any(sample.flags for sample in samples)


@pytest.mark.parametrize(
    ("case", "length", "x", "options", "delay", "reason"),
    [
        (9999, 10, 0, wire.NO_OPTIONS, 0, wire.Reason.NO_SUCH_CASE),
        (0, 10, 5, wire.NO_OPTIONS, 0, wire.Reason.NO_SUCH_VALUE),
        (0, 0, 0, wire.NO_OPTIONS, 0, wire.Reason.NO_SUCH_VALUE),
        (0, 10, 0, wire.NO_OPTIONS, 1, wire.Reason.NO_SUCH_VALUE),
        (0, 10, 0, wire.Option.UNPLACED, 6_000_000, wire.Reason.NO_SUCH_VALUE),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(
    case: int, length: int, x: int, options: wire.Option, delay: int, reason: wire.Reason
) -> None:
    with pytest.raises(wire.RequestRefused) as refusal:
        session(FLASH).link.run(case, length, x, options=options, delay=delay)
    assert refusal.value.reason == reason


def test_a_case_takes_every_x_of_its_domain_and_no_other() -> None:
    described = session(FLASH).cases["queue_send.room"]
    assert (described.first, described.last, described.step) == (4, 256, 1)
    for x in (4, 15, 63, 200, 255, 256):
        assert len(session(FLASH).run("queue_send.room", 2, x)) == 2
    for x in (0, 3, 257, 1 << 31):
        with pytest.raises(wire.RequestRefused) as refusal:
            session(FLASH).run("queue_send.room", 2, x)
        assert refusal.value.reason == wire.Reason.NO_SUCH_VALUE


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (wire.Frame(0x05, 0, b""), wire.Reason.UNKNOWN_REQUEST),
        (wire.Frame(wire.MessageKind.RUN, 0, b"\0"), wire.Reason.MALFORMED),
        (wire.Frame(wire.MessageKind.SAMPLES, 0, b"\0\0\xff\xff"), wire.Reason.NO_SUCH_SAMPLES),
        (wire.Frame(wire.MessageKind.HELLO, 0, b"", version=2), wire.Reason.VERSION),
    ],
)
def test_a_frame_from_another_lab_is_refused(frame: wire.Frame, reason: wire.Reason) -> None:
    this = session(FLASH)
    this.link.hello()
    transport = line_of(this.board)
    transport.write(wire.encode_frame(frame._replace(sequence=0xFFF0 + reason)))
    heard = b""
    while data := transport.read(0.005):
        heard += data
    answers = [f for f in map(wire.decode_frame, heard.split(b"\0")) if f is not None]
    assert [(a.kind, a.sequence, a.body[0]) for a in answers] == [
        (wire.MessageKind.REFUSED, 0xFFF0 + reason, reason)
    ]


@ON_BOTH
def test_noise_and_nonsense_neither_stop_nor_confuse_the_target(
    configuration: Configuration,
) -> None:
    this = Session(configuration)
    transport, random = line_of(this.board), Random(2148)
    for round_ in range(40):
        transport.write(random.randbytes(random.randrange(1, 600)))
        body = random.randbytes(random.randrange(0, wire.MAX_BODY_BYTES + 1))
        # A sound frame of a random kind; a run of a random case would only take time.
        kind = random.choice([k for k in range(256) if k != wire.MessageKind.RUN])
        transport.write(wire.encode_frame(wire.Frame(kind, 1000 + round_, body)))
        while transport.read(0.005):
            pass
    assert this.link.hello() == this.hello
    assert len(this.run("yield.equals")) == 10


class BadLine:
    """A line that drops or changes every so many-th byte, in both directions."""

    def __init__(self, line: UartTransport, lose: int, change: int) -> None:
        self._line, self._lose, self._change, self._count = line, lose, change, 0

    def _damage(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            self._count += 1
            if self._count % self._lose:
                out.append(byte if self._count % self._change else byte ^ 0x10)
        return bytes(out)

    def write(self, data: bytes) -> None:
        self._line.write(self._damage(data))

    def read(self, timeout_s: float) -> bytes:
        return self._damage(self._line.read(timeout_s))


@ON_BOTH
def test_on_a_bad_line_every_sample_arrives_and_every_series_is_run_once(
    configuration: Configuration,
) -> None:
    case = "queue_send.room"
    clean = Session(configuration).run(case, 50, 64)
    this = Session(configuration)
    this.link = wire.Link(BadLine(line_of(this.board), lose=997, change=1499))
    start = this.probes.of(case).real.start
    this.board.watch(executed=[start])
    for _ in range(8):
        samples = this.run(case, 50, 64)
        assert [s.ticks for s in samples] == [s.ticks for s in clean]
    assert this.link.repeats > 3
    assert len(this.board.take_executed()) == 8 * 50


def test_a_cut_line_is_said_in_a_sentence() -> None:
    this = Session(FLASH)
    this.link = wire.Link(BadLine(line_of(this.board), lose=1, change=7))
    with refused("no-answer", naming=["hello", "2 s"]):
        this.link.hello()


def undefined_in_place_of(symbol: str, configuration: Configuration) -> Session:
    """A session whose image has an undefined instruction where `symbol` begins."""
    this = Session(configuration)
    thumb = configuration.value("isa") == "thumb"
    code = b"\x00\xde" if thumb else b"\xf0\x00\xf0\xe7"
    address = read_image(firmware.build(configuration).elf).address_of(symbol)
    this.board.write_memory(address, code)
    return this


@pytest.mark.parametrize("isa", ["arm", "thumb"])
@pytest.mark.parametrize(("board", "code"), [("lpc2148", "sram"), ("at91x40", "internal")])
def test_a_fault_is_reported_over_the_wire_with_its_address(
    board: str, code: str, isa: str
) -> None:
    configuration = Configuration(board, settings={"code": code, "isa": isa}, cases="queues")
    this = undefined_in_place_of("xQueueReceive", configuration)
    address = read_image(firmware.build(configuration).elf).address_of("xQueueReceive")
    with refused("target-fault", naming=["undefined instruction"]) as fault:
        this.run("queue_receive.one_message", 10, 4)
    assert isinstance(fault.value, wire.TargetFault)
    assert (fault.value.cause, fault.value.address) == (1, address)


def test_an_assertion_of_the_kernel_is_reported_with_its_place() -> None:
    configuration = Configuration(
        board="lpc2148-lab", settings={"code": "lab"}, options=(("configASSERT", 1),)
    )
    this = Session(configuration)
    image = read_image(firmware.build(configuration).elf)
    sites = this.probes.of("semaphore_take.binary_full").real
    transport = ask(this, "semaphore_take.binary_full", 10)
    stop = this.board.run(cycles=this.board.cycle + 60_000_000, pcs=[sites.start])
    assert stop["reason"] == "pc"
    this.board.write_memory(image.address_of("semaphore"), bytes(4))
    heard = b""
    while data := transport.read(0.2):
        heard += data
    (frame,) = [f for f in map(wire.decode_frame, heard.split(b"\0")) if f is not None]
    assert frame.kind == wire.MessageKind.FAULT
    assert Path(frame.body[6:].decode().rsplit(":", 1)[0]).name == "queue.c"


def test_the_same_firmware_runs_with_the_kernel_s_assertions_on() -> None:
    this = session(
        Configuration(
            board="lpc2148-lab",
            settings={"code": "lab", "isa": "thumb"},
            options=(("configASSERT", 1),),
        )
    )
    for case in CASES:
        assert len(this.run(case, 10, first_value(this.cases[case]))) == 10


@pytest.mark.parametrize(("clock_mhz", "vpbdiv"), [(12, 1), (36, 2), (60, 4)])
def test_every_clock_talks_ticks_and_times_alike(clock_mhz: int, vpbdiv: int) -> None:
    configuration = Configuration(
        board="lpc2148-lab",
        settings={"code": "lab", "clock": clock_mhz, "vpbdiv": vpbdiv, "timer": "timer1"},
    )
    this = session(configuration)
    assert this.board.core_hz == this.hello.core_hz == clock_mhz * 1_000_000
    assert this.hello.timer_hz * vpbdiv == this.hello.core_hz
    assert this.link.repeats == 0
    for case in ("queue_send.front", "semaphore_give.wakes_higher"):
        seen = this.witnessed(case, 10)
        for raw, truth in zip(seen.raw, seen.truths, strict=True):
            # Both ends are rounded down to whole counts, which begin with PCLK.
            assert abs(raw * vpbdiv - truth.raw) < vpbdiv
    starts = [s.start for s in this.run("queue_send.front", 3, delay=1000)]
    period = this.hello.timer_hz // this.hello.tick_hz
    assert [b - a for a, b in pairwise(starts)] == [period + 1] * 2


@pytest.mark.parametrize("board", ["lpc2148", "at91x40"])
@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_no_stack_comes_near_its_end(board: str, isa: str) -> None:
    configuration = Configuration(board, settings={"isa": isa})
    this = Session(configuration)
    image = read_image(firmware.build(configuration).elf)
    for case in CASES:
        x = first_value(this.cases[case])
        this.run(case, 10, x)
        if case in FEW:
            this.run(case, 1, x, delay=this.hello.timer_hz // this.hello.tick_hz - 800)
    harness = word(this, image.address_of("pxCurrentTCB"))
    stacks = {
        "harness": word(this, harness + STACK_IN_TCB),
        "irq": image.address_of("irq_stack_top") - 256,
        "svc": image.address_of("svc_stack_top") - 512,
    }
    for name, lowest in stacks.items():
        assert this.board.read_memory(lowest, 96) == bytes(96), name


@ON_BOTH
def test_the_firmware_asks_for_nothing_that_the_board_does_not_model(
    configuration: Configuration,
) -> None:
    this = Session(configuration)
    for case in CASES:
        this.run(case, 10, first_value(this.cases[case]))
    assert this.board.unmodelled() == []


def test_an_image_in_flash_can_be_loaded_on_a_board_made_anew() -> None:
    board = make_board("lpc2148")
    board.load(read_image(firmware.build(FLASH).elf))
    assert wire.Link(line_of(board)).hello().board == "lpc2148"


@ON_BOTH
def test_the_buffer_holds_what_goes_over_the_wire(configuration: Configuration) -> None:
    this = Session(configuration)
    buffer = read_image(firmware.build(configuration).elf).address_of(BUFFER)
    for case in FEW:
        sent = this.run(case, 50, first_value(this.cases[case]))
        held = this.board.read_memory(buffer, 50 * wire.SAMPLE_BYTES)
        assert list(struct.iter_unpack(wire.SAMPLE, held)) == sent, case
