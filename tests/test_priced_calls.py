"""Calls of counted programs, priced by laws."""

import subprocess
import sys
from collections import Counter
from functools import cache
from math import inf, log, pi
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.firmware.configuration import Configuration
from cyclescope.laws.formula import CONSTANT, Formula, Term, TermKind
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.calls import parts
from cyclescope.studies.estimate.calls.laws import CaseLaw, Laws, measured, read
from cyclescope.studies.estimate.calls.pricing import priced
from cyclescope.studies.estimate.calls.shipped import FOLDER, shipped
from cyclescope.studies.list.entries import list_cases
from cyclescope.target.target import Selection

STAIRS = Formula((CONSTANT, Term(TermKind.STAIRS, 2, 4)), (10.0, 3.0))
LAWS = Laws(
    "a test's",
    {},
    {
        "memset.short": CaseLaw("memset.short", (1.0, 15.0), (2.0, 2.0), ((15.0, 7.0, 20.0),)),
        "memset.aligned": CaseLaw("memset.aligned", (16.0, 64.0), (0.0, 0.0), formula=STAIRS),
    },
)


def counted(text: str, folder: Path) -> SourceCounts:
    source = folder / "app.c"
    source.write_text(text)
    return count([SourceUnit(source)], libraries=("-lm",)).counts


def test_calls_cost_what_their_laws_say(tmp_path: Path) -> None:
    counts = counted(
        """
        #include <string.h>
        #include <unistd.h>
        static int block[64];
        int main(void) {
            for (int size = 5; size < 500; size *= 4)
                memset(block, 1, size > 256 ? 256 : size);
            return getppid() == 0;
        }
        """,
        tmp_path,
    )
    calls = priced(counts, LAWS)
    known = {one.x: one for one in calls if one.case}
    assert {x: one.cycles_each for x, one in known.items()} == {5: 55, 20: 25, 80: 70, 256: 202}
    assert (known[5].low_each, known[5].high_each) == (53, 57)
    assert known[20].fallback is None
    assert "16 to 64" in str(known[80].fallback), "it was not measured so far"
    (other,) = [one for one in calls if one.case is None]
    assert other.callee == "getppid"
    assert other.cycles_each == (55 + 25 + 70 + 202) / 4
    assert "no law of getppid" in str(other.fallback)


def test_names_compared_without_case_cost_by_the_letters_they_share(tmp_path: Path) -> None:
    counts = counted(
        """
        #include <strings.h>
        int main(int n, char **arguments) {
            const char *words[] = {"stop", "Step", "STOP"};
            return strcasecmp(words[0], words[n]) + strncasecmp(words[n - 1], words[2], 3) == 99;
        }
        """,
        tmp_path,
    )
    laws = [
        CaseLaw(f"{name}.equal", (0.0, 64.0), (0.0, 0.0), points=((0, 9), (64, at_64)))
        for name, at_64 in (("strcasecmp", 649), ("strncasecmp", 713))
    ]
    calls = priced(counts, Laws("one", {}, {one.case: one for one in laws}))
    found = {one.callee: one.cycles_each for one in calls if "case" in one.callee}
    assert found == {"strcasecmp": 29, "strncasecmp": 42}


def test_strings_are_compared_up_to_their_ends(tmp_path: Path) -> None:
    counts = counted(
        """
        #include <string.h>
        int main(int n, char **arguments) {
            static const char kept[] = "stop\\0one", other[] = "stop\\0one and more";
            return strncmp(kept, n ? other : kept, 64);
        }
        """,
        tmp_path,
    )
    (values,) = [values for _, _, values, _ in counts.parameters]
    assert values[:2] == (64, 4)


def test_laws_are_the_same_when_they_are_read_back() -> None:
    law = CaseLaw("a.b", (0.0, 4.0), (1.0, 3.0), points=((0.0, 5.0), (2.0, 9.0), (4.0, 9.5)))
    for one in (law, *LAWS.cases.values()):
        assert CaseLaw.of_document(one.case, one.document()) == one
    assert law.at(1).cycles == 7
    assert (law.at(2).low_cycles, law.at(2).high_cycles) == (7, 11)
    assert law.at(8).cycles == 14, "on with the mean slope"


