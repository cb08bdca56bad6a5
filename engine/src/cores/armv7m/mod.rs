//! ARMv7-M as the Cortex-M3 has it (ARM DDI 0403 and DDI 0337).
//!
//! `docs/timing/cortex-m3.md` states what is modelled, every rule of timing, its source, and what is unverified.
//!
//! Memories and devices behind this core cost nothing by themselves: its buses overlap, so the pipeline
//! (`pipeline`) states how long an instruction takes, and the core spends that. Memories and buses
//! charge wait states alone.

mod alu;
mod architecture;
mod arithmetic;
mod block_transfer;
mod blocks;
pub mod decoder;
mod dwt;
pub mod exceptions;
mod execute;
mod explain;
mod flow;
mod fpb;
mod memo;
mod memory;
mod nvic;
pub mod pipeline;
mod private;
mod psr;
mod registers;
mod retrace;
mod scb;
mod special;
mod transfer;

pub use architecture::ARCHITECTURE;
pub use registers::State;

use crate::bus::{Access, Bus, Width};
use crate::core::{Core, HostCall, Limit, Stop};
use crate::system::System;
use crate::time::Cycle;
use dwt::Counters;
use exceptions::{Leave, Looked};
use fpb::Patches;
use memo::Memo;
use nvic::Nvic;
use pipeline::{Ahead, Automaton, Passage, Work};
use scb::{Revision, SystemControl};

/// The number of the stack pointer.
const SP: usize = 13;
/// The number of the link register.
const LR: usize = 14;
/// The number of the program counter.
const PC: usize = 15;

/// A fetch of half an instruction, or of one.
const FETCH: Access = Access::code(Width::Half);

/// The core. It owns no clock and no memory.
#[derive(Clone, Debug)]
pub struct Armv7m {
    /// r13 is the stack pointer in use. r15 counts while an instruction executes: it is 4 ahead.
    r: [u32; 16],
    /// The stack pointer that is not in use.
    other_stack: u32,
    on_process_stack: bool,
    /// The instruction that executes next.
    pc: u32,
    /// The opcode of that instruction, if it was fetched ahead.
    ahead: Option<u32>,
    /// N, Z, C and V.
    flags: u32,
    /// Q: a result was saturated.
    saturated: bool,
    /// State of an IT block.
    it: u8,
    /// Where the next instruction goes on with its list of registers, if it was interrupted; else 0.
    continued: u8,
    thumb: bool,
    /// The exception that is being handled; 0 in thread mode.
    ipsr: u16,
    unprivileged: bool,
    primask: bool,
    faultmask: bool,
    basepri: u8,
    /// The monitor of exclusive accesses holds.
    exclusive: bool,
    /// The event register.
    event: bool,
    /// An event from outside would end the sleep.
    sleeps_for_event: bool,
    /// When it last asked to sleep, until it goes on.
    asleep_since: Option<Cycle>,
    nvic: Nvic,
    scb: SystemControl,
    dwt: Counters,
    fpb: Patches,
    pipeline: Automaton,
    /// Wait states of a fetched word, on the code buses and on System, as they were found last.
    waits: [u8; 2],
    /// Cycles of waiting that the bus has spent and the pipeline has not.
    paid: u32,
    /// The part has aliases of single bits.
    has_bit_bands: bool,
    retired: u64,
    host_calls: bool,
    // The rest follows from the fields above.
    /// The priority at which the program executes.
    execution: i16,
    /// Inputs whose interrupts it holds off.
    masked: u64,
    /// The next boundary looks at what waits.
    attention: bool,
    // The instruction that executes.
    next: u32,
    target: Option<u32>,
    /// The address of its first access to data.
    data: Option<u32>,
    operands: [u32; 2],
    /// Rd and RdHi before a quotient or a long product.
    kept: [u32; 2],
    in_block: bool,
    /// Its work for the pipeline, and the instruction behind.
    work: Work,
    behind: Option<Ahead>,
    memo: Memo,
}

/// Properties of a part that has this core.
#[derive(Clone, Copy, Debug)]
struct Part {
    interrupts: usize,
    priority_bits: u32,
    revision: Revision,
    has_bit_bands: bool,
}

impl Armv7m {
    /// A core before its first reset.
    fn new(part: Part) -> Self {
        let mut core = Armv7m {
            r: [0; 16],
            other_stack: 0,
            on_process_stack: false,
            pc: 0,
            ahead: None,
            flags: 0,
            saturated: false,
            it: 0,
            continued: 0,
            thumb: true,
            ipsr: 0,
            unprivileged: false,
            primask: false,
            faultmask: false,
            basepri: 0,
            exclusive: false,
            event: false,
            sleeps_for_event: false,
            asleep_since: None,
            nvic: Nvic::new(part.interrupts, part.priority_bits),
            scb: SystemControl::new(part.revision),
            dwt: Counters::default(),
            fpb: Patches::default(),
            pipeline: Automaton::default(),
            waits: [0; 2],
            paid: 0,
            has_bit_bands: part.has_bit_bands,
            retired: 0,
            host_calls: false,
            execution: 0,
            masked: 0,
            attention: false,
            next: 0,
            target: None,
            data: None,
            operands: [0; 2],
            kept: [0; 2],
            in_block: false,
            work: Work::default(),
            behind: None,
            memo: Memo::new(),
        };
        core.masks_changed();
        core
    }

