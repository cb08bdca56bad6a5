"""Our stations in the place of one side of recorded sessions between real devices."""

from pathlib import Path

import pytest
from infrared_frames import needs_tshark
from irda_recordings import (
    ERICSSON,
    ERICSSON_PARAMETERS,
    M125,
    TREO,
    content,
    fields,
    line_fields,
    lines,
)
from irda_replay import heard, replay

from cyclescope.wire.infrared import frames, packets, wrapped
from cyclescope.wire.infrared.line import SentOctet
from cyclescope.wire.infrared.tshark import judge

SESSIONS = {"m125": M125, "treo": TREO, "ericsson": ERICSSON}


@pytest.mark.parametrize("name", SESSIONS)
def test_frames_have_the_fields_and_octets_of_their_lines(name: str) -> None:
    """The length at a line's end is that of the frame; two of Linux's frames are longer.

    Its answer without a value has a list nevertheless, and its UA to DISC has addresses.
    """
    session = SESSIONS[name].strip().splitlines()
    for text, (_, one) in zip(session, lines(SESSIONS[name]), strict=True):
        if "4000000" in text:
            continue
        length = int(text[text.rindex("(") + 1 : -1])
        frame = content(one)
        if one.get("answer") == 1:
            frame = frame[:6]
        longer = {"UA": 8 if length == 10 else 0, "I": 5 if length == 11 else 0}
        assert len(frame) + longer.get(str(one["kind"]), 0) == length, text
        assert fields(frame) == one


@pytest.mark.parametrize(
    ("session", "station", "slot"),
    [
        (M125, "station 7c422f39 stormbox 5 3e 01 3f 7f ff 03 07", 4),
        (TREO, "station a68bd733 desk-machine 5 3e 01 3f 7f ff 07 07", 1),
    ],
)
def test_handhelds_ask_our_station(tmp_path: Path, session: str, station: str, slot: int) -> None:
    """Discovery, SNRM, poll, connection to IAS, question, end: our answers have Linux's fields."""
    sent = [content(one) for theirs, one in lines(session) if theirs]
    expected = [one for theirs, one in lines(session) if not theirs]
    found = replay(tmp_path, [station, f"random {slot:x}", "receive", *heard(*sent)])
    assert [fields(one) for one in found.sent] == expected


def test_our_station_asks_a_phone(tmp_path: Path) -> None:
    """SNRM, poll, connection to IAS, question: as Linux asked, and the phone's answer is read.

    Ours offers 115,200 bit/s at most. Linux sends the disconnect without P, as more follows.
    """
    session = lines(ERICSSON)
    answers = heard(*(content(one) for theirs, one in session if theirs))
    script = ["station 2cc4b1b4 linux 5 3e 01 3f 7f ff 07 07", "random 56", "occupy 10",
              "wait 600000", "ask 29c42130 IrDA:IrCOMM Parameters"]  # fmt: skip
    for answer in answers:
        script.append(answer)
    found = replay(tmp_path, script)
    expected = [one for theirs, one in session if not theirs]
    assert expected[0].pop("baud") == 4_000_000
    assert expected[-1].pop("pf") == 0
    ours = [fields(one) for one in found.sent]
    assert ours[0].pop("baud") == 115_200
    assert ours[-1].pop("pf") == 1
    assert ours == expected
    assert found.named("answer") == [["0", "2", ERICSSON_PARAMETERS.hex()]]


@needs_tshark
def test_tshark_reads_the_sessions(tmp_path: Path) -> None:
    """Frames made of the lines, dissected: tshark finds them sound and with our fields."""
    for session in SESSIONS.values():
        octets, now = [], 0
        for theirs, one in lines(session):
            if one.get("answer") == 1:
                frame = content(one)[:6]
            elif one.get("baud") == 4_000_000:
                frame = content(one | {"baud": 1_152_000})
            else:
                frame = content(one)
            for value in wrapped(frame, 3):
                octets.append(SentOctet(now, int(theirs), value))
                now += 86_806
            now += 1_000_000
        found = judge(packets(frames(octets)), tmp_path)
        assert found.malformed == ()
        # tshark reads on in the phone's answer: IrCOMM's parameters.
        assert all(one.startswith("frame 8:") for one in found.differences) or found.agrees
        assert found.agrees == (session != ERICSSON)
        assert found.frames == len(lines(session))


def test_a_line_of_irdadump() -> None:
    one = line_fields("rr:rsp > ca=ec pf=1 nr=3 (2)")
    assert one == {"kind": "RR", "command": False, "pf": 1, "nr": 3, "address": 0x76}
    assert content(one) == b"\xec\x71"
