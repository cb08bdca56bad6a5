//! A bus without a board: it records every cycle of a core, for tests and benches of one instruction.

use std::collections::HashMap;

use crate::bus::{Abort, Access, Bus, Exception, Pending, Status, Width};
use crate::core::Core;
use crate::time::Cycle;

/// Use of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Fetches an opcode.
    Code,
    /// Reads data.
    Read,
    /// Writes data.
    Write,
    /// Internal: asks nothing of the memory.
    Internal,
}

/// One cycle. Those of an internal one are zero but for its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusCycle {
    /// Its use.
    pub kind: Kind,
    /// Bytes: 1, 2, 4, or 0 when internal.
    pub size: u32,
    /// As the core issued it; memory ignores the bits below the size.
    pub address: u32,
    /// The value read or written, of this size, zero-extended.
    pub data: u32,
    /// [`access_bits`] of the access.
    pub access: u32,
    /// The memory refused it.
    pub aborted: bool,
}

/// How memory answers where the mapping has no byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmapped {
    /// Reads this byte; takes writes.
    Reads(u8),
    /// Refuses the access: prefetch abort or data abort. The data of a refused read is 0.
    Aborts,
}

/// Bytes by address, little-endian, and the requests that a core sees at each boundary.
#[derive(Clone, Debug)]
pub struct RecordingBus {
    /// The bytes. Writes change them.
    pub memory: HashMap<u32, u8>,
    /// How addresses outside `memory` answer.
    pub unmapped: Unmapped,
    /// Requests pending at every boundary.
    pub pending: Pending,
    /// The cycles so far.
    pub cycles: Vec<BusCycle>,
}

/// Sequential 1, code 2, lock 8.
pub const fn access_bits(access: Access) -> u32 {
    access.is_sequential() as u32
        | (access.is_code() as u32) << 1
        | (access.is_locked() as u32) << 3
}

/// Puts the bytes of `value` at the aligned `address`.
pub fn put(memory: &mut HashMap<u32, u8>, address: u32, width: Width, value: u32) {
    let start = width.align(address);
    for (i, byte) in value.to_le_bytes().into_iter().take(width.bytes() as usize).enumerate() {
        memory.insert(start.wrapping_add(i as u32), byte);
    }
}

impl Default for RecordingBus {
    /// No memory, unmapped bytes read as zero, nothing pending.
    fn default() -> Self {
        RecordingBus {
            memory: HashMap::new(),
            unmapped: Unmapped::Reads(0),
            pending: Pending::default(),
            cycles: Vec::new(),
        }
    }
}

impl RecordingBus {
    /// Lets the core execute one instruction or enter one exception. Returns the cycles of that, in order.
    pub fn step<C: Core>(&mut self, core: &mut C) -> Vec<BusCycle> {
        let begun = self.cycles.len();
        core.step(self);
        self.cycles[begun..].to_vec()
    }

    fn byte(&self, address: u32) -> Result<u8, Abort> {
        match (self.memory.get(&address), self.unmapped) {
            (Some(&byte), _) | (None, Unmapped::Reads(byte)) => Ok(byte),
            (None, Unmapped::Aborts) => Err(Abort),
        }
    }

    fn look_up(&self, address: u32, width: Width) -> Result<u32, Abort> {
        let start = width.align(address);
        (0..width.bytes())
            .rev()
            .try_fold(0, |value, i| Ok(value << 8 | u32::from(self.byte(start.wrapping_add(i))?)))
    }

    fn record(&mut self, kind: Kind, address: u32, data: u32, access: Access, aborted: bool) {
        let size = access.width().bytes();
        let access = access_bits(access);
        self.cycles.push(BusCycle { kind, size, address, data, access, aborted });
    }
}

impl Bus for RecordingBus {
    fn read(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        let data = self.look_up(address, access.width());
        let kind = if access.is_code() { Kind::Code } else { Kind::Read };
        self.record(kind, address, data.unwrap_or(0), access, data.is_err());
        data
    }

    fn write(&mut self, address: u32, value: u32, access: Access) -> Result<(), Abort> {
        let width = access.width();
        let value = value & (u32::MAX >> (32 - 8 * width.bytes()));
        let mapped = self.look_up(address, width).map(|_| ());
        if mapped.is_ok() {
            put(&mut self.memory, address, width, value);
        }
        self.record(Kind::Write, address, value, access, mapped.is_err());
        mapped
    }

    fn idle(&mut self, cycles: u32) {
        let internal = BusCycle {
            kind: Kind::Internal,
            size: 0,
            address: 0,
            data: 0,
            access: 0,
            aborted: false,
        };
        self.cycles.extend((0..cycles).map(|_| internal));
    }

    fn now(&self) -> Cycle {
        self.cycles.len() as Cycle
    }

    fn next_check(&self) -> Cycle {
        0
    }

    fn pending(&mut self) -> Pending {
        self.pending
    }

    fn boundary(&mut self, _address: u32, _status: Status, _stack: u32) -> bool {
        false
    }

    fn excepted(&mut self, _exception: &Exception) {}
}
