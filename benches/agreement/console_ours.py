"""Routines of ours: what the recorded ones leave out of the console's bus."""

from agreement.console_image import DMA3, Routine

EWRAM, OAM_END, BORDER = 0x0202_0100, 0x07FF_FFF8, 0x0803_FFF8


def _moves(source: str, destination: str, width: int, count: int) -> Routine:
    """A routine that lets DMA move so many units; `nop`s lie behind its start."""
    control = (0x8400 if width == 32 else 0x8000) << 16 | count
    body = ["str r3, [r2, #8]", "nop", "nop", "nop"]
    return _routine(f"DMA {width}, {source} to {destination}", body, r2=DMA3, r3=control)._replace(
        moves={"source": source, "destination": destination, "width": width, "count": count}
    )


def _routine(name: str, arm: list[str], thumb: list[str] | None = None, **initial: int) -> Routine:
    """A routine that begins with these registers; in Thumb state the same lines by default."""
    return Routine(
        name,
        body={"arm": arm, "thumb": arm if thumb is None else thumb},
        setup={},
        initial={register: hex(value) for register, value in initial.items()},
        callee=[],
        moves={},
        expected={},
    )


def branches(line: str) -> list[str]:
    """Four branches over three instructions, behind one, two, three and four of these lines."""
    return [
        text for n in range(1, 5) for text in [*[line] * n, f"b {n}f", "nop", "nop", "nop", f"{n}:"]
    ]


ROUTINES = [
    _routine("words of a slow memory", ["ldmia r3!, {r4-r7}"] * 2 + ["nop"] * 12, r3=EWRAM),
    _routine("many words", ["ldmia r3!, {r2, r4-r7}"] * 5 + ["nop"] * 9, r3=EWRAM - 0x80),
    _routine("stores to a slow memory", ["stmia r3!, {r4-r7}", "nop", "nop"] * 3, r3=EWRAM),
    _routine("burst into the ROM", ["ldmia r3!, {r4-r7}", "nop"], r3=OAM_END),
    _routine("burst across a border", ["ldmia r3!, {r4-r7}", "nop", "nop"], r3=BORDER),
    _routine("loop", ["movs r2, #3", "1: subs r2, #1", "bne 1b"], r3=0),
    _routine(
        "loop that loads", ["movs r2, #3", "1: ldr r4, [r3]", "subs r2, #1", "bne 1b"], r3=EWRAM
    ),
    _routine(
        "loop that multiplies",
        ["movs r2, #3", "1: muls r4, r3, r4", "subs r2, #1", "bne 1b"],
        ["movs r2, #3", "1: muls r4, r3", "subs r2, #1", "bne 1b"],
        r3=0x12345678,
        r4=0x7654321,
    ),
    _routine(
        "branch to what is fetched next",
        ["b 1f"] + ["nop"] * 4 + ["1: nop", "b 2f", "nop", "nop", "2: nop", "nop"],
    ),
    _routine(
        "the same in a burst with a pause",
        ["ldr r2, [r3]", "b 1f", "nop", "nop", "1: nop"],
        r3=EWRAM,
    ),
    _routine(
        "branch over some",
        ["b 1f"] + ["nop"] * 5 + ["1: ldr r2, [r3]", "b 2f", "nop", "2: nop"],
        r3=EWRAM,
    ),
    _routine(
        "branches behind multiplications",
        branches("muls r4, r3, r4"),
        branches("muls r4, r3"),
        r3=0xFF,
        r4=1,
    ),
    _routine(
        "loads from the ROM",
        ["nop", "ldr r2, [r3]", "nop", "nop", "ldrh r2, [r3]", "ldr r4, [r5]", "ldr r4, [r3]"],
        r3=0x0900_0000,
        r5=EWRAM,
    ),
    _routine(
        "stores to the ROM",
        ["str r2, [r3]", "nop", "strh r2, [r3]", "strb r2, [r3]", "nop"],
        r3=0x0900_0000,
    ),
    _routine(
        "bytes", ["ldrb r2, [r3]", "strb r2, [r4]", "ldrb r2, [r4]"], r3=0x0900_0001, r4=EWRAM + 1
    ),
    _routine("swap", ["swp r2, r2, [r3]", "nop", "swpb r2, r2, [r3]"], [], r3=EWRAM),
    _routine(
        "shifts by registers", ["lsls r2, r3", "lsrs r2, r3", "asrs r2, r3"], r2=0x12345678, r3=3
    ),
    _moves("rom", "rom", 16, 1),
    _moves("rom", "rom", 32, 5),
    _moves("ewram", "rom", 16, 3),
    _moves("ewram", "ewram", 32, 4),
    _moves("rom", "ewram", 16, 7),
]
