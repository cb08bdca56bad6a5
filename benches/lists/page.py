"""docs/reference/freertos-lists.md: which cases walk lists, which do not, and how that is known."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from lists.walks import BYSTANDERS, FEW, MANY, OTHERS, Walk, parameter_counts

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "freertos-lists.md"

HEAD = f"""# FreeRTOS: which calls walk a list

For authors of cases, and for engineers with many objects: which calls take longer as lists grow.
Written by `make lists` (benches/lists). Every case is called at its first x on the virtual board,
alone and among bystanders. Bystanders are objects beside those that the case makes, one kind at a
time. They are {FEW} and {MANY} {", ".join(BYSTANDERS)}.
The profiler counts how often the instructions of each loop execute inside the
call. A case walks a list if it enters a loop over one. Where the number of bystanders changes the
iterations, they say over what. A case makes the tasks that wait at its own object:
its x has their number.

Code: `benches/lists/`, `firmware/kernels/freertos/cases/`.
"""

WALKING = f"""
## They walk a list

*x*: the case's own parameter counts what is walked over, and the iterations grow with it. Else the
case has a fixed number of it, and the case that is named has the number for x. The iterations are
those at the least x; in brackets those among {FEW} and {MANY} bystanders, if they change them, and
those at the greatest x.

| case | walks over | loop, iterations | x |
| --- | --- | --- | --- |
"""

NOT_WALKING = f"""
## They walk none

Judged so because no loop over a list is entered, and no iteration of any loop changes between
{FEW} and {MANY} bystanders of any kind. The loops that are entered have other bounds, named here.

| case | instructions | loops, iterations | remarks |
| --- | --: | --- | --- |
"""


def counted(found: Iterable[Walk]) -> dict[tuple[str, str, str], str]:
    """The case whose x counts what a loop goes over: by function of the catalogue, what, loop."""
    cases: dict[tuple[str, str, str], str] = {}
    for walk in found:
        what = parameter_counts(walk.case)
        for loop, kinds in walk.walked().items():
            if what in kinds and walk.grows(loop):
                cases.setdefault((_function(walk), what, loop), walk.case.name)
    return cases


def uncounted(found: Sequence[Walk]) -> list[str]:
    """Lists that a call walks and that no case of its function counts."""
    cases = counted(found)
    return [
        f"{walk.case.name}: {what}, {loop}"
        for walk in found
        for loop, kinds in walk.walked().items()
        for what in sorted(kinds)
        if (_function(walk), what, loop) not in cases
    ]


def page(found: Sequence[Walk]) -> str:
    """The whole page."""
    cases = counted(found)
    walking = [_walking(walk, cases) for walk in found if walk.walked()]
    others = [_not_walking(walk) for walk in found if not walk.walked()]
    own = sum(parameter_counts(walk.case) is not None for walk in found)
    summary = (
        f"\n{len(walking)} of {len(found)} cases walk a list, and {own} have the length of a list "
        f"for x; {len(others)} walk none.\n"
    )
    return HEAD + summary + WALKING + "".join(walking) + NOT_WALKING + "".join(others)


def _function(walk: Walk) -> str:
    return walk.case.name.partition(".")[0]


def _walking(walk: Walk, cases: dict[tuple[str, str, str], str]) -> str:
    rows = []
    for loop, kinds in walk.walked().items():
        for what in sorted(kinds):
            own = what == parameter_counts(walk.case)
            x = "*x*" if own else f"`{cases[_function(walk), what, loop]}`"
            times = f"`{loop}` {walk.alone.loops.get(loop, 0)}{_evidence(walk, what, loop, own)}"
            rows.append(f"| `{walk.case.name}` | {what} | {times} | {x} |\n")
    return "".join(rows)


def _evidence(walk: Walk, what: str, loop: str, own: bool) -> str:
    """Iterations among few and many bystanders, and at the greatest x."""
    told = []
    looks = walk.among.get(what)
    if looks is not None and loop in walk.changed().get(what, []):
        told.append(" and ".join(str(look.loops.get(loop, 0)) for look in looks))
    if own and walk.longest is not None:
        told.append(f"x = {walk.case.values()[-1]}: {walk.longest.loops.get(loop, 0)}")
    return f" ({'; '.join(told)})" if told else ""


def _not_walking(walk: Walk) -> str:
    loops = ", ".join(
        f"`{function}` {times} ({OTHERS[function]})"
        for function, times in sorted(walk.alone.loops.items())
    )
    refused = [kind for kind, looks in walk.among.items() if looks is None]
    remark = f"cannot be among {', '.join(refused)}: it checks its cases" if refused else ""
    return f"| `{walk.case.name}` | {walk.alone.instructions} | {loops or 'none'} | {remark} |\n"
