//! Counts of instruments as Python's own values.

use cyclescope_engine::board::Board;
use cyclescope_engine::instruments::accesses::{Accesses, Accessor, Count, Kind, Target};
use cyclescope_engine::instruments::follow::{By, Copied, Follow, Moving, To};
use cyclescope_engine::instruments::histogram::{Charged, Histogram, Line, Place};
use cyclescope_engine::instruments::interrupts::{Durations, Interrupt, Interrupts};
use cyclescope_engine::instruments::stacks::{Node, Stacks};
use cyclescope_engine::instruments::transfers::Transfers;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A caller that is not known, where the start of a function would stand.
const UNKNOWN: i64 = -1;

/// The payer of a line (`None`: itself), its address, its executions, its cycles by kind.
type HistogramLine = (Option<i64>, Option<u32>, u64, [u64; 7]);

pub fn histogram<'py>(py: Python<'py>, histogram: &Histogram) -> PyResult<Bound<'py, PyDict>> {
    let counts = histogram.counts();
    let line = |(place, line): (&Place, &Line)| -> HistogramLine {
        let charged = match place.charged {
            Charged::Itself => None,
            Charged::Caller(start) => Some(start.into()),
            Charged::Unknown => Some(UNKNOWN),
        };
        let c = line.costs;
        let costs = [
            c.instructions,
            c.fetch_stalls,
            c.data_waits,
            c.bus_waits,
            c.transfer_waits,
            c.entries,
            c.asleep,
        ];
        (charged, place.address, line.executions, costs)
    };
    let shown = PyDict::new(py);
    shown.set_item("since", counts.since)?;
    shown.set_item("until", counts.until)?;
    shown.set_item("lines", counts.lines.iter().map(line).collect::<Vec<_>>())?;
    Ok(shown)
}

pub fn accesses<'py>(
    py: Python<'py>,
    board: &Board,
    accesses: &Accesses,
) -> PyResult<Bound<'py, PyDict>> {
    let line = |(kind, count): (Kind, Count)| {
        let (function, device) = match kind.by {
            Accessor::Function(start) => (Some(i64::from(start)), None),
            Accessor::NoFunction => (None, None),
            Accessor::UnknownCaller => (Some(UNKNOWN), None),
            Accessor::Device(device) => (None, Some(board.device_name(device))),
        };
        let (target, register) = board.target_name(kind.to);
        let (direction, bytes) = (kind.direction.name(), kind.width.bytes());
        (function, device, target, register, direction, bytes, count.accesses, count.cycles)
    };
    let shown = PyDict::new(py);
    shown.set_item("lines", accesses.counts().into_iter().map(line).collect::<Vec<_>>())?;
    Ok(shown)
}

pub fn transfers<'py>(
    py: Python<'py>,
    board: &Board,
    transfers: &Transfers,
) -> PyResult<Bound<'py, PyDict>> {
    let mut lines = Vec::new();
    for (mover, moved) in transfers.counts() {
        let line = PyDict::new(py);
        line.set_item("device", board.device_name(mover.device))?;
        line.set_item("channel", mover.tag)?;
        line.set_item("direction", if mover.write { "to memory" } else { "from memory" })?;
        line.set_item("transfers", moved.transfers)?;
        line.set_item("bytes", moved.bytes)?;
        line.set_item("stolen_cycles", moved.stolen_cycles)?;
        line.set_item("blocks", moved.blocks.iter().collect::<Vec<_>>())?;
        line.set_item("open_transfers", moved.open)?;
        lines.push(line);
    }
    let shown = PyDict::new(py);
    shown.set_item("lines", lines)?;
    Ok(shown)
}

