"""The paper's numbers, recomputed from its other numbers: do they follow?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cyclescope.studies.peripheral import paper

Rows = Mapping[str, tuple[int, int, int]]
COLUMNS = ("reads", "writes", "all")
FRAME_BITS = 8
"""The paper's bits a byte; a frame with its start and stop bit has 10."""


class PaperCheck(NamedTuple):
    """A number of the paper, what its others give for it, and the unit of its last digit."""

    where: str
    what: str
    stated: float
    recomputed: float
    digit: float

    @property
    def follows(self) -> bool:
        """Whether the two differ by no more than rounding."""
        return abs(self.stated - self.recomputed) <= self.digit / 2 + 1e-9

    def document(self) -> dict[str, Any]:
        """Returns it for JSON."""
        return {
            "where": self.where,
            "what": self.what,
            "stated": self.stated,
            "recomputed": self.recomputed,
            "follows": self.follows,
        }


def checks() -> list[PaperCheck]:
    """Every sum, mean and ratio that the text allows to recompute, in the order of the text."""
    return [
        *_budget(),
        *_load(),
        *_accesses(),
        *_table_3(),
        *_table_4(),
        *_table_5(),
        *_discussion(),
    ]


def not_following() -> list[PaperCheck]:
    """The others: misprints, or what the paper rounded or left out."""
    return [check for check in checks() if not check.follows]


def instructions_per_byte(mhz: float) -> float:
    """Instructions in the time of a byte, as the paper counts them."""
    seconds = FRAME_BITS / paper.LINE_BITS_PER_S
    return mhz * 1e6 * seconds / paper.CYCLES_PER_INSTRUCTION


def instructions_per_file_byte(line: str) -> float:
    """Active instructions per byte of the paper's file of 1,000 bytes, for a line.

    The paper states them per byte through the UART, so its two lines have different units.
    """
    wire = paper.stated("wire_bytes", line)
    assert wire is not None
    return paper.LOADS[line]["active"] * wire.value / paper.FILE_BYTES


def _budget() -> Iterator[PaperCheck]:
    for mhz, stated in paper.BUDGET.items():
        what = f"instructions per byte at {mhz} MHz"
        yield PaperCheck(
            "section 3.2", what, stated, instructions_per_byte(mhz), 10 if mhz > 10 else 1
        )


def _load() -> Iterator[PaperCheck]:
    load = paper.LOAD
    for name in ("char", "kernel"):
        parts = sum(value for key, value in load.items() if key.startswith(f"{name}/"))
        yield PaperCheck("Table 1", f"sum of {name}", load[name], parts, 0.1)
    classes = ("char", "kernel", "fs", "application")
    yield PaperCheck(
        "Table 1", "sum of classes", load["active"], sum(load[one] for one in classes), 0.1
    )
    stated = paper.STATED
    yield from _infrared_load()
    shares = {
        "char_share": load["char"],
        "irq_share": load["kernel/irq"],
        "time_sched_share": load["kernel/time"] + load["kernel/sched"],
    }
    for key, value in shares.items():
        one = stated[key]
        yield PaperCheck(one.where, one.counts, one.value, value / load["active"], 0.01)
    for link in ("", "_infrared"):
        for key, clock in (("occupation_least", 40), ("occupation_most", 10)):
            one = stated[f"{key}{link}"]
            share = stated[f"active{link}"].value / paper.BUDGET[clock]
            yield PaperCheck(one.where, f"occupation {one.counts}", one.value, share, 0.01)


def _infrared_load() -> Iterator[PaperCheck]:
    load, stated = paper.INFRARED_LOAD, paper.STATED
    classes = ("char", "irda", "kernel", "fs", "application")
    yield PaperCheck(
        "Table 2", "sum of classes", load["active"], sum(load[one] for one in classes), 0.1
    )
    values = {
        "irda_share_infrared": load["irda"] / load["active"],
        "peripheral_share_infrared": (load["char"] + load["irda"]) / load["active"],
    }
    for key, value in values.items():
        one = stated[key]
        yield PaperCheck(one.where, f"{one.counts}, infrared", one.value, value, 0.01)
    one = stated["protocol_infrared"]
    yield PaperCheck(one.where, one.counts, one.value, load["irda/protocol"], 1)
    twice = stated["time_by_serial_infrared"]
    ratio = stated["wire_bytes_infrared"].value / stated["wire_bytes"].value
    yield PaperCheck(twice.where, "bytes of infrared by serial, in section 4.1", 2, ratio, 0.1)
    moved = (paper.TRANSFER_TOTALS[link][0] for link in ("infrared", "serial"))
    ratio = next(moved) / next(moved)
    yield PaperCheck(twice.where, "bytes of infrared by serial, in Table 5", 2, ratio, 0.1)


