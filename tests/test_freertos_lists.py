"""The calls that walk lists (docs/reference/freertos-lists.md) against their loops on the board."""

import re
import sys
from pathlib import Path

import pytest
from firmware_session import CASES

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benches"))

from lists.page import PAGE, page, uncounted  # noqa: E402
from lists.walks import LISTS, OTHERS, Walk, opened, parameter_counts, walks  # noqa: E402

SOME = (
    *("delay_until.blocks", "delay_until.behind_delayed", "queue_delete.full", "task_state.ready"),
    *("queue_delete.behind_free_blocks", "timer_start.behind_active", "timer_start.behind_delayed"),
)


def lists_of(*names: str) -> list[Walk]:
    with opened() as target:
        return list(walks(target, [case for case in target.cases() if case.name in names]))


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| `")]


def test_every_case_is_judged_on_the_page() -> None:
    judged = {match[1] for row in rows(PAGE.read_text()) if (match := re.match(r"\| `(\S+)`", row))}
    assert judged == set(CASES)


def test_every_loop_that_a_call_enters_has_a_known_bound() -> None:
    with opened() as target:
        found = list(walks(target, target.cases(), ()))
    assert {one for walk in found for one in walk.alone.loops} <= {*LISTS, *OTHERS}
    for walk in found:
        if what := parameter_counts(walk.case):
            assert any(map(walk.grows, LISTS)) or walk.case.name in STEADY, (walk.case.name, what)


STEADY = ("semaphore_give.wakes_lower", "queue_send.wakes_lower")
"""The first of those that wait is taken, however many there are: no list is walked."""


def test_rows_of_the_page_are_what_the_board_does() -> None:
    found = lists_of(*SOME)
    assert uncounted(found) == []
    assert set(rows(page(found))) <= set(rows(PAGE.read_text()))


def test_a_list_that_no_case_counts_is_found() -> None:
    found = lists_of("delay_until.blocks", "queue_delete.full")
    assert uncounted(found) == [
        "delay_until.blocks: delayed tasks, vListInsert",
        "queue_delete.full: free blocks, vPortFree",
    ]


@pytest.mark.matrix
def test_the_page_is_whole() -> None:
    found = lists_of(*CASES)
    assert uncounted(found) == []
    assert rows(page(found)) == rows(PAGE.read_text())
