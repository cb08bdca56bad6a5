"""A target made of formulas: what the lab's own tests time when no board is in question."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from cyclescope.target.case import Case, Parameter
from cyclescope.target.conditions import Conditions, Layout
from cyclescope.target.findings import Findings, Unverified
from cyclescope.target.series import RawSample, RawSamples, Series, kind_of
from cyclescope.target.target import Capability, DoesNotFit, OnlyHere, Relinked, Selection, Target

OVERHEAD = 9

CONDITIONS = Conditions(
    target="virtual",
    board="lpc2148",
    real=True,
    not_on_part=("measurement timer",),
    core_hz=60_000_000,
    pclk_hz=60_000_000,
    timer="measurement",
    timer_hz=60_000_000,
    memory={"mam": 2, "mamtim": 3},
    code="flash",
    isa="thumb",
    compiler="arm-none-eabi-gcc",
    compiler_version="12.2.1",
    flags=("-Os", "-mthumb"),
    c_library="newlib 3.3.0 nano",
    kernel="freertos",
    kernel_version="V11.2.0",
    kernel_configuration={"configTICK_RATE_HZ": 10, "configSTACK_DEPTH_TYPE": "uint16_t"},
    image_sha256="ab" * 32,
)

Formula = Callable[[int, int, int], int]
"""Net cycles from (parameter or 0, series length, index in the series)."""


def chance(length: int, index: int) -> int:
    """0 … 96, as good as drawn."""
    return zlib.crc32(f"{length} {index}".encode()) % 97


@dataclass
class FakeCase:
    """A case and the formula of its net time; `empty` is what its empty call takes."""

    case: Case
    net: Formula
    empty: int = OVERHEAD
    ticks: frozenset[int] = frozenset()
    needs_bytes: Callable[[int], int] = lambda length: 0


def fake(name: str, net: Formula, **options: object) -> FakeCase:
    """A FakeCase of a call of the same name; options go to the case or to FakeCase."""
    own = {key: options.pop(key) for key in ("empty", "ticks", "needs_bytes") if key in options}
    fields = {"call": name, "condition": "as built", **options}
    return FakeCase(Case.model_validate({"name": name, **fields}), net, **own)  # type: ignore[arg-type]


BYTES = Parameter(name="size", unit="byte", values=(1, 2, 4, 8, 16, 32, 64, 128))

MANY_BYTES = Parameter(
    name="size",
    unit="byte",
    values=(1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 64, 96, 128),
)
"""Enough for a law with a knee: three points for each of its coefficients, and some held out."""

CASES = (
    fake("semaphore-take", lambda x, n, i: 312, call="xSemaphoreTake(semaphore, 0)",
         condition="binary, full"),
    fake("semaphore-give", lambda x, n, i: 287 + (i * 7 + n) % 3, call="xSemaphoreGive",
         condition="binary, empty", ticks=frozenset({4})),
    fake("give-wakes", lambda x, n, i: 905, call="xSemaphoreGive",
         condition="wakes a higher-priority task", switches=True),
    fake("queue-send", lambda x, n, i: 410 + 2 * x, call="xQueueSend",
         condition="x bytes, space", parameter=BYTES),
    fake("queue-receive", lambda x, n, i: 398 + 2 * x + i % 2, call="xQueueReceive",
         condition="x bytes, one message", parameter=BYTES),
    fake("task-create", lambda x, n, i: 1500 + 3 * n, call="xTaskCreate",
         condition="as many tasks as the series is long", load=True),
    fake("task-yield", lambda x, n, i: 402, call="taskYIELD", condition="between equals",
         switches=True),
    fake("malloc", lambda x, n, i: 220, call="pvPortMalloc", condition="x bytes", parameter=BYTES),
)  # fmt: skip


@dataclass
class FakeTarget(Target):
    """Formulas behind the interface of a target; the counter starts near its wrap."""

    fakes: Sequence[FakeCase] = CASES
    under: Conditions = CONDITIONS
    before_series: Callable[[Case, int], None] = lambda case, length: None
    resets: int = 0
    clock: int = field(default=0)
    fj_per_cycle: int | None = None
    capabilities = frozenset({Capability.CYCLE_COUNTER})

    @property
    def relinker(self) -> "FakeTarget":
        return self

    @property
    def depends_on_layout(self) -> bool:
        return False

    def symbols(self) -> dict[str, int]:
        return {}

    def conditions(self) -> Conditions:
        return self.under

    def cases(self) -> Sequence[Case]:
        return [fake.case for fake in self.fakes]

    def reset(self) -> None:
        self.resets += 1
        self.clock = 0xFFFF_F000

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        self.before_series(case, length)
        one = next(fake for fake in self.fakes if fake.case.name == case.name)
        if one.needs_bytes(length) > 32_768:
            raise DoesNotFit(case.name, one.needs_bytes(length), 32_768, "on lpc2148-lab")
        samples = []
        for index in range(length):
            hit = not empty and index in one.ticks
            took = OVERHEAD + one.net(parameter or 0, length, index) + 900 * hit
            samples.append(self._sample(one.empty if empty else took, hit))
        return Series(length, kind_of(empty), RawSamples.of(samples))

    def _sample(self, took: int, hit: bool) -> RawSample:
        start = self.clock
        self.clock = (start + took) % 2**32
        energy_fj = None if self.fj_per_cycle is None else took * self.fj_per_cycle
        return RawSample(start, self.clock, hit, energy_fj=energy_fj)

    def relinked(self, selection: Selection, numbers: Sequence[int]) -> list[Relinked]:
        """Layouts that take as long."""
        layouts = [Layout(number=number, image_sha256=f"{number:064x}") for number in numbers]
        return [
            Relinked(under, OnlyHere(replace(self, under=under)), {})
            for under in map(self.under.of, layouts)
        ]

    def findings(self) -> Findings:
        text = "VPB bridge: 3 core cycles and 2 of PCLK for each access"
        return Findings(unverified=(Unverified(rule="vpb-access", text=text),))
