"""Random calls of library functions, estimated and true: whose law is wrong for which arguments?

usage: .venv/bin/python benches/random_calls [--seed N] [--only TEXT] [--family NAME]
       [--snippets] [--page]

Each program calls one function many times with random arguments. It is estimated by the blocks of
its image and run on the exact board. Laws are never fitted to these programs: they judge.
"""

import argparse
import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import blocks_and_strings
import formats
import mathematics
import numbers_and_more
import streams
from judged import JudgedProgram, judged
from snippets import Subject, drawn

from cyclescope.firmware.build import ROOT
from cyclescope.firmware.configuration import Configuration

PAGE = ROOT / "docs" / "explanation" / "parts-of-calls.md"
RESULTS = ROOT / "build" / "random-calls"
MARK, END = "<!-- random_calls -->", "<!-- end -->"
CONFIGURATION = Configuration("lpc2148-lab", "bare", {"code": "lab", "isa": "arm"})
LEVEL = "O2"


def subjects() -> list[Subject]:
    """All functions that are drawn."""
    modules = (blocks_and_strings, numbers_and_more, formats, streams, mathematics)
    return [one for module in modules for one in module.subjects()]


def made(name: str, seed: int) -> JudgedProgram:
    """The program of that function, judged."""
    subject = next(one for one in subjects() if one.name == name)
    with TemporaryDirectory() as folder:
        return judged(drawn(subject, seed), CONFIGURATION, LEVEL, streams.files(), Path(folder))


def shown(one: JudgedProgram, with_snippets: bool) -> str:
    """Lines for a terminal."""
    if one.refused:
        return f"{one.name:22} refused: {one.refused}"
    worst = max(one.snippets, key=lambda snippet: abs(snippet.error))
    text = (
        f"{one.name:22} {one.error:+8.1%} worst {worst.error:+8.1%} calls {one.share_of_calls:4.0%}"
        f" {one.true:9,} cycles {one.calls:6,} calls"
    )
    if not one.same_output:
        text += " OTHER OUTPUT"
    text += "".join(f"\n      ! {lacking}" for lacking in one.unpriced[:4])
    if with_snippets:
        text += "".join(
            f"\n    {snippet.error:+8.1%} {snippet.true:9,} {snippet.what!r}"
            for snippet in one.snippets
        )
    return text


def rows(found: Iterable[JudgedProgram], seed: int) -> str:
    """The table of the page: errors by family."""
    judged_ = [one for one in found if not one.refused]
    lines = [
        "| family | programs | mean | greatest | conditions | mean | 90th percentile | greatest |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    families = dict.fromkeys(one.family for one in judged_)
    for family in (*families, "all"):
        own = [one for one in judged_ if family in (one.family, "all")]
        errors = [abs(one.error) for one in own]
        each = sorted(abs(snippet.error) for one in own for snippet in one.snippets)
        worst = max(own, key=lambda one: abs(one.error))
        lines.append(
            f"| {family} | {len(own)} | {fmean(errors):.1%} | {worst.error:+.1%} `{worst.name}`"
            f" | {len(each)} | {fmean(each):.1%} | {each[int(0.9 * len(each))]:.1%} |"
            f" {each[-1]:.1%} |"
        )
    above = sorted(
        (one for one in judged_ if abs(one.error) > 0.08), key=lambda one: -abs(one.error)
    )
    named = [f"| `{one.name}` | {one.error:+.0%} |" for one in above]
    beyond = ["| beyond 8 % | error |", "|---|--:|", *named]
    return "\n".join([f"Seed {seed}.", "", *lines, "", *beyond])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="functions of these names, with commas")
    parser.add_argument("--family", help="this family alone")
    parser.add_argument("--every", type=int, default=1, help="each of so many functions alone")
    parser.add_argument("--jobs", type=int, default=2, help="so many processes")
    parser.add_argument("--snippets", action="store_true", help="show each condition")
    parser.add_argument("--source", action="store_true", help="print the programs, judge none")
    parser.add_argument("--page", action="store_true", help="write the table into the page")
    asked = parser.parse_args()
    names = asked.only.split(",") if asked.only else []
    chosen = [
        one
        for one in subjects()
        if (not names or one.name in names) and asked.family in (None, one.family)
    ]
    chosen = chosen[:: asked.every]
    if asked.source:
        for one in chosen:
            print(drawn(one, asked.seed).text)
        return
    found: list[JudgedProgram] = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        for one in pool.map(partial(made, seed=asked.seed), (one.name for one in chosen)):
            print(shown(one, asked.snippets), flush=True)
            found.append(one)
    print("\nby error:")
    for one in sorted(found, key=lambda one: -abs(one.error)):
        if abs(one.error) > 0.05 or one.refused:
            print(shown(one, False))
    print(rows(found, asked.seed))
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{asked.seed}.json").write_text(
        json.dumps([asdict(one) for one in found], indent=1)
    )
    if asked.page:
        before, _, rest = PAGE.read_text().partition(MARK)
        PAGE.write_text(f"{before}{MARK}\n{rows(found, asked.seed)}\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
