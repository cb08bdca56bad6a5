"""`cyclescope proposals`: what better interaction of a peripheral and its processor saves."""

from pathlib import Path

from cyclescope.cli.options import Destination, Shown
from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import selecting
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.boards import Value
from cyclescope.studies.proposals.options import ProposalOptions
from cyclescope.target.target import Selection

BOARD = "at91x40"
MEMORY: dict[str, Value] = {"code": "internal", "romwaits": 3, "ramwaits": 1}
"""Settings of the board that are options, and their usual values."""
RESULTS = Path("results/proposals")


def command(
    selection: Selection, options: ProposalOptions, destination: Destination, shown: Shown
) -> None:
    """Measure what better interaction of a peripheral and its processor saves.

    A file goes to FreeRTOS on a virtual AT91x40, over USART 1. Images differ by one setting each:
    layers between driver and reader, support by the processor, and work of the peripheral. Two
    stations with IrDA do the same. Under Linux, `peripheral --receive-buffer --time-out` has both.
    """
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.proposals.ablation import chosen
    from cyclescope.studies.proposals.campaign import collect
    from cyclescope.studies.proposals.results import begin
    from cyclescope.studies.proposals.setting import FileSetting

    if selection.board != BOARD:
        raise CyclescopeError(
            f"the images are made for the {BOARD} alone: leave --board out",
            code="board-without-proposals",
        )
    memory = MEMORY | dict(selection.settings)
    file = FileSetting(
        size=options.file_bytes,
        body=options.body,
        code=str(memory["code"]),
        rom_waits=int(memory["romwaits"]),
        ram_waits=int(memory["ramwaits"]),
    )
    names = tuple(one.key for one in chosen(options.proposal))
    folder = destination.out or RESULTS
    with locked(folder):
        manifest = begin(folder, file, names, destination.replace, destination.resume)
        with progress(quiet=shown.json) as advance:
            collect(manifest, folder, advance)
        conclude(folder, shown)


command = selecting(
    command, {"board": BOARD, "code": "internal"}, of_image=("board",), of_board=tuple(MEMORY)
)
