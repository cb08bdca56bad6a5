//! What a board recorded, as Python objects.

use std::collections::BTreeMap;

use cyclescope_engine::energy::Spent;
use cyclescope_engine::instruments::interrupts_off::InterruptsOff;
use cyclescope_engine::instruments::power_meter::Ledger;
use cyclescope_engine::instruments::profile as instrument;
use cyclescope_engine::system::Unmodelled;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Executions, then the cycles by kind in the order of the engine's `Costs`.
type ProfileLine = (u64, (u64, u64, u64, u64, u64));

/// The profile of one call; its lines become Python objects on request.
#[pyclass(eq, frozen)]
#[derive(PartialEq)]
pub struct Profile {
    inner: instrument::Profile,
}

impl From<instrument::Profile> for Profile {
    fn from(inner: instrument::Profile) -> Self {
        Profile { inner }
    }
}

#[pymethods]
impl Profile {
    #[getter]
    fn entered(&self) -> u64 {
        self.inner.entered
    }

    #[getter]
    fn cycles(&self) -> u64 {
        self.inner.cycles
    }

    fn lines(&self) -> BTreeMap<u32, ProfileLine> {
        let line = |(&address, line): (&u32, &instrument::Line)| {
            let c = line.costs;
            let costs = (c.instructions, c.fetch_stalls, c.data_waits, c.bus_waits, c.asleep);
            (address, (line.executions, costs))
        };
        self.inner.lines.iter().map(line).collect()
    }
}

/// Mode, task and place, then cycles, energy by the simple law and by part.
pub type Account = ((u8, u32, u32), (u64, u128, Vec<u128>));

/// The accounts of a ledger.
pub fn accounts(ledger: Ledger) -> Vec<Account> {
    let spent = |spent: Spent| (spent.cycles, spent.capacitive_fj, spent.parts_fj);
    ledger.into_iter().map(|(who, what)| ((who.mode, who.task, who.place), spent(what))).collect()
}

/// What was seen of interrupts in one call.
pub fn interrupts_off<'py>(py: Python<'py>, call: &InterruptsOff) -> PyResult<Bound<'py, PyDict>> {
    Ok(dictionary!(py,
        "entered": call.entered,
        "cycles": call.cycles,
        "longest_cycles": call.longest_cycles,
        "begin": call.begin,
        "end": call.end,
        "entered_off": call.entered_off,
        "returned_off": call.returned_off,
    ))
}

/// One request for behaviour that is not modelled.
pub fn unmodelled<'py>(py: Python<'py>, one: &Unmodelled) -> PyResult<Bound<'py, PyDict>> {
    Ok(dictionary!(py,
        "text": &one.text,
        "address": one.address,
        "pc": one.pc,
        "cycle": one.cycle,
    ))
}
