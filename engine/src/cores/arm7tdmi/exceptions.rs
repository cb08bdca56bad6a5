//! Exception entry: mode, vector, link register and cycles (ARM DDI 0029, "Exceptions").
//!
//! Every entry costs 2S + 1N, of which the first S is a fetch that is thrown away; an undefined
//! instruction has one I cycle more.

use super::decoder::{Cost, Operation};
use super::psr::{self, mode};
use super::Arm7tdmi;
use crate::bus::ExceptionKind::{self, Call, Fault, Interrupt};
use crate::bus::{Bus, Exception, Pending};
use crate::core::Core;
use crate::moves::Move;

/// The inputs of the core, by number.
pub mod input {
    /// Normal interrupt.
    pub const IRQ: usize = 0;
    /// Fast interrupt.
    pub const FIQ: usize = 1;
    /// Their names.
    pub(in super::super) const NAMES: [&str; 2] = ["irq", "fiq"];
}

/// How one kind of exception is entered.
struct Entry {
    kind: ExceptionKind,
    vector: u32,
    mode: u32,
    masks: u32,
}

/// Vectors, by what leads to them.
pub(super) mod vector {
    pub const UNDEFINED: u32 = 0x04;
    pub const SWI: u32 = 0x08;
    pub const PREFETCH_ABORT: u32 = 0x0C;
    pub const DATA_ABORT: u32 = 0x10;
    pub const IRQ: u32 = 0x18;
    pub const FIQ: u32 = 0x1C;
}

const fn entry(kind: ExceptionKind, vector: u32, mode: u32, masks: u32) -> Entry {
    Entry { kind, vector, mode, masks }
}

const UNDEFINED: Entry = entry(Fault, vector::UNDEFINED, mode::UNDEFINED, psr::I);
const SOFTWARE: Entry = entry(Call, vector::SWI, mode::SUPERVISOR, psr::I);
const PREFETCH_ABORT: Entry = entry(Fault, vector::PREFETCH_ABORT, mode::ABORT, psr::I);
const DATA_ABORT: Entry = entry(Fault, vector::DATA_ABORT, mode::ABORT, psr::I);
const IRQ: Entry = entry(Interrupt(input::IRQ), vector::IRQ, mode::IRQ, psr::I);
const FIQ: Entry = entry(Interrupt(input::FIQ), vector::FIQ, mode::FIQ, psr::I | psr::F);

impl Entry {
    fn exception(&self, at: u32, return_to: u32, stack: u32) -> Exception {
        Exception { kind: self.kind, vector: self.vector, at, return_to, stack }
    }
}

impl Arm7tdmi {
    /// Enters the pending interrupt that the masks in force allow; FIQ goes before IRQ. The core has no
    /// acknowledge: the handler withdraws the request at its source.
    #[inline(always)]
    pub(super) fn take_interrupt<B: Bus>(&mut self, bus: &mut B, pending: Pending) -> bool {
        let entry = if pending.has(input::FIQ) && self.cpsr & psr::F == 0 {
            &FIQ
        } else if pending.has(input::IRQ) && self.cpsr & psr::I == 0 {
            &IRQ
        } else {
            return false;
        };
        self.replace(bus, entry);
        true
    }

    /// The instruction at the head of the pipeline was fetched from where nothing answers.
    #[cold]
    pub(super) fn prefetch_abort<B: Bus>(&mut self, bus: &mut B) {
        self.replace(bus, &PREFETCH_ABORT);
    }

    /// Ends a load or store whose access was refused: all its other cycles are spent.
    #[cold]
    pub(super) fn data_abort<B: Bus>(&mut self, bus: &mut B) {
        let blamed = self.r[15].wrapping_sub(3 * self.length);
        self.discard(bus);
        self.enter(bus, &DATA_ABORT, blamed, blamed.wrapping_add(8));
    }

    /// SWI: 2S + 1N.
    #[cold]
    pub(super) fn software_interrupt<B: Bus>(&mut self, bus: &mut B) {
        let address = self.address();
        let link = address.wrapping_add(self.length);
        self.advance();
        self.enter(bus, &SOFTWARE, address, link);
    }

    /// Undefined instruction, or one for a coprocessor that is not there: 2S + 1I + 1N.
    #[cold]
    pub(super) fn undefined<B: Bus>(&mut self, bus: &mut B) {
        let address = self.address();
        let link = address.wrapping_add(self.length);
        self.advance();
        self.idle_by(bus, Cost::plain(Operation::Undefined), 0);
        self.enter(bus, &UNDEFINED, address, link);
    }

    /// Enters an exception instead of the instruction at the head of the pipeline.
    #[inline(never)]
    fn replace<B: Bus>(&mut self, bus: &mut B, entry: &Entry) {
        let address = self.address();
        let link = address.wrapping_add(4);
        bus.entering(&entry.exception(address, link, self.r[13]), entry.mode as u8);
        self.discard(bus);
        self.enter(bus, entry, address, link);
    }

    /// The fetch that an entry starts with when it is no instruction that made it.
    fn discard<B: Bus>(&mut self, bus: &mut B) {
        self.fetch(bus, self.width());
        self.advance();
    }

    fn enter<B: Bus>(&mut self, bus: &mut B, entry: &Entry, blamed: u32, link: u32) {
        let (interrupted, stack) = (self.cpsr, self.r[13]);
        self.set_status((interrupted & !(psr::T | psr::MODE)) | entry.masks | entry.mode);
        self.set_saved_status(interrupted, u32::MAX);
        self.r[14] = link;
        if bus.follows_moves() {
            bus.moving(&[Move::clear(self.register_number(14))]);
        }
        self.branch(bus, entry.vector);
        bus.excepted(&entry.exception(blamed, link, stack));
    }
}
