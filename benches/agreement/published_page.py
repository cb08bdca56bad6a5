"""Published figures as a part of the page: a table for each report."""

from agreement.data import table
from agreement.published import Beside, Ours


def sections(found: list[Beside]) -> str:
    """A paragraph and a table for each report whose board is here."""
    return "\n\n".join(section(one) for one in found)


def section(one: Beside) -> str:
    report, here = one.report, one.conditions
    rows = (
        f"{figure.what} | `{figure.line}` | {figure.cycles(report.core_hz):.1f} "
        f"| {cycles(ours)} | {ours.cycles / figure.cycles(report.core_hz):.2f}"
        for figure, ours in zip(report.figure, one.ours, strict=True)
    )
    return "\n".join(
        [
            f"**{report.part}.** {report.kernel}, {report.compiler}, `{report.flags}`; "
            f"{report.conditions}. From `{report.address}`.",
            "",
            f"Here: the board `{report.board}`, FreeRTOS {here['kernel_version']}, "
            f"`{here['compiler']}` {here['compiler_version']}, `{flags(here)}`; {settings(one)}.",
            "",
            table("operation | quoted line | cycles | cycles here | ratio", rows),
        ]
    )


def cycles(ours: Ours) -> str:
    return f"{ours.cycles:.1f} ± {ours.half_width:.1f} (n = {ours.samples})"


def settings(one: Beside) -> str:
    return ", ".join(f"{name} {value}" for name, value in one.report.settings.items())


def flags(conditions: dict[str, object]) -> str:
    """Those that decide about code: no warnings, definitions or files."""
    given = conditions["flags"]
    assert isinstance(given, list)
    shown = [one for one in given if one.startswith(("-O", "-m", "-f", "-std"))]
    return " ".join(dict.fromkeys(shown))
