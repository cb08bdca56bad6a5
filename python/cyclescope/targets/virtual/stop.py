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
    ]
    sentence: str
    cycle: int
    instructions: int
    pc: int
    exit_code: int | None
