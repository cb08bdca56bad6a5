//! Prices of code.

use std::collections::HashMap;

use cyclescope_engine::error::Error;
use cyclescope_engine::pricing as engine;
use cyclescope_engine::time::Cycle;
use pyo3::prelude::*;

use crate::raise;

/// Exact prices of code without a board.
#[pyclass]
pub struct Pricer {
    inner: engine::Pricer,
}

#[pymethods]
impl Pricer {
    #[new]
    #[pyo3(signature = (toml, name = "board", bases = None, data = 0))]
    fn new(
        py: Python<'_>,
        toml: &str,
        name: &str,
        bases: Option<HashMap<String, String>>,
        data: u32,
    ) -> PyResult<Self> {
        let bases = bases.unwrap_or_default();
        let resolve = |wanted: &str| {
            bases.get(wanted).cloned().ok_or_else(|| {
                Error::new(format!("{name}: it extends {wanted}, and there is no such board."))
            })
        };
        let made = engine::Pricer::new(toml, name, &resolve, data);
        Ok(Pricer { inner: made.map_err(|error| raise(py, error))? })
    }

    fn load(&mut self, py: Python<'_>, address: u32, data: &[u8]) -> PyResult<()> {
        self.inner.load(address, data).map_err(|error| raise(py, error))
    }

    fn set_register(&mut self, py: Python<'_>, address: u32, value: u32) -> PyResult<()> {
        self.inner.set_register(address, value).map_err(|error| raise(py, error))
    }

    #[pyo3(signature = (instruction, address, *, around = false))]
    fn place_data(
        &mut self,
        py: Python<'_>,
        instruction: u32,
        address: u32,
        around: bool,
    ) -> PyResult<()> {
        let data = if around { engine::Data::Around(address) } else { engine::Data::At(address) };
        self.inner.place_data(instruction, data).map_err(|error| raise(py, error))
    }

    fn set_multiplication(&mut self, instruction: u32, cycles: u8) {
        self.inner.set_multiplication(instruction, cycles);
    }

    #[pyo3(signature = (state, begin, end, skipped = Vec::new(), target = None))]
    fn price(
        &mut self,
        py: Python<'_>,
        state: usize,
        begin: u32,
        end: u32,
        skipped: Vec<u32>,
        target: Option<u32>,
    ) -> PyResult<(Cycle, usize)> {
        let path = engine::Path { begin, end, skipped: &skipped, target };
        let price = self.inner.price(state, &path).map_err(|error| raise(py, error))?;
        Ok((price.cycles, price.state))
    }
}
