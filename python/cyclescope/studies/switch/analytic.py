"""The analytic way: rules of cycles applied to the path that a window executed (section 4.1).

From the path it takes addresses and operands, no cycle; opcodes come from the ELF file. Waiting
loops on a device iterate as often as the path has it. The rules are the core's (cores/). The
memories' timing and the energy's coefficients are the board file's (memories.py, coefficients.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cyclescope.studies.switch.coefficients import PointCoefficients
from cyclescope.studies.switch.core import Rules
from cyclescope.studies.switch.path import Moment


@dataclass(frozen=True)
class Evaluation:
    """Cycles and energy at each moment of a path, both 0 at its beginning.

    `known` is the first moment from which they hold: before it the state of a flash's buffers is
    what the window found. Without such buffers it is the beginning. `readings` are loads from the
    address `watched`: moment, and the cycle at which the data came.
    """

    cycles: Sequence[int]
    spent_fj: Sequence[int]
    known: int
    readings: Mapping[int, int]
    watched: int

    def between(self, begin: int, end: int) -> int:
        """Cycles from one moment to another."""
        return self.cycles[end] - self.cycles[begin]

    def energy_fj(self, begin: int, end: int) -> int:
        """Energy from one moment to another."""
        return self.spent_fj[end] - self.spent_fj[begin]


def evaluate(
    path: Sequence[Moment], rules: Rules, coefficients: PointCoefficients, watched: int = 0
) -> Evaluation:
    """Applies the rules along a path; `watched` is the address whose readings to return."""
    walk = rules.walk(watched)
    cycles, spent_fj, known = [0], [0], 0
    readings: dict[int, int] = {}
    for index, (moment, following) in enumerate(pairwise(path), 1):
        if walk.step(moment, following):
            known = index
        if walk.read is not None:
            readings[index - 1], walk.read = walk.read, None
        cycles.append(walk.counts.cycles)
        spent_fj.append(coefficients.energy_fj(walk.counts, walk.lines_read))
    return Evaluation(cycles, spent_fj, known, readings, watched)
