"""A window with a context switch on a virtual board, watched at every instruction boundary."""

from dataclasses import dataclass, replace

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.program import Program
from cyclescope.studies.switch.coefficients import gates
from cyclescope.studies.switch.core import Rules
from cyclescope.studies.switch.link import Stamps, SwitchLink, WindowRequest
from cyclescope.studies.switch.memories import memory_map
from cyclescope.studies.switch.path import AlarmClock, Moment, Places, Window, find_switch
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Findings
from cyclescope.target.target import Selection
from cyclescope.targets.virtual.target import VirtualBoard, open_virtual_board
from cyclescope.targets.virtual.uart import UartTransport

WORKLOAD = "switch"
LONGEST_CYCLES = 10_000_000
SILENCE_S = 1.0
"""Longer than any window, and than a tick of the kernel before it."""


@dataclass
class _WindowSeen:
    """Records of a window while it runs."""

    path: list[Moment]
    read: dict[int, int]
    requested_cycle: int = 0
    ended_cycle: int = 0


class VirtualSwitch:
    """The image of the workload on its board."""

    def __init__(self, target: VirtualBoard) -> None:
        self._target, self._board = target, target.board
        firmware, name = target.firmware, self._board.name
        self._alarm = boards.require(firmware.alarm, name, "alarm")
        self.baud = boards.require(firmware.transmitter, name, "transmitter").baud
        self._line = UartTransport(self._board, boards.require(firmware.wire, name, "wire"))
        self._link = SwitchLink(self._line, timeout_s=SILENCE_S)
        self._link.hello()
        self.program: Program = target.program()
        self.clock = self._clock()
        settings = self.conditions().memory
        memory = memory_map(self._board.describe(), settings, self.program)
        self.rules = Rules(self.conditions().board, self.program, memory)
        self._core = self.rules.core
        self.clocked = {signal: self._board.level(signal) for signal in gates(self.rules.board)}
        self._entry = self._place("switch_window")
        self._places = Places(
            *(self._place(name) for name in ("alarm_entered", "transmitter_entered", "mac_task"))
        )

    @property
    def alarm_count(self) -> int:
        """The address of the counter that the alarm compares."""
        return self._alarm.count

    def _clock(self) -> AlarmClock:
        conditions, alarm = self.conditions(), self._alarm
        assert conditions.pclk_hz, "a board has a clock for its devices"
        cycles = conditions.core_hz // conditions.pclk_hz * alarm.pclk_per_count
        return AlarmClock(alarm.bits, cycles, alarm.late_counts)

    def conditions(self) -> Conditions:
        """Returns the conditions."""
        return self._target.conditions()

    def findings(self) -> Findings:
        """Returns unverified rules that were used, and requests that the board does not model."""
        return self._target.findings()

    def time(self, order: WindowRequest) -> Stamps:
        """One window, seen by nothing but the firmware's own timer."""
        began, ended = 0, 0

        def begin() -> None:
            nonlocal began
            began = self._board.cycle
            self._line.stops = {self._returned(): end}

        def end() -> None:
            nonlocal ended
            ended = self._board.cycle
            self._line.stops = {}

        self._line.stops = {self._entry: begin}
        stamps = self._link.window(order)
        self._require_revolution(ended - began)
        return stamps

    def window(self, order: WindowRequest, whole: bool = False) -> Window:
        """One window, watched from before the alarm until the switch back is over.

        `whole`: from its beginning to its end, which takes longer.
        """
        seen = _WindowSeen([], {})
        self._line.stops = {self._entry: lambda: self._watch(order, seen, whole)}
        stamps = self._link.window(order)
        self._require_revolution(seen.ended_cycle - seen.path[0].cycle)
        switch = None
        if order.preempted:
            switch = find_switch(seen.path, self._places, seen.requested_cycle, self._core)
        return Window(order, stamps, self._board.core_hz, self.clock, seen.path, seen.read, switch)

    def _watch(self, order: WindowRequest, seen: _WindowSeen, whole: bool) -> None:
        board = self._board
        self._line.stops = {}  # a window is entered once
        returned = self._returned()
        board.watch(accessed=[self._alarm.count], signals=[self._alarm.signal])
        board.take_accessed()
        board.take_changes()
        board.meter(places=[0])
        if not whole:
            delay_cycles = order.delay_counts * self.clock.cycles_per_count
            board.run(cycles=board.cycle + delay_cycles, pcs=[returned])
        self._step(seen, returned, whole)
        if seen.path[-1].address != returned:
            board.run(cycles=board.cycle + LONGEST_CYCLES, pcs=[returned])
        seen.ended_cycle = board.cycle
        seen.read = {value: at for at, _, value, is_write in board.take_accessed() if not is_write}
        rises = [cycle for cycle, _, level in board.take_changes() if level]
        seen.requested_cycle = rises[0] if rises else 0
        board.watch()

    def _returned(self) -> int:
        """Where the function that was just entered returns."""
        moment = self._core.moment(self._board.cycle, self._board.registers(), 0)
        return self.program.address(moment.operands.registers[14])

    def _require_revolution(self, cycles: int) -> None:
        """Refuses a window in which the alarm's counter shows a count twice."""
        if cycles < self.clock.revolution_cycles:
            return
        window, most = (
            f"{1000 * one / self._board.core_hz:.1f} ms"
            for one in (cycles, self.clock.revolution_cycles)
        )
        raise CyclescopeError(
            f"the window takes {window}, and the alarm's counter of {self.clock.bits} bits begins "
            f"anew after {most}: ask for fewer --characters or --operations",
            code="window-exceeds-counter",
        )

    def _step(self, seen: _WindowSeen, returned: int, whole: bool) -> None:
        """Boundary by boundary, to where the window returns or the switch is over."""
        interrupted: Moment | None = None
        is_over = False
        while True:
            moment = self._moment()
            seen.path.append(moment)
            if moment.address == returned:
                return
            if moment.address == self._places.alarm_entered:
                taken = self._core.taken(seen.path, len(seen.path) - 1)
                interrupted = seen.path[self._core.interrupted(seen.path, taken)]
            elif interrupted is not None and not whole:
                is_over = is_over or moment.address == self._places.mac_task
                went_on = moment.address == interrupted.address and moment.mode == interrupted.mode
                if is_over and went_on:
                    return
            # An instruction may take no cycle, and an entry is no instruction.
            board = self._board
            board.run(cycles=board.cycle + 1, instructions=board.instructions + 1)

    def _moment(self) -> Moment:
        spent_fj = sum(sum(parts) for _, (_, _, parts) in self._board.spent())
        return self._core.moment(self._board.cycle, self._board.registers(), spent_fj)

    def _place(self, name: str) -> int:
        return self.program.address(self.program.symbols[name])


def open_target(selection: Selection) -> VirtualSwitch:
    """Builds the image that is asked for and puts it on its board."""
    alarm = boards.firmware_of(selection.board).alarm
    chosen = selection.having(alarm.settings if alarm else {})
    return VirtualSwitch(open_virtual_board(replace(chosen, workload=WORKLOAD)))
