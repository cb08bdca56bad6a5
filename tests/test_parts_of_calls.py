"""Streams, files and formatted text: events of the model, and the parts that cases give."""

from pathlib import Path

import pytest

from cyclescope.sources.host_run import CountedRun, count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.calls import events, parts
from cyclescope.studies.estimate.estimated import Amount

PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(void) {
    char block[3000], line[20];
    memset(block, 'x', sizeof block);
    FILE *file = fopen("out", "w");
    fwrite(block, 1, sizeof block, file);
    fclose(file);
    file = fopen("out", "r");
    for (int i = 0; i < 3000; i++)
        getc(file);
    fseek(file, 2990, SEEK_SET);
    int first = getc(file);
    printf("%d %zu\\n", first, fread(block, 1, 100, file));
    fclose(file);
    snprintf(line, sizeof line, "%05d", 77);
    puts(line);
    return sscanf("12 x", "%d", &(int){0}) != 1;
}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> CountedRun:
    source = tmp_path_factory.mktemp("source") / "app.c"
    source.write_text(PROGRAM)
    return count([SourceUnit(source)])


def met(run: CountedRun, callee: str) -> dict[tuple[str, int], int]:
    calls = {one.id for one in run.counts.calls if one.callee == callee}
    found: dict[tuple[str, int], int] = {}
    for _, call, values, times in run.counts.parameters:
        if call in calls:
            name = events.part(*values)
            found[name] = found.get(name, 0) + times
    return found


def test_the_program_does_the_same(run: CountedRun) -> None:
    assert (run.run.status, run.run.output) == (0, b"120 9\n00077\n")


def test_buffers_are_filled_and_emptied_as_the_library_does(run: CountedRun) -> None:
    written, read = met(run, "fwrite"), met(run, "getc")
    assert written["put_bytes<stream_fwrite", 0] == 3000
    assert written["board_write", 0] == 2, "1,024 bytes each; the rest is in the buffer"
    assert met(run, "fclose")["board_write", 0] == 1
    assert read["stream_getc", 0] == 3001
    assert read["board_read", 0] == 4, "three times 1,024 bytes, and once after the seek"
    assert met(run, "fread")["copy_short", 9] == 1


def test_formats_are_counted_by_conversion(run: CountedRun) -> None:
    assert met(run, "snprintf")["conversions d", 0] == 1
    assert met(run, "snprintf")["digits", 0] == 2
    assert met(run, "snprintf")["padding", 0] == 3
    assert met(run, "sscanf")["scanned_digits", 0] == 2
    assert met(run, "puts")["put_bytes<stream_puts", 0] == 6


@pytest.mark.parametrize(
    ("text", "format_", "conversions", "part", "letters"),
    [
        ("12-345", "%d-%d", 2, "scanned_digits", 5),
        ("-7+8", "%d%d", 2, "scanned_digits", 4),
        ("1e-3-2.5", "%lf%lf", 2, "scanned_doubles", 8),
        ("12h30m", "%dh%d", 2, "scanned_digits", 4),
        ("1234", "%2d%2d", 2, "scanned_digits", 4),
        ("0xffg7", "%xg%d", 2, "scanned_digits", 5),
        ("1.5V-.25", "%lfV%lf", 2, "scanned_doubles", 7),
    ],
)
def test_a_number_ends_where_its_conversion_ends(
    tmp_path: Path, text: str, format_: str, conversions: int, part: str, letters: int
) -> None:
    kind = "double" if "f" in format_ else "int"
    read = f'sscanf("{text}", "{format_}", &(({kind}[2]){{0}})[0], &(({kind}[2]){{0}})[1])'
    file = tmp_path / "numbers.c"
    file.write_text(f"#include <stdio.h>\nint main(void) {{ return {read}; }}\n")
    run = count([SourceUnit(file, ("-std=c99",))])
    assert run.run.status == conversions
    met_there = met(run, "sscanf")
    kinds = [times for (name, _), times in met_there.items() if name.startswith("scanned ")]
    assert sum(kinds) == conversions and ("scanned 0", 0) not in met_there
    assert met_there[part, 0] == letters


