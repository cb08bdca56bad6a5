//! One-instruction bench: an ARM7TDMI with a bus that records every cycle.
//!
//! ```
//! use cyclescope_engine::bus::Width;
//! use cyclescope_engine::cores::arm7tdmi::bench::Bench;
//! use cyclescope_engine::recording_bus::Kind;
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
//! assert!(bench.state.next_fetch.is_sequential());
//! ```

use std::collections::HashMap;

use super::{Arm7tdmi, State};
use crate::bus::{Pending, Width};
use crate::recording_bus::{put, BusCycle, RecordingBus, Unmapped};

/// The bench: set its fields, then [`step`](Bench::step).
#[derive(Clone, Debug)]
pub struct Bench {
    /// The core before, and after a step behind, the instruction.
    pub state: State,
    /// Bytes by address, little-endian. Writes change it.
    pub memory: HashMap<u32, u8>,
    /// Content of addresses that `memory` lacks.
    pub unmapped: Unmapped,
    /// Inputs pending at the boundary before the instruction: bit 0 for IRQ, bit 1 for FIQ.
    pub pending: Pending,
}

impl Default for Bench {
    /// Supervisor mode after reset, no memory, unmapped bytes read as zero, no interrupt.
    fn default() -> Self {
        Bench {
            state: State::default(),
            memory: HashMap::new(),
            unmapped: Unmapped::Reads(0),
            pending: Pending::default(),
        }
    }
}

impl Bench {
    /// Maps the bytes of `value` at the aligned `address`.
    pub fn put(&mut self, address: u32, width: Width, value: u32) {
        put(&mut self.memory, address, width, value);
    }

    /// Executes one instruction, or enters the exception that `pending` or an aborted fetch call for.
    /// Returns its cycles in order and leaves the final state in `state`.
    pub fn step(&mut self) -> Vec<BusCycle> {
        let mut core = Arm7tdmi::new();
        core.set_state(&self.state);
        let mut bus = RecordingBus {
            memory: std::mem::take(&mut self.memory),
            unmapped: self.unmapped,
            pending: self.pending,
            ..RecordingBus::default()
        };
        let cycles = bus.step(&mut core);
        self.memory = bus.memory;
        self.state = core.state();
        cycles
    }
}

// The example in the documentation runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/timing/arm7tdmi.md")]
struct DocumentedExample;
