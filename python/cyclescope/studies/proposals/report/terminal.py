"""Results of `cyclescope proposals` in a terminal."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.text import Text

from cyclescope.report.terminal import aligned, heading, print_within, sentences
from cyclescope.studies.proposals.ablation import Ablation
from cyclescope.studies.proposals.report import opening, rows
from cyclescope.studies.proposals.results import ProposalsManifest

SHORT = ("Image", "B/interaction", "instr/B", "cycles/B", "by base", "nJ/B")
MEANING = (
    "Exact for each image. Bytes are those of the line, both ways. Instructions and cycles are "
    "active ones: all but idle code and sleep. An interaction is a block of the PDC, or a byte "
    "that the core takes itself."
)


def show(found: ProposalsManifest, console: Console) -> None:
    """Prints every table of every comparison."""
    console.print(_head(found))
    for one in found.ablations:
        images = rows.documents(found, one)
        if not images:
            continue
        console.print(Text(f"\n{one.title}", style="bold"))
        console.print(one.asked)
        for headings, table in (
            (rows.LOAD, rows.load_rows(images)),
            (rows.ACCESSES, rows.access_rows(images)),
            (rows.ENERGY, rows.energy_rows(images)),
            (rows.LATENCY, rows.latency_rows(images)),
        ):
            console.print()
            for line in table:
                console.print(Text(line[0], style="bold"))
                console.print(
                    "  "
                    + "; ".join(
                        f"{name} {cell}" for name, cell in zip(headings[1:], line[1:], strict=True)
                    )
                )
        console.print(sentences(rows.declarations(images), "dim"))


def summarise(found: ProposalsManifest, console: Console) -> None:
    """Prints conditions, answer, and a table of each comparison, in at most 40 lines."""
    print_within([_head(found), *_tables(found), sentences([MEANING], "dim")], console)


def _head(found: ProposalsManifest) -> Group:
    errors = [Text(f"error: {one}", style="bold red") for one in rows.problems(found)]
    return Group(
        heading(rows.conditions(found)),
        *errors,
        Text(opening.answer(found), style="bold"),
        sentences(opening.points(found)),
    )


def _tables(found: ProposalsManifest) -> Iterator[RenderableType]:
    for one in found.ablations:
        if table := _table(found, one):
            yield table


def _table(found: ProposalsManifest, one: Ablation) -> Group | None:
    images = rows.documents(found, one)
    if not images:
        return None
    lines = [
        (*load[:5], energy[1])
        for load, energy in zip(rows.load_rows(images), rows.energy_rows(images), strict=True)
    ]
    return Group(aligned(SHORT, lines), sentences(rows.declarations(images), "dim"))
