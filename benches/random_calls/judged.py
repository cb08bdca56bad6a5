"""A drawn program, estimated by its blocks and run on the exact board: both, by snippet."""

import re
import subprocess
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from snippets import DrawnProgram

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.application import Application, BuiltApplication
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.program import Program
from cyclescope.studies.estimate.counting import CountedProgram, Inputs
from cyclescope.studies.estimate.estimating import counted
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.ways import PricedPlace, PricedWay
from cyclescope.targets.virtual.application import ApplicationBoard

SNIPPET = re.compile(r"snippet_(\d+)")
CALL = re.compile(r"^\s*([0-9a-f]+):\s+[0-9a-f ]+\tb[lx]?\w*\t[0-9a-f]+ <([^>+]+)>")
MAIN = -1
"""The number of all that is in no snippet."""


@dataclass(frozen=True)
class JudgedSnippet:
    """A condition: cycles of the snippet, true and estimated; `true_of_calls` are in calls."""

    what: str
    true: int
    estimated: float
    true_of_calls: int

    @property
    def error(self) -> float:
        return self.estimated / self.true - 1 if self.true else 0.0


@dataclass(frozen=True)
class JudgedProgram:
    """A program: its whole error, and its snippets; or the sentence that refused it."""

    name: str
    family: str
    snippets: tuple[JudgedSnippet, ...] = ()
    unpriced: tuple[str, ...] = ()
    """Calls without a law of their condition."""
    calls: int = 0
    same_output: bool = True
    refused: str = ""

    @property
    def true(self) -> int:
        return sum(one.true for one in self.snippets)

    @property
    def error(self) -> float:
        estimated = sum(one.estimated for one in self.snippets)
        return estimated / self.true - 1 if self.true else 0.0

    @property
    def share_of_calls(self) -> float:
        return sum(one.true_of_calls for one in self.snippets) / self.true if self.true else 0.0


def judged(
    program: DrawnProgram,
    configuration: Configuration,
    level: str,
    files: Mapping[str, bytes],
    folder: Path,
) -> JudgedProgram:
    """Writes the program, counts it here, estimates it, and runs it on the board."""
    name, family = program.subject.name, program.subject.family
    source = folder / "app.c"
    source.write_text(program.text)
    place = PricedPlace(Application((source,), level), configuration)
    try:
        run = counted(place, Inputs((), files))
        priced = place.by(PricingWay.BLOCKS, run, ())
        true, of_calls, printed = _true(place.built, files)
    except (CyclescopeError, subprocess.CalledProcessError) as error:
        return JudgedProgram(name, family, refused=str(getattr(error, "sentence", error))[:300])
    own, in_calls = _estimated(priced, run, program)
    snippets = tuple(
        JudgedSnippet(
            one.what,
            true[at],
            own[at] + in_calls[at],
            of_calls[at],
        )
        for at, one in enumerate(program.snippets)
    )
    assert priced.estimate is not None
    lacking = [f"{one.callee}: {one.fallback}" for one in priced.estimate.unpriced]
    lacking += [one for one in priced.doubts if "cost nothing" in one]
    calls = sum(one.times for one in priced.estimate.calls)
    same = printed == run.run.output + run.run.errors
    return JudgedProgram(name, family, snippets, tuple(lacking), calls, same)


def _ranges(program: DrawnProgram) -> list[int]:
    """The line at which each snippet ends, in the order of the file."""
    lines = program.text.split("\n")
    begins = [at for at, line in enumerate(lines, 1) if "void snippet_" in line]
    return [
        next(at for at, line in enumerate(lines, 1) if at > one and line == "}") for one in begins
    ]


def _estimated(
    priced: PricedWay, run: CountedProgram, program: DrawnProgram
) -> tuple[Counter[int], Counter[int]]:
    """Cycles of own code and of calls, by snippet. Comparisons stand in front of their snippet."""
    ends = _ranges(program)

    def of(line: int) -> int:
        at = bisect_right(ends, line - 1)
        return at if at < len(ends) else MAIN

    assert priced.estimate is not None
    lines = {one.id: one.line for one in run.counts.calls}
    own, calls = Counter[int](), Counter[int]()
    for part in priced.estimate.own:
        own[of(part.line)] += part.cycles  # type: ignore[assignment]
    for call in priced.estimate.calls:
        calls[of(lines[call.call])] += call.cycles  # type: ignore[assignment]
    return own, calls


def _true(
    built: BuiltApplication, files: Mapping[str, bytes]
) -> tuple[Counter[int], Counter[int], bytes]:
    """Cycles by snippet, and those of them that calls of the library take."""
    functions = Program(built.image.elf.read_bytes()).functions
    snippets = {
        one.address: int(found[1])
        for one in functions
        if (found := SNIPPET.match(one.name)) or (found := re.match(r"(?:by|leap)(\d+)", one.name))
    }
    own = {one.address: one for one in functions}
    sites, pieces, of, library = _sites(built), [], dict[int, int](), set[int]()
    compiler = [(start, end) for start, end, owner in built.owners if owner == "compiler"]

    def is_of_compiler(target: int) -> bool:
        return any(start <= target < end for start, end in compiler)

    for start, end, owner in built.owners:
        if owner != "program":
            pieces.append((start, end, True))
            continue
        inside = sorted(at for at in own if start <= at < end) or [start]
        for at, behind in zip(inside, [*inside[1:], end], strict=True):
            number = snippets.get(at, MAIN)
            begin = at
            for site in (*sorted(one for one in sites if at <= one < behind - 4), behind - 4):
                of[begin] = number
                if site in sites and not is_of_compiler(sites[site]):
                    library.add(begin)
                pieces.append((begin, site + 4, False))
                begin = site + 4
    on = ApplicationBoard(built, ("app",), files)
    histogram = on.board.attach_histogram(pieces)
    on.finish()
    true, calls = Counter[int](), Counter[int]()
    starts = sorted(of)
    for charged, address, _, costs in on.board.counted(histogram)["lines"]:
        at = starts[bisect_right(starts, address if charged is None else charged) - 1]
        true[of[at]] += sum(costs)
        if charged is not None and at in library:
            calls[of[at]] += sum(costs)
    _, printed, _ = on.leave()
    return true, calls, printed


def _sites(built: BuiltApplication) -> dict[int, int]:
    """The targets of branches that name a function, by the address of the branch."""
    command = ["arm-none-eabi-objdump", "-d", str(built.image.elf)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    symbols = Program(built.image.elf.read_bytes()).symbols
    found = (CALL.match(line) for line in text.splitlines())
    return {int(one[1], 16): symbols.get(one[2], 0) & ~1 for one in found if one}
