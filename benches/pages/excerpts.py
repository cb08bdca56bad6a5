"""Outputs of commands as the pages show them, and the times of a fragment's blocks."""

import math
import re
from collections.abc import Iterable

from pages.runs import PageError, answer, campaign, made_folder, run, today
from pages.values import number

FRAGMENTS = "../../examples/blocks"
ENDS = ("  ", "failed: ", "gate ")
"""Beginnings of the line behind a part of an output."""

BESIDE = 3
"""Blocks that stand beside each other in a row."""


def block(lines: Iterable[str]) -> str:
    """Lines as they stand in a terminal, indented as Markdown wants it."""
    return "\n" + "\n".join(f"    {line}".rstrip() for line in lines) + "\n"


def rows(table: list[str], names: Iterable[str]) -> dict[str, list[str]]:
    """The lines of each case of a table; a case's name begins the first of them."""
    found: dict[str, list[str]] = {}
    known, lines = set(names), []
    for line in table:
        name = line.partition("  ")[0]
        if name in known:
            lines = found.setdefault(name, [])
        lines.append(line)
    return found


def summary(name: str) -> str:
    """The output of `show` for a campaign, at most 40 lines."""
    campaign(name)
    return block(run(f"show {name}").said.splitlines())


def excerpt(name: str, *cases: str, law: str) -> str:
    """The head of a campaign's table, some of its cases and one of its laws."""
    names = [one["name"] for one in campaign(name)["cases"]]
    lines = [line.rstrip() for line in run(f"show {name} --full").said.splitlines()]
    ruled = next(place for place, line in enumerate(lines) if line.startswith("─"))
    ended = next(place for place in range(ruled, len(lines)) if not lines[place])
    by_case = rows(lines[ruled + 1 : ended], names)
    laws = [line for line in lines[ended:] if line.startswith("  ")]
    begun = [place for place, line in enumerate(laws) if line.startswith(f"  {law}: ")]
    missing = [one for one in cases if one not in by_case]
    if missing or not begun:
        raise PageError(f"the table of {name} lacks {', '.join(missing) or f'a law of {law}'}")
    others = (p for p, line in enumerate(laws) if p > begun[0] and re.match(r"  [\w.]+: ", line))
    chosen = lines[: ruled + 1] + [line for one in cases for line in by_case[one]]
    chosen += [f"… ({len(names)} cases), and their laws:", ""]
    return block(chosen + laws[begun[0] : next(others, len(laws))])


def shown(
    command: str,
    folders: tuple[str, ...],
    cases: tuple[str, ...] = (),
    parts: tuple[str, ...] = (),
) -> str:
    """The head of a table of cases, some of them, and the parts of the rest that begin so.

    A part ends before an empty line, a note, which is indented, and the next verdict of a gate.
    """
    for folder in folders:
        made_folder(folder)
    lines = [line.rstrip() for line in run(f"{command} --full").said.splitlines()]
    ruled = next(place for place, line in enumerate(lines) if line.startswith("─"))
    ended = next(place for place in range(ruled, len(lines)) if not lines[place])
    names = [one["name"] for one in campaign(folders[0])["cases"]]
    by_case = rows(lines[ruled + 1 : ended], names)
    missing = [one for one in cases if one not in by_case]
    if missing:
        raise PageError(f"cyclescope {command} has no {', '.join(missing)}")
    chosen = lines[: ruled + 1] + [line for one in cases for line in by_case[one]]
    chosen += [f"… ({len(by_case)} cases)"] if cases else []
    for part in parts:
        chosen += ["", *_part(lines[ended:], part, command)]
    return block(chosen)


def _part(lines: list[str], begin: str, command: str) -> list[str]:
    begun = [place for place, line in enumerate(lines) if line.startswith(begin)]
    if not begun:
        raise PageError(f"cyclescope {command} has no line that begins with “{begin}”")
    behind = lines[begun[0] + 1 :]
    ends = (at for at, line in enumerate(behind) if not line or line.startswith(ENDS))
    return [lines[begun[0]], *behind[: next(ends, len(behind))]]


def blocks(file: str, where: str) -> str:
    """Times of the blocks of an example's fragment, beside what the board saw."""
    found = answer(f"time {FRAGMENTS}/{file} {where} --blocks --replace --out blocks")
    cells = [
        f"{one['of']} | {number(one['cycles'])} ± {number(one['half_width_95_cycles'])} | "
        + ("" if one["truth_cycles"] is None else number(one["truth_cycles"]))
        for one in found["blocks"]["times"]
    ]
    high = math.ceil(len(cells) / BESIDE)
    cells += [" |  | "] * (high * BESIDE - len(cells))
    heads = " | ".join(["block | T ± 95 % | truth"] * BESIDE)
    text = [f"| {heads} |", "|---|--:|--:" * BESIDE + "|"]
    text += [f"| {' | '.join(cells[at::high])} |" for at in range(high)]
    image = found["conditions"]["image_sha256"][:16]
    said = " ".join(found["blocks"]["sentences"][:3])
    return "\n".join([*text, "", f"{said} Made by `make pages` on {today()}; image `{image}…`."])
