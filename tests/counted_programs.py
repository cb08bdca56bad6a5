"""Counted programs beside what gcov, gcc's own counter, says of them."""

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_compiler import RUNTIME, host_compiler

SOURCES = Path(__file__).parent / "sources"
Lines = dict[tuple[str, int], int]
"""How often each line of each file ran."""
Owner = tuple[int, int, str, int]
"""Columns of a line, the kind of the region that owns them, and how often it ran."""
COMPUTED_GOTO = "computed"
"""A function of control.c: gcov takes each of its jumps for an entry."""
HEADER = re.compile(r"\s*(?:} )?(?:else )?(?:if|for|while|switch|TIMES)\b")
WHOLE = re.compile(r"[;{}:]$|\belse$|\bdo$|\*/$|^//|^\s+//|^#")
LOOPS = re.compile(r"(?:} ?)?(?:for|while|TIMES) ?\(")


@dataclass(frozen=True)
class PlainRun:
    """A program without our counters: what it did, and gcov's counts of lines."""

    status: int
    output: bytes
    lines: Lines
    functions: set[str]


def plain(
    files: Sequence[Path],
    home: Path,
    arguments: Sequence[str] = (),
    options: Sequence[str] = (),
    given: bytes = b"",
) -> PlainRun:
    """Builds a program with gcov's counters, unoptimised, and runs it in a folder."""
    command = ["gcc", *host_compiler().types, "-O0", "-w", "--coverage", *options]
    objects = []
    for number, file in enumerate(files):
        objects.append(f"{number}.o")
        subprocess.run([*command, "-c", file.resolve(), "-o", objects[-1]], cwd=home, check=True)
    # The host's qsort() compares other elements than the counted run's.
    sort = ["gcc", *host_compiler().types, "-O2", "-c", RUNTIME / "sort.c", "-o", "sort.o"]
    subprocess.run(sort, cwd=home, check=True)
    subprocess.run([*command, *objects, "sort.o", "-lm", "-o", "plain"], cwd=home, check=True)
    done = subprocess.run(["./plain", *arguments], cwd=home, input=given, capture_output=True)
    lines: Lines = {}
    functions: set[str] = set()
    for one in objects:
        judged = ["gcov", "--json-format", "--stdout", one]
        said = subprocess.run(judged, cwd=home, check=True, capture_output=True).stdout
        for file in json.loads(said)["files"]:
            functions.update(one["name"] for one in file["functions"])
            # The line of a function's name runs as often as the function is entered.
            entries = {
                one["start_line"]: one["execution_count"]
                for one in file["functions"]
                if one["name"] != COMPUTED_GOTO
            }
            for line in file["lines"]:
                number, times = line["line_number"], line["count"]
                key = (str(Path(file["file"]).resolve()), number)
                lines[key] = lines.get(key, 0) + entries.get(number, times)
    return PlainRun(done.returncode, done.stdout, lines, functions)


def lines_of(counts: SourceCounts) -> Lines:
    """How often each line ran by our regions: as often as what stands first on it.

    The line of a `for` or `while` runs as often as its condition, as gcov has it. Lines of
    braces and labels are left out, and statements of several lines: gcov adds what runs on each.
    """
    owners: dict[tuple[str, int, int], list[Owner]] = {}
    for region in counts.regions:
        for span in region.spans:
            for line in range(span.begin[0], span.end[0] + 1):
                begin = span.begin[1] if line == span.begin[0] else 1
                end = span.end[1] if line == span.end[0] else 1000
                key = (str(Path(span.file).resolve()), line, region.function)
                owner = (begin, end, region.kind, counts.totals[region.id])
                owners.setdefault(key, []).append(owner)
    texts = {file: Path(file).read_text("latin-1").splitlines() for file, _, _ in owners}
    found: Lines = {}
    for function in counts.functions:
        key = str(Path(function.file).resolve()), function.line
        found[key] = found.get(key, 0) + counts.totals[function.regions[0]]
    for (file, line, _), spans in owners.items():
        own, before = texts[file][line - 1], texts[file][line - 2]
        times = _of_line(own, spans)
        if times is not None and _is_whole(own) and _is_whole(before):
            found[file, line] = found.get((file, line), 0) + times
    return found


def _is_whole(text: str) -> bool:
    """Whether no statement goes on behind the end of a line; gcov adds the visits of its lines."""
    if HEADER.match(text):
        return text.count("(") == text.count(")")
    return not text.strip() or bool(WHOLE.search(text))


def _of_line(text: str, spans: list[Owner]) -> int | None:
    stripped = text.strip()
    for word in ("} else ", "else "):
        stripped = stripped.removeprefix(word)
    if (
        stripped.rstrip("{ ") in ("", "}", "else", "do", "});")
        or stripped.endswith(":")
        or "(;;)" in text
    ):
        return None
    conditions = [times for _, _, kind, times in spans if kind == "condition"]
    if LOOPS.match(stripped) and conditions:
        return max(conditions)
    column = text.index(stripped) + 1
    return next((times for begin, end, _, times in spans if begin <= column < end), None)
