//! Boards.

mod counting;
mod energy;
mod profile;

use std::collections::HashMap;
use std::path::Path;

use cyclescope_engine::board as engine;
use cyclescope_engine::error::Error;
use cyclescope_engine::instruments::power_meter::{Metering, Places};
use cyclescope_engine::instruments::recorder::{Reader, Recorder};
use cyclescope_engine::instruments::window::Window;
use cyclescope_engine::registry::Registry;
use cyclescope_engine::semihosting::Limits;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use self::counting::{Counting, Range};
use self::energy::{accounts, Account};
pub use self::profile::Profile;
use crate::image::Image;
use crate::python_device;
use crate::raise;

/// The output whose byte ends a run: any byte of it, or one value.
#[derive(FromPyObject)]
enum OutputBreakpoint {
    Any(String),
    One((String, u8)),
}

/// Why a run ended, as Python's own values.
pub fn stop_document(py: Python<'_>, stop: engine::Stop) -> PyResult<Bound<'_, PyDict>> {
    let said = PyDict::new(py);
    said.set_item("reason", stop.reason.name())?;
    said.set_item("sentence", stop.sentence)?;
    said.set_item("cycle", stop.cycle)?;
    said.set_item("instructions", stop.instructions)?;
    said.set_item("pc", stop.pc)?;
    said.set_item("exit_code", stop.exit_code)?;
    Ok(said)
}

/// A virtual board.
#[pyclass]
pub struct Board {
    pub inner: engine::Board,
    changes: Reader,
    recorded: Reader,
    counting: Counting,
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (toml, name = "board", bases = None, make_device = None))]
    fn new(
        py: Python<'_>,
        toml: &str,
        name: &str,
        bases: Option<HashMap<String, String>>,
        make_device: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let bases = bases.unwrap_or_default();
        let resolve = |wanted: &str| {
            bases.get(wanted).cloned().ok_or_else(|| {
                Error::new(format!("{name}: it extends {wanted}, and there is no such board."))
            })
        };
        let mut registry = Registry::default();
        if let Some(make) = make_device {
            python_device::register(&mut registry, make);
        }
        let made = engine::Board::with(&registry, toml, name, &resolve);
        let inner = made.map_err(|error| raise(py, error))?;
        Ok(Board {
            inner,
            changes: Reader::default(),
            recorded: Reader::default(),
            counting: Counting::default(),
        })
    }

    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// The board file as Python's own values.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.inner.description().to_toml().map_err(|error| raise(py, error))?;
        py.import("tomllib")?.getattr("loads")?.call1((text,))
    }

    #[getter]
    fn elf_machine(&self) -> Option<u16> {
        self.inner.elf_machine().map(|machine| machine.number)
    }

    fn fetching(&self, py: Python<'_>, memory: &str) -> PyResult<(Option<u32>, u64, u64)> {
        let found = self.inner.fetching(memory).map_err(|error| raise(py, error))?;
        Ok((found.line_bytes, found.doubt_cycles, found.overlap_cycles))
    }

    fn load(&mut self, py: Python<'_>, image: &Image) -> PyResult<()> {
        self.inner.load(&image.inner).map_err(|error| raise(py, error))
    }

    fn load_bytes(&mut self, py: Python<'_>, address: u32, data: &[u8]) -> PyResult<()> {
        self.inner.load_bytes(address, data).map_err(|error| raise(py, error))
    }

    #[pyo3(signature = (entry = None))]
    fn reset(&mut self, entry: Option<u32>) {
        self.inner.reset(entry);
    }

    #[pyo3(signature = (*, cycles = None, instructions = None, pcs = Vec::new(),
                        stop_on_exception = false, stop_on_bytes = None))]
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        cycles: Option<u64>,
        instructions: Option<u64>,
        pcs: Vec<u32>,
        stop_on_exception: bool,
        stop_on_bytes: Option<OutputBreakpoint>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (stop_on_bytes, last_byte) = match stop_on_bytes {
            Some(OutputBreakpoint::One((output, byte))) => (Some(output), Some(byte)),
            Some(OutputBreakpoint::Any(output)) => (Some(output), None),
            None => (None, None),
        };
        let request = engine::Request {
            cycles,
            instructions,
            pcs,
            stop_on_exception,
            stop_on_bytes,
            last_byte,
            ..engine::Request::default()
        };
        let mut signal = Ok(());
        let mut go_on = || {
            signal = py.check_signals();
            signal.is_ok()
        };
        let stop = self.inner.run_while(&request, &mut go_on);
        signal?;
        let stop = stop.map_err(|error| raise(py, error))?;
        if stop.reason == engine::Reason::DeviceFailed {
            py.check_signals()?;
        }
        stop_document(py, stop)
    }

    #[getter]
    fn cycle(&self) -> u64 {
        self.inner.cycle()
    }

    #[getter]
    fn instructions(&self) -> u64 {
        self.inner.instructions()
    }

    #[getter]
    fn core_hz(&self) -> u32 {
        self.inner.core_hz()
    }

    fn clock_epochs(&self) -> Vec<(u64, u32)> {
        self.inner.clock_epochs().to_vec()
    }

    fn seconds(&self, cycle: u64) -> f64 {
        self.inner.seconds(cycle)
    }

    fn registers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let registers = PyDict::new(py);
        for (name, value) in self.inner.core().registers() {
            registers.set_item(name, value)?;
        }
        Ok(registers)
    }

    fn read_memory<'py>(
        &mut self,
        py: Python<'py>,
        address: u32,
        length: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.read_memory(address, length).map_err(|error| raise(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn write_memory(&mut self, py: Python<'_>, address: u32, data: &[u8]) -> PyResult<()> {
        self.inner.write_memory(address, data).map_err(|error| raise(py, error))
    }

    fn send(&mut self, py: Python<'_>, input: &str, data: &[u8]) -> PyResult<()> {
        self.inner.send(input, data).map_err(|error| raise(py, error))
    }

    fn waiting(&self, py: Python<'_>, input: &str) -> PyResult<usize> {
        self.inner.waiting(input).map_err(|error| raise(py, error))
    }

    fn receive(&mut self, py: Python<'_>, output: &str) -> PyResult<Vec<(u64, u32)>> {
        self.inner.receive(output).map_err(|error| raise(py, error))
    }

    #[pyo3(signature = (input, level, at = None))]
    fn drive(&mut self, py: Python<'_>, input: &str, level: u32, at: Option<u64>) -> PyResult<()> {
        self.inner.drive(input, level, at).map_err(|error| raise(py, error))
    }

    fn level(&self, py: Python<'_>, output: &str) -> PyResult<u32> {
        self.inner.level(output).map_err(|error| raise(py, error))
    }

    #[pyo3(signature = (executed = Vec::new(), accessed = Vec::new(), signals = Vec::new()))]
    fn watch(
        &mut self,
        py: Python<'_>,
        executed: Vec<u32>,
        accessed: Vec<u32>,
        signals: Vec<String>,
    ) -> PyResult<()> {
        let names: Vec<&str> = signals.iter().map(String::as_str).collect();
        for name in &names {
            self.level(py, name)?;
        }
        self.inner.watch(&executed, &accessed);
        let (recorder, reader) = Recorder::new(&names);
        self.changes = reader;
        if !names.is_empty() {
            self.inner.attach(Box::new(recorder));
        }
        Ok(())
    }

    fn signals(&self) -> (Vec<&str>, Vec<&str>) {
        self.inner.signals()
    }

    fn record(&mut self, py: Python<'_>, signals: Vec<String>) -> PyResult<()> {
        let names: Vec<&str> = signals.iter().map(String::as_str).collect();
        let (outputs, inputs) = self.inner.signals();
        let unknown = names.iter().find(|name| !outputs.contains(name) && !inputs.contains(name));
        if let Some(name) = unknown {
            let board = self.inner.name();
            return Err(raise(py, Error::new(format!("The board {board} has no signal {name}."))));
        }
        let (recorder, reader) = Recorder::new(&names);
        self.recorded = reader;
        self.inner.attach(Box::new(recorder));
        Ok(())
    }

    fn take_recorded(&mut self) -> Vec<(u64, String, u32)> {
        let taken = self.recorded.take().into_iter();
        taken.map(|change| (change.cycle, change.signal, change.level)).collect()
    }

    fn take_executed(&mut self) -> Vec<(u64, u32)> {
        let taken = self.inner.take_executed().into_iter();
        taken.map(|executed| (executed.cycle, executed.address)).collect()
    }

    fn take_accessed(&mut self) -> Vec<(u64, u32, u32, bool)> {
        let taken = self.inner.take_accessed().into_iter();
        taken.map(|access| (access.cycle, access.address, access.value, access.write)).collect()
    }

    fn take_changes(&mut self) -> Vec<(u64, String, u32)> {
        let taken = self.changes.take().into_iter();
        taken.map(|change| (change.cycle, change.signal, change.level)).collect()
    }

    fn set_tier(&mut self, py: Python<'_>, tier: &str) -> PyResult<()> {
        let tier = match tier {
            "plain" => engine::Tier::Plain,
            "blocks" => engine::Tier::Blocks,
            "translated" => engine::Tier::TRANSLATED,
            other => {
                let choices = "choose plain, blocks or translated";
                let sentence = format!("There is no tier \"{other}\": {choices}.");
                return Err(raise(py, Error::new(sentence)));
            }
        };
        self.inner.set_tier(tier);
        Ok(())
    }

    #[getter]
    fn instructions_by_tier(&self) -> (u64, u64, u64) {
        let done = self.inner.translations();
        (done.stepped, done.in_blocks, done.instructions)
    }

    fn set_skipping(&mut self, on: bool) {
        self.inner.set_skipping(on);
    }

    #[getter]
    fn skipped_cycles(&self) -> u64 {
        self.inner.skipped_cycles()
    }

    fn profile(&mut self, start: u32, entry: u32, returned: u32) {
        self.inner.profile(Window { start, entry, returned });
    }

    fn take_profiles(&mut self) -> Vec<Profile> {
        self.inner.take_profiles().into_iter().map(|inner| Profile { inner }).collect()
    }

    fn watch_interrupts(&mut self, start: u32, entry: u32, returned: u32) {
        self.inner.watch_interrupts(Window { start, entry, returned });
    }

    fn take_interrupts_off<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut calls = Vec::new();
        for call in self.inner.take_interrupts_off() {
            let said = PyDict::new(py);
            said.set_item("entered", call.entered)?;
            said.set_item("cycles", call.cycles)?;
            said.set_item("longest_cycles", call.longest_cycles)?;
            said.set_item("begin", call.begin)?;
            said.set_item("end", call.end)?;
            said.set_item("entered_off", call.entered_off)?;
            said.set_item("returned_off", call.returned_off)?;
            calls.push(said);
        }
        Ok(calls)
    }

    fn watch_off_intervals(&mut self) {
        self.inner.watch_off_intervals();
    }

    fn take_off_intervals(&mut self) -> Vec<(u64, u32, u64, u32)> {
        let taken = self.inner.take_off_intervals().into_iter();
        taken.map(|one| (one.since, one.begin, one.until, one.end)).collect()
    }

    #[pyo3(signature = (functions = Vec::new()))]
    fn attach_histogram(&mut self, functions: Vec<Range>) -> usize {
        self.counting.attach_histogram(&mut self.inner, &functions)
    }

    #[pyo3(signature = (functions = Vec::new()))]
    fn attach_accesses(&mut self, functions: Vec<Range>) -> usize {
        self.counting.attach_accesses(&mut self.inner, &functions)
    }

    fn attach_transfers(&mut self) -> usize {
        self.counting.attach_transfers(&mut self.inner)
    }

    fn attach_interrupts(&mut self) -> usize {
        self.counting.attach_interrupts(&mut self.inner)
    }

    #[pyo3(signature = (registers = Vec::new(), devices = Vec::new(), memory = Vec::new(),
                        capacity = 1 << 22))]
    fn attach_follow(
        &mut self,
        py: Python<'_>,
        registers: Vec<String>,
        devices: Vec<String>,
        memory: Vec<(u32, u32)>,
        capacity: usize,
    ) -> PyResult<usize> {
        let memory = memory.into_iter().map(|(start, end)| start..end).collect();
        let follow = self.inner.follow(&registers, &devices, memory, capacity);
        let follow = follow.map_err(|error| raise(py, error))?;
        Ok(self.counting.attach_follow(&mut self.inner, follow))
    }

    #[pyo3(signature = (functions = Vec::new()))]
    fn attach_stacks(&mut self, functions: Vec<Range>) -> usize {
        self.counting.attach_stacks(&mut self.inner, &functions)
    }

    fn counted<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyDict>> {
        self.counting.counted(py, &self.inner, number)
    }

    fn clear(&mut self, py: Python<'_>, number: usize) -> PyResult<()> {
        self.counting.clear(py, &mut self.inner, number)
    }

    fn detach(&mut self, py: Python<'_>, number: usize) -> PyResult<()> {
        self.counting.detach(py, &mut self.inner, number)
    }

    fn energy_parts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.inner.energy().map_err(|error| raise(py, error))?.parts())
    }

    #[pyo3(signature = (places = None, current_task = None, executed = Vec::new(),
                        accessed = Vec::new(), call = None, functions = None))]
    #[allow(clippy::too_many_arguments)] // Python names them.
    fn meter(
        &mut self,
        py: Python<'_>,
        places: Option<Vec<u32>>,
        current_task: Option<u32>,
        executed: Vec<u32>,
        accessed: Vec<u32>,
        call: Option<(u32, u32, u32)>,
        functions: Option<Vec<Range>>,
    ) -> PyResult<()> {
        let functions = functions.map(|some| Places::Functions(counting::code(&self.inner, &some)));
        let places = functions.or(places.map(Places::From)).unwrap_or(Places::Instructions);
        let window = call.map(|(start, entry, returned)| Window { start, entry, returned });
        let metering = Metering { places, current_task, executed, accessed, window };
        self.inner.meter(metering).map_err(|error| raise(py, error))
    }

    fn spent(&self, py: Python<'_>) -> PyResult<Vec<Account>> {
        Ok(accounts(self.inner.spent().map_err(|error| raise(py, error))?))
    }

    fn take_readings(&mut self) -> Vec<(u64, u32, u32, u128, u128)> {
        let taken = self.inner.take_readings().into_iter();
        taken.map(|r| (r.cycle, r.address, r.value, r.total_fj, r.capacitive_fj)).collect()
    }

    fn take_metered_calls(&mut self) -> Vec<(u64, u64, Vec<Account>)> {
        let taken = self.inner.take_metered_calls().into_iter();
        taken.map(|call| (call.entered, call.cycles, accounts(call.ledger))).collect()
    }

    fn unmodelled<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let describe = |item: &cyclescope_engine::system::Unmodelled| {
            let said = PyDict::new(py);
            said.set_item("text", &item.text)?;
            said.set_item("address", item.address)?;
            said.set_item("pc", item.pc)?;
            said.set_item("cycle", item.cycle)?;
            Ok(said)
        };
        self.inner.unmodelled().iter().map(describe).collect()
    }

    fn unverified<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut rules = Vec::new();
        for rule in self.inner.unverified() {
            let said = PyDict::new(py);
            said.set_item("rule", &rule.id)?;
            said.set_item("text", &rule.text)?;
            rules.push(said);
        }
        Ok(rules)
    }

    #[pyo3(signature = (root = None, stdin = Some(Vec::new()), file_bytes = None, files = None))]
    fn enable_semihosting(
        &mut self,
        py: Python<'_>,
        root: Option<&str>,
        stdin: Option<Vec<u8>>,
        file_bytes: Option<u64>,
        files: Option<u32>,
    ) -> PyResult<()> {
        let root = root.map(Path::new);
        let usual = Limits::default();
        let limits = Limits {
            file_bytes: file_bytes.unwrap_or(usual.file_bytes),
            files: files.unwrap_or(usual.files),
        };
        let enabled = self.inner.enable_semihosting(root, stdin.as_deref(), limits);
        enabled.map_err(|error| raise(py, error))
    }

    fn semihosting_output<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.semihosting_output())
    }
}