def test_a_heap_has_the_free_list_of_newlib(tmp_path: Path) -> None:
    counts = counted(
        """
        #include <stdlib.h>
        int main(void) {
            void *volatile block[8];
            for (int i = 0; i < 8; i++)
                block[i] = malloc(16);
            free(block[4]);
            free(block[0]);
            free(block[2]);
            free(block[1]);
            block[4] = malloc(20);
            block[0] = malloc(200);
            block[0] = realloc(block[0], 100);
            return 0;
        }
        """,
        tmp_path,
    )
    sites = {one.id: one for one in counts.calls}
    found = {
        (sites[call].callee, sites[call].line, values[-1])
        for _, call, values, _ in counts.parameters
    }
    # 8 times the free blocks that were passed, and what was found.
    assert found == {
        ("malloc", 6, 0),  # the first ever
        ("malloc", 6, 1),  # the heap grows
        ("free", 7, 1),  # no other is free
        ("free", 8, 2),  # before the others
        ("free", 9, 8 + 4),  # behind one
        ("free", 10, 8 + 6),  # its neighbours, one of them passed, become one
        ("malloc", 11, 3),  # of the block of three
        ("malloc", 12, 2 * 8 + 1),  # no free block is large enough
        ("realloc", 13, -1),  # stays where it is
    }


@pytest.mark.parametrize("case", ["memcpy.aligned", "malloc.splits", "sqrt.two"])
def test_shipped_laws_are_what_is_measured(case: str, tmp_path: Path) -> None:
    configuration = Configuration("lpc2148-lab", "bare", {"code": "lab", "isa": "arm"})
    laws = shipped(configuration)
    assert laws.name == "lpc2148-lab-lab-arm-bare"
    options = ["--board=lpc2148-lab", "--code=lab", "--isa=arm", "--kernel=bare"]
    command = [sys.executable, "-m", "cyclescope", "characterize", *options, "--out"]
    subprocess.run([*command, tmp_path / "r", "--case", case], check=True, capture_output=True)
    (fresh,) = measured(tmp_path / "r").cases.values()
    law = laws.cases[case]
    assert fresh.ends == law.ends
    for x in (8, 16, 100, 1024):
        assert law.at(x).cycles == pytest.approx(fresh.at(x).cycles, abs=1e-3)


def test_laws_that_are_not_shipped_are_asked_for() -> None:
    slower = Configuration("at91x40", "bare", {"code": "rom", "romwaits": 7})
    with refused("no-shipped-laws", naming=["romwaits=7", "--laws DIR", "lpc2148-lab-lab-arm"]):
        shipped(slower)


@cache
def _cases(kernel: str) -> set[str]:
    """Names of all cases that the firmware has with this kernel."""
    return {one["name"] for one in list_cases(Selection("lpc2148-lab", kernel=kernel))}


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_shipped_laws_load_and_are_of_cases_of_this_version(file: Path) -> None:
    laws = read(file)
    kernel = laws.conditions["kernel"]
    assert file.stem.endswith(f"-{kernel}") and file.stem.startswith(laws.conditions["board"])
    assert laws.conditions["isa"] in file.stem.split("-")
    known = _cases(kernel)
    for case, law in laws.cases.items():
        assert case in known or case.startswith(parts.PREFIX), case
        for x in law.ends or (None,):
            at = law.at(x)
            assert 0 <= at.low_cycles <= at.cycles <= at.high_cycles < inf, case


