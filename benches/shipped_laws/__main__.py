"""Measures the laws that `cyclescope estimate` ships, and writes them: `make shipped-laws`.

Each configuration of a board is characterised into build/shipped-laws; of that, what pricing needs
goes into python/cyclescope/studies/estimate/laws, one file each. Where memory does not hold the
image of all cases, each class has an image of its own.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch

from cyclescope.firmware.build import ROOT
from cyclescope.studies.estimate.calls.laws import Laws, measured, parts_of, read
from cyclescope.studies.estimate.calls.parts import PREFIX
from cyclescope.studies.estimate.calls.shipped import FOLDER, Wanted

RESULTS = ROOT / "build" / "shipped-laws"
MEMORIES: tuple[tuple[str, dict[str, int | str]], ...] = (
    ("lpc2148-lab", {"code": "lab"}),
    ("lpc2148-lab", {"code": "flash", "mam": 0}),
    ("lpc2148-lab", {"code": "flash", "mam": 2}),
    ("at91x40", {"code": "ram"}),
    ("at91x40", {"code": "rom"}),
    ("at91x40", {"code": "internal"}),
    ("lpc2148", {"code": "flash"}),
)
KERNELS = ("bare", "freertos")
ISAS = ("arm", "thumb")
LAYOUTS = 2
"""Links in which calls from flash are timed, plain and moved; elsewhere places change nothing."""


def wanted() -> Iterator[Wanted]:
    """All configurations, those of the kernel without threads first."""
    for kernel in KERNELS:
        for board, settings in MEMORIES:
            for isa in ISAS:
                yield Wanted.of(board, kernel, {**settings, "isa": isa})


TWINS = ("lpc2148-lab-lab", "at91x40-internal")
"""Memories with the same core, where every access takes a cycle: a call of the library takes as
many cycles in one as in the other. Each takes from the other what it could not measure."""
NOT_HELD = "the image does not fit"
IN_PARTS = frozenset({"internal"})
"""Memories of code that do not hold the image of all cases."""
CASES = ROOT / "firmware" / "cases"
TIMED = "TIMED_CASE("


def classes() -> list[str]:
    """The classes of cases of the C library and of files."""
    return sorted(one.stem for one in CASES.glob("*.c") if TIMED in one.read_text())


def measured_in_parts(one: Wanted, names: Sequence[str], found: Laws) -> Laws:
    """Known laws with those of the named classes, as far as memory holds them, each from its own
    image; parts are of all of them."""
    for name in names:
        laws = measure(one, name)
        if laws is None:
            print(f"{one.name}: memory does not hold {name}", flush=True)
            continue
        shared = found.conditions or laws.conditions
        shared = {key: value for key, value in shared.items() if key != "image_sha256"}
        found = joined(Laws(one.name, shared, found.cases, found.omitted), laws)
    return with_parts_anew(found)


def measure(one: Wanted, function_class: str | None) -> Laws | None:
    """Characterises the configuration, as far as its folder is not finished; None where the
    memory does not hold the image."""
    folder = RESULTS / "-".join(filter(None, (one.name, function_class)))
    options = [
        f"--{name}={value}"
        for name, value in (("board", one.board), ("kernel", one.kernel), *one.settings.items())
    ]
    if one.settings["code"] == "flash":
        options.append(f"--layouts={LAYOUTS}")
    if function_class is not None:
        options.append(f"--class={function_class}")
    command = [sys.executable, "-m", "cyclescope", "characterize", *options]
    kept = "--resume" if folder.exists() else "--replace"
    done = subprocess.run([*command, "--out", str(folder), kept], capture_output=True, text=True)
    if NOT_HELD in done.stderr:
        return None
    if not (folder / "manifest.json").exists():
        raise SystemExit(done.stderr)
    return measured(folder)


def joined(kept: Laws, new: Laws) -> Laws:
    """Kept laws, with new ones of some cases."""
    omitted = {name: why for name, why in kept.omitted.items() if name not in new.cases}
    return Laws(kept.name, kept.conditions, {**kept.cases, **new.cases}, {**omitted, **new.omitted})


def with_twins(one: Wanted, kept: Laws) -> Laws:
    """Kept laws, with those of a memory with the same timing for cases that have none."""
    here = next((stem for stem in TWINS if one.name.startswith(stem)), "")
    if not here or one.kernel != "bare":
        return kept
    there = FOLDER / one.name.replace(here, TWINS[1 - TWINS.index(here)])
    twin = read(there.with_name(f"{there.name}.json"))
    missing = {name: law for name, law in twin.cases.items() if name not in kept.cases}
    return joined(kept, Laws(twin.name, twin.conditions, missing, {}))


def with_parts_anew(kept: Laws) -> Laws:
    """Kept laws, the parts of streams and files found again from those of the cases."""
    cases = {name: law for name, law in kept.cases.items() if not name.startswith(PREFIX)}
    return Laws(kept.name, kept.conditions, {**cases, **parts_of(cases)}, kept.omitted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="names of configurations, with * for any text")
    parser.add_argument("--class", dest="part", help="only cases of these classes, with commas")
    parser.add_argument("--parts", action="store_true", help="measure nothing; find parts again")
    parser.add_argument(
        "--twins", action="store_true", help="measure nothing; take laws of memories alike"
    )
    asked = parser.parse_args()
    for one in wanted():
        if not fnmatch(one.name, asked.only):
            continue
        if asked.twins:
            file = FOLDER / f"{one.name}.json"
            if file.is_file():
                file.write_text(_text(with_twins(one, read(file))))
            continue
        if asked.parts:
            file = FOLDER / f"{one.name}.json"
            if file.is_file():
                file.write_text(_text(with_parts_anew(read(file))))
            continue
        file = FOLDER / f"{one.name}.json"
        if asked.part is not None:
            laws = measured_in_parts(one, asked.part.split(","), read(file))
        elif one.settings["code"] in IN_PARTS:
            laws = measured_in_parts(one, classes(), Laws(one.name, {}, {}))
        else:
            whole = measure(one, None)
            if whole is None:
                raise SystemExit(f"{one.name} does not hold the cases: put it into IN_PARTS")
            laws = whole
        file.parent.mkdir(exist_ok=True)
        laws = with_twins(one, laws)
        file.write_text(_text(laws))
        print(f"{one.name}: {len(laws.cases)} laws, {file.stat().st_size:,} bytes", flush=True)


def _text(laws: Laws) -> str:
    """JSON with a line for each law, so that changes can be read."""
    document = laws.document()
    parts = [f'"format": {json.dumps(document["format"])}']
    parts.append(f'"conditions": {json.dumps(document["conditions"])}')
    for key in ("laws", "omitted"):
        lines = (f"{json.dumps(name)}: {_short(one)}" for name, one in document[key].items())
        parts.append(f'"{key}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
