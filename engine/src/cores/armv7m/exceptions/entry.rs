//! Entry: eight words on a stack, and on by the vector.

use super::super::nvic::{of_inputs, FIRST_INTERRUPT};
use super::super::{Armv7m, LR, PC, SP};
use super::{input, number, Fault};
use crate::bus::{Access, Bus, Exception, ExceptionKind, Width};

/// Cycles from the boundary to the handler's first instruction (ARM DDI 0337, "Exceptions"; unverified).
pub(super) const ENTRY_CYCLES: u32 = 12;
/// The same from one handler to the next (unverified).
pub(super) const CHAIN_CYCLES: u32 = 6;
/// Cycles of an entry after which no other exception takes its place (unverified).
const DECIDED_CYCLES: u32 = 9;

/// Bytes of a frame.
pub(super) const FRAME_BYTES: u32 = 32;
/// The bit of XPSR in a frame: a word lies between it and the stack before.
pub(super) const PADDED: u32 = 1 << 9;

/// The value that LR has in a handler, by what was interrupted.
const TO_HANDLER: u32 = 0xFFFF_FFF1;
const TO_MAIN_STACK: u32 = 0xFFFF_FFF9;
const TO_PROCESS_STACK: u32 = 0xFFFF_FFFD;

const WORD: Access = Access::data(Width::Word);

/// Why an exception of this number is taken, unless an instruction asked for it.
pub(super) const fn kind_of(number: usize) -> ExceptionKind {
    match number {
        number::NMI => ExceptionKind::Interrupt(input::NMI),
        number::SYSTICK => ExceptionKind::Interrupt(input::SYSTICK),
        FIRST_INTERRUPT.. => ExceptionKind::Interrupt(number - FIRST_INTERRUPT),
        number::CALL | number::PEND_SV => ExceptionKind::Call,
        _ => ExceptionKind::Fault,
    }
}

impl Armv7m {
    /// An exception takes the place of the next instruction.
    pub(super) fn interrupt<B: Bus>(&mut self, bus: &mut B, number: usize) {
        let exception = self.exception(number, kind_of(number), self.pc);
        bus.entering(&exception, self.mode());
        self.enter(bus, number, exception.kind, self.pc);
    }

    /// SVC, which is complete; `at` is its address.
    pub(in super::super) fn call<B: Bus>(&mut self, bus: &mut B, at: u32) {
        if self.may_take(number::CALL) {
            return self.enter(bus, number::CALL, ExceptionKind::Call, at);
        }
        match self.escalated_call() {
            Some(number) => self.enter(bus, number, ExceptionKind::Fault, at),
            None => self.lock_up(bus),
        }
    }

    fn exception(&self, number: usize, kind: ExceptionKind, at: u32) -> Exception {
        let vector = self.scb.vector_table().wrapping_add(4 * number as u32);
        Exception { kind, vector, at, return_to: self.pc, stack: self.r[SP] }
    }

    /// Enters an exception. `at` is the instruction that it is about.
    pub(super) fn enter<B: Bus>(
        &mut self,
        bus: &mut B,
        number: usize,
        kind: ExceptionKind,
        at: u32,
    ) {
        let exception = self.exception(number, kind, at);
        let to = match (self.is_handling(), self.on_process_stack) {
            (true, _) => TO_HANDLER,
            (false, true) => TO_PROCESS_STACK,
            (false, false) => TO_MAIN_STACK,
        };
        let stacked = self.push_frame(bus);
        bus.idle(DECIDED_CYCLES - 8);
        self.use_stack(false);
        self.nvic.pending |= 1 << number;
        if !stacked {
            self.note_derived(Fault::Stacking);
        }
        let taken = self.decide(bus, number);
        let exception =
            if taken == number { exception } else { self.exception(taken, kind_of(taken), at) };
        self.go_to_handler(bus, taken, to, &exception, ENTRY_CYCLES - DECIDED_CYCLES);
    }

    /// The exception that goes first by now: one that came late may take the place of another.
    fn decide<B: Bus>(&mut self, bus: &mut B, number: usize) -> usize {
        let inputs = bus.pending().inputs;
        self.sample(bus, inputs);
        // HardFault waits for nothing, so something is always found.
        self.nvic.first(self.execution).unwrap_or(number)
    }

    /// A fault of an entry or a return is pending.
    pub(super) fn note_derived(&mut self, fault: Fault) {
        if let Some(number) = self.escalated(fault) {
            self.nvic.pending |= 1 << number;
        }
    }

    /// A word each cycle.
    fn push_frame<B: Bus>(&mut self, bus: &mut B) -> bool {
        let padded = self.r[SP] & 4 != 0 && self.scb.aligns_stack();
        let below = self.r[SP].wrapping_sub(FRAME_BYTES);
        self.r[SP] = if padded { below & !4 } else { below };
        let xpsr = self.xpsr() | if padded { PADDED } else { 0 };
        let [r0, r1, r2, r3] = [self.r[0], self.r[1], self.r[2], self.r[3]];
        let frame = [r0, r1, r2, r3, self.r[12], self.r[LR], self.pc, xpsr];
        let mut complete = true;
        for (place, word) in (self.r[SP]..).step_by(4).zip(frame) {
            bus.idle(1);
            complete &= complete && bus.write(place, word, WORD).is_ok();
        }
        complete
    }

    /// Reads the vector and begins the handler.
    pub(super) fn go_to_handler<B: Bus>(
        &mut self,
        bus: &mut B,
        number: usize,
        to: u32,
        exception: &Exception,
        cycles: u32,
    ) {
        self.nvic.activate(number);
        self.r[LR] = to;
        self.ipsr = number as u16;
        (self.it, self.exclusive, self.event) = (0, false, true);
        self.continued = 0;
        self.use_stack(false);
        self.masks_changed();
        let vector = bus.read(exception.vector, WORD);
        bus.idle(cycles);
        self.pipeline.flush();
        if let Ok(input) = input_of(number) {
            bus.acknowledge(input);
        }
        let Ok(vector) = vector else {
            // Only a vector of HardFault is left to try.
            return match self.escalated(Fault::Vector) {
                Some(hard) if hard != number => {
                    let exception = self.exception(hard, ExceptionKind::Fault, exception.at);
                    self.go_to_handler(bus, hard, to, &exception, CHAIN_CYCLES);
                }
                _ => self.lock_up(bus),
            };
        };
        self.thumb = vector & 1 != 0;
        self.pc = vector & !1;
        self.r[PC] = self.pc;
        self.ahead = None;
        self.fetch_target(bus, self.pc);
        self.count_exception(cycles);
        bus.excepted(exception);
    }
}

/// The input of an exception that has one.
fn input_of(number: usize) -> Result<usize, ()> {
    match kind_of(number) {
        ExceptionKind::Interrupt(input) if of_inputs(1 << input) != 0 => Ok(input),
        _ => Err(()),
    }
}
