"""Infrared lines: frames from octets, fields from frames, and tshark's word on both."""

import struct
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from infrared_frames import IRDADUMP, PHONES, conversation, judged, line, needs_tshark
from refusals import refused

from cyclescope.wire.infrared import (
    ORIGINS,
    SentOctet,
    bytes_by_origin,
    fcs,
    frames,
    packets,
    tshark,
    wrapped,
    write_pcap,
)
from cyclescope.wire.infrared.irlap import lap_frame
from cyclescope.wire.infrared.irlmp import lmp_frame
from cyclescope.wire.infrared.tshark import judge, run_tshark

ROOT = Path(__file__).parents[1]


def octets(data: bytes, sender: int = 0) -> list[SentOctet]:
    return [SentOctet(at, sender, value) for at, value in enumerate(data)]


def test_check_sequence_has_the_published_value() -> None:
    """CRC-16/X.25 of the catalogue of CRC algorithms."""
    assert fcs(b"123456789") == 0x906E


@pytest.mark.parametrize("text", PHONES)
def test_recorded_frames_of_phones_are_sound(text: str) -> None:
    (frame,) = frames(octets(bytes.fromhex(text)))
    assert frame.content is not None
    assert wrapped(frame.content) == bytes.fromhex(text)


@pytest.mark.parametrize("text", PHONES)
def test_each_wrong_bit_of_a_recorded_frame_damages_it(text: str) -> None:
    whole = bytes.fromhex(text)
    for bit in range(8, 8 * len(whole) - 8):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        found = frames(octets(bytes(changed)))
        assert all(one.content is None for one in found), bit
        assert sum(len(one.lead) + len(one.wire) for one in found) == len(whole)


@pytest.mark.parametrize(("text", "kind", "command", "nr", "ns", "mux"), IRDADUMP)
def test_fields_are_those_of_irdadump(
    text: str, kind: str, command: int, nr: int, ns: int, mux: tuple[int, int, int | None]
) -> None:
    lap = lap_frame(bytes.fromhex(text))
    assert (lap.kind, lap.command, lap.nr, lap.ns) == (kind, command, nr, ns)
    assert lap.address == 0x1E >> 1 and lap.poll_final
    lmp = lmp_frame(lap.information)
    assert (lmp.destination, lmp.source, lmp.opcode) == mux


def test_every_octet_belongs_to_one_frame() -> None:
    """Noise, flags of both kinds, a frame that breaks off, an abort, and an end without 0xC1."""
    sound = wrapped(bytes.fromhex("4711"))
    data = b"\x00\xff\xff\xc0\xc0" + sound + b"\xc0\x47\x10" + sound + b"\xc0\x47\x7d\xc1\xc0\x11"
    found = frames(octets(data))
    assert b"".join(one.lead + one.wire for one in found) == data
    assert [one.content is None for one in found] == [False, True, False, True, True]
    assert (found[0].xbofs, found[0].strays) == (4, 1)


def test_stuffing_is_undone_and_counted() -> None:
    content = bytes.fromhex("4730 0502 00 c0 c1 7d ff 5d")
    (frame,) = frames(octets(wrapped(content, xbofs=2)))
    assert (frame.content, frame.escapes, frame.xbofs) == (content, 3, 2)


def test_frames_of_two_senders_are_in_order() -> None:
    found = line([(0, b"\x47\x11"), (1, b"\x46\x11"), (0, b"\x47\x31")])
    assert [one.sender for one in found] == [0, 1, 0]
    assert all(one.begin_ns < one.end_ns for one in found)
    assert [one.begin_ns for one in found] == sorted(one.begin_ns for one in found)


def test_layers_of_a_connect_of_tinytp() -> None:
    """Of the conversation's confirm: initial credits and the largest unit that is received."""
    ttp = next(
        one.ttp for one in packets(line(conversation())) if one.ttp and one.ttp.max_sdu_bytes
    )
    assert (ttp.connects, ttp.flag, ttp.credit, ttp.max_sdu_bytes) == (True, True, 7, 0x400)


def test_origins_add_up_and_name_repeated_frames() -> None:
    """The conversation repeats no frame; the same frame again is a retransmission, whole."""
    sent = conversation()
    found = line(sent)
    counts = bytes_by_origin(packets(found))
    for sender in (0, 1):
        assert set(counts[sender]) <= set(ORIGINS)
        own = [one for one in found if one.sender == sender]
        assert counts[sender].total() == sum(len(one.lead) + len(one.wire) for one in own)
    assert counts[0]["retransmission"] == 0
    assert counts[0]["file information"] == 5
    again = next(at for at, (_, content) in enumerate(sent) if content.hex() == "47580502006c65")
    sent.insert(again + 1, sent[again])
    assert bytes_by_origin(packets(line(sent)))[0]["retransmission"] == len(found[again].wire) + 3


