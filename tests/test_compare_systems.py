"""Two operating systems beside each other, by a table of pairs: the table, and what follows."""

import json
import math
import platform
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fake_target import CONDITIONS, FakeCase, FakeTarget, fake
from playwright.sync_api import Browser, expect
from refusals import refused, told_code
from visit import Visit

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.results import storage
from cyclescope.stats.holm import adjust
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.compare import pair_table
from cyclescope.studies.compare.analyse import compare
from cyclescope.studies.compare.findings import Change, Comparison, Systems, TimeUnit
from cyclescope.studies.compare.pair_table import PairTable
from cyclescope.target.case import Case, Parameter
from cyclescope.target.conditions import Conditions
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

KERNELS = Path(__file__).parent.parent / "firmware" / "kernels"
TABLES = sorted(Path(pair_table.__file__).parent.glob("pairs/*.toml"))
WAITERS = Parameter(name="waiting tasks", unit="task", values=(1, 4, 6, 8, 10, 12, 14, 16))
THREADS = Parameter(name="waiting threads", unit="thread", values=(1, 2, *range(4, 17, 2)))
ROOM = Parameter(name="space", unit="message", values=(1, 4, 16, 32))
UNITS = {"thread": "task", "folder": "name"}
"""Units that mean the same in two systems."""


@cache
def declared(kernel: str) -> set[str]:
    """The cases that the sources of a kernel declare; of the libraries, those of a target."""
    if kernel == "bare":
        return set(catalogue(kernel))
    return {
        f"{function}.{condition}"
        for source in (KERNELS / kernel / "cases").glob("*.c")
        for function, condition in re.findall(r"^TIMED_\w+\((\w+), (\w+)", source.read_text(), re.M)
    }


@cache
def catalogue(kernel: str) -> dict[str, Case]:
    """The cases that a target of the kernel lists."""
    board = "host" if kernel == "posix" else "lpc2148"
    with open_target(Selection(board=board, kernel=kernel)) as target:
        return {case.name: case for case in target.cases()}


# The lab's own tables.


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_every_case_of_both_catalogues_stands_in_a_table_once(path: Path) -> None:
    table = pair_table.read(path, path.stem.split("-"))
    assert table.systems == tuple(path.stem.split("-"))
    for system in table.systems:
        names = declared(system)
        paired = [pair.cases[system] for pair in table.pairs]
        assert set(paired) <= names and len(set(paired)) == len(paired)
        reasoned = {name for name in names if table.reason(system, name)}
        assert reasoned == names - set(paired)
        for one in table.unmatched:
            if one.system == system:
                idle = [g for g in one.cases if not any(pair_table.matches(n, g) for n in names)]
                assert not idle, "patterns that match no case"


def test_freertos_and_posix_have_forty_pairs_or_more() -> None:
    table = pair_table.shipped(("posix", "freertos"))
    assert table is not None and len(table.pairs) >= 40
    sizes = Counter(pair.function_class for pair in table.pairs)
    assert len(sizes) >= 8 and sizes["semaphores"] >= 5 and sizes["mutexes"] >= 5


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="no counter")
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_parameters_of_a_pair_mean_the_same(path: Path) -> None:
    table = pair_table.read(path, path.stem.split("-"))
    for pair in table.pairs:
        cases = {system: catalogue(system)[pair.cases[system]] for system in table.systems}
        swept = {system for system, case in cases.items() if case.parameter}
        if pair.at:
            assert set(pair.at) == swept, pair.does
            for one, x in pair.at.items():
                designed = cases[one].parameter
                assert designed and x in designed.values, f"{pair.does}: is x = {x} measured?"
        elif pair.x or pair.load:
            units = {UNITS.get(p.unit, p.unit) for c in cases.values() if (p := c.parameter)}
            assert len(swept) == 2 and len(units) == 1, pair.does
        else:
            assert not swept, f"{pair.does}: what is x?"


# Comparisons by a table, on targets whose truth is a formula.

