//! gdb's server, for a board that Python holds.

use cyclescope_engine::board as engine;
use cyclescope_engine::error::Error;
use cyclescope_gdb::{Ended, Host, Saved, Thread};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{stop_document, Board};
use crate::raise;

/// A port at which one gdb at a time controls a board.
#[pyclass]
pub struct GdbServer {
    inner: cyclescope_gdb::Server,
}

#[pymethods]
impl GdbServer {
    #[new]
    fn new(py: Python<'_>, host: &str, port: u16) -> PyResult<Self> {
        let inner = cyclescope_gdb::Server::bind(host, port).map_err(|error| raise(py, error))?;
        Ok(GdbServer { inner })
    }

    #[getter]
    fn port(&self, py: Python<'_>) -> PyResult<u16> {
        self.inner.port().map_err(|error| raise(py, error))
    }

    #[pyo3(signature = (board, program, *, cycles = None, instructions = None, pcs = Vec::new(),
                        stop_on_exception = false))]
    #[allow(clippy::too_many_arguments)] // the bounds of Board.run
    fn serve<'py>(
        &self,
        py: Python<'py>,
        board: Py<Board>,
        program: Py<PyAny>,
        cycles: Option<u64>,
        instructions: Option<u64>,
        pcs: Vec<u32>,
        stop_on_exception: bool,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let until = engine::Request {
            cycles,
            instructions,
            pcs,
            stop_on_exception,
            ..engine::Request::default()
        };
        let mut host = PythonHost { board, program };
        let ended = py.detach(|| self.inner.serve(&mut host, &until));
        Ok(match ended.map_err(|failure| failure.0)? {
            Ended::Detached => None,
            Ended::Stopped(stop) => Some(stop_document(py, stop)?),
        })
    }
}

/// An exception of Python.
struct Failure(PyErr);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(Python::attach(|py| raise(py, error)))
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure(error)
    }
}

/// The board, and the program that asked for the server: `GdbProgram` in `_engine.pyi`.
struct PythonHost {
    board: Py<Board>,
    program: Py<PyAny>,
}

type Register = (String, u32, i32);

impl Host for PythonHost {
    type Error = Failure;

    fn with_board<T>(&mut self, act: impl FnOnce(&mut engine::Board) -> T) -> T {
        Python::attach(|py| act(&mut self.board.borrow_mut(py).inner))
    }

    fn run(&mut self, request: &engine::Request) -> Result<engine::Stop, Failure> {
        Python::attach(|py| {
            let mut board = self.board.borrow_mut(py);
            let inner = &mut board.inner;
            let mut signal = Ok(());
            let mut go_on = || {
                signal = Python::attach(|py| py.check_signals());
                signal.is_ok()
            };
            let stop = py.detach(|| inner.run_while(request, &mut go_on));
            signal?;
            let stop = stop?;
            py.check_signals()?;
            Ok(stop)
        })
    }

    fn reset(&mut self) -> Result<(), Failure> {
        Python::attach(|py| Ok(self.program.call_method0(py, "reset").map(drop)?))
    }

    fn exchange(&mut self) -> Result<(), Failure> {
        Python::attach(|py| {
            self.program.call_method0(py, "exchange")?;
            Ok(py.check_signals()?)
        })
    }

    fn monitor(&mut self, command: &str) -> Result<String, Failure> {
        Python::attach(|py| {
            Ok(self.program.call_method1(py, "monitor", (command,))?.extract(py)?)
        })
    }

    fn threads(&mut self) -> Result<Vec<Thread>, Failure> {
        Python::attach(|py| {
            let said = self.program.call_method0(py, "threads")?;
            let threads: Vec<(u32, String, Option<Vec<Register>>)> = said.extract(py)?;
            let register = |(register, address, offset)| Saved { register, address, offset };
            let thread = |(id, label, saved): (u32, String, Option<Vec<Register>>)| Thread {
                id,
                label,
                saved: saved.map(|all| all.into_iter().map(register).collect()),
            };
            Ok(threads.into_iter().map(thread).collect())
        })
    }

    fn say(&mut self, sentence: &str) -> Result<(), Failure> {
        Python::attach(|py| Ok(self.program.call_method1(py, "say", (sentence,)).map(drop)?))
    }
}
