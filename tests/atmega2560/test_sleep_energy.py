"""Energies of the sleep modes, by hand from the coefficients of the board file."""

from collections.abc import Callable

import pytest
from chip import Chip

WOKEN_CYCLES = 100_000
# By SM2:0: femtojoules of an idle cycle at 5 V (docs/explanation/energy.md), and what is clocked.
EVERYTHING, CONVERTER, NOTHING = None, {"device.ad"}, set[str]()
MODES = (
    (0, 1_687_500, EVERYTHING),
    (1, 150_000, CONVERTER),
    (2, 0, NOTHING),
    (3, 0, NOTHING),
    (6, 150_000, NOTHING),
    (7, 150_000, NOTHING),
)


@pytest.mark.parametrize(("mode", "idle_fj", "clocked"), MODES)
def test_a_sleep_takes_what_its_mode_does(
    chip: Callable[..., Chip], mode: int, idle_fj: int, clocked: set[str] | None
) -> None:
    spent = []
    for woken in (WOKEN_CYCLES, 2 * WOKEN_CYCLES):
        board = chip("sleeps.S", MODE=mode)
        board.board.meter()
        board.board.drive("ports.in_pd0", 1, at=woken)
        board.finish()
        names = board.board.energy_parts()
        parts = [0] * len(names)
        for _, (_, _, by_part) in board.board.spent():
            parts = [sum(pair) for pair in zip(parts, by_part, strict=True)]
        spent.append(dict(zip(names, parts, strict=True)))
    # All that differs is so many cycles asleep.
    more = {name: spent[1][name] - spent[0][name] for name in spent[0]}
    assert more["idle"] == WOKEN_CYCLES * idle_fj
    assert (more["active"], more["stall"]) == (0, 0)
    # 1 µA at 5 V, in cycles of 62.5 ns: 312.5 fJ, rounded once.
    assert more["quiescent"] == WOKEN_CYCLES * 313
    takes = {name for name, fj in more.items() if fj and name.startswith("device.")}
    expected = (
        {name for name in names if name.startswith("device.")} if clocked is None else clocked
    )
    assert takes == expected
