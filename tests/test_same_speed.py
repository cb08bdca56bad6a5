"""The table of ratios, and the lines of the engine's benches that it is made from."""

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benches"))

from campaign.measure import Taken  # noqa: E402
from same_results.parts import Checkout  # noqa: E402
from same_speed import measures  # noqa: E402

program = importlib.import_module("same_speed.__main__")

HERE = Checkout("head", ROOT, ROOT)


def test_ratios_are_of_pairs_and_their_median_counts() -> None:
    pairs = [({"run, s": 1.0}, {"run, s": 1.1}), ({"run, s": 4.0}, {"run, s": 4.0})] * 2
    assert program.table(pairs) == [
        "| run, s | 2.500 (1.000 to 4.000) | 2.550 (1.100 to 4.000) | 1.050 (1.000 to 1.100) |"
    ]


def test_a_figure_that_one_side_lacks_has_no_ratio() -> None:
    assert program.table([({"old": 1.0}, {"new": 2.0})]) == [
        "| old | 1.000 (1.000 to 1.000) | – | – |",
        "| new | – | 2.000 (2.000 to 2.000) | – |",
    ]


def test_lines_of_the_engines_benches_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {
        "board_speed": "SRAM               plain  100.0, blocks  250.0 million instructions/s\n"
        "ARM, flash, MAM mode 0  plain   50.0, blocks  125.0 million instructions/s\n",
        "core_speed": "50 instructions, 9 cycles: 200.0 million instructions per second\n",
    }
    monkeypatch.setattr(measures, "_bench", lambda _, name: Taken(9.0, 2.5, 0.0, said[name]))
    assert measures.board(HERE) == {
        "SRAM, plain, ns/instruction": 10.0,
        "flash, MAM mode 0, plain, ns/instruction": 20.0,
        "SRAM, blocks, ns/instruction": 4.0,
        "flash, MAM mode 0, blocks, ns/instruction": 8.0,
    }
    assert measures.core(HERE) == {"core alone, ns/instruction": 5.0, "core_speed, CPU s": 2.5}


def test_the_benches_print_what_is_read() -> None:
    board, core = (
        (ROOT / "engine" / "benches" / f"{name}.rs").read_text()
        for name in ("board_speed", "core_speed")
    )
    assert " plain {plain:6.1}, blocks {blocks:6.1} million instructions/s" in board
    assert "million instructions per second" in core
