"""IrLAP under sound frames with wrong content, noise, and octets that arrive in chunks.

The stations are built with checks of addresses and undefined behaviour, which end a run.
"""

import random
from pathlib import Path

import pytest
from irda_session import SNRM, framed, medium, run, station
from test_irda_lap import FIRST, SECOND, octets

CONTROLS = (0x3F, 0xBF, 0x93, 0x73, 0x53, 0x1F, 0x97, 0xF3, 0x13, 0x03, 0x11, 0x19, 0x1D, 0x15)


def content(source: random.Random, connection: int) -> bytes:
    """A frame of any address, control and length; often of the connection, often nearly right."""
    address = source.choice((0xFF, 0xFE, connection, connection | 1, source.randrange(256)))
    control = source.choice((*CONTROLS, source.randrange(256), source.randrange(256)))
    ends = [FIRST.to_bytes(4, "little"), SECOND.to_bytes(4, "little"), b"\xff" * 4]
    info = source.randbytes(source.choice((0, 1, 3, source.randrange(64), 2048, 2049)))
    if source.random() < 0.5:
        parameters = b"".join(
            bytes((source.choice((1, 8, *range(0x80, 0x88))), source.choice((1, 1, 1, 2, 200))))
            + source.randbytes(1)
            for _ in range(source.randrange(9))
        )
        begin = b"\x01" if control | 0x90 == 0xBF else b""
        info = begin + source.choice(ends) + source.choice(ends) + bytes((connection,)) + parameters
    return bytes((address, control)) + info[: source.choice((None, None, source.randrange(30)))]


@pytest.mark.parametrize("seed", range(24))
def test_wrong_frames(tmp_path: Path, seed: int) -> None:
    """After any frames at any time, both stations can end their connection and get a new one."""
    source = random.Random(seed)
    (tmp_path / "in").write_bytes(octets(20000, seed))
    offers = {"speeds": 0x02 if seed % 2 else 0x3E, "sizes": 0x07, "disconnect": 0x01}
    begin = [
        medium(seed, chunk_octets=seed % 3 * 40, chunk_wait_us=4000),
        station(FIRST, **offers),
        station(SECOND, file=tmp_path / "out", **offers),
        "foreign",
        f"at 0 0 connect {SECOND:x}",
        f"at 0 0 send {tmp_path / 'in'}",
    ]
    session = run(tmp_path, [*begin, "until 900000"])
    connection = next(one for one in session.frames(0) if one.control == SNRM).info[8]
    now_us, plan = 900_000, []
    for number in range(150):
        if number % 20 == 19:  # what came may have ended the connection
            plan.append(f"at {now_us} 0 connect {SECOND:x}")
            now_us += 1_500_000
        line = framed(content(source, connection), source.randrange(4))[: source.choice((None, 9))]
        speed = source.choice((9600, 115200)) if seed % 2 == 0 else 9600
        plan.append(f"at {now_us} 2 raw {speed}:{line[:2090].hex()}")
        now_us += 2_300_000 if len(line) > 100 else source.randrange(150_000, 300_000)
    end = [f"at {now_us} {number} disconnect" for number in (0, 1)]
    end.append(f"at {now_us + 15_000_000} 0 connect {SECOND:x}")
    session = run(tmp_path, [*begin, *plan, *end, f"until {now_us + 30_000_000}"])
    links = [(us, number) for us, number, name, _ in session.events if name == "connected"]
    assert [number for us, number in links if us > now_us + 15_000_000] == [0, 1]
    resets = sum(counters["resets"] for counters in session.counters)
    assert len(links) > 4 or resets > 0  # what came ended the connection, or reset it


@pytest.mark.parametrize("seed", range(6))
def test_noise(tmp_path: Path, seed: int) -> None:
    """Noise during a transfer costs repetitions; the octets arrive identical."""
    source = random.Random(seed)
    data = octets(8000, seed)
    (tmp_path / "in").write_bytes(data)
    noise = [
        f"at {2_000_000 + 90_000 * number} 2 raw 115200:{source.randbytes(30).hex()}"
        for number in range(60)
    ]
    session = run(
        tmp_path,
        [
            medium(seed),
            station(FIRST, sizes=0x07),
            station(SECOND, sizes=0x07, file=tmp_path / "out"),
            "foreign",
            f"at 0 0 connect {SECOND:x}",
            f"at 2000000 0 send {tmp_path / 'in'}",
            *noise,
            "until 40000000",
        ],
    )
    assert (tmp_path / "out").read_bytes() == data
    assert session.counters[0]["data_repeated"] > 0


@pytest.mark.parametrize("echo", (False, True))
@pytest.mark.parametrize("chunk", (16, 64, 256))
@pytest.mark.parametrize("latency_us", (0, 700))
def test_octets_in_chunks(tmp_path: Path, echo: bool, chunk: int, latency_us: int) -> None:
    """A buffer with a time-out between line and stack delays octets, also those of an echo."""
    data, back = octets(6000), octets(6000, 1)
    (tmp_path / "in").write_bytes(data)
    (tmp_path / "in-back").write_bytes(back)
    session = run(
        tmp_path,
        [
            medium(1, 0.0, latency_us, echo, chunk, 3000),
            station(FIRST, file=tmp_path / "out-back", sizes=0x07),
            station(SECOND, file=tmp_path / "out", sizes=0x07),
            "at 0 0 discover 6",
            f"at 3000000 0 connect {SECOND:x}",
            f"at 6000000 0 send {tmp_path / 'in'}",
            f"at 6000000 1 send {tmp_path / 'in-back'}",
            "at 20000000 1 disconnect",
            "until 30000000",
        ],
    )
    assert (tmp_path / "out").read_bytes() == data
    assert (tmp_path / "out-back").read_bytes() == back
    assert session.named("discovered")[0][:2] == ["0", "1"]
    assert session.named("disconnected") == [["0"], ["0"]]
    for counters in session.counters:
        assert counters["data_repeated"] == counters["final_timeouts"] == 0


def test_same_seed_same_octets(tmp_path: Path) -> None:
    """Two runs are equal octet by octet; another seed gives others."""
    lines = [station(FIRST), station(SECOND), "at 0 0 discover 8"]
    lines += [f"at 3000000 0 connect {SECOND:x}", "until 5000000"]
    first, second, other = (
        run(tmp_path, [medium(seed, error_rate=1e-4), *lines]).octets for seed in (5, 5, 6)
    )
    assert first == second != other
