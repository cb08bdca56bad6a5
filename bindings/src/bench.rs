//! Benches.

use std::collections::HashMap;

use cyclescope_engine::bench as engine;
use cyclescope_engine::board::{Board as EngineBoard, Request};
use cyclescope_engine::error::Error;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{stop_document, Board};
use crate::raise;

/// An infrared channel, as a mapping.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Infrared {
    lines: Vec<String>,
    delay_cycles: u64,
    echo: bool,
    bit_error_rate: f64,
    seed: u64,
    directions: Vec<(String, String, f64)>,
}

/// Channel, line, cycles of beginning and end, value, damaged.
type Carried = (usize, String, u64, u64, u32, bool);

/// Several boards over wires and infrared channels.
#[pyclass]
pub struct Bench {
    inner: engine::Bench,
    boards: Vec<Py<Board>>,
}

/// All boards at once, as long as nobody else has one.
fn borrowed<'py>(py: Python<'py>, boards: &[Py<Board>]) -> PyResult<Vec<PyRefMut<'py, Board>>> {
    boards.iter().map(|board| Ok(board.bind(py).try_borrow_mut()?)).collect()
}

#[pymethods]
impl Bench {
    #[new]
    #[pyo3(signature = (boards, wires, baud = None, infrared = Vec::new()))]
    fn new(
        py: Python<'_>,
        boards: Vec<(String, Py<Board>)>,
        wires: Vec<(String, String, u64)>,
        baud: Option<u32>,
        infrared: Vec<Infrared>,
    ) -> PyResult<Self> {
        let (names, boards): (Vec<_>, Vec<_>) = boards.into_iter().unzip();
        let wires: Vec<_> = wires
            .into_iter()
            .map(|(from, to, delay_cycles)| engine::Wire {
                from,
                to,
                delay_cycles,
                fastest_baud: baud,
            })
            .collect();
        let infrared: Vec<_> = infrared
            .into_iter()
            .map(|one| engine::Infrared {
                lines: one.lines,
                delay_cycles: one.delay_cycles,
                echo: one.echo,
                bit_error_rate: one.bit_error_rate,
                seed: one.seed,
                directions: one.directions,
                fastest_baud: baud,
            })
            .collect();
        let inner = {
            let mut guards = borrowed(py, &boards)?;
            let guards = guards.iter_mut().map(|board| &mut board.inner);
            let mut placed: Vec<_> = names.iter().map(String::as_str).zip(guards).collect();
            engine::Bench::with_infrared(&mut placed, &wires, &infrared)
                .map_err(|error| raise(py, error))?
        };
        Ok(Bench { inner, boards })
    }

    fn reset(&mut self, py: Python<'_>) -> PyResult<()> {
        let mut guards = borrowed(py, &self.boards)?;
        let mut boards: Vec<_> = guards.iter_mut().map(|board| &mut board.inner).collect();
        self.inner.reset(&mut boards);
        Ok(())
    }

    #[pyo3(signature = (*, until_as = None, cycles = None, instructions = None, pcs = None,
                        stop_on_exception = false))]
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        until_as: Option<u128>,
        cycles: Option<HashMap<String, u64>>,
        instructions: Option<HashMap<String, u64>>,
        pcs: Option<HashMap<String, Vec<u32>>>,
        stop_on_exception: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (cycles, instructions) = (cycles.unwrap_or_default(), instructions.unwrap_or_default());
        let pcs = pcs.unwrap_or_default();
        let names = self.inner.names().to_vec();
        let given = cycles.keys().chain(instructions.keys()).chain(pcs.keys());
        if let Some(name) = given.into_iter().find(|name| !names.contains(name)) {
            let there = names.join(", ");
            let sentence = format!("There is no board {name} on the bench: name one of {there}.");
            return Err(raise(py, Error::new(sentence)));
        }
        let request = |name: &String| Request {
            cycles: cycles.get(name).copied(),
            instructions: instructions.get(name).copied(),
            pcs: pcs.get(name).cloned().unwrap_or_default(),
            stop_on_exception,
            ..Request::default()
        };
        let requests: Vec<_> = names.iter().map(request).collect();
        let mut guards = borrowed(py, &self.boards)?;
        let mut boards: Vec<&mut EngineBoard> =
            guards.iter_mut().map(|board| &mut board.inner).collect();
        let inner = &mut self.inner;
        let (outcome, signal) = py.detach(move || {
            let mut signal = Ok(());
            let mut go_on = || {
                signal = Python::attach(|py| py.check_signals());
                signal.is_ok()
            };
            let outcome = inner.run(&mut boards, &requests, until_as, &mut go_on);
            (outcome, signal)
        });
        signal?;
        let outcome = outcome.map_err(|error| raise(py, error))?;
        let stops = PyDict::new(py);
        for (name, stop) in names.iter().zip(outcome.stops) {
            stops.set_item(name, stop_document(py, stop)?)?;
        }
        let ended = PyDict::new(py);
        ended.set_item("by", outcome.by.map(|board| &names[board]))?;
        ended.set_item("stops", stops)?;
        Ok(ended)
    }

    /// Attoseconds since reset of each board.
    fn positions(&self) -> HashMap<String, u128> {
        self.inner.names().iter().cloned().zip(self.inner.positions().iter().copied()).collect()
    }

    fn take_carried(&mut self, py: Python<'_>) -> PyResult<Vec<Carried>> {
        let mut guards = borrowed(py, &self.boards)?;
        let mut boards: Vec<_> = guards.iter_mut().map(|board| &mut board.inner).collect();
        let carried = self.inner.take_carried(&mut boards).into_iter();
        let fields = |one: engine::Carried| {
            (one.channel, one.line, one.began, one.ended, one.value, one.damaged)
        };
        Ok(carried.map(fields).collect())
    }

    fn remarks(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let guards = borrowed(py, &self.boards)?;
        let boards: Vec<_> = guards.iter().map(|board| &board.inner).collect();
        Ok(self.inner.remarks(&boards))
    }
}
