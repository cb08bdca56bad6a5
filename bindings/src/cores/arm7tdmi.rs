//! The one-instruction bench, in the words of the public one-instruction vectors.

use std::collections::HashMap;

use cyclescope_engine::bus::{Access, Lines, Width};
use cyclescope_engine::cores::arm7tdmi::bench::{access_bits, Bench, BusCycle, Kind, Unmapped};
use cyclescope_engine::cores::arm7tdmi::State;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

const SEQUENTIAL: u32 = 1;
const CODE: u32 = 2;

/// One instruction on a recording bus.
#[pyclass(frozen)]
pub struct InstructionBench;

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
        let mut bench = Bench {
            state: state_of(initial)?,
            memory,
            unmapped: unmapped.map_or(Unmapped::Aborts, Unmapped::Reads),
            lines: Lines { irq, fiq, stop: false },
        };
        let cycles = bench.step();
        let result = PyDict::new(py);
        result.set_item("final", dictionary_of(py, &bench.state)?)?;
        let transactions: PyResult<Vec<_>> =
            (1..).zip(&cycles).map(|(number, cycle)| transaction(py, number, cycle)).collect();
        result.set_item("transactions", transactions?)?;
        result.set_item("cycles", cycles.len())?;
        result.set_item("memory", bench.memory)?;
        Ok(result)
    }
}

fn item<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    from: &Bound<'py, PyDict>,
    key: &str,
) -> PyResult<T> {
    let value = from
        .get_item(key)?
        .ok_or_else(|| PyKeyError::new_err(format!("the initial state has no {key}")))?;
    value.extract()
}

fn state_of(initial: &Bound<'_, PyDict>) -> PyResult<State> {
    let cpsr: u32 = item(initial, "CPSR")?;
    let access: u32 = item(initial, "access")?;
    let thumb = cpsr & 1 << 5 != 0;
    let fetch = Access::code(if thumb { Width::Half } else { Width::Word });
    let pipeline_aborted = match initial.get_item("pipeline_aborted")? {
        Some(flags) => flags.extract()?,
        None => [false; 2],
    };
    Ok(State {
        user: item(initial, "R")?,
        fiq: item(initial, "R_fiq")?,
        supervisor: item(initial, "R_svc")?,
        abort: item(initial, "R_abt")?,
        irq: item(initial, "R_irq")?,
        undefined: item(initial, "R_und")?,
        cpsr,
        spsr: item(initial, "SPSR")?,
        pipeline: item(initial, "pipeline")?,
        pipeline_aborted,
        next_fetch: if access & SEQUENTIAL != 0 { fetch.sequential() } else { fetch },
    })
}

fn dictionary_of<'py>(py: Python<'py>, state: &State) -> PyResult<Bound<'py, PyDict>> {
    let said = PyDict::new(py);
    said.set_item("R", state.user)?;
    said.set_item("R_fiq", state.fiq)?;
    said.set_item("R_svc", state.supervisor)?;
    said.set_item("R_abt", state.abort)?;
    said.set_item("R_irq", state.irq)?;
    said.set_item("R_und", state.undefined)?;
    said.set_item("CPSR", state.cpsr)?;
    said.set_item("SPSR", state.spsr)?;
    said.set_item("pipeline", state.pipeline)?;
    said.set_item("pipeline_aborted", state.pipeline_aborted)?;
    said.set_item("access", access_bits(state.next_fetch) | CODE)?;
    Ok(said)
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
