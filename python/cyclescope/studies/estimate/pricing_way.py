"""The names of the ways to price a program, apart from what they need: the help lists them."""

from enum import StrEnum


class PricingWay(StrEnum):
    """How a program is priced."""

    SOURCE = "source"
    BLOCKS = "blocks"
    RUN = "run"
