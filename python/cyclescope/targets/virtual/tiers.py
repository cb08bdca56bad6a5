"""How virtual boards execute: a user's choice, for this process and those that it starts.

It changes host time and no result.
"""

import os
from typing import Literal

from cyclescope.errors import CyclescopeError

VARIABLE = "CYCLESCOPE_TIER"
"""Of the environment; it has the choice, so processes that are started have it too."""
Tier = Literal["plain", "blocks", "translated"]
TIERS: dict[str, Tier] = {"plain": "plain", "block": "blocks", "translated": "translated"}
"""Tiers of the engine by the name that a user chooses."""


def choose(name: str, translates: bool) -> None:
    """Boards that are made from now on execute so; `translates` says what the engine can."""
    tier_of(name, translates)
    os.environ[VARIABLE] = name


def chosen(translates: bool) -> Tier | None:
    """The tier that was chosen, if one was."""
    name = os.environ.get(VARIABLE)
    return None if name is None else tier_of(name, translates)


def tier_of(name: str, translates: bool) -> Tier:
    """The engine's tier of this name, or a sentence why not."""
    if name not in TIERS:
        raise CyclescopeError(
            f"there is no tier {name}: choose one of {', '.join(TIERS)}", code="no-such-tier"
        )
    if name == "translated" and not translates:
        raise CyclescopeError(
            "this engine was built without translated code: run make build TRANSLATE=yes, or "
            "choose the tier block",
            code="tier-not-built",
        )
    return TIERS[name]
