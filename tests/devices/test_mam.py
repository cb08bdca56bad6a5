"""Flash and its accelerator as the core feels them (docs/timing/mam_lpc2000.md).

An instruction at word i of a piece of code fetches word i + 2; the leap to it fetches words 0
and 1. So an instruction takes the cost of a fetch, plus that of its data and internal cycles.
"""

from itertools import pairwise

import pytest
from part import Part

PROGRAM = "mam.s"
OFF, PARTIAL, FULL = 0, 1, 2
MODES = (OFF, PARTIAL, FULL)
TIMES = range(1, 8)
SRAM_DATA = 0x4000_7000


def left(time: int, passed: int) -> int:
    """Returns the rest of a read of a line that began so many cycles ago; a fetch takes one."""
    return max(1, time - passed)


def durations(
    part: Part, mode: int, time: int, to: str, count: int, *, size: int = 4, data: int = SRAM_DATA
) -> list[int]:
    """Cycles of the leap to `to`, then of each of the instructions there but the last."""
    place = part.address(to)
    entry = place | (size == 2)
    watched = [part.address("leap"), *(place + size * i for i in range(count))]
    part.start("go", mode, time, entry, data, executed=watched)
    part.finish()
    begun = part.executed()
    assert part.order() == watched
    return [after - before for before, after in pairwise(begun)]


def turns(part: Part, mode: int, time: int, loop: str) -> list[int]:
    """Returns the cycles of each iteration of a loop but the last."""
    part.start("go", mode, time, part.address(loop), executed=[part.address(loop)])
    part.finish()
    begun = part.executed()
    assert len(begun) == 4
    return [after - before for before, after in pairwise(begun)]


def reads(part: Part, mode: int, time: int, code: str, count: int) -> list[int]:
    """Cycles of the data accesses of loads in SRAM, one after another from a line's start on."""
    data = part.address("table")
    # A load is its fetch, its data and an internal cycle; in SRAM the first takes 1.
    return [cycles - 2 for cycles in durations(part, mode, time, code, count + 1, data=data)[1:]]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("mode", (PARTIAL, FULL))
def test_straight_code_waits_for_its_first_line_and_for_what_the_read_ahead_has_left(
    part: Part, mode: int, time: int
) -> None:
    # Reading ahead begins when the first word of a line has come; three words later it is needed.
    ahead = [left(time, 3), 1, 1, 1]
    fetches = [time, 1, 1, 1] + 3 * ahead + ahead[:1]
    leap = 1 + fetches[0] + fetches[1]
    assert durations(part, mode, time, "straight", 16) == [leap, *fetches[2:]]


@pytest.mark.parametrize("time", TIMES)
def test_with_the_mam_off_every_fetch_takes_a_read(part: Part, time: int) -> None:
    assert durations(part, OFF, time, "straight", 16) == [1 + 2 * time] + 15 * [time]
    assert durations(part, OFF, time, "thumb", 24, size=2) == [1 + 2 * time] + 23 * [time]


@pytest.mark.parametrize("mode", MODES)
def test_at_mamtim_1_flash_is_as_fast_as_sram(part: Part, mode: int) -> None:
    assert durations(part, mode, 1, "straight", 16) == [3] + 15 * [1]
    assert turns(part, mode, 1, "long") == 3 * [10]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("mode", (PARTIAL, FULL))
def test_straight_thumb_code_waits_for_its_first_line_only(
    part: Part, mode: int, time: int
) -> None:
    # A line lasts eight cycles, a read at most seven.
    assert durations(part, mode, time, "thumb", 24, size=2) == [1 + time + 1] + 23 * [1]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("mode", (PARTIAL, FULL))
def test_reading_ahead_goes_on_in_internal_cycles(part: Part, mode: int, time: int) -> None:
    # Each instruction is a fetch and an internal cycle. Before word 4 passed words 1, 2 and 3 and
    # two internal cycles; before words 8, 12 and 16 three words and four internal cycles.
    fetches = [left(time, 5) if word == 4 else left(time, 7) for word in (4, 8, 12, 16)]
    expected = [2, 2]
    for fetch in fetches:
        expected += [fetch + 1, 2, 2, 2]
    assert durations(part, mode, time, "shifts", 16)[1:] == expected[:15]


@pytest.mark.parametrize("time", TIMES)
def test_in_mode_2_a_fetch_behind_a_store_costs_what_a_sequential_one_does(
    part: Part, time: int
) -> None:
    # A store is a fetch and one cycle in SRAM. Before words 4 and 8 three words and that cycle
    # passed.
    ahead = left(time, 4)
    assert durations(part, FULL, time, "stores", 8)[1:] == [1, 2, ahead, 1, 2, 1, ahead]


@pytest.mark.parametrize("time", TIMES)
def test_in_mode_1_a_fetch_behind_a_store_takes_a_read_though_its_line_is_held(
    part: Part, time: int
) -> None:
    # Word 4 is in the line being read, word 7 in one that is held: both take a read. Meanwhile the
    # line of word 8 comes.
    assert durations(part, PARTIAL, time, "stores", 8)[1:] == [1, 2, time, 1, 2, time, 1]


