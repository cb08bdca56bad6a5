"""The page of the three proposals: tables of one study, each for a comparison."""

from collections.abc import Callable, Mapping
from typing import Any

from pages.runs import PageError, campaign
from pages.values import table

NAME = "proposals"
Image = Mapping[str, Any]
Cell = Callable[[Image, Image], str]


def proposals_load(key: str) -> str:
    """Granularity, active instructions and cycles, and energy of each image of a comparison."""
    return _table(
        key,
        ("image", "bytes per interaction", "instructions", "cycles", "by base", "nJ"),
        lambda one, _: f"{one['bytes_per_interaction']:.1f}",
        lambda one, _: f"{_active(one, 'instructions'):,.1f}",
        lambda one, _: f"{_active(one, 'cycles'):,.1f}",
        lambda one, base: _change(_active(one, "cycles"), _active(base, "cycles")),
        lambda one, _: f"{one['energy']['total_nj']['per_byte']:,.0f}",
    )


def proposals_accesses(key: str) -> str:
    """Data accesses by width and device, and copies of a byte."""
    widths, devices = ("words", "half-words", "bytes"), ("usart1", "aic")
    return _table(
        key,
        ("image", "all", "words, half-words, bytes", "USART, AIC", "copies of a byte"),
        lambda one, _: f"{one['accesses']['data']['per_byte']:.1f}",
        lambda one, _: ", ".join(
            f"{one['accesses']['widths'][name]['per_byte']:.1f}" for name in widths
        ),
        lambda one, _: ", ".join(
            f"{one['accesses']['targets'].get(name, {'per_byte': 0})['per_byte']:.2f}"
            for name in devices
        ),
        lambda one, _: f"{one['copies']['per_received_byte']:.2f}",
    )


def proposals_latency(key: str) -> str:
    """Median and greatest of each stage, in cycles."""
    stages = ("request_to_device", "line_to_application", "line_to_answer")
    return _table(
        key,
        ("image", "request to device", "packet to application", "packet to answer"),
        *(_stage(stage) for stage in stages),
    )


def proposals_grid(key: str) -> str:
    """Active cycles per byte, and bytes per interaction, by buffer and time-out."""
    cells = {(one["image"]["buffer"], one["image"]["time_out"]): one for one in _images(key)}
    buffers, time_outs = (sorted(set(values)) for values in zip(*cells, strict=True))
    lines = [
        " | ".join((str(buffer), *(_granularity(cells[buffer, one]) for one in time_outs)))
        for buffer in buffers
    ]
    return table(" | ".join(("buffer", *(f"{one} bits" for one in time_outs))), *lines)


def proposals_declared(key: str, name: str) -> str:
    """The energy of an image that its board declares, in nJ per byte of the line."""
    found = next(one for one in _images(key) if one["name"] == name)
    return f"{found['energy']['declared_nj']['per_byte']:,.0f} nJ"


def _granularity(one: Image) -> str:
    return f"{_active(one, 'cycles'):,.0f} ({one['bytes_per_interaction']:.1f})"


def proposals_saved(key: str, name: str, what: str = "cycles") -> str:
    """The share of its base's active instructions or cycles that an image saves, in percent."""
    base, *others = _images(key)
    found = next((one for one in others if one["name"] == name), None)
    if found is None:
        raise PageError(f"the comparison {key} has no image {name}")
    return f"{1 - _active(found, what) / _active(base, what):.0%}"


def _stage(name: str) -> Cell:
    def cell(one: Image, _: Image) -> str:
        found = one["latency"][name]
        return f"{found['q50']:,}, {found['max']:,}" if found["n"] else "–"

    return cell


def _table(key: str, headings: tuple[str, ...], *cells: Cell) -> str:
    base, *others = _images(key)
    lines = [
        " | ".join((_name(one), *(cell(one, base) for cell in cells))) for one in (base, *others)
    ]
    return table(" | ".join(headings), *lines)


def _name(one: Image) -> str:
    return str(one["name"]) + ("" if one["real"] else " \\*")


def _images(key: str) -> list[Image]:
    found = campaign(NAME)
    names = next((one["images"] for one in found["comparisons"] if one["key"] == key), None)
    if names is None:
        raise PageError(f"the study has no comparison {key}")
    by_name = {one["name"]: one for one in found["measured"]}
    return [by_name[name] for name in names]


def _active(one: Image, what: str) -> float:
    return float(one["load"][f"active_{what}"]["per_byte"])


def _change(value: float, base: float) -> str:
    return "base" if value == base else f"{value / base - 1:+.1%}"
