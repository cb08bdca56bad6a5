"""The cost of a context switch, in three ways: analytic, by simulation, by direct measurement.

Pillai and Isha, section 4; docs/explanation/switch.md says what is what.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from random import Random
from zlib import crc32

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.boards import OperatingPoint
from cyclescope.studies.switch import direct
from cyclescope.studies.switch.analytic import Evaluation, evaluate
from cyclescope.studies.switch.coefficients import PointCoefficients, coefficients
from cyclescope.studies.switch.link import Stamps, WindowRequest
from cyclescope.studies.switch.path import AlarmClock, SwitchMoments, Window
from cyclescope.studies.switch.results import (
    UARTS,
    InstantSweep,
    IntervalCost,
    Path,
    PointSettings,
    SwitchResults,
    SwitchRow,
    TargetFigures,
    Totals,
    Uart,
    UserWork,
)
from cyclescope.studies.switch.rig import RigSettings
from cyclescope.studies.switch.targets.virtual import VirtualSwitch, open_target
from cyclescope.target.target import Selection

CHARACTER_BITS = 10
FJ_PER_PJ = 1000
END_MARGIN_COUNTS = 60
"""Before the transmission is over: its last bits are leaving."""


@dataclass(frozen=True)
class SwitchPlan:
    """The extent of a measurement: `instants` switches at random instants for each row, and a sweep
    over `steps` (none: 0) instants of a character's time."""

    operations: Sequence[int]
    characters: int
    instants: int
    steps: int
    seed: int
    rig: RigSettings


def measure(selection: Selection, point: OperatingPoint, plan: SwitchPlan) -> TargetFigures:
    """One kernel at one operating point."""
    target = open_target(selection)
    bench = _SwitchBench(target, selection, plan)
    rows = tuple(bench.row(uart, operations) for uart in UARTS for operations in plan.operations)
    sweeps = tuple(bench.sweep(uart) for uart in UARTS) if plan.steps else ()
    conditions = target.conditions()
    return TargetFigures(
        kernel=selection.kernel,
        point=PointSettings(
            name=point.name,
            core_hz=conditions.core_hz,
            supply_mv=point.supply_mv,
            mamtim=conditions.memory.get("mamtim"),
        ),
        conditions=conditions,
        unverified=tuple(one.rule for one in target.findings().unverified),
        rows=rows,
        sweeps=sweeps,
    )


def preemptions(selection: Selection, instants: int, seed: int) -> tuple[Path, ...]:
    """Preemptions of the polled transmission at random instants, by simulation alone."""
    bench = _SwitchBench(
        open_target(selection), selection, SwitchPlan((4,), 3, instants, 0, seed, RigSettings())
    )
    return bench.preemptions("polled", 4)