@pytest.mark.parametrize(
    ("call", "case", "x"),
    [
        ("asin(number / 8)", "asin.small", None),
        ("asin(number * 0.375)", "asin.half", None),
        ("atan(number / 8)", "atan.small", None),
        ("atan(number / 2)", "atan.one", None),
        ("atan(number)", "atan.two", None),
        ("atan(number * 9)", "atan.large", None),
        ("tanh(number / 4)", "tanh.half", None),
        ("tanh(number)", "tanh.two", None),
        ("sinf((float)number / 4)", "sinf.small", None),
        ("sinf((float)number)", "sinf.quarter_turn", None),
        ("cosf((float)number * 9)", "cosf.turns", None),
        ("expf((float)number / 3)", "expf.one", None),
        ("exp(number)", "exp.two", None),
        ("fmod(number * 512, 1.5)", "fmod.powers_apart", 10),
        ("fmod(1.5, number * 512)", "fmod.smaller", None),
        ("sinf((float)number * 900)", "sinf.many_turns", None),
        ("cos(number * 1e10)", "cos.many_turns", None),
        ("tanh(number * 20)", "tanh.large", None),
        ("floor(number)", "floor.whole", None),
        ("floor(number + 0.25)", "floor.fraction", None),
        ("ceil(number / 8)", "ceil.small", None),
        ("rint(-0.75 - number)", "rint.negative", None),
        ("pow(1.5 + number, number / 4.0)", "pow.root", None),
        ("pow(1.5 + number, number)", "pow.square", None),
        ("log(number / 2.0 + 0.125)", "log.near_one", None),
        ("atan2(number, 0.3)", "atan2.first_quadrant + atan.large + atan.half", None),
    ],
)
def test_functions_of_mathematics_cost_by_their_arguments(
    call: str, case: str, x: int | None, tmp_path: Path
) -> None:
    counts = counted(
        f"""
        #include <math.h>
        int main(int number, char **arguments) {{
            number = 2;
            return ({call}) > 1e30;
        }}
        """,
        tmp_path,
    )
    (found,) = priced(counts, read(FOLDER / "lpc2148-lab-lab-arm-bare.json"))
    assert (found.case, found.x, found.fallback) == (case, x, None)


@pytest.mark.parametrize(
    ("function", "bound", "below", "from_there"),
    [
        ("asin", 0.5, "small", "half"),
        ("acos", 0.5, "small", "half"),
        ("atan", 7 / 16, "small", "half"),
        ("atan", 11 / 16, "half", "one"),
        ("atan", 19 / 16, "one", "two"),
        ("atan", 39 / 16, "two", "large"),
        ("tanh", 1.0, "half", "two"),
        ("exp", 0.5 * log(2), "small", "one"),
        ("exp", 1.5 * log(2), "one", "two"),
        ("exp", 745.13321910194122, "two", "underflow"),
        ("cos", pi / 4, "small", "quarter_turn"),
        ("cos", 3 * pi / 4, "quarter_turn", "turns"),
        ("sin", 2**19 * pi / 2, "turns", "many_turns"),
    ],
)
def test_newlib_goes_another_way_from_a_bound_on(
    function: str, bound: float, below: str, from_there: str, tmp_path: Path
) -> None:
    """The bounds are those of fdlibm, of which newlib has its functions."""
    counts = counted(
        f"""
        #include <math.h>
        static const double values[] = {{{0.999 * bound!r}, {1.001 * bound!r}, {-0.999 * bound!r}}};
        int main(void) {{
            double sum = 0;
            for (int i = 0; i < 3; i++)
                sum += {function}(values[i]);
            return sum > 1e300;
        }}
        """,
        tmp_path,
    )
    found = Counter[str | None]()
    for one in priced(counts, read(FOLDER / "lpc2148-lab-lab-arm-bare.json")):
        found[one.case] += one.times
    assert found == {f"{function}.{below}": 2, f"{function}.{from_there}": 1}


