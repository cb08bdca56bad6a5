"""Latency and throughput on this machine: separated, named, and refused where there is none."""

import json
import platform
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.cli import execute
from cyclescope.firmware.fragment.call import UserCall
from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.firmware.fragment.iterations import FED, call_of
from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.firmware.program import Program
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.target.target import Selection
from cyclescope.targets import open_target
from cyclescope.targets.host.fragments import HostFragments

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64"), reason="no link is known"
)

TEXT = """
typedef struct { int a, b, c; } three;
three all; char buffer[9]; struct hidden; extern struct hidden *that;
struct hidden { int x; } there; struct hidden *that = &there;
int whole(int a) { return a; }
char narrow(signed char a) { return a; }
_Bool truth(void *p, int x) { return x && p; }
void nothing(int a) {}
three all_of(three x, int y) { return x; }
int one_of(three x, int y) { return y; }
double real(double a) { return a; }
float second(int a, float b) { return a + b; }
double other(int a) { return a; }
__attribute__((const)) int square(int a) { return a * a; }
const char *further(const char *s, unsigned long n) { return s + n; }
int hidden(struct hidden *h) { return h->x; }
unsigned long chain(unsigned long x) {
    for (int i = 0; i < 12; i++) {
        x *= x;
        __asm volatile("" : "+r"(x));
    }
    return x;
}
void empty(void) {}
"""
LINKED: Plan = tuple(Point(k, turned=True, links=links * k) for k in (1, 2) for links in range(3))


def opened(folder: Path, call: str) -> HostFragments:
    file = folder / "mine.c"
    file.write_text(TEXT)
    source = FragmentSource(file, (("line", LINKED),), call)
    target = open_target(
        Selection("host", "bare", settings={"timer": "clock_gettime"}, fragment=source)
    )
    assert isinstance(target, HostFragments)
    return target


@pytest.mark.parametrize(
    ("call", "fed"),
    [
        ("whole(3)", 1),
        ("narrow(-3)", 1),
        ("truth(buffer, 3)", 1),
        ("nothing(3)", None),
        ("all_of(all, 3)", None),
        ("one_of(all, 3)", 2),
        ("real(3.5)", 1),
        ("second(3, 2.0f)", 2),
        ("other(3)", None),
        ("square(4)", 1),
        ('further("a,b(c", 3)', 1),
        ("hidden(that)", 1),
    ],
)
def test_the_result_goes_into_the_first_argument_of_its_kind(
    tmp_path: Path, call: str, fed: int | None
) -> None:
    with opened(tmp_path, call) as target:
        assert target.fed_argument() == fed
        assert len(target.run_series(target.cases()[0], None, 12, empty=False).samples) == 12


@pytest.mark.parametrize("function", ["square", "chain"])
def test_every_copy_is_called_and_two_instructions_are_a_link(
    tmp_path: Path, function: str
) -> None:
    """Also of a function that the compiler may take for a constant, and of one whose argument is
    written shorter than it is."""
    if platform.machine() != "x86_64":
        pytest.skip("the link is spelt for x86-64")
    with opened(tmp_path, f"{function}(4)") as target:
        program = target.program()
    assert isinstance(program, Program) and FED in program.symbols
    for links in (0, 2, 4):
        name = f"fragment_turns_n2{f'_k{links}' if links else ''}_turned"
        (body,) = [one for one in program.functions if one.name == name]
        code = list(program.instructions(body.address, body.end))
        calls = [int(i.operands, 0) for i in code if i.mnemonic == "call"]
        assert calls == [program.symbols[function]] * 2
        assert [i.mnemonic for i in code].count("and") == links
        assert not [i for i in code if i.mnemonic in ("movsxd", "cdqe")], (
            "nothing else in the chain"
        )


def test_a_call_is_taken_apart_at_its_own_commas() -> None:
    text = 'f(a[1, 2], \'(\', g(3, 4), "),\\"")'
    assert call_of(UserCall(text, "f", cpp=False)).arguments == (
        "a[1, 2]", "'('", "g(3, 4)", '"),\\""',
    )  # fmt: skip
    assert call_of(UserCall("f()", "f", cpp=False)).arguments == ()
    assert call_of(UserCall("f", "f", cpp=False)).arguments == ()


def test_latency_and_throughput_are_both_named_and_not_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twelve multiplications, one after the other, are waited for or overlapped."""
    file = tmp_path / "mine.c"
    file.write_text(TEXT)
    told = {}
    for kind in ("both", "throughput"):
        wish = [] if kind == "both" else ["--kind", kind]
        call = ["time", str(file), "--call", "chain(3)", "--board", "host", *wish, "--json"]
        assert execute([*call, "--rounds", "20", "--out", str(tmp_path / kind)]) == 0
        told[kind] = json.loads(capsys.readouterr().out)
    both = {one["technique"]: one for one in told["both"]["techniques"]}
    assert told["both"]["kind"] == both["dependent_line"]["kind"] == CostKind.LATENCY
    assert both["robust_line"]["kind"] == told["throughput"]["kind"] == CostKind.THROUGHPUT
    latency, throughput = (
        both[name]["execution"]["value"] for name in ("dependent_line", "robust_line")
    )
    assert latency > 1.5 * throughput
    assert "its latency" in told["both"]["answer"] and "(throughput)" in told["both"]["answer"]
    assert "its throughput" in told["throughput"]["answer"]
    again = ["time", "--board", f"replay:{tmp_path / 'both'}", "--json"]
    assert execute([*again, "--out", str(tmp_path / "again")]) == 0
    assert json.loads(capsys.readouterr().out)["execution"] == told["both"]["execution"]


def test_an_empty_call_is_no_less_than_a_jump_there_and_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No processor of today calls and returns in less than a cycle of 6 GHz; twenty calls between
    two readings of the clock seemed to."""
    file = tmp_path / "mine.c"
    file.write_text(TEXT)
    call = ["time", str(file), "--function", "empty", "--board", "host", "--rounds", "20"]
    assert execute([*call, "--out", str(tmp_path / "empty"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["kind"] == CostKind.THROUGHPUT
    assert told["execution"]["value"] > 0.3
    assert told["fragment"]["plans"][0]["turns"] > 100


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--call", "empty()", "--kind", "latency"], "there is no latency to be found"),
        (["--call", "nothing(3)", "--kind", "latency"], "there is no latency to be found"),
        (
            ["--call", "other(3)", "--technique", "dependent_line"],
            "there is no latency to be found",
        ),
        (
            ["--call", "whole(3)", "--technique", "dependent_line", "--kind", "throughput"],
            "dependent_line measures a latency",
        ),
        (["--call", "whole(3)", "--board", "lpc2148", "--kind", "latency"], "one after the other"),
    ],
)
def test_where_there_is_no_latency_one_sentence_says_so(
    tmp_path: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.c"
    file.write_text(TEXT)
    board = [] if "--board" in arguments else ["--board", "host"]
    assert execute(["time", str(file), *arguments, *board, "--out", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert sentence in told and told.count("\n") == 1


def test_links_are_for_loops_of_copies_only(tmp_path: Path) -> None:
    file = tmp_path / "mine.c"
    file.write_text(TEXT)
    source = FragmentSource(file, (("line", (Point(2, links=2),)),), "whole(3)")
    with refused("linked-executions-must-turn"):
        open_target(Selection("host", "bare", settings={"timer": "clock_gettime"}, fragment=source))
    assert find_fragment_technique("dependent_line").kind is CostKind.LATENCY
