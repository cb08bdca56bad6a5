"""Reports of transfers over both lines, from a serial transfer that was recorded once."""

from pathlib import Path
from typing import Any

import pytest
from recorded_transfer import documents, study
from refusals import told_code

from cyclescope.results import result_type
from cyclescope.studies.peripheral import results
from cyclescope.studies.peripheral.choices import Direction, LineDriver, LineType
from cyclescope.studies.peripheral.infrared import stations
from cyclescope.studies.peripheral.kermit.origins import ByteOrigin
from cyclescope.studies.peripheral.report import matrix, page
from cyclescope.studies.peripheral.report.beside import beside
from cyclescope.studies.peripheral.report.measured import measured
from cyclescope.studies.peripheral.report.sections import lines
from cyclescope.studies.peripheral.setting import TransferSetting
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


def test_conditions_name_the_protocol_of_each_line(tmp_path: Path) -> None:
    def of(*settings: TransferSetting) -> dict[str, str]:
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        return dict(matrix.conditions(results.load(study(folder, settings))))

    assert of(FIRST)["packets"] == "up to 94 characters"
    assert "frames" not in of(FIRST)
    both = of(FIRST, INFRARED.model_copy(update={"frame": 256, "window": 3}))
    assert both["packets"] == of(FIRST)["packets"]
    assert both["frames"] == "up to 256 bytes of data, window 3, 10 ms before an answer"
    assert "packets" not in of(INFRARED)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--line", "infrared", "--frame", "100"], "no-such-frame"),
        (["--line", "infrared", "--baud", "230400"], "no-such-infrared-baud"),
        (["--line", "infrared", "--packet", "200"], "option-of-another-line"),
        (["--line", "infrared", "--streaming"], "option-of-another-line"),
        (["--frame", "128"], "option-of-another-line"),
        (["--window", "1"], "option-of-another-line"),
        (["--turnaround", "1"], "option-of-another-line"),
        (["--offset", "5"], "option-of-another-line"),
    ],
)
def test_lines_that_cannot_be_had(
    options: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["peripheral", "--out", str(tmp_path / "r"), *options]
    assert told_code(command, capsys) == code
    assert not (tmp_path / "r").exists()


def test_stations_offer_what_the_setting_says() -> None:
    """Bits as lap_abilities.h has them: speeds, sizes from 64 bytes, windows."""
    assert stations.abilities(INFRARED) == "speeds=3e sizes=1 windows=7f"
    other = INFRARED.model_copy(update={"frame": 2048, "window": 1, "baud": 9600})
    assert stations.abilities(other) == "speeds=2 sizes=3f windows=1"
    assert "send=/etc/file.bin" in stations.script(INFRARED, sends=True)
    assert "receive=file.bin" in stations.script(INFRARED, sends=False)
