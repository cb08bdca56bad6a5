"""Random calls of library functions, judged on the board: programs to which no law was fitted."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "benches" / "random_calls"))

import blocks_and_strings
import formats
import mathematics
import numbers_and_more
import streams
from judged import judged
from snippets import SNIPPETS, drawn

from cyclescope.firmware.configuration import Configuration

CONFIGURATION = Configuration("lpc2148-lab", "bare", {"code": "lab", "isa": "arm"})
SEED = 2026
MODULES = (blocks_and_strings, formats, mathematics, numbers_and_more, streams)
SUBJECTS = {one.name: one for module in MODULES for one in module.subjects()}
NEAR = 0.08


@pytest.mark.parametrize(
    "name",
    [
        *("strrchr", "strncpy", "strcat", "strtoul", "qsort", "strftime", "mktime", "structures"),
        *("float to long long", "int to double", "sprintf texts", "printf", "sscanf integers"),
        *("fgets", "putc", "fread", "sinf", "floor", "atan2"),
    ],
)
def test_random_calls_cost_what_the_board_spends(name: str, tmp_path: Path) -> None:
    program = drawn(SUBJECTS[name], SEED)
    assert len(program.snippets) == SNIPPETS
    found = judged(program, CONFIGURATION, "O2", streams.files(), tmp_path)
    assert not found.refused and found.same_output
    assert abs(found.error) < NEAR, [(one.what, one.error) for one in found.snippets]
    of_snippets = sum(one.true for one in found.snippets)
    assert of_snippets == found.true > 0
