//! The counting instruments of a board: made to be [attached](Board::attach), and named in the board's words.

use std::ops::Range;

use super::Board;
use crate::error::{Error, Result};
use crate::instrument::Requester;
use crate::instruments::accesses::{Accesses, Target};
use crate::instruments::follow::{Follow, Sources};
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

    /// An instrument that follows the bytes of these registers (`device.REGISTER`), of transfers of these
    /// devices to memory, and of memory. It keeps `capacity` copies until they are cleared.
    ///
    /// # Errors
    /// A sentence when the board has no such register or device, or the core does not state what it moves.
    pub fn follow(
        &self,
        registers: &[String],
        devices: &[String],
        memory: Vec<Range<u32>>,
        capacity: usize,
    ) -> Result<Follow> {
        if !self.architecture.states_moves() {
            return Err(Error(format!(
                "The core {} does not state what its instructions move: bytes cannot be followed.",
                self.architecture.kind()
            )));
        }
        let registers = registers.iter().map(|name| self.register(name)).collect::<Result<_>>()?;
        let devices = devices.iter().map(|name| self.device(name)).collect::<Result<_>>()?;
        Ok(Follow::new(Sources { registers, devices, memory }, capacity))
    }

    fn device(&self, name: &str) -> Result<usize> {
        let found = self.description.device.iter().position(|one| one.name == name);
        found.ok_or_else(|| {
            let there: Vec<_> = self.description.device.iter().map(|one| &*one.name).collect();
            let there = there.join(", ");
            Error(format!("The board has no device \"{name}\"; it has {there}."))
        })
    }

    /// The device and the offset of a register that is named `device.REGISTER`.
    fn register(&self, name: &str) -> Result<(usize, u32)> {
        let (device, register) = name.split_once('.').unwrap_or((name, ""));
        let device = self.device(device)?;
        let windows = self.system.devices().iter().filter(|window| window.device == device);
        let mut offsets = windows.flat_map(|w| w.offset..w.offset + w.size);
        let found = offsets
            .find(|&offset| self.system.register_name(device, offset).as_deref() == Some(register));
        found.map(|offset| (device, offset)).ok_or_else(|| {
            Error(format!(
                "The board has no register \"{name}\": its page in docs/timing names them."
            ))
        })
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
