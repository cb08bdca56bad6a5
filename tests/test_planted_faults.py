"""The faults of benches/planted_faults: each can be planted."""

import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FAULTS = runpy.run_path(str(ROOT / "benches" / "planted_faults" / "__main__.py"))["FAULTS"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_what_a_fault_changes_stands_once_and_its_tests_exist(fault: Any) -> None:
    text = (ROOT / fault.path).read_text()
    assert text.count(fault.before) == 1
    for name in fault.tests:
        assert (ROOT / "tests" / name).is_file()


def test_there_are_more_than_twenty_of_each_their_own_name() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) > 20
