"""Tables and picture of docs/reference/estimates.md, from estimates.json and true_times.json."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import paper
from benchmark import programs
from configurations import CONFIGURATIONS, REFERENCE
from split import GROUPS, group

JOBS = {
    "adpcm-enc": "adpcm-encode",
    "adpcm-dec": "adpcm-decode",
    "bitcount": "bitcount",
    "blowfish-enc": "blowfish-encrypt",
    "blowfish-dec": "blowfish-decrypt",
    "crc32": "crc32",
    "dijkstra": "dijkstra",
    "fft": "fft",
    "ispell": "spell",
    "jpeg": "jpeg-compress",
    "qsort": "qsort-points",
    "rijndael-enc": "rijndael-encrypt",
    "rijndael-dec": "rijndael-decrypt",
    "sha": "sha1",
    "stringsearch": "stringsearch",
    "susan": "corners",
    "tiff2rgba": "tiff-rgba",
    "tiffdither": "tiff-dither",
}
"""The paper's jobs and our programs of them."""
WAYS = ("blocks", "source")
CHANGED = (
    "lpc2148-lab ram arm O2",
    "lpc2148-lab ram thumb O2",
    "lpc2148-lab flash mam0 arm O2",
    "lpc2148-lab flash mam2 arm O2",
    "lpc2148-lab flash mam0 thumb O2",
)
"""Configurations of the what-if table; the first is what the others are compared with."""
ASKED = ("bitcount", "fft", "huffman", "solve")
WORST = 3
MANY = 0.1
"""Of the true time in calls."""
LEAST_SHARE = 0.005
"""Of all cycles, for a function without a law to stand in the table."""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 720, 360, 56, 44, 92
COLOURS = ("#999999", "#c4501b", "#1f5fa8")
Row = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """An estimate beside its truth."""

    program: str
    way: str
    row: Row
    truth: Row

    @property
    def group(self) -> str:
        return group(programs()[self.program].family)

    @property
    def is_inside(self) -> bool:
        """Whether the interval holds the true time."""
        return bool(self.row["low"] <= self.truth["cycles"] <= self.row["high"])

    @property
    def half_width(self) -> float:
        """Half of the interval, as a part of the estimate."""
        return float((self.row["high"] - self.row["low"]) / 2 / max(self.row["cycles"], 1))


