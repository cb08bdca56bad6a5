//! Devices of the kind `python`: a user's class in the engine's `Device` trait.
//!
//! Each call takes the GIL, so a board may run on a thread that does not hold it.

mod blame;
mod port;
mod signals;

use std::collections::HashMap;

use blame::{Class, Failure};
use cyclescope_engine::bus::{Abort, Width};
use cyclescope_engine::device::{self, Device, Input, Notice, Output, Tag};
use cyclescope_engine::framing::Framing;
use cyclescope_engine::registry::Registry;
use cyclescope_engine::time::Cycle;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use port::{Asked, SHORTEST_CHARACTER_CYCLES};

pub use port::Port;

/// The kind of such devices in board files.
const KIND: &str = "python";

/// Adds the kind. `make` is called with the parameters of a device as a `dict`, and returns an
/// object of `cyclescope.device.Device`, or raises an exception whose text is a sentence.
pub fn register(registry: &mut Registry, make: Py<PyAny>) {
    registry.add_device(KIND, move |given| {
        Python::attach(|py| {
            let made = || {
                let given = py.import("tomllib")?.getattr("loads")?.call1((given.to_string(),))?;
                PythonDevice::new(&make.bind(py).call1((given,))?)
            };
            made()
                .map(|device| Box::new(device) as Box<dyn Device>)
                .map_err(|error| error.value(py).to_string())
        })
    });
}

/// The methods of one object, bound.
struct Methods {
    reset: Py<PyAny>,
    read: Py<PyAny>,
    write: Py<PyAny>,
    event: Py<PyAny>,
    transferred: Py<PyAny>,
    changed: Py<PyAny>,
    acknowledged: Py<PyAny>,
}

/// An object of the user's class.
struct PythonDevice {
    methods: Methods,
    class: Class,
    port: Py<Port>,
    outputs: &'static [&'static str],
    inputs: &'static [&'static str],
    /// Names of registers by offset.
    registers: HashMap<u32, String>,
    /// Offsets whose reads change nothing.
    steady: Vec<u32>,
    /// Outputs on which it announces each character.
    announces: &'static [&'static str],
    /// How characters on its serial line are framed.
    framing: Option<Framing>,
    /// The character under way: its output, the cycle of its end, and its value.
    under_way: Option<(Output, Cycle, u32)>,
    /// Why it cannot go on. It is not called again before a reset.
    failed: Option<String>,
}

impl PythonDevice {
    fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let outputs = signals::named(object, "outputs")?;
        let inputs = signals::named(object, "inputs")?;
        let registers = object.getattr("registers")?;
        let registers = registers.call_method0("items")?.try_iter()?;
        let registers = registers.map(|item| item?.extract()).collect::<PyResult<_>>()?;
        let steady = object.getattr("steady")?.extract()?;
        let announces = signals::named(object, "announces")?;
        let method = |name| object.getattr(name).map(Bound::unbind);
        let methods = Methods {
            reset: method("reset")?,
            read: method("read")?,
            write: method("write")?,
            event: method("event")?,
            transferred: method("transferred")?,
            changed: method("changed")?,
            acknowledged: method("acknowledged")?,
        };
        let port = Py::new(py, Port::new(outputs))?;
        let class = Class::of(object)?;
        Ok(PythonDevice {
            methods,
            class,
            port,
            outputs,
            inputs,
            registers,
            steady,
            announces,
            framing: None,
            under_way: None,
            failed: None,
        })
    }

    /// Calls a method at the port's cycle and passes on what it asked for. `None` if it failed.
    fn call<T>(
        &mut self,
        port: &mut device::Port,
        work: impl FnOnce(Python<'_>, &Methods, &Py<Port>) -> Result<T, Failure>,
    ) -> Option<T> {
        if let Some(why) = &self.failed {
            port.fail(why.as_str());
            return None;
        }
        Python::attach(|py| {
            self.port.borrow_mut(py).now = port.now();
            let answer = work(py, &self.methods, &self.port);
            let mut asked = self.port.borrow_mut(py);
            self.framing = asked.framing();
            for one in asked.asked.drain(..) {
                match &one {
                    Asked::Begin(output, new) => {
                        self.under_way = Some((*output, new.ends, new.value));
                    }
                    Asked::Send(output, _) if self.is_sending(*output) => self.under_way = None,
                    _ => {}
                }
                one.ask(port);
            }
            drop(asked);
            answer.map_err(|error| self.fail(py, &error, port)).ok()
        })
    }

    fn is_sending(&self, output: Output) -> bool {
        self.under_way.is_some_and(|one| one.0 == output)
    }

    fn fail(&mut self, py: Python<'_>, failure: &Failure, port: &mut device::Port) {
        let why = self.class.sentence(py, failure);
        port.fail(why.as_str());
        self.failed = Some(why);
        if matches!(failure, Failure::Raised(error) if error.is_instance_of::<PyKeyboardInterrupt>(py))
        {
            // The run that called notices it, as Ctrl-C anywhere else.
            let asked = py.import("_thread").and_then(|one| one.call_method0("interrupt_main"));
            drop(asked);
        }
    }
}

