"""The proposals with IrDA under FreeRTOS: each setting moves the identical file."""

import tomllib
from functools import cache
from typing import Any

import pytest
from refusals import refused

from cyclescope.firmware.boards import path_of
from cyclescope.studies.proposals import stations
from cyclescope.studies.proposals.ablation import (
    ABLATIONS,
    BYTE_STATION,
    LENT_STATION,
    SENDING,
    SMALL_STATION,
    STATION,
    changed,
    chosen,
)
from cyclescope.studies.proposals.declared import DECLARED, FOLDER, REAL, board_of
from cyclescope.studies.proposals.frame_latency import frame_latency
from cyclescope.studies.proposals.results import planned
from cyclescope.studies.proposals.setting import (
    FileSetting,
    InterruptEntry,
    ReceivedBy,
    SentBy,
    StationRole,
    StationSetting,
)
from cyclescope.wire.infrared import wrapped

FILE = FileSetting(size=600)
FRAMES = 12
"""Frames of the sender from its first content on: ten with content, the end, one that asks."""
FRAMING_FJ, REGISTER_FJ = 91_667, 400_000
FAST = changed(BYTE_STATION, entry=InterruptEntry.FIQ)
FRAMED = changed(LENT_STATION, receive=ReceivedBy.FRAME)
SETTINGS = [one for one in planned(ABLATIONS) if isinstance(one, StationSetting)]


@cache
def measured(setting: StationSetting) -> dict[str, Any]:
    return stations.measure(setting, FILE)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_every_setting_moves_the_identical_file_and_counts_add_up(setting: StationSetting) -> None:
    found = measured(setting)
    assert found["identical"] and not found["unmodelled"]
    receives = setting.role is StationRole.RECEIVER
    assert found["bytes"] == measured(STATION if receives else SENDING)["bytes"]
    spent = sum(part["cycles"]["count"] for part in found["load"]["parts"].values())
    assert spent + found["load"]["asleep_cycles"] == found["load"]["cycles"]
    assert found["real"] == (board_of(setting) == REAL) == (not found["declared"])
    lengths = [length for length, _ in found["transfers"]["to_memory"]["lengths"]]
    assert max(lengths, default=0) <= setting.buffer
    assert bool(lengths) == (setting.receive is ReceivedBy.PDC)
    if receives:
        assert found["latency"]["line_to_application"]["n"] == FRAMES


def test_fewer_than_all_octets_reach_no_stack_without_a_word() -> None:
    octets = list(enumerate(wrapped(b"\x19\x10data") + wrapped(b"\x18\x11")))
    found = frame_latency(octets, [20])
    assert found["line_to_application"]["max"] == 11
    assert found["line_to_answer"]["max"] == 6
    with refused("frames-do-not-match"):
        frame_latency(octets, [])


def test_each_receiver_interacts_as_it_says() -> None:
    by_octet = measured(BYTE_STATION)
    heard = by_octet["bytes"]["wire"]
    assert by_octet["interrupts"]["usart1.interrupt"] == by_octet["accesses"]["line_data"] == heard
    polled = measured(changed(BYTE_STATION, receive=ReceivedBy.POLL))
    assert "usart1.interrupt" not in polled["interrupts"] and not polled["load"]["asleep_cycles"]
    framed = measured(FRAMED)
    answers = framed["latency"]["line_to_answer"]["n"]
    assert framed["interrupts"]["usart1.interrupt"] == FRAMES + answers
    by_pdc = measured(LENT_STATION)
    blocks = [by_pdc["transfers"][way]["number"] for way in ("to_memory", "from_memory")]
    assert by_pdc["interactions"] == sum(blocks) and min(blocks) > 0


def test_a_sender_interrupts_for_each_octet_and_does_not_hear_itself() -> None:
    by_octet, by_pdc = measured(SENDING), measured(changed(SENDING, send=SentBy.PDC))
    sent, came = by_octet["bytes"]["from_board"], by_octet["bytes"]["to_board"]
    assert by_octet["accesses"]["registers"]["US_THR"] == sent
    assert by_octet["accesses"]["registers"]["US_RHR"] == came
    assert by_octet["interrupts"]["usart1.interrupt"] == sent + came
    entries = {one["function"]: one for one in by_octet["load"]["functions"]}
    driver = by_octet["load"]["parts"]["driver"]["instructions"]["count"]
    assert driver > sum(
        entries[name]["instructions"] for name in ("line_entered", "send_entered", "line_lend")
    )
    assert by_pdc["transfers"]["from_memory"]["bytes"] == sent
    assert by_pdc["accesses"]["registers"]["US_RHR"] == sent + came


