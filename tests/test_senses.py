"""When conditions of the source hold, and what branches of an image say of them."""

from pathlib import Path

import pytest

from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.sources.senses import OPPOSITE, Sense
from cyclescope.studies.estimate.blocks.evidence import IF_HOLDS, IF_NOT, holds

SENSES = {
    "a": Sense.NOT_ZERO,
    "!a": Sense.ZERO,
    "!!a": Sense.NOT_ZERO,
    "a == 0": Sense.ZERO,
    "0 != a": Sense.NOT_ZERO,
    "(a & 4) == 0": Sense.NO_BITS,
    "a & 4": Sense.BITS,
    "!(a & 4)": Sense.NO_BITS,
    "a == 7": Sense.EQUAL,
    "a != b": Sense.UNEQUAL,
    "a < 7": Sense.LESS,
    "7 < a": Sense.MORE,
    "!(a >= -7)": Sense.LESS,
    "a < b": Sense.UNKNOWN,
    "a && b": Sense.UNKNOWN,
    "!(a || b)": Sense.UNKNOWN,
    "asked(a)": Sense.UNKNOWN,
    "(a = b)": Sense.UNKNOWN,
    "wide": Sense.UNKNOWN,
    "wide == 7": Sense.UNKNOWN,
    "real < 7.0": Sense.NOT_ZERO,
    "real != other": Sense.ZERO,
    "real": Sense.UNKNOWN,
    "pointer": Sense.NOT_ZERO,
    "pointer == (void *)0": Sense.ZERO,
}
FUNCTION = """
static int of_{number}(int a, int b, long long wide, double real, double other, char *pointer) {{
    return {condition} ? 3 : 5;
}}
"""


def test_each_condition_has_its_sense(tmp_path: Path) -> None:
    source = tmp_path / "senses.c"
    functions = [FUNCTION.format(number=number, condition=one) for number, one in enumerate(SENSES)]
    calls = "".join(f"of_{number}(1, 2, 3, 4, 5, 0);" for number in range(len(SENSES)))
    head = "static int asked(int a) { return a > 3; }"
    source.write_text(f"{head}{''.join(functions)}int main(void) {{ {calls} return 0; }}")
    counts = count([SourceUnit(source, ())]).counts
    name_of = {one.id: one.name for one in counts.functions}
    found = {
        name_of[one.function]: one.sense for one in counts.regions if one.condition is not None
    }
    assert found == {f"of_{number}": sense for number, sense in enumerate(SENSES.values())}


@pytest.mark.parametrize(
    ("condition", "sense", "expected"),
    [
        ("eq", Sense.ZERO, True),
        ("eq", Sense.NOT_ZERO, False),
        ("mi", Sense.BITS, True),
        ("mi", Sense.NOT_ZERO, None),
        ("cc", Sense.NO_BITS, True),
        ("le", Sense.LESS, True),
        ("le", Sense.MORE, False),
        ("ne", Sense.UNEQUAL, True),
        ("eq", Sense.LESS, None),
        ("gt", Sense.UNKNOWN, None),
        ("", Sense.ZERO, None),
    ],
)
def test_a_branch_says_whether_a_condition_holds(
    condition: str, sense: Sense, expected: bool | None
) -> None:
    assert holds(condition, sense) is expected


def test_no_branch_says_both() -> None:
    for sense in IF_HOLDS:
        assert not set(IF_HOLDS[sense]) & set(IF_NOT[sense])
        assert OPPOSITE[OPPOSITE[sense]] is sense
