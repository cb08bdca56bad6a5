"""Why a run on a virtual board ended."""

from typing import Literal, TypedDict


class Stop(TypedDict):
    """Why a run ended. `sentence` is for people; `reason` is for programs."""

    reason: Literal[
        "cycles",
        "instructions",
        "pc",
        "semihosting-exit",
        "exception",
        "no-handler",
        "asleep",
        "device-failed",
        "bytes",
        "output",
        "debugger",
        "interrupted",
        "held",
    ]
    sentence: str
    cycle: int
    instructions: int
    pc: int
    exit_code: int | None


class Ended(TypedDict):
    """Why a run of a bench ended: the board that ended it, if one did, and each board's stop."""

    by: str | None
    stops: dict[str, Stop]
