//! The engine's `Port` for a user's class: signals and events by their names.

use cyclescope_engine::bus::{Access, Width};
use cyclescope_engine::device::{self, Character, Tag, Transfer};
use cyclescope_engine::framing::{Framing, Parity};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Bits of a character: start, eight of data, stop.
const CHARACTER_BITS: u64 = 10;
/// A bit lasts so long at least.
const SHORTEST_BIT_CYCLES: u64 = 16;
/// No character is shorter.
pub const SHORTEST_CHARACTER_CYCLES: u64 = CHARACTER_BITS * SHORTEST_BIT_CYCLES;

/// One request of the class.
pub enum Asked {
    Schedule(Tag, Option<u64>),
    Drive(usize, u32),
    Send(usize, u32),
    Begin(usize, Character),
    Transfer(Transfer),
    Unmodelled(String),
}

impl Asked {
    /// Passes it on to the engine.
    pub fn ask(self, port: &mut device::Port) {
        match self {
            Asked::Schedule(tag, Some(at)) => port.schedule(tag, at),
            Asked::Schedule(tag, None) => port.cancel(tag),
            Asked::Drive(output, level) => port.drive(output, level),
            Asked::Send(output, value) => port.send(output, value),
            Asked::Begin(output, character) => port.begin(output, character),
            Asked::Transfer(transfer) => port.transfer(transfer),
            Asked::Unmodelled(what) => port.unmodelled(what),
        }
    }
}

/// The port that a user's class gets; `cyclescope.device.Port` has its contract.
#[pyclass]
pub struct Port {
    /// The current cycle.
    #[pyo3(get)]
    pub now: u64,
    /// Requests since they were last taken, in order.
    pub asked: Vec<Asked>,
    /// Cycles of a bit of its serial line; 0: it has none, or its clock is off.
    pub bit_cycles: u64,
    outputs: &'static [&'static str],
    /// Names of events; the index is the tag.
    events: Vec<(String, Py<PyString>)>,
}

impl Port {
    pub fn new(outputs: &'static [&'static str]) -> Self {
        Port { now: 0, asked: Vec::new(), bit_cycles: 0, outputs, events: Vec::new() }
    }

    /// How characters on its serial line are framed now.
    pub fn framing(&self) -> Option<Framing> {
        (self.bit_cycles > 0).then_some(Framing {
            bit_cycles: (self.bit_cycles, 1),
            data_bits: 8,
            parity: Parity::Off,
            stop_half_bits: 2,
        })
    }

    /// The name of an event or transfer.
    pub fn event(&self, py: Python<'_>, tag: Tag) -> Py<PyString> {
        self.events[tag as usize].1.clone_ref(py)
    }

    fn tag(&mut self, event: &Bound<'_, PyString>) -> PyResult<Tag> {
        let name = event.to_str()?;
        let known = self.events.iter().position(|(one, _)| one == name);
        let index = known.unwrap_or(self.events.len());
        if known.is_none() {
            self.events.push((name.to_owned(), event.clone().unbind()));
        }
        Ok(index as Tag)
    }

    fn output(&self, name: &str) -> PyResult<usize> {
        self.outputs.iter().position(|one| *one == name).ok_or_else(|| {
            PyValueError::new_err(format!(
                "there is no output {name:?}: outputs has {}",
                self.outputs.join(", ")
            ))
        })
    }
}

/// A whole number of this size; a sentence that names what it was for.
fn number<'py, N: FromPyObject<'py, 'py>>(
    what: &str,
    value: &'py Bound<'py, PyAny>,
    most: u64,
) -> PyResult<N> {
    value.extract().map_err(|_| {
        PyValueError::new_err(format!("{what} {value} is no whole number from 0 to {most}"))
    })
}

fn word(what: &str, value: &Bound<'_, PyAny>) -> PyResult<u32> {
    number(what, value, u32::MAX.into())
}

fn cycle(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    number("cycle", value, u64::MAX)
}

#[pymethods]
impl Port {
    fn schedule(&mut self, event: &Bound<'_, PyString>, at: &Bound<'_, PyAny>) -> PyResult<()> {
        let asked = Asked::Schedule(self.tag(event)?, Some(cycle(at)?));
        self.asked.push(asked);
        Ok(())
    }

    fn cancel(&mut self, event: &Bound<'_, PyString>) -> PyResult<()> {
        let asked = Asked::Schedule(self.tag(event)?, None);
        self.asked.push(asked);
        Ok(())
    }

    fn drive(&mut self, output: &str, level: &Bound<'_, PyAny>) -> PyResult<()> {
        self.asked.push(Asked::Drive(self.output(output)?, word("level", level)?));
        Ok(())
    }

    fn send(&mut self, output: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.asked.push(Asked::Send(self.output(output)?, word("value", value)?));
        Ok(())
    }

    fn frame(&mut self, bit_cycles: &Bound<'_, PyAny>) -> PyResult<()> {
        let cycles: u64 = word("bit_cycles", bit_cycles)?.into();
        if (1..SHORTEST_BIT_CYCLES).contains(&cycles) {
            return Err(PyValueError::new_err(format!(
                "a bit of {cycles} cycles is too short: give {SHORTEST_BIT_CYCLES} or more, or 0"
            )));
        }
        self.bit_cycles = cycles;
        Ok(())
    }

    fn begin(&mut self, output: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (output, value) = (self.output(output)?, word("value", value)?);
        let Some(framing) = self.framing() else {
            return Err(PyValueError::new_err("no character begins before frame(bit_cycles)"));
        };
        let ends = self.now + CHARACTER_BITS * self.bit_cycles;
        self.asked.push(Asked::Begin(output, Character { value, framing, ends }));
        Ok(())
    }

    #[pyo3(signature = (event, address, *, width = 32, write = None, burst = false))]
    fn transfer(
        &mut self,
        event: &Bound<'_, PyString>,
        address: &Bound<'_, PyAny>,
        width: u32,
        write: Option<&Bound<'_, PyAny>>,
        burst: bool,
    ) -> PyResult<()> {
        let width = match width {
            8 => Width::Byte,
            16 => Width::Half,
            32 => Width::Word,
            other => {
                let sentence = format!("width {other} is not 8, 16 or 32 bits");
                return Err(PyValueError::new_err(sentence));
            }
        };
        let access = Access::data(width);
        let write = write.map(|value| word("value", value)).transpose()?;
        let (tag, address) = (self.tag(event)?, word("address", address)?);
        self.asked.push(Asked::Transfer(Transfer { tag, address, access, write, burst }));
        Ok(())
    }

    fn unmodelled(&mut self, what: String) {
        self.asked.push(Asked::Unmodelled(what));
    }
}
