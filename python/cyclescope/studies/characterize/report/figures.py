"""The report's pictures; colours are the page's business."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import numpy.typing as npt

from cyclescope.quantity import format_number
from cyclescope.report import fits
from cyclescope.report.plotted import Figure, all_equal, bars, beyond, figure, numbers
from cyclescope.results import Run
from cyclescope.stats.histogram import histogram
from cyclescope.stats.summary import Values
from cyclescope.studies.characterize.findings import CaseAnalysis
from cyclescope.studies.characterize.run_figures import Measured, RunFigures, net_by_length
from cyclescope.target.case import Case


@dataclass(frozen=True)
class Drawn:
    """One run as it is drawn: its figures beside its samples, and the cluster of each."""

    parameter: int | None
    figures: RunFigures
    run: Run
    labels: npt.NDArray[np.uint8]

    def net(self, length: int | None = None) -> Values:
        """Net cycles of the real calls, in the order of measurement."""
        return self.run.cycles("call", length) - self.figures.overhead

    def rejected_net(self) -> Values:
        """Net cycles of the real calls that a rule rejected."""
        return self.run.rejected_cycles() - self.figures.overhead


def of_case(one: CaseAnalysis, runs: Sequence[Run]) -> dict[str, Figure]:
    """Histogram and series where samples differ; the fit of a case with a law; several layouts.

    With a hidden parameter also the samples over the circumstance that explains most.
    """
    drawn = _drawn(one, runs)
    if not drawn:
        return {}
    differ = equal(one, runs) is None
    figures = {"histogram": _histogram(one, drawn)} if differ else {}
    if one.case.parameter and (one.law or len(one.clusters) > 1):
        label = f"{one.case.parameter.name} ({one.case.parameter.unit})"
        figures["fit"] = _laws_over_x(one, drawn, label)
    elif one.load_law:
        nets = net_by_length(one.measured[0].plain)
        means = [fmean(there.values()) for there in nets.values()]
        figures["fit"] = fits.fit(one.load_law, list(nets), means, None, "series length")
    if any(measured.between for measured in one.measured):
        figures["layouts"] = _layouts(one)
    if one.candidate_factors:
        figures["candidate_factor"] = _candidate_factor(one, drawn)
    if differ:
        figures["series"] = _series(one, drawn)
    return figures


def equal(one: CaseAnalysis, runs: Sequence[Run]) -> str | None:
    """Text where a picture of the samples would show nothing: at each x, or in each series,
    all are equal. None where they differ, or without samples."""
    drawn = _drawn(one, runs)
    parts = [part for run in drawn for part in _parts(one.case, run) if part[1].size]
    if not parts or any(np.ptp(values) for _, values in parts):
        return None
    sizes = [values.size for _, values in parts]
    times = {name: float(values[0]) for name, values in parts}
    least, greatest = min(times.values()), max(times.values())
    if least == greatest:
        said = all_equal(sum(sizes), least, "cycles")
    elif one.case.parameter:
        said = f"at each x all {_span(sizes)} samples are equal"
    else:
        told = (f"{name} {format_number(time)}" for name, time in times.items())
        said = f"in each series all samples are equal: {', '.join(told)} cycles"
    if any(measured.between for measured in one.measured):
        said += ", in the plain link"
    rejected = _rejected(drawn)
    return f"{said}; {beyond(*rejected, 'cycles')}" if rejected else said


def _span(counts: Sequence[int]) -> str:
    ends = dict.fromkeys((format_number(min(counts)), format_number(max(counts))))
    return " … ".join(ends)


def _rejected(drawn: Iterable[Drawn]) -> tuple[int, str, float] | None:
    """How many samples are rejected, by which rules, and the longest of them."""
    cut = [run for run in drawn if run.figures.rejected]
    if not cut:
        return None
    rules = dict.fromkeys(rule for run in cut for rule in run.figures.rejected)
    values = np.concatenate([run.rejected_net() for run in cut])
    return values.size, " and ".join(rules), float(values.max())


def _drawn(one: CaseAnalysis, runs: Sequence[Run]) -> list[Drawn]:
    """The runs of the plain link, in which laws and clusters are found."""
    samples = {(run.layout.number, run.parameter): run for run in runs}
    labels, taken, drawn = np.frombuffer(one.labels, dtype=np.uint8), 0, []
    for measured in one.measured:
        run = measured.runs[0]
        own = labels[taken : taken + run.call.n]
        taken += run.call.n
        key = (run.layout_number, measured.parameter)
        drawn.append(Drawn(measured.parameter, run, samples[key], own))
    return drawn


def _laws_over_x(one: CaseAnalysis, drawn: Sequence[Drawn], label: str) -> Figure:
    if one.law:
        return fits.fit(one.law, *_points([each.plain for each in one.measured]), label)
    x = np.concatenate([np.full(run.labels.size, float(run.parameter or 0)) for run in drawn])
    net = np.concatenate([run.net() for run in drawn])
    labels = np.concatenate([run.labels for run in drawn])
    return fits.clusters([one.law for one in one.clusters], x, net, labels, label)


def _candidate_factor(one: CaseAnalysis, drawn: Sequence[Drawn]) -> Figure:
    """The samples where they differ most, over the strongest candidate factor."""
    name = one.candidate_factors[0].name
    here = [run for run in drawn if run.parameter == one.hidden_at]
    parts = [(_circumstance(name, run), run.net(), run.labels) for run in here]
    x, net, labels = (np.concatenate(column) for column in zip(*parts, strict=True))
    traces: list[Figure] = [
        {"type": "scatter", "mode": "markers", "name": _cluster_name(int(label)),
         "x": numbers(x[labels == label]), "y": numbers(net[labels == label]),
         "marker": {"size": 5, "opacity": 0.75}, "cluster": int(label)}
        for label in np.unique(labels)
    ]  # fmt: skip
    return figure(traces, name, "net cycles", {"showlegend": len(traces) > 1})


def _circumstance(name: str, run: Drawn) -> Values:
    _, length, index = run.run.in_order()
    if "index" in name:
        return index
    return length


def _cluster_name(label: int) -> str:
    return f"cluster {label}" if label else "unclustered"


def _name(case: Case, parameter: int | None) -> str:
    return "" if case.parameter is None else f"x = {parameter}"


def _histogram(one: CaseAnalysis, drawn: Sequence[Drawn]) -> Figure:
    """One stacked trace for each cluster, else for each x or series; all in the same 30 bins."""
    samples: dict[str, list[Values]] = {}
    told_apart = len(one.clusters) > 1 or (one.apart and not one.case.parameter)
    for run in drawn:
        for name, values in _clusters(run) if told_apart else _parts(one.case, run):
            samples.setdefault(name, []).append(values)
    everything = np.concatenate([values for parts in samples.values() for values in parts])
    whole = histogram(everything)
    low, high = whole.edges[0], whole.edges[-1]
    traces = [
        {**bars(name, histogram(np.concatenate(parts), low, high)), **_coloured(name)}
        for name, parts in samples.items()
    ]
    layout = {"barmode": "stack", "showlegend": len(traces) > 1}
    return figure(traces, "net cycles", "samples", layout)


def _coloured(name: str) -> Figure:
    """The colour of a cluster is that of its number, in every picture."""
    if name == _cluster_name(0):
        return {"cluster": 0}
    kind, _, number = name.partition(" ")
    return {"cluster": int(number)} if kind == "cluster" else {}


def _clusters(run: Drawn) -> Iterable[tuple[str, Values]]:
    """The samples of each cluster, and the unclustered ones."""
    for label in range(256):
        if np.any(run.labels == label):
            yield _cluster_name(label), run.net()[run.labels == label]


def _parts(case: Case, run: Drawn) -> Iterable[tuple[str, Values]]:
    """Groups that differ by colour: the values of x, or the series of a case without one."""
    if case.parameter:
        yield _name(case, run.parameter), run.net()
        return
    for length in run.run.lengths():
        yield f"series of {length}", run.net(length)


def _layouts(one: CaseAnalysis) -> Figure:
    """The net time of each layout, by its number."""
    traces = []
    for measured in one.measured:
        estimates = [run.net.estimate for run in measured.runs]
        trace: Figure = {
            "type": "scatter",
            "mode": "markers",
            "name": _name(one.case, measured.parameter),
            "x": [run.layout_number for run in measured.runs],
            "y": numbers([estimate.value for estimate in estimates]),
        }
        if any(estimate.half_width for estimate in estimates):
            widths = numbers([estimate.half_width for estimate in estimates])
            trace["error_y"] = {"type": "data", "array": widths}
        traces.append(trace)
    layout = {"showlegend": len(traces) > 1}
    return figure(traces, "layout (0: the plain link)", "net cycles", layout)


def _points(
    measured: Sequence[Measured],
) -> tuple[list[int], list[float], list[float]]:
    estimates = [one.net.estimate for one in measured]
    x = [one.parameter or 0 for one in measured]
    return x, [one.value for one in estimates], [one.half_width for one in estimates]


def _series(one: CaseAnalysis, drawn: Sequence[Drawn]) -> Figure:
    """Samples in the order of measurement, by series or by x. The axis follows what is kept; what
    is rejected beyond it lies at its edge."""
    traces = []
    for run in drawn:
        first = 0
        for name, values in _parts(one.case, run):
            traces.append(_samples(name, values, first))
            first += values.size
    if rejected := _rejected(drawn):
        values = np.concatenate([run.rejected_net() for run in drawn])
        traces.append({**_samples(beyond(*rejected, "cycles"), values), "edge": True})
    return figure(traces, "sample", "net cycles", {"showlegend": True})


def _samples(name: str, values: Values, first: int = 0) -> Figure:
    return {"type": "scatter", "mode": "markers", "name": name, "x0": first, "dx": 1,
            "y": numbers(values), "marker": {"size": 5, "opacity": 0.75}}  # fmt: skip
