"""Configurations: the set that one campaign measures, and the folder that holds them.

Each configuration is an ordinary results folder; the campaign's manifest names them
(docs/reference/results.md).
"""

import re
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Literal

from cyclescope.errors import CyclescopeError
from cyclescope.record import Record
from cyclescope.results import files
from cyclescope.results.files import MANIFEST
from cyclescope.results.folder_lock import holds_anything
from cyclescope.results.whole_files import ResultsError

FORMAT_NAME: Literal["cyclescope configurations"] = "cyclescope configurations"
COSTS_FORMAT_NAME: Literal["cyclescope option costs"] = "cyclescope option costs"
FORMAT_VERSION: Literal[1] = 1

BASE = "base"
OPTION = "option:"
"""Prefix of a key that is an option of the kernel."""

Axes = Mapping[str, tuple[str, ...]]
"""Values by key, in the order in which they were asked for."""


class Configured(Record):
    """One configuration: its folder's name, its settings, and why it could not be measured."""

    name: str
    settings: dict[str, str]
    problem: str | None = None


class Campaign(Record):
    """The manifest of a folder of configurations. The first is the base of all ratios."""

    format: Literal["cyclescope configurations", "cyclescope option costs"] = FORMAT_NAME
    version: Literal[1] = FORMAT_VERSION
    tool: str
    configurations: tuple[Configured, ...]


def parse(texts: Iterable[str]) -> Axes:
    """Axes of configurations from `KEY=VALUE,VALUE …`.

    >>> parse(["clock=12,60 isa=arm", "option:configUSE_QUEUE_SETS=0,1"])["clock"]
    ('12', '60')
    """
    axes: dict[str, tuple[str, ...]] = {}
    for text in " ".join(texts).split():
        key, _, listed = text.partition("=")
        values = tuple(listed.split(","))
        if not key or not all(values):
            raise CyclescopeError(
                f"{text!r} is no KEY=VALUE,VALUE: write values of options, such as isa=arm,thumb",
                code="not-key-and-values",
            )
        if key in axes or len(set(values)) < len(values):
            raise CyclescopeError(
                f"{key} has a value twice: name each key and each value once",
                code="value-given-twice",
            )
        axes[key] = values
    if not axes:
        raise CyclescopeError(
            "no configurations are asked for: write values of options, such as isa=arm,thumb",
            code="no-configurations-asked",
        )
    return axes


def every(axes: Axes) -> list[Configured]:
    """Each value of each key with each value of the others.

    >>> [one.name for one in every(parse(["clock=12,60 isa=arm,thumb"]))]
    ['clock=12,isa=arm', 'clock=12,isa=thumb', 'clock=60,isa=arm', 'clock=60,isa=thumb']
    """
    return [_configured(dict(zip(axes, values, strict=True))) for values in product(*axes.values())]


def around(axes: Axes) -> list[Configured]:
    """The base, which has the first value of each key, then every other value alone.

    >>> [one.name for one in around(parse(["clock=60,12 isa=arm,thumb"]))]
    ['base', 'clock=12', 'isa=thumb']
    """
    base = {key: values[0] for key, values in axes.items()}
    others = [(key, value) for key, values in axes.items() for value in values[1:]]
    return [
        Configured(name=BASE, settings=base),
        *(
            Configured(name=_configured({key: value}).name, settings={**base, key: value})
            for key, value in others
        ),
    ]


def _configured(settings: dict[str, str]) -> Configured:
    name = ",".join(f"{key.removeprefix(OPTION)}={value}" for key, value in settings.items())
    return Configured(name=re.sub(r"[^\w.,=+-]", "_", name), settings=settings)


def begin(folder: Path, campaign: Campaign, replace: bool) -> Campaign:
    """Starts a campaign's folder, or goes on with one of the same base; the manifest is written.

    Measurements of an earlier campaign there stay, unless they are replaced.
    """
    _require_distinct(campaign)
    files.require_kind(folder, campaign.format)
    if (folder / MANIFEST).exists():
        campaign = _go_on(load(folder), campaign, folder, replace)
    elif holds_anything(folder):
        raise ResultsError(
            f"{folder} is not empty and holds no results: choose another --out",
            code="folder-not-empty",
        )
    save(folder, campaign)
    return campaign


def _require_distinct(campaign: Campaign) -> None:
    """Two configurations in one folder would write over each other."""
    names: set[str] = set()
    for one in campaign.configurations:
        if one.name in names:
            raise CyclescopeError(
                f"two configurations are called {one.name}: name each key and each value once",
                code="two-configurations-of-one-name",
            )
        names.add(one.name)


def _only_in(one: dict[str, str], other: dict[str, str], most: int = 3) -> str:
    """The first settings of the one that the other lacks or has another value for."""
    texts = [f"{key.removeprefix(OPTION)}={one[key]}" for key in one if one[key] != other.get(key)]
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return f"{', '.join(texts[:most])}{more}" if texts else "less"


def _go_on(old: Campaign, new: Campaign, folder: Path, replace: bool) -> Campaign:
    if replace:
        return new
    bases = old.configurations[0].settings, new.configurations[0].settings
    if old.format != new.format or bases[0] != bases[1]:
        raise ResultsError(
            f"{folder} holds other configurations, whose base has {_only_in(*bases)}: "
            "choose another --out, or discard them with --replace",
            code="other-configurations",
        )
    asked = {one.name for one in new.configurations}
    kept = [one for one in old.configurations if one.name not in asked]
    return new.model_copy(update={"configurations": (*new.configurations, *kept)})


def settled(campaign: Campaign, name: str, problem: str | None) -> Campaign:
    """The campaign with what became of one configuration."""
    configurations = tuple(
        one.model_copy(update={"problem": problem}) if one.name == name else one
        for one in campaign.configurations
    )
    return campaign.model_copy(update={"configurations": configurations})


def save(folder: Path, campaign: Campaign) -> None:
    """Writes the manifest, whole or not at all."""
    files.save(folder / MANIFEST, campaign)


def is_campaign(folder: Path) -> bool:
    """Whether a folder of results has those of several configurations."""
    return files.content(folder).get("format") in (FORMAT_NAME, COSTS_FORMAT_NAME)


def load(folder: Path) -> Campaign:
    """Reads and checks the manifest; refuses other folders."""
    name = files.content(folder).get("format")
    known = name if name == COSTS_FORMAT_NAME else FORMAT_NAME
    return files.parse(folder, Campaign, known, (FORMAT_VERSION,))