@pytest.mark.parametrize(
    ("call", "case", "x"),
    [
        ('strtol("  2a", NULL, 16)', "strtol.hexadecimal + strtol.blanks", 2),
        ('strtol("101", NULL, 2)', "strtol.hexadecimal", 3),
        ('strtoul("12", NULL, 0)', "strtoul.by_text", 2),
        ('strtoull("12", NULL, 10)', "strtoull.decimal", 2),
        ('atoll("1234")', "strtoll.decimal", 4),
        ('strtod("0.125", NULL)', "strtod.places", 3),
        ('strtod("2.5e-9", NULL)', "strtod.power + strtod.places", 10),
        ('strtod("2.5e40", NULL)', "strtod.far + strtod.places", 39),
        ("div(900 + number, 7).quot", "div.positive + __aeabi_idivmod.quotient", None),
        ("div(number, 7).rem", "div.positive + __aeabi_idivmod.smaller", None),
        ('(long)strrchr("abcab" + !number, 97)', "strrchr.last + strchr.last", None),
        ("gmtime(&moment)->tm_year", "gmtime.march", 56),
        ("mktime(gmtime(&moment))", "mktime.march", 56),
        ('strftime(text, 40, "%H:%M at %F", gmtime(&moment))', "strftime.letters", 7),
    ],
)
def test_numbers_and_times_cost_by_what_they_have(
    call: str, case: str, x: int | None, tmp_path: Path
) -> None:
    counts = counted(
        f"""
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>
        int main(int number, char **arguments) {{
            char text[40];
            time_t moment = 1795326000;
            text[0] = 0;
            return ({call}) == 12345 && moment && text[0];
        }}
        """,
        tmp_path,
    )
    found = priced(counts, read(FOLDER / "lpc2148-lab-lab-arm-bare.json"))
    callee = call.removeprefix("(long)").partition("(")[0]
    (one,) = [one for one in found if one.callee == callee]
    assert one.case is not None and one.case.startswith(case) and one.fallback is None
    assert x is None or one.x == x


def test_a_sort_costs_what_it_compares_and_exchanges(tmp_path: Path) -> None:
    counts = counted(
        """
        #include <stdlib.h>
        static int numbers[] = {3, 1, 2}, *found;
        static struct { char name[5]; } names[] = {{"b"}, {"a"}};
        static int by(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
        int main(void) {
            qsort(numbers, 3, sizeof *numbers, by);
            qsort(names, 2, sizeof *names, by);
            found = bsearch(numbers + 2, numbers, 3, sizeof *numbers, by);
            return found != numbers + 2;
        }
        """,
        tmp_path,
    )
    # Pieces, comparisons, exchanges of a word, others, their words and bytes.
    assert [values for _, _, values, _ in counts.parameters] == [
        (1, 3, 2, 0, 0, 0),
        (1, 1, 0, 1, 0, 5),
        (2,),
    ]


def test_tokens_and_copies_of_strings_have_a_price(tmp_path: Path) -> None:
    counts = counted(
        """
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            char words[] = "one, two", *behind;
            char *kept = strdup(words);
            return strtok_r(words, ", ", &behind) == NULL || strtok_r(NULL, ", ", &behind) == kept;
        }
        """,
        tmp_path,
    )
    calls = priced(counts, read(FOLDER / "lpc2148-lab-lab-arm-bare.json"))
    found = {(one.callee, one.case, one.x) for one in calls}
    assert ("strdup", "strlen.aligned + malloc.first_ever + memcpy.short", 8) in found
    assert {x for callee, _, x in found if callee == "strtok_r"} == {3}
    assert all(one.fallback is None for one in calls)


@pytest.mark.parametrize("name", ["lpc2148-lab-lab-arm-bare", "at91x40-rom-thumb-bare"])
def test_a_needle_costs_what_its_steps_and_letters_cost(name: str, tmp_path: Path) -> None:
    """The law of near misses is not among those that price it: eight letters, seven alike."""
    case = "strstr.near_misses"
    counts = counted(
        """
        #include <string.h>
        static char text[300];
        int main(void) {
            int found = 0;
            for (int x = 20; x <= 260; x += 80) {
                memset(text, 'a', x + 6);
                strcpy(text + x + 6, "b");
                found += strstr(text, "aaaaaaab") == text + x - 1;
            }
            return found - 4;
        }
        """,
        tmp_path,
    )
    laws = read(FOLDER / f"{name}.json")
    calls = [one for one in priced(counts, laws) if one.callee == "strstr"]
    total = sum(one.cycles_each * one.times for one in calls)
    places = range(20, 261, 80)
    alone = [laws.of(case, x) or laws.beyond(case, x) for x in places]
    assert total == pytest.approx(sum(one.cycles for one in alone if one), rel=0.05)


