"""The result of a program's run as text: `cyclescope run`."""

from typing import Any

from cyclescope.cli.output import print_wrapped
from cyclescope.studies.run.instruments import tables
from cyclescope.studies.run.linux import document

MOST_ENERGY_LINES = 12


def show(outcome: dict[str, Any]) -> None:
    """Prints how long it took, what the board confesses, and what was asked for beside."""
    print(outcome["sentence"])
    per = outcome["cycle"] / outcome["instructions"] if outcome["instructions"] else 0.0
    print(
        f"{outcome['cycle']:,} cycles, {outcome['instructions']:,} instructions "
        f"({per:.3f} cycles each), {outcome['seconds']:.9f} s on {outcome['board']} "
        f"(core clock at the end {outcome['core_hz']:,} Hz)"
    )
    for item in outcome["unmodelled"]:
        print_wrapped(f"not modelled: {item['text']} {_place(item)}")
    for rule in outcome["unverified"]:
        print_wrapped(f"unverified rule used: {rule['rule']}: {rule['text']}")
    for remark in outcome["remarks"]:
        print_wrapped(remark)
    if "linux" in outcome:
        print("\n".join(document.lines(outcome["linux"])))
    if "energy" in outcome:
        _print_energy(outcome["energy"])
    for key in tables.TABLES:
        if key in outcome:
            print()
            print("\n".join(tables.lines(key, outcome[key])))
    registers = outcome.get("registers", {})
    names = list(registers)
    for start in range(0, len(names), 4):
        print("  ".join(f"{name:>8} {registers[name]:08x}" for name in names[start : start + 4]))
    for address, data in outcome.get("memory", {}).items():
        _print_memory(int(address, 16), bytes.fromhex(data))


def show_bench(outcome: dict[str, Any]) -> None:
    """Prints the same for each board of a bench, then what is to say of all."""
    for name, of_board in outcome["boards"].items():
        ended = ", which ended the run" if name == outcome["by"] else ""
        print(f"{name}{ended}:")
        show({**of_board, "remarks": []})
        print()
    for remark in outcome["remarks"]:
        print_wrapped(remark)


def _print_energy(energy: dict[str, Any]) -> None:
    from cyclescope.target.energy import microjoules  # with records of results

    total = energy["total_fj"] or 1
    residual = (energy["total_fj"] - energy["capacitive_fj"]) / total
    print(
        f"energy {microjoules(energy['total_fj']):,.3f} µJ by kind of cycle and event; C·V² per "
        f"cycle gives {microjoules(energy['capacitive_fj']):,.3f} µJ, residual {residual:+.1%}"
    )
    parts = [{"name": name, "energy_fj": one} for name, one in energy["parts_fj"].items()]
    parts.sort(key=lambda part: -part["energy_fj"])
    for what in (parts, energy["spenders"], energy["functions"]):
        print()
        for one in what[:MOST_ENERGY_LINES]:
            spent, cycles = one["energy_fj"], f"{one['cycles']:,} cycles" if "cycles" in one else ""
            line = f"{microjoules(spent):>14,.3f} µJ {spent / total:>6.1%}  {one['name']:<28}"
            print(f"{line} {cycles:>20}".rstrip())
        if others := what[MOST_ENERGY_LINES:]:
            print(f"{microjoules(sum(one['energy_fj'] for one in others)):>14,.3f} µJ in others")


def _place(item: dict[str, Any]) -> str:
    if item["address"] is None:
        return f"(cycle {item['cycle']:,})"
    return f"(address 0x{item['address']:08x}, pc 0x{item['pc']:08x})"


def _print_memory(address: int, data: bytes) -> None:
    for offset in range(0, len(data), 16):
        row = data[offset : offset + 16]
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        print(f"{address + offset:08x}  {row.hex(' '):<47}  {text}")
