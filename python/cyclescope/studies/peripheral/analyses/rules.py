"""The rules by which an analysis classifies functions: the study's, or a user's."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cyclescope.input_files import read_there
from cyclescope.studies.peripheral.analyses import classes
from cyclescope.studies.peripheral.analyses.classes import Classes
from cyclescope.studies.run.instruments.symbols import Symbols


@dataclass(frozen=True)
class ClassRules:
    """A file of rules, None for the study's, and whether libraries are charged to their callers."""

    file: Path | None = None
    charge_callers: bool = True

    @cached_property
    def classes(self) -> Classes:
        """The classes; raises CyclescopeError if the file has mistakes."""
        return classes.read_classes(self.file)

    def ranges(self, symbols: Symbols) -> list[tuple[int, int, bool]]:
        """The functions as instruments take them."""
        return self.classes.ranges(symbols.functions, self.charge_callers)

    def document(self) -> dict[str, Any]:
        """Returns what identifies them, for JSON."""
        file = self.file or classes.DEFAULT
        return {
            "file": file.name,
            "sha256": hashlib.sha256(read_there(file)).hexdigest(),
            "charge_callers": self.charge_callers,
        }
