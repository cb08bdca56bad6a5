//! One-instruction bench: an ARM7TDMI with a bus that records every cycle.
//!
//! ```
//! use cyclescope_engine::bus::Width;
//! use cyclescope_engine::cores::arm7tdmi::bench::{Bench, Kind};
//!
//! let mut bench = Bench::default();
//! bench.state.pipeline = [0xE591_0004, 0xE1A0_0000]; // LDR r0, [r1, #4]; NOP
//! bench.state.user[1] = 0x4000_0000;
//! bench.state.user[15] = 0x0000_1008; // two words ahead of the LDR
//! bench.put(0x4000_0004, Width::Word, 0xC0FF_EE00);
//!
//! let cycles = bench.step();
//! assert_eq!(bench.state.user[0], 0xC0FF_EE00);
//! let kinds: Vec<_> = cycles.iter().map(|cycle| cycle.kind).collect();
//! assert_eq!(kinds, [Kind::Code, Kind::Read, Kind::Internal]); // 1S + 1N + 1I
//! assert_eq!(cycles[1].address, 0x4000_0004);
//! assert!(bench.state.next_fetch.is_merged());
//! ```

use crate::bus::{Abort, Access, Bus, Lines, Status, Width};
use crate::core::Core;
use crate::cores::arm7tdmi::{Arm7tdmi, State};
use crate::time::Cycle;
use std::collections::HashMap;

/// What a cycle does.
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
    /// What it does.
    pub kind: Kind,
    /// Bytes: 1, 2, 4, or 0 when internal.
    pub size: u32,
    /// As the core issued it; memory ignores the bits below the size.
    pub address: u32,
    /// What was read or written, of this size, zero-extended.
    pub data: u32,
    /// [`access_bits`] of the access.
    pub access: u32,
    /// The memory refused it.
    pub aborted: bool,
}

/// What memory does where the mapping has no byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmapped {
    /// Reads this byte; takes writes.
    Reads(u8),
    /// Refuses the access: prefetch abort or data abort. The data of a refused read is 0.
    Aborts,
}

/// The bench: set its fields, then [`step`](Bench::step).
#[derive(Clone, Debug)]
pub struct Bench {
    /// The core before, and after a step behind, the instruction.
    pub state: State,
    /// Bytes by address, little-endian. Writes change it.
    pub memory: HashMap<u32, u8>,
    /// What is where `memory` is not.
    pub unmapped: Unmapped,
    /// The interrupt lines at the boundary before the instruction.
    pub lines: Lines,
}

impl Default for Bench {
    /// Supervisor mode after reset, no memory, unmapped bytes read as zero, no interrupt.
    fn default() -> Self {
        Bench {
            state: State::default(),
            memory: HashMap::new(),
            unmapped: Unmapped::Reads(0),
            lines: Lines::default(),
        }
    }
}

impl Bench {
    /// Maps the bytes of `value` at the aligned `address`.
    pub fn put(&mut self, address: u32, width: Width, value: u32) {
        put(&mut self.memory, address, width, value);
    }

    /// Executes one instruction, or enters the exception that `lines` or an aborted fetch call for.
    /// Returns its cycles in order and leaves the final state in `state`.
    pub fn step(&mut self) -> Vec<BusCycle> {
        let mut core = Arm7tdmi::new();
        core.set_state(&self.state);
        let mut bus = Recorder {
            memory: &mut self.memory,
            unmapped: self.unmapped,
            lines: self.lines,
            cycles: Vec::new(),
        };
        core.step(&mut bus);
        let cycles = bus.cycles;
        self.state = core.state();
        cycles
    }
}

/// Sequential 1, code 2, lock 8.
pub const fn access_bits(access: Access) -> u32 {
    access.is_sequential() as u32
        | (access.is_code() as u32) << 1
        | (access.is_locked() as u32) << 3
}

fn put(memory: &mut HashMap<u32, u8>, address: u32, width: Width, value: u32) {
    let start = width.align(address);
    for (i, byte) in value.to_le_bytes().into_iter().take(width.bytes() as usize).enumerate() {
        memory.insert(start.wrapping_add(i as u32), byte);
    }
}

struct Recorder<'a> {
    memory: &'a mut HashMap<u32, u8>,
    unmapped: Unmapped,
    lines: Lines,
    cycles: Vec<BusCycle>,
}

impl Recorder<'_> {
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

impl Bus for Recorder<'_> {
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
            put(self.memory, address, width, value);
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

    fn attention(&self) -> Cycle {
        0
    }

    fn lines(&mut self) -> Lines {
        self.lines
    }

    fn boundary(&mut self, _address: u32, _status: Status) -> bool {
        false
    }

    fn excepted(&mut self, _vector: u32, _address: u32, _return_address: u32) {}
}

// The example in the documentation runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/timing/arm7tdmi.md")]
struct DocumentedExample;