TABLE = """
systems = ["freertos", "posix"]
[[pairs]]
class = "semaphores"
does = "takes"
freertos = "take"
posix = "sem_wait"
[[pairs]]
class = "semaphores"
does = "gives"
freertos = "give"
posix = "sem_post"
nearly = "another thread"
[[pairs]]
class = "events"
does = "wakes all"
freertos = "set"
posix = "broadcast"
load = "waiting tasks"
[[pairs]]
class = "events"
does = "makes"
freertos = "create"
posix = "open"
at = { freertos = 16 }
[[unmatched]]
system = "posix"
cases = ["fork*"]
reason = "FreeRTOS has no processes"
"""


def freertos(factor: int = 1) -> list[FakeCase]:
    return [
        fake("take", lambda x, n, i: 100 * factor, function_class="queues"),
        fake("give", lambda x, n, i: 120 * factor, function_class="queues"),
        fake("set", lambda x, n, i: 300 * factor + 10 * x, parameter=WAITERS),
        fake("create", lambda x, n, i: 1000 * factor + 5 * x, parameter=ROOM),
        fake("suspend", lambda x, n, i: 50),
    ]


def posix() -> list[FakeCase]:
    return [
        fake("sem_wait", lambda x, n, i: 240, function_class="semaphores"),
        fake("sem_post", lambda x, n, i: 60, function_class="semaphores"),
        fake("broadcast", lambda x, n, i: 500 + 40 * x, parameter=THREADS),
        fake("open", lambda x, n, i: 2160),
        fake("fork_small", lambda x, n, i: 9000),
        fake("take", lambda x, n, i: 1, function_class="queues"),
    ]


def folder(path: Path, *layouts: Sequence[FakeCase], **changes: object) -> Path:
    under = Conditions.model_validate({**CONDITIONS.model_dump(), **changes})
    targets = [
        FakeTarget(
            cases,
            under.model_copy(update={"layout_number": i, "image_sha256": f"{i:02x}" * 32}),
        )
        for i, cases in enumerate(layouts)
    ]
    collect(targets, TECHNIQUE, Plan(layout_seed=1 if len(layouts) > 1 else None), path)
    return path


