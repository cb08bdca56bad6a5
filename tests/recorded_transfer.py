"""A small study of a real transfer, kept so that reports can be tested without Linux.

`tests/recorded_transfer.json` has a download of 100 bytes by PDC: its record and the documents of
its analyses, without what no report shows. Made by `python tests/recorded_transfer.py RESULTS`.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from cyclescope.results import files
from cyclescope.studies.peripheral import results, transfer
from cyclescope.studies.peripheral.results import FailedTransfer, PeripheralManifest
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import TransferRecord

KEPT = Path(__file__).with_suffix(".json")
KEPT_SHARE, KEPT_FUNCTIONS = 0.06, 3


@cache
def recorded() -> dict[str, Any]:
    """The record and the documents, by name."""
    found: dict[str, Any] = json.loads(KEPT.read_text())
    return found


def documents() -> dict[str, Any]:
    """The documents of the analyses; the caller may change them."""
    found: dict[str, Any] = deepcopy(recorded()["documents"])
    return found


def study(
    folder: Path,
    settings: Iterable[TransferSetting],
    documents_of: Mapping[str, Mapping[str, Any]] | None = None,
    failed: Iterable[FailedTransfer] = (),
    **outcome: Any,
) -> Path:
    """Writes results in which each setting came as the recorded one did; returns their folder.

    `documents_of` has the documents of a setting's name, in place of all. `outcome` changes how
    the transfers came out.
    """
    planned, finished = tuple(settings), []
    record = TransferRecord.model_validate(recorded()["record"])
    came = record.outcome.model_copy(update=outcome)
    for setting in planned:
        home = folder / results.TRANSFERS / setting.name
        home.mkdir(parents=True)
        changed = record.model_copy(update={"setting": setting, "outcome": came})
        files.save(home / transfer.HEAD, changed)
        for name, one in (documents_of or {}).get(setting.name, documents()).items():
            (home / f"{name}.json").write_text(json.dumps(one))
        finished.append(setting.name)
    manifest = PeripheralManifest(
        tool="0", planned=planned, finished=tuple(finished), failed=tuple(failed)
    )
    files.save(folder / files.MANIFEST, manifest)
    return folder


def _pruned(tree: dict[str, Any], least: float) -> dict[str, Any]:
    kept = [_pruned(one, least) for one in tree["children"] if one["inclusive_cycles"] >= least]
    return {**tree, "children": kept}


def _small(name: str, document: dict[str, Any]) -> dict[str, Any]:
    if name == "stacks":
        document.pop("folded", None)
        document["entries"] = [
            _pruned(one, KEPT_SHARE * one["inclusive_cycles"]) for one in document["entries"]
        ]
    if name == "load":
        for one in document["steady"]["classes"]:
            for sub in one["subclasses"]:
                sub["functions"] = sub["functions"][:KEPT_FUNCTIONS]
    return document


def _keep(folder: Path) -> None:
    found = results.load(folder)
    (one,) = found.transfers()
    kept = {
        "record": one.record.model_dump(mode="json"),
        "documents": {
            name: _small(name, document) for name, document in found.documents(one.setting).items()
        },
    }
    KEPT.write_text(json.dumps(kept, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    _keep(Path(sys.argv[1]))
