"""A law as text: form, coefficients with intervals and units, where x begins, how good it is."""

from cyclescope.laws.clustering import Cluster
from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.laws.model import SIGNIFICANCE, Fitted
from cyclescope.quantity import format_estimate, format_number, format_share

K_MEANING = (
    "Brandolese and Fornaciari, section 4.4). Cases of one function count once, slopes by the "
    "function that repeats. ± 95 % is of that mean, another ± of the ratio of one function more. "
    "Without one: the least and greatest K that leaving out one function gives. Max and min are "
    "the extreme functions, σ is their deviation. A case's mean is over all x. Slopes m and "
    "constants q are of laws of one form on both sides, where the coefficient's interval "
    "leaves zero out; constant laws have no m."
)
"""The rest of a sentence that names dividend and divisor."""

DECIMALS = 3
NOTABLE = 4.0
"""Cycles off a law from which the structure of residuals is worth a word."""


def shape(law: Fitted) -> str:
    """The form of a law, with the number of its knees."""
    knees = 0 if isinstance(law, FormulaFit) else len(law.segments) - 1
    return law.model + (f", {knees} knee{'s' if knees > 1 else ''}" if knees else "")


def load_text(law: Fitted) -> str:
    """The law over the length of the series."""
    return (
        f"{formula(law)}; x = length of the series (load), over the series' means; {goodness(law)}"
    )


def cluster_text(cluster: Cluster) -> str:
    """One cluster: how many samples, and their own law."""
    share = f"{format_number(cluster.n)} samples ({format_share(cluster.share, 1)})"
    return f"{share}: {formula(cluster.law)}, σ {format_number(cluster.sigma)} about it"


def formula(law: Fitted) -> str:
    """t as a function of x; with knees, each segment where it holds."""
    if isinstance(law, FormulaFit):
        return f"t = {law.formula.text(DECIMALS)} cycles"
    values = {one.name: one.estimate for one in law.coefficients}
    if len(law.segments) == 1:
        q = format_estimate(values["q"], DECIMALS)
        if law.model == "constant":
            swept = law.domain[0] < law.domain[1]
            return f"t = {q} cycles{' whatever x' if swept else ''}"
        return f"t = {_one(format_estimate(values['m'], DECIMALS))}·x + {_one(q)} cycles"
    told = {name: format_estimate(value, DECIMALS) for name, value in values.items()}
    first = f"t = {_one(told['m1'])}·x + {_one(told['q'])} cycles"
    behind = (
        f"from the knee at x = {told[f'knee{at}']} on with slope {told[f'm{at + 1}']}"
        for at in range(1, len(law.segments))
    )
    return ", ".join([first, *behind])


def _one(value: str) -> str:
    """A figure as one factor or summand."""
    return value if value.replace(",", "").replace(".", "").isdigit() else f"({value})"


def origin_text(law: Fitted, unit: str) -> str:
    if law.model == "constant" or law.domain[0] <= 0 <= law.domain[1]:
        return ""
    return f"; q is at x = 0 {unit}, extrapolated"


def goodness(law: Fitted) -> str:
    """Residuals, R² where there is something to explain, and the lack of fit where it shows."""
    said = [
        f"residual σ {format_number(law.residual_sigma, 2)}",
        f"greatest {format_number(law.max_residual, 2)}",
    ]
    if law.r_squared is not None:
        said.append(f"R² {law.r_squared:.4f}")
    if (
        law.lack_of_fit is not None
        and law.lack_of_fit < SIGNIFICANCE
        and law.max_residual > NOTABLE
    ):
        said.append("residuals have structure (lack of fit)")
    return ", ".join([*said, *checked(law)])


def checked(law: Fitted) -> list[str]:
    """Describes the check of the law, and its error there."""
    if law.check is None:
        return []
    if law.check.held_out == 0:
        return ["every x of the domain was measured"]
    return [
        f"off by at most {format_share(law.check.worst, 2)} at {law.check.held_out} x of no fit "
        f"({law.check.fitted} fitted)"
    ]
