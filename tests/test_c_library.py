"""The calls of the C library: what is in an image, that each is what it says, and its truth."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from firmware_session import Session, Witnessed, line_of
from refusals import refused

from cyclescope import wire
from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import read_image

NANO, PICOLIBC = "newlib-nano", "picolibc"
LIBRARIES = (NANO, PICOLIBC)
IMAGES = [
    Configuration(kernel="bare", settings={"isa": isa}, library=library)
    for library in LIBRARIES
    for isa in ("arm", "thumb")
]
ZERO_WAIT = [
    Configuration("lpc2148-lab", "bare", settings={"code": "lab", "isa": isa}, library=library)
    for library in LIBRARIES
    for isa in ("arm", "thumb")
]
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "c-library.md"
IN_SRAM = ("memory_blocks", "strings", "characters", "heap", "sorting", "jumps")
"""Classes that fit in SRAM with each library, in each instruction set."""
EVERY_DAY = (
    "memcpy.aligned", "malloc.behind_small_blocks", "qsort.shuffled", "sprintf.fixed",
    "longjmp.back", "putc.fills_buffer", "__aeabi_ddiv.doubles",
)  # fmt: skip
"""Cases whose truth every test run sees; `make truth` sees all."""


def name(value: Configuration | str) -> str:
    return (
        value
        if isinstance(value, str)
        else f"{value.value('code')}-{value.library}-{value.value('isa')}"
    )


session = cache(Session)


def own(this: Session) -> dict[str, wire.CaseDescription]:
    """The cases of the image, but those of files (test_files.py)."""
    return {n: c for n, c in this.cases.items() if not c.function_class.startswith("files_")}


def largest(case: wire.CaseDescription) -> int:
    return max(case.values, default=0)


@pytest.fixture(params=IMAGES, ids=name)
def configuration(request: pytest.FixtureRequest) -> Configuration:
    assert isinstance(request.param, Configuration)
    return request.param


def test_there_are_more_than_70_cases_of_the_library() -> None:
    for library in LIBRARIES:
        cases = session(Configuration(kernel="bare", library=library)).cases.values()
        assert sum(case.library == "C" for case in cases) > 150
        assert {case.library for case in cases} <= {"C", "libgcc", "POSIX", "littlefs"}
        assert all(case.condition and bool(case.values) == bool(case.unit) for case in cases)


def test_the_facts_name_the_library() -> None:
    names = [firmware.build(one).facts.c_library for one in (IMAGES[0], IMAGES[2])]
    assert names == ["newlib-nano 3.3.0", "picolibc 1.8"]


def test_a_library_that_is_not_there_is_one_sentence() -> None:
    with refused("build-failed", naming=["--library nix", "newlib-nano, picolibc"]):
        firmware.build(Configuration(kernel="bare", library="nix"))


def test_the_memory_of_all_cases_is_the_arena() -> None:
    assert session(IMAGES[0]).hello.free_bytes == 20480


def test_between_the_probes_is_one_call_of_the_callee(configuration: Configuration) -> None:
    this, image = session(configuration), read_image(firmware.build(configuration).elf)
    veneers = Program(firmware.build(configuration).elf.read_bytes()).symbols
    for case, sites in this.probes.cases.items():
        real, empty = sites.real, sites.empty
        assert real.path == empty.path, case
        assert [i.mnemonic for i in real.path].count("bl") == 1
        assert real.path[0].mnemonic == "ldr" and real.path[-1].mnemonic == "bl"
        assert real.stop == real.returned, f"{case}: something stands between return and probe"
        callee = this.cases[case].callee
        # A callee in the other instruction set is entered through the linker's veneer.
        entries = {image.address_of(callee)} | {
            veneers[there] & ~1
            for there in (f"__{callee}_from_thumb", f"__{callee}_from_arm")
            if there in veneers
        }
        assert real.entry in entries, case
        assert empty.entry == image.address_of("empty_call")


@cache
def ways(configuration: Configuration) -> dict[str, frozenset[tuple[int, int]]]:
    """The steps from instruction to instruction that each case's call takes, each once."""
    this = session(configuration)
    segments = read_image(firmware.build(configuration).elf).segments
    base, code = max(segments, key=lambda segment: len(segment[1]))
    this.board.watch(executed=range(base, base + len(code), 4))
    found = {}
    for case, described in own(this).items():
        sites = this.probes.of(case).real
        this.board.take_executed()
        this.run(case, 1, largest(described))
        path = [address for _, address in this.board.take_executed()]
        entered = path.index(sites.entry, path.index(sites.start))
        found[case] = frozenset(pairwise(path[entered : path.index(sites.returned, entered + 1)]))
    this.board.watch()
    return found


