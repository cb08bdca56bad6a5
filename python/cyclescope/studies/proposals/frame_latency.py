"""Latencies of a station with IrDA: from the frames that it heard on the line."""

from collections.abc import Iterable, Sequence
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.studies.peripheral.analyses.distributions import distribution
from cyclescope.wire.infrared import LineFrame, SentOctet, frames
from cyclescope.wire.infrared.irlap import lap_frame

HEARD = 0
"""One sender stands for all: their light is on one channel."""


def frame_latency(
    heard: Iterable[tuple[int, int]], taken: Sequence[int], *, commands: bool = True
) -> dict[str, dict[str, Any]]:
    """Two stages in cycles, from the end of a frame of the other station on the line. `commands`:
    that one is the primary.

    One goes to the cycle at which the stack takes it, of which `taken` has each. The other goes
    from a frame that asks for an answer to the end of the answer. `heard` has cycle and value of
    each octet. Raises CyclescopeError if a frame was not taken, or taken twice.
    """
    found = frames(SentOctet(at, HEARD, value & 0xFF) for at, value in heard)
    whole = [(one, lap_frame(one.content)) for one in found if one.content is not None]
    came = [one.end_ns for one, lap in whole if lap.command is commands]
    if len(came) != len(taken):
        raise CyclescopeError(
            f"the stack took {len(taken)} frames of {len(came)} on the line: measure again",
            code="frames-do-not-match",
        )
    answers = []
    asked: LineFrame | None = None
    for one, lap in whole:
        if lap.command is commands:
            asked = one if lap.poll_final else None
        elif asked and lap.poll_final:
            answers.append(one.end_ns - asked.end_ns)
    return {
        "line_to_application": distribution(at - end for end, at in zip(came, taken, strict=True)),
        "line_to_answer": distribution(answers),
    }
