//! The flash accelerator (MAM) of single-bank LPC2000 parts (NXP UM10139, chapter on the MAM).
//!
//! Three 128-bit buffers: prefetch, branch trail, data; and the flash's own output latch, which holds
//! the line being prefetched until the core presents its address. `docs/timing/mam_lpc2000.md` marks
//! what confirms each rule; `docs/reference/agreement.md` compares them with a real part.

use serde::Deserialize;

use super::MemoryTiming;
use crate::bus::Access;
use crate::time::Cycle;

/// Bytes in a line, as a power of two: 128 bits.
const LINE_SHIFT: u32 = 4;
/// A tag no line has.
const EMPTY: u32 = u32::MAX;

/// MAMCR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Mode {
    /// 0: every request takes the time of a flash read.
    #[default]
    Off,
    /// 1: only sequential fetches profit from the buffers.
    Partial,
    /// 2: every request that hits a buffer profits.
    Full,
}

/// MAMCR and MAMTIM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Mam {
    mode: Mode,
    read_cycles: u32,
}

/// The lines held, and the read under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lines {
    prefetch: u32,
    trail: u32,
    data: u32,
    /// The line of the last fetch.
    current: u32,
    /// The line that the flash has read ahead, or is reading …
    latch: u32,
    /// … for so many cycles more.
    remaining: u32,
}

impl Default for Lines {
    fn default() -> Self {
        let (prefetch, trail, data) = (EMPTY, EMPTY, EMPTY);
        Lines { prefetch, trail, data, current: EMPTY, latch: EMPTY, remaining: 0 }
    }
}

impl Lines {
    /// Whether the line can be fetched, or will be.
    #[inline(always)]
    fn hold(&self, line: u32) -> bool {
        line == self.latch || line == self.prefetch || line == self.trail
    }

    /// The time from `at` to `now` goes by without an access.
    #[inline(always)]
    fn wait(&mut self, now: Cycle, at: Cycle) {
        self.pass(now.saturating_sub(at).min(u32::MAX.into()) as u32);
    }

    #[inline(always)]
    fn pass(&mut self, cycles: u32) {
        self.remaining = self.remaining.saturating_sub(cycles);
    }
}

impl Default for Mam {
    /// Reset: off, seven cycles.
    fn default() -> Self {
        Mam::new(Mode::Off, 7)
    }
}

impl Mam {
    /// A MAM in `mode` whose flash reads take `read_cycles` (MAMTIM, 1 to 7).
    fn new(mode: Mode, read_cycles: u32) -> Self {
        Mam { mode, read_cycles: read_cycles.clamp(1, 7) }
    }

    /// A MAM as the system control block drives it: MAMCR in bits 7:0, MAMTIM in bits 15:8. The
    /// reserved values read as the nearest useful one.
    fn of(level: u32) -> Self {
        let mode = match level & 3 {
            0 => Mode::Off,
            1 => Mode::Partial,
            _ => Mode::Full,
        };
        Mam::new(mode, level >> 8 & 7)
    }

    /// Mode 1 serves a break in sequence from the buffer, to save power, but makes it wait.
    #[inline(always)]
    fn replays(self, access: Access) -> bool {
        self.mode == Mode::Partial && !access.is_sequential()
    }

    /// Cycles of a fetch from the line fetched last. It changes nothing but that time goes by: the line
    /// is held, and only a fetch that enters a line begins to read ahead.
    #[inline(always)]
    fn fetches_again(&self, access: Access) -> u32 {
        let flows =
            self.mode == Mode::Full || (self.mode == Mode::Partial && !self.replays(access));
        if flows {
            1
        } else {
            self.read_cycles
        }
    }

    /// The fetch of a line that was read ahead, whose next line is read ahead then, as in code that
    /// runs straight on. Returns the cycles that the reading still took after the last access. In
    /// any other case none, and nothing is done.
    #[inline(always)]
    fn run_on(&self, lines: &mut Lines, line: u32, access: Access) -> Option<u32> {
        let straight = self.mode == Mode::Full && !access.is_break_in_flow();
        if !straight || line != lines.latch || line + 1 == lines.trail {
            return None;
        }
        let remaining = lines.remaining;
        (lines.prefetch, lines.current) = (line, line);
        (lines.latch, lines.remaining) = (line + 1, self.read_cycles);
        Some(remaining)
    }

    fn fetch(self, lines: &mut Lines, line: u32, access: Access) -> u32 {
        let replayed = self.replays(access);
        let cost;
        if line == lines.prefetch || line == lines.trail {
            cost = if replayed { self.read_cycles } else { 1 };
            lines.pass(cost);
        } else {
            cost = if line != lines.latch || replayed {
                self.read_cycles
            } else {
                lines.remaining.max(1)
            };
            let buffer =
                if access.is_break_in_flow() { &mut lines.trail } else { &mut lines.prefetch };
            *buffer = line;
            lines.latch = EMPTY;
        }
        // A fetch from the line of the last one found it held: it does not ask the array for anything.
        let enters = line != lines.current;
        lines.current = line;
        if enters && !lines.hold(line + 1) {
            lines.latch = line + 1;
            lines.remaining = self.read_cycles;
        }
        cost
    }

    fn read(self, lines: &mut Lines, line: u32) -> u32 {
        if line == lines.data {
            let cost = if self.mode == Mode::Full { 1 } else { self.read_cycles };
            lines.pass(cost);
            return cost;
        }
        lines.data = line;
        // The data read takes the flash and its latch: what was read ahead is dropped.
        lines.latch = EMPTY;
        self.read_cycles
    }
}

impl Mam {
    /// How many lines of the array an access reads, or begins to read ahead: what costs energy, not
    /// what costs time. `lines` is the state before the access.
    fn lines_read(self, lines: &Lines, offset: u32, access: Access) -> u32 {
        let line = offset >> LINE_SHIFT;
        if !access.is_code() {
            return u32::from(line != lines.data);
        }
        if self.mode == Mode::Off {
            return u32::from(line != lines.latch);
        }
        let buffered = line == lines.prefetch || line == lines.trail;
        let mut after = *lines;
        self.fetch(&mut after, line, access);
        let ahead = after.latch == line + 1 && (!buffered || lines.latch != line + 1);
        u32::from(!lines.hold(line)) + u32::from(ahead)
    }
}

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

    /// The buffers at `now`, not before the last access completed.
    fn lines_at(&self, now: Cycle) -> Lines {
        let mut lines = self.lines;
        lines.wait(now, self.at);
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
        if let Some(remaining) = self.mam.run_on(&mut self.lines, line, access) {
            self.at = (self.at + Cycle::from(remaining)).max(now + 1);
            return self.at;
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
