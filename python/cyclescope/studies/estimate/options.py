"""Options of `cyclescope estimate`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.cli.options import Define, Include
from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.studies.estimate.pricing_way import PricingWay

if TYPE_CHECKING:  # help needs no builds and no arrays
    from cyclescope.firmware.application import Application
    from cyclescope.studies.estimate.counting import Inputs

Sources = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE.c… [-- ARGUMENT…]", help="The program's files; its arguments behind --."
    ),
]
OutOfEstimate = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Folder for estimate.json and report.html."),
]


def _pairs(given: list[str] | None, option: str, both: bool) -> dict[str, str]:
    """`A=B` by A; without `=` the same twice, unless both must be there."""
    found = {}
    for one in given or []:
        first, equals, second = one.partition("=")
        if not first or (equals and not second) or (both and not equals):
            raise WrongUsage(
                f"{option} {one} is no pair: give it as {option} A=B", code="option-is-no-pair"
            )
        found[first] = second or first
    return found


@dataclass(frozen=True)
class CompiledOptions(OptionGroup):
    """How the program is compiled, and what it finds when it runs."""

    level: Annotated[
        str, typer.Option("--level", help="Optimisation of the program: O0, O1, O2, O3, Os or Og.")
    ] = "O2"
    include: Include = None
    define: Define = None
    flag: Annotated[
        list[str] | None,
        typer.Option("--flag", metavar="OPTION", help="An option of the compiler; repeatable."),
    ] = None
    argument: Annotated[
        list[str] | None,
        typer.Option("--argument", help="An argument of the program, like one behind --."),
    ] = None
    input: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="FILE[=PATH]",
            help="A file that the program finds, at PATH if given; repeatable. Default: the files "
            "of this folder that it opens.",
        ),
    ] = None
    host_source: Annotated[
        list[str] | None,
        typer.Option(
            "--host-source",
            metavar="FILE.c=OTHER.c",
            help="Run OTHER.c in place of a file that cannot run on this machine; repeatable.",
        ),
    ] = None
    limit: Annotated[
        float,
        typer.Option(
            "--limit",
            metavar="SECONDS",
            min=0.001,
            help="How long the program may run on this machine before it is stopped, and the line "
            "named where it was.",
        ),
    ] = 600

    def asked(self, sources: list[Path]) -> "tuple[Application, Inputs, Mapping[Path, Path]]":
        """The program, what it finds, and the files that run here in place of others."""
        return self._application(sources), self._inputs(), self._replaced()

    def _application(self, sources: list[Path]) -> "Application":
        """The program, to be built."""
        from cyclescope.firmware.application import Application

        return Application(
            tuple(sources),
            self.level,
            includes=tuple(self.include or ()),
            defines=tuple(self.define or ()),
            options=tuple(self.flag or ()),
        )

    def _inputs(self) -> "Inputs":
        """Arguments and files. Refuses a file that is not there."""
        from cyclescope.studies.estimate.counting import Inputs

        given = _pairs(self.input, "--input", both=False)
        for name in given:
            if not Path(name).is_file():
                raise CyclescopeError(
                    f"there is no input {name}: check the path", code="no-such-input"
                )
        files = {path: Path(name).read_bytes() for name, path in given.items()}
        return Inputs(tuple(self.argument or ()), files, None if given else Path())

    def _replaced(self) -> Mapping[Path, Path]:
        """Files that run here in place of others."""
        pairs = _pairs(self.host_source, "--host-source", both=True)
        for name in pairs.values():
            if not Path(name).is_file():
                raise CyclescopeError(
                    f"there is no file {name}: check the path", code="no-such-source"
                )
        return {Path(one): Path(other) for one, other in pairs.items()}


@dataclass(frozen=True)
class PriceOptions(OptionGroup):
    """How the counts are priced, and for what."""

    way: Annotated[
        list[PricingWay] | None,
        typer.Option(
            "--way",
            metavar="WAY",
            help="blocks: of the target's image; source: without a compiler for it; run: the "
            "exact board. Repeatable. Default: blocks and, where it has coefficients, source.",
        ),
    ] = None
    laws: Annotated[
        list[Path] | None,
        typer.Option(
            "--laws", metavar="DIR", help="Results of characterize, for calls; repeatable."
        ),
    ] = None
    without_calls: Annotated[
        bool, typer.Option("--without-calls", help="Price the program's own code alone.")
    ] = False
    energy: Annotated[
        bool, typer.Option("--energy", help="Estimate the energy too; that of a run is metered.")
    ] = False
    what_if: Annotated[
        list[str] | None,
        typer.Option(
            "--what-if",
            metavar="'KEY=VALUE …'",
            help="Price the same counts with other settings, such as 'isa=thumb clock=12', "
            "level=O0 or option:NAME=VALUE; repeatable.",
        ),
    ] = None

    def asked(self) -> tuple[bool, bool, Sequence[str]]:
        """Whether calls are left out, whether there is energy, and the other settings."""
        return self.without_calls, self.energy, self.what_if or ()


@dataclass(frozen=True)
class WhereOptions(OptionGroup):
    """The tree and the lines."""

    tree: Annotated[bool, typer.Option("--tree", help="Show functions by chains of calls.")] = False
    lines: Annotated[bool, typer.Option("--lines", help="Show the source with cycles.")] = False