def test_no_octets_break_the_reader() -> None:
    """Sound frames of random content, and noise: each octet is counted, faults are sentences."""
    random = Random(1)
    contents = [(at % 2, random.randbytes(random.randrange(2, 40))) for at in range(3000)]
    for at in range(0, 3000, 3):  # I frames of the two stations, to IAS and to others
        head = bytes((0x47 - at % 2, 0x10, random.choice((0, 0x80, 2, 0x82)), random.randrange(3)))
        contents[at] = (at % 2, head + contents[at][1])
    found = packets(line(contents, xbofs=0))
    assert sum(bool(one.fault) for one in found) > 1000
    assert sum(bool(one.query) for one in found) < sum(bool(one.lmp) for one in found)
    noise = octets(random.randbytes(50_000))
    counts = bytes_by_origin(packets(frames(noise)))
    assert counts[0].total() == len(noise)


def test_a_short_frame_is_malformed() -> None:
    (packet,) = packets(line([(0, bytes.fromhex("ff93 78563412 2143"))]))
    assert packet.fault == "4 octets wanted, 2 left"


@needs_tshark
def test_tshark_agrees_on_recorded_frames(tmp_path: Path) -> None:
    found = frames(octets(b"".join(map(bytes.fromhex, PHONES))))
    assert judged(found, tmp_path) == len(PHONES)
    assert judged(line((0, bytes.fromhex(one[0])) for one in IRDADUMP), tmp_path) == len(IRDADUMP)


@needs_tshark
def test_tshark_agrees_on_a_conversation_of_all_layers(tmp_path: Path) -> None:
    sent = conversation()
    assert judged(line(sent), tmp_path) == len(sent)
    text = run_tshark("-r", str(tmp_path / "line.pcap"), "-V")
    for word in ("Cyclescope:Send", "Selective reject", "Reject", "Set Normal Response Mode"):
        assert word in text


def test_without_tshark_there_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tshark, "TSHARK", tmp_path)
    with refused("tshark-not-fetched", naming=["make tshark"]):
        run_tshark("--version")


def test_without_network_nothing_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """apt fails at a proxy that is not there; no half folder remains in tshark's place."""
    monkeypatch.syspath_prepend(ROOT / "scripts" / "debian")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with refused("packages-not-fetched", naming=["network", tmp_path / "tshark.log"]):
        import_module("tshark").fetch(tmp_path / "tshark")
    assert not (tmp_path / "tshark").exists()


@needs_tshark
def test_tshark_finds_a_malformed_frame(tmp_path: Path) -> None:
    broken = [(0, bytes.fromhex("ff3f01 78563412 ffff"))]
    judgement = judge(packets(line([*conversation(), *broken])), tmp_path)
    assert any("_ws.malformed" in one for one in judgement.malformed)


CLASSES = ("IrDA:IrCOMM", "OBEX", "IrDA:IrOBEX", "OBEX:IrXfer", "IrLAN", "IrLPT", "IrModem")


@needs_tshark
@pytest.mark.parametrize("name", (*CLASSES, "IrDA:TinyTP", "Cyclescope:Send"))
def test_tshark_knows_tinytp_of_one_class(name: str, tmp_path: Path) -> None:
    """The conversation with another class in its question: fields of TinyTP for IrCOMM alone."""
    asked = b"\x0fCyclescope:Send"
    instead = bytes((len(name),)) + name.encode()
    sent = [(sender, one.replace(asked, instead)) for sender, one in conversation()]
    assert sum(instead in one for _, one in sent) == 1
    write_pcap(tmp_path / "line.pcap", line(sent))
    fields = ("-T", "fields", "-e", "ttp.icredit", "-e", "ttp.dcredit")
    found = run_tshark("-r", str(tmp_path / "line.pcap"), *fields)
    assert bool(found.split()) == (name == "IrDA:IrCOMM")


@needs_tshark
@pytest.mark.parametrize("layer", ["lap", "lmp", "ttp", "negotiation", "discovery"])
def test_a_wrong_field_of_ours_is_a_difference(layer: str, tmp_path: Path) -> None:
    """One field of one packet is changed behind tshark's back."""
    wrong = {
        "lap": {"poll_final": False},
        "lmp": {"source": 9},
        "ttp": {"credit": 9},
        "negotiation": {"source": 1},
        "discovery": {"slots": 16},
    }[layer]
    found = packets(line(conversation()))
    packet = next(one for one in found if getattr(one, layer) is not None)
    setattr(packet, layer, replace(getattr(packet, layer), **wrong))
    judgement = judge(found, tmp_path)
    assert len(judgement.differences) == 1 and not judgement.malformed


def test_the_capture_is_of_the_published_format(tmp_path: Path) -> None:
    """Magic, link type and cooked header, octet by octet, as tcpdump.org describes them."""
    found = line([(0, b"\x47\x11"), (1, b"\x46\x11")])
    write_pcap(tmp_path / "line.pcap", found)
    data = (tmp_path / "line.pcap").read_bytes()
    assert data[:4].hex() == "4d3cb2a1" and data[20:24].hex() == "90000000"
    assert data[40:58].hex() == "0004 030f 0000 0000000000000000 0017 4711".replace(" ", "")
    assert data[74:76].hex() == "0000"


def test_a_capture_has_times_to_the_nanosecond(tmp_path: Path) -> None:
    (frame,) = line([(0, b"\x47\x11")])
    write_pcap(tmp_path / "line.pcap", [replace(frame, begin_ns=5_234_567_891)])
    data = (tmp_path / "line.pcap").read_bytes()
    assert struct.unpack("<II", data[24:32]) == (5, 234_567_891)
