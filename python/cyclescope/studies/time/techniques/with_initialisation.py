"""With initialisation: T_e apart from the T_i of what each execution needs before it.

Moreno and Fischmeister, section 5, equations 6 to 8, in their design N_k = k, M_1 = 1, M_k = k + 1.
The difference M - N is 1 in every equation but the first, so that the first alone separates T_i
from epsilon. The others give the slope T_e + T_i and the intercept T_i + epsilon. T_i is by how
much the first time lies below their line. No other equation checks it, more points do not make it
surer, only more rounds do. balanced_initialisation.py has a design in which every equation bears on
T_i.
"""

from cyclescope.firmware.fragment.plan import (
    Estimated,
    Observations,
    Plan,
    Point,
    solve,
    without_trend,
)
from cyclescope.studies.time.technique import FragmentTechnique


class WithInitialisation(FragmentTechnique):
    """Least squares on N, M and 1, in the paper's design."""

    name = "with_initialisation"
    sentence = "k executions and k + 1 initialisations, but 1 and 1; T_i rests on the one equation"
    equation = "Moreno and Fischmeister, equations 6 to 8, N_k = k, M_1 = 1, M_k = k + 1"
    removes_overhead = True
    least_points = 4
    needs_initialisation = True

    def plan(self, points: int, period: int = 1) -> Plan:
        counts = [period * k for k in range(1, max(points, self.least_points) + 1)]
        others = without_trend([Point(count, count + period) for count in counts[1:]])
        # Amid the others a drift of the clock does not set it apart from their line.
        middle = len(others) // 2
        return (*others[:middle], Point(period, period), *others[middle:])

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: none is left. Uncertainty: mostly that of the one equation; times far off the
        fit are rejected, but a first point that is off in every round cannot be seen."""
        return solve(observed, initialisation=True, robust=True)


FRAGMENT_TECHNIQUE = WithInitialisation()
