//! Return: the frame comes back, or the next exception takes over.

use super::super::nvic::{bit, LOWEST};
use super::super::{Armv7m, LR, SP};
use super::entry::{kind_of, CHAIN_CYCLES, FRAME_BYTES, PADDED};
use super::{number, Fault};
use crate::bus::{Access, Bus, ExceptionKind, Width};

/// Cycles of a return (ARM's errata of DDI 0337; unverified).
const RETURN_CYCLES: u32 = 10;

const WORD: Access = Access::data(Width::Word);

/// The stack and the mode that a value in LR returns to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct To {
    process_stack: bool,
    handler: bool,
}

impl To {
    fn of(value: u32) -> Option<To> {
        match value & 0xF {
            0x1 => Some(To { process_stack: false, handler: true }),
            0x9 => Some(To { process_stack: false, handler: false }),
            0xD => Some(To { process_stack: true, handler: false }),
            _ => None,
        }
    }
}

impl Armv7m {
    /// Ends the exception that is being handled, by a value in LR; `at` is the instruction that did so.
    pub(in super::super) fn return_by<B: Bus>(&mut self, bus: &mut B, value: u32, at: u32) {
        let returning = usize::from(self.ipsr);
        let others = (self.nvic.active & !bit(returning)).count_ones();
        let is_active = self.nvic.active & bit(returning) != 0;
        let to = To::of(value).filter(|to| {
            is_active && to.handler == (others > 0) || !to.handler && self.scb.leaves_any_time()
        });
        self.nvic.active &= !bit(returning);
        if returning != number::NMI {
            self.faultmask = false;
        }
        self.masks_changed();
        let Some(to) = to else {
            self.note_derived(Fault::InvalidReturn);
            return self.chain(bus, value, at);
        };
        self.event = true;
        self.exclusive = false;
        let inputs = bus.pending().inputs;
        self.sample(bus, inputs);
        if self.nvic.first(self.execution).is_some() {
            return self.chain(bus, value, at);
        }
        self.pop_frame(bus, to, value, at);
    }

    /// The next exception begins without a frame of its own.
    fn chain<B: Bus>(&mut self, bus: &mut B, value: u32, at: u32) {
        let Some(number) = self.nvic.first(self.execution) else { return self.lock_up(bus) };
        bus.left_exception();
        let entry = self.entry(bus, number, kind_of(number), at);
        if matches!(entry.exception.kind, ExceptionKind::Interrupt(_)) {
            bus.entering(&entry.exception, self.mode());
        }
        self.go_to_handler(bus, entry, value, CHAIN_CYCLES);
        self.count_exception(CHAIN_CYCLES);
    }

    fn pop_frame<B: Bus>(&mut self, bus: &mut B, to: To, value: u32, at: u32) {
        let frame = if to.process_stack { self.process_stack() } else { self.main_stack() };
        let mut words = [0; 8];
        let (mut place, mut complete) = (frame, true);
        for word in &mut words {
            bus.idle(1);
            match bus.read(place, WORD) {
                Ok(read) => *word = read,
                Err(_) => complete = false,
            }
            place = place.wrapping_add(4);
        }
        let [r0, r1, r2, r3, r12, lr, pc, xpsr] = words;
        let fits = to.handler == (xpsr & 0x1FF != 0);
        if !complete || !fits {
            // The frame stays, and its exception is followed by that of the fault.
            self.note_derived(if complete { Fault::InvalidReturn } else { Fault::Unstacking });
            return self.chain(bus, value, at);
        }
        bus.idle(RETURN_CYCLES - 8);
        let padded = xpsr & PADDED != 0 && self.scb.aligns_stack();
        self.set_xpsr(xpsr);
        self.use_stack(to.process_stack);
        self.r[SP] = frame.wrapping_add(FRAME_BYTES) | if padded { 4 } else { 0 };
        (self.r[0], self.r[1], self.r[2], self.r[3], self.r[12]) = (r0, r1, r2, r3, r12);
        (self.r[LR], self.pc) = (lr, pc & !1);
        self.take_continuation();
        self.empty_pipeline();
        self.ahead = None;
        self.masks_changed();
        self.fetch_first(bus);
        self.count_exception(RETURN_CYCLES);
        bus.left_exception();
        if !to.handler && self.nvic.active_priority() == LOWEST && self.scb.sleeps_on_exit() {
            self.ask_to_sleep(bus);
        }
    }
}
