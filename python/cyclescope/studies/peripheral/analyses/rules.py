"""The rules by which an analysis classifies functions: the study's, or a user's."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclescope.input_files import read_there
from cyclescope.studies.peripheral.analyses.classes import DEFAULT, Classes, read_classes
from cyclescope.studies.run.instruments.symbols import Symbols


@dataclass(frozen=True)
class ClassRules:
    """Classes from a file, and whether functions of libraries are charged to their callers."""

    classes: Classes
    charge_callers: bool
    file: str
    sha256: str

    def ranges(self, symbols: Symbols) -> list[tuple[int, int, bool]]:
        """The functions as instruments take them, with the exception vectors."""
        vectors = symbols.at(0)
        functions = symbols.functions
        if vectors is not None and vectors not in functions:
            functions = [vectors, *functions]
        return self.classes.ranges(functions, self.charge_callers)

    def document(self) -> dict[str, Any]:
        """Returns what identifies them, for JSON."""
        return {"file": self.file, "sha256": self.sha256, "charge_callers": self.charge_callers}


def read_rules(file: Path | None = None, charge_callers: bool = True) -> ClassRules:
    """The rules of a file, or the study's; raises CyclescopeError if the file has mistakes."""
    path = file or DEFAULT
    digest = hashlib.sha256(read_there(path)).hexdigest()
    return ClassRules(read_classes(path), charge_callers, path.name, digest)
