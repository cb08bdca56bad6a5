//! Exception entry: mode, vector, link register and cycles (ARM DDI 0029, "Exceptions").
//!
//! Every entry costs 2S + 1N, of which the first S is a fetch that is thrown away; an undefined
//! instruction has one I cycle more.

use super::psr::{self, mode};
use super::Arm7tdmi;
use crate::bus::{Bus, Lines};
use crate::core::Core;

struct Exception {
    vector: u32,
    mode: u32,
    masks: u32,
}

const UNDEFINED: Exception = Exception { vector: 0x04, mode: mode::UNDEFINED, masks: psr::I };
const SOFTWARE: Exception = Exception { vector: 0x08, mode: mode::SUPERVISOR, masks: psr::I };
const PREFETCH_ABORT: Exception = Exception { vector: 0x0C, mode: mode::ABORT, masks: psr::I };
const DATA_ABORT: Exception = Exception { vector: 0x10, mode: mode::ABORT, masks: psr::I };
const IRQ: Exception = Exception { vector: 0x18, mode: mode::IRQ, masks: psr::I };
const FIQ: Exception = Exception { vector: 0x1C, mode: mode::FIQ, masks: psr::I | psr::F };

impl Arm7tdmi {
    /// Enters the interrupt that `lines` and the masks in force allow; FIQ goes before IRQ.
    #[inline(always)]
    pub(super) fn take_interrupt<B: Bus>(&mut self, bus: &mut B, lines: Lines) -> bool {
        let exception = if lines.fiq && self.cpsr & psr::F == 0 {
            &FIQ
        } else if lines.irq && self.cpsr & psr::I == 0 {
            &IRQ
        } else {
            return false;
        };
        self.replace(bus, exception);
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
        self.idle(bus, 1);
        self.enter(bus, &UNDEFINED, address, link);
    }

    /// Enters an exception instead of the instruction at the head of the pipeline.
    #[inline(never)]
    fn replace<B: Bus>(&mut self, bus: &mut B, exception: &Exception) {
        let address = self.address();
        bus.entering(exception.vector, exception.mode as u8);
        self.discard(bus);
        self.enter(bus, exception, address, address.wrapping_add(4));
    }

    /// The fetch that an entry starts with when it is no instruction that made it.
    fn discard<B: Bus>(&mut self, bus: &mut B) {
        self.fetch(bus, self.width());
        self.advance();
    }

    fn enter<B: Bus>(&mut self, bus: &mut B, exception: &Exception, blamed: u32, link: u32) {
        let interrupted = self.cpsr;
        self.set_status((interrupted & !(psr::T | psr::MODE)) | exception.masks | exception.mode);
        self.set_saved_status(interrupted, u32::MAX);
        self.r[14] = link;
        self.branch(bus, exception.vector);
        bus.excepted(exception.vector, blamed, link);
    }
}
