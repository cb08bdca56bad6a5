"""Table 6 of paper 000 (Brandolese and Fornaciari), as printed."""

from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True)
class PrintedRow:
    """A job: its times in milliseconds, and the errors in per cent that are printed beside them."""

    job: str
    true_ms: float
    without_ms: float
    with_ms: float
    printed_without: float
    printed_with: float

    @property
    def without(self) -> float:
        """The error without calls in per cent, from the times."""
        return 100 * (self.without_ms / self.true_ms - 1)

    @property
    def with_calls(self) -> float:
        """The error with calls in per cent, from the times."""
        return 100 * (self.with_ms / self.true_ms - 1)

    @property
    def agrees(self) -> bool:
        """Whether the printed errors are those of the printed times, to a tenth."""
        return (
            abs(self.without - self.printed_without) < AGREES
            and abs(self.with_calls - self.printed_with) < AGREES
        )


AGREES = 0.11
"""Per cent; the times have one decimal."""
PRINTED_MEANS = (35.4, 17.2)
"""The means without and with calls of its last row."""
ROWS = (
    PrintedRow("adpcm-enc", 191.0, 95.5, 282.0, 12.3, 47.6),
    PrintedRow("adpcm-dec", 171.0, 89.3, 148.2, -55.7, -13.3),
    PrintedRow("bitcount", 318.0, 175.7, 234.9, -78.8, -26.1),
    PrintedRow("blowfish-enc", 483.0, 495.0, 518.0, -24.9, 7.2),
    PrintedRow("blowfish-dec", 479.0, 494.0, 518.0, -39.4, 8.1),
    PrintedRow("crc32", 637.0, 119.4, 511.1, -51.9, -19.8),
    PrintedRow("dijkstra", 1766.0, 1248.9, 1989.1, -1.7, 12.6),
    PrintedRow("fft", 3366.0, 962.9, 3919.9, -35.6, 16.5),
    PrintedRow("ispell", 80.5, 19.8, 89.3, -76.1, 10.9),
    PrintedRow("jpeg", 504.7, 391.8, 489.5, -22.2, -3.0),
    PrintedRow("qsort", 199.1, 205.6, 269.1, 28.0, 35.2),
    PrintedRow("rijndael-enc", 6874.4, 1407.6, 4664.5, -83.4, -32.1),
    PrintedRow("rijndael-dec", 245.0, 183.8, 242.3, -8.2, -1.1),
    PrintedRow("sha", 238.0, 148.4, 237.6, -5.2, -0.2),
    PrintedRow("stringsearch", 74.0, 96.8, 102.0, -57.0, 37.8),
    PrintedRow("susan", 44.0, 28.6, 41.0, -17.7, -6.8),
    PrintedRow("tiff2rgba", 180.0, 65.0, 191.4, -19.6, 6.3),
    PrintedRow("tiffdither", 16.6, 4.2, 9.7, -55.9, -41.9),
)


def means() -> dict[str, tuple[float, float]]:
    """Mean absolute errors in per cent, without and with calls, by where they come from."""
    return {
        "as its last row prints them": PRINTED_MEANS,
        "of the errors that its rows print": (
            fmean(abs(row.printed_without) for row in ROWS),
            fmean(abs(row.printed_with) for row in ROWS),
        ),
        "of the errors that its times give": (
            fmean(abs(row.without) for row in ROWS),
            fmean(abs(row.with_calls) for row in ROWS),
        ),
    }
