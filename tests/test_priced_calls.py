"""Calls of counted programs, priced by laws."""

from pathlib import Path

from cyclescope.laws.formula import CONSTANT, Formula, Term, TermKind
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.calls.laws import CaseLaw, Laws
from cyclescope.studies.estimate.calls.pricing import priced

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
    return count([SourceUnit(source)]).counts


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


def test_laws_are_the_same_when_they_are_read_back() -> None:
    law = CaseLaw("a.b", (0.0, 4.0), (1.0, 3.0), points=((0.0, 5.0), (2.0, 9.0), (4.0, 9.5)))
    for one in (law, *LAWS.cases.values()):
        assert CaseLaw.of_document(one.case, one.document()) == one
    assert law.at(1).cycles == 7
    assert (law.at(2).low_cycles, law.at(2).high_cycles) == (7, 11)
    assert law.at(8).cycles == 14, "on with the mean slope"
