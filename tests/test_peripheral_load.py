"""Classes of functions, the load by class, and budgets, on counts that were summed by hand."""

import subprocess
import sys
from pathlib import Path

import pytest

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import of_machine
from cyclescope.studies.peripheral import paper, recomputed
from cyclescope.studies.peripheral.analyses import budget, by_class, classes
from cyclescope.studies.peripheral.analyses.by_class import Bytes
from cyclescope.studies.run.instruments.symbols import Named, Symbols

ARM = of_machine(40)


def named(name: str, start: int, file: str | None = None, image: str = "vmlinux") -> Named:
    return Named(name, file, image, start, start + 0x100, False)


FUNCTIONS = [
    named("n_tty_read", 0x1000, "drivers/tty/n_tty.c"),
    named("atmel_interrupt", 0x1100, "drivers/tty/serial/atmel_serial.c"),
    named("do_idle", 0x1200, "kernel/sched/idle.c"),
    named("__memcpy", 0x1300, "arch/arm/lib/memcpy.S"),
    named("__irq_svc", 0x1400, "arch/arm/kernel/entry-armv.S"),
    named("decode", 0x1500, "gproto.c", "gkermit"),
    named("n_tty_read", 0x1600, "stolen.c", "gkermit"),
    named("unheard_of", 0x1700, "unheard.c"),
]
SYMBOLS = Symbols(FUNCTIONS, ARM)
RULES = """
[libraries]
files = ["memcpy.S"]
[[class]]
name = "work"
[[class]]
name = "idle"
idle = true
[[rule]]
class = "work"
subclass = "program"
images = ["!vmlinux"]
[[rule]]
class = "work"
subclass = "tty"
files = ["tty/*.c", "atmel*"]
functions = ["!*interrupt"]
[[rule]]
class = "idle"
subclass = "loop"
functions = ["do_idle"]
"""


@pytest.fixture
def rules(tmp_path: Path) -> classes.Classes:
    file = tmp_path / "rules.toml"
    file.write_text(RULES)
    return classes.read_classes(file)


def refusal(tmp_path: Path, text: str) -> CyclescopeError:
    file = tmp_path / "rules.toml"
    file.write_text(text)
    with pytest.raises(CyclescopeError) as caught:
        classes.read_classes(file)
    assert str(file) in caught.value.sentence
    assert "\n" not in caught.value.sentence
    return caught.value


COUNTS = {
    "since": 1000,
    "until": 1170,
    "lines": [
        (None, None, 0, (2, 0, 0, 0, 0, 0, 0)),
        (None, 0x1000, 10, (20, 5, 5, 0, 1, 0, 0)),
        (None, 0x1104, 4, (8, 0, 0, 2, 0, 0, 0)),
        (None, 0x1204, 3, (6, 0, 0, 0, 0, 0, 60)),
        (0x1000, 0x1300, 7, (14, 0, 0, 0, 0, 0, 0)),
        (-1, 0x1304, 1, (2, 0, 0, 0, 0, 0, 0)),
        (None, 0x1404, 2, (4, 0, 0, 0, 0, 3, 0)),
        (None, 0x1500, 15, (30, 0, 0, 0, 0, 0, 0)),
        (None, 0x1700, 1, (8, 0, 0, 0, 0, 0, 0)),
    ],
}
"""As `Board.counted` has them: payer, address, instructions, cycles by kind. All are 170 cycles."""


def test_every_instruction_and_cycle_is_in_one_row(rules: classes.Classes) -> None:
    found = by_class.load(COUNTS, SYMBOLS, rules, Bytes(8, 2, 5))
    rows = {one["class"]: one for one in found["classes"]}
    assert found["instructions"] == 43 == sum(one["instructions"] for one in rows.values())
    separate = [found[key] for key in ("entry_cycles", "transfer_wait_cycles", "asleep_cycles")]
    assert separate == [3, 1, 60]
    assert sum(one["cycles"] for one in rows.values()) + sum(separate) == found["cycles"] == 170
    assert (rows["work"]["instructions"], rows["work"]["cycles"]) == (32, 74)
    subclasses = {one["subclass"]: one for one in rows["work"]["subclasses"]}
    tty = subclasses["tty"]
    assert (tty["instructions"], tty["cycles"]) == (17, 44), "with the library that it called"
    assert (tty["instructions_per_byte"], tty["cycles_per_payload_byte"]) == (1.7, 8.8)
    assert [one["function"] for one in tty["functions"]] == ["n_tty_read"]
    assert (rows["idle"]["instructions"], rows["idle"]["cycles"]) == (3, 6)
    assert rows["idle"]["share_of_active_instructions"] is None
    assert found["active"]["instructions"] == 40
    assert rows["work"]["share_of_active_instructions"] == 32 / 40
    assert found["active_cycles_per_instruction"] == 100 / 40


def test_what_no_rule_matches_is_reported(rules: classes.Classes) -> None:
    found = by_class.load(COUNTS, SYMBOLS, rules, Bytes(8, 2, 5))
    other = next(one for one in found["classes"] if one["class"] == "other")
    assert {one["subclass"]: one["instructions"] for one in other["subclasses"]} == {
        classes.NO_RULE: 7,
        classes.NO_SYMBOL: 1,
    }
    functions = [f["function"] for sub in other["subclasses"] for f in sub["functions"]]
    assert sorted(functions) == ["(no symbol)", "__irq_svc", "atmel_interrupt", "unheard_of"]


