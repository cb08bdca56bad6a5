"""Images: what is built, from what, and that two builds of the same are the same."""

import importlib.util
import os
import re
import shutil
import struct
from itertools import product
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from firmware_session import CLASSES
from refusals import refused

from cyclescope.firmware import build as firmware
from cyclescope.firmware import probes
from cyclescope.firmware.build import Built
from cyclescope.firmware.configuration import Configuration, FirmwareError
from cyclescope.firmware.program import Program

ROOT = Path(__file__).parent.parent
PLACEMENTS = [
    Configuration(board, settings={"code": code, "isa": isa}, cases=cases)
    for (board, code, cases), isa in product(
        [
            ("lpc2148", "flash", "all"),
            ("lpc2148", "sram", "semaphores"),
            ("lpc2148-lab", "lab", "all"),
        ],
        ["arm", "thumb"],
    )
]


ASSERTIONS = (("configASSERT", 1),)
MATRIX = pytest.mark.matrix


def name(configuration: Configuration) -> str:
    return f"{configuration.value('code')}-{configuration.value('isa')}"


@pytest.fixture(params=PLACEMENTS, ids=name)
def configuration(request: pytest.FixtureRequest) -> Configuration:
    assert isinstance(request.param, Configuration)
    return request.param


@pytest.fixture
def built(configuration: Configuration) -> Built:
    return firmware.build(configuration)


def test_an_image_has_the_cases_of_its_sources(built: Built) -> None:
    found = probes.Probes(Program(built.elf.read_bytes()))
    assert found.timer.address == 0x3FFF_8000
    assert set(found.cases) == {
        case for case, its in CLASSES.items() if built.facts.cases in ("all", its)
    }


def test_real_and_empty_differ_in_nothing_but_the_callee(built: Built) -> None:
    for case, sites in probes.Probes(Program(built.elf.read_bytes())).cases.items():
        real, empty = sites.real, sites.empty
        if case.startswith("yield."):
            assert [i.mnemonic for i in real.path] == ["ldr", "svc"]
            assert [i.mnemonic for i in empty.path] == ["ldr"]
        else:
            assert real.path == empty.path
            assert real.path[0].mnemonic == "ldr" and real.path[-1].mnemonic == "bl"
            assert [i.mnemonic for i in real.path].count("bl") == 1
            assert real.entry != empty.entry
        assert real.stop == real.returned, f"{case}: something stands between return and probe"
        assert empty.stop == empty.returned


def test_the_vectors_make_a_valid_user_program(built: Built) -> None:
    with built.elf.open("rb") as file:
        vectors = ELFFile(file).get_section_by_name(".vectors").data()
    assert len(vectors) == 64
    assert sum(struct.unpack("<8I", vectors[:32])) & 0xFFFF_FFFF == 0


def test_what_is_loaded_lies_in_the_placement_s_memory(built: Built) -> None:
    with built.elf.open("rb") as file:
        loaded = [
            (segment["p_paddr"], segment["p_paddr"] + segment["p_filesz"])
            for segment in ELFFile(file).iter_segments("PT_LOAD")
            if segment["p_filesz"]
        ]
    memories = {
        "flash": [(0, 500 * 1024)],
        "sram": [(0x4000_0000, 0x4000_8000)],
        "lab": [(0x4000_0000, 0x4000_0040), (0x8000_0000, 0x8040_0000)],
    }[built.facts.code]
    assert loaded
    for begin, end in loaded:
        assert any(low <= begin and end <= high for low, high in memories)


def test_the_facts_hold_the_whole_kernel_configuration(built: Built) -> None:
    kernel = built.facts.kernel_configuration
    assert built.facts.kernel_version == "V11.2.0"
    assert kernel["configCPU_CLOCK_HZ"] == built.facts.core_hz == 60_000_000
    assert kernel["configTICK_RATE_HZ"] == 10
    assert kernel["configUSE_TIMERS"] == 1
    assert kernel["configUSE_TIME_SLICING"] == 1
    assert isinstance(kernel["configTOTAL_HEAP_SIZE"], int)
    assert len(kernel) > 80
    assert str(ROOT) not in built.elf.with_suffix(".json").read_text()


def test_two_clones_build_the_same_image(tmp_path: Path) -> None:
    clone = tmp_path / "somewhere" / "else"
    for folder in ("firmware", "boards"):
        shutil.copytree(ROOT / folder, clone / folder)
    (clone / "build").mkdir()
    (clone / "build/packages").symlink_to(ROOT / "build/packages")
    here, there = (firmware.build(Configuration(), root) for root in (ROOT, clone))
    assert here.sha256 == there.sha256
    assert here.facts == there.facts
    assert str(tmp_path).encode() not in there.elf.read_bytes()