    #[inline(always)]
    fn count(&mut self, passage: Passage) {
        if self.dwt.counting {
            self.dwt.count(&passage.counts());
        }
    }

    fn count_exception(&mut self, cycles: u32) {
        self.dwt.count_exception(cycles);
    }

    /// The pipeline is empty, and waits for nothing.
    fn empty_pipeline(&mut self) {
        self.pipeline.flush();
        self.paid = 0;
    }

    /// Cycles of the pipeline go by, but for those that the bus has spent.
    #[inline(always)]
    fn spend<B: Bus>(&mut self, bus: &mut B, cycles: u32) {
        let left = if self.paid == 0 { cycles } else { self.left_of(cycles) };
        bus.idle(left);
    }

    /// Cycles of so many that the bus has not spent.
    #[cold]
    fn left_of(&mut self, cycles: u32) -> u32 {
        let paid = self.paid.min(cycles);
        self.paid -= paid;
        cycles - paid
    }

    #[inline(always)]
    fn step_inline<B: Bus>(&mut self, bus: &mut B) -> Option<Stop> {
        if self.attention || bus.now() >= bus.next_check() {
            match self.look(bus) {
                Looked::Stop => return Some(Stop::Board),
                Looked::Entered => return None,
                Looked::Nothing => {}
            }
        }
        if bus.boundary(self.pc, self.status(), self.r[SP]) {
            return Some(Stop::Boundary);
        }
        let at = self.pc;
        match self.execute_next(bus) {
            Ok(()) => None,
            Err(leave) => self.leave(bus, leave, at),
        }
    }

    /// The instruction at `at` did not end as others do.
    #[inline(never)]
    fn leave<B: Bus>(&mut self, bus: &mut B, leave: Leave, at: u32) -> Option<Stop> {
        match leave {
            Leave::Fault(fault) => self.fault(bus, fault),
            Leave::Return(value) => self.return_by(bus, value, at),
            Leave::Call => self.call(bus, at),
            Leave::Host => return Some(Stop::HostCall),
            Leave::Interrupted(register) => {
                (self.continued, self.attention, self.ahead) = (register, true, None);
                self.empty_pipeline();
            }
        }
        None
    }
}

impl Core for Armv7m {
    /// An odd `entry` is that of an instruction; the stack pointer is then the first word of the table of vectors
    /// at 0. An even one is a table of vectors, and the core begins as the part does.
    fn reset<B: Bus>(&mut self, bus: &mut B, entry: u32) {
        let part = Part {
            interrupts: self.nvic.interrupts,
            priority_bits: self.nvic.priority_mask().count_ones(),
            revision: self.scb.revision,
            has_bit_bands: self.has_bit_bands,
        };
        *self = Armv7m { host_calls: self.host_calls, ..Armv7m::new(part) };
        let word = Access::data(Width::Word);
        let table = if entry & 1 != 0 { 0 } else { entry };
        self.r[LR] = u32::MAX;
        self.r[SP] = bus.read(table, word).unwrap_or(0) & !3;
        let begin = if entry & 1 != 0 { entry } else { bus.read(table + 4, word).unwrap_or(0) };
        (self.thumb, self.pc) = (begin & 1 != 0, begin & !1);
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
        self.pc
    }

    fn retired(&self) -> u64 {
        self.retired
    }

    fn count(&mut self, instructions: u64) {
        self.retired += instructions;
    }

    fn equals(&self, other: &Self) -> bool {
        let status = |core: &Self| {
            let held = (core.exclusive, core.event, core.ahead, core.attention);
            (core.state(), core.continued, held, core.sleeps_for_event)
        };
        status(self) == status(other)
            && (self.waits, self.paid) == (other.waits, other.paid)
            && self.pipeline == other.pipeline
            && self.nvic == other.nvic
            && self.scb == other.scb
            && self.dwt == other.dwt
            && self.fpb == other.fpb
    }

    fn registers(&self) -> Vec<(&'static str, u32)> {
        self.named_registers()
    }

    fn set_register(&mut self, _system: &System, name: &str, value: u32) -> bool {
        self.set_named_register(name, value)
    }

    /// Of the private registers, but for the cycle counter, which no one can read without a time.
    fn own_byte(&self, address: u32) -> Option<u8> {
        let word = address & !3;
        let value = self.private_word(word, 0).filter(|_| word != private::CYCLE_COUNTER)?;
        Some((value >> (8 * (address & 3))) as u8)
    }

    fn set_address(&mut self, _system: &System, address: u32) -> bool {
        (self.pc, self.ahead, self.it, self.continued) = (address & !1, None, 0, 0);
        self.empty_pipeline();
        true
    }

    fn takes_interrupts(&self) -> bool {
        self.masked & self::architecture::NORMAL_INPUTS != self::architecture::NORMAL_INPUTS
    }

    /// Whether it stands before a branch to itself.
    fn is_stuck(&self, system: &System) -> bool {
        system.peek(self.pc, Width::Half) == Some(0xE7FE)
    }

    /// While set, `BKPT 0xAB` calls the host: the operation in r0, its parameter in r1.
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