def test_short_needles_and_sets_have_their_own_conditions(tmp_path: Path) -> None:
    counts = counted(
        """
        #include <errno.h>
        #include <string.h>
        static char text[] = "a text that is short";
        int main(void) {
            errno = strstr(text, "at") == text + 9;
            errno += strstr(text, "nothing of it") != NULL;
            return errno - 1 + (strstr(text, "short and more than that") != NULL)
                   + (strpbrk(text, "zyxt") != text + 2);
        }
        """,
        tmp_path,
    )
    calls = priced(counts, read(FOLDER / "lpc2148-lab-lab-arm-bare.json"))
    found = {(one.callee, one.case, one.x) for one in calls}
    assert ("strstr", "strstr.two_letters", 9) in found
    assert ("strstr", "strstr.too_short + strnlen.whole + strlen.aligned", 0) in found
    assert any(case and case.startswith("strstr.whole") for _, case, _ in found)
    assert ("strpbrk", "strpbrk.one_letter + strspn.last_of_set", 2) in found
    assert {case for callee, case, _ in found if "errno" in callee} == {"errno.address"}
    assert all(one.fallback is None for one in calls)


def test_functions_of_the_library_count_behind_pointers(tmp_path: Path) -> None:
    counts = counted(
        """
        #include <math.h>
        #include <stdlib.h>
        #include <string.h>
        static double (*const table[])(double) = {sin, sqrt};
        static struct { void *(*take)(size_t); void (*give)(void *); } memory = {malloc, free};
        static char *words[] = {"one", "two", "three"};
        static int by(const void *a, const void *b) {
            int (*compare)(const char *, const char *) = &strcmp;
            return compare(*(char *const *)a, *(char *const *)b);
        }
        int main(void) {
            double sum = 0;
            for (int i = 0; i < 30; i++)
                sum += table[i % 3 == 0](1.0 + i);
            for (int i = 0; i < 4; i++)
                memory.give(memory.take(24));
            qsort(words, 3, sizeof *words, by);
            return memory.give != free || sum < 1;
        }
        """,
        tmp_path,
    )
    calls = priced(counts, read(FOLDER / "lpc2148-lab-lab-arm-bare.json"))
    found = Counter[str]()
    for one in calls:
        found[one.callee] += one.times
        assert one.case is not None
    assert (found["sin"], found["sqrt"], found["malloc"], found["free"]) == (20, 10, 4, 4)
    assert found["strcmp"] in (2, 3) and found["qsort"] == 1
    (taken,) = {one.x for one in calls if one.callee == "strcmp" and one.x}
    lines = {one.line for one in counts.calls if one.callee in ("sin", "sqrt")}
    assert taken == 1 and lines == {15}


def test_addresses_of_library_functions_are_one_in_all_files(tmp_path: Path) -> None:
    """A file compares one with that of another file."""
    (tmp_path / "one.c").write_text(
        "#include <stdlib.h>\nvoid (*given(void))(void *) { return free; }"
    )
    (tmp_path / "other.c").write_text(
        "#include <stdlib.h>\nvoid (*given(void))(void *);\n"
        "int main(void) { void (*give)(void *) = given(); give(malloc(8)); return give != free; }"
    )
    run = count([SourceUnit(tmp_path / "one.c"), SourceUnit(tmp_path / "other.c")])
    assert run.run.status == 0
    assert {one.callee for one in run.counts.calls} >= {"free", "malloc", "given"}


@pytest.mark.parametrize("longer", ["", "x", "xx", "xxx"])
def test_arguments_stand_where_they_stand_on_a_board(
    longer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name `app` and its zero are a word; the environment and the folder do not matter."""
    monkeypatch.setenv("LONGER", longer)
    (folder := tmp_path / f"in{longer}").mkdir()
    (source := folder / "app.c").write_text(
        """
        #include <string.h>
        int main(int count, char **arguments) {
            if (strcmp(arguments[0], "app"))
                return 2;
            for (int i = 1; i < count; i++)
                if (!strchr(arguments[i], 'z'))
                    return 1;
            return 0;
        }
        """
    )
    found = count([SourceUnit(source)], ("abcz", "fgzh"))
    # The first begins a word, the second one byte behind a word.
    assert found.run.status == 0
    laws = read(FOLDER / "lpc2148-lab-lab-arm-bare.json")
    calls = [one for one in priced(found.counts, laws) if one.callee == "strchr"]
    assert {one.case for one in calls} == {"strchr.last", "strchr.unaligned"}
