//! Names of signals, which the engine wants to live as long as the program.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

type Names = &'static [&'static str];

/// Every list of names that was asked for. So boards that are made again take no more memory.
static KNOWN: Mutex<BTreeSet<Names>> = Mutex::new(BTreeSet::new());

/// The list of names that an object has as the attribute `which`.
pub fn named(object: &Bound<'_, PyAny>, which: &str) -> PyResult<Names> {
    let names: Vec<String> = object.getattr(which)?.extract()?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|one| one.iter().eq(names.iter())) {
        return Ok(found);
    }
    let kept: Vec<&str> = names.into_iter().map(|name| &*name.leak()).collect();
    let kept: Names = kept.leak();
    known.insert(kept);
    Ok(kept)
}