pub fn interrupts<'py>(
    py: Python<'py>,
    board: &Board,
    monitor: &Interrupts,
) -> PyResult<Bound<'py, PyDict>> {
    let mut sources = Vec::new();
    for (by, source) in monitor.sources() {
        let said = PyDict::new(py);
        said.set_item("source", board.requester_name(*by))?;
        said.set_item("asserted", source.asserted)?;
        said.set_item("taken", source.taken)?;
        said.set_item("nested", source.nested)?;
        said.set_item("returned", source.returned)?;
        said.set_item("withdrawn", source.withdrawn)?;
        said.set_item("merged", source.merged)?;
        said.set_item("waits_since", source.waits_since)?;
        said.set_item("latency_cycles", durations(&source.latency))?;
        said.set_item("entry_cycles", durations(&source.entry))?;
        said.set_item("handler_cycles", durations(&source.handler))?;
        said.set_item("own_cycles", durations(&source.own))?;
        sources.push(said);
    }
    let one = |interrupt: &Interrupt| -> PyResult<Bound<'py, PyDict>> {
        let said = PyDict::new(py);
        said.set_item("source", board.requester_name(interrupt.by))?;
        said.set_item("asserted", interrupt.asserted)?;
        said.set_item("taken", interrupt.taken)?;
        said.set_item("began", interrupt.began)?;
        said.set_item("served", interrupt.served)?;
        said.set_item("returned", interrupt.returned)?;
        said.set_item("depth", interrupt.depth)?;
        said.set_item("nested_cycles", interrupt.nested_cycles)?;
        Ok(said)
    };
    let shown = PyDict::new(py);
    shown.set_item("sources", sources)?;
    shown.set_item("latest", monitor.latest().map(one).collect::<PyResult<Vec<_>>>()?)?;
    shown.set_item("under_way", monitor.under_way().map(one).collect::<PyResult<Vec<_>>>()?)?;
    Ok(shown)
}

/// Byte, copy it was taken from, instruction (`None`: a device), place but memory, address, cycle, value,
/// value on arrival.
type CopyLine = (u32, u32, Option<u32>, Option<String>, u32, u64, u8, u8);

pub fn follow<'py>(
    py: Python<'py>,
    board: &Board,
    follow: &Follow,
) -> PyResult<Bound<'py, PyDict>> {
    let copy = |one: &Copied| -> CopyLine {
        let by = match one.by {
            By::Instruction(pc) => Some(pc),
            By::Device(_) => None,
        };
        let to = match one.to {
            To::Register(device, offset) => {
                let (device, register) = board.target_name(Target::Register { device, offset });
                Some(format!("{device}.{}", register.unwrap_or_default()))
            }
            To::Device(device) => Some(board.device_name(device).to_owned()),
            To::Memory => None,
        };
        (one.byte, one.from, by, to, one.address, one.at, one.value, one.arrived)
    };
    let (first, copies) = follow.copies();
    let moving = |(&pc, one): (&u32, &Moving)| (pc, one.executions, one.cycles);
    let shown = PyDict::new(py);
    shown.set_item("bytes", follow.bytes())?;
    shown.set_item("first", first)?;
    shown.set_item("copies", copies.iter().map(copy).collect::<Vec<_>>())?;
    shown.set_item("lost", follow.lost())?;
    shown.set_item("moving", follow.moving().iter().map(moving).collect::<Vec<_>>())?;
    Ok(shown)
}

pub fn stacks<'py>(py: Python<'py>, stacks: &Stacks) -> PyResult<Bound<'py, PyDict>> {
    let node = |node: &Node| {
        let ((of, address), spent) = (node.of.named(), node.spent);
        (node.parent, of, address, spent.instructions, spent.cycles, spent.asleep)
    };
    let (since, until) = stacks.interval();
    let shown = PyDict::new(py);
    shown.set_item("since", since)?;
    shown.set_item("until", until)?;
    shown.set_item("nodes", stacks.nodes().iter().map(node).collect::<Vec<_>>())?;
    Ok(shown)
}

/// Each duration with its number, the shortest first.
fn durations(of: &Durations) -> Vec<(u64, u64)> {
    of.counts().iter().map(|(&cycles, &count)| (cycles, count)).collect()
}
