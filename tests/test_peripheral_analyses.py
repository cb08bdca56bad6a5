"""Analyses of a real transfer under Linux: their sums are what the engine itself counted."""

from pathlib import Path
from typing import Any

import pytest
from linux_session import needs_linux

from cyclescope.studies.peripheral import transfer
from cyclescope.studies.peripheral.analyses.rules import read_rules
from cyclescope.studies.peripheral.analysis import chosen
from cyclescope.studies.peripheral.choices import Direction, LineDriver
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer

pytestmark = needs_linux
OURS = ("load", "stacks", "accesses", "energy")
MOST_UNATTRIBUTED = 0.01


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    return transfer.record(TransferSetting(size=300), tmp_path_factory.mktemp("measured"))


@pytest.fixture(scope="module")
def documents(measured: Transfer) -> dict[str, dict[str, Any]]:
    return {name: one.analyse(measured) for name, one in chosen(OURS).items()}


def test_classes_have_every_instruction_and_cycle_of_the_board(
    measured: Transfer, documents: dict[str, dict[str, Any]]
) -> None:
    for interval in ("steady", "whole"):
        found = documents["load"][interval]
        instructions = sum(one["instructions"] for one in found["classes"])
        assert instructions == found["instructions"] == found["board_instructions"]
        separate = ("entry_cycles", "transfer_wait_cycles", "asleep_cycles")
        cycles = sum(one["cycles"] for one in found["classes"]) + sum(found[k] for k in separate)
        since, until = found["interval_cycles"]
        assert cycles == found["cycles"] == until - since
        other = next(one for one in found["classes"] if one["class"] == "other")
        assert other["cycles"] < MOST_UNATTRIBUTED * found["active"]["cycles"]
    steady = documents["load"]["steady"]
    by_name = {one["class"]: one for one in steady["classes"]}
    for name in ("application", "char", "kernel", "fs", "idle"):
        assert by_name[name]["instructions"] > 0
    assert documents["load"]["whole"]["bytes"]["wire"] == len(measured.wire)


def test_stacks_have_the_same_instructions_and_cycles(
    documents: dict[str, dict[str, Any]],
) -> None:
    found, steady = documents["stacks"], documents["load"]["steady"]
    entries = {one["entry"]: one for one in found["entries"]}
    assert sum(one["inclusive_instructions"] for one in entries.values()) == steady["instructions"]
    slept = sum(one["inclusive_asleep_cycles"] for one in entries.values())
    cycles = sum(one["inclusive_cycles"] for one in entries.values())
    assert (cycles + slept, slept) == (steady["cycles"], steady["asleep_cycles"])
    assert sum(int(one.rsplit(" ", 1)[1]) for one in found["folded"]) == found["cycles"]
    for entry in entries.values():
        assert _sum(entry) == entry["inclusive_cycles"]
    functions = {entry: _names(tree) for entry, tree in entries.items()}
    assert {"atmel_interrupt", "handle_softirqs"} <= functions["interrupt"]
    assert {"vector_swi", "n_tty_read", "tty_write"} <= functions["call"]
    assert {"main", "n_tty_receive_buf_common"} <= functions["program"]
    assert "n_tty_read" not in functions["interrupt"] | functions["program"]


def _sum(tree: dict[str, Any]) -> int:
    return tree["cycles"] + sum(map(_sum, tree["children"]))


def _names(tree: dict[str, Any]) -> set[str]:
    return {tree["name"]}.union(*map(_names, tree["children"]))


def test_the_pdc_moved_the_bytes_of_the_wire(
    measured: Transfer, documents: dict[str, dict[str, Any]]
) -> None:
    found = documents["accesses"]
    outcome = measured.record.outcome
    moved = {one["direction"]: one for one in found["whole_transfers"]}
    assert moved["to memory"]["bytes"] == outcome.bytes_to_board
    assert moved["from memory"]["bytes"] == outcome.bytes_from_board
    widths = sum(one["accesses"] for one in found["widths"].values())
    assert widths == found["data_accesses"] == sum(one["accesses"] for one in found["classes"])
    line = next(one for one in found["devices"] if one["device"] == "usart1")
    assert sum(one["accesses"] for one in found["registers"]) == line["accesses"]
    assert found["control_accesses"] == line["accesses"], "the PDC moves all data"


def test_the_pdc_moved_the_bytes_of_an_upload_too(tmp_path: Path) -> None:
    setting = TransferSetting(size=100, direction=Direction.UPLOAD)
    measured = transfer.record(setting, tmp_path)
    found = chosen(["accesses"])["accesses"].analyse(measured)
    moved = [one["bytes"] for one in found["whole_transfers"]]
    outcome = measured.record.outcome
    assert moved == [outcome.bytes_to_board, outcome.bytes_from_board]
    assert moved[1] > 100


def test_energy_is_the_meters_and_its_cycles_are_the_interval(
    documents: dict[str, dict[str, Any]],
) -> None:
    found, steady = documents["energy"], documents["load"]["steady"]
    since, until = found["interval_cycles"]
    assert sum(one["cycles"] for one in found["classes"]) == until - since == steady["cycles"]
    classes = sum(one["energy_fj"] for one in found["classes"])
    assert classes == found["total_fj"] == sum(found["terms_fj"].values())
    assert found["terms_fj"]["sleep"] > 0 and found["unverified_rules"]
    by_class = {one["class"]: 0 for one in found["classes"]}
    for one in found["classes"]:
        by_class[one["class"]] += one["cycles"]
    char = next(one for one in steady["classes"] if one["class"] == "char")
    separate = steady["entry_cycles"] + steady["transfer_wait_cycles"]
    assert 0 <= by_class["char"] - char["cycles"] <= separate


def test_terminal_lines_fit(documents: dict[str, dict[str, Any]]) -> None:
    for name, one in chosen(OURS).items():
        assert all(len(line) <= 100 for line in one.lines(documents[name])), name


def test_rules_of_a_user_name_the_classes(measured: Transfer, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[[class]]\nname = "uart"\n[[rule]]\nclass = "uart"\nsubclass = "all"\n'
        'files = ["drivers/tty/serial/*"]\n'
    )
    load = chosen(["load"])["load"].ruled(read_rules(file, charge_callers=False))
    found = load.analyse(measured)
    assert [one["class"] for one in found["steady"]["classes"]] == ["uart", "other"]
    assert found["rules"]["file"] == "mine.toml"
    steady = found["steady"]
    assert sum(one["instructions"] for one in steady["classes"]) == steady["board_instructions"]


def test_a_transfer_by_pio_has_an_interaction_for_each_byte_sent(tmp_path: Path) -> None:
    setting = TransferSetting(size=100, driver=LineDriver.PDC_RECEIVE)
    found = chosen(["accesses"])["accesses"].analyse(transfer.record(setting, tmp_path))
    groups = {one["group"]: one for one in found["registers"]}
    sent = groups["data to transmit"]["writes"]
    received = next(one for one in found["transfers"] if one["direction"] == "to memory")
    in_usart = 2
    assert abs(sent - found["bytes"]["from_board"]) <= in_usart < sent
    assert found["interactions"] == received["number"] + sent
