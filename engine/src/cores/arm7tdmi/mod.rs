//! ARM7TDMI: architecture ARMv4T, three-stage pipeline, one bus (ARM DDI 0029 and DDI 0210C).
//!
//! `docs/timing/arm7tdmi.md` states every rule of timing, its source, and what is unverified.
//!
//! Each instruction makes its own first cycle: the fetch of the opcode two places ahead. Each
//! instruction decides the kind of the *next* fetch: S after code, S or N after an I cycle, N
//! after a store. This one field is enough to reproduce the manuals' cycle tables.

mod alu;
mod architecture;
mod arm;
pub mod bench;
mod block_transfer;
pub mod blocks;
mod data_processing;
mod declared;
pub mod decoder;
mod exceptions;
mod faults;
mod moves;
mod multiply;
mod outline;
mod psr;
mod registers;
mod thumb;
mod transfer;

pub use architecture::ARCHITECTURE;
pub use exceptions::input;
pub use psr::mode;
pub use registers::State;

use crate::bus::{Abort, Access, Bus, Pending, Status, Width};
use crate::core::{Core, HostCall, Limit, Stop};
use crate::system::System;
use architecture::MergedIs;
use declared::{Low, RegisterIo};
use decoder::Cost;
use psr::Bank;

/// The number of the program counter.
const PC: usize = 15;

/// A non-sequential fetch.
const FETCH: Access = Access::code(Width::Word);

/// The core. It owns no clock and no memory.
#[derive(Clone, Debug)]
pub struct Arm7tdmi {
    /// Registers of the current mode. r15 is the address of the next fetch.
    r: [u32; 16],
    cpsr: u32,
    /// r8 to r14 of every bank but the current; r8 to r12 count for User and FIQ only.
    banks: [[u32; 7]; Bank::COUNT],
    spsr: [u32; Bank::COUNT],
    pipeline: [u32; 2],
    /// Bit n: the fetch of `pipeline[n]` was aborted.
    aborted: u8,
    /// Bytes per opcode in the current state.
    length: u32,
    /// Kind of the next fetch; its width is that of the state.
    next: Access,
    /// Kind of the fetch after an I cycle.
    after_idle: Access,
    retired: u64,
    host_calls: bool,
    /// Declared, not real.
    contexts: Option<Box<Low>>,
    register_io: Option<RegisterIo>,
}

impl Default for Arm7tdmi {
    fn default() -> Self {
        Self::new()
    }
}

impl Arm7tdmi {
    /// A core before its first reset: all registers zero, so that every run starts alike.
    pub fn new() -> Self {
        let mut core = Arm7tdmi {
            r: [0; 16],
            cpsr: 0,
            banks: [[0; 7]; Bank::COUNT],
            spsr: [psr::ALWAYS; Bank::COUNT],
            pipeline: [0; 2],
            aborted: 0,
            length: 4,
            next: FETCH,
            after_idle: FETCH.sequential(),
            retired: 0,
            host_calls: false,
            contexts: None,
            register_io: None,
        };
        core.set_state(&State::default());
        core
    }

    /// Sets how the fetch after an I cycle is issued.
    fn set_merged(&mut self, merged: MergedIs) {
        self.after_idle = match merged {
            MergedIs::Sequential => FETCH.sequential(),
            MergedIs::Nonsequential => FETCH,
        };
    }

    /// First cycle of every instruction: the pipeline moves on. r15 follows by
    /// [`advance`](Self::advance), after the operands that see its old value are read.
    #[inline(always)]
    fn fetch<B: Bus>(&mut self, bus: &mut B, width: Width) {
        let fetched = bus.fetch(self.r[15], self.next.with_width(width));
        self.pipeline[0] = self.pipeline[1];
        self.aborted >>= 1;
        match fetched {
            Ok(opcode) => self.pipeline[1] = opcode,
            Err(Abort) => self.aborted |= 2,
        }
        self.next = FETCH.sequential();
    }

    /// r15 moves on by one opcode.
    #[inline(always)]
    fn advance(&mut self) {
        self.r[15] = self.r[15].wrapping_add(self.length);
    }

    /// Refills the pipeline from `target`: 1N + 1S.
    #[inline(never)]
    fn branch<B: Bus>(&mut self, bus: &mut B, target: u32) {
        if self.is_thumb() {
            self.refill(bus, target, Width::Half);
        } else {
            self.refill(bus, target, Width::Word);
        }
    }

    #[inline(always)]
    fn refill<B: Bus>(&mut self, bus: &mut B, target: u32, width: Width) {
        let target = width.align(target);
        if let Some(opcodes) = bus.refill(target, width) {
            (self.pipeline, self.aborted) = (opcodes, 0);
            self.next = FETCH.sequential();
            self.r[15] = target.wrapping_add(2 * width.bytes());
            return;
        }
        self.r[15] = target;
        self.next = FETCH.after_branch();
        for _ in 0..2 {
            self.fetch(bus, width);
            self.advance();
        }
    }

    /// The least internal cycles that the decoder states for an instruction, and `further` ones by its
    /// operands.
    #[inline(always)]
    fn idle_by<B: Bus>(&mut self, bus: &mut B, cost: Cost, further: u32) {
        self.idle(bus, u32::from(cost.internal) + further);
    }

