//! AVRe+ with a program counter of three bytes, as in the ATmega2560 (AVR Instruction Set Manual, Atmel 0856).
//!
//! `docs/timing/avr.md` states every rule of timing, its source, and what is unverified.
//!
//! Program memory and data memory answer within the cycle in which the core asks. So accesses cost nothing
//! by themselves, and the core alone spends its cycles. It reads data at the beginning of a cycle and
//! writes at the end of one, as the registers of the part do.

mod alu;
mod architecture;
mod blocks;
mod data;
mod decoder;
mod exceptions;
mod execute;
mod file;
mod flags;
mod flow;
mod registers;
mod transfer;

pub use architecture::ARCHITECTURE;
pub use data::DATA;
pub use decoder::{operation, Operation, Reach};
pub use registers::State;

use crate::bus::{Access, Bus, Status, Width};
use crate::core::{Core, HostCall, Limit, Stop};
use crate::system::System;
use exceptions::Leave;
use file::Registers;
use flags::{flag, Flags};

/// An opcode fetch.
const FETCH: Access = Access::code(Width::Half);

/// Data are bytes, those in program memory too.
const BYTE: Access = Access::data(Width::Byte);

/// The core. It owns no clock and no memory.
#[derive(Clone, Debug)]
pub struct Avr {
    r: Registers,
    flags: Flags,
    sp: u16,
    rampz: u8,
    eind: u8,
    /// Counts words.
    pc: u32,
    /// The bits of `pc` that there are.
    pc_mask: u32,
    /// The next instruction executes before any interrupt.
    shadow: bool,
    /// SP after a reset.
    stack_top: u16,
    retired: u64,
    host_calls: bool,
}

impl Avr {
    /// A core before its first reset, with so many words of program memory, a power of two.
    pub fn new(program_words: u32, stack_top: u16) -> Self {
        Avr {
            r: Registers::ZERO,
            flags: Flags::CLEAR,
            sp: stack_top,
            rampz: 0,
            eind: 0,
            pc: 0,
            pc_mask: program_words - 1,
            shadow: false,
            stack_top,
            retired: 0,
            host_calls: false,
        }
    }

    /// Moves on by so many words.
    #[inline(always)]
    fn advance(&mut self, words: u32) {
        self.pc = self.pc.wrapping_add(words) & self.pc_mask;
    }

    /// Writes SREG. The instruction after one that sets I executes before any interrupt.
    #[inline(always)]
    fn set_sreg(&mut self, value: u8) {
        self.shadow |= value & flag::I != 0 && !self.flags.has(flag::I);
        self.flags.set_byte(value);
    }

    #[inline(always)]
    fn status(&self) -> Status {
        let masked = if self.flags.has(flag::I) { 0 } else { u64::MAX };
        Status { masked, mode: 0 }
    }

    /// The stack pointer as an address of the bus.
    #[inline(always)]
    fn stack(&self) -> u32 {
        data::place(self.sp)
    }

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
        }
        if bus.boundary(2 * self.pc, self.status(), self.stack()) {
            return Some(Stop::Boundary);
        }
        match self.execute_next(bus) {
            Ok(()) => None,
            Err(Leave::Host) => Some(Stop::HostCall),
            Err(Leave::Fault(vector)) => {
                self.fault(bus, vector);
                None
            }
        }
    }
}

impl Core for Avr {
    /// All registers zero but the stack pointer, which holds the end of memory. No cycle goes by: the first
    /// instruction begins at once.
    fn reset<B: Bus>(&mut self, _bus: &mut B, entry: u32) {
        let fresh = Avr::new(self.pc_mask + 1, self.stack_top);
        *self = Avr { pc: (entry / 2) & self.pc_mask, host_calls: self.host_calls, ..fresh };
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
        2 * self.pc
    }

    fn retired(&self) -> u64 {
        self.retired
    }

    fn count(&mut self, instructions: u64) {
        self.retired += instructions;
    }

    fn equals(&self, other: &Self) -> bool {
        self.state() == other.state()
    }

    fn registers(&self) -> Vec<(&'static str, u32)> {
        self.named_registers()
    }

    fn set_register(&mut self, _system: &System, name: &str, value: u32) -> bool {
        self.set_named_register(name, value)
    }

    fn own_byte(&self, address: u32) -> Option<u8> {
        data::of_bus(address).and_then(|data| self.own(data))
    }

    fn set_own_byte(&mut self, address: u32, value: u8) -> bool {
        data::of_bus(address).is_some_and(|data| self.set_own(data, value))
    }

    fn set_address(&mut self, _system: &System, address: u32) -> bool {
        self.pc = (address / 2) & self.pc_mask;
        true
    }

    fn takes_interrupts(&self) -> bool {
        self.flags.has(flag::I)
    }

    /// Whether it stands before `rjmp .-2`.
    fn is_stuck(&self, system: &System) -> bool {
        system.peek(self.address(), Width::Half) == Some(0xCFFF)
    }

    /// While set, BREAK calls the host: the operation in r25:r24, its parameter in r23:r20, as the compiler passes
    /// `(uint16_t, uint32_t)`. An address in the data space counts from [`DATA`]. Otherwise BREAK does nothing,
    /// as on a part whose debugger is off.
    fn set_host_calls(&mut self, on: bool) -> bool {
        self.host_calls = on;
        true
    }

    fn host_call(&self) -> HostCall {
        HostCall { operation: self.r.pair(24).into(), parameter: self.long(20) }
    }

    /// The answer goes to r25:r22.
    fn answer(&mut self, value: u32) {
        self.set_long(22, value);
    }
}