def test_libraries_are_charged_to_callers_only_where_that_is_asked(rules: classes.Classes) -> None:
    charged = dict.fromkeys((one.start for one in FUNCTIONS), False)
    assert [one[2] for one in rules.ranges(FUNCTIONS, False)] == list(charged.values())
    charged[0x1300] = True
    assert {start: library for start, _, library in rules.ranges(FUNCTIONS, True)} == charged


def test_the_whole_is_the_sum_of_its_intervals(rules: classes.Classes) -> None:
    second = {"since": 1170, "until": 1175, "lines": [(None, 0x1000, 2, (5, 0, 0, 0, 0, 0, 0))]}
    found = by_class.load(by_class.added(COUNTS, second), SYMBOLS, rules, Bytes(8, 2, 5))
    assert (found["cycles"], found["instructions"]) == (175, 45)
    work = next(one for one in found["classes"] if one["class"] == "work")
    assert (work["instructions"], work["cycles"]) == (34, 79)


def test_an_interval_without_bytes_has_no_figures_per_byte(rules: classes.Classes) -> None:
    found = by_class.load(COUNTS, SYMBOLS, rules, Bytes(0, 0, 0))
    assert found["active"]["instructions_per_byte"] is None
    assert any("–" in line for line in by_class.lines(found))


def test_the_rules_of_the_study_have_the_papers_classes() -> None:
    found = classes.read_classes()
    expected = [
        ("char", "n_tty"),
        ("char", "driver"),
        ("idle", "loop"),
        None,
        ("kernel", "irq"),
        ("application", "gkermit"),
        ("application", "libc"),
        ("kernel", "other"),
    ]
    for one, of in zip(FUNCTIONS, expected, strict=True):
        assert of is None or found.of(one) == of, one
    assert found.is_library(FUNCTIONS[3])
    assert not any(found.is_library(one) for one in FUNCTIONS if one.name != "__memcpy")
    assert {name.partition("/")[0] for name in paper.LOAD} - {"active"} <= set(found.names)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("[[rule]", "is not TOML"),
        ('[[rule]]\nclass = "gone"\nsubclass = "a"\nfiles = ["x"]', "'gone'"),
        ('[[class]]\nname = "a"\n[[rule]]\nclass = "a"\nsubclass = "b"', "no pattern"),
        ('[[class]]\nname = "a"\n[[rule]]\nclass = "a"\nsubclass = "b"\nfiles = [3]', "files"),
        ('[[class]]\nname = "a"\n[[rule]]\nclass = "a"\nfiles = ["b"]', "no subclass"),
        ('[[class]]\nname = "a"\nidel = true', "'idel'"),
        ('[[class]]\nname = "other"', "'other'"),
        ('rule = "a"', "[[rule]]"),
        ("", "it has no class"),
        ('libraries = "a"', "no table"),
    ],
)
def test_a_wrong_rule_is_refused_in_one_sentence(tmp_path: Path, text: str, cause: str) -> None:
    assert cause in refusal(tmp_path, text).sentence


def test_budgets_count_the_papers_way_and_by_measured_cycles() -> None:
    measured = {
        "active": {"instructions_per_byte": 200.0, "cycles": 5_900},
        "entry_cycles": 60,
        "transfer_wait_cycles": 40,
        "bytes": {"wire": 10},
    }
    found = budget.budget(measured)
    ten = found["paper_way"]["clocks"][0]
    assert ten["mhz"] == 10
    assert ten["instructions_per_byte"] == pytest.approx(10e6 * 8 / 115_200 / 1.9)
    assert ten["occupation"] == pytest.approx(200 / ten["instructions_per_byte"])
    ours = found["measured"]
    assert (ours["frame_bits"], ours["cycles_per_instruction"]) == (10, 3.0)
    assert ours["needed_mhz"] == pytest.approx(6_000 / 10 * 11_520 / 1e6)
    assert ours["factor"] == pytest.approx(60.0)
    papers = found["paper_numbers"]
    assert round(papers["needed_mhz"]) == paper.STATED["needed_mhz"].value


def test_numbers_of_the_paper_that_do_not_follow_are_found() -> None:
    found = {(one.where, one.what): one for one in recomputed.not_following()}
    assert found["Table 4", "infrared: all, by Table 3"].recomputed == 557
    assert found["Table 4", "infrared: all of receive timeout"].recomputed == 44
    assert found["section 4.1", "serial: bytes, by Table 5"].recomputed == 1385 + 141
    assert found["section 3.2", "instructions per byte at 10 MHz"].recomputed == pytest.approx(
        365.5, abs=0.01
    )
    assert found["Table 1", "sum of kernel"].recomputed == pytest.approx(27.4)
    assert all(one.where != "Table 3" for one in found.values())
    assert ("Table 5", "serial: sum of bytes") not in found
    assert len(found) < len(recomputed.checks()) / 4


def test_the_verb_refuses_wrong_rules_before_it_measures(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('[[rule]]\nclass = "gone"\nsubclass = "a"\nfiles = ["x"]\n')
    out = tmp_path / "out"
    done = subprocess.run(
        [sys.executable, "-m", "cyclescope", "peripheral", "--classes", file, "--out", out],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode != 0
    assert "'gone'" in done.stderr and len(done.stderr.strip().split(". ")) == 1
    assert not list(out.glob("*"))
