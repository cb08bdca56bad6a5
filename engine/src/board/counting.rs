//! The counting instruments of a board: made to be [attached](Board::attach), and named in the board's words.

use std::ops::Range;

use super::Board;
use crate::instrument::Requester;
use crate::instruments::accesses::{Accesses, Target};
use crate::instruments::histogram::{Code, Function, Histogram};
use crate::instruments::interrupts::Interrupts;
use crate::system::DeviceWindow;

impl Board {
    /// The functions of a program, as their symbols name them.
    pub fn code(&self, functions: impl IntoIterator<Item = Function>) -> Code {
        let of = |address| self.architecture.instruction_address(address);
        let function = |one: Function| Function { start: of(one.start), ..one };
        Code::new(functions.into_iter().map(function).collect())
    }

    /// A histogram of the program counter for this board.
    pub fn histogram(&self, code: Code) -> Histogram {
        Histogram::new(code, self.device_ranges())
    }

    /// Counters of accesses for this board.
    pub fn accesses(&self, code: Code) -> Accesses {
        Accesses::new(code, self.system.memories().len())
    }

    /// A monitor of this board's interrupts.
    pub fn interrupts(&self) -> Interrupts {
        Interrupts::new(self.system.interrupt_requests())
    }

    pub(super) fn device_ranges(&self) -> Vec<Range<u64>> {
        let range = |w: &DeviceWindow| u64::from(w.base)..u64::from(w.base) + u64::from(w.size);
        self.system.devices().iter().map(range).collect()
    }

    /// The name of a device, by its place in the board file.
    pub fn device_name(&self, device: usize) -> &str {
        self.description.device.get(device).map_or("", |one| &one.name)
    }

    /// The names of a memory or of a device and its register. Without a name of its own a register is its
    /// offset.
    pub fn target_name(&self, target: Target) -> (String, Option<String>) {
        match target {
            Target::Memory(index) => (self.system.memories()[index].name.clone(), None),
            Target::Register { device, offset } => {
                let register = self.system.register_name(device, offset);
                let register = register.unwrap_or_else(|| format!("{offset:#05x}"));
                (self.device_name(device).to_owned(), Some(register))
            }
        }
    }

    /// The name of an interrupt's source: the signal that requests it.
    pub fn requester_name(&self, by: Requester) -> String {
        let into = |input: &str| {
            let wire = self.description.connect.iter().find(|one| one.to == input);
            wire.map_or(input, |one| &one.from).to_owned()
        };
        let inputs = self.architecture.inputs();
        match by {
            Requester::Source { device, input } => {
                let name = self.system.input_name(device, input);
                into(&format!("{}.{name}", self.device_name(device)))
            }
            Requester::Line(n) => into(&format!("core.{}", inputs[n])),
            Requester::Spurious(n) => format!("spurious {}", inputs[n]),
        }
    }
}