def functions(built: Built) -> list[tuple[str, int, int]]:
    """Name, address and size of every function of an image, in the order of its symbols."""
    with built.elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return [
            (s.name, s["st_value"] & ~1, s["st_size"])
            for s in table.iter_symbols()
            if s["st_info"]["type"] == "STT_FUNC"
        ]


STAY = {"start", "empty_call"}


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_a_layout_gives_every_function_another_place(isa: str) -> None:
    plain = firmware.build(Configuration(settings={"isa": isa}))
    one, two = firmware.build_layouts(Configuration(settings={"isa": isa}), [1, 2])
    here, first, second = (
        {(name, size): at for name, at, size in functions(built) if "_from_" not in name}
        for built in (plain, one, two)
    )
    assert here.keys() == first.keys() == second.keys()
    orders = [sorted(there, key=lambda key: there[key]) for there in (here, first, second)]
    assert len({tuple(order) for order in orders}) == 3
    moved = [key for key in here if key[0] not in STAY and key[1]]
    same = sum(first[key] % 16 == second[key] % 16 for key in moved)
    assert same < len(moved) / 20, "the design never gives two layouts in a row one place"
    sites = {key[0]: at for key, at in first.items() if key[0].endswith(("_real", "_empty"))}
    pairs = [(at, sites.get(name.replace("_real", "_empty"))) for name, at in sites.items()]
    together = [(real, empty) for real, empty in pairs if empty is not None]
    assert len(together) > 100 and all(real % 16 == empty % 16 for real, empty in together)


def test_a_layout_is_named_by_seed_and_number() -> None:
    images = {
        (seed, number): firmware.build(Configuration(layout=number, layout_seed=seed)).sha256
        for seed, number in ((1, 0), (2, 0), (1, 1), (2, 1))
    }
    assert images[1, 0] == images[2, 0] and len(set(images.values())) == 3
    again = firmware.build_layouts(Configuration(), [1])[0]
    assert again.sha256 == images[1, 1] and again.facts == firmware.build(Configuration()).facts


def test_of_sixteen_layouts_no_two_have_a_call_and_its_callee_alike() -> None:
    made = importlib.util.spec_from_file_location("layout", ROOT / "firmware" / "layout.py")
    assert made and made.loader
    layout = importlib.util.module_from_spec(made)
    made.loader.exec_module(layout)
    site, callee = ("cases/a.c.o", ".text.timed.f_real"), ("queue.c.o", ".text.f")
    for seed in range(20):
        places = [
            tuple(layout.place(one, number, seed) for one in (site, callee))
            for number in range(1, 17)
        ]
        assert len(set(places)) == 16
        assert all(sorted({at for _, at in places[i : i + 4]}) == [0, 1, 2, 3] for i in (0, 4))


def test_timers_and_assertions_make_other_images() -> None:
    plain = Configuration()
    others = [
        Configuration(settings={"timer": "timer1"}),
        Configuration(options=ASSERTIONS),
        Configuration(settings={"mam": 0}),
    ]
    images = {firmware.build(configuration).sha256 for configuration in [plain, *others]}
    assert len(images) == 4


@pytest.mark.parametrize(
    ("configuration", "sentence"),
    [
        (
            Configuration(settings={"code": "lab"}),
            "there is no --code lab here: choose one of flash, sram",
        ),
        (Configuration(board="nix"), "there is no --board nix here: choose one of"),
        (Configuration(kernel="nix"), "there is no --kernel nix here: choose one of bare, free"),
        (
            Configuration(settings={"isa": "nix"}),
            "there is no --isa nix here: choose one of arm, thumb",
        ),
        (
            Configuration(settings={"timer": "nix"}),
            "there is no --timer nix here: choose one of measurement, ",
        ),
        *(
            (
                Configuration(board="at91x40", settings={"timer": "tc"}, workload=workload),
                "there is no --timer tc here: choose one of measurement",
            )
            for workload in ("switch", "realtime")
        ),
        (Configuration(library="nix"), "there is no --library nix here: choose one of newlib-"),
        (Configuration(optimise="nix"), "there is no --optimise nix here: choose one of O0, O1"),
        (Configuration(settings={"mam": 3}), "there is no --mam 3 here: choose one of 0, 1, 2"),
        (
            Configuration(kernel="bare", workload="realtime"),
            "The program realtime is not there for the kernel bare: choose one of the kernels: "
            "freertos posix",
        ),
        (
            Configuration(kernel="posix"),
            "The kernel posix runs on boards with Linux, not on lpc2148: choose one of: at91x40 "
            "host",
        ),
        (
            Configuration(settings={"clock": 50}),
            "there is no --clock 50 here: choose one of 12, 24, 36, 48, 60",
        ),
        (
            Configuration(settings={"vpbdiv": 3}),
            "there is no --vpbdiv 3 here: choose one of 1, 2, 4",
        ),
        (Configuration(cases="nix"), "there is no --class nix here: choose one of all, tasks, "),
        (
            Configuration(settings={"mamtim": 8}),
            "there is no --mamtim 8 here: choose one of 1, 2, 3, 4, 5, 6",
        ),
        (
            Configuration(kernel="bare", settings={"code": "sram"}, cases="files_text"),
            "The cases of files have a disk in RAM, for which there is no space with code in sram",
        ),
    ],
)
def test_a_wrong_choice_is_one_sentence(configuration: Configuration, sentence: str) -> None:
    with pytest.raises(FirmwareError) as error:
        firmware.build(configuration)
    assert error.value.sentence.startswith(sentence) and "\n" not in error.value.sentence


