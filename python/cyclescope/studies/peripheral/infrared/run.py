"""An infrared transfer between two boards, run once."""

from collections.abc import Sequence

import numpy as np

from cyclescope.studies.peripheral.board_side import LINE
from cyclescope.studies.peripheral.infrared import held_reset, stations
from cyclescope.studies.peripheral.line_run import LineRun
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.two_boards import OWN, PEER, TwoBoards
from cyclescope.studies.peripheral.wire_bytes import WireBytes
from cyclescope.targets.virtual.board import Bench, Board
from cyclescope.targets.virtual.infrared import Infrared

FASTEST_BAUD = 115_200
DELAY_CYCLES = 0
"""Light takes no time over a metre."""


def require(setting: TransferSetting) -> None:
    """Raises CyclescopeError if the boards' system or the station cannot be had."""
    stations.system(setting)


def run(setting: TransferSetting, *, swapped: bool = False) -> LineRun:
    """Runs a transfer between two boards. `swapped` puts the peer first on the bench, which
    changes no result."""

    def join(boards: Sequence[tuple[str, Board]]) -> Bench:
        medium = Infrared(
            lines=[f"{OWN}.{LINE}", f"{PEER}.{LINE}"],
            delay_cycles=DELAY_CYCLES,
            echo=True,
            bit_error_rate=setting.errors,
            seed=setting.error_seed,
            directions=[],
        )
        return Bench(boards, [], FASTEST_BAUD, infrared=[medium])

    own, peer = stations.system(setting), stations.peer_system(setting)
    ends = stations.started(own), stations.started(peer)
    held_reset.hold(ends[1].board, setting.offset)
    two = TwoBoards(*ends, join, swapped)
    two.run()
    wire = two.wire(DELAY_CYCLES)
    said, peer_said = (one.said() for one in two.ends)
    return LineRun(
        board=two.own.board,
        system=own,
        wire=wire,
        console=bytes(two.own.console),
        said=said,
        ready_cycle=two.ready_cycle,
        frame_cycles=character_cycles(wire),
        peer_status=peer_said.status,
        arrived=setting.file() if peer_said.sha256 == setting.sha256 else None,
        heard=two.heard(),
        peer_system=peer.settings,
    )


def character_cycles(wire: WireBytes) -> int:
    """Cycles of a character at the fastest speed of the transfer: the least between two ends."""
    steps = [np.diff(wire.cycles[wire.to_board == way]) for way in (True, False)]
    found = np.concatenate(steps)
    return int(found[found > 0].min()) if len(found) else 0
