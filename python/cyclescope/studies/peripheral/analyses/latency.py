"""Latency: how long a request for an interrupt waits for its handler, and a byte for its reader.

Every stage is a distribution over the steady state of one transfer. Its greatest value was observed
and bounds nothing.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cyclescope.studies.peripheral import lines as line_types
from cyclescope.studies.peripheral.analyses.distributions import distribution
from cyclescope.studies.peripheral.analyses.followed import LINE, RECEIVED, CopiedByte, window
from cyclescope.studies.peripheral.analyses.memory_view import view
from cyclescope.studies.peripheral.analyses.tables import left_and_numbers
from cyclescope.studies.peripheral.analysis import TransferAnalysis
from cyclescope.studies.peripheral.transfer import Transfer, TransferReplay

REQUEST, SLEEP = f"{LINE}.interrupt", "ps.sleep"
SLICE_CYCLES = 1_000_000
"""The monitor keeps the last 1,000 interrupts; so many cannot come in a slice."""


class TakenInterrupt(NamedTuple):
    """An interrupt that the core took: when it was requested, when its entry began, and when the
    instruction at the vector did."""

    source: str
    asserted: int
    taken: int
    began: int


@dataclass
class Observed:
    """Moments of the steady state, in cycles and in order.

    `copies` are those of received bytes. `in_program` accepts addresses of the reader's memory.
    """

    interrupts: list[TakenInterrupt] = field(default_factory=list)
    handlers: list[int] = field(default_factory=list)
    returns: list[int] = field(default_factory=list)
    sleep: list[tuple[int, int]] = field(default_factory=list)
    copies: list[CopiedByte] = field(default_factory=list)
    lost: int = 0
    in_program: Callable[[int], bool] = lambda _: False

    def sleeps_at(self, cycle: int) -> bool:
        """Whether the core slept just before a cycle."""
        place = bisect_left(self.sleep, (cycle, -1)) - 1
        return place >= 0 and self.sleep[place][1] == 1


def analyse(transfer: Transfer) -> dict[str, Any]:
    """Stages of interrupts by source, and stages of the bytes that the board received."""
    found = _observe(transfer)
    hz = transfer.record.core_hz
    begin, end = window(transfer)
    setting = transfer.setting
    return {
        "conditions": {
            "driver": str(setting.driver),
            "direction": str(setting.direction),
            "baud": setting.baud,
            "rom_waits": setting.rom_waits,
            "ram_waits": setting.ram_waits,
            "core_hz": hz,
            "observed_cycles": end - begin,
            "steady_cycles": transfer.steady[1] - begin,
        },
        "interrupts": {
            source: _interrupts(source, found, hz)
            for source in sorted({one.source for one in found.interrupts})
        },
        "bytes": _bytes(transfer, found, hz),
    }


def _observe(transfer: Transfer) -> Observed:
    replay, found = transfer.replay(), Observed()
    board, system = replay.board, view(replay.system)
    begin, end = window(transfer)
    replay.run_to(begin)
    board.watch(executed=[*system.handlers, system.returns])
    board.record([SLEEP])
    monitor = board.attach_interrupts()
    follow = board.attach_follow(registers=[RECEIVED], devices=[LINE])
    while board.cycle < end:
        _slice(replay, min(end, board.cycle + SLICE_CYCLES), (monitor, follow), found)
        for at, address in board.take_executed():
            (found.returns if address == system.returns else found.handlers).append(at)
        found.sleep += [(at, level) for at, _, level in board.take_recorded()]
    memory = system.copied(board)
    found.in_program = memory.held_by(line_types.of(transfer.setting).program)
    return found


def _slice(
    replay: TransferReplay, cycle: int, instruments: tuple[int, int], found: Observed
) -> None:
    replay.run_to(cycle)
    monitor, follow = (replay.board.counted(number) for number in instruments)
    for number in instruments:
        replay.board.clear(number)
    found.interrupts += [
        TakenInterrupt(one["source"], one["asserted"], one["taken"], one["began"])
        for one in monitor["latest"]
        if one["asserted"] is not None and one["began"] is not None
    ]
    found.interrupts.sort(key=lambda one: one.began)
    found.copies += [CopiedByte(*one) for one in follow["copies"]]
    found.lost += follow["lost"]


def _stage(durations: Iterable[int], hz: int) -> dict[str, Any]:
    """The distribution in cycles, and its quartiles and ends in microseconds."""
    found = distribution(durations)
    keys = [key for key in ("min", "q25", "q50", "q75", "max", "mean") if key in found]
    return {**found, "us": {key: found[key] * 1e6 / hz for key in keys}}


def _interrupts(source: str, found: Observed, hz: int) -> dict[str, Any]:
    """Stages of one source's interrupts; a core that slept has a stage of its own.

    A request may come behind the entry for another source, and be served in its place. It has only
    the stage to the handler.
    """
    own = [one for one in found.interrupts if one.source == source]
    entered = [one for one in own if one.asserted <= one.taken]
    asleep = [found.sleeps_at(one.asserted) for one in entered]
    stages = {
        "asserted_to_entry_awake": [
            one.taken - one.asserted
            for one, slept in zip(entered, asleep, strict=True)
            if not slept
        ],
        "asserted_to_entry_asleep": [
            one.taken - one.asserted for one, slept in zip(entered, asleep, strict=True) if slept
        ],
        "entry_to_vector": [one.began - one.taken for one in entered],
    }
    if source == REQUEST:
        whole = [(one, at) for one in own if (at := _next(found.handlers, one.began)) is not None]
        stages["vector_to_handler"] = [
            at - one.began for one, at in whole if one.asserted <= one.taken
        ]
        stages["asserted_to_handler"] = [at - one.asserted for one, at in whole]
    return {
        "taken": len(own),
        "taken_asleep": sum(asleep),
        "stages": {name: _stage(durations, hz) for name, durations in stages.items()},
    }


def _next(moments: Sequence[int], cycle: int) -> int | None:
    place = bisect_left(moments, cycle)
    return moments[place] if place < len(moments) else None


def _bytes(transfer: Transfer, found: Observed, hz: int) -> dict[str, Any]:
    """Stages of each received byte: from its end on the line to the return of the call that reads.

    A byte is handed over when the driver reads it, or when the PDC has stored it. It is announced
    by the last interrupt whose handler ran before the kernel's first copy.
    """
    ends = transfer.heard.cycles.tolist()
    began = [one.began for one in found.interrupts]
    stages: dict[str, list[int]] = defaultdict(list)
    announced: Counter[str] = Counter()
    unread = 0
    for copies in _by_byte(found.copies):
        arrival = copies[0]
        stored = next((one for one in copies if one.source and one.by is not None), None)
        own = next((one for one in copies if one.source and found.in_program(one.address)), None)
        returned = _next(found.returns, own.at) if own else None
        if stored is None or own is None or returned is None:
            unread += 1
            continue
        on_line = ends[bisect_right(ends, arrival.at) - 1]
        stages["line_to_handed_over"].append(arrival.at - on_line)
        stages["handed_over_to_kernel_copy"].append(stored.at - arrival.at)
        stages["kernel_copy_to_program"].append(own.at - stored.at)
        stages["program_to_call_returned"].append(returned - own.at)
        stages["line_to_call_returned"].append(returned - on_line)
        # PIO reads the byte in the handler; the PDC's buffer is copied in one.
        place = bisect_right(began, stored.at) - 1
        if place >= 0:
            announced[found.interrupts[place].source] += 1
            request = found.interrupts[place].asserted
            stages["asserted_to_call_returned"].append(returned - request)
    return {
        "n": sum(announced.values()),
        "unread": unread,
        "lost_copies": found.lost,
        "announced_by": dict(announced.most_common()),
        "stages": {name: _stage(durations, hz) for name, durations in stages.items()},
    }


def _by_byte(copies: Sequence[CopiedByte]) -> list[list[CopiedByte]]:
    """The copies of each byte that arrived, from its arrival on."""
    found: dict[int, list[CopiedByte]] = {}
    for one in copies:
        if not one.source:
            found[one.byte] = [one]
        elif one.byte in found:
            found[one.byte].append(one)
    return list(found.values())


def lines(document: Mapping[str, Any]) -> Sequence[str]:
    """One table of stages for each source of interrupts, and one for received bytes."""
    rows = []
    for source, one in document["interrupts"].items():
        text = f"{source}: {one['taken']:,} taken, {one['taken_asleep']:,} of them out of sleep"
        rows += [text, *_table(one["stages"]), ""]
    found = document["bytes"]
    by = ", ".join(f"{source} {count:,}" for source, count in found["announced_by"].items())
    rows.append(f"{found['n']:,} received bytes, announced by: {by or 'none'}")
    rows += _table(found["stages"])
    return [*rows, "", "in cycles, and in µs; max was observed and bounds nothing"]


def _table(stages: Mapping[str, Any]) -> list[str]:
    header = ("stage", "n", "min", "25 %", "50 %", "µs", "75 %", "max", "µs")
    table = [
        (
            name.replace("_", " "),
            *(f"{one[key]:,}" for key in ("n", "min", "q25", "q50")),
            f"{one['us']['q50']:,.1f}",
            *(f"{one[key]:,}" for key in ("q75", "max")),
            f"{one['us']['max']:,.1f}",
        )
        for name, one in stages.items()
        if one["n"]
    ]
    return left_and_numbers(header, table)


ANALYSIS = TransferAnalysis(
    "latency",
    "from request to handler, and from the line to the reader, by stages",
    analyse,
    lines,
)
