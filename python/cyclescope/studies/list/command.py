"""`cyclescope list`: the boards, kernels, options of a kernel and cases there are."""

import tomllib
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from cyclescope.cli.output import Json, console, print_json
from cyclescope.cli.selection import selecting
from cyclescope.target.target import Selection

Entry = dict[str, Any]


class What(StrEnum):
    """Things that can be listed."""

    BOARDS = "boards"
    KERNELS = "kernels"
    OPTIONS = "options"
    CASES = "cases"


@selecting
def command(
    selection: Selection,
    what: Annotated[What, typer.Argument(help="The list to show.")],
    json: Json = False,
) -> None:
    """List the boards, the kernels, the options of a kernel, or its cases."""
    if what is What.BOARDS:
        entries = _boards()
    elif what is What.KERNELS:
        entries = _kernels()
    elif what is What.OPTIONS:
        entries = _options(selection.kernel)
    else:
        entries = _cases(selection)
    if json:
        print_json(entries)
    elif entries:
        console().print(_table(entries))


def _boards() -> list[Entry]:
    from cyclescope.firmware import boards

    return [{"board": name, **_described(name)} for name in boards.names()]


def _described(name: str) -> Entry:
    from cyclescope.firmware import boards

    content = tomllib.loads(boards.path_of(name).read_text())
    return {"description": content.get("description", "")}


def _kernels() -> list[Entry]:
    from cyclescope.firmware import boards

    folder = boards.FOLDER.parent / "firmware" / "kernels"
    return [{"kernel": path.name} for path in sorted(folder.glob("*/"))]


def _options(kernel: str) -> list[Entry]:
    from cyclescope.firmware import kernel_options

    return [
        {"option": one.name, "values": list(one.values), "what it does": one.sentence}
        for one in kernel_options.of(kernel)
    ]


def _cases(selection: Selection) -> list[Entry]:
    from cyclescope.targets import open_target

    with open_target(selection) as target:
        return [case.model_dump(mode="json") for case in target.cases()]


def _table(entries: list[Entry]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    shown = [key for key in entries[0] if key not in ("load", "switches", "library", "callee")]
    for number, name in enumerate(shown):
        table.add_column(name, overflow="fold", no_wrap=number == 0)
    for entry in entries:
        table.add_row(*(Text(_words(name, entry[name])) for name in shown))
    return table


def _words(name: str, value: Any) -> str:
    if name == "call":
        return str(value).partition("(")[0]
    if isinstance(value, dict):
        return f"{value['name']}: {', '.join(map(str, value['values']))} {value['unit']}"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)