def _accesses() -> Iterator[PaperCheck]:
    stated = paper.STATED
    for suffix, table in (("", paper.LOAD), ("_infrared", paper.INFRARED_LOAD)):
        one = stated[f"accesses_per_instruction{suffix}"]
        instructions = table["active"] * stated[f"wire_bytes{suffix}"].value
        ratio = stated[f"data_accesses{suffix}"].value / instructions
        yield PaperCheck(one.where, f"{one.counts} per instruction", one.value, ratio, 0.01)
    ratio = stated["accesses_per_instruction"].value
    yield PaperCheck("section 4.3", "“two accesses for three instructions”", 2 / 3, ratio, 0.1)
    control = stated["control_accesses"]
    interactions = stated["interactions"].value
    each = paper.DEVICES["serial"]["usart"][2] / interactions
    yield PaperCheck(control.where, f"accesses {control.counts}", control.value, each, 1)


def _sums(where: str, link: str, rows: Rows, totals: Sequence[int]) -> Iterator[PaperCheck]:
    """Of a table of accesses: each row's sum, and the sum of each column."""
    for name, row in rows.items():
        yield PaperCheck(where, f"{link}: all of {name}", row[2], row[0] + row[1], 1)
    for i, column in enumerate(COLUMNS):
        found = sum(row[i] for row in rows.values())
        yield PaperCheck(where, f"{link}: sum of {column}", totals[i], found, 1)


def _table_3() -> Iterator[PaperCheck]:
    for link, rows in paper.DEVICES.items():
        yield from _sums("Table 3", link, rows, paper.DEVICE_TOTALS[link])


def _table_4() -> Iterator[PaperCheck]:
    for link, rows in paper.REGISTERS.items():
        totals = paper.REGISTER_TOTALS[link]
        yield from _sums("Table 4", link, rows, totals)
        for i, column in enumerate(COLUMNS):
            other = paper.DEVICES[link]["usart"][i]
            yield PaperCheck("Table 4", f"{link}: {column}, by Table 3", totals[i], other, 1)


def _table_5() -> Iterator[PaperCheck]:
    for link, rows in paper.TRANSFERS.items():
        for direction, (count_bytes, number, mean) in rows.items():
            what = f"{link}: mean length {direction}"
            yield PaperCheck("Table 5", what, mean, count_bytes / number, 0.1)
        in_all = paper.TRANSFER_TOTALS[link]
        for i, column in enumerate(("bytes", "number")):
            found = sum(row[i] for row in rows.values())
            yield PaperCheck("Table 5", f"{link}: sum of {column}", in_all[i], found, 1)
        yield PaperCheck("Table 5", f"{link}: mean length", in_all[2], in_all[0] / in_all[1], 0.1)
    rounded = paper.STATED["mean_transfer_infrared"]
    moved, number, _ = paper.TRANSFER_TOTALS["infrared"]
    yield PaperCheck(rounded.where, "mean transfer, infrared", rounded.value, moved / number, 10)
    for link, key in (("serial", "wire_bytes"), ("infrared", "wire_bytes_infrared")):
        one = paper.STATED[key]
        moved = paper.TRANSFER_TOTALS[link][0]
        digit = 10 if link == "infrared" else 1
        yield PaperCheck(one.where, f"{link}: bytes, by Table 5", one.value, moved, digit)


def _discussion() -> Iterator[PaperCheck]:
    stated = paper.STATED
    hz = paper.LOAD["active"] * paper.CYCLES_PER_INSTRUCTION * paper.LINE_BITS_PER_S / FRAME_BITS
    needed = stated["needed_mhz"]
    yield PaperCheck(needed.where, needed.counts, needed.value, hz / 1e6, 1)
    factor = stated["factor"]
    by_rate = hz / paper.LINE_BITS_PER_S
    yield PaperCheck(factor.where, f"{factor.counts}, not rounded before", factor.value, by_rate, 1)
    infrared = stated["factor_infrared"]
    by_rate *= paper.INFRARED_LOAD["active"] / paper.LOAD["active"]
    yield PaperCheck(
        infrared.where, "the same, infrared, not rounded before", infrared.value, by_rate, 1
    )
    one = stated["char_infrared"]
    load = paper.INFRARED_LOAD
    both = load["char"] + load["irda/irtty"]
    yield PaperCheck(one.where, f"{one.counts}, with irtty in section 4.2", one.value, both, 1)
    yield PaperCheck(one.where, f"{one.counts}, by Table 2", one.value, load["char"], 1)
