//! Skips loops that wait, in whole iterations, up to the next event that can happen.
//!
//! `system::waiting` states when an iteration repeats itself. Every step of the search is a step of the
//! run, so a search in vain costs host time and nothing else.

use super::Board;
use crate::bus::Bus;
use crate::core::{Limit, Stop};
use crate::processor::Iteration;
use crate::time::Cycle;

/// Longest iteration looked for, in instructions.
const LONGEST_ITERATION: u32 = 256;
/// Cycles run between two searches for a loop: after a success, and at most. A search in vain steps through
/// `LONGEST_ITERATION`, which takes as long as thousands of instructions in blocks.
const FIRST_SLICE_CYCLES: Cycle = 1 << 9;
const LONGEST_SLICE_CYCLES: Cycle = 1 << 18;
/// So many times as long is the next slice after a search in vain.
const GROWTH: Cycle = 4;

/// Cycles that the program runs before the next search.
#[derive(Debug)]
pub(super) struct Slice(Cycle);

impl Default for Slice {
    fn default() -> Self {
        Slice(FIRST_SLICE_CYCLES)
    }
}

impl Board {
    /// Runs the core for a slice, at most to `limit`. Skips a loop that waits, up to `limit`.
    pub(super) fn advance(&mut self, limit: Limit) -> Stop {
        if !self.system.skips() {
            return self.run_core(limit);
        }
        let end = limit.cycle.min(self.cycle().saturating_add(self.slice.0));
        let stop = self.run_core(Limit { cycle: end, ..limit });
        let polls = self.system.take_seems_to_wait();
        match stop {
            Stop::Board if polls => {}
            Stop::Limit if self.may_go_on(limit) => match self.search(limit, false) {
                Iteration::Found(..) => {}
                Iteration::None => {
                    self.slice.0 = (GROWTH * self.slice.0).min(LONGEST_SLICE_CYCLES);
                    return Stop::Limit;
                }
                Iteration::Stopped(stop) => return stop,
            },
            _ => return stop,
        }
        self.skip(limit, polls)
    }

    fn run_core(&mut self, limit: Limit) -> Stop {
        self.core.run(&mut self.system, limit, self.tier)
    }

    /// Traces an iteration. If it repeats itself, skips as many iterations as fit.
    fn skip(&mut self, limit: Limit, polls: bool) -> Stop {
        self.system.begin_trace();
        let iteration = self.search(limit, true);
        if polls {
            self.system.judge_suspicion(matches!(iteration, Iteration::Found(..)));
        }
        let stop = match iteration {
            Iteration::Found(cycles, instructions) => {
                self.slice = Slice::default();
                let quiet = self.system.next_change().min(limit.cycle);
                let count = quiet.saturating_sub(self.cycle() + 1) / cycles;
                let left = limit.instructions - self.instructions() - 1;
                let count = count.min(left.checked_div(instructions).unwrap_or(count));
                self.system.skip(count, cycles);
                self.core.count(count * instructions);
                Stop::Limit
            }
            Iteration::None => Stop::Limit,
            Iteration::Stopped(stop) => stop,
        };
        self.system.end_trace();
        stop
    }

    /// Steps until the core, and if `traced` all else, is again as it is now.
    fn search(&mut self, limit: Limit, traced: bool) -> Iteration {
        self.core.iterate(&mut self.system, limit, traced, LONGEST_ITERATION)
    }

    fn may_go_on(&self, limit: Limit) -> bool {
        self.system.now() < limit.cycle && self.core.retired() < limit.instructions
    }
}
