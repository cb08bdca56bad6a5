"""True times of all programs in all configurations on the exact boards, into true_times.json.

`python benches/paper_000` runs those that are missing or whose image or inputs changed. `--check`
runs all again and compares; `--drawing` leaves out the programs of all others; `--page` only writes
the table of docs/reference/programs.md. Files, console and status of each run are compared with
those of the same program on this machine. `--energy` runs those that were not metered under the
power meter, which changes no cycle.
"""

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark import FOLDER, BenchmarkProgram, host_run, programs
from configurations import CONFIGURATIONS, REFERENCE, SMALL, BoardConfiguration
from elftools.elf.elffile import ELFFile
from split import FILE as SPLIT
from split import group

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.application import HostRun, build_application
from cyclescope.firmware.build import ROOT
from cyclescope.firmware.program import ALLOCATED
from cyclescope.targets.virtual.application import TrueRun, run_on_board

FILE = FOLDER / "true_times.json"
PAGE = ROOT / "docs" / "reference" / "programs.md"
BEGIN, END = "<!-- table -->\n", "<!-- end -->"
DIGITS = 16
"""Of hashes in the file."""
Row = dict[str, Any]


def measured(program: BenchmarkProgram, where: BoardConfiguration, known: Row | None) -> Row:
    """The true time of a program in a configuration, or why it has none; `known` if it still holds.

    In the configuration of reference the share of calls is measured too.
    """
    files = repr((program.command, sorted(program.files().items())))
    inputs = hashlib.sha256(files.encode()).hexdigest()[:DIGITS]
    try:
        built = build_application(program.application(where.level), where.of_kernel(program.kernel))
        image = loaded_sha256(built.image.elf)
        if known and (known.get("image"), known.get("inputs")) == (image, inputs):
            return known
        true = run_on_board(built, program.command, program.files(), profile=where is REFERENCE)
    except CyclescopeError as error:
        return {"refused": error.sentence}
    if where.memory in SMALL and true.status != host_run(program.name).status:
        return {"refused": f"it ends with status {true.status}: disk or heap are too small"}
    row: Row = {
        "cycles": true.cycles,
        "instructions": true.instructions,
        "core_hz": true.core_hz,
        "status": true.status,
        "image": image,
        "inputs": inputs,
        "as_on_host": same(true, host_run(program.name)),
    }
    if true.by_owner is not None:
        row["by_owner"] = true.by_owner
    return row


def metered(program: BenchmarkProgram, where: BoardConfiguration, row: Row) -> Row:
    """The row of a run with the energy of another one, under the power meter."""
    if "cycles" not in row or "energy_uj" in row:
        return row
    built = build_application(program.application(where.level), where.of_kernel(program.kernel))
    true = run_on_board(built, program.command, program.files(), energy=True)
    if loaded_sha256(built.image.elf) != row["image"] or true.cycles != row["cycles"]:
        raise SystemExit(f"{where.name} {program.name}: run it again; its time is of another image")
    if true.energy is None:
        raise SystemExit(f"{where.name}: this board has no power meter")
    parts: dict[str, float] = defaultdict(float)
    for name, part_uj in true.energy.parts_uj.items():
        parts["devices" if name.startswith("device.") else name] += part_uj
    return {
        **row,
        "energy_uj": round(true.energy.total_uj, 3),
        "energy_parts_uj": {name: round(part_uj, 3) for name, part_uj in parts.items()},
        "calls": {
            "cycles": true.energy.calls_cycles,
            "energy_uj": round(true.energy.calls_uj, 3),
        },
    }


def loaded_sha256(elf: Path) -> str:
    """A hash of what a board loads of an image; its debugging information names folders."""
    digest = hashlib.sha256()
    with elf.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if section["sh_flags"] & ALLOCATED and section["sh_type"] == "SHT_PROGBITS":
                digest.update(section["sh_addr"].to_bytes(4, "little") + section.data())
    return digest.hexdigest()[:DIGITS]


def same(true: TrueRun, here: HostRun) -> bool:
    """Whether a program left the same on the board and here."""
    return (true.status, true.console, true.files) == (here.status, here.console, here.files)


def read() -> dict[str, dict[str, Row]]:
    """The rows by configuration and program."""
    known: dict[str, dict[str, Row]] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return known


def write(where: str, rows: dict[str, Row]) -> None:
    """Writes a configuration's rows into the file, which has a line for each run.

    Other configurations are read again: they may have been run beside this one.
    """
    kept = {**read(), where: rows}
    order = [one.name for one in CONFIGURATIONS if one.name in kept]
    kept = {name: kept[name] for name in order}
    tables = (
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(f"{json.dumps(one)}: {json.dumps(row)}" for one, row in rows.items())
        + "\n}"
        for name, rows in kept.items()
    )
    FILE.write_text("{\n" + ",\n".join(tables) + "\n}\n")


def table(kept: dict[str, dict[str, Row]]) -> Iterator[str]:
    """The programs in the configuration of reference, as lines of Markdown."""
    yield f"| program | family | job | lines | cycles, {REFERENCE.name} | calls | |"
    yield "|---|---|---|--:|--:|--:|---|"
    rows = kept.get(REFERENCE.name, {})
    for program in programs().values():
        row = rows.get(program.name, {})
        cycles = f"{row['cycles']:,}" if "cycles" in row else row.get("refused", "")
        share = f"{row['by_owner']['calls'] / row['cycles']:.1%}" if "by_owner" in row else ""
        words = group(program.family)
        yield (
            f"| {program.name} | {program.family} | {program.job} | {program.lines:,} | {cycles} "
            f"| {share} | {words} |"
        )


def page(text: str, kept: dict[str, dict[str, Row]]) -> str:
    """The page with its table anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n".join(table(kept)) + "\n" + END + after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="run all again and compare")
    parser.add_argument("--page", action="store_true", help="write the page; run nothing")
    parser.add_argument("--only", help="configurations whose name has this in it")
    parser.add_argument(
        "--drawing",
        choices=("third", "fourth", "fifth", "sixth", "seventh", "eighth"),
        help="its programs alone",
    )
    parser.add_argument("--energy", action="store_true", help="meter what was not metered")
    chosen = parser.parse_args()
    kept = read()
    if chosen.page:
        PAGE.write_text(page(PAGE.read_text(), kept))
        return
    families = json.loads(SPLIT.read_text()).get(chosen.drawing)
    asked = [one for one in programs().values() if families is None or one.family in families]
    different = 0
    for where in CONFIGURATIONS:
        if chosen.only and chosen.only not in where.name:
            continue
        if chosen.energy:
            for name, row in list(kept.get(where.name, {}).items()):
                kept[where.name][name] = metered(programs()[name], where, row)
                if kept[where.name][name] is not row:
                    write(where.name, kept[where.name])
                    print(f"{where.name} {name}: metered", flush=True)
            continue
        rows = kept.setdefault(where.name, {})
        for program in asked:
            before = rows.get(program.name)
            row = measured(program, where, None if chosen.check else before)
            if chosen.check and before is not None:
                row = before | row
                if row != before:
                    different += 1
                    print(f"{where.name} {program.name}: {before} was, {row} is")
            rows[program.name] = row
            if not chosen.check and row != before:
                write(where.name, rows)
            said = f"{row['cycles']:,}" if "cycles" in row else row["refused"]
            print(f"{where.name} {program.name} {said}", flush=True)
            if not row.get("as_on_host", True):
                different += 1
                print(f"{where.name} {program.name}: not what it gives on this machine")
    if different:
        raise SystemExit(f"{different} runs differ")


if __name__ == "__main__":
    main()
