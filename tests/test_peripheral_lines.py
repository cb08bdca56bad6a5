"""Reports of transfers over both lines, from a serial transfer that was recorded once."""

from pathlib import Path
from typing import Any

import pytest
from recorded_transfer import documents, study

from cyclescope.results import result_type
from cyclescope.studies.peripheral import results
from cyclescope.studies.peripheral.kermit.origins import ByteOrigin
from cyclescope.studies.peripheral.report import page
from cyclescope.studies.peripheral.report.beside import beside
from cyclescope.studies.peripheral.report.measured import measured
from cyclescope.studies.peripheral.report.sections import lines
from cyclescope.studies.peripheral.setting import (
    Direction,
    LineDriver,
    LineType,
    TransferSetting,
)
from cyclescope.wire.infrared import ORIGINS

FIRST = TransferSetting(size=100)
INFRARED = FIRST.model_copy(update={"line": LineType.INFRARED})


def with_instructions(factor: int) -> dict[str, Any]:
    """The recorded documents as of a line whose bytes cost so many times as much."""
    found = documents()
    steady = found["load"]["steady"]
    for one in (steady["active"], *steady["classes"]):
        for key in ("instructions_per_byte", "instructions_per_payload_byte"):
            one[key] *= factor
    return found


def test_both_lines_stand_beside_each_other(tmp_path: Path) -> None:
    folder = study(tmp_path, [FIRST, INFRARED], {INFRARED.name: with_instructions(3)})
    html = result_type.of(folder).analyse(folder).page()
    assert html.count("<h2>") == len(page.SECTIONS) + 3
    assert "Serial line and infrared beside each other" in html
    both = lines.pair(measured(results.load(folder)))
    assert both is not None
    assert [one.setting.line for one in both.values()] == list(LineType)
    rows = {one.name: one for one in lines.rows(both)}
    row = rows["active instructions per byte on the wire"]
    assert row.infrared is not None and row.serial is not None
    assert row.infrared == 3 * row.serial
    assert row.texts[3] == "3.00"
    assert row.stated == (222.8, 117.9)
    assert "the ranking is one in both" in lines.verdict(both)


def test_the_papers_own_ranking_is_another_in_each_unit() -> None:
    per_byte, per_file_byte = map(lines.papers_instructions, lines.PER)
    assert per_byte[LineType.INFRARED] < per_byte[LineType.SERIAL]
    assert per_file_byte[LineType.INFRARED] > per_file_byte[LineType.SERIAL]


def test_the_ranking_is_another_if_one_unit_says_so(tmp_path: Path) -> None:
    changed = with_instructions(2)
    changed["load"]["steady"]["active"]["instructions_per_byte"] /= 8
    both = lines.pair(
        measured(results.load(study(tmp_path, [FIRST, INFRARED], {INFRARED.name: changed})))
    )
    assert both is not None
    assert "the ranking is another in each unit" in lines.verdict(both)


@pytest.mark.parametrize(
    "other",
    [{"size": 200}, {"direction": Direction.UPLOAD}, {"driver": LineDriver.PIO}, {"seed": 3}],
)
def test_lines_with_other_files_are_not_compared(other: dict[str, Any], tmp_path: Path) -> None:
    folder = study(tmp_path, [FIRST, INFRARED.model_copy(update=other)])
    assert lines.pair(measured(results.load(folder))) is None


def test_overhead_by_the_papers_origins_is_all_of_it(tmp_path: Path) -> None:
    (one,) = measured(results.load(study(tmp_path, [FIRST])))
    document = one.documents["overhead"]
    overhead = 100 * (document["overhead_bytes"] + document["saved_bytes"]) / 100
    assert sum(lines.categories(one).values()) == pytest.approx(overhead)
    known = {origin for some in lines.CATEGORIES.values() for origin in some}
    assert {*ByteOrigin, *ORIGINS} - known == {"payload"}


def test_numbers_of_infrared_stand_beside_those_of_the_paper(tmp_path: Path) -> None:
    found = beside(measured(results.load(study(tmp_path, [FIRST, INFRARED]))))
    infrared = {one.name: one for one in found if one.line is LineType.INFRARED}
    assert infrared["active"].stated.value == 118
    assert infrared["active"].label.startswith("infrared: ")
    assert {one.stated.value for one in found if one.name == "active"} == {222, 118}
