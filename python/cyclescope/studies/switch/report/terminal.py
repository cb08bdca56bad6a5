"""`cyclescope switch` in a terminal of 80 columns."""

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.report.provenance import flags, under
from cyclescope.report.terminal import heading
from cyclescope.studies.switch.report.tables import Table, rated, tables
from cyclescope.studies.switch.results import SwitchResults


def show(found: SwitchResults, console: Console) -> None:
    """Every table under the conditions of the fastest target."""
    first = rated(found)[0]
    console.print(heading([*under(first.conditions)[:4], *conditions(found)]))
    for one in tables(found):
        console.print()
        console.print(Text(one.title, style="bold"))
        console.print(_drawn(one))
        for note in one.notes:
            console.print(Text(note, style="dim"))


def conditions(found: SwitchResults) -> list[tuple[str, str]]:
    """Prints the common facts of all windows."""
    rig = found.rig
    rules = sorted({rule for target in found.targets for rule in target.unverified})
    own = found.work
    return [
        *([("tasks", f"{own.file}, SHA-256 {own.sha256[:16]}")] if own else []),
        ("kernels", ", ".join(dict.fromkeys(_kernel(found)))),
        ("window", f"{found.characters} characters{_rate(found)}; seed {found.seed}"),
        (
            "rig",
            f"{rig.bits}-bit ADC at {rig.rate_hz:,} Hz, {rig.full_scale_v:g} V and "
            f"{1000 * rig.full_scale_a:g} mA full scale, noise {rig.noise_lsb:g} LSB rms, offset "
            f"within {rig.offset_lsb:g} LSB, n = {rig.repeats} repeats, seed {rig.seed}",
        ),
        ("unverified", ", ".join(rules) or "none"),
    ]


def _rate(found: SwitchResults) -> str:
    """Of the transmission, as the board's file has it, if that is still there."""
    try:
        transmitter = boards.firmware_of(rated(found)[0].conditions.board).transmitter
    except CyclescopeError:
        return ""
    return f" at {transmitter.baud:,} baud" if transmitter else ""


def _kernel(found: SwitchResults) -> list[str]:
    """Each kernel, with the compiler's options that the first does without."""
    first = flags(rated(found)[0].conditions)
    named = []
    for one in found.targets:
        name = f"{one.conditions.kernel} {one.conditions.kernel_version}".replace(" none", "")
        more = [flag for flag in flags(one.conditions) if flag not in first]
        named.append(f"{name} (with {' '.join(more)})" if more else name)
    return named


def _drawn(one: Table) -> RichTable:
    table = RichTable(box=None, padding=(0, 1, 0, 0))
    for index, name in enumerate(one.headings):
        table.add_column(name, justify="right" if index else "left", no_wrap=True)
    for row in one.rows:
        table.add_row(*row)
    return table
