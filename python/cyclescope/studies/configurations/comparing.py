"""Refuses to compare two campaigns over configurations."""

from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.results.result_type import Asked, Comparative
from cyclescope.studies.configurations.configurations import FORMAT_NAME


def _compared(first: Path, second: Path, asked: Asked) -> Comparative:
    raise CyclescopeError(
        f"{first} holds several configurations: compare the folders in it, {first / 'base'} "
        "for one",
        code="folder-of-several-configurations",
    )


COMPARISONS = {FORMAT_NAME: _compared}