def test_no_two_cases_take_the_same_way_through_both_libraries() -> None:
    first, second = (ways(Configuration(kernel="bare", library=one)) for one in LIBRARIES)
    seen: dict[object, str] = {}
    for case in first:
        way = (first[case], second.get(case))
        assert way not in seen, f"{case} takes the same way as {seen[way]}"
        seen[way] = case
    for library, taken in ((NANO, first), (PICOLIBC, second)):
        cases = session(Configuration(kernel="bare", library=library)).cases
        own = {taken[case] for case in taken if cases[case].library == "C"}
        assert len(own) >= 140


def from_reset(this: Session, case: str) -> list[int]:
    this.board.reset()
    line = line_of(this.board)
    line.read(0.1)
    this.link = wire.Link(line)
    return [one.ticks for one in this.run(case, 3, largest(this.cases[case]))]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_case_takes_as_long_after_all_others_as_after_a_reset(library: str) -> None:
    this = Session(Configuration(kernel="bare", library=library))
    used = {
        case: [one.ticks for one in this.run(case, 3, largest(this.cases[case]))]
        for _ in range(2)
        for case in reversed(own(this))
    }
    assert used == {case: from_reset(this, case) for case in own(this)}


@pytest.mark.parametrize("configuration", IMAGES, ids=name)
def test_no_case_needs_more_stack_than_there_is(configuration: Configuration) -> None:
    this = session(configuration)
    for case, described in this.cases.items():
        this.run(case, 1, largest(described))
    symbols = Program(firmware.build(configuration).elf.read_bytes()).symbols
    guard = symbols["bss_end"], symbols["svc_stack_end"]
    words = this.board.read_memory(guard[0], guard[1] - guard[0])
    assert words == (0xC0DE5AFE).to_bytes(4, "little") * (len(words) // 4) and words


def witnessed(configuration: Configuration, case: str, x: int) -> tuple[Witnessed, Witnessed]:
    this = session(configuration)
    return this.witnessed(case, 3, x), this.witnessed(case, 3, x, empty=True)


def most(values: Iterable[int]) -> int:
    """The value that is there most often: the first empty call may meet other flash buffers."""
    return Counter(values).most_common(1)[0][0]


def residuals(real: Witnessed, empty: Witnessed) -> set[int]:
    overhead = most(empty.raw)
    (nothing,) = {truth.call for truth in empty.truths}
    return {
        raw - overhead - (truth.call - nothing)
        for raw, truth in zip(real.raw, real.truths, strict=True)
    }


EVERY_DAY_IMAGES = (ZERO_WAIT[0], IMAGES[0], IMAGES[3])
"""Images of which every test run sees some cases; `make truth` sees all of all."""


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.matrix)])
@pytest.mark.parametrize(
    "configuration",
    [
        pytest.param(image, marks=() if image in EVERY_DAY_IMAGES else pytest.mark.matrix)
        for image in ZERO_WAIT + IMAGES
    ],
    ids=name,
)
def test_the_target_tells_the_truth(configuration: Configuration, whole: bool) -> None:
    this = session(configuration)
    for case in this.cases if whole else EVERY_DAY:
        for x in this.cases[case].values or (0,):
            real, empty = witnessed(configuration, case, x)
            for series in (real, empty):
                assert series.raw == [truth.raw for truth in series.truths], case
            left = residuals(real, empty)
            if configuration.value("code") == "lab":
                assert left == {0} and len(set(empty.raw)) == 1, case
            else:
                beside = most(t.before + t.after for t in empty.truths)
                assert left == {t.before + t.after - beside for t in real.truths}, case
                assert all(abs(one) <= 2 * this.doubt_cycles for one in left), case


@pytest.mark.matrix
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("isa", ["arm", "thumb"])
@pytest.mark.parametrize("cases", IN_SRAM)
def test_the_classes_that_the_page_names_fit_in_sram(cases: str, isa: str, library: str) -> None:
    built = firmware.build(
        Configuration(
            kernel="bare", settings={"code": "sram", "isa": isa}, cases=cases, library=library
        )
    )
    assert built.facts.cases == cases and f"`{cases}`" in PAGE.read_text()


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_image_of_one_class_has_its_variables_apart(library: str) -> None:
    chosen = Configuration(kernel="bare", library=library, cases="jumps")
    symbols = Program(firmware.build(chosen).elf.read_bytes()).symbols
    assert symbols["library_data_end"] <= symbols["bss_begin"]
    assert len(session(chosen).run("setjmp.first_return", 10)) == 10


def test_fragments_and_workloads_have_no_memory_for_cases() -> None:
    workload = Configuration(kernel="bare", settings={"timer": "timer1"}, workload="switch")
    symbols = Program(firmware.build(workload).elf.read_bytes()).symbols
    assert not {"arena_take", "library_reset", "kernel_begin_series"} & set(symbols)
