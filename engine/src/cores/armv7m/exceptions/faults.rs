//! Faults: their bits in the status registers, escalation, and lock-up.

use super::super::nvic::OF_HARD_FAULT;
use super::super::scb::hfsr;
use super::super::{Armv7m, SP};
use super::number;
use crate::bus::{Bus, Exception, ExceptionKind};

/// A vector that leads nowhere: a fault at the priority of HardFault or above ends the run there.
pub const LOCKED_UP: u32 = 0xFFFF_FFFE;

/// The first of the places that stand for vectors that hold no address.
const NOWHERE: u32 = 0xFFFF_F000;

/// Stands for the vector of this exception, which holds no address.
pub(super) const fn nowhere(number: usize) -> u32 {
    NOWHERE + 4 * number as u32
}

/// The exception whose vector holds no address, if this is such a place.
pub fn without_vector(place: u32) -> Option<u32> {
    (NOWHERE..LOCKED_UP).contains(&place).then(|| (place - NOWHERE) / 4)
}

/// Why an instruction cannot be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No instruction has this opcode.
    Undefined,
    /// Bit 0 of a branch's target asked for a state that there is not.
    InvalidState,
    /// A value that would end an exception does not fit.
    InvalidReturn,
    /// An instruction of a coprocessor.
    NoCoprocessor,
    /// An access that has to be aligned, or must be as the program asked.
    Unaligned,
    /// A division by zero, which the program wants to hear of.
    DivisionByZero,
    /// Nothing answered a fetch.
    Fetch,
    /// Instructions cannot lie there.
    NotExecutable,
    /// Nothing answered an access to data, or it needs a privilege.
    Data(u32),
    /// Nothing answered an entry's access to the stack.
    Stacking,
    /// Nothing answered a return's access to the stack.
    Unstacking,
    /// Nothing answered the read of a vector.
    Vector,
    /// BKPT without a debugger.
    Breakpoint,
}

impl Fault {
    /// The exception that it is for.
    const fn number(self) -> usize {
        match self {
            Fault::NotExecutable => number::MEMORY,
            Fault::Fetch | Fault::Data(_) | Fault::Stacking | Fault::Unstacking => number::BUS,
            Fault::Vector => number::HARD_FAULT,
            Fault::Breakpoint => number::DEBUG,
            _ => number::USAGE,
        }
    }

    /// Its bit in CFSR.
    const fn status(self) -> u32 {
        match self {
            Fault::NotExecutable => 1,
            Fault::Fetch => 1 << 8,
            // The address is valid.
            Fault::Data(_) => 1 << 9 | 1 << 15,
            Fault::Unstacking => 1 << 11,
            Fault::Stacking => 1 << 12,
            Fault::Undefined => 1 << 16,
            Fault::InvalidState => 1 << 17,
            Fault::InvalidReturn => 1 << 18,
            Fault::NoCoprocessor => 1 << 19,
            Fault::Unaligned => 1 << 24,
            Fault::DivisionByZero => 1 << 25,
            Fault::Vector | Fault::Breakpoint => 0,
        }
    }
}

impl Armv7m {
    /// The instruction at the program counter cannot be executed.
    #[cold]
    pub(in super::super) fn fault<B: Bus>(&mut self, bus: &mut B, fault: Fault) {
        self.ahead = None;
        match self.escalated(fault) {
            Some(number) => self.enter(bus, number, ExceptionKind::Fault, self.pc),
            None => self.lock_up(bus),
        }
    }

    /// Notes a fault in the status registers. Returns the exception to take for it: its own, or HardFault, or none.
    pub(super) fn escalated(&mut self, fault: Fault) -> Option<usize> {
        self.scb.cfsr |= fault.status();
        match fault {
            Fault::Data(address) => self.scb.bfar = address,
            Fault::Vector => self.scb.hfsr |= hfsr::VECTOR,
            Fault::Breakpoint if !self.scb.monitors() => self.scb.hfsr |= hfsr::DEBUG,
            _ => {}
        }
        let number = fault.number();
        if self.may_take(number) {
            return Some(number);
        }
        if self.execution <= OF_HARD_FAULT {
            return None;
        }
        if !matches!(fault, Fault::Vector | Fault::Breakpoint) {
            self.scb.hfsr |= hfsr::FORCED;
        }
        Some(number::HARD_FAULT)
    }

    /// Whether a fault or a call of this number is enabled and may interrupt the program.
    pub(super) fn may_take(&self, number: usize) -> bool {
        self.scb.enables(number) && self.nvic.group_priority(number) < self.execution
    }

    /// The same for a call.
    pub(super) fn escalated_call(&mut self) -> Option<usize> {
        self.scb.hfsr |= hfsr::FORCED;
        (self.execution > OF_HARD_FAULT).then_some(number::HARD_FAULT)
    }

    /// A fault that cannot be handled: the core stays before its instruction, and a cycle goes by.
    #[cold]
    pub(super) fn lock_up<B: Bus>(&mut self, bus: &mut B) {
        bus.idle(1);
        let (at, stack) = (self.pc, self.r[SP]);
        let kind = ExceptionKind::Fault;
        bus.excepted(&Exception { kind, vector: LOCKED_UP, at, return_to: at, stack });
    }
}
