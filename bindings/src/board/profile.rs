//! The profile of a call.

use std::collections::BTreeMap;

use cyclescope_engine::instruments::profile as instrument;
use pyo3::prelude::*;

/// Executions, then the cycles by kind in the order of the engine's `Costs`.
type ProfileLine = (u64, (u64, u64, u64, u64, u64));

/// The profile of one call; its lines become Python objects on request.
#[pyclass(eq, frozen)]
#[derive(PartialEq)]
pub struct Profile {
    pub(super) inner: instrument::Profile,
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