@pytest.mark.parametrize("time", TIMES)
def test_a_branch_to_a_line_not_held_takes_a_read(part: Part, time: int) -> None:
    # The branch: the fetch behind it, the target, the word behind that.
    for mode in (PARTIAL, FULL):
        assert branch(part, mode, time, "leaves", "far") == 1 + time + 1
    assert branch(part, OFF, time, "leaves", "far") == 3 * time


@pytest.mark.parametrize("time", TIMES)
def test_a_branch_to_the_line_being_read_waits_for_what_is_left_in_mode_2_only(
    part: Part, time: int
) -> None:
    # Words 1 and 2 of the line left have passed. In mode 1 a fetch out of sequence takes a read.
    assert branch(part, FULL, time, "leaves_for_next", "next_line") == 1 + left(time, 2) + 1
    assert branch(part, PARTIAL, time, "leaves_for_next", "next_line") == 1 + time + 1


@pytest.mark.parametrize("time", TIMES)
def test_a_branch_to_the_last_word_of_a_line_waits_for_two_reads(part: Part, time: int) -> None:
    # The second is asked for when it has just begun.
    for mode in (PARTIAL, FULL):
        assert branch(part, mode, time, "leaves_for_end", "end_of_line") == 1 + time + time


def branch(part: Part, mode: int, time: int, origin: str, target: str) -> int:
    """Cycles of the branch at `origin`."""
    watched = [part.address(origin), part.address(target)]
    part.start("go", mode, time, watched[0], executed=watched)
    part.finish()
    begun, arrived = part.executed()
    return arrived - begun


@pytest.mark.parametrize("time", TIMES)
def test_a_loop_within_a_line_runs_without_a_wait_in_mode_2_only(part: Part, time: int) -> None:
    # Words 2, 3, 0, 1: in mode 1 the branch back, not sequential, takes a read.
    assert turns(part, FULL, time, "tight") == 3 * [4]
    assert turns(part, PARTIAL, time, "tight") == 3 * [3 + time]
    assert turns(part, OFF, time, "tight") == 3 * [4 * time]


@pytest.mark.parametrize("time", TIMES)
def test_branch_trail_and_prefetch_buffer_hold_a_loop_of_two_lines(part: Part, time: int) -> None:
    # Words 2 to 7, 0, 1. Only the first iteration waits, for the line of word 4.
    assert turns(part, FULL, time, "short") == [7 + left(time, 3), 8, 8]
    first = 6 + left(time, 3) + time
    assert turns(part, PARTIAL, time, "short") == [first, 7 + time, 7 + time]


@pytest.mark.parametrize("time", TIMES)
def test_in_a_loop_of_three_lines_two_are_read_in_every_turn(part: Part, time: int) -> None:
    # Words 2 to 9, 0, 1. The third line has driven the second out of the prefetch buffer. The lines
    # of words 4 and 8 are read ahead each time, and needed three words later.
    waits = 2 * left(time, 3)
    assert turns(part, FULL, time, "long") == 3 * [8 + waits]
    assert turns(part, PARTIAL, time, "long") == 3 * [7 + time + waits]
    assert turns(part, OFF, time, "long") == 3 * [10 * time]


@pytest.mark.parametrize("time", TIMES)
def test_in_mode_2_every_fourth_word_eighth_half_and_sixteenth_byte_is_read(
    part: Part, time: int
) -> None:
    def rows(accesses_per_line: int, count: int) -> list[int]:
        return [1 if i % accesses_per_line else time for i in range(count)]

    assert reads(part, FULL, time, "words", 12) == rows(4, 12)
    assert reads(part, FULL, time, "halves", 20) == rows(8, 20)
    assert reads(part, FULL, time, "bytes", 36) == rows(16, 36)


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("mode", (OFF, PARTIAL))
def test_in_modes_0_and_1_all_data_takes_a_read(part: Part, mode: int, time: int) -> None:
    assert reads(part, mode, time, "words", 12) == 12 * [time]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("mode", (PARTIAL, FULL))
def test_a_data_read_drops_what_was_read_ahead(part: Part, mode: int, time: int) -> None:
    # The load: word 2, the data, an internal cycle. Words 2 and 3, in the line of word 1, do not
    # begin to read ahead again. So word 4 waits for a whole read, and word 8 for the usual three.
    found = durations(part, mode, time, "mixed", 8, data=part.address("table"))
    assert found[1:] == [1 + time + 1, 1, time, 1, 1, 1, left(time, 3)]


@pytest.mark.parametrize("time", TIMES)
def test_a_data_read_of_the_line_held_leaves_reading_ahead_alone(part: Part, time: int) -> None:
    # Words 1, 2, the data, an internal cycle and word 3 pass while the line of word 4 is read.
    expected = [3, 1, left(time, 5), 1, 1, 1, left(time, 3)]
    assert primed(part, FULL, time) == expected
    # In mode 1 the data, held or not, takes a read, in which the line comes.
    assert primed(part, PARTIAL, time) == [1 + time + 1, 1, 1, 1, 1, 1, left(time, 3)]


def primed(part: Part, mode: int, time: int) -> list[int]:
    """Cycles of the instructions of `mixed` when its data is in the buffer."""
    place, data = part.address("mixed"), part.address("table")
    watched = [place + 4 * i for i in range(8)]
    part.start("go", mode, time, part.address("primed"), data, executed=watched)
    part.finish()
    return [after - before for before, after in pairwise(part.executed())]
