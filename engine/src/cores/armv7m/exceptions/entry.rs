//! Entry: eight words on a stack, and on by the vector.

use super::super::nvic::FIRST_INTERRUPT;
use super::super::{Armv7m, LR, SP};
use super::faults::nowhere;
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

/// An entry under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub number: usize,
    /// The word in the table of vectors; none where nothing answers.
    word: Option<u32>,
    pub exception: Exception,
}

impl Armv7m {
    /// An exception takes the place of the next instruction.
    pub(super) fn interrupt<B: Bus>(&mut self, bus: &mut B, number: usize) {
        let entry = self.entry(bus, number, kind_of(number), self.pc);
        bus.entering(&entry.exception, self.mode());
        self.enter_by(bus, entry);
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

    /// Enters an exception. `at` is the instruction that it is about.
    pub(super) fn enter<B: Bus>(
        &mut self,
        bus: &mut B,
        number: usize,
        kind: ExceptionKind,
        at: u32,
    ) {
        let entry = self.entry(bus, number, kind, at);
        self.enter_by(bus, entry);
    }

    /// Reads the vector of an exception.
    pub(super) fn entry<B: Bus>(
        &mut self,
        bus: &mut B,
        number: usize,
        kind: ExceptionKind,
        at: u32,
    ) -> Entry {
        let place = self.scb.vector_table().wrapping_add(4 * number as u32);
        let word = bus.read(place, WORD).ok();
        let leads = word.filter(|word| word & 1 != 0 && *word != u32::MAX);
        let vector = leads.map_or(nowhere(number), |word| word & !1);
        let exception = Exception { kind, vector, at, return_to: self.pc, stack: self.r[SP] };
        Entry { number, word, exception }
    }

    fn enter_by<B: Bus>(&mut self, bus: &mut B, entry: Entry) {
        let to = match (self.is_handling(), self.on_process_stack) {
            (true, _) => TO_HANDLER,
            (false, true) => TO_PROCESS_STACK,
            (false, false) => TO_MAIN_STACK,
        };
        let stacked = self.push_frame(bus);
        bus.idle(DECIDED_CYCLES - 8);
        self.nvic.pending |= 1 << entry.number;
        if !stacked {
            self.note_derived(Fault::Stacking);
        }
        let entry = self.decide(bus, entry);
        self.go_to_handler(bus, entry, to, ENTRY_CYCLES - DECIDED_CYCLES);
        self.count_exception(ENTRY_CYCLES);
    }

    /// The exception that goes first by now: one that came late may take the place of another.
    fn decide<B: Bus>(&mut self, bus: &mut B, entry: Entry) -> Entry {
        let inputs = bus.pending().inputs;
        self.sample(bus, inputs);
        match self.nvic.first(self.execution) {
            Some(late) if late != entry.number => {
                self.entry(bus, late, kind_of(late), entry.exception.at)
            }
            _ => entry,
        }
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
        let mut place = self.r[SP];
        let mut complete = true;
        for word in frame {
            bus.idle(1);
            complete &= complete && bus.write(place, word, WORD).is_ok();
            place = place.wrapping_add(4);
        }
        complete
    }

    /// Begins the handler.
    pub(super) fn go_to_handler<B: Bus>(
        &mut self,
        bus: &mut B,
        entry: Entry,
        to: u32,
        cycles: u32,
    ) {
        let Entry { number, word, exception } = entry;
        self.nvic.activate(number);
        self.r[LR] = to;
        self.ipsr = number as u16;
        (self.it, self.exclusive, self.event) = (0, false, true);
        self.continued = 0;
        self.use_stack(false);
        self.masks_changed();
        bus.idle(cycles);
        self.empty_pipeline();
        if let ExceptionKind::Interrupt(input) = kind_of(number) {
            bus.acknowledge(input);
        }
        let Some(word) = word else {
            bus.excepted(&exception);
            return self.no_vector(bus, number, to, exception.at);
        };
        self.thumb = word & 1 != 0;
        self.pc = word & !1;
        self.ahead = None;
        self.fetch_first(bus);
        bus.excepted(&exception);
    }

    /// Nothing answered the read of a vector: HardFault follows, if that was not it.
    fn no_vector<B: Bus>(&mut self, bus: &mut B, number: usize, to: u32, at: u32) {
        match self.escalated(Fault::Vector) {
            Some(hard) if hard != number => {
                let entry = self.entry(bus, hard, ExceptionKind::Fault, at);
                self.go_to_handler(bus, entry, to, CHAIN_CYCLES);
            }
            _ => self.lock_up(bus),
        }
    }
}
