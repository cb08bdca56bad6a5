"""Measures the transfers of a study one by one; each is on disk as soon as it ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclescope import interruption
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.progress import Progress, unreported
from cyclescope.results.folder_lock import locked
from cyclescope.studies.peripheral import lines, transfer
from cyclescope.studies.peripheral.analysis import TransferAnalysis
from cyclescope.studies.peripheral.results import FailedTransfer, PeripheralResults, begin
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer


@dataclass(frozen=True)
class PeripheralPlan:
    """The transfers of a study, the analyses of each, and the treatment of existing results."""

    settings: Sequence[TransferSetting]
    analyses: Mapping[str, TransferAnalysis]
    replace: bool = False
    resume: bool = False


def collect(
    plan: PeripheralPlan, folder: Path, progress: Progress = unreported
) -> PeripheralResults:
    """Records and analyses every transfer of the plan that is not there yet.

    A transfer that cannot be measured is noted with its reason, and the next one begins. Raises
    CyclescopeError if what a line needs is not built.
    """
    with locked(folder):
        for setting in {one.line: one for one in plan.settings}.values():
            lines.of(setting).require(setting)
        results = begin(folder, plan.settings, plan.replace, plan.resume)
        for done, setting in enumerate(plan.settings):
            try:
                interruption.check()
                progress(done, len(plan.settings), setting.name)
                results = _measure(results, plan, setting)
            except KeyboardInterrupt:
                raise Interrupted(_kept("interrupted", results)) from None
        return results


def _measure(
    results: PeripheralResults, plan: PeripheralPlan, setting: TransferSetting
) -> PeripheralResults:
    manifest = results.manifest
    try:
        if setting.name in manifest.finished:
            measured = _resumed(results, setting)
        else:
            measured = transfer.record(setting, results.home(setting))
            finished = (*manifest.finished, setting.name)
            results = results.keep(manifest.model_copy(update={"finished": finished}))
        _analyse(results, plan, measured)
    except CyclescopeError as error:
        failed = FailedTransfer(name=setting.name, sentence=error.sentence, code=error.code)
        manifest = results.manifest
        return results.keep(manifest.model_copy(update={"failed": (*manifest.failed, failed)}))
    return results


def _resumed(results: PeripheralResults, setting: TransferSetting) -> Transfer:
    """A finished transfer, if it can be replayed still."""
    found = transfer.load(results.home(setting))
    found.require_same(lines.of(setting).system(setting))
    return found


def _analyse(results: PeripheralResults, plan: PeripheralPlan, measured: Transfer) -> None:
    """Keeps what each analysis finds; without data there is nothing to analyse."""
    if measured.record.steady is None:
        return
    there = results.documents(measured.setting)
    for name, one in plan.analyses.items():
        if name not in there:
            results.keep_document(measured.setting, name, one.analyse(measured))


def _kept(sentence: str, results: PeripheralResults) -> str:
    manifest = results.manifest
    return (
        f"{sentence}; {len(manifest.finished)} of {len(manifest.planned)} transfers are finished "
        f"and kept in {results.folder}: --resume makes the others"
    )
