//! A board under a debugger: registers, memories and devices, read and set between two instructions.
//!
//! Nothing here spends a cycle, and reading changes nothing.

use super::{Board, Reason, Stop};
use crate::bus::Width;
use crate::error::{Error, Result};

impl Board {
    /// Name of the kind of core, as in board files.
    pub fn core_kind(&self) -> &'static str {
        self.architecture.kind()
    }

    /// The address of the instruction that a symbol, a breakpoint or an entry names.
    pub fn instruction_address(&self, address: u32) -> u32 {
        self.architecture.instruction_address(address)
    }

    /// Sets a register by its name in [`Processor::registers`](crate::processor::Processor::registers).
    ///
    /// # Errors
    /// A sentence when the core has no such register, or it moves with the program counter alone.
    pub fn set_register(&mut self, name: &str, value: u32) -> Result<()> {
        let kind = self.core_kind();
        let known = self.core.set_register(&self.system, name, value);
        known.then_some(()).ok_or_else(|| {
            Error(format!("The core {kind} has no register {name} that can be set by its name."))
        })
    }

    /// Makes the instruction at `address` the next one.
    ///
    /// # Errors
    /// A sentence when the core cannot be moved.
    pub fn set_pc(&mut self, address: u32) -> Result<()> {
        let kind = self.core_kind();
        let moved = self.core.set_address(&self.system, address);
        moved
            .then_some(())
            .ok_or_else(|| Error(format!("The core {kind} cannot be moved to another address.")))
    }

    /// The end of a run that a debugger ends here.
    pub fn end_by_debugger(&self) -> Stop {
        self.stop(
            Reason::Debugger,
            format!("The debugger ended the run before {:#x} executes.", self.pc()),
        )
    }

    /// The bytes from `address` on as the guest would read them now: `length`, or fewer where nothing
    /// answers that can be read without a side effect. Of a device a copy is read.
    pub fn peek(&self, address: u32, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length);
        while let Some(at) = next(address, bytes.len(), length) {
            let left = length - bytes.len();
            if let Some(part) = self.system.bytes_from(at) {
                bytes.extend_from_slice(&part[..part.len().min(left)]);
                continue;
            }
            let own = || self.core.own_byte(at).map(|byte| vec![byte]);
            let width = self.architecture.data_width();
            let Some(part) = self.system.peek_device(at, width).or_else(own) else { break };
            bytes.extend_from_slice(&part[..part.len().min(left)]);
        }
        bytes
    }

    /// Writes bytes to memories, ROM included, to devices, and where the core has bytes of its own. Of opcodes fetched ahead the core sees the
    /// new ones.
    ///
    /// # Errors
    /// A sentence when part of them lies where nothing answers; what lies before is written.
    pub fn poke(&mut self, address: u32, bytes: &[u8]) -> Result<()> {
        let mut done = 0;
        while let Some(at) = next(address, done, bytes.len()) {
            let rest = &bytes[done..];
            if let Some(part) = self.system.bytes_from_mut(at, rest.len()) {
                part.copy_from_slice(&rest[..part.len()]);
                done += part.len();
                continue;
            }
            if self.core.set_own_byte(at, rest[0]) {
                done += 1;
                continue;
            }
            let width = widest(at, rest.len()).min(self.architecture.data_width());
            let length = width.bytes() as usize;
            let mut value = [0; 4];
            value[..length].copy_from_slice(&rest[..length]);
            if !self.system.poke_device(at, width, u32::from_le_bytes(value)) {
                return Err(Error(format!("Nothing answers at {at:#x}.")));
            }
            done += length;
        }
        if self.started {
            self.core.set_address(&self.system, self.core.address());
        }
        Ok(())
    }
}

/// The address `done` bytes on, unless all are done or the address space ends.
fn next(address: u32, done: usize, length: usize) -> Option<u32> {
    (done < length).then(|| address.checked_add(u32::try_from(done).ok()?)).flatten()
}

/// The widest aligned access at `address` within so many bytes.
fn widest(address: u32, bytes: usize) -> Width {
    match (address & 3, bytes) {
        (0, 4..) => Width::Word,
        (0 | 2, 2..) => Width::Half,
        _ => Width::Byte,
    }
}
