"""Observation of a virtual board: signals beside instructions and accesses."""

from refusals import refused

from cyclescope.targets.virtual.board import make_board


def test_watched_outputs_tell_their_changes_and_no_others() -> None:
    board = make_board("lpc2148")
    board.reset()
    board.watch(signals=["gpio.p0.3"])
    # An input pin shows the level that the world drives it with.
    board.drive("gpio.in0.3", 1, 100)
    board.drive("gpio.in0.4", 1, 150)
    board.drive("gpio.in0.3", 0, 200)
    board.run(cycles=300)
    assert board.take_changes() == [(100, "gpio.p0.3", 1), (200, "gpio.p0.3", 0)]
    assert board.take_changes() == []
    assert (board.level("gpio.p0.3"), board.level("gpio.p0.4")) == (0, 1)


def test_an_unknown_output_is_answered_with_those_there_are() -> None:
    board = make_board("lpc2148")
    for ask in (board.level, lambda name: board.watch(signals=[name])):
        with refused("cyclescope-error", naming=["gpio.p0.99", "gpio.p0.3,"]):
            ask("gpio.p0.99")
