//! The engine as the Python module `cyclescope._engine`; python/cyclescope/_engine.pyi is its contract.

mod bench;
mod board;
mod cores;
mod flash_bench;
mod gdb;
mod image;
mod pricer;
mod python_device;

use cyclescope_engine::error::Error;
use pyo3::prelude::*;

/// Counts the changes of `_engine.pyi` that a lab notices: an engine that was built before is refused.
const CONTRACT: u32 = 20;
/// Whether hot blocks can become code of this host.
const TRANSLATES: bool = cfg!(all(feature = "translate", target_arch = "x86_64"));

/// Virtual boards that are exact to the clock cycle.
#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("CONTRACT", CONTRACT)?;
    module.add("TRANSLATES", TRANSLATES)?;
    module.add_class::<bench::Bench>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::Profile>()?;
    module.add_class::<image::Image>()?;
    module.add_class::<gdb::GdbServer>()?;
    module.add_class::<pricer::Pricer>()?;
    module.add_class::<pricer::Retrace>()?;
    cores::register(module)?;
    module.add_class::<flash_bench::FlashBench>()?;
    Ok(())
}

/// The lab's own exception with the engine's sentence.
fn raise(py: Python<'_>, error: Error) -> PyErr {
    let made = py
        .import("cyclescope.errors")
        .and_then(|errors| errors.getattr("CyclescopeError"))
        .and_then(|class| class.call1((error.to_string(),)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failure) => failure,
    }
}