class Tables:
    """All estimates, ready for tables."""

    def __init__(self, document: Row, truths: Row) -> None:
        self._rows, self._truths, self._document = document["rows"], truths, document

    def of(self, where: str, way: str) -> list[Found]:
        """The programs of a configuration that one way estimated."""
        return [
            found
            for name in self._rows.get(where, {})
            if (found := self.one(where, name, way)) is not None
        ]

    def one(self, where: str, name: str, way: str) -> Found | None:
        """An estimate, if there is one."""
        row = self._rows.get(where, {}).get(name, {}).get(way, {})
        truth = self._truths.get(where, {}).get(name, {})
        return Found(name, way, row, truth) if "cycles" in row and "cycles" in truth else None

    def table_six(self) -> Iterator[str]:
        """The paper's jobs: its errors and ours."""
        yield (
            "| job | program | | true ms | paper without, with | "
            + " | ".join(f"`{way}` ms | without, with" for way in WAYS)
            + " |"
        )
        yield "|---|---|---|--:|--:|" + "--:|--:|" * len(WAYS)
        for row in paper.ROWS:
            name = JOBS[row.job]
            truth = self._truths[REFERENCE.name][name]
            cells = [
                row.job,
                name,
                group(programs()[name].family),
                f"{1000 * truth['cycles'] / truth['core_hz']:,.1f}",
                f"{row.without:+.1f} %, {row.with_calls:+.1f} %",
            ]
            for way in WAYS:
                found = self.one(REFERENCE.name, name, way)
                cells += ["", ""] if found is None else _cells(found)
            yield f"| {' | '.join(cells)} |"
        ours = [
            [one for name in JOBS.values() if (one := self.one(REFERENCE.name, name, way))]
            for way in WAYS
        ]
        given = paper.means()["of the errors that its times give"]
        means = ["mean of absolute errors", "", "", "", f"{given[0]:.1f} %, {given[1]:.1f} %"]
        for found_ones in ours:
            means += [f"n = {len(found_ones)}", _both_means(found_ones)]
        yield f"| {' | '.join(means)} |"

    def of_paper(self) -> Iterator[str]:
        """The paper's rows: printed errors beside those of its times."""
        of_error = "printed | from the times"
        yield f"| job | true ms | without: ms | {of_error} | with: ms | {of_error} |"
        yield "|---|--:|--:|--:|--:|--:|--:|--:|"
        for row in paper.ROWS:
            yield (
                f"| {row.job} | {row.true_ms:,.1f} | {row.without_ms:,.1f} "
                f"| {row.printed_without:+.1f} % | {row.without:+.1f} % | {row.with_ms:,.1f} "
                f"| {row.printed_with:+.1f} % | {row.with_calls:+.1f} % |"
            )
        for words, (without, with_calls) in paper.means().items():
            yield f"| mean, {words} | | | | {without:.1f} % | | | {with_calls:.1f} % |"

    def by_configuration(self) -> Iterator[str]:
        """Errors of time by configuration, way and group."""
        yield (
            "| configuration | way | programs | n | mean | greatest | without calls, mean "
            "| energy, mean | energy, greatest |"
        )
        yield "|---|---|---|--:|--:|--:|--:|--:|--:|"
        for where in CONFIGURATIONS:
            for way in WAYS:
                for words in GROUPS:
                    some = [one for one in self.of(where.name, way) if one.group == words]
                    if some:
                        yield f"| {where.name} | `{way}` | {words} | {_summary(some)} |"

    def refusals(self) -> Iterator[str]:
        """How many programs are estimated, and why others are not."""
        yield "| configuration | way | estimated | refused | sentence |"
        yield "|---|---|--:|---|---|"
        for where in CONFIGURATIONS:
            for way in WAYS:
                rows = {
                    name: ways[way]
                    for name, ways in self._rows.get(where.name, {}).items()
                    if way in ways
                }
                refused: dict[str, list[str]] = {}
                for name, row in rows.items():
                    if "refused" in row:
                        refused.setdefault(row["refused"], []).append(name)
                known = len(rows) - sum(map(len, refused.values()))
                for why, names in refused.items() if known else ():
                    yield f"| {where.name} | `{way}` | {known} | {', '.join(names)} | {why} |"
                if known and not refused:
                    yield f"| {where.name} | `{way}` | {known} | none | |"

    def coverage(self) -> Iterator[str]:
        """How often the intervals hold the truth, and how wide they are."""
        yield "| configuration | way | programs | n | inside | median half-width |"
        yield "|---|---|---|--:|--:|--:|"
        for way in WAYS:
            for words in GROUPS:
                everywhere: list[Found] = []
                for where in CONFIGURATIONS:
                    some = [one for one in self.of(where.name, way) if one.group == words]
                    everywhere += some
                    if some:
                        yield f"| {where.name} | `{way}` | {words} | {_covered(some)} |"
                if everywhere:
                    yield f"| all | `{way}` | {words} | {_covered(everywhere)} |"

    def unpriced(self) -> Iterator[str]:
        """Calls without a law of their condition, by function: where their share is greatest."""
        yield "| function | programs | greatest share of all cycles | program | configuration |"
        yield "|---|--:|--:|---|---|"
        most: dict[str, tuple[float, str, str]] = {}
        having: dict[str, set[str]] = {}
        for where in CONFIGURATIONS:
            for one in self.of(where.name, WAYS[0]):
                for name, share in one.row.get("without_law", {}).items():
                    having.setdefault(name, set()).add(one.program)
                    most[name] = max(
                        most.get(name, (0.0, "", "")), (share, one.program, where.name)
                    )
        for name, (share, program, where_name) in sorted(
            most.items(), key=lambda item: -item[1][0]
        ):
            if share >= LEAST_SHARE:
                cells = [f"`{name}`", str(len(having[name])), f"{share:.1%}", program, where_name]
                yield f"| {' | '.join(cells)} |"

    def in_calls(self) -> Iterator[str]:
        """The programs that spend a tenth of their true time or more in calls."""
        rows = self._truths[REFERENCE.name]
        shares = {
            name: row["calls"]["cycles"] / row["cycles"]
            for name, row in rows.items()
            if "calls" in row
        }
        yield "| program | | calls |"
        yield "|---|---|--:|"
        counted = {words: [0, 0] for words in GROUPS}
        for name, share in sorted(shares.items(), key=lambda one: -one[1]):
            words = group(programs()[name].family)
            counted[words][1] += 1
            if share >= MANY:
                counted[words][0] += 1
                yield f"| {name} | {words} | {share:.0%} |"
        for words, (many, some) in counted.items():
            yield f"| so many of {some} | {words} | {many} |"

    def worst(self) -> Iterator[str]:
        """The greatest errors of each way, over all configurations, one of each program."""
        yield "| way | programs | program | configuration | error | of its own code |"
        yield "|---|---|---|---|--:|--:|"
        for way in WAYS:
            for words in GROUPS:
                by_program: dict[str, tuple[float, str, Row]] = {}
                for where in CONFIGURATIONS:
                    for one in self.of(where.name, way):
                        size = abs(one.row["error"])
                        if one.group == words and size > by_program.get(one.program, (-1.0,))[0]:
                            by_program[one.program] = (size, where.name, one.row)
                order = sorted(by_program.items(), key=lambda item: -item[1][0])
                for name, (_, where_name, row) in order[:WORST]:
                    own = f"{row['error_of_own']:+.1%}" if "error_of_own" in row else ""
                    error = f"{row['error']:+.1%}"
                    yield f"| `{way}` | {words} | {name} | {where_name} | {error} | {own} |"

    def what_if(self) -> Iterator[str]:
        """The same counts priced for other configurations, beside the truth."""
        yield (
            "| program | instead of "
            + CHANGED[0]
            + " | true | "
            + " | ".join(f"`{way}`" for way in WAYS)
            + " |"
        )
        yield "|---|---|--:|" + "--:|" * len(WAYS)
        for name in ASKED:
            base = self._truths[CHANGED[0]][name]["cycles"]
            for where in CHANGED[1:]:
                cells = [name, where, f"{self._truths[where][name]['cycles'] / base:.3f}"]
                for way in WAYS:
                    first, other = self.one(CHANGED[0], name, way), self.one(where, name, way)
                    known = first is not None and other is not None
                    cells.append(
                        f"{other.row['cycles'] / first.row['cycles']:.3f}"
                        if first is not None and other is not None and known
                        else ""
                    )
                yield f"| {' | '.join(cells)} |"

    def openings(self) -> Iterator[str]:
        """When held-back programs were estimated."""
        yield "| opened | commit | estimator |"
        yield "|---|---|---|"
        for one in self._document["openings"]:
            yield f"| {one['date']} | `{one['commit']}` | `{one['estimator']}` |"


