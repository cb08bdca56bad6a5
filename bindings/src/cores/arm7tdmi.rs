//! One instruction of an ARM7TDMI, in the notation of the public one-instruction vectors.

use cyclescope_engine::bus::{Access, Pending, Width};
use cyclescope_engine::cores::arm7tdmi::bench::Bench;
use cyclescope_engine::cores::arm7tdmi::{input, State};
use cyclescope_engine::recording_bus::access_bits;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{transactions, Memory};

const SEQUENTIAL: u32 = 1;
const CODE: u32 = 2;

/// Executes one instruction; returns the final state, the cycles and the memory.
pub fn step<'py>(
    py: Python<'py>,
    initial: &Bound<'py, PyDict>,
    Memory { bytes, unmapped }: Memory,
    irq: bool,
    fiq: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let mut pending = Pending::default();
    for (requested, input) in [(irq, input::IRQ), (fiq, input::FIQ)] {
        pending = if requested { pending.with(input) } else { pending };
    }
    let mut bench = Bench { state: state_of(initial)?, memory: bytes, unmapped, pending };
    let cycles = bench.step();
    let result = PyDict::new(py);
    result.set_item("final", dictionary_of(py, &bench.state)?)?;
    result.set_item("transactions", transactions(py, &cycles)?)?;
    result.set_item("cycles", cycles.len())?;
    result.set_item("memory", bench.memory)?;
    Ok(result)
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
