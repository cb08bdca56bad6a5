"""Bytes and times of infrared transfers, for docs/explanation/infrared.md: Figure 2 and more."""

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.report.sections import lines
from pages.infrared_campaigns import (
    FRAMES,
    TIMED_FRAMES,
    TIMED_SIZES,
    TURNAROUNDS,
    WINDOWS,
)
from pages.infrared_transfers import BOTH, active, by_size, pair, transfer, transfers
from pages.values import table

SIZES = "infrared_sizes"
NOISY = "infrared_noise"
UPLOADS = "infrared_uploads"


def infrared_sizes() -> str:
    """Bytes, overhead, time and load of both lines by the file's size."""
    rows = []
    for size in sorted({one.setting.size for one in transfers(SIZES)}):
        both = [transfer(SIZES, line, size) for line in LineType]
        cells = [f"{size:,}"]
        for one in both:
            found = one.documents["overhead"]
            cells += [f"{found['wire_bytes']:,}", f"{found['overhead_share']:.1%}"]
        cells += [f"{one.outcome.seconds:.3f}" for one in both]
        cells.append(f"{both[1].outcome.seconds / both[0].outcome.seconds:.2f}")
        cells += [active(one) for one in both]
        rows.append(" | ".join(cells))
    return table(
        "bytes of the file | serial: on the wire | overhead | infrared: on the wire | overhead | "
        "serial, s | infrared, s | ratio | serial: instructions per byte | infrared",
        *rows,
    )


def infrared_origins() -> str:
    """Bytes of both lines by the paper's origins, for its file."""
    both = pair()
    shares = [lines.categories(one) for one in both.values()]
    rows = [f"{name} | {shares[0][name]:.1f} % | {shares[1][name]:.1f} %" for name in shares[0]]
    totals = [one.documents["overhead"]["overhead_share"] for one in both.values()]
    rows.append(f"**all** | **{totals[0]:.1%}** | **{totals[1]:.1%}**".replace("%", " %"))
    return table("overhead, of the file | serial | infrared", *rows)


def infrared_frames_by_origin() -> str:
    """Octets of the infrared transfer by the protocols' own origins."""
    found = transfer(BOTH).documents["overhead"]
    rows = [
        f"{name} | {one['to_board']:,} | {one['from_board']:,}"
        for name, one in found["origins"].items()
        if one["bytes"]
    ]
    rows.append(f"**all** | **{found['to_board_bytes']:,}** | **{found['from_board_bytes']:,}**")
    return table("octets | received | sent", *rows)


def infrared_frame_sizes() -> str:
    """The file of 1,000 bytes by size of frames and window."""
    rows = []
    for frame in FRAMES:
        for window in WINDOWS:
            one = transfer(f"infrared_{frame}_{window}")
            found = one.documents["overhead"]
            rows.append(
                f"{frame:,} | {window} | {sum(found['packets'].values())} | "
                f"{found['wire_bytes']:,} | {found['overhead_share']:.1%} | "
                f"{one.outcome.seconds:.3f} | {active(one)}"
            )
    head = "data of a frame | window | frames | on the wire | overhead | s | instructions per byte"
    return table(head, *rows)


def infrared_noise() -> str:
    """A file over a medium with bit errors, in a sentence."""
    (one,) = transfers(NOISY)
    came = one.outcome
    state = "arrives whole" if came.identical else "does not arrive whole"
    found = one.documents["overhead"]
    return (
        f"A file of {one.setting.size:,} bytes {state} at a rate of {one.setting.errors:g}. "
        f"Flipped bits: {came.flipped_bits:,}; frames sent again: {came.retransmissions:,}; "
        f"bytes on the wire: {found['wire_bytes']:,}; {came.seconds:.2f} s. n = 1, exact for its "
        "seed."
    )


def infrared_uploads() -> str:
    """Uploads by the file's size: the sending board."""
    rows = [
        f"{begin} | {one.outcome.seconds:.3f} | {active(one)}"
        for begin, one in by_size(UPLOADS).items()
    ]
    return table(
        "bytes of the file | on the wire | overhead | s | instructions per byte on the wire", *rows
    )


def infrared_times() -> str:
    """The time of a file over infrared by the serial line's: frames, windows, turnarounds, sizes.

    Behind it the ratio of the bytes on the wire of the largest file.
    """
    serial = {size: transfer(SIZES, LineType.SERIAL, size) for size in TIMED_SIZES}
    rows = []
    for frame in TIMED_FRAMES:
        for window in WINDOWS:
            for turnaround in TURNAROUNDS:
                name = f"infrared_time_{frame}_{window}_{turnaround}"
                found = [transfer(name, size=size) for size in TIMED_SIZES]
                ratios = [
                    f"{one.outcome.seconds / serial[one.setting.size].outcome.seconds:.2f}"
                    for one in found
                ]
                sent = [
                    one.documents["overhead"]["wire_bytes"]
                    for one in (found[-1], serial[TIMED_SIZES[-1]])
                ]
                rows.append(
                    f"{frame:,} | {window} | {turnaround} | {' | '.join(ratios)} | "
                    f"{sent[0] / sent[1]:.2f} | {found[-1].outcome.retransmissions:,}"
                )
    sizes = " | ".join(f"time: {size:,} bytes" for size in TIMED_SIZES)
    largest = f"bytes: {TIMED_SIZES[-1]:,} | frames again"
    return table(f"data of a frame | window | turnaround, ms | {sizes} | {largest}", *rows)


def infrared_twice() -> str:
    """With which settings a size takes at least twice the serial line's time, in sentences."""
    said = []
    for size in TIMED_SIZES:
        serial = transfer(SIZES, LineType.SERIAL, size).outcome.seconds
        found = {
            (frame, window, turnaround): transfer(
                f"infrared_time_{frame}_{window}_{turnaround}", size=size
            ).outcome.seconds
            / serial
            for frame in TIMED_FRAMES
            for window in WINDOWS
            for turnaround in TURNAROUNDS
        }
        twice = [
            f"{frame:,} bytes, window {window}, {turnaround} ms"
            for (frame, window, turnaround), ratio in found.items()
            if ratio >= paper.STATED["time_by_serial_infrared"].value
        ]
        which = f": {'; '.join(twice)}" if 0 < len(twice) < len(found) // 2 else ""
        said.append(f"{size:,} bytes take that long with {len(twice)} of {len(found)}{which}")
    return f"{'. '.join(said)}."


def infrared_papers_bytes() -> str:
    """The paper's bytes of infrared by those of the serial line: its file, and large files."""
    file = paper.STATED["wire_bytes_infrared"].value / paper.STATED["wire_bytes"].value
    overheads = [paper.STATED[f"overhead_large{one}"].value for one in ("_infrared", "")]
    large = (1 + overheads[0]) / (1 + overheads[1])
    return f"{file:.2f} for its file of 1,000 bytes, and {large:.2f} for large files"
