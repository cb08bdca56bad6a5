//! Images.

use std::collections::HashMap;

use cyclescope_engine::image as engine;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::raise;

/// A program for a board.
#[pyclass(frozen)]
pub struct Image {
    pub(crate) inner: engine::Image,
}

#[pymethods]
impl Image {
    #[staticmethod]
    #[pyo3(signature = (data, name = "image"))]
    fn from_elf(py: Python<'_>, data: &[u8], name: &str) -> PyResult<Self> {
        let inner = engine::Image::from_elf(data, name).map_err(|error| raise(py, error))?;
        Ok(Image { inner })
    }

    #[getter]
    fn entry(&self) -> u32 {
        self.inner.entry
    }

    #[getter]
    fn segments<'py>(&self, py: Python<'py>) -> Vec<(u32, Bound<'py, PyBytes>)> {
        let segments = self.inner.segments.iter();
        segments.map(|segment| (segment.address, PyBytes::new(py, &segment.bytes))).collect()
    }

    #[getter]
    fn symbols(&self) -> HashMap<&str, (u32, u32)> {
        let symbols = self.inner.symbols.iter();
        symbols.map(|(name, symbol)| (name.as_str(), (symbol.address, symbol.size))).collect()
    }

    fn address_of(&self, py: Python<'_>, symbol: &str) -> PyResult<u32> {
        self.inner.address_of(symbol).map_err(|error| raise(py, error))
    }
}