def test_support_by_the_processor_is_at_the_device_sooner_and_costs_less() -> None:
    for key in ("byte", "sending", "pdc"):
        (one,) = chosen([f"infrared-processor-{key}"])
        base = measured(one.base)
        for image in one.others:
            if image.receive is not ReceivedBy.POLL:
                found, stage = measured(image), "request_to_device"
                assert found["latency"][stage]["q50"] < base["latency"][stage]["q50"]
    for base in (BYTE_STATION, SENDING):
        faster = [changed(base, entry=one) for one in (InterruptEntry.CONTEXT, InterruptEntry.FIQ)]
        cycles = [measured(one)["load"]["active_cycles"]["count"] for one in (base, *faster)]
        assert cycles == sorted(cycles, reverse=True) and len(set(cycles)) == len(cycles)


def test_a_station_for_a_declared_board_fails_on_the_real_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stations, "board_of", lambda setting: REAL)
    monkeypatch.setattr(stations, "PATIENCE_AS", 3 * 10**18)
    for one in (FAST, FRAMED):
        with refused("stations-stopped"):
            stations.measure(one, FILE)


def test_a_device_that_frames_hands_over_content_alone() -> None:
    framed, base = measured(FRAMED), measured(LENT_STATION)
    names = {one["function"] for one in framed["load"]["functions"]}
    assert not {"sir_receive", "sir_send"} & names
    assert framed["transfers"]["to_memory"]["bytes"] < base["transfers"]["to_memory"]["bytes"]
    for what in ("line_to_application", "line_to_answer"):
        assert framed["latency"][what]["max"] < base["latency"][what]["max"]


def test_a_silence_ends_a_block() -> None:
    """The buffers would hold several frames, and the medium is silent between windows."""
    lengths = measured(LENT_STATION)["transfers"]["to_memory"]["lengths"]
    assert sum(number for _, number in lengths) > 2 and lengths[0][0] < LENT_STATION.buffer
    each = measured(changed(LENT_STATION, time_out=8))["transfers"]["to_memory"]["lengths"]
    assert each[0][0] == 1


def test_energy_that_is_declared_is_the_boards_and_more() -> None:
    real = tomllib.loads(path_of(REAL).read_text())["energy"]
    for name in DECLARED:
        declared = tomllib.loads((FOLDER / f"{name}.toml").read_text()).get("energy", real)
        extra = [one for one in declared["access"] if one not in real["access"]]
        assert {**declared, "access": real["access"], "clocked": []} == {**real, "clocked": []}
        assert len(extra) + len(declared.get("clocked", [])) <= 1
    framed = measured(FRAMED)
    interval = framed["interval_cycles"]
    charged = framed["energy"]["declared_nj"]["count"] * 1e6
    assert charged == pytest.approx((interval[1] - interval[0]) * FRAMING_FJ, rel=1e-3)
    assert measured(LENT_STATION)["energy"]["declared_nj"]["count"] == 0
    moved = measured(chosen(["infrared-processor-byte"])[0].others[-1])
    register_accesses = moved["accesses"]["targets"]["usart1"]["count"]
    assert moved["energy"]["declared_nj"]["count"] * 1e6 >= register_accesses * REGISTER_FJ


def test_a_lent_buffer_saves_one_copy_of_each_octet() -> None:
    copied, lent = (measured(one) for one in (STATION, LENT_STATION))
    saved = copied["copies"]["per_received_byte"] - lent["copies"]["per_received_byte"]
    assert saved == pytest.approx(1, abs=0.01)
    cycles = [one["load"]["active_cycles"]["count"] for one in (copied, lent)]
    assert cycles[1] < cycles[0]


def test_larger_buffers_interact_less_and_cost_less() -> None:
    found = [measured(changed(SMALL_STATION, buffer=size)) for size in (16, 32, 64, 128)]
    for values in (
        [one["interactions"] for one in found],
        [one["load"]["active_cycles"]["count"] for one in found],
    ):
        assert values == sorted(values, reverse=True) and len(set(values)) == len(values)


def test_two_runs_are_equal() -> None:
    assert stations.measure(LENT_STATION, FILE) == measured(LENT_STATION)


def test_stations_that_move_nothing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stations, "PATIENCE_AS", 10**17)
    with refused("stations-stopped"):
        stations.measure(STATION, FILE)


@pytest.mark.parametrize("entry", InterruptEntry)
def test_a_ring_begins_again_at_its_end(entry: InterruptEntry) -> None:
    found = stations.measure(changed(BYTE_STATION, entry=entry), FileSetting(size=2500))
    assert found["identical"] and found["bytes"]["wire"] > 2048
