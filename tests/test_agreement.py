"""The comparison with recordings of real parts: what it counts, notices, skips and refuses."""

import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from cyclescope.studies.switch.cores.arm7tdmi.flash import Flash
from cyclescope.targets.virtual.board import FlashBench

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benches"))

from agreement import console, console_shifted, loops, variants  # noqa: E402
from agreement.program import compare_all  # noqa: E402

VECTORS = ROOT.parent / "shared" / "vectors"

recorded = pytest.mark.skipif(not VECTORS.exists(), reason="no recordings beside the repository")

TIGHT = [["c", 0x100, 1, 0], ["c", 0x104, 0, 1], ["x", 0, 0, 0]]
"""Two fetches of one line, and a cycle elsewhere: 3 cycles."""
LITERAL = [
    ["c", 0x100, 1, 0],
    ["c", 0x104, 0, 1],
    ["d", 0x200, 0, 0],
    ["d", 0x300, 0, 0],
    ["c", 0x110, 0, 1],
    ["c", 0x120, 0, 1],
]
"""1 + 1, two reads of data (3 each) that drop the next line, which waits (3), and the next (3)."""


def put(folder: Path, recordings: list[dict[str, Any]]) -> None:
    """Writes recordings of loops where a set of that name lies."""
    (folder / loops.NAME).mkdir(parents=True, exist_ok=True)
    (folder / loops.NAME / loops.FILE).write_bytes(gzip.compress(json.dumps(recordings).encode()))


def loop(name: str, events: list[list[Any]], cycles: float) -> dict[str, Any]:
    return {
        "name": name, "mamcr": 2, "mamtim": 3, "events": events, "measured_cycles": cycles,
    }  # fmt: skip


def test_loops_counted_by_hand_agree_and_one_spoilt_number_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, [loop("tight", TIGHT, 3.0), loop("literal", LITERAL, 14.01)])
    assert compare_all(tmp_path) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "lpc2148-flash: 2 of 2"
    put(tmp_path, [loop("tight", TIGHT, 3.0), loop("literal", LITERAL, 15.01)])
    assert compare_all(tmp_path) == 1
    said = capsys.readouterr().out
    assert "literal: 15.01 cycles on the part, 14 here (-1.01)" in said
    assert said.splitlines()[-1] == "lpc2148-flash: 1 of 2"


def test_absent_sets_are_skipped_and_unreadable_ones_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare_all(tmp_path) == 0
    assert "console: skipped" in capsys.readouterr().out
    put(tmp_path, [])
    path = tmp_path / loops.NAME / loops.FILE
    whole = path.read_bytes()
    for broken in (whole[:-5], b"", b"text", gzip.compress(b"{"), gzip.compress(b"[{}]"), whole):
        path.write_bytes(broken)
        assert compare_all(tmp_path) == 1
        assert str(path) in capsys.readouterr().err


@recorded
def test_the_engine_agrees_with_the_recordings_of_an_lpc2148() -> None:
    found = loops.compare(VECTORS / loops.NAME)
    assert found.equal_count >= 26 and len(found.cases) == 36
    assert found.mean_percent <= 0.11 and found.worst_percent < 0.705


@recorded
def test_the_board_agrees_with_the_recordings_of_a_console() -> None:
    found = console.groups(VECTORS / console.NAME)
    equal = [(one.text, one.agreement.equal_count, len(one.cases)) for one in found]
    assert equal == [("without prefetch", 438, 438), ("with prefetch", 292, 292), ("DMA", 120, 120)]
    assert console.moved(VECTORS / console.NAME)
    by_name = console.groups(VECTORS / console.NAME, "sequential")
    assert by_name[0].agreement.equal_count == 210


@recorded
def test_each_variant_of_the_consoles_rules_gives_its_counts() -> None:
    found = console_shifted.variants(VECTORS / console.NAME)
    adopted, *others = [[one.agreement.equal_count for one in groups] for groups in found.values()]
    assert adopted == [438, 292, 120]
    assert sum(equal != adopted for equal in others) >= 9


@recorded
def test_a_second_implementation_gives_the_boards_counts_wherever_code_lies() -> None:
    found = console_shifted.compare(VECTORS / console.NAME, [20])
    assert found.unequal == [] and len(found.cases) > 1000


@recorded
def test_the_adopted_variant_gives_the_cycles_of_the_engine() -> None:
    ours = loops.compare(VECTORS / loops.NAME)
    variant = loops.compare(VECTORS / loops.NAME, variants.maker(*variants.ADOPTED))
    assert variant.cases == ours.cases


@pytest.mark.parametrize("mamcr", (0, 1, 2))
@pytest.mark.parametrize("mamtim", (1, 2, 3, 4, 7))
def test_the_analytic_flash_gives_the_cycles_of_the_engine(mamcr: int, mamtim: int) -> None:
    chance = random.Random(f"{mamcr} {mamtim}")
    bench, flash = FlashBench(mamcr=mamcr, mamtim=mamtim), Flash(mamcr, mamtim)
    now, address = 0, 0x100
    for _ in range(5_000):
        kind = chance.choice("ssssnbdx")
        if kind == "x":
            spent = chance.randrange(1, 9)
            bench.wait(spent)
        elif kind == "d":
            place = 0x1000 + 4 * chance.randrange(24) if chance.random() < 0.9 else address
            spent = bench.read(place)
            assert flash.read(now, place) == spent
        else:
            address = 0x100 + 4 * chance.randrange(40) if kind == "b" else address + 4
            spent = bench.fetch(address, sequential=kind == "s", after_break=kind == "b")
            assert (
                flash.fetch(now, address, sequential=kind == "s", after_break=kind == "b") == spent
            )
        now += spent


def test_a_flash_without_such_settings_is_refused() -> None:
    for mamcr, mamtim in ((3, 3), (2, 0), (2, 8)):
        with pytest.raises(ValueError, match="MAMCR is 0 to 2"):
            FlashBench(mamcr=mamcr, mamtim=mamtim)
