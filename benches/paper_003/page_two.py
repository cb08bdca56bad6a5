"""The page of table 2."""

from collections.abc import Sequence
from pathlib import Path

from rows import ROWS
from table_two import CHECKED, RECORDINGS, ROUNDS, SEEDS, Covered, Tables, columns_of, whole_of

from cyclescope.quantity import Estimate
from cyclescope.stats.summary import normal
from cyclescope.studies.blocks.found import Combination
from cyclescope.studies.blocks.model import LEFT
from cyclescope.studies.blocks.record import BlockMeasurements

PAPER = (
    ("BB0 et al.", "52.01 ± 0.044"), ("BB1 et al.", "98.98 ± 0.003"), ("BB2", "7.997 ± 0.005"),
    ("BB4", "6.994 ± 0.006"), ("BB6", "4.998 ± 0.003"), ("BB8", "3.000 ± 0.004"),
    ("BB18", "9.987 ± 0.016"),
)  # fmt: skip
SIGMA_US = next(row.paper[1] for row in ROWS if row.keeps_overhead == 1)
"""Of a pulse, as the instrument of table 1 is set."""

HEAD = Path(__file__).with_name("page_two.md").read_text()


def text(
    measured: BlockMeasurements,
    tables: Tables,
    covered: tuple[Sequence[Covered], Sequence[Covered]],
    seconds: int,
) -> str:
    """The whole page: `tables` of the first seed, `covered` by seed, a reference of `seconds`."""
    exits = [one for one in measured.equations if one.left_at is not None]
    whole = whole_of(measured)
    single = [at for at, n in enumerate(whole.executions) if n == 1]
    cycles = sum(whole.times_cycles[0][at] for at in single)
    cycles += sum(sum(one.times_cycles[0]) for one in exits)
    executing = [edge for edge in measured.edges if edge.exact]
    alone = [edge for edge in executing if tables.edges.single(edge.label)]
    shares = [held / known * 100 for held, known in covered[1]]
    return HEAD.format(
        rounds=ROUNDS,
        exits=len(exits),
        cycles=int(cycles),
        recordings=RECORDINGS,
        exit_recordings=len(exits) * RECORDINGS * ROUNDS,
        seconds=seconds,
        seed=SEEDS[0],
        sigma=tables.edges.residual_sigma,
        sums="\n".join(
            f"| {_name(one.blocks)} | {one.executions:,.0f} | {_estimate(one.estimate)} | "
            f"{_figure(one.truth)} | {_mark(one.holds)} |"
            for one in tables.whole
        ),
        merged=_merged(measured),
        paper="\n".join(f"| {name} | {value} |" for name, value in PAPER),
        alone=len(alone),
        edges=len(executing),
        rows="\n".join(_row(one) for one in tables.edges.combinations),
        verdict=_verdict(tables),
        pulse=SIGMA_US,
        most=max(max(row) for row in whole.counts[::2]),
        limit=2**0.5 * normal() * SIGMA_US / (RECORDINGS * ROUNDS) ** 0.5,
        checked=CHECKED,
        coverage="\n".join(
            _coverage(name, seen)
            for name, seen in zip(("merged blocks", "edges"), covered, strict=True)
        ),
        least=f"{min(shares):.0f}",
        highest=f"{max(shares):.0f}",
    )


def _name(blocks: Sequence[str]) -> str:
    return f"{blocks[0]} et al." if len(blocks) > 1 else blocks[0]


def _estimate(one: Estimate) -> str:
    return f"{_figure(one.value)} ± {one.half_width:.3f}"


def _figure(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}"


def _mark(holds: bool) -> str:
    return "holds" if holds else "**misses**"


def _row(one: Combination) -> str:
    truth = "" if one.truth is None else f"{one.truth.mean_cycles:.0f}"
    mark = "" if one.error is None else _mark(abs(one.error) <= one.estimate.half_width)
    name = "ε′, of every exit" if one.text == LEFT else one.text
    return f"| {name} | {_estimate(one.estimate)} | {truth} | {mark} |"


def _merged(measured: BlockMeasurements) -> str:
    groups = [each for each in columns_of(measured).values() if len(each) > 1]
    return "\n".join(
        f"* {_name(each)}: {', '.join(f'`{name}`' for name in each)}." for each in groups
    )


def _verdict(tables: Tables) -> str:
    (held_sums, sums), (held, edges) = tables.covered
    return f"{held} of {edges} intervals hold the truth, and {held_sums} of {sums} above."


def _coverage(name: str, covered: Sequence[Covered]) -> str:
    held, known = (sum(part) for part in zip(*covered, strict=True))
    return f"| {name} | {len(covered)} | {known:,} | {held:,} | {held / known * 100:.1f} % |"
