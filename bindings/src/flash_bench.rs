//! The flash accelerator alone, access by access.

use cyclescope_engine::bus::{Access, Width};
use cyclescope_engine::registry::Registry;
use cyclescope_engine::time::Cycle;
use cyclescope_engine::timing::{MemoryTiming, Timing};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A flash behind the LPC2000's accelerator, without a board.
#[pyclass]
pub struct FlashBench {
    timing: Timing,
    now: Cycle,
}

impl FlashBench {
    fn access(&mut self, address: u32, access: Access) -> Cycle {
        let begun = self.now;
        self.now = self.timing.access(begun, address, access);
        self.now - begun
    }
}

#[pymethods]
impl FlashBench {
    #[new]
    #[pyo3(signature = (*, mamcr, mamtim))]
    fn new(mamcr: u32, mamtim: u32) -> PyResult<Self> {
        if mamcr > 2 || !(1..=7).contains(&mamtim) {
            return Err(PyValueError::new_err(format!(
                "MAMCR {mamcr} and MAMTIM {mamtim}: MAMCR is 0 to 2, MAMTIM 1 to 7"
            )));
        }
        let made = Registry::default().timing("mam_lpc2000", Default::default());
        let mut timing = made.map_err(PyValueError::new_err)?;
        timing.set(0, mamcr | mamtim << 8);
        Ok(FlashBench { timing, now: 0 })
    }

    #[pyo3(signature = (address, *, sequential = true, after_break = false))]
    fn fetch(&mut self, address: u32, sequential: bool, after_break: bool) -> Cycle {
        let mut access = Access::code(Width::Word);
        if after_break {
            access = access.after_branch();
        } else if sequential {
            access = access.sequential();
        }
        self.access(address, access)
    }

    fn read(&mut self, address: u32) -> Cycle {
        self.access(address, Access::data(Width::Word))
    }

    fn wait(&mut self, cycles: u64) {
        self.now = self.now.saturating_add(cycles).min(Cycle::MAX / 2);
    }

    fn state(&self) -> u64 {
        let (mut hasher, mut state) = (DefaultHasher::new(), Vec::new());
        self.timing.state_at(self.now, &mut state);
        state.hash(&mut hasher);
        hasher.finish()
    }
}