@pytest.mark.parametrize(
    ("configuration", "remedy"),
    [
        (Configuration(), "the cases of one class (--class), --code flash, "),
        (Configuration(kernel="bare", cases="calendar"), "--code flash, "),
    ],
)
def test_what_does_not_fit_in_sram_says_what_would(
    configuration: Configuration, remedy: str
) -> None:
    with pytest.raises(FirmwareError) as error:
        firmware.build(configuration.having({"code": "sram"}))
    lab = "or --board lpc2148-lab --code lab, which has space for all"
    assert re.fullmatch(
        rf"the image does not fit: sram lacks \d+ bytes; choose {re.escape(remedy)}{lab}",
        error.value.sentence,
    )


@pytest.mark.parametrize("isa", ["arm", "thumb"])
@pytest.mark.parametrize("options", [(), ASSERTIONS])
@pytest.mark.parametrize(
    "cases", [pytest.param(c, marks=MATRIX) for c in sorted({*CLASSES.values()})]
)
def test_the_cases_of_any_one_class_fit_in_sram(
    cases: str, isa: str, options: tuple[tuple[str, int], ...]
) -> None:
    firmware.build(
        Configuration(settings={"code": "sram", "isa": isa}, cases=cases, options=options)
    )


@pytest.mark.parametrize(("clock_mhz", "mamtim"), [(12, 1), (24, 2), (36, 2), (48, 3), (60, 3)])
def test_the_flash_s_read_time_follows_the_clock(clock_mhz: int, mamtim: int) -> None:
    facts = firmware.build(Configuration(settings={"clock": clock_mhz, "vpbdiv": 4})).facts
    assert (facts.core_hz, facts.pclk_hz) == (clock_mhz * 1_000_000, clock_mhz * 250_000)
    assert facts.kernel_configuration["configCPU_CLOCK_HZ"] == facts.pclk_hz
    assert facts.memory["mamtim"] == mamtim
    assert facts.wire_baud == {12: 62_500, 24: 125_000, 36: 125_000}.get(clock_mhz, 250_000)


def test_a_missing_cross_compiler_is_one_sentence_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool in ("make", "sh"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "arm-none-eabi-gcc" not in os.listdir(tmp_path)
    with pytest.raises(FirmwareError) as error:
        firmware.build(Configuration())
    assert error.value.sentence == (
        "The cross compiler arm-none-eabi-gcc is missing: install it with: "
        "sudo apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi"
    )


def test_a_missing_make_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with refused("make-missing", FirmwareError):
        firmware.build(Configuration())


def test_sources_that_cannot_be_fetched_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("firmware", "boards"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    cargo = tmp_path / "bin" / "cargo"
    cargo.parent.mkdir()
    cargo.write_text("#!/bin/sh\necho error: no network >&2\nexit 101\n")
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{cargo.parent}:{os.environ['PATH']}")
    with pytest.raises(FirmwareError) as error:
        firmware.build(Configuration(), tmp_path)
    assert error.value.sentence == (
        "the firmware did not build: cargo could not fetch the kernel's sources (why: "
        "build/packages.log): the first build needs the network"
    )
    assert "no network" in (tmp_path / "build/packages.log").read_text()


def test_a_file_that_is_no_image_is_one_sentence() -> None:
    with refused("not-an-elf-file"):
        probes.Probes(Program(b"not an image"))