def measured(path: Path) -> Characterization:
    return analyse(storage.load(path))


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    return (
        folder(tmp_path / "freertos", freertos()),
        folder(tmp_path / "posix", posix(), kernel="posix"),
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.toml"
    path.write_text(TABLE)
    return path


def compared(first: Path, second: Path, path: Path, unit: TimeUnit = TimeUnit.CYCLES) -> Comparison:
    both = measured(first), measured(second)
    kernels = [side.conditions.kernel for side in both]
    return compare(*both, unit, pair_table.read(path, kernels))


def systems(found: Comparison) -> Systems:
    assert found.systems is not None
    return found.systems


def test_pairs_are_matched_by_the_table_and_by_nothing_else(
    sides: tuple[Path, Path], table: Path
) -> None:
    found = compared(*sides, table)
    assert [pair.name for pair in found.pairs] == [
        "take ~ sem_wait", "give ~ sem_post", "set ~ broadcast", "create ~ open",
    ]  # fmt: skip
    assert [pair.ratio.value for pair in found.pairs[:2]] == [2.4, 0.5]
    (made,) = found.pairs[3].points
    assert (made.means[0].value, made.means[1].value) == (1080, 2160), "create is taken at x = 16"
    assert "A at space = 16" in found.pairs[3].remarks
    assert "nearly: another thread" in found.pairs[1].remarks
    assert [(one.name, one.reason) for one in found.only_second] == [
        ("fork_small", "FreeRTOS has no processes"), ("take", "in no pair of the table"),
    ]  # fmt: skip
    assert [one.name for one in found.only_first] == ["suspend"]


def test_each_pair_counts_once_in_the_mean_of_its_class(
    sides: tuple[Path, Path], table: Path
) -> None:
    semaphores, events = systems(compared(*sides, table)).classes
    assert [mean.value for mean in semaphores.means] == [110, 150]
    assert semaphores.ratio.value == pytest.approx(150 / 110)
    assert semaphores.geometric_mean == pytest.approx(math.sqrt(2.4 * 0.5))
    assert semaphores.wins == (("take ~ sem_wait",), ("give ~ sem_post",))
    assert (semaphores.exchanged, semaphores.orders) == (1, 1), "give is the slower, then take"
    mean_x = sum(WAITERS.values) / len(WAITERS.values)
    assert [mean.value for mean in events.means] == [
        pytest.approx((300 + 10 * mean_x + 1080) / 2),
        pytest.approx((500 + 40 * mean_x + 2160) / 2),
    ]
    assert events.forms == ({"linear": 1}, {"linear": 1}), "create and open have no x in common"
    whole = systems(compared(*sides, table)).whole
    assert [len(names) for names in whole.wins] == [3, 1] and len(whole.timed) == 4


def test_on_one_image_nothing_is_left_to_chance(sides: tuple[Path, Path], table: Path) -> None:
    for one in systems(compared(*sides, table)).classes:
        assert math.isnan(one.p_value) and math.isnan(one.adjusted)
        assert math.isnan(one.ratio.low) and one.ratio.value > 0


def test_growth_is_that_of_one_more_waiting_task(sides: tuple[Path, Path], table: Path) -> None:
    (grows,) = systems(compared(*sides, table)).dependences
    assert (grows.over, grows.is_load, grows.ends) == ("waiting tasks", True, (1, 16))
    assert grows.growth == (pytest.approx(10), pytest.approx(40))


def test_growth_by_objects_made_before_is_in_the_unit_of_times(tmp_path: Path, table: Path) -> None:
    first = [fake("take", lambda x, n, i: 100 + 3 * n, load=True)]
    second = [fake("sem_wait", lambda x, n, i: 200 + 6 * n, load=True)]
    fast = {"kernel": "posix", "core_hz": 120_000_000, "timer_hz": 120_000_000}
    both = folder(tmp_path / "a", first), folder(tmp_path / "b", second, **fast)
    for unit, growth in ((TimeUnit.CYCLES, (3, 6)), (TimeUnit.MICROSECONDS, (0.05, 0.05))):
        (grows,) = systems(compared(*both, table, unit)).dependences
        assert grows.growth == pytest.approx(growth) and grows.is_load and grows.ends is None
    one = folder(tmp_path / "c", posix(), kernel="posix")
    (grows,) = (
        each for each in systems(compared(both[0], one, table)).dependences if each.ends is None
    )
    assert grows.growth[0] == pytest.approx(3) and math.isnan(grows.growth[1])


def test_the_other_order_gives_the_inverse(sides: tuple[Path, Path], table: Path) -> None:
    there, back = compared(*sides, table), compared(*reversed(sides), table)
    for one, other in zip(systems(there).classes, systems(back).classes, strict=True):
        assert one.ratio.value == pytest.approx(1 / other.ratio.value)
        assert len(one.wins[0]) == len(other.wins[1]) and one.exchanged == other.exchanged
    assert back.pairs[0].name == "sem_wait ~ take" and back.pairs[0].change is Change.FASTER
    assert systems(there).kendall_tau == systems(back).kendall_tau
    signs = [
        (a[0] - b[0]) * (a[1] - b[1]) > 0
        for i, a in enumerate(_times(there))
        for b in _times(there)[:i]
    ]
    assert systems(there).kendall_tau == pytest.approx((2 * sum(signs) - len(signs)) / len(signs))


def _times(found: Comparison) -> list[tuple[float, float]]:
    def mean(pair: Any, side: int) -> float:
        return float(sum(point.means[side].value for point in pair.points) / len(pair.points))

    return [(mean(pair, 0), mean(pair, 1)) for pair in found.pairs]


def test_over_layouts_a_class_has_an_interval_and_a_test(tmp_path: Path, table: Path) -> None:
    def near(cases: list[FakeCase], by: int) -> list[FakeCase]:
        return [FakeCase(one.case, lambda x, n, i, f=one.net: f(x, n, i) + by) for one in cases]

    first = folder(tmp_path / "a", *(near(freertos(), by) for by in (0, 4, 1, 3)))
    second = folder(tmp_path / "b", *(near(posix(), by) for by in (2, 0, 5, 1)), kernel="posix")
    semaphores, events = systems(compared(first, second, table)).classes
    for one in (semaphores, events):
        assert one.ratio.low < one.ratio.value < one.ratio.high
        assert one.p_value <= one.adjusted < 0.05
    p_values = [semaphores.p_value, events.p_value]
    assert [semaphores.adjusted, events.adjusted] == adjust(p_values) != p_values
    assert semaphores.means[0].value == pytest.approx(112)
    errors = {pair.points[0].means[0].standard_error
              for pair in compared(first, second, table).pairs}  # fmt: skip
    assert semaphores.means[0].standard_error == pytest.approx(errors.pop()), (
        "errors that hang together do not cancel"
    )


def test_two_boards_are_warned_of(tmp_path: Path, sides: tuple[Path, Path], table: Path) -> None:
    other = folder(
        tmp_path / "host", posix(), kernel="posix", board="host", core_hz=120_000_000,
        timer_hz=120_000_000,
    )  # fmt: skip
    assert compared(*sides, table).warnings == ()
    found = compared(sides[0], other, table, TimeUnit.MICROSECONDS)
    assert "boards differ" in found.warnings[0] and "clocks differ" in found.warnings[1]
    assert systems(found).classes[0].means[1].value == pytest.approx(150 / 120)
    assert systems(found).dependences[0].growth[1] == pytest.approx(40 / 120)


# Reports.


def test_the_terminal_answers_in_forty_lines(
    sides: tuple[Path, Path], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["compare", *map(str, sides), "--pairs", str(table)]
    for full in ([], ["--full"]):
        assert execute([*command, *full]) == 0
        lines = capsys.readouterr().out.splitlines()[2:]
        assert max(map(len, lines)) <= 80
        assert re.search(r"^semaphores +2 +110 +150 +1\.36", "\n".join(lines), re.M)
        assert full or len(lines) <= 40


def test_json_names_both_cases_of_a_pair(
    sides: tuple[Path, Path], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["compare", *map(str, sides), "--pairs", str(table), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    made = document["cases"][1]
    assert (made["name"], made["counterpart"]["name"]) == ("give", "sem_post")
    assert made["pairing"]["nearly"] == "another thread"
    assert document["systems"]["classes"][0]["means"] == [110, 150]
    assert document["systems"]["classes"][0]["p_value"] is None
    assert [one["name"] for one in document["only_first"]] == ["suspend"]


def test_a_case_brings_its_counterpart(
    sides: tuple[Path, Path], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["compare", *map(str, sides), "--pairs", str(table), "--json", "--case"]
    for asked, pairs in (("give", ["give"]), ("sem_*", ["take", "give"]), ("suspend", [])):
        assert execute([*command, asked]) == (0 if pairs else 1)
        document = json.loads(capsys.readouterr().out)
        assert [one["name"] for one in document.get("cases", [])] == pairs


def test_results_of_one_kernel_have_no_systems(
    sides: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["compare", str(sides[0]), str(sides[0]), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert "systems" not in document and "pairing" not in document["cases"][0]


def test_the_page_shows_classes_and_opens_a_pair(
    sides: tuple[Path, Path], table: Path, tmp_path: Path, browser: Browser
) -> None:
    path = tmp_path / "page.html"
    assert execute(
        ["compare", *map(str, sides), "--pairs", str(table), "--report", str(path)]
    ) == 0  # fmt: skip
    visit = Visit(browser, path)
    page = visit.page
    expect(page.locator("h2", has_text="Two operating systems")).to_have_count(1)
    expect(page.locator("h2", has_text="Platform ratio")).to_have_count(0)
    page.locator(".ratios a", has_text="give ~ sem_post").click()
    page.locator("[id='case-give~sem_post'] th button").click()
    expect(page.locator("[id='more-give~sem_post']")).to_contain_text("nearly: another thread")
    assert visit.complaints == [] and visit.requests == [path.as_uri()]
    for width in (400, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        assert visit.overflowing() == []


# Tables of users.


def test_bad_tables_are_one_sentence(
    sides: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = '[[pairs]]\nclass = "c"\ndoes = "waits"\nfreertos = "take"\nposix = "sem_wait"\n'
    head = 'systems = ["freertos", "posix"]\n'
    path = tmp_path / "bad.toml"
    for text, names in {
        "systems = [": ["at end of document"],
        head: ["pairs", "required"],
        f"{head}{pair}{pair}": ["take of freertos is in 2 pairs"],
        f"{head}{pair.replace('posix', 'linux')}": ["waits", "linux"],
        f"{head}{pair}maybe = 3\n": ["maybe instead of freertos and posix"],
        f'{head}{pair}x = "bytes"\nload = "tasks"\n': ["one of x, load and at"],
        f"{head}{pair}at = {{ linux = 3 }}\n": ["at of another kernel"],
        f'{head}{pair}[[unmatched]]\nsystem = "posix"\ncases = ["sem_*"]\nreason = "r"\n': [
            "sem_wait of posix", "among the unmatched",
        ],
    }.items():  # fmt: skip
        path.write_text(text)
        command = ["compare", *map(str, sides), "--pairs", str(path)]
        assert told_code(command, capsys, naming=[path, *names]) == "not-a-table-of-pairs"
    path.write_bytes(b"\xff")
    with refused("not-a-table-of-pairs", naming=["UTF-8"]):
        pair_table.read(path, ("freertos", "posix"))
    with refused("cyclescope-error", naming=["nowhere.toml"]):
        pair_table.read(tmp_path / "nowhere.toml", ("freertos", "posix"))


def test_a_table_of_other_kernels_or_of_no_result_is_refused(
    sides: tuple[Path, Path], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = ["compare", str(sides[0]), str(sides[0]), "--pairs", str(table)]
    assert told_code(same, capsys, naming=["freertos with posix"]) == "pairs-of-other-kernels"
    table.write_text(re.sub('"(sem_wait|sem_post|broadcast|open)"', '"no_\\1"', TABLE))
    none = ["compare", *map(str, sides), "--pairs", str(table)]
    assert told_code(none, capsys, naming=["4 pairs"]) == "no-pair-in-both"


def test_a_counterpart_that_was_not_measured_is_named(
    sides: tuple[Path, Path], tmp_path: Path, table: Path
) -> None:
    few = folder(tmp_path / "few", posix()[1:], kernel="posix")
    reasons = {one.name: one.reason for one in compared(sides[0], few, table).only_first}
    assert reasons["take"] == "its counterpart sem_wait not measured there"


def test_where_no_x_is_common_the_x_that_both_take_are_named(
    sides: tuple[Path, Path], tmp_path: Path, table: Path
) -> None:
    apart = {"values": (3, 5, 30), "domain": {"first": 1, "last": 30}}
    threads = Parameter.model_validate({"name": "threads", "unit": "thread", **apart})
    other = [fake("broadcast", lambda x, n, i: 500 + 40 * x, parameter=threads)]
    (pair,) = compared(sides[0], folder(tmp_path / "b", other, kernel="posix"), table).pairs
    assert pair.problem == "no x in common: measure both with --at 1,4,6,8,10,12,14,16"


def test_only_results_of_characterize_take_a_table(table: Path) -> None:
    from cyclescope.results.result_type import Asked
    from cyclescope.studies.realtime.comparing import COMPARISONS
    from cyclescope.studies.realtime.results import FORMAT_NAME

    with refused("option-not-for-realtime"):
        COMPARISONS[FORMAT_NAME](table, table, Asked(pairs=table))


def test_a_copy_of_the_labs_table_gives_the_same(tmp_path: Path) -> None:
    copy = tmp_path / "mine.toml"
    copy.write_bytes(pair_table.SHIPPED.joinpath("freertos-posix.toml").read_bytes())
    own: PairTable | None = pair_table.shipped(("freertos", "posix"))
    assert pair_table.read(copy, ("posix", "freertos")) == own
    assert pair_table.shipped(("freertos", "nothing")) is None
