"""The serial line: Linux on the board, and Debian's G-Kermit on this machine at the other end."""

import tempfile
from pathlib import Path

from cyclescope.studies.peripheral import board_side, peer
from cyclescope.studies.peripheral.board_side import BOARD, LINE
from cyclescope.studies.peripheral.kermit.origins import KermitExchange, follow
from cyclescope.studies.peripheral.line_run import LineRun
from cyclescope.studies.peripheral.live import LiveLine
from cyclescope.studies.peripheral.noise import BitErrors
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.wire_bytes import WireBytes
from cyclescope.targets.virtual.board import make_board

system = board_side.system


def require(setting: TransferSetting) -> None:
    """Raises CyclescopeError if Linux is not built."""
    peer.find()


def decode(wire: WireBytes) -> KermitExchange:
    """The packets on the wire."""
    return follow(wire.sent(to_board=True), wire.sent(to_board=False))


def run(setting: TransferSetting) -> LineRun:
    """Runs a transfer with G-Kermit on both sides."""
    composed, host = system(setting), peer.find()
    board = make_board(BOARD)
    composed.load(board)
    line = LiveLine(board, BitErrors(setting.errors, setting.error_seed))
    line.boot()
    ready_cycle = board.cycle
    with tempfile.TemporaryDirectory() as place:
        program = host.start(setting, Path(place))
        try:
            line.exchange(program)
            status, is_exact = program.status, program.is_exact
        finally:
            program.close()
        arrived = Path(place) / peer.FILE
        content = arrived.read_bytes() if arrived.is_file() else None
    return LineRun(
        board=board,
        system=composed,
        wire=line.wire(),
        console=bytes(line.console),
        said=board_side.understand(line.console.decode(errors="replace")),
        ready_cycle=ready_cycle,
        frame_cycles=board.level(f"{LINE}.frame_cycles"),
        peer_status=status,
        arrived=content,
        is_exact=is_exact,
        kermit_sha256={
            "host": host.sha256,
            "board": peer.sha256(composed.programs["/bin/gkermit"]),
        },
    )
