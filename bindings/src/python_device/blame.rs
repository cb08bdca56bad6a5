//! Why a user's class failed: the line of its file, in one sentence.

use std::path::Path;

use pyo3::prelude::*;

/// A call that gave no answer.
pub enum Failure {
    /// An exception.
    Raised(PyErr),
    /// A read returned no value of a register.
    NoValue(String),
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure::Raised(error)
    }
}

impl Failure {
    /// `read(offset)` returned something that is no value of a register.
    pub fn no_value(offset: u32, value: &Bound<'_, PyAny>) -> Self {
        let shown = value.repr().map_or_else(|_| "an object".into(), |text| text.to_string());
        let most = u32::MAX;
        Failure::NoValue(format!(
            "read({offset:#x}) returned {shown}, which is no whole number from 0 to {most}"
        ))
    }
}

/// The user's class, as sentences name it.
pub struct Class {
    /// The path of its file, as Python has it.
    file: String,
    /// The line where its `read` is defined, if that is known.
    read_line: Option<u32>,
}

impl Class {
    /// The class of an object.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let modules = object.py().import("sys")?.getattr("modules")?;
        let module = modules.get_item(object.get_type().module()?)?;
        let line = |object: &Bound<'_, PyAny>| {
            object.getattr("read")?.getattr("__code__")?.getattr("co_firstlineno")?.extract()
        };
        Ok(Class { file: module.getattr("__file__")?.extract()?, read_line: line(object).ok() })
    }

    /// The failure in one sentence, without its last full stop.
    pub fn sentence(&self, py: Python<'_>, failure: &Failure) -> String {
        let (line, what) = match failure {
            Failure::NoValue(what) => (self.read_line, what.clone()),
            Failure::Raised(error) => (self.line(py, error).unwrap_or_default(), error.to_string()),
        };
        let file = Path::new(&self.file).file_name().unwrap_or_default().to_string_lossy();
        let place = line.map_or(String::new(), |line| format!(", line {line}"));
        let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{file}{place}: {}", what.trim_end_matches(['.', ' ']))
    }

    /// The last line of this file that an exception went through.
    fn line(&self, py: Python<'_>, error: &PyErr) -> PyResult<Option<u32>> {
        let mut found = None;
        let mut at = error.traceback(py).map(Bound::into_any);
        while let Some(entry) = at.filter(|entry| !entry.is_none()) {
            let code = entry.getattr("tb_frame")?.getattr("f_code")?;
            if code.getattr("co_filename")?.extract::<String>()? == self.file {
                found = Some(entry.getattr("tb_lineno")?.extract()?);
            }
            at = Some(entry.getattr("tb_next")?);
        }
        Ok(found)
    }
}
