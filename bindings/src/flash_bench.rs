//! The flash accelerator alone, access by access.

use cyclescope_engine::bus::{Access, Width};
use cyclescope_engine::timing::{Lines, Mam, Timing};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A flash behind the LPC2000's accelerator, without a board.
#[pyclass]
pub struct FlashBench {
    mam: Mam,
    lines: Lines,
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
        Ok(FlashBench { mam: Mam::default().set(mamcr | mamtim << 8), lines: Lines::default() })
    }

    #[pyo3(signature = (address, *, sequential = true, after_break = false))]
    fn fetch(&mut self, address: u32, sequential: bool, after_break: bool) -> u32 {
        let mut access = Access::code(Width::Word);
        if after_break {
            access = access.after_branch();
        } else if sequential {
            access = access.sequential();
        }
        self.mam.access(&mut self.lines, address, access)
    }

    fn read(&mut self, address: u32) -> u32 {
        self.mam.access(&mut self.lines, address, Access::data(Width::Word))
    }

    fn wait(&mut self, cycles: u64) {
        self.mam.pass(&mut self.lines, cycles);
    }

    fn state(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.lines.hash(&mut hasher);
        hasher.finish()
    }
}
