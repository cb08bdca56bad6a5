//! Prices of code.

use std::collections::HashMap;

use cyclescope_engine::error::Error;
use cyclescope_engine::pricing as engine;
use cyclescope_engine::time::Cycle;
use pyo3::prelude::*;

use crate::raise;

fn base(bases: &HashMap<String, String>, name: &str, wanted: &str) -> Result<String, Error> {
    bases.get(wanted).cloned().ok_or_else(|| {
        Error::new(format!("{name}: it extends {wanted}, and there is no such board."))
    })
}

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
        let resolve = |wanted: &str| base(&bases, name, wanted);
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

/// Cycles, accesses to data (cycle, address, bytes, whether it writes), and how the instruction ends.
type Retraced = (Cycle, Vec<(Cycle, u32, u8, bool)>, &'static str);

/// Executes the instructions of a path without a board.
#[pyclass]
pub struct Retrace {
    inner: Box<dyn engine::Retrace>,
}

#[pymethods]
impl Retrace {
    #[new]
    #[pyo3(signature = (toml, name = "board", bases = None))]
    fn new(
        py: Python<'_>,
        toml: &str,
        name: &str,
        bases: Option<HashMap<String, String>>,
    ) -> PyResult<Self> {
        let bases = bases.unwrap_or_default();
        let resolve = |wanted: &str| base(&bases, name, wanted);
        let made = engine::retrace(toml, name, &resolve);
        Ok(Retrace { inner: made.map_err(|error| raise(py, error))? })
    }

    fn load(&mut self, address: u32, data: &[u8]) {
        self.inner.load(address, data);
    }

    fn set_waits(&mut self, begin: u32, end: u32, cycles: u32) {
        self.inner.set_waits(begin, end, cycles);
    }

    fn flush(&mut self) {
        self.inner.flush();
    }

    fn copy(&self) -> Self {
        Retrace { inner: self.inner.copied() }
    }

    fn step(
        &mut self,
        py: Python<'_>,
        registers: [u32; 16],
        status: u32,
        following: u32,
    ) -> PyResult<Retraced> {
        let at = registers[15];
        let step = self.inner.step(&registers, status, following).map_err(|why| {
            raise(
                py,
                Error::new(format!(
                    "The rules cannot follow the instruction at {at:#010x}: {why}."
                )),
            )
        })?;
        let accesses = step.accesses.iter().map(|one| (one.at, one.address, one.bytes, one.write));
        let ending = match step.ending {
            engine::Ending::Next => "next",
            engine::Ending::Return => "return",
            engine::Ending::Call => "call",
        };
        Ok((step.cycles, accesses.collect(), ending))
    }
}