    /// I cycles; the fetch after them is merged with the last.
    #[inline(always)]
    fn idle<B: Bus>(&mut self, bus: &mut B, cycles: u32) {
        bus.idle(cycles);
        self.next = self.after_idle;
    }

    /// Writes a register at the end of an instruction; r15 refills the pipeline (+1N +1S).
    #[inline(always)]
    fn write_register<B: Bus>(&mut self, bus: &mut B, index: usize, value: u32) {
        if index == 15 {
            self.branch(bus, value);
        } else {
            self.r[index] = value;
        }
    }

    /// Executes the instruction at the head of the pipeline, which is not an aborted one.
    #[inline(always)]
    fn execute<B: Bus>(&mut self, bus: &mut B) -> Option<Stop> {
        let opcode = self.pipeline[0];
        self.retired += 1;
        if self.is_thumb() {
            self.fetch(bus, Width::Half);
            return self.execute_thumb(bus, decoder::thumb::form(opcode), opcode);
        }
        self.fetch(bus, Width::Word);
        if opcode >> 28 == 14 || psr::passes(opcode >> 28, self.cpsr) {
            return self.execute_arm(bus, decoder::arm::form(opcode), opcode);
        }
        self.advance();
        None
    }

    #[inline(always)]
    fn status(&self) -> Status {
        let masked = |mask, input| u64::from(self.cpsr & mask != 0) << input;
        Status {
            masked: masked(psr::I, input::IRQ) | masked(psr::F, input::FIQ),
            mode: (self.cpsr & psr::MODE) as u8,
        }
    }

    /// Steps on from a boundary: interrupts, then stop requests, then the instruction.
    #[inline(always)]
    fn step_inline<B: Bus>(&mut self, bus: &mut B) -> Option<Stop> {
        if bus.now() >= bus.next_check() {
            let pending = bus.pending();
            if pending.stop {
                return Some(Stop::Board);
            }
            if self.take_interrupt(bus, pending) {
                return None;
            }
        } else {
            debug_assert_eq!(bus.pending(), Pending::default(), "a request came before it was due");
        }
        if bus.boundary(self.address(), self.status(), self.r[13]) {
            return Some(Stop::Boundary);
        }
        if bus.follows_moves() {
            bus.moving(&self.moves());
        }
        if self.aborted & 1 != 0 {
            self.prefetch_abort(bus);
            return None;
        }
        self.execute(bus)
    }
}

impl Core for Arm7tdmi {
    /// Supervisor mode, interrupts masked, all other registers zero. Bit 0 of `entry` selects Thumb
    /// state, as BX does. The pipeline fill costs 1N + 1S.
    fn reset<B: Bus>(&mut self, bus: &mut B, entry: u32) {
        let thumb = if entry & 1 != 0 { psr::T } else { 0 };
        let cpsr = State::default().cpsr | thumb;
        self.set_state(&State { cpsr, ..State::default() });
        self.retired = 0;
        self.branch(bus, entry);
    }

    fn step<B: Bus>(&mut self, bus: &mut B) -> Option<Stop> {
        self.step_inline(bus)
    }

    fn run<B: Bus>(&mut self, bus: &mut B, limit: Limit) -> Stop {
        loop {
            if bus.now() >= limit.cycle || self.retired >= limit.instructions {
                return Stop::Limit;
            }
            if let Some(stop) = self.step_inline(bus) {
                return stop;
            }
        }
    }

    #[inline(always)]
    fn address(&self) -> u32 {
        self.r[15].wrapping_sub(2 * self.length)
    }

    fn retired(&self) -> u64 {
        self.retired
    }

    fn count(&mut self, instructions: u64) {
        self.retired += instructions;
    }

    fn equals(&self, other: &Self) -> bool {
        let status = |core: &Self| (core.cpsr, core.aborted, core.next, core.pipeline);
        self.r == other.r
            && status(self) == status(other)
            && self.banks == other.banks
            && self.spsr == other.spsr
            && self.contexts == other.contexts
    }

    fn registers(&self) -> Vec<(&'static str, u32)> {
        self.named_registers()
    }

    fn set_register(&mut self, system: &System, name: &str, value: u32) -> bool {
        let address = self.address();
        let known = self.set_named_register(name, value);
        if self.address() != address {
            self.refetch(system, address);
        }
        known
    }

    fn set_address(&mut self, system: &System, address: u32) -> bool {
        self.refetch(system, address);
        true
    }

    fn takes_interrupts(&self) -> bool {
        self.cpsr & psr::I == 0 || self.cpsr & psr::F == 0
    }

    fn is_stuck(&self, system: &System) -> bool {
        faults::is_stuck(self, system)
    }

    /// While set, `SWI 0x123456` (ARM) and `SWI 0xAB` (Thumb) do not trap: the instruction costs its own
    /// fetch (1S).
    fn set_host_calls(&mut self, on: bool) -> bool {
        self.host_calls = on;
        true
    }

    fn host_call(&self) -> HostCall {
        HostCall { operation: self.r[0], parameter: self.r[1] }
    }

    fn answer(&mut self, value: u32) {
        self.r[0] = value;
    }
}
