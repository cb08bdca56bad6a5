"""Configurations for programs: the same facts as the tables, as JSON."""

from collections.abc import Sequence
from typing import Any

from cyclescope.report.structured import plain
from cyclescope.studies.compare.findings import PlatformRatios
from cyclescope.studies.configurations.findings import (
    ConfigurationFound,
    ConfigurationsFound,
    CostRow,
)


def ratios(found: ConfigurationsFound) -> dict[str, Any]:
    """K of each configuration, and the ratio of each case."""
    content: dict[str, Any] = plain(
        {
            "tool": found.tool,
            "base": found.base.name,
            "explained_cases": found.explained,
            "configurations": [_configuration(one) for one in found.configurations],
            "problems": found.problems,
        }
    )
    return content


def _configuration(one: ConfigurationFound) -> dict[str, Any]:
    pairs = one.comparison.pairs if one.comparison else ()
    return {
        "name": one.name,
        "settings": dict(one.settings),
        "problem": one.problem,
        "conditions": one.found.conditions if one.found else None,
        "spent_cycles": one.spent,
        "platform_ratios": [_ratios(ratios) for ratios in one.ratios],
        "cases": [{"name": pair.case.name, "ratio": pair.ratio} for pair in pairs],
    }


def _ratios(one: PlatformRatios) -> dict[str, Any]:
    return {
        "unit": one.unit,
        **{
            line.of: {**plain(line), "sigma_percent": plain(line.sigma_percent)}
            for line in one.lines
        },
    }


def costs(found: ConfigurationsFound, rows: Sequence[CostRow]) -> dict[str, Any]:
    """Returns the cost that each configuration adds to each call, every row."""
    names = [one.name for one in found.others]
    content: dict[str, Any] = plain(
        {
            "tool": found.tool,
            "base": found.base.name,
            "conditions": found.base.found.conditions if found.base.found else None,
            "configurations": [
                {
                    "name": one.name,
                    "settings": dict(one.settings),
                    "problem": one.problem,
                    "footprint": one.found.conditions.footprint if one.found else None,
                }
                for one in found.configurations
            ],
            "calls": [
                {
                    "case": row.case,
                    "parameters": row.parameters,
                    "base_cycles": row.base,
                    "costs_cycles": dict(zip(names, row.costs, strict=True)),
                }
                for row in rows
            ],
            "problems": found.problems,
        }
    )
    return content