const fn bits(width: Width) -> u32 {
    width.bytes() * 8
}

impl Device for PythonDevice {
    fn outputs(&self) -> &'static [&'static str] {
        self.outputs
    }

    fn inputs(&self) -> &'static [&'static str] {
        self.inputs
    }

    fn reset(&mut self, port: &mut device::Port) {
        (self.failed, self.under_way) = (None, None);
        self.call(port, |py, its, port| {
            port.borrow_mut(py).bit_cycles = 0;
            Ok(its.reset.call1(py, (port,))?)
        });
    }

    fn read(&mut self, offset: u32, width: Width, port: &mut device::Port) -> u32 {
        let answer = self.call(port, |py, its, port| {
            let value = its.read.call1(py, (offset, bits(width), port))?;
            value.extract(py).map_err(|_| Failure::no_value(offset, value.bind(py)))
        });
        answer.unwrap_or(0)
    }

    fn register(&self, offset: u32) -> Option<String> {
        let of_word = || self.registers.get(&(offset & !3));
        self.registers.get(&offset).or_else(of_word).cloned()
    }

    fn steady(&self, offset: u32) -> bool {
        self.failed.is_none() && self.steady.contains(&offset)
    }

    fn write(&mut self, offset: u32, width: Width, value: u32, port: &mut device::Port) {
        self.call(port, |py, its, port| {
            Ok(its.write.call1(py, (offset, bits(width), value, port))?)
        });
    }

    fn event(&mut self, tag: Tag, port: &mut device::Port) {
        self.call(port, |py, its, port| {
            let event = port.borrow(py).event(py, tag);
            Ok(its.event.call1(py, (event, port))?)
        });
    }

    fn transferred(&mut self, tag: Tag, answer: Result<u32, Abort>, port: &mut device::Port) {
        self.call(port, |py, its, port| {
            let event = port.borrow(py).event(py, tag);
            Ok(its.transferred.call1(py, (event, answer.ok(), port))?)
        });
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut device::Port) {
        let name = self.inputs[input];
        self.call(port, |py, its, port| Ok(its.changed.call1(py, (name, level, port))?));
    }

    fn framing(&self) -> Option<Framing> {
        self.framing
    }

    fn notice(&self, output: Output) -> Notice {
        if self.announces.contains(&self.outputs[output]) {
            let leaves = self.under_way.filter(|one| one.0 == output);
            return Notice {
                shortest_cycles: SHORTEST_CHARACTER_CYCLES,
                leaves: leaves.map(|(_, ends, value)| (ends, value)),
                under_way: None,
                passes: false,
                begins: true,
            };
        }
        // The class may answer at once whatever arrives.
        Notice { passes: !self.inputs.is_empty(), ..Notice::default() }
    }

    fn acknowledged(&mut self, output: Output, port: &mut device::Port) {
        let name = self.outputs[output];
        self.call(port, |py, its, port| Ok(its.acknowledged.call1(py, (name, port))?));
    }
}
