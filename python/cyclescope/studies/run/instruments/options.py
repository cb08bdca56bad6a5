"""Options of `cyclescope run` for instruments, and the instruments that they ask for."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.firmware.architecture import of_board
from cyclescope.targets.virtual.board import Board

if TYPE_CHECKING:
    from cyclescope.studies.run.instruments.instrument import Attached
    from cyclescope.studies.run.linux.follower import Follower


@dataclass(frozen=True)
class InstrumentOptions(OptionGroup):
    """The counts of a run, and the symbols that name them."""

    profile: Annotated[
        bool, typer.Option("--profile", help="Cycles and instructions by function and source file.")
    ] = False
    accesses: Annotated[
        bool,
        typer.Option("--accesses", help="Accesses by memory, device, register and function."),
    ] = False
    transfers: Annotated[
        bool, typer.Option("--transfers", help="Transfers that devices make by themselves (DMA).")
    ] = False
    interrupts: Annotated[
        bool, typer.Option("--interrupts", help="Interrupts by source, with their latencies.")
    ] = False
    follow: Annotated[
        list[str] | None,
        typer.Option(
            "--follow",
            metavar="DEVICE[.REGISTER]",
            help="Copies of each byte that is read from a register, or that a device's transfers "
            "hand over; repeatable.",
        ),
    ] = None
    symbols: Annotated[
        list[str] | None,
        typer.Option(
            "--symbols",
            metavar="FILE[@ADDRESS]",
            help="ELF file whose functions name code besides those of --image, at the address "
            "where its code is loaded; repeatable.",
        ),
    ] = None
    charge_callers: Annotated[
        bool,
        typer.Option(
            "--charge-callers", help="Charge functions of libraries to the functions calling them."
        ),
    ] = False
    charge_also: Annotated[
        list[str] | None,
        typer.Option(
            "--charge-also",
            metavar="PATTERN",
            help="Functions, or source files, that --charge-callers takes for a library, too; "
            "repeatable.",
        ),
    ] = None

    def refuse_of_bench(self) -> None:
        """Refuses every option: instruments are of one board."""
        if self != InstrumentOptions():
            raise WrongUsage(
                "--profile, --accesses, --transfers, --interrupts and --follow are of one board: "
                "run it without --bench, or attach instruments from Python",
                code="instruments-of-bench",
            )

    @property
    def patterns(self) -> list[str] | None:
        """Patterns of libraries, beside the known ones; None if callers are not charged."""
        return (self.charge_also or []) if self.charge_callers else None

    def check(self, every: bool) -> None:
        """Refuses an option that another one would have to make use of."""
        if self.charge_also and not self.charge_callers:
            raise CyclescopeError(
                "--charge-also adds to the libraries of --charge-callers: give both, or neither",
                code="charge-also-without-charge-callers",
            )
        named = self.profile or self.accesses or (self.follow and not self.charge_callers)
        if (self.symbols or self.charge_callers) and not (every or named):
            raise CyclescopeError(
                "--symbols and --charge-callers serve --profile and --accesses: give one of these",
                code="symbols-without-profile",
            )

    def made(
        self,
        board: Board,
        image: Path | None,
        every: bool = False,
        follower: "Follower | None" = None,
    ) -> "list[Attached]":
        """The instruments asked for, attached; with `every` the others, too, which are detached.

        Symbols are those of the images, or of what a `follower` finds in memory.
        """
        self.check(every)
        asked = (self.profile, self.accesses, self.transfers, self.interrupts, self.follow)
        if not every and not any(asked):
            return []
        # Only who counts loads what reads ELF files.
        from cyclescope.studies.run.instruments import symbols
        from cyclescope.studies.run.instruments.accesses import Accesses
        from cyclescope.studies.run.instruments.follow import Follow
        from cyclescope.studies.run.instruments.interrupts import Interrupts
        from cyclescope.studies.run.instruments.profile import Profile
        from cyclescope.studies.run.instruments.transfers import Transfers

        kinds: tuple[type[Attached], ...] = (Profile, Accesses, Transfers, Interrupts, Follow)
        wanted = {kind.key for kind, one in zip(kinds, asked, strict=True) if one}
        given = [symbols.placed(text) for text in self.symbols or []]
        images = [*([(image, None)] if image else []), *given]

        @cache
        def named() -> symbols.Symbols:
            libraries = self.charge_also or []
            return symbols.read(images, self.charge_callers, libraries, of_board(board))

        read = named if follower is None else follower.symbols
        by_symbols = [
            *(Profile(board, read), Accesses(board, read)),
            *([Follow(board, read, self.follow)] if self.follow else []),
        ]
        instruments = [*by_symbols, Transfers(board), Interrupts(board)]
        if follower is not None:
            follower.changed += [one.divide for one in by_symbols]
        for instrument in instruments:
            if instrument.key in wanted:
                instrument.attach()
        return [one for one in instruments if every or one.is_attached]
