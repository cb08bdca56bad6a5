//! One-instruction benches and decoders of the cores.

mod arm7tdmi;
mod arm7tdmi_decoder;

use std::collections::HashMap;

use cyclescope_engine::recording_bus::{BusCycle, Kind, Unmapped};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Adds to the module what it has of each core.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<InstructionBench>()?;
    module.add_function(wrap_pyfunction!(arm7tdmi_decoder::decode_arm7tdmi, module)?)
}

/// One instruction on a recording bus.
#[pyclass(frozen)]
pub struct InstructionBench;

/// Bytes by address, and what is where there are none.
struct Memory {
    bytes: HashMap<u32, u8>,
    unmapped: Unmapped,
}

#[pymethods]
impl InstructionBench {
    #[new]
    #[pyo3(signature = (core = "arm7tdmi"))]
    fn new(core: &str) -> PyResult<Self> {
        match core {
            "arm7tdmi" => Ok(InstructionBench),
            _ => Err(PyValueError::new_err(format!(
                "there is no core {core}: the bench has arm7tdmi"
            ))),
        }
    }

    #[pyo3(signature = (initial, memory, *, unmapped = Some(0), irq = false, fiq = false))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        initial: &Bound<'py, PyDict>,
        memory: HashMap<u32, u8>,
        unmapped: Option<u8>,
        irq: bool,
        fiq: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let unmapped = unmapped.map_or(Unmapped::Aborts, Unmapped::Reads);
        arm7tdmi::step(py, initial, Memory { bytes: memory, unmapped }, irq, fiq)
    }
}

fn transactions<'py>(py: Python<'py>, cycles: &[BusCycle]) -> PyResult<Vec<Bound<'py, PyDict>>> {
    (1..).zip(cycles).map(|(number, cycle)| transaction(py, number, cycle)).collect()
}

fn transaction<'py>(
    py: Python<'py>,
    number: u32,
    cycle: &BusCycle,
) -> PyResult<Bound<'py, PyDict>> {
    let kind = match cycle.kind {
        Kind::Code => 0,
        Kind::Read => 1,
        Kind::Write => 2,
        Kind::Internal => 3,
    };
    let said = PyDict::new(py);
    said.set_item("kind", kind)?;
    said.set_item("size", cycle.size)?;
    said.set_item("addr", cycle.address)?;
    said.set_item("data", cycle.data)?;
    said.set_item("cycle", number)?;
    said.set_item("access", cycle.access)?;
    said.set_item("aborted", cycle.aborted)?;
    Ok(said)
}