@dataclass
class _SwitchBench:
    """A target and what is asked of it."""

    target: VirtualSwitch
    selection: Selection
    plan: SwitchPlan

    @cached_property
    def _coefficients(self) -> PointCoefficients:
        return coefficients(
            self.selection.board, self.target.conditions().core_hz, self.target.clocked
        )

    @property
    def _character_counts(self) -> int:
        count_hz = self.target.conditions().core_hz // self.target.clock.cycles_per_count
        return count_hz * CHARACTER_BITS // self.target.baud

    def row(self, uart: Uart, operations: int) -> SwitchRow:
        """One workload, in three ways."""
        alone = self.target.time(self._order(uart, operations, None))
        whole, found = self._evaluated(uart, operations)
        windows = [
            self.target.window(self._order(uart, operations, delay)) for delay in self._delays
        ]
        bench = direct.of(whole, found, alone, self.target.rules)
        simulated = cost_of(whole)
        late = _totals(alone, self.target.clock).sent_counts - END_MARGIN_COUNTS
        return SwitchRow(
            uart=uart,
            operations=operations,
            simulated=simulated,
            analytic=_analytic(whole, found),
            analytic_differences=_differences(whole, found),
            boundaries=len(whole.path) - found.known,
            capacitive_pj=simulated.switch.cycles * self._coefficients.capacitive / FJ_PER_PJ,
            instants=tuple(cost_of(window) for window in windows),
            measured_cycles=bench.cycles([(one.order, one.stamps) for one in windows]),
            measured_pj=bench.energy_pj(self._coefficients.supply_mv, self._rig(uart, operations)),
            sequential=_totals(alone, whole.clock),
            preempted=_totals(whole.stamps, whole.clock),
            at_end=_totals(self.target.time(self._order(uart, operations, late)), whole.clock),
        )

    def preemptions(self, uart: Uart, operations: int) -> tuple[Path, ...]:
        """One at each instant, as the board saw it."""
        orders = (self._order(uart, operations, delay) for delay in self._delays)
        return tuple(cost_of(self.target.window(order)) for order in orders)

    def _evaluated(self, uart: Uart, operations: int) -> tuple[Window, Evaluation]:
        """A window that the rules can follow. The first instant with none of the UART's own
        interrupts beside it, as the firmware says; the first of all where each has one."""
        orders = [self._order(uart, operations, delay) for delay in self._delays]
        clock, target = self.target.clock, self.target
        orders.sort(key=lambda order: not direct.is_clean(target.time(order), clock))
        for last, order in zip([False] * (len(orders) - 1) + [True], orders, strict=True):
            window = target.window(order, whole=True)
            try:
                return window, evaluate(
                    window.path, target.rules, self._coefficients, target.alarm_count
                )
            except CyclescopeError as error:
                if last or error.code != "interrupted-instruction":
                    raise
        raise AssertionError("there is an instant")

    def sweep(self, uart: Uart) -> InstantSweep:
        """Instants evenly spaced over a character's time, with the fewest operations."""
        operations = min(self.plan.operations)
        step = _prime_up_to(self._character_counts // self.plan.steps)
        delays = [self._character_counts + step * index for index in range(self.plan.steps)]
        return InstantSweep(
            uart=uart,
            operations=operations,
            step_counts=step,
            character_counts=self._character_counts,
            paths=tuple(
                cost_of(self.target.window(self._order(uart, operations, delay)))
                for delay in delays
            ),
        )

    @cached_property
    def _delays(self) -> list[int]:
        """Instants at random in the second character's time, the same for every workload."""
        random = Random(self.plan.seed)
        counts = self._character_counts
        return [counts + random.randrange(counts) for _ in range(self.plan.instants)]

    def _rig(self, uart: Uart, operations: int) -> RigSettings:
        """Each row has a rig of its own, so that one lucky or unlucky rig is not seen in all."""
        chosen, core_hz = self.plan.rig, self.target.conditions().core_hz
        text = f"{chosen.seed} {self.selection.kernel} {core_hz} {uart} {operations}"
        return chosen.model_copy(update={"seed": crc32(text.encode())})

    def _order(self, uart: Uart, operations: int, delay: int | None) -> WindowRequest:
        characters = self.plan.characters
        return WindowRequest(
            delay is not None, uart == "interrupt", characters, operations, delay or 0
        )


def _prime_up_to(most: int) -> int:
    """The greatest prime up to `most` (1 below 2): steps that fall in with no loop's length."""
    for candidate in range(most, 1, -1):
        if all(candidate % divisor for divisor in range(2, int(candidate**0.5) + 1)):
            return candidate
    return 1


def _totals(stamps: Stamps, clock: AlarmClock) -> Totals:
    sent, ended = (clock.cycles(stamps.began, one) for one in (stamps.sent, stamps.ended))
    return Totals(
        sent_counts=sent // clock.cycles_per_count, ended_counts=ended // clock.cycles_per_count
    )


def _switch(window: Window) -> SwitchMoments:
    assert window.switch is not None, "the window was preempted"
    return window.switch


def cost_of(window: Window) -> Path:
    """The switch of a window, station by station, as the board saw it."""
    cycles = [moment.cycle for moment in window.path]
    spent = [moment.spent_fj for moment in window.path]
    return _path(window, cycles, spent, _switch(window).requested_cycle)


def _analytic(window: Window, found: Evaluation) -> Path:
    """The same stations by the rules alone. The request comes the delay behind the reading of the
    timer with which the window began."""
    began = found.readings[min(found.readings)]
    at = window.path[0].cycle + began
    requested = began + window.clock.to_match(at, window.order.delay_counts)
    return _path(window, found.cycles, found.spent_fj, requested)


def _path(window: Window, cycles: Sequence[int], spent: Sequence[int], requested: int) -> Path:
    switch = _switch(window)

    def foreign(values: Sequence[int], begin: int, end: int) -> int:
        inside = [one for one in switch.foreign if begin <= one[0] and one[1] <= end]
        return sum(values[back] - values[taken] for taken, back in inside)

    def cost(begin: int, end: int) -> IntervalCost:
        own = cycles[end] - cycles[begin] - foreign(cycles, begin, end)
        fj = spent[end] - spent[begin] - foreign(spent, begin, end)
        return IntervalCost(cycles=own, pj=fj / FJ_PER_PJ)

    return Path(
        delay_counts=window.order.delay_counts,
        latency_cycles=cycles[switch.entered] - requested,
        out=cost(switch.entered, switch.mac_began),
        mac=cost(switch.mac_began, switch.mac_ended),
        back=cost(switch.mac_ended, switch.resumed),
        foreign_cycles=foreign(cycles, switch.entered, switch.resumed),
    )


def _differences(window: Window, found: Evaluation) -> int:
    """Boundaries at which the analytic way and the simulation differ in cycles or energy."""
    first = window.path[found.known]
    return sum(
        moment.cycle - first.cycle != found.between(found.known, index)
        or moment.spent_fj - first.spent_fj != found.energy_fj(found.known, index)
        for index, moment in enumerate(window.path[found.known :], found.known)
    )


def gather(
    targets: Sequence[TargetFigures],
    characters: int,
    seed: int,
    rig: RigSettings,
    work: UserWork | None = None,
) -> SwitchResults:
    """All targets as one set of results."""
    return SwitchResults(
        tool=version("cyclescope"),
        characters=characters,
        seed=seed,
        rig=rig,
        targets=tuple(targets),
        work=work,
    )
