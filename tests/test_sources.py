"""Regions of C sources are counted on the host; gcov, which is gcc's own, says the same."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from counted_programs import SOURCES, lines_of, plain

from cyclescope.sources.counts import CallContext, SourceCounts
from cyclescope.sources.host_run import CountedRun, count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.sources.syntax import SourceError

IRDA = SOURCES.parents[1] / "firmware" / "irda"
HOST = IRDA / "ports" / "host"
STATION = sorted(one for one in IRDA.glob("*.c"))
MEDIUM = [HOST / "medium.c", HOST / "medium_losses.c"]
IRDA_OPTIONS = ("-std=c99", f"-I{IRDA}", f"-I{HOST}")


def counted(
    files: Sequence[Path],
    arguments: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
    folder: Path | None = None,
) -> CountedRun:
    return count([SourceUnit(file, options) for file in files], arguments, folder)


def check(
    files: list[Path],
    home: Path,
    arguments: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
) -> None:
    """Compares what a program does and how often its lines run with and without our counters."""
    (home / "plain").mkdir()
    (home / "counted").mkdir()
    truth = plain(files, home / "plain", arguments, options)
    ours = counted(files, arguments, options, home / "counted")
    assert (ours.run.status, ours.run.output) == (truth.status, truth.output)
    assert {one.name for one in ours.counts.functions} >= truth.functions
    found = lines_of(ours.counts)
    both = found.keys() & truth.lines.keys()
    assert {at: found[at] for at in both} == {at: truth.lines[at] for at in both}
    assert len(both) > 0.75 * len(truth.lines)


@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        (("control.c",), ()),
        (("control.c",), ("3",)),
        (("reached.c", "shared.c"), ()),
        (("reached.c", "shared.c"), ("status",)),
    ],
)
def test_every_construct_counts_as_gcov_counts_it(
    files: tuple[str, ...], arguments: tuple[str, ...], tmp_path: Path
) -> None:
    check([SOURCES / file for file in files], tmp_path, arguments)


def test_a_protocol_stack_under_damaged_frames_counts_as_gcov_counts_it(tmp_path: Path) -> None:
    files = [HOST / "fuzz_host.c", HOST / "fuzz_frames.c", *STATION, *MEDIUM]
    check(files, tmp_path, ("7", "40"), IRDA_OPTIONS)


def test_contexts_are_chains_of_calls() -> None:
    counts = counted([SOURCES / "reached.c", SOURCES / "shared.c"]).counts
    functions = {one.id: one for one in counts.functions}
    contexts = {one.id: one for one in counts.contexts}

    def chain(context: CallContext) -> tuple[str, ...]:
        above = chain(contexts[context.parent]) if context.parent is not None else ()
        return *above, functions[context.function].name

    entries = Counter[tuple[str, ...]]()
    for context in counts.contexts:
        body = functions[context.function].regions[0]
        entries[chain(context)] += counts.runs.get((context.id, body), 0)
    # The program prints how often qsort and bsearch called: 25 comparisons with newlib's.
    assert entries["main", "by_value"] == 25
    assert entries["main", "by_value", "helper"] == 2 * 25
    # Recursion stays in its context, through two functions as well.
    assert not any(len(set(names)) < len(names) for names in entries)
    # By longjmp: 1 + 2 + 3 deeper calls, and one at each of the three ends.
    assert entries["main", "unwound", "deeper"] == 2 + 3 + 4
    assert entries["main", "leave"] == 2
    assert entries["at_the_end", "helper"] == 1


def test_counts_survive_json() -> None:
    counts = counted([SOURCES / "control.c"]).counts
    assert SourceCounts.model_validate_json(json.dumps(counts.as_json())) == counts
    never = {
        (region.kind, region.spans[0].begin[0]) for region in counts.never_run() if region.spans
    }
    text = (SOURCES / "control.c").read_text().splitlines()
    line = next(number for number, one in enumerate(text, 1) if "argc > 1" in one)
    assert ("then", line) in never


def test_a_file_that_c_does_not_allow_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.c").write_text("int main(void)\n{\n    return missing;\n}\n")
    assert refusal(tmp_path / "wrong.c") == ("source-does-not-parse", "wrong.c:3:")
    (tmp_path / "part.c").write_text("int f(void)\n{\n    return 1;\n}\n")
    assert refusal(tmp_path / "part.c")[0] == "source-without-main"
    assert refusal(tmp_path / "none.c")[0] == "source-does-not-compile"


def test_a_function_without_a_declaration_is_counted(tmp_path: Path) -> None:
    """C declares it where it is called; another file has it."""
    (tmp_path / "calls.c").write_text("int main(void) { return twice(4) - twice(3) - 2; }")
    (tmp_path / "has.c").write_text("int twice(int one) { return 2 * one; }")
    counts = counted([tmp_path / "calls.c", tmp_path / "has.c"]).counts
    names = {one.id: one.name for one in counts.functions}
    times = {names[one.function]: counts.totals[one.id] for one in counts.regions}
    assert times == {"main": 1, "twice": 2}


def test_a_program_that_dies_is_refused(tmp_path: Path) -> None:
    text = "int main(int n, char **all) { volatile int *no = (int *)(n - 1); return *no; }"
    (tmp_path / "dies.c").write_text(text)
    assert refusal(tmp_path / "dies.c")[0] == "counted-program-died"


def refusal(file: Path) -> tuple[str, str]:
    """The code of the error, and the place that it names without its folder."""
    with pytest.raises(SourceError) as refused:
        counted([file])
    return refused.value.code, str(refused.value).split()[0].rpartition("/")[2]
