//! The flash accelerator (MAM) of single-bank LPC2000 parts (NXP UM10139, chapter on the MAM).
//!
//! Three 128-bit buffers: prefetch, branch trail, data; and the flash's own output latch, which holds
//! the line being prefetched until the core presents its address. `docs/timing/mam_lpc2000.md` marks
//! what confirms each rule; `docs/reference/agreement.md` compares them with a real part.

mod accelerator;
#[cfg(all(feature = "translate", target_arch = "x86_64"))]
pub(crate) mod ahead;
pub(crate) mod lent;

use serde::Deserialize;

use super::MemoryTiming;
use crate::bus::{Access, Width};
use crate::time::Cycle;
use accelerator::{Lines, Mam, Mode, EMPTY, LINE_SHIFT};

/// Its parameters in the board file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Rule that applies while lines are read ahead.
    prefetch_rule: Option<String>,
}

/// A flash behind a MAM: its settings, and its buffers as of cycle `at`, when its last access completed.
#[derive(Clone, Debug)]
pub struct Flash {
    mam: Mam,
    lines: Lines,
    at: Cycle,
    rules: Vec<String>,
}

impl Flash {
    /// A flash after reset.
    pub fn new(parameters: Parameters) -> Self {
        let rules = parameters.prefetch_rule.into_iter().collect();
        Flash { mam: Mam::default(), lines: Lines::default(), at: 0, rules }
    }

    /// The access that began at `now` completes after so many cycles; returns when.
    #[inline(always)]
    fn after(&mut self, now: Cycle, cycles: u32) -> Cycle {
        self.at = now + Cycle::from(cycles);
        self.at
    }

    /// Makes a fetch in sequence from a line that was read ahead, whose next line is read ahead then; returns when it
    /// completes. None, and nothing is done, in any other case.
    #[inline(always)]
    pub(crate) fn runs_on(&mut self, now: Cycle, offset: u32) -> Option<Cycle> {
        const IN_SEQUENCE: Access = Access::code(Width::Word).sequential();
        let line = offset >> LINE_SHIFT;
        let remaining = self.mam.run_on(&mut self.lines, line, IN_SEQUENCE)?;
        self.at = (self.at + Cycle::from(remaining)).max(now + 1);
        Some(self.at)
    }

    /// The buffers at `now`, not before the last access completed.
    fn lines_at(&self, now: Cycle) -> Lines {
        let mut lines = self.lines;
        lines.wait(now, self.at);
        if lines.latch == EMPTY {
            lines.remaining = 0;
        }
        lines
    }
}

impl MemoryTiming for Flash {
    /// MAMCR in bits 7:0, MAMTIM in bits 15:8. Any change empties the buffers.
    fn inputs(&self) -> &'static [&'static str] {
        &["mam"]
    }

    fn set(&mut self, _input: usize, level: u32) {
        (self.mam, self.lines) = (Mam::of(level), Lines::default());
    }

    fn reset(&mut self) {
        (self.mam, self.lines, self.at) = (Mam::default(), Lines::default(), 0);
    }

    #[inline(always)]
    fn access(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        if access.is_code() {
            return self.fetch_line(now, offset, access);
        }
        let line = offset >> LINE_SHIFT;
        if self.mam.mode == Mode::Off {
            self.lines.data = line;
            return self.after(now, self.mam.read_cycles);
        }
        self.lines.wait(now, self.at);
        let cost = self.mam.read(&mut self.lines, line);
        self.after(now, cost)
    }

    #[inline(always)]
    fn fetch_line(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        let line = offset >> LINE_SHIFT;
        if self.mam.mode == Mode::Off {
            // The line read last stays, and is not read again; that saves no time.
            self.lines.latch = line;
            return self.after(now, self.mam.read_cycles);
        }
        if !access.is_break_in_flow() {
            if let Some(completes) = self.runs_on(now, offset) {
                return completes;
            }
        }
        self.lines.wait(now, self.at);
        let cost = self.mam.fetch(&mut self.lines, line, access);
        self.after(now, cost)
    }

    fn line_shift(&self) -> Option<u32> {
        Some(LINE_SHIFT)
    }

    #[inline(always)]
    fn fetches_again(&self, access: Access) -> Cycle {
        self.mam.fetches_again(access).into()
    }

    fn slowest_fetch(&self) -> Cycle {
        self.mam.read_cycles.into()
    }

    fn lines_read(&self, now: Cycle, offset: u32, access: Access) -> u32 {
        self.mam.lines_read(&self.lines_at(now), offset, access)
    }

    fn state_at(&self, now: Cycle, state: &mut Vec<u64>) {
        let Lines { prefetch, trail, data, current, latch, remaining } = self.lines_at(now);
        state.extend([prefetch, trail, data, current, latch, remaining].map(u64::from));
    }

    fn set_state(&mut self, now: Cycle, state: &mut dyn Iterator<Item = u64>) {
        let mut next = || state.next().map_or(EMPTY, |number| number as u32);
        let (prefetch, trail, data) = (next(), next(), next());
        let (current, latch, remaining) = (next(), next(), next());
        self.lines = Lines { prefetch, trail, data, current, latch, remaining };
        self.at = now;
    }

    fn shift(&mut self, cycles: Cycle) {
        self.at += cycles;
    }

    fn rules(&self) -> &[String] {
        &self.rules
    }

    fn is_charged(&self) -> (bool, bool) {
        let is_slow = self.mam.read_cycles > 1;
        (is_slow, is_slow && self.mam.mode != Mode::Off)
    }
}

#[cfg(test)]
mod tests;