def scanned(folder: Path, call: str) -> dict[tuple[str, int], int]:
    file = folder / "scanned.c"
    places = "char text[80], other[80]; int number; float real;"
    file.write_text(
        f"#include <stdio.h>\nint main(void) {{ {places} return {call}; }}\n".replace(
            "return sscanf", "text[0] = other[0] = number = real = 0; return sscanf"
        )
    )
    return met(count([SourceUnit(file)]), "sscanf")


def test_a_set_ends_where_its_letters_end(tmp_path: Path) -> None:
    found = scanned(tmp_path, 'sscanf("abc1,x", "%[a-c]%[^,],%c", text, other, text)')
    assert found["scanned_set_letters", 0] == 3 + 1
    assert found["scanned_set_bytes", 0] == 3 + 1
    assert (found["scanned [", 0], found["scanned_texts", 0], found["scanned c", 0]) == (2, 1, 1)


def test_numbers_that_are_left_out_are_not_converted(tmp_path: Path) -> None:
    found = scanned(tmp_path, 'sscanf("12 3.5 7", "%*d %*f %d", &number)')
    assert (found["scanned *", 0], found["scanned /", 0], found["scanned d", 0]) == (1, 1, 1)


def test_reading_ends_where_nothing_matches(tmp_path: Path) -> None:
    found = scanned(tmp_path, 'sscanf("x 5", "%d %d", &number, &number)')
    assert found["scanned 0", 0] == 1 and ("scanned d", 0) not in found
    assert not any(
        name.startswith("scanned ") for name, _ in scanned(tmp_path, 'sscanf("", "%c", text)')
    )


STREAMS = """
#include <stdio.h>
int main(void) {
    char line[20];
    FILE *file = fopen("log", "a");
    fputs("one two", file);
    fclose(file);
    file = fopen("log", "r");
    setvbuf(file, NULL, _IONBF, 0);
    fgets(line, 4, file);
    fclose(file);
    file = fopen("log", "r");
    getc(file);
    ungetc('x', file);
    getc(file);
    fread(line, 1, 3, file);
    fclose(file);
    for (int i = 0; i < 5; i++)
        printf("%d\\n", i);
    return 0;
}
"""


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory) -> CountedRun:
    source = tmp_path_factory.mktemp("streams") / "streams.c"
    source.write_text(STREAMS)
    return count([SourceUnit(source)])


def test_a_file_that_is_appended_to_is_made_first(streams: CountedRun) -> None:
    assert met(streams, "fopen")["lfs_dir_commitattr", 0] > 0


def test_the_standard_output_is_written_line_by_line(streams: CountedRun) -> None:
    assert met(streams, "printf")["board_write", 0] == 5
    assert met(streams, "printf")["stream_swbuf", 0] == 5


def test_lines_are_written_before_an_unbuffered_stream_is_read(streams: CountedRun) -> None:
    found = met(streams, "fgets")
    assert (found["stream_fwalk", 0], found["line_parts", 0], found["board_read", 0]) == (3, 3, 3)


def test_behind_a_byte_pushed_back_the_buffer_comes_again(streams: CountedRun) -> None:
    assert met(streams, "fread")["stream_srefill", 0] == 1
    assert ("board_read", 0) not in met(streams, "fread")


def test_the_shipped_events_are_those_of_the_cases() -> None:
    assert parts.SHIPPED.read_text() == parts.written(events.of_cases())


def test_parts_are_found_from_times_that_they_make() -> None:
    """Times made of known parts give such parts that the sums are the same."""
    shipped = parts.shipped()

    def law(case: str, x: int) -> Amount | None:
        points = shipped.get(case)
        if points is None:
            return Amount(3.0, 3.0, 3.0)
        cycles = float(
            sum(
                n * (3 if name in events.COPIES else len(name))
                for (name, _), n in points[x].items()
            )
        )
        return Amount(cycles, cycles, cycles)

    found = {one.name: one.cycles for one in parts.found(law)}
    met_ = shipped["open.last_entry"][12]
    made = sum(n * (3 if name in events.COPIES else found[name]) for (name, _), n in met_.items())
    assert made == pytest.approx(law("open.last_entry", 12).cycles, rel=0.001)  # type: ignore[union-attr]


def test_a_copy_is_priced_by_its_size(tmp_path: Path) -> None:
    assert parts.copy_case("clear", 8) == "memset.short"
    assert parts.copy_case("copy_unaligned", 64) == "memcpy.unaligned"