def _cells(found: Found) -> list[str]:
    milliseconds = 1000 * found.row["cycles"] / found.truth["core_hz"]
    errors = f"{found.row['error_without_calls']:+.1%}, {found.row['error']:+.1%}"
    return [f"{milliseconds:,.1f}", errors.replace("%", " %")]


def _covered(some: Sequence[Found]) -> str:
    inside = sum(one.is_inside for one in some) / len(some)
    return f"{len(some)} | {inside:.0%} | {median(one.half_width for one in some):.1%}"


def _both_means(some: Sequence[Found]) -> str:
    if not some:
        return ""
    parts = (fmean(abs(one.row[key]) for one in some) for key in ("error_without_calls", "error"))
    return ", ".join(f"{100 * part:.1f} %" for part in parts)


def _summary(some: Sequence[Found]) -> str:
    errors = [abs(one.row["error"]) for one in some]
    without = [abs(one.row["error_without_calls"]) for one in some]
    energy = [abs(one.row["energy_error"]) for one in some if "energy_error" in one.row]
    figures = [fmean(errors), max(errors), fmean(without)]
    cells = [f"{100 * one:.1f} %" for one in figures]
    of_energy = [fmean(energy), max(energy)] if energy else []
    cells += [f"{100 * one:.1f} %" for one in of_energy] or ["", ""]
    return f"{len(some)} | " + " | ".join(cells)


def page(text: str, document: Row, truths: Row) -> str:
    """The page with all of its tables anew; each stands between its marks."""
    tables = Tables(document, truths)
    for name in (
        *("table_six", "of_paper", "by_configuration", "coverage", "worst"),
        *("what_if", "refusals", "openings", "unpriced", "in_calls"),
    ):
        before, found, rest = text.partition(f"<!-- {name} -->\n")
        _, _, after = rest.partition("<!-- end -->")
        if not found:
            raise ValueError(f"the page has no mark {name}")
        text = before + found + "\n".join(getattr(tables, name)()) + "\n<!-- end -->" + after
    return text


def picture(document: Row, truths: Row) -> str:
    """Figure 6 again: errors of the paper's jobs without and with calls, as bars."""
    tables = Tables(document, truths)
    bars = {
        "paper, with calls (from its times)": [row.with_calls / 100 for row in paper.ROWS],
        **{
            f"{way}, with calls": [
                one.row["error"] if one else None
                for name in JOBS.values()
                for one in (tables.one(REFERENCE.name, name, way),)
            ]
            for way in WAYS
        },
    }
    step = (WIDTH - LEFT - 8) / len(paper.ROWS)
    middle, half = TOP + (HEIGHT - TOP - BOTTOM) / 2, (HEIGHT - TOP - BOTTOM) / 2
    scale = half / 0.5
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for percent in (-50, -25, 0, 25, 50):
        y = middle - percent / 100 * scale
        parts.append(
            f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - 8}" y2="{y:.1f}" stroke="#dddddd"/>'
        )
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>')
    wide = step * 0.8 / len(bars)
    for place, ((words, errors), colour) in enumerate(zip(bars.items(), COLOURS, strict=True)):
        x = LEFT + place * (WIDTH - LEFT) / len(bars)
        parts.append(f'<rect x="{x:.0f}" y="14" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 15:.0f}" y="23">{words}</text>')
        for number, error in enumerate(errors):
            if error is None:
                continue
            tall = min(abs(error), 0.5) * scale
            top = middle - tall if error > 0 else middle
            at = LEFT + step * (number + 0.1) + place * wide
            parts.append(
                f'<rect x="{at:.1f}" y="{top:.1f}" width="{wide:.1f}" '
                f'height="{max(tall, 0.5):.1f}" fill="{colour}"/>'
            )
    for number, row in enumerate(paper.ROWS):
        x, y = LEFT + step * (number + 0.5), HEIGHT - BOTTOM + 14
        parts.append(
            f'<text x="{x:.1f}" y="{y}" text-anchor="end" '
            f'transform="rotate(-45 {x:.1f} {y})">{row.job}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])
