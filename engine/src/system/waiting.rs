//! Waiting: conditions to skip whole iterations of a loop without changing a cycle.
//!
//! An iteration repeats itself exactly until the next event if three conditions hold:
//!
//! * It ends in the state it began in: core, memories, their timing, phase of the peripheral clocks.
//! * No event happened in it.
//! * It read only steady values from devices.
//!
//! While an iteration is traced, every access takes the long way. At other times, tracing costs nothing.

use std::collections::BTreeMap;

use super::System;
use crate::bus::Width;
use crate::time::Cycle;
use crate::timing::MemoryTiming;

/// Reads of one steady value in a row before the board looks whether it waits.
const POLLS: u32 = 4;
/// The same after looks in vain.
const MOST_POLLS: u32 = 1 << 12;

/// Reads of a register that gave the same value at the same instruction, one after the other.
#[derive(Debug)]
struct Polls {
    last: (u32, u32, u32),
    count: u32,
    /// How many are needed for a look.
    needed: u32,
}

impl Default for Polls {
    fn default() -> Self {
        Polls { last: (0, 0, 0), count: 0, needed: POLLS }
    }
}

/// One iteration under way.
#[derive(Debug, Default)]
pub(super) struct Trace {
    since: Cycle,
    timing: Vec<u64>,
    /// Bytes before the first write to them, by memory and offset.
    overwritten: BTreeMap<(usize, u32), u8>,
    /// Something happened that need not happen again.
    pub broken: bool,
}

/// The search for loops that wait.
#[derive(Debug)]
pub(super) struct Waiting {
    skipping: bool,
    /// The program polls a device; the board has not looked yet whether it waits.
    pub seems_to_wait: bool,
    polls: Polls,
    pub trace: Option<Trace>,
    skipped: Cycle,
}

impl Default for Waiting {
    fn default() -> Self {
        let polls = Polls::default();
        Waiting { skipping: true, seems_to_wait: false, polls, trace: None, skipped: 0 }
    }
}

impl Waiting {
    /// Power-on; whether loops are skipped stays as it was set.
    pub fn reset(&mut self) {
        (self.seems_to_wait, self.skipped) = (false, 0);
        self.polls = Polls::default();
    }
}

impl System {
    /// A device was read; `steady` is what it said before.
    pub(super) fn polled(&mut self, steady: bool, address: u32, value: u32) {
        let polls = &mut self.waiting.polls;
        let this = (self.hot.pc, address, value);
        if !steady || this != polls.last {
            polls.last = this;
            polls.count = 0;
        } else {
            polls.count += 1;
            if polls.count >= polls.needed && self.waiting.skipping && self.waiting.trace.is_none()
            {
                polls.count = 0;
                self.waiting.seems_to_wait = true;
                self.refresh_next_check();
            }
        }
        if !steady {
            self.break_trace();
        }
    }

    /// Marks the iteration: something happened that need not happen again in the next one.
    pub(super) fn break_trace(&mut self) {
        if let Some(trace) = &mut self.waiting.trace {
            trace.broken = true;
        }
    }

    pub(super) fn trace_write(&mut self, memory: usize, offset: u32, width: Width) {
        if let Some(trace) = &mut self.waiting.trace {
            for at in offset..offset + width.bytes() {
                let byte = self.memories[memory].bytes()[at as usize];
                trace.overwritten.entry((memory, at)).or_insert(byte);
            }
        }
    }

    /// Whether loops that wait are skipped.
    pub fn skips(&self) -> bool {
        self.waiting.skipping
    }

    /// Sets whether loops that wait are skipped. It changes no result.
    pub fn set_skipping(&mut self, on: bool) {
        self.waiting.skipping = on;
    }

    /// Takes the suspicion that the program waits for a device.
    pub fn take_seems_to_wait(&mut self) -> bool {
        let seems = std::mem::take(&mut self.waiting.seems_to_wait);
        self.refresh_next_check();
        seems
    }

    /// The suspicion was right, or not: then the next needs more evidence.
    pub fn judge_suspicion(&mut self, right: bool) {
        let needed = &mut self.waiting.polls.needed;
        *needed = if right { POLLS } else { (*needed * 2).min(MOST_POLLS) };
    }

    /// Begins to trace an iteration here.
    pub fn begin_trace(&mut self) {
        let timing = self.timing();
        self.watch.begin_iteration();
        self.waiting.trace = Some(Trace { since: self.hot.now, timing, ..Trace::default() });
        self.refresh_alarm();
    }

    /// Ends the trace.
    pub fn end_trace(&mut self) {
        self.waiting.trace = None;
        self.watch.end_iteration();
        self.refresh_alarm();
    }

    /// Whether all that happened since the iteration began can happen again.
    pub fn trace_holds(&self) -> bool {
        !self.watch.noticed && self.waiting.trace.as_ref().is_some_and(|trace| !trace.broken)
    }

    /// Whether everything but the core is again as it was when the iteration began.
    pub fn has_repeated(&self) -> bool {
        let Some(trace) = &self.waiting.trace else { return false };
        let cycles = self.hot.now - trace.since;
        let in_phase = self.buses.iter().all(|bus| cycles % Cycle::from(bus.divider) == 0);
        let restored = trace.overwritten.iter().all(|(&(memory, offset), &byte)| {
            self.memories[memory].bytes()[offset as usize] == byte
        });
        let same = self.unnotified.is_empty() && trace.timing == self.timing();
        cycles > 0 && in_phase && restored && same
    }

    /// The cycle before which nothing but the program itself happens.
    pub fn next_change(&self) -> Cycle {
        // The core masks every request that is visible already, as it did in the iteration before.
        let requests = self.requests.iter().map(|request| request.visible);
        requests.filter(|at| *at > self.hot.now).fold(self.hot.next_event, Cycle::min)
    }

    /// Passes `count` iterations like the traced one at once, each of `iteration_cycles`.
    pub fn skip(&mut self, count: u64, iteration_cycles: Cycle) {
        let cycles = count * iteration_cycles;
        self.watch.iterations_skipped(count, iteration_cycles);
        self.hot.now += cycles;
        self.memories.iter_mut().for_each(|memory| memory.timing.shift(cycles));
        self.arbiter.shift(cycles);
        self.waiting.skipped += cycles;
    }

    /// Cycles skipped since reset.
    pub fn skipped_cycles(&self) -> Cycle {
        self.waiting.skipped
    }

    fn timing(&self) -> Vec<u64> {
        let mut state = Vec::new();
        self.memories.iter().for_each(|memory| memory.timing.state_at(self.hot.now, &mut state));
        state.extend(self.arbiter.state_at(self.hot.now));
        state
    }
}
