"""Our fields of a packet under the names that tshark gives them."""

from cyclescope.wire.infrared.irlap import COMMANDS, RESPONSES, SLOTS, SUPERVISORY, LapFrame
from cyclescope.wire.infrared.irlmp import INTEGER, OCTETS, STRING, IasAnswer
from cyclescope.wire.infrared.packets import InfraredPacket

Fields = dict[str, list[int | str]]
FIELDS = (
    *("frame.len", "irlap.a.address", "irlap.a.cr", "irlap.c.n_r", "irlap.c.n_s"),
    *("irlap.c.p", "irlap.c.f", "irlap.c.s_ftype"),
    *("irlap.c.u_modifier_cmd", "irlap.c.u_modifier_resp"),
    *("irlap.snrm.saddr", "irlap.snrm.daddr", "irlap.snrm.ca", "irlap.ua.saddr"),
    *("irlap.ua.daddr", "irlap.pi", "irlap.pl", "irlap.pv"),
    *("irlap.xid.saddr", "irlap.xid.daddr", "irlap.xid.s", "irlap.xid.conflict"),
    *("irlap.xid.slotnr", "irlap.xid.version", "irlmp.xid.hints", "irlmp.xid.charset"),
    *("irlmp.xid.name", "irlmp.dst.c", "irlmp.dst.lsap", "irlmp.src.lsap", "irlmp.opcode"),
    *("irlmp.reason", "iap.ctl.opcode", "iap.classname", "iap.attrname", "iap.return"),
    *("iap.listlen", "iap.objectid", "iap.attrtype", "iap.int", "iap.octseq", "iap.string"),
)
TTP_FIELDS = ("ttp.p", "ttp.icredit", "ttp.m", "ttp.dcredit")
CONTROLS = {
    command: {kind: (control & 0xEC) >> 2 for control, kind in known.items()}
    for command, known in ((True, COMMANDS), (False, RESPONSES))
}
"""tshark's number of each unnumbered frame: the bits of its control that name it."""
IAS_FIELDS = {INTEGER: "iap.int", OCTETS: "iap.octseq", STRING: "iap.string"}


def expected(packet: InfraredPacket) -> Fields:
    """The fields that tshark has to find in an undamaged frame, and no others."""
    if packet.lap is None:
        return {}
    found = _lap(packet.lap)
    found["frame.len"] = [len(packet.frame.content or b"")]
    found |= _discovery(packet) | _negotiation(packet) | _lmp(packet)
    if packet.answer:
        found |= _answer(packet.answer)
    if packet.ttp:
        flag, credit = ("ttp.p", "ttp.icredit") if packet.ttp.connects else ("ttp.m", "ttp.dcredit")
        found |= {flag: [packet.ttp.flag], credit: [packet.ttp.credit]}
    return found


def _lap(lap: LapFrame) -> Fields:
    found: Fields = {"irlap.a.address": [lap.address], "irlap.a.cr": [lap.command]}
    if lap.poll_final:  # tshark shows no bit that is 0, and calls it Poll in every I frame
        found["irlap.c.p" if lap.command or lap.kind == "I" else "irlap.c.f"] = [1]
    if lap.nr is not None:
        found["irlap.c.n_r"] = [lap.nr]
    if lap.ns is not None:
        found["irlap.c.n_s"] = [lap.ns]
    elif lap.kind in SUPERVISORY:
        found["irlap.c.s_ftype"] = [SUPERVISORY.index(lap.kind)]
    else:
        way = "cmd" if lap.command else "resp"
        found[f"irlap.c.u_modifier_{way}"] = [CONTROLS[lap.command][lap.kind]]
    return found


def _discovery(packet: InfraredPacket) -> Fields:
    one = packet.discovery
    if one is None or packet.lap is None:
        return {}
    found: Fields = {
        "irlap.xid.saddr": [one.source],
        "irlap.xid.daddr": [one.destination],
        "irlap.xid.s": [SLOTS.index(one.slots)],
        "irlap.xid.conflict": [one.conflict],
        "irlap.xid.version": [one.version],
    }
    if packet.lap.command:
        found["irlap.xid.slotnr"] = [one.slot]
    if one.hints:
        found["irlmp.xid.hints"] = [one.hints.hex()]
    if one.charset is not None:
        found["irlmp.xid.charset"] = [one.charset]
    if one.nickname:
        found["irlmp.xid.name"] = [one.nickname.decode("latin-1")]
    return found


def _negotiation(packet: InfraredPacket) -> Fields:
    one = packet.negotiation
    if one is None:
        return {}
    frame = "snrm" if one.connection is not None else "ua"
    found: Fields = {
        f"irlap.{frame}.saddr": [one.source],
        f"irlap.{frame}.daddr": [one.destination],
        "irlap.pi": [identifier for identifier, _ in one.parameters],
        "irlap.pl": [len(value) for _, value in one.parameters],
        "irlap.pv": [value.hex() for _, value in one.parameters],
    }
    if one.connection is not None:
        found["irlap.snrm.ca"] = [one.connection]
    return found


def _lmp(packet: InfraredPacket) -> Fields:
    one = packet.lmp
    if one is None:
        return {}
    found: Fields = {
        "irlmp.dst.c": [one.opcode is not None],
        "irlmp.dst.lsap": [one.destination],
        "irlmp.src.lsap": [one.source],
    }
    if one.opcode is not None:
        found["irlmp.opcode"] = [one.opcode]
    if one.reason is not None:
        found["irlmp.reason"] = [one.reason]
    if packet.query:
        found["iap.ctl.opcode"] = [4]
        found["iap.classname"] = [packet.query.class_name.decode("latin-1")]
        found["iap.attrname"] = [packet.query.attribute.decode("latin-1")]
    return found


def _answer(answer: IasAnswer) -> Fields:
    found: Fields = {"iap.ctl.opcode": [4], "iap.return": [answer.code]}
    if answer.code == 0:
        found["iap.listlen"] = [len(answer.values)]
        if answer.values and answer.values[0][1] == STRING:
            return found  # tshark 4.0 counts the string's octets as values, and shows none
        found["iap.objectid"] = [one for one, _, _ in answer.values]
        found["iap.attrtype"] = [kind for _, kind, _ in answer.values]
        for _, kind, value in answer.values:
            if kind in IAS_FIELDS:
                text = value.decode("latin-1") if isinstance(value, bytes) else value
                if kind == OCTETS and isinstance(value, bytes):
                    text = value.hex()
                found.setdefault(IAS_FIELDS[kind], []).append(text)
    return found
